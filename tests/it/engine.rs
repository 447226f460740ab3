//! Requests in, events out, against the real service: what a user would see on the screen and on the disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use filedeck::api::ids::{FileId, FolderId};
use filedeck::api::model::{Access, File, FileUpdate, Folder, ImportRequest, ReplaceOptions, UploadOptions};
use filedeck::api::{Kind, OnBytes, Version};
use filedeck::engine::message::{Cursor, Entry, Place, Sort, Target, Unfinished};
use filedeck::engine::{Event, Item, Job, Journal, Outcome, Progress, Request};
use filedeck::service::fetch::AllowedNetwork;
use jiff::SignedDuration;
use rstest::rstest;
use serde_json::json;
use tempfile::TempDir;

use crate::support::account::{Engine, client, client_of};
use crate::support::capture::{Capture, Reply};
use crate::support::service::TestService;
use crate::support::web::Web;

mod listing;
mod lost_answers;
mod whole;

fn options(access: Access) -> UploadOptions {
    UploadOptions::new(access)
}

async fn started() -> (TestService, Engine, TempDir) {
    let service = TestService::start().await;
    let engine = Engine::start(client_of(&service, Version::V3), None);
    (service, engine, tempfile::tempdir().unwrap())
}

fn local(dir: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn item(target: Target, path: &str) -> Item {
    Item { target, path: path.to_owned(), name: path.rsplit_once('/').unwrap().1.to_owned(), size: None }
}

async fn new_folder(engine: &mut Engine, parent: &Place, name: &str) -> Place {
    let request = Request::Job(Job::CreateFolder { parent: parent.clone(), name: name.to_owned() });
    match engine.outcome(request).await {
        Outcome::FolderCreated(Folder { id, path, .. }) => Place { id: Some(id), path: path.unwrap() },
        other => panic!("{other:?}"),
    }
}

async fn upload(engine: &mut Engine, local: &Path, into: &Place, access: Access) -> File {
    let request =
        Request::Job(Job::Upload { local: local.to_owned(), into: into.clone(), name: None, options: options(access) });
    match engine.outcome(request).await {
        Outcome::Uploaded { file, .. } => file,
        other => panic!("{other:?}"),
    }
}

async fn list(engine: &mut Engine, place: &Place, after: Option<Cursor>) -> (Vec<Entry>, Option<Cursor>) {
    match engine.outcome(Request::List { place: place.clone(), sort: Sort::default(), after }).await {
        Outcome::Listed { entries, next } => (entries, next),
        other => panic!("{other:?}"),
    }
}

fn names(entries: &[Entry]) -> Vec<String> {
    let name = |entry: &Entry| match entry {
        Entry::Folder(folder) => folder.full_name() + "/",
        Entry::File(file) => file.full_name(),
    };
    entries.iter().map(name).collect()
}

#[rstest]
#[case::private(Access::Private, Version::V3)]
#[case::public(Access::PublicNotIndexable, Version::V3)]
#[case::without_a_download_endpoint(Access::Private, Version::Dated202603)]
#[tokio::test]
async fn bytes_come_back_as_they_were_sent_and_nothing_is_overwritten(
    #[case] access: Access,
    #[case] version: Version,
) {
    let service = TestService::start().await;
    let mut engine = Engine::start(client_of(&service, version), None);
    let dir = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
    let source = local(&dir, "data.bin", &bytes);
    let file = upload(&mut engine, &source, &Place::root(), access).await;
    for expected in ["data (1).bin", "data (2).bin"] {
        let request = Request::Job(Job::Download { file: Item::of(&file), into: dir.path().to_owned() });
        let (result, progress) = engine.run(request).await;
        let expected = dir.path().join(expected);
        assert_eq!(result, Ok(Outcome::Downloaded { path: expected.clone(), bytes: bytes.len() as u64 }));
        assert!(fs::read(&expected).unwrap() == bytes);
        let all = Some(bytes.len() as u64);
        assert_eq!(progress.last(), Some(&Progress::Bytes { done: bytes.len() as u64, total: all }));
    }
    let left: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[tokio::test]
async fn an_empty_file_goes_up_and_comes_down() {
    let (_service, mut engine, dir) = started().await;
    let file = upload(&mut engine, &local(&dir, "empty.txt", b""), &Place::root(), Access::Private).await;
    let outcome =
        engine.outcome(Request::Job(Job::Download { file: Item::of(&file), into: dir.path().to_owned() })).await;
    assert_eq!(outcome, Outcome::Downloaded { path: dir.path().join("empty (1).txt"), bytes: 0 });
}

#[tokio::test]
async fn a_replaced_file_keeps_its_id_and_gets_the_new_bytes() {
    let (service, mut engine, dir) = started().await;
    let file = upload(&mut engine, &local(&dir, "a.txt", b"old"), &Place::root(), Access::Private).await;
    let new = local(&dir, "b.txt", b"new bytes");
    let options = ReplaceOptions { access: Some(Access::Private), ..ReplaceOptions::default() };
    let client = client_of(&service, Version::V3);
    let sent = client.replace_file(&file.id, &new, &options, &(Arc::new(drop) as OnBytes)).await.unwrap();
    assert_eq!((sent.file.id, sent.file.size), (file.id.clone(), Some(9)));
    let Outcome::Details(now) = engine.outcome(Request::Details { file: file.id }).await else { panic!() };
    assert_eq!(now.file_md5, Some(sent.md5));
}

#[rstest]
#[case::v3(Version::V3)]
#[case::march(Version::Dated202603)]
#[case::september(Version::Dated202609)]
#[tokio::test]
async fn limits_and_folder_changes_work_in_every_version(#[case] version: Version) {
    let service = TestService::start().await;
    let mut engine = Engine::start(client_of(&service, version), None);
    let Outcome::Limits(limits) = engine.outcome(Request::Limits).await else { panic!() };
    assert!(limits.overall_limit > 0 && !limits.by_object_type.is_empty());
    let associations = engine.outcome(Request::Associations { from: "0-1".to_owned() }).await;
    assert!(matches!(associations, Outcome::Associations { limits, .. } if !limits.results.is_empty()));
    let folder = new_folder(&mut engine, &Place::root(), "a").await.id.unwrap();
    let name = Some("b".to_owned());
    let op = engine.submit(Request::Job(Job::UpdateFolder { folder, from: "/a".to_owned(), name, parent: None }));
    let renamed = loop {
        match engine.next().await {
            Event::Progress { .. } => service.clock.advance(SignedDuration::from_secs(5)),
            Event::Done { op: of, result } if of == op => break result.unwrap(),
            _ => {}
        }
    };
    assert!(matches!(renamed, Outcome::FolderUpdated(folder) if folder.path.as_deref() == Some("/b")));
}

#[tokio::test]
async fn a_listing_has_the_folders_first_and_root_is_no_exception() {
    let (_service, mut engine, dir) = started().await;
    let source = local(&dir, "b.txt", b"b");
    let docs = new_folder(&mut engine, &Place::root(), "docs").await;
    upload(&mut engine, &source, &Place::root(), Access::Private).await;
    upload(&mut engine, &source, &docs, Access::Private).await;
    new_folder(&mut engine, &docs, "deep/er").await;
    assert_eq!(names(&list(&mut engine, &Place::root(), None).await.0), ["docs/", "b.txt"]);
    assert_eq!(names(&list(&mut engine, &docs, None).await.0), ["deep/", "b.txt"]);
    let Outcome::Folders(folders) = engine.outcome(Request::Folders { place: docs }).await else { panic!() };
    assert_eq!(folders.iter().map(Folder::full_name).collect::<Vec<_>>(), ["deep"]);
}

#[tokio::test]
async fn a_path_is_located_as_folder_file_root_or_nothing() {
    let (_service, mut engine, dir) = started().await;
    let docs = new_folder(&mut engine, &Place::root(), "123").await;
    upload(&mut engine, &local(&dir, "a b.txt", b"b"), &docs, Access::Private).await;
    let mut locate = async |path: &str| engine.run(Request::Locate { path: path.to_owned() }).await.0;
    assert_eq!(locate("/").await, Ok(Outcome::LocatedRoot));
    assert!(matches!(locate("/123").await, Ok(Outcome::Located(Entry::Folder(_)))));
    assert!(matches!(locate("/123/a b.txt").await, Ok(Outcome::Located(Entry::File(_)))));
    assert_eq!(locate("/123/none").await.unwrap_err().kind, Kind::NotFound);
}

#[tokio::test]
async fn a_folder_is_renamed_moved_and_brought_back_to_the_root() {
    let (service, mut engine, _dir) = started().await;
    let inner = new_folder(&mut engine, &Place::root(), "a/b").await;
    let target = new_folder(&mut engine, &Place::root(), "c").await;
    let folder = inner.id.unwrap();
    let mut change = async |from: &str, name: Option<&str>, parent: Option<Place>| {
        let request = Request::Job(Job::UpdateFolder {
            folder: folder.clone(),
            from: from.to_owned(),
            name: name.map(str::to_owned),
            parent,
        });
        let op = engine.submit(request);
        let mut told = Vec::new();
        loop {
            match engine.next().await {
                Event::Progress { op: of, progress } if of == op => {
                    // The service works on its own clock; each poll lets its turn come.
                    service.clock.advance(SignedDuration::from_secs(5));
                    told.push(progress);
                }
                Event::Done { op: of, result: Ok(Outcome::FolderUpdated(folder)) } if of == op => {
                    return (folder.path.unwrap(), told);
                }
                Event::Budget(_) => {}
                other => panic!("{other:?}"),
            }
        }
    };
    let (path, told) = change("/a/b", Some("new"), None).await;
    assert_eq!(path, "/a/new");
    assert!(told.iter().any(|progress| matches!(progress, Progress::Accepted { .. })), "{told:?}");
    assert_eq!(change("/a/new", None, Some(target)).await.0, "/c/new");
    assert_eq!(change("/c/new", Some("top"), Some(Place::root())).await.0, "/top");
}

#[tokio::test]
async fn an_import_is_followed_to_its_file() {
    let service = TestService::configured(|options| options.import_allow = AllowedNetwork::loopback().to_vec()).await;
    let web = Web::serving(&[("/logo.txt", b"hello")]).await;
    let mut engine = Engine::start(client_of(&service, Version::V3), None);
    let request: ImportRequest =
        serde_json::from_value(json!({ "url": web.url("/logo.txt"), "access": "PRIVATE", "folderPath": "/in" }))
            .unwrap();
    let op = engine.submit(Request::Job(Job::Import { request, folder: "/in".to_owned() }));
    let file = loop {
        match engine.next().await {
            Event::Progress { .. } => service.clock.advance(SignedDuration::from_secs(1)),
            Event::Done { op: of, result } if of == op => break result.unwrap(),
            _ => {}
        }
    };
    let Outcome::Imported(file) = file else { panic!("{file:?}") };
    assert_eq!(file.path.as_deref(), Some("/in/logo.txt"));
}

#[tokio::test]
async fn an_import_that_fails_says_why_in_the_services_words() {
    let (service, mut engine, _dir) = started().await;
    let request: ImportRequest =
        serde_json::from_value(json!({ "url": "http://127.0.0.1:9/x", "access": "PRIVATE", "folderPath": "/" }))
            .unwrap();
    let op = engine.submit(Request::Job(Job::Import { request, folder: "/in".to_owned() }));
    let error = loop {
        match engine.next().await {
            Event::Progress { .. } => service.clock.advance(SignedDuration::from_secs(1)),
            Event::Done { op: of, result } if of == op => break result.unwrap_err(),
            _ => {}
        }
    };
    assert!(matches!(error.kind, Kind::TaskFailed | Kind::Invalid), "{error:?}");
    assert!(!error.message.is_empty());
}

#[tokio::test]
async fn files_are_changed_one_by_one_and_failures_do_not_hide_successes() {
    let (_service, mut engine, dir) = started().await;
    let file = upload(&mut engine, &local(&dir, "a.txt", b"a"), &Place::root(), Access::Private).await;
    let update = FileUpdate { name: Some("z".to_owned()), ..FileUpdate::default() };
    let missing = item(Target::File(FileId::new("999999")), "/none.txt");
    let changes = vec![(missing, update.clone()), (Item::of(&file), update)];
    let (result, progress) = engine.run(Request::Job(Job::ChangeFiles { changes })).await;
    let Ok(Outcome::FilesUpdated { updated, failed, .. }) = result else { panic!("{result:?}") };
    assert_eq!(updated.iter().map(File::full_name).collect::<Vec<_>>(), ["z.txt"]);
    assert_eq!(failed[0].1.kind, Kind::NotFound);
    assert_eq!(progress.last(), Some(&Progress::Items { done: 2, total: 2 }));
}

#[tokio::test]
async fn a_permanent_deletion_leaves_a_receipt_and_is_for_files_only() {
    let service = TestService::start().await;
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::open(&dir.path().join("journal.db"), "test").await.unwrap();
    let mut engine = Engine::start(client_of(&service, Version::V3), Some(journal.clone()));
    let docs = new_folder(&mut engine, &Place::root(), "docs").await;
    let file = upload(&mut engine, &local(&dir, "cv.pdf", b"x"), &docs, Access::Private).await;
    let (folder, id) = (Target::Folder(docs.id.unwrap()), Target::File(file.id.clone()));
    let items = vec![item(folder.clone(), "/docs"), Item::of(&file)];
    let outcome = engine.outcome(Request::Job(Job::Delete { items, permanent: true })).await;
    let Outcome::Deleted { deleted, failed, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(deleted, std::slice::from_ref(&id));
    assert_eq!((&failed[0].0, failed[0].1.kind), (&folder, Kind::Refused));
    let receipts = journal.receipts().await.unwrap();
    assert_eq!(receipts.iter().map(|receipt| receipt.path.as_str()).collect::<Vec<_>>(), ["/docs/cv.pdf"]);

    // Gone already: that is said, and not that it was done.
    let again =
        engine.outcome(Request::Job(Job::Delete { items: vec![item(id, "/docs/cv.pdf")], permanent: false })).await;
    let Outcome::Deleted { deleted, failed, .. } = again else { panic!("{again:?}") };
    assert_eq!((deleted, failed[0].1.kind), (vec![], Kind::NotFound));
}

#[tokio::test]
async fn a_cancelled_operation_says_so_and_its_queue_goes_on() {
    let silent = Capture::start(|seen, _| match seen.target.as_str() {
        "/files/v3/files/9" => Reply::json(200, &json!({ "id": "9", "archived": false })),
        _ => Reply::Silence,
    })
    .await;
    let mut engine = Engine::start(client(&silent.url), None);
    // More than run at once, so that some are cancelled while they wait.
    let stuck: Vec<_> = (0..20).map(|_| engine.submit(Request::Details { file: FileId::new("1") })).collect();
    let last = engine.submit(Request::Details { file: FileId::new("9") });
    for op in &stuck {
        engine.handle.cancel(*op);
    }
    let (mut cancelled, mut done) = (Vec::new(), false);
    while cancelled.len() < stuck.len() || !done {
        match engine.next().await {
            Event::Cancelled { op } => cancelled.push(op),
            Event::Done { op, result } if op == last => done = result.is_ok(),
            Event::Progress { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    cancelled.sort();
    assert_eq!(cancelled, stuck);
}

#[tokio::test]
async fn what_a_shutdown_leaves_behind_is_known_to_the_next_run() {
    let silent = Capture::start(|seen, _| match seen.call().as_str() {
        "POST /files/v3/files/import-from-url/async" => Reply::json(202, &json!({ "id": "t-1" })),
        "GET /files/v3/files/search" => Reply::json(200, &json!({ "results": [] })),
        _ => Reply::Silence,
    })
    .await;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.db");
    let journal = Journal::open(&path, "test").await.unwrap();
    let mut engine = Engine::start(client(&silent.url), Some(journal.clone()));
    let request: ImportRequest =
        serde_json::from_value(json!({ "url": "https://example.com/a?s=1", "access": "PRIVATE", "folderPath": "/in" }))
            .unwrap();
    let import = engine.submit(Request::Job(Job::Import { request, folder: "/in".to_owned() }));
    let source = local(&dir, "a.txt", b"a");
    let upload = |source: &Path| {
        Request::Job(Job::Upload {
            local: source.to_owned(),
            into: Place::root(),
            name: None,
            options: options(Access::Private),
        })
    };
    let (kept, given_up) = (engine.submit(upload(&source)), engine.submit(upload(&source)));
    engine.handle.cancel(given_up);
    let mut waiting_for = vec![import, kept, given_up];
    while !waiting_for.is_empty() {
        let (Event::Progress { op, progress: Progress::Accepted { .. } | Progress::Bytes { .. } }
        | Event::Cancelled { op }) = engine.next().await
        else {
            continue;
        };
        waiting_for.retain(|waiting| *waiting != op);
    }
    engine.handle.shutdown().await;
    drop(journal);
    let unfinished = Journal::open(&path, "test").await.unwrap().unfinished().await.unwrap();
    let [Unfinished::Job(Job::WatchImport { task, url, folder }), Unfinished::CutShort { what, .. }] =
        unfinished.as_slice()
    else {
        panic!("{unfinished:?}")
    };
    assert_eq!((task.as_str(), url.as_str(), folder.as_str()), ("t-1", "https://example.com/a", "/in"));
    assert_eq!(*what, format!("Upload of {} into /", source.display()));
}

#[tokio::test]
async fn an_unreadable_source_and_an_unwritable_target_are_errors_of_this_machine() {
    let (_service, mut engine, dir) = started().await;
    let missing = dir.path().join("missing");
    let request = Request::Job(Job::Upload {
        local: missing.clone(),
        into: Place::root(),
        name: None,
        options: options(Access::Private),
    });
    let error = engine.run(request).await.0.unwrap_err();
    assert_eq!(error.kind, Kind::Local);
    assert!(error.message.contains("missing"));
    let file = upload(&mut engine, &local(&dir, "a.txt", b"a"), &Place::root(), Access::Private).await;
    let error = engine.run(Request::Job(Job::Download { file: Item::of(&file), into: missing })).await.0.unwrap_err();
    assert_eq!(error.kind, Kind::Local);
}

#[tokio::test]
async fn what_arrives_damaged_never_gets_the_files_name() {
    let service = Capture::start(|seen, _| match seen.call().as_str() {
        "GET /files/v3/files/7" => Reply::json(
            200,
            &json!({ "id": "7", "archived": false, "size": 5, "fileMd5": "5d41402abc4b2a76b9719d911017c592" }),
        ),
        _ => Reply::Answer(200, vec![], "hellO".to_owned()),
    })
    .await;
    let mut engine = Engine::start(client(&service.url), None);
    let file: File = serde_json::from_value(
        json!({ "id": "7", "name": "a", "size": 5, "fileMd5": "5d41402abc4b2a76b9719d911017c592", "access": "PRIVATE" }),
    )
    .unwrap();
    let dir = tempfile::tempdir().unwrap();
    let request = Request::Job(Job::Download { file: Item::of(&file), into: dir.path().to_owned() });
    assert_eq!(engine.run(request).await.0.unwrap_err().kind, Kind::Decode);
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
}

#[tokio::test]
async fn a_name_from_the_service_cannot_leave_the_target_folder() {
    let evil = json!({ "id": "7", "name": "../../evil", "extension": "sh", "access": "PRIVATE", "size": 1 });
    let file: File = serde_json::from_value(evil.clone()).unwrap();
    let service = Capture::start(move |seen, _| match seen.call().as_str() {
        "GET /files/v3/files/7" => Reply::json(200, &evil),
        _ => Reply::Answer(200, vec![], "x".to_owned()),
    })
    .await;
    let mut engine = Engine::start(client(&service.url), None);
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("target");
    fs::create_dir(&target).unwrap();
    let outcome = engine.outcome(Request::Job(Job::Download { file: Item::of(&file), into: target.clone() })).await;
    assert_eq!(outcome, Outcome::Downloaded { path: target.join(".._.._evil.sh"), bytes: 1 });
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
}

#[tokio::test]
async fn local_names_are_sorted_and_folders_are_marked() {
    let (_service, mut engine, dir) = started().await;
    local(&dir, "b.txt", b"");
    fs::create_dir(dir.path().join("a")).unwrap();
    let folder = dir.path().to_owned();
    let outcome = engine.outcome(Request::LocalNames { folder: folder.clone() }).await;
    assert_eq!(outcome, Outcome::LocalNames { folder, names: vec!["a/".to_owned(), "b.txt".to_owned()] });
}

#[tokio::test]
async fn a_file_is_replaced_in_place_and_keeps_what_it_was_given() {
    let (_service, mut engine, dir) = started().await;
    let (source, into) = (local(&dir, "a.txt", b"old"), Place::root());
    let options = UploadOptions { ttl: Some("P2W".to_owned()), ..options(Access::PublicNotIndexable) };
    let upload = Job::Upload { local: source, into, name: None, options };
    let Outcome::Uploaded { file: before, .. } = engine.outcome(Request::Job(upload)).await else { panic!() };
    let replace = |local: PathBuf| Request::Job(Job::Replace { local, file: Item::of(&before) });
    let Outcome::Replaced(after) = engine.outcome(replace(local(&dir, "b.TXT", b"newer"))).await else { panic!() };
    assert_eq!((&after.id, &after.path, &after.url), (&before.id, &before.path, &before.url));
    assert_eq!((&after.access, after.expires_at), (&before.access, before.expires_at));
    assert_eq!((after.size, after.created_at), (Some(5), before.created_at));
    let error = engine.run(replace(local(&dir, "c.png", b"picture"))).await.0.unwrap_err();
    assert_eq!(error.kind, Kind::Refused);
    assert!(error.message.contains("another extension"), "{error}");
}

#[tokio::test]
async fn deletions_that_are_cancelled_say_what_was_done_and_what_was_not_begun() {
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let mut engine = Engine::start(client(&service.url), None);
    let items: Vec<_> =
        (0..200).map(|id| item(Target::File(FileId::new(id.to_string())), &format!("/{id}.txt"))).collect();
    let op = engine.submit(Request::Job(Job::Delete { items, permanent: false }));
    let outcome = loop {
        match engine.next().await {
            Event::Progress { progress: Progress::Items { done: 3, .. }, .. } => engine.handle.cancel(op),
            Event::Progress { .. } => {}
            Event::Done { result, .. } => break result.unwrap(),
            other => panic!("{other:?}"),
        }
    };
    let Outcome::Deleted { deleted, failed, left } = outcome else { panic!("{outcome:?}") };
    assert!(deleted.len() >= 3 && !left.is_empty(), "{} done, {} left", deleted.len(), left.len());
    assert_eq!((failed, deleted.len() + left.len()), (vec![], 200));
    assert_eq!(service.seen().len(), deleted.len(), "every request that went out is accounted for");
}

#[tokio::test]
async fn what_a_killed_download_left_is_swept_at_the_next_start() {
    let service = TestService::start().await;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.db");
    let target = dir.path().join("target");
    fs::create_dir(&target).unwrap();
    let part = target.join(".a.txt.filedeck-a1B2c3D4.part");
    {
        let killed = Journal::open(&path, "test").await.unwrap();
        killed.begin_transfer("Download of a.txt", Some(&target)).await.unwrap();
        fs::write(&part, b"half").unwrap();
    }
    let journal = Journal::open(&path, "test").await.unwrap();
    let mut engine = Engine::start(client_of(&service, Version::V3), Some(journal));
    let Outcome::Unfinished(unfinished) = engine.outcome(Request::Unfinished).await else { panic!() };
    assert!(matches!(unfinished.as_slice(), [Unfinished::CutShort { what, .. }] if what == "Download of a.txt"));
    assert!(!part.exists());
}
