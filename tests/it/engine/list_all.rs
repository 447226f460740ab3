//! Folders read as a whole, and single entries refreshed.

use filedeck::api::Error;
use filedeck::engine::Event;

use super::{
    Capture, Engine, Entry, FileId, FolderId, FolderRef, Kind, Reply, Request, Target, client,
    json, names,
};
use crate::support::items::Items;
use filedeck::engine::Answer;
use filedeck::engine::question::{ListAll, Refresh, Refreshed};

fn place() -> FolderRef {
    FolderRef {
        id: Some(FolderId::new("5")),
        path: "/big".to_owned(),
    }
}

async fn with_files(files: Items) -> Capture {
    let folders = Items::new([]);
    Capture::start(move |seen, _| {
        if seen.call().ends_with("/files/search") {
            files.search(seen)
        } else {
            folders.search(seen)
        }
    })
    .await
}

fn file(id: usize, parent: &str) -> serde_json::Value {
    // Reversed digits: the order of names is far from the order of ids.
    let name = format!("{id:05}").chars().rev().collect::<String>();
    json!({ "id": id.to_string(), "name": name, "parentFolderId": parent })
}

async fn read(engine: &mut Engine, place: &FolderRef) -> Result<Vec<Entry>, Error> {
    let op = engine.submit(Request::ListAll(ListAll {
        of: place.clone().into(),
    }));
    let mut all = Vec::new();
    loop {
        match engine.next().await {
            Event::Part { op: of, entries } if of == op => all.extend(entries),
            Event::Done { op: of, result } if of == op => return result.map(|_| all),
            Event::Progress { .. } | Event::Budget(_) => {}
            other => panic!("unexpected {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_folder_of_any_length_is_read_whole_in_order_of_id() {
    const COUNT: usize = 20_350;
    let service = with_files(Items::new(
        (1..=COUNT).map(|id| file(id, if id % 100 == 7 { "6" } else { "5" })),
    ))
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let all = read(&mut engine, &place()).await.unwrap();
    let ids: Vec<usize> = all
        .iter()
        .map(|entry| entry.target().id().parse().unwrap())
        .collect();
    assert!(ids.is_sorted(), "nothing comes twice or out of order");
    assert_eq!(
        ids.len(),
        COUNT - COUNT / 100 - 1,
        "what lies elsewhere is left out"
    );
    let asked = service.seen();
    assert!(asked.iter().all(|seen| seen.query("sort") == ["id"]));
    // A few more than there are pages: those in flight when the end was found.
    assert!(
        asked.len() <= 4 + COUNT.div_ceil(100) + 4,
        "{} requests",
        asked.len()
    );
}

#[tokio::test]
async fn deletions_while_a_folder_is_read_whole_hide_nothing_that_is_still_there() {
    const DELETED: std::ops::RangeInclusive<usize> = 11..=30;
    let all = Items::new((1..=460).map(|id| file(id, "5")));
    let rest = Items::new(
        (1..=460)
            .filter(|id| !DELETED.contains(id))
            .map(|id| file(id, "5")),
    );
    let service = Capture::start(move |seen, _| {
        if !seen.call().ends_with("/files/search") {
            return Items::new([]).search(seen);
        }
        // Requests from the third page on come after the deletion.
        let is_before =
            seen.query("idGte") == ["1"] && seen.query("after").iter().all(|after| after.len() < 3);
        if is_before {
            all.search(seen)
        } else {
            rest.search(seen)
        }
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let read = read(&mut engine, &place()).await.unwrap();
    let ids: Vec<usize> = read
        .iter()
        .map(|entry| entry.target().id().parse().unwrap())
        .collect();
    assert_eq!(ids, (1..=460).collect::<Vec<_>>());
}

#[tokio::test]
async fn pages_are_asked_for_several_at_once_and_not_at_all_after_a_cancellation() {
    let service = Capture::start(|seen, _| {
        if seen.call().ends_with("/files/search") {
            Reply::Silence
        } else {
            Reply::json(200, &json!({ "results": [] }))
        }
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let op = engine.submit(Request::ListAll(ListAll { of: place().into() }));
    let files = || {
        service
            .seen()
            .into_iter()
            .filter(|seen| seen.call().ends_with("/files/search"))
    };
    while files().count() < 4 {
        tokio::task::yield_now().await;
    }
    let mut offsets: Vec<String> = files().flat_map(|seen| seen.query("after")).collect();
    offsets.sort();
    assert_eq!(
        offsets,
        ["198", "297", "99"],
        "each page begins with the end of the one before it"
    );
    engine.handle.cancel(op);
    loop {
        match engine.next().await {
            Event::Cancelled { op: of } => break assert_eq!(of, op),
            Event::Progress { .. } | Event::Budget(_) => {}
            other => panic!("unexpected {other:?}"),
        }
    }
    assert_eq!(files().count(), 4);
}

#[tokio::test]
async fn a_whole_read_of_a_service_that_repeats_itself_ends_with_an_error() {
    let service = Capture::start(|seen, _| {
        if !seen.call().ends_with("/files/search") {
            return Reply::json(200, &json!({ "results": [] }));
        }
        let results: Vec<_> = (1..=100).map(|id| file(id, "5")).collect();
        Reply::json(
            200,
            &json!({ "results": results, "paging": { "next": { "after": "100" } } }),
        )
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let error = read(&mut engine, &place()).await.unwrap_err();
    assert_eq!(error.kind, Kind::Decode);
    assert!(error.message.contains("repeats the same page"), "{error}");
    assert!(
        service.seen().len() < 10,
        "{} requests",
        service.seen().len()
    );
}

#[tokio::test]
async fn the_root_folder_is_read_whole_where_the_service_ignores_its_filter() {
    let service = Capture::start(|seen, _| {
        let kind = if seen.call().ends_with("/files/search") { "file" } else { "folder" };
        let item = |id: usize| match id % 50 {
            0 => json!({ "id": id.to_string(), "name": format!("{kind}{id:03}"), "path": format!("/{kind}{id:03}") }),
            _ => json!({ "id": id.to_string(), "name": "deep", "path": format!("/a/{id}"), "parentFolderId": "1" }),
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
    assert_eq!(
        names(&read(&mut engine, &FolderRef::root()).await.unwrap()),
        expected
    );
}

async fn look(
    engine: &mut Engine,
    ids: &[&str],
    newest: Option<&str>,
) -> (Vec<String>, Vec<Target>) {
    let target = |id: &str| Target::File(FileId::new(id));
    let targets = ids.iter().map(|id| target(id)).collect();
    let request = Request::Refresh(Refresh {
        of: place().into(),
        targets,
        newest: newest.map(target),
    });
    match engine.answer(request).await {
        Answer::Refresh(Refreshed { found, gone }) => (names(&found), gone),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_look_tells_what_is_there_what_is_gone_and_what_is_new_in_two_requests() {
    let files = [(1, "5"), (2, "6"), (4, "5"), (9, "5"), (12, "6"), (13, "5")];
    let service = with_files(Items::new(files.map(|(id, parent)| file(id, parent)))).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let (found, gone) = look(&mut engine, &["1", "2", "3", "4"], Some("9")).await;
    assert_eq!(found, ["10000", "40000", "31000"]);
    assert_eq!(
        gone,
        ["2", "3"].map(|id| Target::File(FileId::new(id))),
        "moved away, and deleted"
    );
    assert_eq!(service.seen().len(), 2);
}

#[tokio::test]
async fn a_service_that_does_not_choose_by_id_takes_no_rows_away() {
    let service =
        Capture::start(|_, _| Reply::json(200, &json!({ "results": [file(8, "5")] }))).await;
    let mut engine = Engine::start(client(&service.url)).await;
    assert_eq!(
        look(&mut engine, &["1"], None).await,
        (Vec::new(), Vec::new())
    );
}
