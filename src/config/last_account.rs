//! The name of the account last shown on the screen: a small file in the state directory. It is
//! opened at the next start unless another account is named.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::accounts::AccountSource;
use super::private_file;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastAccount(PathBuf);

#[derive(Serialize, Deserialize)]
struct FileContent {
    account: String,
}

impl LastAccount {
    pub fn new(dir: &Path) -> Self {
        Self(dir.join("last-account.toml"))
    }

    pub fn read(&self) -> Option<String> {
        let text = std::fs::read_to_string(&self.0).ok()?;
        toml::from_str(&text)
            .ok()
            .map(|FileContent { account }| account)
    }

    /// Saves an account that can be named at the next start, unlike those of the environment or a
    /// demo.
    pub fn write(&self, source: &AccountSource) -> io::Result<()> {
        match source {
            _ if self.read().as_deref() == Some(source.name()) => Ok(()),
            AccountSource::Configured(_) | AccountSource::LocalStore => {
                let text = toml::to_string(&FileContent {
                    account: source.name().to_owned(),
                })
                .map_err(io::Error::other)?;
                private_file::write(&self.0, text.as_bytes())
            }
            AccountSource::Environment | AccountSource::Demo => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_can_be_named_is_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let last = LastAccount::new(dir.path());
        assert_eq!(last.read(), None);
        let acme = AccountSource::Configured("acme".to_owned());
        for (source, remembered) in [
            (acme, "acme"),
            (AccountSource::Demo, "acme"),
            (AccountSource::Environment, "acme"),
            (AccountSource::LocalStore, "local"),
        ] {
            last.write(&source).unwrap();
            assert_eq!(last.read().as_deref(), Some(remembered));
        }
        std::fs::write(dir.path().join("last-account.toml"), "account = 3").unwrap();
        assert_eq!(last.read(), None, "what cannot be read is no account");
    }
}
