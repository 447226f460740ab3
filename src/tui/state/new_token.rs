//! Advice about a new token when the service no longer accepts the old one.

use super::program::State;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::config::{AccountSource, CredentialKind, Origin, TokenLocation};
use crate::tui::keymap::Action;

impl State {
    /// The advice on a new token for an error of the current account; `None` if it is not about the
    /// token. Safe to show.
    pub fn token_advice(&self, error: &Error) -> Option<String> {
        let is_about_it = error.kind == Kind::Unauthorized || error.scope().is_some();
        if is_about_it {
            self.place_of_token()
        } else {
            None
        }
    }

    /// The way to give this account another token, if there is one. Safe to show.
    fn place_of_token(&self) -> Option<String> {
        let source = &self.session.account.source;
        if *source == AccountSource::Environment {
            return Some("Start filedeck again with a new FILEDECK_TOKEN.".to_owned());
        }
        let entry = self
            .accounts
            .iter()
            .find(|known| known.source == *source)?
            .entry
            .as_ref()?;
        if entry.kind == CredentialKind::Oauth {
            return None;
        }
        match entry.origin {
            Origin::Own => {
                let accounts = self.keymap.key_of(self.context(), Action::Accounts)?;
                Some(format!("{accounts}, then e enters a new token."))
            }
            Origin::Config => Some(match &entry.token {
                TokenLocation::File(file) => {
                    let file = file.to_string_lossy();
                    format!(
                        "Write the new token into {}, which config.toml names.",
                        visible(&file)
                    )
                }
                TokenLocation::Keyring(_) => {
                    "Put the new token into the entry of the system keyring that config.toml names."
                        .to_owned()
                }
            }),
        }
    }
}
