//! Searches over the whole account.

use filedeck::api::ServiceTime;
use filedeck::engine::Query;
use filedeck::engine::message::{Collection, SortKey};
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use rstest::rstest;

use super::{
    Access, Capture, Cursor, Engine, Entry, Event, File, FileUpdate, FolderRef, Item, Job, Kind,
    Reply, Request, Sort, Target, TempDir, TestService, client, json, local, names, new_folder,
    started, upload,
};
use crate::support::changed::changed;
use crate::support::items::Items;
use filedeck::engine::Answer;
use filedeck::engine::question::{
    List, ListAll, ListNames, ListPage, Locate, Located, Refresh, Refreshed,
};

fn found(line: &str) -> Collection {
    let now = ServiceTime::new(
        "2026-11-21T09:00:00Z".parse().unwrap(),
        SignedDuration::ZERO,
    );
    Collection::Found(Query::read(line, now, &TimeZone::UTC).unwrap())
}

async fn page(
    engine: &mut Engine,
    line: &str,
    after: Option<Cursor>,
) -> (Vec<Entry>, Option<Cursor>) {
    match engine
        .answer(Request::List(List {
            of: found(line),
            sort: Sort::default(),
            after,
        }))
        .await
    {
        Answer::List(ListPage { entries, next }) => (entries, next),
        other => panic!("{other:?}"),
    }
}

/// `/logos` with `logo.png`, private, and `logo old.txt`, unlisted; `/logo.txt`, public, with the
/// bytes of the latter.
async fn library() -> (TestService, Engine, TempDir, Vec<File>) {
    let (service, mut engine, dir) = started().await;
    let logos = new_folder(&mut engine, &FolderRef::root(), "logos").await;
    let mut files = Vec::new();
    for (name, bytes, place, access) in [
        (
            "logo.png",
            b"\x89PNG\r\n\x1a\n more".as_slice(),
            &logos,
            Access::Private,
        ),
        ("logo old.txt", b"same", &logos, Access::PublicNotIndexable),
        (
            "logo.txt",
            b"same",
            &FolderRef::root(),
            Access::PublicIndexable,
        ),
        ("notes.txt", b"other", &FolderRef::root(), Access::Private),
    ] {
        service.clock.advance(SignedDuration::from_secs(1));
        files.push(upload(&mut engine, &local(&dir, name, bytes), place, access).await);
    }
    (service, engine, dir, files)
}

#[rstest]
#[case::a_name("logo", &["logos/", "logo.png", "logo.txt", "logo old.txt"])]
#[case::a_name_with_extension("logo.txt", &["logo.txt"])]
#[case::two_parts("logo old", &["logo old.txt"])]
#[case::longer_than_the_service_takes("\"logo old, and far too long\"", &[])]
#[case::files_only("logo is:file", &["logo.png", "logo.txt", "logo old.txt"])]
#[case::folders_only("is:folder", &["logos/"])]
#[case::below_a_folder("in:/logos", &["logo.png", "logo old.txt"])]
#[case::public("access:public", &["logo.txt"])]
#[case::unlisted("access:unlisted", &["logo old.txt"])]
#[case::private("access:private", &["logo.png", "notes.txt"])]
#[case::not_private("logo !access:private", &["logo old.txt", "logo.txt"])]
#[case::several("ext:png,gif", &["logo.png"])]
#[case::left_out("!logo !in:/logos", &["notes.txt"])]
#[case::extension_and_size("ext:txt size:>4", &["notes.txt"])]
#[case::nothing("updated:>1y", &[])]
#[tokio::test]
async fn a_search_finds_what_its_line_says(#[case] line: &str, #[case] expected: &[&str]) {
    let (_service, mut engine, _dir, _) = library().await;
    let (entries, next) = page(&mut engine, line, None).await;
    let (mut names, mut expected) = (names(&entries), expected.to_vec());
    names.sort();
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(next, None);
}

#[rstest]
#[case::below_it("in:/nowhere")]
#[case::outside_of_it("logo !in:/nowhere")]
#[case::in_letters_of_another_form("in:/nöwhere")]
#[case::a_file("in:/logo.txt")]
#[tokio::test]
async fn a_folder_that_does_not_exist_is_not_taken_for_an_empty_one(#[case] line: &str) {
    let (_service, mut engine, _dir, _) = library().await;
    for request in [
        Request::List(List {
            of: found(line),
            sort: Sort::default(),
            after: None,
        }),
        Request::ListAll(ListAll { of: found(line) }),
    ] {
        let error = engine.run(request).await.unwrap_err();
        assert_eq!(error.kind, Kind::NotFound);
        assert!(error.message.starts_with("There is no folder /"), "{error}");
    }
}

#[rstest]
#[case::name(SortKey::Name, ["logo.png", "logo.txt", "logo old.txt", "notes.txt"])]
#[case::size(SortKey::Size, ["logo old.txt", "logo.txt", "notes.txt", "logo.png"])]
#[case::kind(SortKey::Kind, ["logo old.txt", "logo.txt", "notes.txt", "logo.png"])]
#[case::created(SortKey::Created, ["logo.png", "logo old.txt", "logo.txt", "notes.txt"])]
#[case::updated(SortKey::Updated, ["notes.txt", "logo.txt", "logo old.txt", "logo.png"])]
#[tokio::test]
async fn each_order_of_the_service_is_kept(#[case] key: SortKey, #[case] mut expected: [&str; 4]) {
    let (service, mut engine, _dir, files) = library().await;
    // The last one created is the first one updated.
    for file in files.iter().rev() {
        service.clock.advance(SignedDuration::from_secs(1));
        let update = Box::new(changed(FileUpdate::default(), |update| {
            update.is_usable_in_content = Some(false);
        }));
        engine
            .job(Job::Change {
                file: Item::of(file),
                update,
                seen: None,
            })
            .await;
    }
    for descending in [false, true] {
        let request = Request::List(List {
            of: found("is:file"),
            sort: Sort { key, descending },
            after: None,
        });
        let Answer::List(ListPage { entries, .. }) = engine.answer(request).await else {
            panic!()
        };
        assert_eq!(names(&entries), expected, "descending: {descending}");
        expected.reverse();
    }
}

#[tokio::test]
async fn what_is_looked_at_again_may_be_found_no_more() {
    let (_service, mut engine, _dir, files) = library().await;
    let targets: Vec<Target> = files
        .iter()
        .map(|file| Target::File(file.id.clone()))
        .collect();
    let request = Request::Refresh(Refresh {
        of: found("logo access:public"),
        targets: targets.clone(),
        newest: None,
    });
    let Answer::Refresh(Refreshed { found, gone }) = engine.answer(request).await else {
        panic!()
    };
    assert_eq!(names(&found), ["logo.txt"]);
    assert_eq!(gone.len(), targets.len() - 1);
}

async fn all(engine: &mut Engine, line: &str) -> Vec<Entry> {
    let op = engine.submit(Request::ListAll(ListAll { of: found(line) }));
    let mut entries = Vec::new();
    loop {
        match engine.next().await {
            Event::Part {
                op: of,
                entries: part,
            } if of == op => entries.extend(part),
            Event::Done { op: of, result } if of == op => {
                assert_eq!(result, Ok(Answer::ListAll(())));
                return entries;
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_search_can_be_read_whole() {
    let (_service, mut engine, _dir, _) = library().await;
    assert_eq!(
        names(&all(&mut engine, "logo").await),
        ["logos/", "logo.png", "logo old.txt", "logo.txt"]
    );
}

#[tokio::test]
async fn duplicates_are_files_of_the_same_content_wherever_they_are() {
    let (_service, mut engine, _dir, _) = library().await;
    let mut names = names(&all(&mut engine, "is:duplicate").await);
    names.sort();
    assert_eq!(names, ["logo old.txt", "logo.txt"]);
}

#[tokio::test]
async fn an_id_is_a_files_or_a_folders() {
    let (_service, mut engine, _dir, files) = library().await;
    let located = engine
        .answer(Request::Locate(Locate::Id(files[0].id.to_string())))
        .await;
    assert!(
        matches!(&located, Answer::Locate(Located::Entry(Entry::File(file))) if file.full_name() == "logo.png"),
        "{located:?}"
    );
    let folder = files[0].parent_folder_id.clone().unwrap();
    for request in [
        Request::Locate(Locate::Id(folder.to_string())),
        Request::Locate(Locate::Folder(folder)),
    ] {
        let located = engine.answer(request).await;
        assert!(
            matches!(&located, Answer::Locate(Located::Entry(Entry::Folder(folder))) if folder.full_name() == "logos")
        );
    }
    let error = engine
        .run(Request::Locate(Locate::Id("999".to_owned())))
        .await
        .unwrap_err();
    assert_eq!(error.kind, Kind::NotFound);
}

#[tokio::test]
async fn names_of_a_folder_are_all_its_folders_and_first_files() {
    let (_service, mut engine, _dir, _) = library().await;
    for (path, expected) in [
        ("/", ["logos/", "logo.txt", "notes.txt"].as_slice()),
        ("/logos/", &["logo.png", "logo old.txt"]),
    ] {
        let Answer::ListNames(mut names) = engine
            .answer(Request::ListNames(ListNames {
                path: path.to_owned(),
            }))
            .await
        else {
            panic!()
        };
        let mut expected = expected.to_vec();
        names.sort();
        expected.sort_unstable();
        assert_eq!(names, expected, "{path}");
    }
}

#[tokio::test]
async fn a_page_without_anything_that_fits_says_where_it_goes_on() {
    let service = Capture::start(|seen, _| {
        let item = |id: usize| {
            let access = if id == 250 { "PUBLIC_INDEXABLE" } else { "PUBLIC_NOT_INDEXABLE" };
            json!({ "id": id.to_string(), "name": format!("{id:03}"), "path": format!("/a/{id:03}"), "access": access })
        };
        if seen.call().ends_with("/files/search") {
            Items::new((1..=250).map(item)).search(seen)
        } else {
            Reply::json(200, &json!({ "results": [] }))
        }
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let (entries, next) = page(&mut engine, "access:public", None).await;
    assert_eq!(
        (
            entries.len(),
            next.as_ref().map(|next| next.position.offset)
        ),
        (0, Some(100))
    );
    let (entries, next) = page(&mut engine, "access:public", next).await;
    assert_eq!(
        (
            entries.len(),
            next.as_ref().map(|next| next.position.offset)
        ),
        (0, Some(200))
    );
    let (entries, next) = page(&mut engine, "access:public", next).await;
    assert_eq!((names(&entries), next), (vec!["250".to_owned()], None));
    assert!(
        service
            .seen()
            .iter()
            .all(|seen| !seen.call().contains("/folders/")),
        "folders have no access level"
    );
}

#[tokio::test]
async fn a_service_that_ignores_the_search_is_not_believed() {
    let service = Capture::start(|seen, _| {
        let item = |id: usize| json!({ "id": id.to_string(), "name": format!("f{id}"), "path": format!("/a/f{id}") });
        Items::new((1..=3).map(item)).search(seen)
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    assert_eq!(
        names(&page(&mut engine, "f2 is:file", None).await.0),
        ["f2"]
    );
}
