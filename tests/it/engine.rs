//! Requests in, events out, against the real service: what a user would see on the screen and on the disk.

use std::fs;
use std::path::{Path, PathBuf};

use filedeck::api::ids::{FileId, FolderId};
use filedeck::api::model::{Access, File, FileUpdate, Folder, ImportRequest, UploadOptions};
use filedeck::api::{Kind, Version};
use filedeck::engine::batch::{BatchState, Hold};
use filedeck::engine::message::{Cursor, Entry, FolderRef, Sort, Target};
use filedeck::engine::{
    Batch, BatchId, Control, Event, Item, Job, Journal, OpId, Outcome, Request, SessionId, Settled,
};
use filedeck::service::fetch::AllowedNetwork;
use jiff::{SignedDuration, Timestamp};
use rstest::rstest;
use serde_json::json;
use tempfile::TempDir;

use crate::support::account::{Engine, client, client_of};
use crate::support::capture::{Capture, Reply};
use crate::support::service::TestService;
use crate::support::web::Web;
use filedeck::engine::Answer;
use filedeck::engine::question::{
    EntryOrRoot, GetFile, List, ListFolders, ListLocalFolder, ListPage, Locate, ReadAddresses,
};

mod archives;
mod comparison;
mod documents;
mod edit;
#[cfg(unix)]
mod edited_texts;
mod folder_deletions;
mod folder_names;
mod folder_size;
mod folders;
mod hostile_pictures;
mod items;
mod limits;
mod list_all;
mod listing;
mod lost_answers;
mod media;
mod plans;
mod preview;
mod proxied;
mod queue;
mod restart;
mod search;
mod shared_budget;
mod shared_names;
mod thumbnails;
mod transfer;
mod watch;

fn options(access: Access) -> UploadOptions {
    UploadOptions::new(access)
}

async fn started() -> (TestService, Engine, TempDir) {
    let service = TestService::start().await;
    let engine = Engine::start(client_of(&service, Version::V3)).await;
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

fn sending(local: &Path, into: &FolderRef, access: Access) -> Job {
    Job::Upload {
        local: local.to_owned(),
        into: into.clone(),
        name: None,
        options: options(access).into(),
        present: false,
        free_at: None,
    }
}

fn deletion(id: &str) -> Job {
    Job::Delete { item: item(Target::File(FileId::new(id)), &format!("/{id}.txt")), permanent: false }
}

async fn new_folder(engine: &mut Engine, parent: &FolderRef, name: &str) -> FolderRef {
    match engine.job(Job::CreateFolder { parent: parent.clone(), name: name.to_owned() }).await {
        Outcome::FolderCreated(Folder { id, path, .. }) => FolderRef { id: Some(id), path: path.unwrap() },
        other => panic!("{other:?}"),
    }
}

async fn upload(engine: &mut Engine, local: &Path, into: &FolderRef, access: Access) -> File {
    match engine.job(sending(local, into, access)).await {
        Outcome::Uploaded { file, .. } => *file,
        other => panic!("{other:?}"),
    }
}

async fn list(engine: &mut Engine, place: &FolderRef, after: Option<Cursor>) -> (Vec<Entry>, Option<Cursor>) {
    match engine.answer(Request::List(List { of: place.clone().into(), sort: Sort::default(), after })).await {
        Answer::List(ListPage { entries, next }) => (entries, next),
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

#[tokio::test]
async fn a_listing_has_the_folders_first_and_root_is_no_exception() {
    let (_service, mut engine, dir) = started().await;
    let source = local(&dir, "b.txt", b"b");
    let docs = new_folder(&mut engine, &FolderRef::root(), "docs").await;
    upload(&mut engine, &source, &FolderRef::root(), Access::Private).await;
    upload(&mut engine, &source, &docs, Access::Private).await;
    new_folder(&mut engine, &docs, "deep/er").await;
    assert_eq!(names(&list(&mut engine, &FolderRef::root(), None).await.0), ["docs/", "b.txt"]);
    assert_eq!(names(&list(&mut engine, &docs, None).await.0), ["deep/", "b.txt"]);
    let Answer::ListFolders(folders) = engine.answer(Request::ListFolders(ListFolders { place: docs })).await else {
        panic!()
    };
    assert_eq!(folders.iter().map(Folder::full_name).collect::<Vec<_>>(), ["deep"]);
}

#[tokio::test]
async fn a_path_is_located_as_folder_file_root_or_nothing() {
    let (_service, mut engine, dir) = started().await;
    let docs = new_folder(&mut engine, &FolderRef::root(), "123").await;
    upload(&mut engine, &local(&dir, "a b.txt", b"b"), &docs, Access::Private).await;
    let mut locate = async |path: &str| engine.run(Request::Locate(Locate::Path(path.to_owned()))).await;
    assert_eq!(locate("/").await, Ok(Answer::Locate(EntryOrRoot::Root)));
    assert!(matches!(locate("/123").await, Ok(Answer::Locate(EntryOrRoot::Entry(Entry::Folder(_))))));
    assert!(matches!(locate("/123/a b.txt").await, Ok(Answer::Locate(EntryOrRoot::Entry(Entry::File(_))))));
    assert_eq!(locate("/123/none").await.unwrap_err().kind, Kind::NotFound);
}

#[tokio::test]
async fn a_cancelled_operation_says_so_and_its_queue_goes_on() {
    let silent = Capture::start(|seen, _| match seen.target.as_str() {
        "/files/v3/files/9" => Reply::json(200, &json!({ "id": "9", "archived": false })),
        _ => Reply::Silence,
    })
    .await;
    let mut engine = Engine::start(client(&silent.url)).await;
    // More than run at once, so that some are cancelled while they wait.
    let stuck: Vec<_> = (0..20).map(|_| engine.submit(Request::GetFile(GetFile { file: FileId::new("1") }))).collect();
    let last = engine.submit(Request::GetFile(GetFile { file: FileId::new("9") }));
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
async fn local_names_are_sorted_and_folders_are_marked() {
    let (_service, mut engine, dir) = started().await;
    local(&dir, "b.txt", b"abc");
    fs::create_dir(dir.path().join("a")).unwrap();
    let folder = dir.path().to_owned();
    let outcome = engine.answer(Request::ListLocalFolder(ListLocalFolder { folder: folder.clone() })).await;
    let Answer::ListLocalFolder(entries) = outcome else { panic!("{outcome:?}") };
    let facts: Vec<_> = entries.iter().map(|entry| (entry.typed().unwrap(), entry.size)).collect();
    assert_eq!(facts, [("a/".to_owned(), None), ("b.txt".to_owned(), Some(3))]);
    assert!(entries.iter().all(|entry| entry.updated_at.is_some()));
}

#[tokio::test]
async fn a_list_of_addresses_is_read_without_comments_and_blank_lines() {
    let (_service, mut engine, dir) = started().await;
    let path = local(
        &dir,
        "list.txt",
        b"\xef\xbb\xbf# pictures\r\nhttps://a.example/1.png\r\n\r\n  https://a.example/2.png\n",
    );
    let outcome = engine.answer(Request::ReadAddresses(ReadAddresses { path })).await;
    let expected = ["https://a.example/1.png", "https://a.example/2.png"].map(str::to_owned).to_vec();
    assert_eq!(outcome, Answer::ReadAddresses(expected));
    let path = local(&dir, "large.txt", &vec![b'x'; (1 << 20) + 1]);
    let refused = engine.run(Request::ReadAddresses(ReadAddresses { path })).await.unwrap_err();
    assert!(refused.message.contains("large.txt"), "{refused:?}");
}
