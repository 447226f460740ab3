//! Sessions that are opened and closed beside the screen: the order, and what is left at the end.

use std::path::Path;

use filedeck::config::favourites::{Change, FavouritesFile};
use filedeck::config::{AccountChange, Changed, Source};
use filedeck::engine::{self, AtOnce, Caller, EngineSetup, Journal, SessionId};
use filedeck::tui::message::{Connected, Msg};
use filedeck::tui::sessions::{Accounts, Connection, Sessions};
use filedeck::tui::state::Account;
use futures::FutureExt;
use tokio::sync::{mpsc, watch};

use crate::support::account::client;

const SECOND: SessionId = SessionId(2);

/// Tells of what is opened and closed, and holds it up until it is let through.
struct Stage {
    told: mpsc::UnboundedReceiver<String>,
    gate: watch::Sender<bool>,
}

impl Stage {
    /// On the local store; nothing else is let through yet.
    async fn set() -> (Self, Sessions) {
        let (tell, told) = mpsc::unbounded_channel();
        let (gate, open) = watch::channel(false);
        let first = connection(Source::LocalStore, tell.clone(), open.clone()).await;
        let (tell_change, open_change) = (tell.clone(), open.clone());
        let change = move |change: AccountChange| {
            let AccountChange::Forget(name) = change else { panic!("{change:?}") };
            let (tell, mut open) = (tell_change.clone(), open_change.clone());
            async move {
                tell.send(format!("changing {name}")).unwrap();
                open.wait_for(|open| *open).await.unwrap();
                tell.send(format!("changed {name}")).unwrap();
                Ok(changed())
            }
            .boxed()
        };
        let connect = move |source: Source| {
            let (tell, mut open) = (tell.clone(), open.clone());
            async move {
                match &source {
                    Source::Environment => panic!("on purpose"),
                    Source::Configured(name) => return Err(format!("{name} is not there")),
                    Source::LocalStore | Source::Demo => {}
                }
                tell.send(format!("opening {}", source.name())).unwrap();
                open.wait_for(|open| *open).await.unwrap();
                Ok(connection(source, tell, open).await)
            }
            .boxed()
        };
        let accounts = Accounts {
            connect: Box::new(connect),
            try_out: Box::new(|_| async { panic!("nothing is tried") }.boxed()),
            change: Box::new(change),
        };
        (Self { told, gate }, Sessions::new(accounts, first))
    }

    fn let_through(&self) {
        self.gate.send(true).unwrap();
    }

    async fn next(&mut self) -> String {
        self.told.recv().await.unwrap()
    }
}

fn changed() -> Changed {
    Changed { known: Vec::new(), refused: None }
}

fn forget(name: &str) -> Box<AccountChange> {
    Box::new(AccountChange::Forget(name.to_owned()))
}

async fn connection(
    source: Source,
    tell: mpsc::UnboundedSender<String>,
    mut open: watch::Receiver<bool>,
) -> Connection {
    let nowhere = "http://127.0.0.1:9".parse().unwrap();
    let journal = Journal::in_memory("test").await.unwrap();
    let (client, caller, at_once) = (client(&nowhere), Caller::Screen, AtOnce::default());
    let setup = EngineSetup { client, journal, caller, at_once, read_only: false };
    let (engine, events) = engine::spawn(setup);
    let name = source.name().to_owned();
    let closing = async move {
        tell.send(format!("closing {name}")).unwrap();
        open.wait_for(|open| *open).await.unwrap();
        tell.send(format!("closed {name}")).unwrap();
    };
    let connected = Connected {
        account: Account {
            source,
            read_only: false,
            production: false,
            color: None,
            favourites: filedeck::config::favourites::Favourites::default(),
        },
        warnings: Vec::new(),
    };
    let favourites = FavouritesFile::new(Path::new("/nowhere"), "test");
    Connection { connected, engine, events, favourites, closing: closing.boxed() }
}

#[tokio::test]
async fn an_account_is_opened_once_what_is_being_closed_is_closed() {
    let (mut stage, mut sessions) = Stage::set().await;
    sessions.close(SessionId::FIRST);
    sessions.connect(SECOND, Source::LocalStore);
    assert_eq!(stage.next().await, "closing local");
    stage.let_through();
    assert_eq!(stage.next().await, "closed local");
    assert_eq!(stage.next().await, "opening local");
    let Msg::Connected(SECOND, Ok(connected)) = sessions.next().await else { panic!("not connected") };
    assert_eq!(connected.account.source, Source::LocalStore);
}

#[tokio::test]
async fn the_end_closes_all_sessions_even_one_that_is_being_opened() {
    let (mut stage, sessions) = Stage::set().await;
    sessions.connect(SECOND, Source::Demo);
    assert_eq!(stage.next().await, "opening demo");
    stage.let_through();
    sessions.close_all().await;
    let mut closed = Vec::new();
    while let Ok(told) = stage.told.try_recv() {
        closed.push(told);
    }
    closed.retain(|told| told.starts_with("closed"));
    closed.sort();
    assert_eq!(closed, ["closed demo", "closed local"]);
}

#[tokio::test]
async fn changes_of_accounts_go_on_beside_the_screen_one_after_the_other() {
    let (mut stage, mut sessions) = Stage::set().await;
    sessions.change_accounts(forget("a"));
    sessions.change_accounts(forget("b"));
    assert_eq!(stage.next().await, "changing a");
    stage.let_through();
    for name in ["a", "b"] {
        assert_eq!(sessions.next().await, Msg::AccountsChanged(forget(name), Ok(changed())));
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
    let change = Change::View { name: "large".to_owned(), search: Some("size:>1MB".to_owned()) };
    assert_eq!(sessions.keep(SessionId::FIRST, &change), Err("its account is not open".to_owned()));
}

#[tokio::test]
async fn an_account_that_cannot_be_opened_says_so_and_is_none() {
    let (_stage, mut sessions) = Stage::set().await;
    sessions.connect(SECOND, Source::Configured("acme".to_owned()));
    assert_eq!(sessions.next().await, Msg::Connected(SECOND, Err("acme is not there".to_owned())));
    sessions.connect(SECOND, Source::Environment);
    let Msg::Connected(SECOND, Err(error)) = sessions.next().await else { panic!("a panic was taken for a session") };
    assert!(error.contains("an error of filedeck itself"), "{error}");
}
