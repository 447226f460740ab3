//! Accounts changed on the screen, and the data kept of them on this machine.

use filedeck::api::model::File;
use filedeck::api::{Error, Kind};
use filedeck::cli::accounts::{change, try_out};
use filedeck::cli::session::Session;
use filedeck::cli::setup::Setup;
use filedeck::config::{
    AccountChange, AccountEntry, AccountSource, Draft, Environment, Origin, Token, TokenLocation,
};
use filedeck::engine::message::FolderRef;
use filedeck::engine::preview::PreviewTarget;
use filedeck::engine::{Control, Job, Request};
use serde_json::json;
use tempfile::TempDir;

use crate::support::account::Engine;
use crate::support::pictures::picture;
use crate::support::service::TestService;
use filedeck::engine::question::{ControlQueue, GetPreview};

/// Nothing listens there.
const NOWHERE: &str = "http://127.0.0.1:9/";

fn setup(home: &TempDir) -> Setup {
    let folder = |name: &str| {
        name.strip_prefix("FILEDECK_")?
            .strip_suffix("_DIR")
            .map(|name| home.path().join(name))
    };
    Setup::read(Environment::from_lookup(|name| {
        folder(name).map(Into::into)
    }))
    .unwrap()
}

fn draft(name: &str, base_url: &str, token: &str, is_new: bool) -> Draft {
    let entry = AccountEntry {
        base_url: base_url.to_owned(),
        version: AccountEntry::DEFAULT_VERSION.to_owned(),
        read_only: false,
        production: false,
        color: None,
        token: TokenLocation::File(std::path::PathBuf::new()),
        kind: filedeck::config::CredentialKind::Token,
        ca_cert: None,
        origin: Origin::Own,
    };
    Draft {
        name: name.to_owned(),
        is_new,
        entry,
        token: Token::new(token),
    }
}

/// Queues the creation of a folder in the account, and ends before the task begins.
async fn leave_work(setup: &Setup, name: &str) {
    let setup = setup.with_own_accounts();
    let session = Session::of(
        &setup,
        AccountSource::Configured(name.to_owned()),
        None,
        &|_| {},
    )
    .await
    .unwrap();
    let mut engine = Engine::with_journal(session.client.clone(), session.journal().await.unwrap());
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    engine
        .queue(vec![Job::CreateFolder {
            parent: FolderRef::root(),
            name: "new".to_owned(),
        }])
        .await;
    engine.handle.shutdown().await;
}

#[tokio::test]
async fn an_account_that_is_not_open_keeps_its_address_while_tasks_wait_there() {
    let (service, home) = (TestService::start().await, tempfile::tempdir().unwrap());
    let setup = setup(&home);
    for name in ["busy", "idle"] {
        change(
            &setup,
            &AccountChange::Keep(draft(name, NOWHERE, "t", true)),
        )
        .await
        .unwrap();
    }
    leave_work(&setup, "busy").await;
    let address = service.url("/");
    let moved = |name| draft(name, &address, service.token(), false);
    let refused: Error = try_out(&setup, &moved("busy")).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict, "{refused}");
    assert!(
        refused
            .message
            .contains("wait for them, or cancel them first"),
        "{refused}"
    );
    assert_eq!(try_out(&setup, &moved("idle")).await, Ok(()));
    let stays = try_out(&setup, &draft("busy", NOWHERE, "another", false)).await;
    assert_eq!(
        stays.unwrap_err().kind,
        Kind::Unreachable,
        "a new token for the same address is tried"
    );
}

// Seen to fail: the account was removed, and its tasks were out of sight from then on.
#[tokio::test]
async fn an_account_that_is_not_open_is_not_removed_while_tasks_wait_there() {
    let home = tempfile::tempdir().unwrap();
    let setup = setup(&home);
    for name in ["busy", "idle"] {
        change(
            &setup,
            &AccountChange::Keep(draft(name, NOWHERE, "t", true)),
        )
        .await
        .unwrap();
    }
    leave_work(&setup, "busy").await;
    let remove = async |name: &str| change(&setup, &AccountChange::Forget(name.to_owned())).await;
    let refused = remove("busy").await.unwrap_err().to_string();
    assert!(
        refused.contains("wait for them, or cancel them first"),
        "{refused}"
    );
    remove("idle").await.unwrap();
    assert_eq!(
        setup
            .with_own_accounts()
            .config
            .accounts
            .keys()
            .collect::<Vec<_>>(),
        ["busy"]
    );
    assert!(
        home.path().join("CONFIG/tokens/busy.token").exists(),
        "nor is its token"
    );
}

/// Requests a preview of a file as the account's grid does.
async fn look(setup: &Setup, name: &str, file: &File) {
    let setup = setup.with_own_accounts();
    let session = Session::of(
        &setup,
        AccountSource::Configured(name.to_owned()),
        None,
        &|_| {},
    )
    .await
    .unwrap();
    let mut engine = Engine::with_journal(session.client.clone(), session.journal().await.unwrap());
    let subject = PreviewTarget::File(Box::new(file.clone()));
    let look = GetPreview {
        subject,
        room: (96, 96),
        is_thumbnail: true,
        page: 0,
    };
    engine.answer(Request::GetPreview(look)).await;
    engine.handle.shutdown().await;
}

#[tokio::test]
async fn thumbnails_go_with_their_account_and_with_a_change_of_it() {
    let (service, home) = (TestService::start().await, tempfile::tempdir().unwrap());
    let uploaded = service
        .upload("/", "a.png", &picture(), json!({ "access": "PRIVATE" }))
        .await
        .expect(201);
    let file: File = serde_json::from_value(uploaded.json()).unwrap();
    let (setup, address) = (setup(&home), service.url("/"));
    for name in ["acme", "other"] {
        change(
            &setup,
            &AccountChange::Keep(draft(name, &address, service.token(), true)),
        )
        .await
        .unwrap();
        look(&setup, name, &file).await;
    }
    let kept = || {
        std::fs::read_dir(home.path().join("STATE/thumbnails"))
            .unwrap()
            .count()
    };
    assert_eq!(kept(), 2);
    change(&setup, &AccountChange::Forget("acme".to_owned()))
        .await
        .unwrap();
    assert_eq!(kept(), 1, "another account keeps its own");
    change(
        &setup,
        &AccountChange::Keep(draft("other", NOWHERE, "t", false)),
    )
    .await
    .unwrap();
    assert_eq!(kept(), 0);
}
