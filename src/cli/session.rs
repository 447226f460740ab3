//! What a run works on: a client for the chosen account, and the embedded service where that is on this machine.

use std::path::PathBuf;

use anyhow::Context as _;
use secrecy::SecretString;
use url::Url;

use super::demo::{Demo, DemoMode};
use super::local_store::LocalStore;
use super::setup::Setup;
use super::talk::UsageError;
use crate::api::{Account, Client, Error, Kind, Timing, Version};
use crate::config::{Choice, accounts, create_private_dir};
use crate::engine::{Journal, Report};

#[derive(Debug)]
pub struct Session {
    pub client: Client,
    /// The account's name, to show.
    pub account: String,
    pub read_only: bool,
    journal: JournalAt,
    home: Home,
}

/// Where the journal is, and under which name the account's rows stand in it.
#[derive(Debug)]
struct JournalAt {
    dir: PathBuf,
    account: String,
}

/// Where the service runs.
#[derive(Debug)]
enum Home {
    Remote,
    Local(LocalStore),
    Demo(Demo),
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
                    client: client(&account.base_url, &account.token, version, setup.timing())?,
                    journal: JournalAt {
                        dir: setup.paths.state.clone(),
                        account: format!("{} {}", account.name, account.base_url),
                    },
                    account: account.name,
                    read_only: account.read_only,
                    home: Home::Remote,
                })
            }
            Choice::LocalStore => {
                let store =
                    LocalStore::open(&setup.paths.local_store(), setup.environment.service_token.as_ref()).await?;
                let address = store.address();
                Ok(Self {
                    client: client(&address.base_url, &address.token, Version::default(), setup.timing())?,
                    account: accounts::LOCAL_STORE.to_owned(),
                    read_only: false,
                    journal: JournalAt { dir: setup.paths.state.clone(), account: accounts::LOCAL_STORE.to_owned() },
                    home: Home::Local(store),
                })
            }
        }
    }

    /// Opens a throw-away store.
    pub async fn demo(setup: &Setup, mode: Option<DemoMode>) -> anyhow::Result<Self> {
        let demo = Demo::open(mode).await.context("cannot start the demo")?;
        let address = demo.address();
        Ok(Self {
            client: client(&address.base_url, &address.token, Version::default(), setup.timing())?,
            account: "demo".to_owned(),
            read_only: false,
            journal: JournalAt { dir: demo.dir().to_owned(), account: "demo".to_owned() },
            home: Home::Demo(demo),
        })
    }

    /// The same session, whose client tells `report` of its waits.
    #[must_use]
    pub fn reporting(self, report: &Report) -> Self {
        Self { client: self.client.observed(report.observer()), ..self }
    }

    /// Refuses where the account is for reading only.
    pub fn check_writable(&self) -> Result<(), Error> {
        if self.read_only {
            let message = format!("the account '{}' is configured as read_only", self.account);
            return Err(Error::new(Kind::Refused, message));
        }
        Ok(())
    }

    /// Whether the service runs on this machine for filedeck alone.
    pub fn is_local(&self) -> bool {
        !matches!(self.home, Home::Remote)
    }

    /// Opens the account's journal, and makes it if it is not there.
    pub async fn journal(&self) -> Result<Journal, Error> {
        let JournalAt { dir, account } = &self.journal;
        create_private_dir(dir).map_err(|error| Error::local(&format!("Cannot make {}", dir.display()), &error))?;
        Journal::open(&dir.join("journal.db"), account).await
    }

    /// Stops the embedded service, where there is one, after what is in flight.
    pub async fn close(self) {
        match self.home {
            Home::Remote => {}
            Home::Local(store) => store.close().await,
            Home::Demo(demo) => demo.close().await,
        }
    }
}

fn client(base_url: &Url, token: &SecretString, version: Version, timing: Timing) -> anyhow::Result<Client> {
    let account = Account { base_url: base_url.clone(), token: token.clone(), version, timing };
    Client::new(account).with_context(|| format!("cannot talk to {base_url}"))
}
