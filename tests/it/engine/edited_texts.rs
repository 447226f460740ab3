//! Texts that an editor gave back: what is sent of them.

use std::os::unix::fs::symlink;

use rustix::fs::{CWD, Mode, mkfifoat};

use super::*;

/// Of `text`.
const MD5: &str = "1cb251ec0d568de6a929b520c4aed8d1";

/// What others put in the place of a local file.
fn put_a_pipe(local: &Path) {
    fs::remove_file(local).unwrap();
    mkfifoat(CWD, local, Mode::RUSR | Mode::WUSR).unwrap();
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

/// A text in a folder for texts that are edited, and the job that puts it in its place.
fn edited(dir: &TempDir, seen: Option<&str>) -> (PathBuf, Job) {
    let folder = dir.path().join("filedeck-edit-x");
    fs::create_dir(&folder).unwrap();
    let local = folder.join("a.txt");
    fs::write(&local, "text").unwrap();
    let file = item(Target::File(FileId::new("7")), "/a.txt");
    (local.clone(), Job::Replace { local, file, seen: seen.map(str::to_owned), charset: None })
}

/// A service whose file has this content, which is asked for while somebody puts something else in the place of the text.
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

/// What became of a replacement. One that waits for the other end of a pipe gets it, so that the test ends.
async fn refused(engine: &mut Engine, local: &Path, job: Job) -> filedeck::api::Error {
    let patience = std::time::Duration::from_secs(30);
    match tokio::time::timeout(patience, engine.carry_out(job)).await {
        Ok(result) => result.unwrap_err(),
        Err(_) => {
            let _other_end = fs::OpenOptions::new().read(true).write(true).open(local);
            panic!("it waits for the other end of a pipe");
        }
    }
}

// Seen to wait for good with `tokio::fs::File::open` in either place, and to send what is behind the link.
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
    assert!(error.message.contains("a.txt") && error.message.contains(named), "{error}");
    assert_eq!(service.calls().iter().filter(|call| call.starts_with("PUT")).count(), 0);
}

#[tokio::test]
async fn a_link_that_was_there_before_is_refused_for_an_edited_text_alone() {
    let (_service, mut engine, dir) = started().await;
    let file = upload(&mut engine, &local(&dir, "a.txt", b"old"), &Place::root(), Access::Private).await;
    let (local, _) = edited(&dir, None);
    put_a_link(&local);
    let replace = |seen: Option<&String>| Job::Replace {
        local: local.clone(),
        file: Item::of(&file),
        seen: seen.cloned(),
        charset: None,
    };
    let error = refused(&mut engine, &local, replace(file.file_md5.as_ref())).await;
    assert!(error.message.contains("a link"), "{error}");
    let Outcome::Replaced(after) = engine.job(replace(None)).await else { panic!() };
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
    assert!(error.message.contains("a.txt") && error.message.contains("a pipe"), "{error}");
}
