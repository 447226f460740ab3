//! Calls that were carried out although their answer never came: nothing is done twice, nothing is lost.

use filedeck::api::model::Access;

use super::{Capture, Engine, File, FolderId, Kind, Outcome, Place, Reply, Request, client, json, local, options};

fn upload(local: &std::path::Path) -> Request {
    Request::Upload {
        local: local.to_owned(),
        into: Place { id: Some(FolderId::new("5")), path: "/in".to_owned() },
        name: None,
        options: options(Access::Private),
    }
}

#[tokio::test]
async fn an_upload_that_arrived_is_found_and_not_sent_again() {
    let stored = json!({ "id": "7", "name": "a-1", "extension": "txt", "parentFolderId": "5",
        "fileMd5": "5d41402abc4b2a76b9719d911017c592" });
    let service = Capture::start(move |seen, _| match seen.method.as_str() {
        "POST" => Reply::Cut,
        _ => Reply::json(200, &json!({ "results": [stored] })),
    })
    .await;
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&service.url), None);
    let outcome = engine.outcome(upload(&local(&dir, "a.txt", b"hello"))).await;
    let Outcome::Uploaded(File { id, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(id.as_str(), "7");
    assert_eq!(service.calls(), ["POST /files/v3/files", "GET /files/v3/files/search"]);
    assert_eq!(service.seen()[1].query("fileMd5"), ["5d41402abc4b2a76b9719d911017c592"]);
}

#[tokio::test]
async fn an_upload_that_did_not_arrive_is_sent_once_more() {
    let service = Capture::start(|seen, before| match (seen.method.as_str(), before) {
        ("POST", 0) => Reply::Cut,
        ("POST", _) => Reply::json(201, &json!({ "id": "7", "archived": false })),
        // Another file with the same content elsewhere is not it.
        _ => Reply::json(
            200,
            &json!({ "results": [{ "id": "3", "name": "a", "extension": "txt", "parentFolderId": "4",
            "fileMd5": "5d41402abc4b2a76b9719d911017c592" }] }),
        ),
    })
    .await;
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&service.url), None);
    let outcome = engine.outcome(upload(&local(&dir, "a.txt", b"hello"))).await;
    assert!(matches!(outcome, Outcome::Uploaded(file) if file.id.as_str() == "7"));
    assert_eq!(service.calls(), ["POST /files/v3/files", "GET /files/v3/files/search", "POST /files/v3/files"]);
}

#[tokio::test]
async fn a_source_that_changed_while_it_was_sent_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let source = local(&dir, "a.txt", b"hello");
    let service = Capture::start({
        let source = source.clone();
        move |_, _| {
            std::fs::write(&source, b"hello, changed").unwrap();
            Reply::json(201, &json!({ "id": "7", "archived": false }))
        }
    })
    .await;
    let mut engine = Engine::start(client(&service.url), None);
    let error = engine.run(upload(&source)).await.0.unwrap_err();
    assert_eq!(error.kind, Kind::Local);
    assert!(error.message.contains("changed while it was sent: delete the copy"), "{error}");
}

#[tokio::test]
async fn a_stored_file_with_another_checksum_is_reported() {
    let service =
        Capture::start(|_, _| Reply::json(201, &json!({ "id": "7", "fileMd5": "00000000000000000000000000000000" })))
            .await;
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&service.url), None);
    let error = engine.run(upload(&local(&dir, "a.txt", b"hello"))).await.0.unwrap_err();
    assert!(error.message.contains("MD5"), "{error}");
}

#[tokio::test]
async fn a_folder_that_was_made_is_found_and_not_made_again() {
    let service = Capture::start(|seen, _| match seen.method.as_str() {
        "POST" => Reply::Cut,
        _ => Reply::json(200, &json!({ "id": "9", "name": "a", "path": "/a" })),
    })
    .await;
    let mut engine = Engine::start(client(&service.url), None);
    let outcome = engine.outcome(Request::CreateFolder { parent: Place::root(), name: "a".to_owned() }).await;
    assert!(matches!(outcome, Outcome::FolderCreated(folder) if folder.id.as_str() == "9"));
    assert_eq!(service.calls(), ["POST /files/v3/folders", "GET /files/v3/folders/a"]);
}

#[tokio::test]
async fn a_folder_is_refused_in_words_that_say_what_to_name_instead() {
    let service = Capture::start(|_, _| Reply::json(500, &json!({}))).await;
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&service.url), None);
    let error = engine.run(upload(dir.path())).await.0.unwrap_err();
    assert!(error.message.ends_with("is a folder; name the files in it"), "{error}");
    assert_eq!(service.calls(), Vec::<String>::new());
}
