//! Requests in, events out, against the real service: the effects that a user would see on the
//! screen and on the disk.

pub use std::fs;
pub use std::path::{Path, PathBuf};

pub use filedeck::api::ids::{FileId, FolderId};
pub use filedeck::api::model::{Access, File, FileUpdate, Folder, ImportRequest, UploadOptions};
pub use filedeck::api::{Kind, Version};
pub use filedeck::engine::batch::{BatchState, Hold};
pub use filedeck::engine::message::{Cursor, Entry, FolderRef, Sort, Target};
pub use filedeck::engine::source::FileSource;
pub use filedeck::engine::{
    Batch, BatchId, Control, Event, Item, Job, Journal, OpId, Outcome, Request, SessionId, Settled,
};
#[cfg(feature = "service")]
pub use filedeck::service::network::Network;
pub use jiff::{SignedDuration, Timestamp};
pub use rstest::rstest;
pub use serde_json::json;
pub use tempfile::TempDir;

#[cfg(feature = "service")]
pub use crate::support::account::client_of;
pub use crate::support::account::{Engine, client};
pub use crate::support::capture::{Capture, Reply};
#[cfg(feature = "service")]
pub use crate::support::service::TestService;
#[cfg(feature = "service")]
pub use crate::support::web::Web;
pub use filedeck::engine::Answer;
pub use filedeck::engine::question::{
    GetFile, List, ListFolders, ListLocalFolder, ListPage, Locate, Located, ReadAddresses,
};

#[cfg(feature = "service")]
mod archives;
#[cfg(feature = "service")]
mod basics;
#[cfg(feature = "service")]
mod changed_meanwhile;
#[cfg(feature = "service")]
mod changing_sources;
#[cfg(feature = "service")]
mod comparison;
#[cfg(feature = "service")]
mod documents;
#[cfg(feature = "service")]
mod edit;
#[cfg(all(unix, feature = "service"))]
mod edited_texts;
#[cfg(feature = "service")]
mod folder_deletions;
#[cfg(feature = "service")]
mod folder_names;
#[cfg(feature = "service")]
mod folder_size;
#[cfg(feature = "service")]
mod folders;
#[cfg(feature = "service")]
mod items;
#[cfg(feature = "service")]
mod limits;
mod list_all;
#[cfg(feature = "service")]
mod listing;
#[cfg(feature = "service")]
mod lost_answers;
#[cfg(feature = "service")]
mod media;
mod name_form;
#[cfg(feature = "service")]
mod plans;
#[cfg(feature = "service")]
mod preview;
#[cfg(feature = "service")]
mod proxied;
#[cfg(feature = "service")]
mod queue;
#[cfg(feature = "service")]
mod restart;
#[cfg(feature = "service")]
mod search;
mod shared_budget;
#[cfg(feature = "service")]
mod shared_names;
#[cfg(feature = "service")]
mod thumbnails;
#[cfg(feature = "service")]
mod transfer;
#[cfg(feature = "service")]
mod watch;

pub fn options(access: Access) -> UploadOptions {
    UploadOptions::new(access)
}

#[cfg(feature = "service")]
pub async fn started() -> (TestService, Engine, TempDir) {
    let service = TestService::start().await;
    let engine = Engine::start(client_of(&service, Version::V3)).await;
    (service, engine, tempfile::tempdir().unwrap())
}

pub fn local(dir: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

pub fn item(target: Target, path: &str) -> Item {
    Item {
        target,
        path: path.to_owned(),
        name: path.rsplit_once('/').unwrap().1.to_owned(),
        size: None,
        md5: None,
    }
}

pub fn sending(local: &Path, into: &FolderRef, access: Access) -> Job {
    Job::Upload {
        source: FileSource::Local(local.to_owned()),
        into: into.clone(),
        name: None,
        options: options(access).into(),
        present: false,
        free_at: None,
    }
}

pub fn deletion(id: &str) -> Job {
    Job::Delete {
        item: item(Target::File(FileId::new(id)), &format!("/{id}.txt")),
        permanent: false,
        state: None,
    }
}

pub async fn new_folder(engine: &mut Engine, parent: &FolderRef, name: &str) -> FolderRef {
    match engine
        .job(Job::CreateFolder {
            parent: parent.clone(),
            name: name.to_owned(),
        })
        .await
    {
        Outcome::FolderCreated(Folder { id, path, .. }) => FolderRef {
            id: Some(id),
            path: path.unwrap(),
        },
        other => panic!("{other:?}"),
    }
}

pub async fn upload(engine: &mut Engine, local: &Path, into: &FolderRef, access: Access) -> File {
    match engine.job(sending(local, into, access)).await {
        Outcome::Uploaded { file, .. } => *file,
        other => panic!("{other:?}"),
    }
}

pub async fn list(
    engine: &mut Engine,
    place: &FolderRef,
    after: Option<Cursor>,
) -> (Vec<Entry>, Option<Cursor>) {
    match engine
        .answer(Request::List(List {
            of: place.clone().into(),
            sort: Sort::default(),
            after,
        }))
        .await
    {
        Answer::List(ListPage { entries, next }) => (entries, next),
        other => panic!("{other:?}"),
    }
}

pub fn names(entries: &[Entry]) -> Vec<String> {
    let name = |entry: &Entry| match entry {
        Entry::Folder(folder) => folder.full_name() + "/",
        Entry::File(file) => file.full_name(),
    };
    entries.iter().map(name).collect()
}

#[tokio::test]
async fn a_cancelled_operation_says_so_and_its_queue_goes_on() {
    let silent = Capture::start(|seen, _| match seen.target.as_str() {
        "/files/v3/files/9" => Reply::json(200, &json!({ "id": "9", "archived": false })),
        _ => Reply::Silence,
    })
    .await;
    let mut engine = Engine::start(client(&silent.url)).await;
    // More than run at once, so that some are cancelled while they are queued.
    let stuck: Vec<_> = (0..20)
        .map(|_| {
            engine.submit(Request::GetFile(GetFile {
                file: FileId::new("1"),
            }))
        })
        .collect();
    let last = engine.submit(Request::GetFile(GetFile {
        file: FileId::new("9"),
    }));
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
