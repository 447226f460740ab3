//! Paths, settings and accounts: defaults, then the file, then the environment, then flags.
//! Independent of terminals and HTTP.

pub mod account_entry;
pub mod account_errors;
pub mod accounts;
pub mod choices;
pub mod chosen_settings;
pub mod environment;
pub mod favorites;
pub mod file;
mod file_lock;
pub mod keyring;
pub mod last_account;
pub mod limit_rate;
pub mod oauth_cache;
pub mod oauth_file;
pub mod pane_sizes;
pub mod paths;
mod private_file;
pub mod saved_accounts;
pub mod settings;
pub mod token;
pub mod toml_text;
pub mod typed_file;

pub use account_entry::{AccountColor, AccountEntry, CredentialKind, Origin, TokenLocation};
pub use accounts::{
    AccountError, AccountSource, AccountSummary, Changed, LOCAL_STORE, RemoteAccount,
    RemoteCredentials,
};
pub use choices::{AUTO, Column, Dates, Images, Notify, Preset, SymbolSet};
pub use chosen_settings::ChosenSettings;
pub use environment::Environment;
pub use file::ConfigFile;
pub use keyring::Keyring;
pub use keyring::error::KeyringError;
pub use last_account::LastAccount;
pub use limit_rate::LimitRate;
pub use oauth_cache::{CachedTokens, OauthCache};
pub use oauth_file::OauthFile;
pub use pane_sizes::{PaneSizes, PaneSizesFile};
pub use paths::{Paths, check_own_dir, create_private_dir};
pub use saved_accounts::{AccountChange, Draft, SavedAccounts};
pub use settings::{Allowed, CHOSEN_HERE, Config, InForce, PRESET, SAMPLE, Setting};
pub use token::Token;
pub use toml_text::{TomlText, Warning, quoted};
