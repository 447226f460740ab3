//! Sessions opened and closed beside the screen: the order, and the state at the end.

use std::sync::mpsc as blocking;

use filedeck::config::favorites::{Favorites, FavoritesChange, FavoritesFile};
use filedeck::config::{AccountChange, AccountSource, Changed};
use filedeck::engine::source_accounts::SourceAccounts;
use filedeck::engine::{self, AtOnce, EngineSetup, Journal, QueueMode, SessionId};
use filedeck::tui::app::sessions::{AccountFunctions, OpenedSession, Sessions};
use filedeck::tui::message::{Connected, Msg};
use filedeck::tui::state::Account;
use futures::FutureExt;
use jiff::Timestamp;
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};

use crate::support::account::client;
use crate::support::limits;

const SECOND: SessionId = SessionId(2);

/// Reports sessions as they open and close, and blocks them until the gate opens.
struct Stage {
    dir: TempDir,
    told: mpsc::UnboundedReceiver<String>,
    gate: watch::Sender<bool>,
}

impl Stage {
    /// Starts on the built-in store; the gate is still closed for anything else.
    async fn set() -> (Self, Sessions) {
        let (tell, told) = mpsc::unbounded_channel();
        let (gate, open) = watch::channel(false);
        let dir = tempfile::tempdir().unwrap();
        let favorites = FavoritesFile::new(dir.path(), "test");
        let first = connection(
            AccountSource::LocalStore,
            favorites.clone(),
            tell.clone(),
            open.clone(),
        )
        .await;
        let (tell_change, open_change) = (tell.clone(), open.clone());
        let change = move |change: AccountChange| {
            let AccountChange::Forget(name) = change else {
                panic!("{change:?}")
            };
            let (tell, mut open) = (tell_change.clone(), open_change.clone());
            async move {
                tell.send(format!("changing {name}")).unwrap();
                open.wait_for(|open| *open).await.unwrap();
                tell.send(format!("changed {name}")).unwrap();
                Ok(changed())
            }
            .boxed()
        };
        let connect = move |source: AccountSource| {
            let (favorites, tell, mut open) = (favorites.clone(), tell.clone(), open.clone());
            async move {
                match &source {
                    AccountSource::Environment => panic!("on purpose"),
                    AccountSource::Configured(name) => return Err(format!("{name} is not there")),
                    AccountSource::LocalStore | AccountSource::Demo => {}
                }
                let told = format!("opening {}", source.name());
                let connection = connection(source, favorites, tell.clone(), open.clone()).await;
                tell.send(told).unwrap();
                open.wait_for(|open| *open).await.unwrap();
                Ok(connection)
            }
            .boxed()
        };
        let accounts = AccountFunctions {
            connect: Box::new(connect),
            try_out: Box::new(|_| async { panic!("nothing is tried") }.boxed()),
            read: Box::new(|name| {
                async move { limits::reading(&name, Timestamp::UNIX_EPOCH) }.boxed()
            }),
            change: Box::new(change),
        };
        (Self { dir, told, gate }, Sessions::new(accounts, first))
    }

    fn let_through(&self) {
        self.gate.send(true).unwrap();
    }

    async fn next(&mut self) -> String {
        self.told.recv().await.unwrap()
    }
}

fn changed() -> Changed {
    Changed {
        known: Vec::new(),
        refused: None,
        left: None,
    }
}

fn forget(name: &str) -> Box<AccountChange> {
    Box::new(AccountChange::Forget(name.to_owned()))
}

async fn connection(
    source: AccountSource,
    favorites: FavoritesFile,
    tell: mpsc::UnboundedSender<String>,
    mut open: watch::Receiver<bool>,
) -> OpenedSession {
    let nowhere = "http://127.0.0.1:9".parse().unwrap();
    let journal = Journal::in_memory("test").await.unwrap();
    let (client, caller, at_once) = (client(&nowhere), QueueMode::Screen, AtOnce::default());
    let setup = EngineSetup {
        client,
        journal,
        caller,
        at_once,
        read_only: false,
        sources: SourceAccounts::default(),
        leaves_tasks: false,
        drawer: None,
    };
    let (engine, events) = engine::spawn(setup);
    let name = source.name().to_owned();
    let closing = async move {
        tell.send(format!("closing {name}")).unwrap();
        open.wait_for(|open| *open).await.unwrap();
        tell.send(format!("closed {name}")).unwrap();
    };
    let connected = Connected {
        account: Account {
            journal_name: String::new(),
            source,
            read_only: false,
            production: false,
            color: None,
            favorites: Favorites::default(),
        },
        warnings: Vec::new(),
    };
    OpenedSession {
        connected,
        engine,
        events,
        favorites,
        closing: closing.boxed(),
    }
}

#[tokio::test]
async fn an_account_is_opened_once_what_is_being_closed_is_closed() {
    let (mut stage, mut sessions) = Stage::set().await;
    sessions.close(SessionId::FIRST);
    sessions.connect(SECOND, AccountSource::LocalStore);
    assert_eq!(stage.next().await, "closing local");
    stage.let_through();
    assert_eq!(stage.next().await, "closed local");
    assert_eq!(stage.next().await, "opening local");
    let Msg::Connected(SECOND, Ok(connected)) = sessions.next().await else {
        panic!("not connected")
    };
    assert_eq!(connected.account.source, AccountSource::LocalStore);
}

#[tokio::test]
async fn the_end_closes_all_sessions_even_one_that_is_being_opened() {
    let (mut stage, sessions) = Stage::set().await;
    sessions.connect(SECOND, AccountSource::Demo);
    assert_eq!(stage.next().await, "opening demo");
    stage.let_through();
    // The clock for the time limit of the end stops while anything is running.
    tokio::time::pause();
    sessions.close_all().await;
    let mut closed = Vec::new();
    while let Ok(told) = stage.told.try_recv() {
        closed.push(told);
    }
    closed.retain(|told| told.starts_with("closed"));
    closed.sort();
    assert_eq!(closed, ["closed demo", "closed local"]);
}

// Seen to open an account that was being removed.
#[tokio::test]
async fn an_account_is_opened_once_accounts_are_changed() {
    let (mut stage, sessions) = Stage::set().await;
    sessions.change_accounts(forget("a"));
    sessions.connect(SECOND, AccountSource::Demo);
    assert_eq!(stage.next().await, "changing a");
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(stage.told.try_recv().ok(), None);
    stage.let_through();
    for told in ["changed a", "opening demo"] {
        assert_eq!(stage.next().await, told);
    }
}

#[tokio::test]
async fn each_account_that_is_read_is_a_message_and_a_new_request_replaces_an_old_one() {
    let (_stage, mut sessions) = Stage::set().await;
    sessions.read_accounts(vec!["old".to_owned()]);
    let names: Vec<String> = (0..9).map(|number| format!("account {number}")).collect();
    sessions.read_accounts(names.clone());
    let mut read = Vec::new();
    while read.len() < names.len() {
        let Msg::AccountRead(reading) = sessions.next().await else {
            panic!("something else")
        };
        read.push(reading.name);
    }
    read.sort();
    assert_eq!(read, names);
}

/// Blocks all writes until the result is dropped, as a disk that hangs does.
fn hold_up(sessions: &mut Sessions) -> blocking::Sender<()> {
    let (release, until) = blocking::channel();
    sessions.write(move || {
        let _ = until.recv();
        Ok(())
    });
    release
}

fn view(search: &str) -> FavoritesChange {
    FavoritesChange::View {
        name: "large".to_owned(),
        search: Some(search.to_owned()),
    }
}

#[tokio::test]
async fn changes_of_accounts_go_on_beside_the_screen_one_after_the_other() {
    let (mut stage, mut sessions) = Stage::set().await;
    sessions.change_accounts(forget("a"));
    sessions.change_accounts(forget("b"));
    assert_eq!(stage.next().await, "changing a");
    stage.let_through();
    for name in ["a", "b"] {
        assert_eq!(
            sessions.next().await,
            Msg::AccountsChanged(forget(name), Ok(changed()))
        );
    }
    for told in ["changed a", "changing b", "changed b"] {
        assert_eq!(stage.next().await, told);
    }
}

#[tokio::test]
async fn the_end_waits_for_a_change_that_is_under_way() {
    let (mut stage, sessions) = Stage::set().await;
    sessions.change_accounts(forget("a"));
    assert_eq!(stage.next().await, "changing a");
    stage.let_through();
    sessions.close_all().await;
    assert_eq!(stage.next().await, "changed a");
}

#[tokio::test]
async fn nothing_is_kept_of_an_account_that_is_closed() {
    let (_stage, mut sessions) = Stage::set().await;
    sessions.close(SessionId::FIRST);
    assert_eq!(
        sessions.keep(SessionId::FIRST, view("size:>1MB")),
        Err("its account is not open".to_owned())
    );
}

// Seen to wait forever when the write happens in the loop itself.
#[tokio::test]
async fn what_is_kept_is_written_beside_the_loop_in_its_order_and_by_the_end() {
    let (stage, mut sessions) = Stage::set().await;
    let held_up = hold_up(&mut sessions);
    for mega in 1..=9 {
        sessions
            .keep(SessionId::FIRST, view(&format!("size:>{mega}MB")))
            .unwrap();
    }
    drop(held_up);
    stage.let_through();
    sessions.close_all().await;
    let kept = FavoritesFile::new(stage.dir.path(), "test").read().unwrap();
    assert_eq!(kept.views["large"], "size:>9MB");
}

// Seen to fail when only closing sessions are waited for.
#[tokio::test]
async fn an_account_is_opened_once_what_is_kept_is_written() {
    let (mut stage, mut sessions) = Stage::set().await;
    let held_up = hold_up(&mut sessions);
    sessions.keep(SessionId::FIRST, view("size:>1MB")).unwrap();
    sessions.connect(SECOND, AccountSource::LocalStore);
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(stage.told.try_recv().ok(), None);
    drop(held_up);
    let told = tokio::select! {
        told = stage.next() => told,
        other = sessions.next() => panic!("{other:?}"),
    };
    assert_eq!(told, "opening local");
    assert_eq!(
        FavoritesFile::new(stage.dir.path(), "test")
            .read()
            .unwrap()
            .views["large"],
        "size:>1MB"
    );
}

#[tokio::test]
async fn what_could_not_be_written_is_told_and_holds_nothing_up() {
    let (stage, mut sessions) = Stage::set().await;
    let file = stage.dir.path().join("favorites.toml");
    std::fs::write(&file, "not = [toml").unwrap();
    sessions.keep(SessionId::FIRST, view("size:>1MB")).unwrap();
    let told = sessions.next().await;
    assert!(
        matches!(&told, Msg::SaveFailed(why) if why.contains("favorites.toml")),
        "{told:?}"
    );
    std::fs::remove_file(&file).unwrap();
    sessions.keep(SessionId::FIRST, view("size:>2MB")).unwrap();
    stage.let_through();
    sessions.close_all().await;
    assert_eq!(
        FavoritesFile::new(stage.dir.path(), "test")
            .read()
            .unwrap()
            .views["large"],
        "size:>2MB"
    );
}

#[tokio::test]
async fn an_account_that_cannot_be_opened_says_so_and_is_none() {
    let (_stage, mut sessions) = Stage::set().await;
    sessions.connect(SECOND, AccountSource::Configured("acme".to_owned()));
    assert_eq!(
        sessions.next().await,
        Msg::Connected(SECOND, Err("acme is not there".to_owned()))
    );
    sessions.connect(SECOND, AccountSource::Environment);
    let Msg::Connected(SECOND, Err(error)) = sessions.next().await else {
        panic!("a panic was taken for a session")
    };
    assert!(error.contains("a bug in filedeck"), "{error}");
}
