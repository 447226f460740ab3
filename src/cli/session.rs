//! The session of a run: a client for the chosen account, and the embedded service if that is on
//! this machine.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;
use url::Url;

use super::address::ServiceAddress;
use super::demo::{Demo, DemoMode};
use super::format::Format;
use super::local_store::{LocalStore, WaitNotice};
use super::oauth;
use super::setup::Setup;
use super::stderr::{self, InvalidUsage};
use crate::api::{Client, Endpoint, Error, ExtraRoots, Kind, Timing};
use crate::config::favorites::FavoritesFile;
use crate::config::{AccountSource, Draft, accounts, check_own_dir, create_private_dir};
use crate::engine::{CompletionNames, Journal, ProgressSink, RequestLeases};

#[derive(Debug)]
pub struct Session {
    pub client: Client,
    pub source: AccountSource,
    /// The reason why nothing may be changed, if any.
    read_only: Option<ReadOnly>,
    journal: JournalAt,
    /// The journal, once it is open.
    opened: OnceCell<Journal>,
    home: Home,
    /// The folders that filedeck itself writes to while it works with the account.
    pub own_folders: Vec<PathBuf>,
}

/// The reason for leaving an account unchanged.
#[derive(Debug, Clone, Copy)]
enum ReadOnly {
    Account,
    Flag,
}

/// The location of the journal, and the account's name in it.
#[derive(Debug)]
pub(super) struct JournalAt {
    dir: PathBuf,
    account: String,
}

impl JournalAt {
    /// Returns the journal of a remote account. It is tied to the address, so that no task is ever
    /// done at another one.
    pub(super) fn of(setup: &Setup, name: &str, base_url: &Url) -> Self {
        Self {
            dir: setup.paths.state.clone(),
            account: format!("{name} {base_url}"),
        }
    }

    pub(super) fn account(&self) -> &str {
        &self.account
    }

    pub(super) async fn open(&self) -> Result<Journal, Error> {
        Ok(Journal::open(&self.path()?, &self.account)
            .await?
            .of_command(&command_line()))
    }

    /// Returns the account's request budget, shared by the processes of this machine; `None`
    /// without a state directory.
    fn budget(&self) -> Option<Arc<RequestLeases>> {
        Some(Arc::new(RequestLeases::new(
            &self.path().ok()?,
            &self.account,
        )))
    }

    fn path(&self) -> Result<PathBuf, Error> {
        let dir = &self.dir;
        create_private_dir(dir)
            .map_err(|error| Error::local(&format!("Cannot create {}", dir.display()), &error))?;
        Ok(dir.join("journal.db"))
    }
}

/// Returns a hash of the command line and its folder, because the words may contain secrets.
fn command_line() -> String {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    hex::encode(Sha256::digest(format!(
        "{:?} {words:?}",
        std::env::current_dir().ok()
    )))
}

#[derive(Debug)]
enum Home {
    Remote,
    Local(LocalStore),
    Demo(Demo),
}

impl Session {
    /// Opens the account that flag, environment and configuration choose.
    pub async fn open(setup: &Setup, tell: WaitNotice<'_>) -> anyhow::Result<Self> {
        let account = setup.account.as_deref();
        let source = accounts::choose(&setup.config, &setup.environment, account)?;
        Self::of(setup, source, None, tell).await
    }

    /// Opens an account; `mode` is for a demo, and `tell` reports what is waited for.
    pub async fn of(
        setup: &Setup,
        source: AccountSource,
        mode: Option<DemoMode>,
        tell: WaitNotice<'_>,
    ) -> anyhow::Result<Self> {
        let dir = setup.paths.state.clone();
        check_own_dir(&dir)?;
        let session = match &source {
            AccountSource::Configured(name) => {
                let account = configured(setup, name).await?;
                Self::remote(setup, source, &account)?
            }
            AccountSource::Environment => {
                let account = accounts::of_environment(&setup.environment)?;
                Self::remote(setup, source, &account)?
            }
            AccountSource::LocalStore => {
                let token = setup.environment.service_token.as_ref();
                let own = vec![dir.clone(), setup.paths.local_store()];
                let store = LocalStore::open(&setup.paths.local_store(), token, tell).await?;
                let client = client_at(store.address(), setup.timing())?;
                Self::here(source, client, Home::Local(store), own)
            }
            AccountSource::Demo => {
                let demo = Demo::open(mode).await.context("cannot start the demo")?;
                let client = client_at(&demo.address(), setup.timing())?;
                let own = vec![demo.dir().to_owned()];
                Self::here(source, client, Home::Demo(demo), own)
            }
        };
        if setup.ca_cert.is_some() && session.client.base_url().scheme() != "https" {
            let what = format!(
                "--ca-cert is for accounts with https; the address of '{}' has none",
                session.source.name()
            );
            return Err(InvalidUsage(what).into());
        }
        Ok(Self {
            client: session.client.with_bandwidth(setup.bandwidth.clone()),
            read_only: setup
                .read_only
                .then_some(ReadOnly::Flag)
                .or(session.read_only),
            ..session
        })
    }

    /// Creates the session of an account on this machine; the journal is in the first of its own
    /// folders.
    fn here(source: AccountSource, client: Client, home: Home, own_folders: Vec<PathBuf>) -> Self {
        let journal = JournalAt {
            dir: own_folders.first().cloned().unwrap_or_default(),
            account: source.name().to_owned(),
        };
        Self {
            client,
            source,
            read_only: None,
            journal,
            opened: OnceCell::new(),
            home,
            own_folders,
        }
    }

    fn remote(
        setup: &Setup,
        source: AccountSource,
        account: &accounts::RemoteAccount,
    ) -> anyhow::Result<Self> {
        let name = source.name();
        let journal = JournalAt::of(setup, name, &account.base_url);
        let client = client_of(setup, name, account, setup.timing())?;
        let client = match journal.budget().filter(|_| !client.is_local()) {
            Some(budget) => client.with_budget_ledger(budget),
            None => client,
        };
        Ok(Self {
            client,
            source,
            read_only: account.read_only.then_some(ReadOnly::Account),
            journal,
            opened: OnceCell::new(),
            home: Home::Remote,
            own_folders: vec![setup.paths.state.clone()],
        })
    }

    /// Returns the session with a client that reports its waits to `report`.
    #[must_use]
    pub fn reporting(self, report: &ProgressSink) -> Self {
        Self {
            client: self.client.with_observer(report.observer()),
            ..self
        }
    }

    /// Returns the account's name in the journal.
    pub fn account(&self) -> &str {
        self.journal.account()
    }

    /// Returns `true` if the session uses the built-in store and this process serves it.
    pub fn serves_local_store(&self) -> bool {
        matches!(&self.home, Home::Local(store) if store.is_holder())
    }

    pub fn is_read_only(&self) -> bool {
        self.read_only.is_some()
    }

    pub fn check_writable(&self) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::new(Kind::Refused, message));
        match self.read_only {
            Some(ReadOnly::Account) => refuse(format!(
                "the account '{}' is configured as read_only; use another one, or remove that setting",
                self.source.name()
            )),
            Some(ReadOnly::Flag) => {
                refuse("--read-only is given; leave it out to change something".to_owned())
            }
            None => Ok(()),
        }
    }

    /// Returns the account's journal, opened on first use.
    pub async fn journal(&self) -> Result<Journal, Error> {
        self.opened
            .get_or_try_init(|| self.journal.open())
            .await
            .cloned()
    }

    /// Forgets what earlier runs of the same command have left, now that it has succeeded.
    pub async fn forget_command(&self) {
        if let Some(journal) = self.opened.get() {
            Journal::log_failure(journal.forget_command().await);
        }
    }

    /// Stores the names in folders for shell completion; each path comes with all names in it.
    pub fn keep_names(&self, folders: Vec<(String, Vec<String>)>) {
        let dir = &self.journal.dir;
        let kept = create_private_dir(dir).and_then(|()| {
            CompletionNames::new(dir).keep(&self.journal.account, folders, Timestamp::now())
        });
        if let Err(error) = kept {
            tracing::debug!(%error, "names of folders are not kept");
        }
    }

    pub fn favorites(&self) -> FavoritesFile {
        FavoritesFile::new(&self.journal.dir, &self.journal.account)
    }

    /// Fills a new journal with the account's past, which only a demo has.
    pub async fn give_past(&self, journal: &Journal) {
        let Home::Demo(demo) = &self.home else { return };
        let given = async {
            journal.add_snapshots(&demo.limits_past()?).await?;
            anyhow::Ok(journal.add_past(&demo.past().await?).await?)
        };
        if let Err(error) = given.await {
            tracing::warn!("the demo starts without past tasks: {error:#}");
        }
    }

    /// Returns the account's journal for work, and warns of what it has lost.
    pub async fn checked_journal(&self, format: Format) -> Result<Journal, Error> {
        let journal = self.journal().await?;
        if let Some(loss) = journal.loss().await? {
            stderr::warn(format, &loss);
        }
        Ok(journal)
    }

    /// Returns the account's journal, or one in memory if it cannot be opened, so that the work can
    /// continue.
    pub async fn journal_or_none(&self, format: Format) -> Result<Journal, Error> {
        match self.checked_journal(format).await {
            Err(error) => self.without_journal(format, &error).await,
            journal => journal,
        }
    }

    /// Returns a journal in memory, and warns that the account's cannot be used.
    pub async fn without_journal(&self, format: Format, error: &Error) -> Result<Journal, Error> {
        stderr::warn(format, &format!("{}; continuing without it", error.message));
        Journal::in_memory(&self.journal.account).await
    }

    /// Finishes requests in flight and stops the embedded service, if there is one.
    pub async fn close(self) {
        self.client.give_back().await;
        match self.home {
            Home::Remote => {}
            Home::Local(store) => store.close().await,
            Home::Demo(demo) => demo.close().await,
        }
    }
}

/// Reads an account with its token, in a blocking task because of the keyring.
async fn configured(setup: &Setup, name: &str) -> anyhow::Result<accounts::RemoteAccount> {
    let (setup, name) = (setup.clone(), name.to_owned());
    let read = move || accounts::configured(&setup.config, &setup.paths, setup.keyring, &name);
    Ok(tokio::task::spawn_blocking(read).await??)
}

/// Reads an account that is about to be saved, with the token that it would have.
pub async fn drafted(setup: &Setup, draft: &Draft) -> anyhow::Result<accounts::RemoteAccount> {
    let (setup, draft) = (setup.clone(), draft.clone());
    let read = move || accounts::drafted(&setup.config, &setup.paths, setup.keyring, &draft);
    Ok(tokio::task::spawn_blocking(read).await??)
}

pub fn client_of(
    setup: &Setup,
    name: &str,
    account: &accounts::RemoteAccount,
    timing: Timing,
) -> anyhow::Result<Client> {
    let version = account
        .version
        .parse()
        .map_err(|error| InvalidUsage(format!("account '{name}': {error}")))?;
    let credentials = oauth::credentials(setup, name, account);
    let is_tls = account.base_url.scheme() == "https";
    let roots = if is_tls {
        setup.roots(account.ca_cert.as_deref())?
    } else {
        ExtraRoots::default()
    };
    client(Endpoint {
        roots,
        version,
        timing,
        ..Endpoint::new(account.base_url.clone(), credentials)
    })
}

pub(super) fn client_at(address: &ServiceAddress, timing: Timing) -> anyhow::Result<Client> {
    client(Endpoint {
        timing,
        ..Endpoint::new(address.base_url.clone(), address.token.clone())
    })
}

fn client(account: Endpoint) -> anyhow::Result<Client> {
    let base_url = account.base_url.clone();
    Client::new(account).with_context(|| format!("cannot talk to {base_url}"))
}
