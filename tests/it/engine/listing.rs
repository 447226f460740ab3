//! Listings of services that are large, or that filter incorrectly.

use filedeck::api::Error;
use filedeck::engine::message::Sort;
use filedeck::engine::ops::list::{self as listing, ListMemory};
use filedeck::engine::{CompletionNames, Job, Journal};
use jiff::Timestamp;
use rstest::rstest;

use super::{
    Capture, Engine, Entry, FolderId, FolderRef, Kind, Reply, Version, client, client_of, json,
    list, names,
};
use crate::support::items::Items;
use crate::support::service::TestService;

async fn all(engine: &mut Engine, place: &FolderRef) -> (Vec<String>, usize) {
    let (mut all, mut next) = list(engine, place, None).await;
    let mut answers = 1;
    while let Some(cursor) = next.take() {
        let (entries, after) = list(engine, place, Some(cursor)).await;
        all.extend(entries);
        next = after;
        answers += 1;
    }
    (names(&all), answers)
}

#[tokio::test]
async fn a_folder_of_more_than_ten_thousand_files_is_listed_whole_and_nothing_twice() {
    const COUNT: usize = 10_350;
    // Reversed digits: the order of names is far from the order of ids.
    let name = |id: usize| format!("{id:05}").chars().rev().collect::<String>();
    let item = |id: usize| json!({ "id": id.to_string(), "name": name(id), "parentFolderId": "5" });
    let (files, folders) = (Items::new((1..=COUNT).map(item)), Items::new([]));
    let service = Capture::start(move |seen, _| {
        if seen.call().ends_with("/files/search") {
            files.search(seen)
        } else {
            folders.search(seen)
        }
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let place = FolderRef {
        id: Some(FolderId::new("5")),
        path: "/big".to_owned(),
    };
    let (mut names, _) = all(&mut engine, &place).await;
    assert_eq!(names.len(), COUNT);
    assert!(names[..10_000].is_sorted());
    names.sort();
    names.dedup();
    assert_eq!(names.len(), COUNT);
}

#[tokio::test]
async fn a_service_that_ignores_the_root_filter_is_searched_for_what_lies_at_the_root() {
    let service = Capture::start(|seen, _| {
        let kind = if seen.call().ends_with("/files/search") { "file" } else { "folder" };
        let item = |id: usize| match id % 50 {
            0 => json!({ "id": id.to_string(), "name": format!("{kind}{id:03}"), "path": format!("/{kind}{id:03}") }),
            _ => json!({ "id": id.to_string(), "name": format!("deep{id:03}"), "path": format!("/a/{id}"), "parentFolderId": "1" }),
        };
        Items::new((1..=230).map(item)).search(seen)
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let expected = [
        "folder050/",
        "folder100/",
        "folder150/",
        "folder200/",
        "file050",
        "file100",
        "file150",
        "file200",
    ];
    assert_eq!(all(&mut engine, &FolderRef::root()).await.0, expected);
    // The second time it is known at once.
    let before = service.seen().len();
    assert_eq!(all(&mut engine, &FolderRef::root()).await.0, expected);
    assert!(
        service.seen()[before..]
            .iter()
            .all(|seen| seen.query("parentFolderIds").is_empty())
    );
}

#[tokio::test]
async fn a_service_that_refuses_the_root_filter_is_searched_too() {
    let service = Capture::start(|seen, _| {
        if !seen.query("parentFolderIds").is_empty() {
            return Reply::json(
                400,
                &json!({ "message": "id must be > 0", "category": "VALIDATION_ERROR" }),
            );
        }
        let items = if seen.call().ends_with("/files/search") {
            vec![json!({ "id": "1", "name": "a" })]
        } else {
            vec![]
        };
        Items::new(items).search(seen)
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    assert_eq!(all(&mut engine, &FolderRef::root()).await.0, ["a"]);
}

#[tokio::test]
async fn results_of_other_folders_are_left_out() {
    let service = Capture::start(|seen, _| {
        let items =
            (1..=6).map(|id| json!({ "id": id.to_string(), "name": format!("n{id}"), "parentFolderId": id % 2 }));
        Items::new(items).search(seen)
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let place = FolderRef {
        id: Some(FolderId::new("1")),
        path: "/odd".to_owned(),
    };
    let (entries, _) = list(&mut engine, &place, None).await;
    assert_eq!(names(&entries), ["n1/", "n3/", "n5/", "n1", "n3", "n5"]);
    assert!(entries.iter().any(|entry| matches!(entry, Entry::File(_))));
}

#[tokio::test]
async fn pages_of_the_real_service_join_without_gaps() {
    let service = TestService::start().await;
    let mut expected = Vec::new();
    for number in 0..130 {
        service
            .post(
                "/files/v3/folders",
                json!({ "name": format!("f{number:03}") }),
            )
            .await
            .expect(201);
        expected.push(format!("f{number:03}/"));
    }
    for number in 0..7 {
        let name = format!("t{number}.txt");
        service
            .upload("/", &name, name.as_bytes(), json!({ "access": "PRIVATE" }))
            .await
            .expect(201);
        expected.push(name);
    }
    let mut engine = Engine::start(client_of(&service, Version::V3)).await;
    assert_eq!(all(&mut engine, &FolderRef::root()).await, (expected, 3));
}

/// A service whose folder has no sub-folders and these pages of files: ids, and the `after` of the
/// next page.
async fn paging(
    pages: impl Fn(usize) -> (std::ops::Range<usize>, Option<usize>) + Send + Sync + 'static,
) -> Capture {
    Capture::start(move |seen, _| {
        if !seen.call().ends_with("/files/search") {
            return Reply::json(200, &json!({ "results": [] }));
        }
        let offset = seen.query("after").first().map_or(0, |after| after.parse().unwrap());
        let (ids, next) = pages(offset);
        let results: Vec<_> =
            ids.map(|id| json!({ "id": id.to_string(), "name": format!("n{id}"), "parentFolderId": "5" })).collect();
        let mut body = json!({ "results": results });
        if let Some(next) = next {
            body["paging"] = json!({ "next": { "after": next.to_string() } });
        }
        Reply::json(200, &body)
    })
    .await
}

async fn drained(service: &Capture) -> Result<usize, Error> {
    let (client, memory) = (client(&service.url), ListMemory::default());
    let place = FolderRef {
        id: Some(FolderId::new("5")),
        path: "/in".to_owned(),
    };
    let (mut count, mut after) = (0, None);
    loop {
        let listing = listing::page(
            &client,
            &memory,
            &place.clone().into(),
            Sort::default(),
            after,
        )
        .await?;
        count += listing.entries.len();
        match listing.next {
            None => return Ok(count),
            next => after = next,
        }
    }
}

#[rstest]
#[case::the_same_page_again(|_| (1..3, Some(2)))]
#[case::a_page_before(|offset| (offset + 1..offset + 3, Some(2_usize.saturating_sub(offset))))]
#[case::other_pages_with_the_same_entries(|offset| (1..3, Some(offset + 2)))]
#[tokio::test]
async fn a_list_that_does_not_go_on_ends_with_an_error(
    #[case] pages: fn(usize) -> (std::ops::Range<usize>, Option<usize>),
) {
    let service = paging(pages).await;
    let error = drained(&service).await.unwrap_err();
    assert_eq!(error.kind, Kind::Decode);
    assert!(error.message.contains("repeats the same page"), "{error}");
    assert!(
        service.seen().len() < 6,
        "{} requests",
        service.seen().len()
    );
}

#[tokio::test]
async fn entries_that_move_while_they_are_read_are_no_error() {
    // The last entry of each page is repeated at the start of the next one; an empty page is not
    // the end.
    let service = paging(|offset| match offset {
        0 => (1..4, Some(3)),
        3 => (3..6, Some(6)),
        6 => (0..0, Some(9)),
        _ => (5..8, None),
    })
    .await;
    assert_eq!(drained(&service).await, Ok(7));
}

#[tokio::test]
async fn past_the_end_of_offsets_a_service_that_ignores_the_id_is_noticed() {
    let service = paging(|offset| (offset + 1..offset + 101, Some(offset + 100))).await;
    let error = drained(&service).await.unwrap_err();
    assert!(error.message.contains("repeats the same page"), "{error}");
    assert!(
        service.seen().len() < 110,
        "{} requests",
        service.seen().len()
    );
}

#[tokio::test]
async fn the_names_of_a_folder_that_one_answer_holds_are_kept_for_the_shell() {
    let service = TestService::start().await;
    for number in 0..101 {
        service
            .upload(
                "/large",
                &format!("{number}.txt"),
                b"1",
                json!({ "access": "PRIVATE" }),
            )
            .await
            .expect(201);
    }
    service
        .upload("/", "a.txt", b"1", json!({ "access": "PRIVATE" }))
        .await
        .expect(201);
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::open(&dir.path().join("journal.db"), "test")
        .await
        .unwrap();
    let mut engine = Engine::with_journal(client_of(&service, Version::V3), journal);
    let (entries, _) = list(&mut engine, &FolderRef::root(), None).await;
    let Entry::Folder(large) = &entries[0] else {
        panic!("{entries:?}")
    };
    let large = FolderRef {
        id: Some(large.id.clone()),
        path: "/large".to_owned(),
    };
    assert_eq!(all(&mut engine, &large).await.0.len(), 101);
    let kept = |path: &str| CompletionNames::new(dir.path()).read("test", path, Timestamp::now());
    assert_eq!(
        kept("/"),
        Some(vec!["large/".to_owned(), "a.txt".to_owned()])
    );
    assert_eq!(kept("/large"), None, "a part of it is not all");
    let create = Job::CreateFolder {
        parent: FolderRef::root(),
        name: "new".to_owned(),
    };
    engine.settle(vec![create]).await;
    assert_eq!(kept("/"), None, "what was changed is read again");
}
