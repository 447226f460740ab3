//! The names of all folders of an account, page by page.

use filedeck::engine::Answer;
use filedeck::engine::question::{FolderNamesPage, ListFolderNames};

use super::{Capture, Engine, FolderRef, Kind, Reply, Request, client, json, new_folder, started};
use crate::support::items::Items;

async fn page(engine: &mut Engine, from: Option<u64>) -> FolderNamesPage {
    let Answer::ListFolderNames(page) = engine
        .answer(Request::ListFolderNames(ListFolderNames { from }))
        .await
    else {
        panic!()
    };
    page
}

#[tokio::test]
async fn every_folder_comes_once_beyond_the_end_of_offsets() {
    const COUNT: usize = 10_350;
    let folder = |id: usize| json!({ "id": (id * 3).to_string(), "name": id.to_string(), "path": format!("/{id}") });
    let folders = Items::new((1..=COUNT).map(folder));
    let service = Capture::start(move |seen, _| folders.search(seen)).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let (mut paths, mut from) = (Vec::new(), None);
    loop {
        let page = page(&mut engine, from).await;
        paths.extend(page.folders.into_iter().map(|place| place.path));
        from = page.next;
        if page.is_last {
            break;
        }
    }
    assert!(
        paths
            .iter()
            .map(|path| path.trim_start_matches('/').parse::<usize>().unwrap())
            .eq(1..=COUNT)
    );
    let asked = service.seen();
    assert_eq!(asked.len(), COUNT.div_ceil(100));
    assert!(asked.iter().all(
        |seen| seen.call() == "GET /files/v3/folders/search" && seen.query("after").is_empty()
    ));
    let new = page(&mut engine, from).await;
    assert_eq!(
        new,
        FolderNamesPage {
            folders: Vec::new(),
            next: from,
            is_last: true
        },
        "nothing is new"
    );
}

#[tokio::test]
async fn a_service_that_repeats_a_page_is_not_asked_for_ever() {
    let service = Capture::start(|_, _| {
        let folder = json!({ "id": "7", "name": "a", "path": "/a" });
        Reply::json(
            200,
            &json!({ "results": [folder], "paging": { "next": { "after": "100" } } }),
        )
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let first = page(&mut engine, None).await;
    assert_eq!((first.next, first.is_last), (Some(8), false));
    let error = engine
        .run(Request::ListFolderNames(ListFolderNames {
            from: first.next,
        }))
        .await
        .unwrap_err();
    assert_eq!(error.kind, Kind::Decode, "{error:?}");
}

#[tokio::test]
async fn folders_of_a_service_come_with_their_paths_and_ids() {
    let (_service, mut engine, _dir) = started().await;
    let a = new_folder(&mut engine, &FolderRef::root(), "a").await;
    let b = new_folder(&mut engine, &a, "b").await;
    let first = page(&mut engine, None).await;
    assert_eq!((first.folders, first.is_last), (vec![a, b], true));
    let c = new_folder(&mut engine, &FolderRef::root(), "c").await;
    let new = page(&mut engine, first.next).await.folders;
    assert_eq!(new, [c], "what was created since");
}
