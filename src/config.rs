//! Where filedeck keeps things and which account it talks to: defaults, then file, then environment, then flags.
//! Knows nothing of terminals or HTTP.

pub mod account_entry;
pub mod accounts;
mod alone;
pub mod choices;
pub mod doubts;
pub mod environment;
pub mod favourites;
pub mod file;
pub mod keyring;
pub mod last_account;
pub mod own_accounts;
pub mod pane_sizes;
pub mod paths;
pub mod secret_file;
pub mod settings;
pub mod token;
pub mod toml_text;

pub use account_entry::{AccountColor, AccountEntry, Origin, TokenPlace};
pub use accounts::{AccountError, Changed, Known, LOCAL_STORE, RemoteAccount, Source};
pub use choices::{AUTO, Column, Dates, Images, Notify, Preset, SymbolSet};
pub use environment::Environment;
pub use file::Found;
pub use keyring::Keyring;
pub use keyring::error::KeyringError;
pub use last_account::LastAccount;
pub use own_accounts::{AccountChange, Draft, OwnAccounts};
pub use pane_sizes::{PaneSizes, PaneSizesFile};
pub use paths::{Paths, create_private_dir};
pub use secret_file::SecretFileError;
pub use settings::{Config, InForce, May, Setting};
pub use token::Token;
pub use toml_text::{TomlText, Warning, quoted};
