//! Uploads and downloads.

use crate::support::changed::changed;
use filedeck::engine::job::Room;
use filedeck::engine::sending::Sending;
use filedeck::engine::source::FileSource;

use super::*;

fn fetching(file: &File, into: &TempDir) -> Job {
    Job::Download {
        file: Item::of(file),
        into: into.path().to_owned(),
        name: None,
        room: Room::Beside,
    }
}

fn saved(settled: &Settled) -> String {
    let Ok(Outcome::Downloaded { path, .. }) = &settled.result else {
        panic!("{settled:?}")
    };
    path.file_name().unwrap().to_str().unwrap().to_owned()
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
    let mut engine = Engine::start(client_of(&service, version)).await;
    let dir = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
    let source = local(&dir, "data.bin", &bytes);
    let file = upload(&mut engine, &source, &FolderRef::root(), access).await;
    for expected in ["data (1).bin", "data (2).bin"] {
        let (settled, ended) = engine.settle(vec![fetching(&file, &dir)]).await;
        let all = bytes.len() as u64;
        assert_eq!(
            (saved(&settled[0]), ended.bytes.done, ended.bytes.total),
            (expected.to_owned(), all, Some(all))
        );
        assert!(fs::read(dir.path().join(expected)).unwrap() == bytes);
    }
    let left: Vec<_> = fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[tokio::test]
async fn an_empty_file_goes_up_and_comes_down() {
    let (_service, mut engine, dir) = started().await;
    let file = upload(
        &mut engine,
        &local(&dir, "empty.txt", b""),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    let (settled, _) = engine.settle(vec![fetching(&file, &dir)]).await;
    assert_eq!(saved(&settled[0]), "empty (1).txt");
    assert_eq!(fs::read(dir.path().join("empty (1).txt")).unwrap(), b"");
}

#[tokio::test]
async fn the_encoding_of_a_text_is_the_one_that_is_said() {
    let (_service, mut engine, dir) = started().await;
    let sending = Sending {
        charset: Some("shift_jis".to_owned()),
        ..options(Access::Private).into()
    };
    let (source, into) = (local(&dir, "a.txt", b"plain"), FolderRef::root());
    let upload = Job::Upload {
        source: FileSource::Local(source),
        into,
        name: None,
        options: sending,
        present: false,
        free_at: None,
    };
    let Outcome::Uploaded { file, .. } = engine.job(upload).await else {
        panic!()
    };
    assert_eq!(file.encoding.as_deref(), Some("shift_jis"));
    let charset = Some("windows-1252".to_owned());
    let (local, access) = (
        local(&dir, "b.txt", b"other"),
        Some(Access::PublicIndexable),
    );
    let replace = Job::Replace {
        source: FileSource::Local(local),
        file: Item::of(&file),
        seen: None,
        charset,
        access,
    };
    let Outcome::Replaced(file) = engine.job(replace).await else {
        panic!()
    };
    assert_eq!(
        file.access,
        Some(Access::PublicIndexable),
        "the level that was asked for"
    );
    assert_eq!(file.encoding.as_deref(), Some("windows-1252"));
}

#[tokio::test]
async fn a_name_that_is_left_to_the_service_is_made_of_the_content() {
    let (_service, mut engine, dir) = started().await;
    let sending = Sending {
        unnamed: true,
        ..options(Access::Private).into()
    };
    let (source, into) = (local(&dir, "plan.txt", b"abc"), FolderRef::root());
    let upload = |present| Job::Upload {
        source: FileSource::Local(source.clone()),
        into: into.clone(),
        name: None,
        options: sending.clone(),
        present,
        free_at: None,
    };
    let Outcome::Uploaded { file, .. } = engine.job(upload(false)).await else {
        panic!()
    };
    assert_eq!(file.path.as_deref(), Some("/900150983cd2.txt"));
    let Outcome::Present(again) = engine.job(upload(true)).await else {
        panic!()
    };
    assert_eq!(
        again.id, file.id,
        "the same bytes are known whatever they are called"
    );
}

#[tokio::test]
async fn a_file_is_replaced_in_place_and_keeps_what_it_was_given() {
    let (_service, mut engine, dir) = started().await;
    let (source, into) = (local(&dir, "a.txt", b"old"), FolderRef::root());
    let options = changed(options(Access::PublicNotIndexable), |options| {
        options.ttl = Some("P2W".to_owned());
    })
    .into();
    let upload = Job::Upload {
        source: FileSource::Local(source),
        into,
        name: None,
        options,
        present: false,
        free_at: None,
    };
    let Outcome::Uploaded { file: before, .. } = engine.job(upload).await else {
        panic!()
    };
    let replace = |local: PathBuf| Job::Replace {
        source: FileSource::Local(local),
        file: Item::of(&before),
        seen: None,
        charset: None,
        access: None,
    };
    let Outcome::Replaced(after) = engine.job(replace(local(&dir, "b.TXT", b"newer"))).await else {
        panic!()
    };
    assert_eq!(
        (&after.id, &after.path, &after.url),
        (&before.id, &before.path, &before.url)
    );
    assert_eq!(
        (&after.access, after.expires_at),
        (&before.access, before.expires_at)
    );
    assert_eq!((after.size, after.created_at), (Some(5), before.created_at));
    let Outcome::Replaced(last) = engine.job(replace(local(&dir, "c.tmp", b"last"))).await else {
        panic!()
    };
    assert_eq!(
        (last.full_name(), last.size),
        ("a.txt".to_owned(), Some(4)),
        "the name of the file goes with the bytes"
    );
}

#[tokio::test]
async fn an_unreadable_source_and_an_unwritable_target_are_errors_of_this_machine() {
    let (_service, mut engine, dir) = started().await;
    let missing = dir.path().join("missing");
    let error = engine
        .carry_out(sending(&missing, &FolderRef::root(), Access::Private))
        .await
        .unwrap_err();
    assert_eq!(error.kind, Kind::Local);
    assert!(error.message.contains("missing"));
    let file = upload(
        &mut engine,
        &local(&dir, "a.txt", b"a"),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    let error = engine
        .carry_out(Job::Download {
            file: Item::of(&file),
            into: missing,
            name: None,
            room: Room::Beside,
        })
        .await
        .unwrap_err();
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
    let mut engine = Engine::start(client(&service.url)).await;
    let file: File = serde_json::from_value(
        json!({ "id": "7", "name": "a", "size": 5, "fileMd5": "5d41402abc4b2a76b9719d911017c592", "access": "PRIVATE" }),
    )
    .unwrap();
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(
        engine
            .carry_out(fetching(&file, &dir))
            .await
            .unwrap_err()
            .kind,
        Kind::Decode
    );
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
}

#[tokio::test]
async fn a_file_that_has_grown_since_it_was_listed_is_saved_whole() {
    let (_service, mut engine, dir) = started().await;
    let bytes: Vec<u8> = (0..1_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let before = &bytes[..1_000_000];
    let listed = upload(
        &mut engine,
        &local(&dir, "a.bin", before),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    let local = local(&dir, "b.bin", &bytes);
    let replace = Job::Replace {
        source: FileSource::Local(local),
        file: Item::of(&listed),
        seen: None,
        charset: None,
        access: None,
    };
    let Outcome::Replaced(_) = engine.job(replace).await else {
        panic!()
    };
    let (settled, _) = engine.settle(vec![fetching(&listed, &dir)]).await;
    assert!(fs::read(dir.path().join(saved(&settled[0]))).unwrap() == bytes);
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
    let mut engine = Engine::start(client(&service.url)).await;
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("target");
    fs::create_dir(&target).unwrap();
    let (settled, _) = engine
        .settle(vec![Job::Download {
            file: Item::of(&file),
            into: target.clone(),
            name: None,
            room: Room::Beside,
        }])
        .await;
    assert_eq!(saved(&settled[0]), "..／..／evil.sh");
    assert_eq!(fs::read(target.join("..／..／evil.sh")).unwrap(), b"x");
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
}
