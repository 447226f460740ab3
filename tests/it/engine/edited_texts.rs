//! Edited texts: their storage from run to run, and the upload of edited text.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::{Duration, SystemTime};

use filedeck::engine::source::FileSource;
use filedeck::engine::text_file::{EditedText, UnsavedEdits};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use super::*;
use filedeck::engine::Answer;
use filedeck::engine::question::{
    ControlQueue, FetchText, FetchedText, ListUnsavedEdits, TakeText,
};

/// The MD5 of `text`.
const MD5: &str = "1cb251ec0d568de6a929b520c4aed8d1";

fn put_a_pipe(local: &Path) {
    fs::remove_file(local).unwrap();
    mkfifo(local, Mode::S_IRUSR | Mode::S_IWUSR).unwrap();
}

fn put_a_link(local: &Path) {
    let other = local.with_extension("secret");
    fs::rename(local, &other).unwrap();
    symlink(other, local).unwrap();
}

fn put_a_link_to_a_pipe(local: &Path) {
    put_a_pipe(local);
    put_a_link(local);
}

fn edited(dir: &TempDir, seen: Option<&str>) -> (PathBuf, Job) {
    let folder = dir.path().join("filedeck-edit-x");
    fs::create_dir(&folder).unwrap();
    let local = folder.join("a.txt");
    fs::write(&local, "text").unwrap();
    let file = item(Target::File(FileId::new("7")), "/a.txt");
    (
        local.clone(),
        Job::Replace {
            source: FileSource::Local(local),
            file,
            seen: seen.map(str::to_owned),
            charset: None,
            access: None,
        },
    )
}

/// A service whose file has this MD5; while it is requested, something else takes the place of the
/// text.
async fn service(md5: &'static str, local: PathBuf, put: fn(&Path)) -> Capture {
    Capture::start(move |seen, _| {
        let file = json!({ "id": "7", "name": "a", "extension": "txt", "archived": false, "fileMd5": md5 });
        if seen.method == "GET" {
            put(&local);
        }
        Reply::json(200, &file)
    })
    .await
}

/// The error of a replacement. One that waits for the other end of a pipe gets it, so that the test
/// ends.
async fn refused(engine: &mut Engine, local: &Path, job: Job) -> filedeck::api::Error {
    let patience = Duration::from_secs(30);
    if let Ok(result) = tokio::time::timeout(patience, engine.carry_out(job)).await {
        return result.unwrap_err();
    }
    let _other_end = fs::OpenOptions::new().read(true).write(true).open(local);
    panic!("it waits for the other end of a pipe");
}

// Seen to wait forever with `tokio::fs::File::open` in either place, and to send the file behind
// the link.
#[rstest]
#[case::a_pipe_when_it_is_sent(MD5, put_a_pipe, "a pipe")]
#[case::a_link_when_it_is_sent(MD5, put_a_link, "a link")]
#[case::a_pipe_when_it_is_compared("ffffffffffffffffffffffffffffffff", put_a_pipe, "a pipe")]
#[case::a_link_when_it_is_compared("ffffffffffffffffffffffffffffffff", put_a_link, "a link")]
#[tokio::test]
async fn what_takes_the_place_of_an_edited_text_is_named_and_not_sent(
    #[case] there: &'static str,
    #[case] put: fn(&Path),
    #[case] named: &str,
) {
    let dir = tempfile::tempdir().unwrap();
    let (local, job) = edited(&dir, Some(MD5));
    let service = service(there, local.clone(), put).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let error = refused(&mut engine, &local, job).await;
    assert!(
        error.message.contains("a.txt") && error.message.contains(named),
        "{error}"
    );
    assert_eq!(
        service
            .calls()
            .iter()
            .filter(|call| call.starts_with("PUT"))
            .count(),
        0
    );
}

#[tokio::test]
async fn a_link_that_was_there_before_is_refused_for_an_edited_text_alone() {
    let (_service, mut engine, dir) = started().await;
    let file = upload(
        &mut engine,
        &local(&dir, "a.txt", b"old"),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    let (local, _) = edited(&dir, None);
    put_a_link(&local);
    let replace = |seen: Option<&String>| Job::Replace {
        source: FileSource::Local(local.clone()),
        file: Item::of(&file),
        seen: seen.cloned(),
        charset: None,
        access: None,
    };
    let error = refused(&mut engine, &local, replace(file.file_md5.as_ref())).await;
    assert!(error.message.contains("a link"), "{error}");
    let Outcome::Replaced(after) = engine.job(replace(None)).await else {
        panic!()
    };
    assert_eq!(after.size, Some(4), "the user has named it");
}

#[rstest]
#[case::a_pipe(put_a_pipe)]
#[case::a_link_to_a_pipe(put_a_link_to_a_pipe)]
#[tokio::test]
async fn a_pipe_that_the_user_names_is_refused_when_it_is_sent(#[case] put: fn(&Path)) {
    let dir = tempfile::tempdir().unwrap();
    let (local, job) = edited(&dir, None);
    let service = service(MD5, local.clone(), put).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let error = refused(&mut engine, &local, job).await;
    assert!(
        error.message.contains("a.txt") && error.message.contains("a pipe"),
        "{error}"
    );
}

struct Kept {
    service: TestService,
    dir: TempDir,
    file: File,
}

impl Kept {
    async fn new() -> Self {
        let (service, mut engine, dir) = started().await;
        let file = upload(
            &mut engine,
            &local(&dir, "a.txt", b"text"),
            &FolderRef::root(),
            Access::Private,
        )
        .await;
        Self { service, dir, file }
    }

    async fn run_of(&self, account: &str) -> Engine {
        let journal = Journal::open(&self.dir.path().join("journal.db"), account)
            .await
            .unwrap();
        Engine::with_journal(client_of(&self.service, Version::V3), journal)
    }

    async fn run(&self) -> Engine {
        self.run_of("test").await
    }

    async fn fetch(&self, engine: &mut Engine) -> EditedText {
        let fetch = Request::FetchText(FetchText {
            file: self.file.id.clone(),
            anew: true,
        });
        let Answer::FetchText(FetchedText::Fetched(text)) = engine.answer(fetch).await else {
            panic!()
        };
        text
    }

    /// The text that an interrupted run left behind.
    async fn left(&self) -> EditedText {
        let mut engine = self.run().await;
        let text = self.fetch(&mut engine).await;
        fs::write(&text.path, "half").unwrap();
        engine.handle.shutdown().await;
        text
    }

    fn replace(&self, text: &EditedText) -> Job {
        let (local, seen) = (text.path.clone(), Some(text.seen.clone()));
        Job::Replace {
            source: FileSource::Local(local),
            file: Item::of(&self.file),
            seen,
            charset: None,
            access: None,
        }
    }

    /// Makes the text look as if it had been given to an editor and saved that long ago.
    fn age(text: &EditedText, given: SignedDuration, saved: SignedDuration) {
        let record = text.path.parent().unwrap().with_added_extension("json");
        let mut told: serde_json::Value =
            serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
        told["given_at"] = json!(text.at - given);
        fs::write(record, told.to_string()).unwrap();
        let saved = SystemTime::now() - saved.unsigned_abs();
        fs::File::options()
            .write(true)
            .open(&text.path)
            .unwrap()
            .set_modified(saved)
            .unwrap();
    }

    fn there(&self) -> usize {
        let entries = fs::read_dir(self.dir.path().join("edits"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        entries
            .filter(|name| name.to_str().unwrap().starts_with("filedeck-edit-"))
            .count()
    }
}

async fn kept(engine: &mut Engine) -> UnsavedEdits {
    let Answer::ListUnsavedEdits(kept) = engine
        .answer(Request::ListUnsavedEdits(ListUnsavedEdits))
        .await
    else {
        panic!()
    };
    kept
}

fn paths(texts: &[EditedText]) -> Vec<&Path> {
    texts.iter().map(|text| text.path.as_path()).collect()
}

#[tokio::test]
async fn a_text_is_its_owners_alone_and_given_to_the_next_run_of_its_account() {
    let world = Kept::new().await;
    let mut engine = world.run().await;
    let text = world.fetch(&mut engine).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = text.path.parent().unwrap();
    assert_eq!(
        (
            mode(&text.path),
            mode(folder),
            mode(folder.parent().unwrap())
        ),
        (0o600, 0o700, 0o700)
    );
    assert_eq!(mode(&folder.with_added_extension("json")), 0o600);

    let mut beside = world.run().await;
    assert_eq!(
        kept(&mut beside).await,
        UnsavedEdits::default(),
        "its editor is open"
    );
    let take = Request::TakeText(TakeText {
        path: text.path.clone(),
    });
    assert!(
        beside
            .run(take.clone())
            .await
            .unwrap_err()
            .message
            .contains("another filedeck is editing it")
    );
    engine.handle.shutdown().await;

    let mut other = world.run_of("other").await;
    assert_eq!(kept(&mut other).await, UnsavedEdits::default());
    let found = kept(&mut beside).await;
    assert_eq!(
        (paths(&found.texts), found.removed),
        (vec![text.path.as_path()], Vec::new())
    );
    assert_eq!(
        (&found.texts[0].file, &found.texts[0].seen),
        (&Item::of(&world.file), &text.seen)
    );
    assert_eq!(Some(&text.seen), world.file.file_md5.as_ref());

    // The text now belongs to the process that edits it.
    assert!(
        matches!(beside.answer(take.clone()).await, Answer::TakeText(taken) if taken.path == text.path)
    );
    let mut third = world.run().await;
    assert_eq!(kept(&mut third).await, UnsavedEdits::default());
    assert!(third.run(take).await.is_err());
}

#[tokio::test]
async fn a_file_whose_text_is_kept_is_not_fetched_unless_that_is_asked_for() {
    let world = Kept::new().await;
    let text = world.left().await;
    let mut engine = world.run().await;
    let fetch = |anew| {
        Request::FetchText(FetchText {
            file: world.file.id.clone(),
            anew,
        })
    };
    let Answer::FetchText(FetchedText::Unsaved(found)) = engine.answer(fetch(false)).await else {
        panic!()
    };
    assert_eq!(paths(&found), [text.path.as_path()]);
    let Answer::FetchText(FetchedText::Fetched(other)) = engine.answer(fetch(true)).await else {
        panic!()
    };
    assert_ne!(other.path, text.path);
    assert_eq!(
        (
            fs::read_to_string(text.path).unwrap(),
            fs::read_to_string(other.path).unwrap()
        ),
        ("half".into(), "text".into())
    );
}

#[rstest]
#[case::not_yet(6, 6, true)]
#[case::saved_since(30, 6, true)]
#[case::opened_since(6, 30, true)]
#[case::old(8, 8, false)]
#[tokio::test]
async fn a_text_goes_after_seven_days(#[case] given: i64, #[case] saved: i64, #[case] stays: bool) {
    let world = Kept::new().await;
    let text = world.left().await;
    let days = |days: i64| SignedDuration::from_hours(24 * days);
    Kept::age(&text, days(given), days(saved));
    // This holds whichever account is opened next.
    let mut other = world.run_of("other").await;
    let removed = kept(&mut other).await.removed;
    assert_eq!(removed.len(), usize::from(!stays));
    assert_eq!(world.there(), if stays { 2 } else { 0 });
    assert_eq!(
        kept(&mut world.run().await).await.texts.len(),
        usize::from(stays)
    );
}

#[tokio::test]
async fn an_old_text_that_is_edited_now_stays() {
    let world = Kept::new().await;
    let mut engine = world.run().await;
    let text = world.fetch(&mut engine).await;
    Kept::age(
        &text,
        SignedDuration::from_hours(24 * 8),
        SignedDuration::from_hours(24 * 8),
    );
    assert_eq!(kept(&mut world.run().await).await, UnsavedEdits::default());
    assert!(text.path.exists());
}

#[tokio::test]
async fn a_text_in_the_queue_is_the_queues() {
    let world = Kept::new().await;
    let text = world.left().await;
    Kept::age(
        &text,
        SignedDuration::from_hours(24 * 8),
        SignedDuration::from_hours(24 * 8),
    );
    let mut engine = world.run().await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let id = engine.queue(vec![world.replace(&text)]).await;
    assert_eq!(kept(&mut engine).await, UnsavedEdits::default());
    engine.handle.shutdown().await;

    let mut engine = world.run().await;
    assert_eq!(
        kept(&mut engine).await,
        UnsavedEdits::default(),
        "it waits for a key"
    );
    assert!(
        engine
            .run(Request::TakeText(TakeText {
                path: text.path.clone()
            }))
            .await
            .is_err()
    );
    Kept::age(&text, SignedDuration::ZERO, SignedDuration::ZERO);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Cancel(id))))
        .await;
    engine.end_of(id, |_, _| {}).await;
    assert_eq!(
        paths(&kept(&mut engine).await.texts),
        [text.path.as_path()],
        "it was not saved back"
    );
}

#[tokio::test]
async fn without_a_journal_a_text_is_edited_in_the_temporary_directory() {
    let (_service, mut engine, dir) = started().await;
    let file = upload(
        &mut engine,
        &local(&dir, "a.txt", b"text"),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    let Answer::FetchText(FetchedText::Fetched(text)) = engine
        .answer(Request::FetchText(FetchText {
            file: file.id,
            anew: false,
        }))
        .await
    else {
        panic!()
    };
    assert!(text.path.starts_with(std::env::temp_dir()));
    assert_eq!(kept(&mut engine).await, UnsavedEdits::default());
    filedeck::engine::text_file::discard(&text.path).unwrap();
    assert!(!text.path.exists());
}

#[tokio::test]
async fn what_a_fetch_that_was_killed_has_left_goes_too() {
    let world = Kept::new().await;
    let text = world.left().await;
    let folder = text.path.parent().unwrap();
    fs::remove_file(folder.with_added_extension("json")).unwrap();
    let mut engine = world.run().await;
    assert_eq!(
        (kept(&mut engine).await, world.there()),
        (UnsavedEdits::default(), 1),
        "another may be fetching it"
    );
    let days_ago = SystemTime::now() - Duration::from_hours(8 * 24);
    fs::File::open(folder)
        .unwrap()
        .set_modified(days_ago)
        .unwrap();
    assert_eq!(
        (kept(&mut engine).await, world.there()),
        (UnsavedEdits::default(), 0)
    );
}
