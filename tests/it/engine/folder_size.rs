//! The sizes of folders, counted at any depth.

use filedeck::api::Error;
use filedeck::engine::Progress;
use filedeck::engine::folder_size::{FolderSize, FolderSizes};

use super::*;
use crate::support::account::client_with;
use crate::support::proxy::{Calls, Proxy};
use filedeck::engine::Answer;
use filedeck::engine::question::MeasureFolders;

fn id(place: &FolderRef) -> FolderId {
    place.id.clone().unwrap()
}

fn all(files: usize, bytes: u64) -> FolderSize {
    FolderSize {
        files,
        bytes,
        is_all: true,
    }
}

async fn folder_size(engine: &mut Engine, folders: &[FolderId]) -> Result<FolderSizes, Error> {
    match engine
        .run(Request::MeasureFolders(MeasureFolders {
            folders: folders.to_vec(),
        }))
        .await?
    {
        Answer::MeasureFolders(sizes) => Ok(sizes),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn files_and_bytes_of_nested_folders_are_counted_exactly() {
    let service = TestService::start().await;
    let proxy = Proxy::start(service.running.base_url()).await;
    let mut engine = Engine::start(client_with(&proxy.url, service.token())).await;
    let top = new_folder(&mut engine, &FolderRef::root(), "top").await;
    let deep = new_folder(&mut engine, &top, "a/b/c").await;
    let hollow = new_folder(&mut engine, &FolderRef::root(), "hollow").await;
    new_folder(&mut engine, &hollow, "empty").await;
    let other = new_folder(&mut engine, &FolderRef::root(), "other").await;
    // More than a page.
    for number in 0..103 {
        service
            .upload(
                "/top",
                &format!("{number}.txt"),
                b"12345",
                json!({ "access": "PRIVATE" }),
            )
            .await
            .expect(201);
    }
    for (folder, name) in [
        ("/top/a", "1.txt"),
        ("/top/a/b/c", "2.txt"),
        ("/other", "3.txt"),
    ] {
        service
            .upload(folder, name, b"1234567", json!({ "access": "PRIVATE" }))
            .await
            .expect(201);
    }
    let searches = || proxy.count(Calls::all().naming("parentFolderIds"));
    let before = searches();
    let sizes = folder_size(&mut engine, &[id(&top), id(&hollow)])
        .await
        .unwrap();
    assert_eq!(
        sizes,
        FolderSizes::from([
            (id(&top), all(105, 103 * 5 + 2 * 7)),
            (id(&hollow), all(0, 0))
        ])
    );
    // Four levels, the first with two pages of files.
    assert_eq!(searches() - before, 4 * 2 + 1);
    assert_eq!(
        folder_size(&mut engine, &[id(&deep)]).await.unwrap()[&id(&deep)],
        all(1, 7)
    );
    assert_eq!(
        folder_size(&mut engine, &[id(&other)]).await.unwrap()[&id(&other)],
        all(1, 7)
    );
}

/// Folders `1` to `1000`, each in the one before it, with one file of ten bytes each.
fn shaft(call: &str, parents: &[String]) -> serde_json::Value {
    let is_file = call.ends_with("/files/search");
    let number = |parent: &String| parent.parse::<usize>().unwrap();
    let child = |parent: usize| {
        let (id, size) = if is_file {
            (parent + 5_000, Some(10))
        } else {
            (parent + 1, None)
        };
        json!({ "id": id.to_string(), "parentFolderId": parent.to_string(), "size": size })
    };
    json!({ "results": parents.iter().map(number).filter(|parent| *parent < 1_000).map(child).collect::<Vec<_>>() })
}

#[tokio::test]
async fn a_count_costs_fifty_requests_at_most_and_says_that_there_is_more() {
    let service = Capture::start(|seen, _| {
        Reply::json(200, &shaft(&seen.call(), &seen.query("parentFolderIds")))
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    // The folders near the end of the shaft are counted completely.
    let sizes = folder_size(&mut engine, &[FolderId::new("1"), FolderId::new("990")])
        .await
        .unwrap();
    assert_eq!(service.seen().len(), 50);
    let expected = FolderSize {
        files: 25,
        bytes: 250,
        is_all: false,
    };
    assert_eq!(
        sizes,
        FolderSizes::from([
            (FolderId::new("1"), expected),
            (FolderId::new("990"), all(10, 100))
        ])
    );
}

#[tokio::test]
async fn what_lies_elsewhere_does_not_count_where_the_service_does_not_filter() {
    let service = Capture::start(|seen, _| {
        let all = json!([
            { "id": "7", "parentFolderId": "5", "size": 3 },
            { "id": "8", "parentFolderId": "6", "size": 4 },
            { "id": "9", "size": 5 },
        ]);
        let results = if seen.call().ends_with("/files/search") {
            all
        } else {
            json!([])
        };
        Reply::json(200, &json!({ "results": results }))
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    assert_eq!(
        folder_size(&mut engine, &[FolderId::new("5")])
            .await
            .unwrap()[&FolderId::new("5")],
        all(1, 3)
    );
}

#[tokio::test]
async fn what_was_counted_before_a_failure_is_told() {
    let service = Capture::start(|seen, number| match number {
        // The first level: one of the two folders is complete by then.
        0..2 => Reply::json(200, &shaft(&seen.call(), &["990".to_owned()])),
        _ => Reply::json(
            403,
            &json!({ "message": "no", "category": "MISSING_SCOPES" }),
        ),
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let folders = vec![FolderId::new("990"), FolderId::new("2000")];
    let op = engine.submit(Request::MeasureFolders(MeasureFolders { folders }));
    let mut last = None;
    let error = loop {
        match engine.next().await {
            Event::Progress {
                progress: Progress::FolderSizes(sizes),
                ..
            } => last = Some(sizes),
            Event::Done { op: of, result } if of == op => break result.unwrap_err(),
            _ => {}
        }
    };
    assert_eq!(error.kind, Kind::Forbidden);
    let known = last.unwrap();
    assert_eq!(known[&FolderId::new("2000")], all(0, 0));
    assert!(!known[&FolderId::new("990")].is_all, "{known:?}");
}

#[tokio::test]
async fn four_requests_are_under_way_at_most_and_a_level_is_read_in_groups() {
    let service = Capture::start(|seen, _| {
        if seen.query("parentFolderIds") != ["5"] {
            return Reply::Silence;
        }
        let folders =
            (1_000..1_120).map(|id| json!({ "id": id.to_string(), "parentFolderId": "5" }));
        let results: Vec<_> = if seen.call().ends_with("/folders/search") {
            folders.collect()
        } else {
            Vec::new()
        };
        Reply::json(200, &json!({ "results": results }))
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let folders = vec![FolderId::new("5")];
    let op = engine.submit(Request::MeasureFolders(MeasureFolders { folders }));
    // For 120 folders, fifty at a time, six lists are needed.
    while service.seen().len() < 2 + 4 {
        tokio::task::yield_now().await;
    }
    let groups: Vec<usize> = service.seen()[2..]
        .iter()
        .map(|seen| seen.query("parentFolderIds").len())
        .collect();
    assert_eq!(groups, [50; 4]);
    engine.handle.cancel(op);
    while !matches!(engine.next().await, Event::Cancelled { op: of } if of == op) {}
    assert_eq!(service.seen().len(), 6);
}

#[tokio::test]
async fn all_is_known_once_every_group_of_a_level_is_read() {
    let service = Capture::start(|seen, _| {
        let parents = seen.query("parentFolderIds");
        let is_file = seen.call().ends_with("/files/search");
        let of = |parent: &String| {
            let id = parent.parse::<usize>().unwrap();
            json!({ "id": (id + 5_000).to_string(), "parentFolderId": parent, "size": 10 })
        };
        let results: Vec<_> = match (parents == ["5"], is_file) {
            (true, false) => (1_000..1_120)
                .map(|id| json!({ "id": id.to_string(), "parentFolderId": "5" }))
                .collect(),
            (false, true) => parents.iter().map(of).collect(),
            _ => Vec::new(),
        };
        Reply::json(200, &json!({ "results": results }))
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let sizes = folder_size(&mut engine, &[FolderId::new("5")])
        .await
        .unwrap();
    assert_eq!(sizes[&FolderId::new("5")], all(120, 1_200));
    assert_eq!(service.seen().len(), 2 + 6);
}
