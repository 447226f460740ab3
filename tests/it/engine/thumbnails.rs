//! Thumbnails kept on the disk: when the service is asked, and what clears them.

use filedeck::engine::preview::{Picture, Preview, PreviewTarget};
use filedeck::engine::question::{ClearThumbnails, GetPreview};

use super::proxied::World;
use super::*;
use crate::support::changed::changed;
use crate::support::pictures::picture;
use crate::support::proxy::Calls;

async fn look(engine: &mut Engine, file: &File, is_thumbnail: bool) -> Preview {
    let subject = PreviewTarget::File(Box::new(file.clone()));
    match engine
        .answer(Request::GetPreview(GetPreview {
            subject,
            room: (96, 96),
            is_thumbnail,
            page: 0,
        }))
        .await
    {
        Answer::GetPreview(preview) => preview,
        other => panic!("{other:?}"),
    }
}

async fn seen(world: &World, engine: &mut Engine, name: &str) -> File {
    let file = upload(
        engine,
        &local(&world.dir, name, &picture()),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    let shown = look(engine, &file, true).await;
    assert!(
        matches!(
            shown,
            Preview::Picture(Picture {
                width: 96,
                height: 48,
                ..
            })
        ),
        "{shown:?}"
    );
    file
}

fn requests(world: &World) -> usize {
    world.proxy.count(Calls::all())
}

fn on_disk(world: &World) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(world.dir.path().join("thumbnails")) else {
        return Vec::new();
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

async fn clear(engine: &mut Engine) -> u64 {
    match engine
        .answer(Request::ClearThumbnails(ClearThumbnails))
        .await
    {
        Answer::ClearThumbnails(freed) => freed,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_picture_is_fetched_once_and_again_when_its_file_has_changed() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    let file = seen(&world, &mut engine, "a.png").await;
    let first = look(&mut engine, &file, true).await;
    let before = requests(&world);
    assert_eq!(look(&mut engine, &file, true).await, first);
    assert_eq!(requests(&world), before);
    let mut later = world.engine().await;
    assert_eq!(look(&mut later, &file, true).await, first);
    assert_eq!(requests(&world), before, "nor does a later run ask");

    let changed_at = file.updated_at.unwrap() + SignedDuration::from_secs(1);
    let changed = changed(file, |file| file.updated_at = Some(changed_at));
    assert_eq!(look(&mut engine, &changed, true).await, first);
    assert!(requests(&world) > before);
}

/// A JPEG with Exif data, which names its camera.
fn photo() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(40, 20)
        .write_to(&mut bytes, image::ImageFormat::Jpeg)
        .unwrap();
    let entry = b"\x01\x0f\0\x02\0\0\0\x05\0\0\0\x1a";
    let facts = [
        b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01".as_slice(),
        entry,
        b"\0\0\0\0Acme\0",
    ]
    .concat();
    let length = u16::try_from(facts.len() + 2).unwrap().to_be_bytes();
    [
        b"\xff\xd8\xff\xe1".as_slice(),
        &length,
        &facts,
        &bytes.into_inner()[2..],
    ]
    .concat()
}

// Seen to fail: the cell of the grid was empty.
#[tokio::test]
async fn of_a_photo_a_grid_gets_the_picture_alone() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    let file = upload(
        &mut engine,
        &local(&world.dir, "a.jpg", &photo()),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    assert!(matches!(
        look(&mut engine, &file, false).await,
        Preview::Photo(_)
    ));
    for _ in 0..2 {
        assert!(matches!(
            look(&mut engine, &file, true).await,
            Preview::Picture(_)
        ));
    }
}

#[tokio::test]
async fn details_and_a_run_without_a_journal_keep_nothing() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    let file = upload(
        &mut engine,
        &local(&world.dir, "a.png", &picture()),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    look(&mut engine, &file, false).await;
    let before = requests(&world);
    look(&mut engine, &file, false).await;
    assert!(requests(&world) > before);
    let mut engine = Engine::start(client_of(&world.service, Version::V3)).await;
    look(&mut engine, &file, true).await;
    assert_eq!(on_disk(&world).len(), 0);
}

#[tokio::test]
async fn a_damaged_thumbnail_is_fetched_again() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    let file = seen(&world, &mut engine, "a.png").await;
    let [kept] = on_disk(&world).try_into().unwrap();
    fs::write(&kept, b"<html>").unwrap();
    let before = requests(&world);
    assert!(matches!(
        look(&mut engine, &file, true).await,
        Preview::Picture(_)
    ));
    assert!(requests(&world) > before);
    assert!(fs::read(&kept).unwrap().starts_with(b"\x89PNG"));
}

#[tokio::test]
async fn a_permanent_deletion_clears_the_thumbnails_of_its_file_and_the_kept_names() {
    let world = World::new().await;
    let (mut engine, journal) = (world.engine().await, world.journal().await);
    let (gone, stays) = (
        seen(&world, &mut engine, "a.png").await,
        seen(&world, &mut engine, "b.png").await,
    );
    journal.keep_names("/".to_owned(), vec!["a.png".to_owned()], journal.changes());
    let names = world.dir.path().join("folder-names.json");
    assert!(names.exists());
    assert_eq!(on_disk(&world).len(), 2);
    engine
        .job(Job::Delete {
            item: Item::of(&gone),
            permanent: true,
            state: None,
        })
        .await;
    assert!(!names.exists());
    assert_eq!(on_disk(&world).len(), 1);
    let before = requests(&world);
    look(&mut engine, &stays, true).await;
    assert_eq!(requests(&world), before);
}

#[tokio::test]
async fn clearing_says_how_much_it_freed_and_leaves_nothing() {
    let world = World::new().await;
    let (mut engine, journal) = (world.engine().await, world.journal().await);
    let file = seen(&world, &mut engine, "a.png").await;
    journal.keep_names("/".to_owned(), vec!["a.png".to_owned()], journal.changes());
    let names = world.dir.path().join("folder-names.json");
    let size = |path: &Path| fs::metadata(path).unwrap().len();
    let kept = on_disk(&world).iter().map(|path| size(path)).sum::<u64>() + size(&names);
    assert_eq!(clear(&mut engine).await, kept);
    assert_eq!((on_disk(&world).len(), names.exists()), (0, false));
    assert_eq!(clear(&mut engine).await, 0);
    let before = requests(&world);
    look(&mut engine, &file, true).await;
    assert!(requests(&world) > before);
}
