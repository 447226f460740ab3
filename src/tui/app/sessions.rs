//! The sessions of a run: their engines and events. Opening and closing them never blocks the event
//! loop.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{self, BoxFuture};
use futures::stream::{self, BoxStream, FuturesUnordered, SelectAll};
use futures::{FutureExt, StreamExt};
use tokio::sync::{Mutex, mpsc};
use tokio_util::task::TaskTracker;

use super::file_writer::Writing;
use crate::api::{Error, Kind};
use crate::config::favorites::{FavoritesChange, FavoritesFile};
use crate::config::{AccountChange, AccountSource, Changed, Draft};
use crate::engine::{EngineBusy, Event, Handle, OpId, Request, SessionId};
use crate::tui::message::{Connected, Msg};
use crate::tui::state::limits::AccountReading;

/// Opens an account. The error is a message that says what to do.
pub type OpenAccount =
    Box<dyn Fn(AccountSource) -> BoxFuture<'static, Result<OpenedSession, String>> + Send>;

/// Sends one request to check that the service accepts an account.
pub type TryOut = Box<dyn Fn(Draft) -> BoxFuture<'static, Result<(), Error>> + Send>;

/// Reads the limits of a configured account.
pub type ReadAccount = Box<dyn Fn(String) -> BoxFuture<'static, AccountReading> + Send>;

/// Saves or removes an account in the local files and the keyring. The error says why nothing was
/// changed.
pub type ChangeAccounts =
    Box<dyn Fn(AccountChange) -> BoxFuture<'static, Result<Changed, String>> + Send>;

pub struct AccountFunctions {
    pub connect: OpenAccount,
    pub try_out: TryOut,
    pub read: ReadAccount,
    pub change: ChangeAccounts,
}

pub struct OpenedSession {
    pub connected: Connected,
    pub engine: Handle,
    pub events: mpsc::Receiver<Event>,
    pub favorites: FavoritesFile,
    /// Closes the engine's resources; awaited after the engine has shut down.
    pub closing: BoxFuture<'static, ()>,
}

pub struct Sessions {
    accounts: AccountFunctions,
    open: BTreeMap<SessionId, OpenSession>,
    events: SelectAll<BoxStream<'static, (SessionId, Event)>>,
    opening: FuturesUnordered<BoxFuture<'static, (SessionId, Result<OpenedSession, String>)>>,
    trying: FuturesUnordered<BoxFuture<'static, Tried>>,
    reading: BoxStream<'static, AccountReading>,
    changing: FuturesUnordered<BoxFuture<'static, ChangeOutcome>>,
    /// Serializes changes, so that the last one to report knows of all.
    turn: Arc<Mutex<()>>,
    /// Changes in progress: an account is opened only after they have ended.
    changes: TaskTracker,
    closing: TaskTracker,
    writing: Writing,
}

type Tried = (Box<Draft>, Result<(), Error>);

type ChangeOutcome = (Box<AccountChange>, Result<Changed, String>);

struct OpenSession {
    engine: Handle,
    favorites: FavoritesFile,
    closing: BoxFuture<'static, ()>,
}

/// The longest wait at the end for sessions being opened and for changes.
const GRACE: Duration = Duration::from_secs(3);

impl Sessions {
    /// Creates the sessions with `first` as `SessionId::FIRST`.
    pub fn new(accounts: AccountFunctions, first: OpenedSession) -> Self {
        let (closing, changes) = (TaskTracker::new(), TaskTracker::new());
        // A closed tracker still accepts tasks, and can be waited for.
        closing.close();
        changes.close();
        let mut sessions = Self {
            accounts,
            open: BTreeMap::new(),
            events: SelectAll::new(),
            opening: FuturesUnordered::new(),
            trying: FuturesUnordered::new(),
            reading: stream::empty().boxed(),
            changing: FuturesUnordered::new(),
            turn: Arc::default(),
            changes,
            closing,
            writing: Writing::default(),
        };
        sessions.add(SessionId::FIRST, first);
        sessions
    }

    /// Opens an account as `session`; `next` returns the result.
    pub fn connect(&self, session: SessionId, source: AccountSource) {
        let (changes, closing) = (self.changes.clone(), self.closing.clone());
        let connection = (self.accounts.connect)(source);
        let work = tokio::spawn(async move {
            // This account may be being changed or removed.
            changes.wait().await;
            // This account may be being closed, or its favorites may be being saved.
            closing.wait().await;
            connection.await
        });
        self.opening.push(
            work.map(move |ended| (session, ended.unwrap_or_else(|_| Err(panicked()))))
                .boxed(),
        );
    }

    /// Tries an account; `next` returns the result. Nothing waits for it at the end.
    pub fn try_account(&self, draft: Box<Draft>) {
        let work = tokio::spawn((self.accounts.try_out)((*draft).clone()));
        let failed = |_| Err(Error::new(Kind::Internal, "The attempt ended unexpectedly"));
        self.trying.push(
            work.map(move |ended| (draft, ended.unwrap_or_else(failed)))
                .boxed(),
        );
    }

    /// Reads the limits of accounts, a few at once; `next` returns each result. Nothing waits for it
    /// at the end.
    pub fn read_accounts(&mut self, names: Vec<String>) {
        let reads: Vec<_> = names.into_iter().map(&self.accounts.read).collect();
        self.reading = stream::iter(reads)
            .map(tokio::spawn)
            .buffer_unordered(AccountReading::AT_ONCE)
            .filter_map(|ended| future::ready(ended.ok()))
            .boxed();
    }

    /// Saves or removes an account; `next` returns the result.
    pub fn change_accounts(&self, change: Box<AccountChange>) {
        let (changing, turn) = (
            (self.accounts.change)((*change).clone()),
            Arc::clone(&self.turn),
        );
        let work = tokio::spawn(self.changes.track_future(async move {
            let _turn = turn.lock().await;
            changing.await
        }));
        self.changing.push(
            work.map(move |ended| (change, ended.unwrap_or_else(|_| Err(panicked()))))
                .boxed(),
        );
    }

    pub fn submit(&self, op: OpId, request: Request) -> Result<(), EngineBusy> {
        self.open
            .get(&op.session)
            .ok_or(EngineBusy)?
            .engine
            .submit(op, request)
    }

    pub fn cancel(&self, op: OpId) {
        if let Some(session) = self.open.get(&op.session) {
            session.engine.cancel(op);
        }
    }

    /// Saves the favorites of a session's account; `next` returns an error if that fails.
    pub fn keep(&mut self, session: SessionId, change: FavoritesChange) -> Result<(), String> {
        let file = self
            .open
            .get(&session)
            .ok_or("its account is not open")?
            .favorites
            .clone();
        self.write(move || file.change(&change).map_err(|error| error.to_string()));
        Ok(())
    }

    /// Writes a small local file after those before it; `next` returns an error if that fails.
    pub fn write(&mut self, write: impl FnOnce() -> Result<(), String> + Send + 'static) {
        // An account that is opened meanwhile may read the file.
        let until_written = self.closing.token();
        self.writing.add(move || {
            let _until_written = until_written;
            write()
        });
    }

    /// Shuts a session down in the background.
    pub fn close(&mut self, session: SessionId) {
        if let Some(OpenSession {
            engine, closing, ..
        }) = self.open.remove(&session)
        {
            self.closing.spawn(async move {
                engine.shutdown().await;
                closing.await;
            });
        }
    }

    /// Waits for the next engine event, result of an account operation, or failed write.
    /// Cancel-safe.
    pub async fn next(&mut self) -> Msg {
        tokio::select! {
            Some((session, event)) = self.events.next() => Msg::Engine(session, event),
            Some((session, opened)) = self.opening.next() => Msg::Connected(session, self.accept(session, opened)),
            Some((draft, tried)) = self.trying.next() => Msg::AccountTried(draft, tried),
            Some(reading) = self.reading.next() => Msg::AccountRead(Box::new(reading)),
            Some((change, changed)) = self.changing.next() => Msg::AccountsChanged(change, changed),
            why = self.writing.failure() => Msg::SaveFailed(why),
        }
    }

    pub async fn close_all(mut self) {
        std::mem::take(&mut self.writing).finish().await;
        let opening = async {
            while let Some((session, opened)) = self.opening.next().await {
                // No longer wanted, whatever the result.
                let _ = self.accept(session, opened);
            }
            while self.changing.next().await.is_some() {}
        };
        let _ = tokio::time::timeout(GRACE, opening).await;
        for session in self.open.keys().copied().collect::<Vec<_>>() {
            self.close(session);
        }
        self.closing.wait().await;
    }

    fn accept(
        &mut self,
        session: SessionId,
        opened: Result<OpenedSession, String>,
    ) -> Result<Connected, String> {
        opened.map(|connection| self.add(session, connection))
    }

    fn add(&mut self, session: SessionId, connection: OpenedSession) -> Connected {
        let OpenedSession {
            connected,
            engine,
            mut events,
            favorites,
            closing,
        } = connection;
        self.open.insert(
            session,
            OpenSession {
                engine,
                favorites,
                closing,
            },
        );
        self.events.push(
            stream::poll_fn(move |cx| events.poll_recv(cx))
                .map(move |event| (session, event))
                .boxed(),
        );
        connected
    }
}

fn panicked() -> String {
    "this is a bug in filedeck; see the log".to_owned()
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions")
            .field("open", &self.open.keys())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for OpenedSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("connected", &self.connected)
            .finish_non_exhaustive()
    }
}
