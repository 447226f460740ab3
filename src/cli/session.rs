//! What a run works on: a client for the chosen account, and the embedded service where that is on this machine.

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
use crate::api::{Client, Endpoint, Error, ExtraRoots, Kind, Timing, Version};
use crate::config::favorites::FavoritesFile;
use crate::config::{AccountSource, Draft, accounts, check_own_dir, create_private_dir};
use crate::engine::{CompletionNames, Journal, ProgressSink, RequestLeases};

#[derive(Debug)]
pub struct Session {
    pub client: Client,
    pub source: AccountSource,
    /// Why nothing may be changed.
    read_only: Option<ReadOnly>,
    journal: JournalAt,
    /// Once it is open.
    opened: OnceCell<Journal>,
    home: Home,
    /// What filedeck itself writes to while it works with the account.
    pub own_folders: Vec<PathBuf>,
}

/// What asked for an account to be left as it is.
#[derive(Debug, Clone, Copy)]
enum ReadOnly {
    Account,
    Flag,
}

/// Where the journal is, and the name of the account in it.
#[derive(Debug)]
pub(super) struct JournalAt {
    dir: PathBuf,
    account: String,
}

impl JournalAt {
    /// Of a remote account. What is asked for at one address is never done at another.
    pub(super) fn of(setup: &Setup, name: &str, base_url: &Url) -> Self {
        Self { dir: setup.paths.state.clone(), account: format!("{name} {base_url}") }
    }

    /// The name of the account in it.
    pub(super) fn account(&self) -> &str {
        &self.account
    }

    /// Opens the journal, and makes it if it is not there.
    pub(super) async fn open(&self) -> Result<Journal, Error> {
        Ok(Journal::open(&self.path()?, &self.account).await?.of_command(&command_line()))
    }

    /// The account's budget of requests, which the processes of this machine share; none where there is no place for it.
    fn budget(&self) -> Option<Arc<RequestLeases>> {
        Some(Arc::new(RequestLeases::new(&self.path().ok()?, &self.account)))
    }

    fn path(&self) -> Result<PathBuf, Error> {
        let dir = &self.dir;
        create_private_dir(dir).map_err(|error| Error::local(&format!("Cannot create {}", dir.display()), &error))?;
        Ok(dir.join("journal.db"))
    }
}

/// A sum of what was typed, and where: it may hold what must not be written down.
fn command_line() -> String {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    hex::encode(Sha256::digest(format!("{:?} {words:?}", std::env::current_dir().ok())))
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
    pub async fn open(setup: &Setup, tell: WaitNotice<'_>) -> anyhow::Result<Self> {
        let account = setup.account.as_deref();
        let source = accounts::choose(&setup.config, &setup.paths, &setup.environment, account)?;
        Self::of(setup, source, None, tell).await
    }

    /// Opens an account; `mode` is that of a demo, `tell` gets a line about what is waited for.
    pub async fn of(
        setup: &Setup,
        source: AccountSource,
        mode: Option<DemoMode>,
        tell: WaitNotice<'_>,
    ) -> anyhow::Result<Self> {
        let dir = setup.paths.state.clone();
        check_own_dir(&dir)?;
        let read_only = setup.read_only.then_some(ReadOnly::Flag);
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
                let store = LocalStore::open(&setup.paths.local_store(), token, tell).await?;
                let client = client_at(store.address(), setup.timing())?;
                let journal = JournalAt { dir, account: source.name().to_owned() };
                let own_folders = vec![setup.paths.state.clone(), setup.paths.local_store()];
                Self {
                    client,
                    source,
                    read_only,
                    journal,
                    opened: OnceCell::new(),
                    home: Home::Local(store),
                    own_folders,
                }
            }
            AccountSource::Demo => {
                let demo = Demo::open(mode).await.context("cannot start the demo")?;
                let client = client_at(&demo.address(), setup.timing())?;
                let journal = JournalAt { dir: demo.dir().to_owned(), account: source.name().to_owned() };
                let own_folders = vec![demo.dir().to_owned()];
                Self {
                    client,
                    source,
                    read_only,
                    journal,
                    opened: OnceCell::new(),
                    home: Home::Demo(demo),
                    own_folders,
                }
            }
        };
        if setup.ca_cert.is_some() && session.client.base_url().scheme() != "https" {
            let what =
                format!("--ca-cert is for accounts with https; the address of '{}' has none", session.source.name());
            return Err(InvalidUsage(what).into());
        }
        Ok(Self { client: session.client.within(setup.bandwidth.clone()), ..session })
    }

    fn remote(setup: &Setup, source: AccountSource, account: &accounts::RemoteAccount) -> anyhow::Result<Self> {
        let name = source.name();
        let journal = JournalAt::of(setup, name, &account.base_url);
        let client = client_of(setup, name, account, setup.timing())?;
        let client = match journal.budget().filter(|_| !client.is_local()) {
            Some(budget) => client.sharing(budget),
            None => client,
        };
        Ok(Self {
            client,
            source,
            read_only: match (setup.read_only, account.read_only) {
                (true, _) => Some(ReadOnly::Flag),
                (false, true) => Some(ReadOnly::Account),
                (false, false) => None,
            },
            journal,
            opened: OnceCell::new(),
            home: Home::Remote,
            own_folders: vec![setup.paths.state.clone()],
        })
    }

    /// The same session, whose client tells `report` of its waits.
    #[must_use]
    pub fn reporting(self, report: &ProgressSink) -> Self {
        Self { client: self.client.observed(report.observer()), ..self }
    }

    /// Whether it is of the local store, which this process serves until it ends.
    pub fn serves_local_store(&self) -> bool {
        matches!(&self.home, Home::Local(store) if store.is_holder())
    }

    /// Whether nothing may be changed.
    pub fn is_read_only(&self) -> bool {
        self.read_only.is_some()
    }

    /// Refuses where nothing may be changed.
    pub fn check_writable(&self) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::new(Kind::Refused, message));
        match self.read_only {
            Some(ReadOnly::Account) => {
                refuse(format!("the account '{}' is configured as read_only", self.source.name()))
            }
            Some(ReadOnly::Flag) => refuse("--read-only is given".to_owned()),
            None => Ok(()),
        }
    }

    /// Opens the account's journal, and makes it if it is not there.
    pub async fn journal(&self) -> Result<Journal, Error> {
        self.opened.get_or_try_init(|| self.journal.open()).await.cloned()
    }

    /// The command has ended well: what earlier runs of the same one have left is superfluous.
    pub async fn forget_command(&self) {
        if let Some(journal) = self.opened.get() {
            Journal::log_failure(journal.forget_command().await);
        }
    }

    /// Keeps the names in folders for the shell; paths with all names in them.
    pub fn keep_names(&self, folders: Vec<(String, Vec<String>)>) {
        let dir = &self.journal.dir;
        let kept = create_private_dir(dir)
            .and_then(|()| CompletionNames::new(dir).keep(&self.journal.account, folders, Timestamp::now()));
        if let Err(error) = kept {
            tracing::debug!(%error, "names of folders are not kept");
        }
    }

    /// Where is written what the user keeps of the account.
    pub fn favorites(&self) -> FavoritesFile {
        FavoritesFile::new(&self.journal.dir, &self.journal.account)
    }

    /// Gives a new journal the past that the account has: only a demo brings one.
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

    /// The account's journal for work; says what it has lost.
    pub async fn checked_journal(&self, format: Format) -> Result<Journal, Error> {
        let journal = self.journal().await?;
        if let Some(loss) = journal.loss().await? {
            stderr::warn(format, &loss);
        }
        Ok(journal)
    }

    /// The same, or one in memory where it cannot be opened: the work continues without what it is for.
    pub async fn journal_or_none(&self, format: Format) -> Result<Journal, Error> {
        match self.checked_journal(format).await {
            Err(error) => self.without_journal(format, &error).await,
            journal => journal,
        }
    }

    /// A journal in memory, and a warning that the account's cannot be used.
    pub async fn without_journal(&self, format: Format, error: &Error) -> Result<Journal, Error> {
        stderr::warn(format, &format!("{}; continuing without it", error.message));
        Journal::in_memory(&self.journal.account).await
    }

    /// Stops the embedded service, where there is one, after what is in flight.
    pub async fn close(self) {
        self.client.give_back().await;
        match self.home {
            Home::Remote => {}
            Home::Local(store) => store.close().await,
            Home::Demo(demo) => demo.close().await,
        }
    }
}

/// An account of a name, with its token; the keyring, where that is, holds nothing else up.
async fn configured(setup: &Setup, name: &str) -> anyhow::Result<accounts::RemoteAccount> {
    let (setup, name) = (setup.clone(), name.to_owned());
    let read = move || accounts::configured(&setup.config, &setup.paths, setup.keyring, &name);
    Ok(tokio::task::spawn_blocking(read).await??)
}

/// An account that is to be kept, with the token that it would have.
pub async fn drafted(setup: &Setup, draft: &Draft) -> anyhow::Result<accounts::RemoteAccount> {
    let (setup, draft) = (setup.clone(), draft.clone());
    let read = move || accounts::drafted(&setup.config, &setup.paths, setup.keyring, &draft);
    Ok(tokio::task::spawn_blocking(read).await??)
}

/// A client for an account of that name.
pub fn client_of(
    setup: &Setup,
    name: &str,
    account: &accounts::RemoteAccount,
    timing: Timing,
) -> anyhow::Result<Client> {
    let version = account.version.parse().map_err(|error| InvalidUsage(format!("account '{name}': {error}")))?;
    let credentials = oauth::credentials(setup, name, account);
    let is_tls = account.base_url.scheme() == "https";
    let roots = if is_tls { setup.roots(account.ca_cert.as_deref())? } else { ExtraRoots::default() };
    client(Endpoint { base_url: account.base_url.clone(), credentials, roots, version, timing })
}

/// A client for an embedded service.
pub(super) fn client_at(address: &ServiceAddress, timing: Timing) -> anyhow::Result<Client> {
    let (base_url, credentials) = (address.base_url.clone(), address.token.clone().into());
    client(Endpoint { base_url, credentials, roots: ExtraRoots::default(), version: Version::default(), timing })
}

fn client(account: Endpoint) -> anyhow::Result<Client> {
    let base_url = account.base_url.clone();
    Client::new(account).with_context(|| format!("cannot talk to {base_url}"))
}
