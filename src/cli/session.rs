//! What a run works on: a client for the chosen account, and the embedded service where that is on this machine.

use anyhow::Context as _;
use secrecy::SecretString;
use url::Url;

use super::local_store::LocalStore;
use super::setup::Setup;
use super::talk::UsageError;
use crate::api::{Account, Client, Error, Kind, Version};
use crate::config::{Choice, accounts};

#[derive(Debug)]
pub struct Session {
    pub client: Client,
    /// The account's name, to show.
    pub account: String,
    pub read_only: bool,
    home: Home,
}

/// Where the service runs.
#[derive(Debug)]
enum Home {
    Remote,
    Local(LocalStore),
}

impl Session {
    /// Opens the account that flag, environment and configuration choose.
    pub async fn open(setup: &Setup, account: Option<&str>) -> anyhow::Result<Self> {
        match accounts::choose(&setup.config, &setup.paths, &setup.environment, account)? {
            Choice::Account(account) => {
                let version = account
                    .version
                    .parse()
                    .map_err(|error| UsageError(format!("account '{}': {error}", account.name)))?;
                Ok(Self {
                    client: client(&account.base_url, &account.token, version)?,
                    account: account.name,
                    read_only: account.read_only,
                    home: Home::Remote,
                })
            }
            Choice::LocalStore => {
                let store = LocalStore::open(&setup.paths.local_store()).await?;
                let address = store.address();
                Ok(Self {
                    client: client(&address.base_url, &address.token, Version::default())?,
                    account: accounts::LOCAL_STORE.to_owned(),
                    read_only: false,
                    home: Home::Local(store),
                })
            }
        }
    }

    /// Refuses where the account is for reading only.
    pub fn check_writable(&self) -> Result<(), Error> {
        if self.read_only {
            let message = format!("the account '{}' is configured as read_only", self.account);
            return Err(Error::new(Kind::Refused, message));
        }
        Ok(())
    }

    /// Stops the embedded service, where there is one, after what is in flight.
    pub async fn close(self) {
        match self.home {
            Home::Remote => {}
            Home::Local(store) => store.close().await,
        }
    }
}

fn client(base_url: &Url, token: &SecretString, version: Version) -> anyhow::Result<Client> {
    let account = Account { base_url: base_url.clone(), token: token.clone(), version };
    Client::new(account).with_context(|| format!("cannot talk to {base_url}"))
}
