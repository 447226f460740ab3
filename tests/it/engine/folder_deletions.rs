//! Deletions of folders: the files deleted with them are known afterwards, as far as possible, and
//! gaps are reported.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

use filedeck::api::Error;
use filedeck::engine::deletion::{DeletedContents, Deletion};

use super::*;
use crate::support::account::client_with;
use crate::support::disk;
use crate::support::proxy::{Calls, Fault, Passed, Proxy, Relayed, Rule, Which};
use filedeck::engine::Answer;
use filedeck::engine::question::{ControlQueue, ListDeletedWith, ListDeletions, Locate, Located};

const DELETE: &str = "DELETE /files/v3/folders/7";

fn folder_deletion(folder: &FolderId, path: &str) -> Job {
    Job::Delete {
        item: item(Target::Folder(folder.clone()), path),
        permanent: false,
        state: None,
    }
}

fn delete_box() -> Job {
    folder_deletion(&FolderId::new("7"), "/box")
}

async fn contents(engine: &mut Engine) -> DeletedContents {
    deletions(engine, Request::ListDeletions(ListDeletions))
        .await
        .remove(0)
        .contents
        .unwrap()
}

async fn deletions(engine: &mut Engine, request: Request) -> Vec<Deletion> {
    match engine.answer(request).await {
        Answer::ListDeletions(list) | Answer::ListDeletedWith(list) => list,
        other => panic!("{other:?}"),
    }
}

fn paths(list: &[Deletion]) -> Vec<&str> {
    list.iter().map(|row| row.path.as_str()).collect()
}

/// `/top` with a file of its own, one in `/top/a`, one in `/top/a/b`, and more than a page in
/// `/top/many`.
async fn with_folders(service: &TestService, engine: &mut Engine) -> FolderRef {
    let top = new_folder(engine, &FolderRef::root(), "top").await;
    new_folder(engine, &top, "a/b").await;
    new_folder(engine, &top, "many").await;
    for (folder, name) in [
        ("/top", "1.txt"),
        ("/top/a", "2.txt"),
        ("/top/a/b", "3.txt"),
    ] {
        let bytes = format!("canary-{name}");
        service
            .upload(
                folder,
                name,
                bytes.as_bytes(),
                json!({ "access": "PRIVATE" }),
            )
            .await
            .expect(201);
    }
    for number in 0..103 {
        let name = format!("{number:03}.txt");
        service
            .upload("/top/many", &name, b"many", json!({ "access": "PRIVATE" }))
            .await
            .expect(201);
    }
    top
}

#[tokio::test]
async fn files_that_went_with_a_folder_are_listed_and_can_be_deleted_for_good() {
    let (service, mut engine, _dir) = started().await;
    let top = with_folders(&service, &mut engine).await;
    let id = top.id.unwrap();
    engine.job(folder_deletion(&id, "/top")).await;

    let list = deletions(&mut engine, Request::ListDeletions(ListDeletions)).await;
    assert_eq!(
        paths(&list),
        ["/top"],
        "the folder stands for all that went with it"
    );
    assert_eq!(
        list[0].contents,
        Some(DeletedContents {
            files: 106,
            missing: None
        })
    );
    let files = deletions(
        &mut engine,
        Request::ListDeletedWith(ListDeletedWith(id.clone())),
    )
    .await;
    assert_eq!(
        paths(&files)[..4],
        [
            "/top/1.txt",
            "/top/a/2.txt",
            "/top/a/b/3.txt",
            "/top/many/000.txt"
        ]
    );
    assert_eq!(files.len(), 106);

    let purge = Job::Delete {
        item: item(files[2].target.clone(), &files[2].path),
        permanent: true,
        state: None,
    };
    engine.job(purge).await;
    let list = deletions(&mut engine, Request::ListDeletions(ListDeletions)).await;
    assert_eq!(paths(&list), ["/top/a/b/3.txt", "/top"]);
    assert!(list[0].gone_by.is_some());
    assert_eq!(
        list[1].contents.as_ref().map(|contents| contents.files),
        Some(105)
    );
    assert_eq!(
        deletions(&mut engine, Request::ListDeletedWith(ListDeletedWith(id)))
            .await
            .len(),
        105
    );
    engine.handle.shutdown().await;
    let (dir, _) = service.stop().await;
    assert!(
        disk::holds(dir.path(), b"canary-2.txt"),
        "what is not deleted for good is kept"
    );
    assert!(!disk::holds(dir.path(), b"canary-3.txt"));
}

/// A service with the folder 7, which answers searches this way and deletes at once.
async fn searching(search: impl Fn(&str, usize) -> Reply + Send + Sync + 'static) -> Capture {
    Capture::start(move |seen, number| match seen.method.as_str() {
        "GET" => search(seen.target.split('?').next().unwrap(), number),
        _ => Reply::status(204, &[]),
    })
    .await
}

fn nothing() -> Reply {
    Reply::json(200, &json!({ "results": [] }))
}

#[tokio::test]
async fn a_folder_of_more_files_than_may_be_asked_for_is_deleted_and_it_is_said_that_there_are_more()
 {
    let service = searching(|path, number| {
        if path.ends_with("/folders/search") {
            return nothing();
        }
        let file = json!({ "id": number.to_string(), "parentFolderId": "7", "path": format!("/box/{number}.txt") });
        Reply::json(200, &json!({ "results": [file], "paging": { "next": { "after": number.to_string() } } }))
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let outcome = engine.job(delete_box()).await;
    let calls = service.calls();
    assert_eq!(
        (calls.len(), calls.last().map(String::as_str)),
        (101, Some(DELETE))
    );
    assert!(
        outcome
            .missing()
            .is_some_and(|why| why.contains("more than 100 requests")),
        "{outcome:?}"
    );
    let contents = contents(&mut engine).await;
    assert_eq!(
        (contents.files, contents.missing.as_deref()),
        (99, outcome.missing())
    );
}

#[tokio::test]
async fn a_folder_whose_files_cannot_be_listed_is_deleted_and_it_is_said_why_they_are_not_known() {
    let refused = || {
        Reply::json(
            403,
            &json!({ "message": "Not for you", "category": "MISSING_SCOPES" }),
        )
    };
    let service = searching(move |_, _| refused()).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let outcome = engine.job(delete_box()).await;
    assert_eq!(service.calls().last().map(String::as_str), Some(DELETE));
    let contents = contents(&mut engine).await;
    assert_eq!(
        (contents.files, contents.missing.as_deref()),
        (0, outcome.missing())
    );
    assert!(contents.missing.is_some_and(|why| !why.is_empty()));
}

#[tokio::test]
async fn what_the_deletion_would_meet_as_well_ends_it_before_it_is_sent() {
    let service =
        searching(|_, _| Reply::json(401, &json!({ "message": "This token is gone" }))).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let error = engine.carry_out(delete_box()).await.unwrap_err();
    assert_eq!((error.kind, error.in_doubt), (Kind::Unauthorized, false));
    assert!(!service.calls().iter().any(|call| call == DELETE));
    assert_eq!(
        deletions(&mut engine, Request::ListDeletions(ListDeletions)).await,
        []
    );
}

#[tokio::test]
async fn a_deletion_that_the_service_refuses_leaves_nothing_in_the_list() {
    let service = Capture::start(|seen, _| {
        match (seen.method.as_str(), seen.call().ends_with("/files/search")) {
            ("GET", true) => {
                let file = json!({ "id": "9", "parentFolderId": "7", "path": "/box/9.txt" });
                Reply::json(200, &json!({ "results": [file] }))
            }
            ("GET", false) => nothing(),
            _ => Reply::json(409, &json!({ "message": "It is in use" })),
        }
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    assert_eq!(
        engine.carry_out(delete_box()).await.unwrap_err().kind,
        Kind::Conflict
    );
    assert_eq!(
        deletions(&mut engine, Request::ListDeletions(ListDeletions)).await,
        []
    );
    assert_eq!(
        deletions(
            &mut engine,
            Request::ListDeletedWith(ListDeletedWith(FolderId::new("7")))
        )
        .await,
        []
    );
}

#[tokio::test]
async fn until_its_files_are_noted_the_deletion_of_a_folder_can_be_cancelled() {
    let open = Arc::new(AtomicBool::new(false));
    let is_open = open.clone();
    let not_found = json!({ "status": "error", "message": "None", "correlationId": "0", "category": "OBJECT_NOT_FOUND" });
    let service = Capture::start(move |seen, _| match seen.method.as_str() {
        _ if !is_open.load(SeqCst) => Reply::Silence,
        "GET" => nothing(),
        _ => Reply::json(404, &not_found),
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let id = engine.queue(vec![delete_box()]).await;
    while service.seen().is_empty() {
        tokio::task::yield_now().await;
    }
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Cancel(id))))
        .await;
    let (settled, ended) = engine.end_of(id, |_, _| {}).await;
    assert_eq!((settled.len(), ended.counts.cancelled), (0, 1));
    assert!(!service.calls().iter().any(|call| call == DELETE));

    open.store(true, SeqCst);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Retry(id))))
        .await;
    let (settled, _) = engine.end_of(id, |_, _| {}).await;
    let is_gone = |result: &Result<Outcome, Error>| {
        result
            .as_ref()
            .is_err_and(|error| error.kind == Kind::NotFound)
    };
    assert!(
        is_gone(&settled[0].result),
        "{settled:?}: it was never sent: that nothing is there does not count as done"
    );
}

/// The deletion of `/top`, whose response was lost in a run that has ended.
struct InDoubt {
    service: TestService,
    proxy: Proxy,
    dir: TempDir,
    folder: FolderId,
    batch: BatchId,
}

impl InDoubt {
    /// `passed` tells how far the request got to the service.
    async fn begin(passed: Passed) -> Self {
        let service = TestService::start().await;
        let proxy = Proxy::start(service.running.base_url()).await;
        let dir = tempfile::tempdir().unwrap();
        let mut engine = Self::run(&service, &proxy, dir.path()).await;
        let folder = with_folders(&service, &mut engine).await.id.unwrap();
        let deletes = || Calls::to("DELETE", "/files/v3/folders/");
        proxy.rules(vec![Rule::new(
            deletes(),
            Which::All,
            Fault::Silence(passed),
        )]);
        let batch = engine.queue(vec![folder_deletion(&folder, "/top")]).await;
        let is_through =
            |relayed: &Relayed| matches!(passed, Passed::Never) || !relayed.answered.is_empty();
        proxy
            .until(|log| {
                log.iter()
                    .any(|relayed| deletes().hold(&relayed.seen) && is_through(relayed))
            })
            .await;
        assert_eq!(
            deletions(&mut engine, Request::ListDeletions(ListDeletions)).await,
            [],
            "it is not certain"
        );
        engine.handle.shutdown().await;
        proxy.rules(Vec::new());
        Self {
            service,
            proxy,
            dir,
            folder,
            batch,
        }
    }

    async fn run(service: &TestService, proxy: &Proxy, dir: &Path) -> Engine {
        let journal = Journal::open(&dir.join("journal.db"), "test")
            .await
            .unwrap();
        Engine::with_journal(client_with(&proxy.url, service.token()), journal)
    }

    async fn again(&self) -> Engine {
        Self::run(&self.service, &self.proxy, self.dir.path()).await
    }

    /// Resumes the deletion to its end; returns the files deleted with the folder.
    async fn resume(&self, engine: &mut Engine) -> Vec<Deletion> {
        engine
            .answer(Request::ControlQueue(ControlQueue(Control::Resume(
                self.batch,
            ))))
            .await;
        assert_eq!(engine.end_of(self.batch, |_, _| {}).await.1.counts.done, 1);
        let files = deletions(
            engine,
            Request::ListDeletedWith(ListDeletedWith(self.folder.clone())),
        )
        .await;
        assert_eq!(
            contents(engine).await,
            DeletedContents {
                files: files.len(),
                missing: None
            }
        );
        files
    }
}

#[tokio::test]
async fn what_went_with_a_folder_is_known_after_a_restart_in_doubt() {
    let doubt = InDoubt::begin(Passed::Now).await;
    let mut engine = doubt.again().await;
    assert_eq!(doubt.resume(&mut engine).await.len(), 106);
}

#[tokio::test]
async fn a_folder_that_is_there_after_a_restart_is_looked_through_anew() {
    let doubt = InDoubt::begin(Passed::Never).await;
    let mut engine = doubt.again().await;
    let moved = Request::Locate(Locate::Path("/top/1.txt".to_owned()));
    let Answer::Locate(Located::Entry(Entry::File(file))) = engine.answer(moved).await else {
        panic!()
    };
    engine
        .job(Job::Move {
            file: Item::of(&file),
            into: FolderRef::root(),
            seen: None,
        })
        .await;
    let files = doubt.resume(&mut engine).await;
    assert_eq!(files.len(), 105);
    assert!(
        !paths(&files).contains(&"/top/1.txt"),
        "what was moved out is not to be deleted for good"
    );
}

#[tokio::test]
async fn a_file_that_did_not_go_with_its_folder_is_not_deleted_for_good_from_the_list() {
    // The search index does not have the file's new place yet.
    let service = searching(|path, _| match path.rsplit("/files/v3").next().unwrap() {
        "/files/search" => {
            let file = json!({ "id": "9", "parentFolderId": "7", "path": "/box/9.txt" });
            Reply::json(200, &json!({ "results": [file] }))
        }
        "/files/9" => Reply::json(
            200,
            &json!({ "id": "9", "path": "/keep/9.txt", "archived": false }),
        ),
        _ => nothing(),
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    engine.job(delete_box()).await;
    let files = deletions(
        &mut engine,
        Request::ListDeletedWith(ListDeletedWith(FolderId::new("7"))),
    )
    .await;
    let purge = || Job::Delete {
        item: item(files[0].target.clone(), &files[0].path),
        permanent: true,
        state: None,
    };
    let error = engine.carry_out(purge()).await.unwrap_err();
    assert!(
        error.kind == Kind::Refused && error.message.contains("/keep/9.txt"),
        "{error:?}"
    );
    assert_eq!(contents(&mut engine).await.files, 0, "it is listed no more");
    assert!(
        !service
            .calls()
            .iter()
            .any(|call| call.contains("gdpr-delete"))
    );
    // Chosen at its new place, it is deleted.
    engine.job(purge()).await;
    assert!(service.calls().last().unwrap().contains("gdpr-delete"));
}
