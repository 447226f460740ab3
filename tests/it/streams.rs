//! Listings and tasks as streams, against a service that responds as the live one does.

use std::sync::atomic::{AtomicUsize, Ordering};

use filedeck::api::Kind;
use filedeck::api::ids::{FileId, FolderId, TaskId};
use filedeck::api::model::{File, FileKind, TaskStatus};
use filedeck::api::search::{FileSearch, SortBy};
use futures::{StreamExt, TryStreamExt};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::capture::{Capture, Reply};
use crate::support::clients::client;
use crate::support::items::Items;

/// More files than offsets reach.
const COUNT: usize = 10_350;

fn file(id: usize) -> Value {
    // Reversed digits: the order of names is far from the order of ids.
    let name = format!("{id:05}").chars().rev().collect::<String>();
    json!({ "id": id.to_string(), "name": name, "parentFolderId": "5" })
}

async fn with_files(count: usize) -> Capture {
    let files = Items::new((1..=count).map(file));
    Capture::start(move |seen, _| files.search(seen)).await
}

fn numbers(files: &[File]) -> Vec<usize> {
    files
        .iter()
        .map(|file| file.id.as_str().parse().unwrap())
        .collect()
}

#[tokio::test]
async fn a_search_of_more_than_ten_thousand_files_is_read_whole_in_order_of_id() {
    let service = with_files(COUNT).await;
    let files: Vec<File> = client(&service.url)
        .files()
        .all(FileSearch::default())
        .try_collect()
        .await
        .unwrap();
    assert_eq!(numbers(&files), (1..=COUNT).collect::<Vec<_>>());
    let asked = service.seen();
    assert_eq!(asked.len(), COUNT.div_ceil(100));
    assert!(
        asked
            .iter()
            .all(|seen| seen.query("sort") == ["id"] && seen.query("after").is_empty())
    );
}

#[tokio::test]
async fn in_another_order_the_rest_follows_by_id_and_nothing_comes_twice() {
    let service = with_files(COUNT).await;
    let mut search = FileSearch::default();
    search.filter.sort = vec![SortBy::NAME];
    let files: Vec<File> = client(&service.url)
        .files()
        .all(search)
        .try_collect()
        .await
        .unwrap();
    let names: Vec<_> = files
        .iter()
        .map(|file| file.name.clone().unwrap())
        .collect();
    assert!(names[..10_000].is_sorted());
    let mut ids = numbers(&files);
    assert!(ids[10_000..].is_sorted());
    ids.sort_unstable();
    assert_eq!(ids, (1..=COUNT).collect::<Vec<_>>());
}

#[tokio::test]
async fn what_a_search_asks_for_holds_on_every_page() {
    let service = with_files(250).await;
    let mut search = FileSearch::default();
    search.filter.id_from = Some("40".to_owned());
    search.kind = Some(FileKind::Image);
    let files: Vec<File> = client(&service.url)
        .files()
        .all(search)
        .try_collect()
        .await
        .unwrap();
    assert_eq!(numbers(&files), (40..=250).collect::<Vec<_>>());
    assert!(
        service
            .seen()
            .iter()
            .all(|seen| seen.query("type") == ["IMG"])
    );
}

#[tokio::test]
async fn pages_are_asked_for_as_they_are_read() {
    let service = with_files(COUNT).await;
    let files = client(&service.url).files().all(FileSearch::default());
    assert!(service.seen().is_empty());
    assert_eq!(files.take(100).count().await, 100);
    assert_eq!(service.seen().len(), 1);
}

#[tokio::test]
async fn of_a_folder_only_what_lies_in_it_is_given() {
    // This service does not filter.
    let files = Items::new((1..=300).map(|id| {
        let parent = if id % 3 == 0 { "6" } else { "5" };
        json!({ "id": id.to_string(), "name": id.to_string(), "parentFolderId": parent })
    }));
    let service = Capture::start(move |seen, _| files.search(seen)).await;
    let files: Vec<File> = client(&service.url)
        .files()
        .in_folder(Some(&FolderId::new("6")))
        .try_collect()
        .await
        .unwrap();
    assert_eq!(
        numbers(&files),
        (1..=100).map(|third| third * 3).collect::<Vec<_>>()
    );
    assert!(
        service
            .seen()
            .iter()
            .all(|seen| seen.query("parentFolderIds") == ["6"])
    );
}

/// The response of a service to the id of the root folder.
#[derive(Debug, Clone, Copy, PartialEq)]
enum RootId {
    Honored,
    Ignored,
    Refused,
    FindsNothing,
}

#[rstest]
#[tokio::test]
async fn the_root_folder_is_listed_whatever_the_service_makes_of_its_id(
    #[values(
        RootId::Honored,
        RootId::Ignored,
        RootId::Refused,
        RootId::FindsNothing
    )]
    root_id: RootId,
) {
    let lies_deep = |id: usize| id.is_multiple_of(2);
    let item = move |id: usize| {
        if lies_deep(id) {
            return json!({ "id": id.to_string(), "name": "a", "path": "/docs/a", "parentFolderId": "9" });
        }
        json!({ "id": id.to_string(), "name": "a", "path": "/a" })
    };
    let all = Items::new((1..=240).map(item));
    let of_root = Items::new((1..=240).filter(|id| !lies_deep(*id)).map(item));
    let service =
        Capture::start(
            move |seen, _| match (seen.query("parentFolderIds").as_slice(), root_id) {
                ([], _) | (_, RootId::Ignored) => all.search(seen),
                (_, RootId::Honored) => of_root.search(seen),
                (_, RootId::Refused) => Reply::json(
                    400,
                    &json!({ "message": "no", "category": "VALIDATION_ERROR" }),
                ),
                (_, RootId::FindsNothing) => Reply::json(200, &json!({ "results": [] })),
            },
        )
        .await;
    let files: Vec<File> = client(&service.url)
        .files()
        .in_folder(None)
        .try_collect()
        .await
        .unwrap();
    assert_eq!(
        numbers(&files),
        (1..=240).filter(|id| !lies_deep(*id)).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_service_that_repeats_a_page_ends_the_stream_with_an_error() {
    let service = Capture::start(|_, _| {
        Reply::json(
            200,
            &json!({ "results": [file(7)], "paging": { "next": { "after": "100" } } }),
        )
    })
    .await;
    let mut files = client(&service.url).files().all(FileSearch::default());
    assert_eq!(
        files.try_next().await.unwrap().unwrap().id,
        FileId::new("7")
    );
    assert_eq!(files.try_next().await.unwrap_err().kind, Kind::Decode);
    assert_eq!(files.try_next().await, Ok(None));
}

/// A listing continues from the highest id: in any other order, lower ids would never appear.
#[tokio::test]
async fn a_service_that_ignores_the_order_ends_the_stream_with_an_error() {
    let service = Capture::start(|_, _| {
        let results: Vec<_> = (101..=200).rev().map(file).collect();
        Reply::json(
            200,
            &json!({ "results": results, "paging": { "next": { "after": "100" } } }),
        )
    })
    .await;
    let error = client(&service.url)
        .files()
        .all(FileSearch::default())
        .try_collect::<Vec<File>>()
        .await
        .unwrap_err();
    assert_eq!(error.kind, Kind::Decode);
    assert!(error.message.contains("by id"), "{error}");
    assert_eq!(service.seen().len(), 1);
}

#[tokio::test]
async fn a_bound_that_is_no_id_is_refused_before_anything_is_asked() {
    let service = with_files(3).await;
    let mut search = FileSearch::default();
    search.filter.id_from = Some("x7".to_owned());
    let error = client(&service.url)
        .files()
        .all(search)
        .try_collect::<Vec<File>>()
        .await
        .unwrap_err();
    assert_eq!((error.kind, service.seen().len()), (Kind::Invalid, 0));
}

#[tokio::test]
async fn a_task_is_followed_to_its_end() {
    let polls = AtomicUsize::new(0);
    let service = Capture::start(move |seen, _| {
        assert_eq!(
            seen.call(),
            "GET /files/v3/files/import-from-url/async/tasks/t-1/status"
        );
        match polls.fetch_add(1, Ordering::SeqCst) {
            0 => Reply::json(200, &json!({ "taskId": "t-1", "status": "PROCESSING" })),
            _ => Reply::json(
                200,
                &json!({ "taskId": "t-1", "status": "COMPLETE", "result": file(7) }),
            ),
        }
    })
    .await;
    let states: Vec<_> = client(&service.url)
        .imports()
        .follow(&TaskId::new("t-1"))
        .try_collect()
        .await
        .unwrap();
    let told: Vec<_> = states.iter().map(|state| &state.status).collect();
    assert_eq!(told, [&TaskStatus::Processing, &TaskStatus::Complete]);
    assert_eq!(states[1].success().unwrap().id, FileId::new("7"));
}

#[tokio::test]
async fn a_task_that_is_not_there_ends_its_stream_with_an_error() {
    let body = json!({ "status": "error", "message": "no such task", "correlationId": "1" });
    let service = Capture::start(move |_, _| Reply::json(404, &body)).await;
    let mut states = client(&service.url)
        .folders()
        .follow_update(&TaskId::new("t-1"));
    assert_eq!(states.try_next().await.unwrap_err().kind, Kind::NotFound);
    assert_eq!(states.try_next().await, Ok(None));
}
