//! Background work of the service.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

use filedeck::engine::batch::{JobId, RemoteTarget};
use filedeck::engine::service_task::Which;

use super::*;
use filedeck::engine::Answer;
use filedeck::engine::question::{ControlQueue, GetTask};

fn import(url: &str) -> Job {
    let request: ImportRequest =
        serde_json::from_value(json!({ "url": url, "access": "PRIVATE", "folderPath": "/in" }))
            .unwrap();
    Job::Import {
        request: Box::new(request),
        folder: "/in".to_owned(),
        free_name: None,
    }
}

/// Advances the clock of the service at each poll, so that its background work proceeds.
pub(super) fn polled(service: &TestService) -> impl FnMut(&Event) {
    |event| {
        if matches!(event, Event::Queue(_)) {
            service.clock.advance(SignedDuration::from_secs(5));
        }
    }
}

#[rstest]
#[case::v3(Version::V3)]
#[case::march(Version::Dated202603)]
#[case::september(Version::Dated202609)]
#[tokio::test]
async fn folder_changes_work_in_every_version(#[case] version: Version) {
    let service = TestService::start().await;
    let mut engine = Engine::start(client_of(&service, version)).await;
    let folder = new_folder(&mut engine, &FolderRef::root(), "a")
        .await
        .id
        .unwrap();
    let job = Job::UpdateFolder {
        folder,
        from: "/a".to_owned(),
        name: Some("b".to_owned()),
        parent: None,
        seen: None,
    };
    let renamed = engine.carry_out_with(job, polled(&service)).await.unwrap();
    assert!(
        matches!(renamed, Outcome::FolderUpdated(folder) if folder.path.as_deref() == Some("/b"))
    );
}

#[tokio::test]
async fn a_folder_is_renamed_moved_and_brought_back_to_the_root() {
    let (service, mut engine, _dir) = started().await;
    let inner = new_folder(&mut engine, &FolderRef::root(), "a/b").await;
    let target = new_folder(&mut engine, &FolderRef::root(), "c").await;
    let folder = inner.id.unwrap();
    let mut remotes: Vec<RemoteTarget> = Vec::new();
    let mut change = async |from: &str, name: Option<&str>, parent: Option<FolderRef>| {
        let (from, name) = (from.to_owned(), name.map(str::to_owned));
        let job = Job::UpdateFolder {
            folder: folder.clone(),
            from,
            name,
            parent,
            seen: None,
        };
        let mut poll = polled(&service);
        let outcome = engine.carry_out_with(job, |event| {
            poll(event);
            if let Event::Queue(view) = event {
                remotes.extend(
                    view.batches[0]
                        .running
                        .iter()
                        .filter_map(|job| job.remote.clone()),
                );
            }
        });
        match outcome.await.unwrap() {
            Outcome::FolderUpdated(folder) => folder.path.unwrap(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(change("/a/b", Some("new"), None).await, "/a/new");
    assert_eq!(change("/a/new", None, Some(target)).await, "/c/new");
    assert_eq!(
        change("/c/new", Some("top"), Some(FolderRef::root())).await,
        "/top"
    );
    assert!(
        remotes.iter().any(|remote| remote.status.is_some()),
        "polls are told of: {remotes:?}"
    );
}

#[tokio::test]
async fn an_import_is_followed_to_its_file() {
    let service =
        TestService::configured(|options| options.import_allow = Network::loopback().to_vec())
            .await;
    let web = Web::serving(&[("/logo.txt", b"hello")]).await;
    let mut engine = Engine::start(client_of(&service, Version::V3)).await;
    // The journal does not have the full URL, but the service gets it.
    let job = import(&format!("{}#signature", web.url("/logo.txt")));
    let outcome = engine.carry_out_with(job, polled(&service)).await.unwrap();
    let Outcome::Imported(file) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(file.path.as_deref(), Some("/in/logo.txt"));
}

#[tokio::test]
async fn an_import_whose_free_name_another_file_has_by_the_end_is_a_clash() {
    let service =
        TestService::configured(|options| options.import_allow = Network::loopback().to_vec())
            .await;
    let web = Web::serving(&[("/logo.txt", b"hello")]).await;
    let mut engine = Engine::start(client_of(&service, Version::V3)).await;
    let planned = |free_name: Option<&str>| {
        let Job::Import {
            request, folder, ..
        } = import(&web.url("/logo.txt"))
        else {
            panic!()
        };
        Job::Import {
            request,
            folder,
            free_name: free_name.map(str::to_owned),
        }
    };
    let first = service
        .upload("/in", "logo.txt", b"first", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .id();
    let clash = engine
        .carry_out_with(planned(Some("logo.txt")), polled(&service))
        .await
        .unwrap_err();
    assert_eq!(clash.kind, Kind::Conflict, "{clash}");
    assert!(
        clash
            .message
            .contains(&format!("/in/logo.txt (id {first})")),
        "{clash}"
    );
    assert!(clash.message.contains("/in/logo-1.txt (id "), "{clash}");
    service
        .get(&format!("/files/v3/files/{first}"))
        .await
        .expect(200);
    service
        .get("/files/v3/files/stat/in/logo-1.txt")
        .await
        .expect(200);
    // Both are to be kept; and if no file has the name, the service has only added its extension.
    for (free_name, stored) in [(None, "/in/logo-2.txt"), (Some("logo"), "/in/logo-3.txt")] {
        let outcome = engine
            .carry_out_with(planned(free_name), polled(&service))
            .await
            .unwrap();
        let Outcome::Imported(file) = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(file.path.as_deref(), Some(stored));
    }
}

#[tokio::test]
async fn an_import_that_fails_says_why_in_the_services_words() {
    let (service, mut engine, _dir) = started().await;
    let error = engine
        .carry_out_with(import("http://127.0.0.1:9/x"), polled(&service))
        .await
        .unwrap_err();
    assert!(
        matches!(error.kind, Kind::TaskFailed | Kind::Invalid),
        "{error:?}"
    );
    assert!(!error.message.is_empty());
}

#[tokio::test]
async fn what_the_service_has_accepted_is_not_asked_for_again_after_a_failure_that_all_share() {
    let is_open = Arc::new(AtomicBool::new(false));
    let service = Capture::start({
        let is_open = is_open.clone();
        move |seen, before| match seen.method.as_str() {
            "POST" => Reply::json(202, &json!({ "id": format!("t-{before}") })),
            _ if is_open.load(SeqCst) => Reply::json(
                200,
                &json!({ "status": "COMPLETE", "result": { "id": "7", "archived": false } }),
            ),
            _ => Reply::json(401, &json!({ "message": "This token is gone" })),
        }
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let id = engine
        .queue(vec![
            import("https://example.com/a"),
            import("https://example.com/b"),
        ])
        .await;
    let is_held = |event: &Event| matches!(event, Event::Queue(view) if view.totals.held > 0 && view.totals.running.is_empty());
    while !is_held(&engine.next().await) {}
    is_open.store(true, SeqCst);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Resume(id))))
        .await;
    engine.end_of(id, |_, _| {}).await;
    let posts = service
        .calls()
        .iter()
        .filter(|call| call.starts_with("POST"))
        .count();
    assert_eq!(posts, 2);
}

#[tokio::test]
async fn a_task_is_found_by_its_id_or_behind_its_job_whatever_it_is_of() {
    let (service, mut engine, _dir) = started().await;
    let folder = new_folder(&mut engine, &FolderRef::root(), "a")
        .await
        .id
        .unwrap();
    let job = Job::UpdateFolder {
        folder,
        from: "/a".to_owned(),
        name: Some("b".to_owned()),
        parent: None,
        seen: None,
    };
    let batch = engine.queue(vec![job]).await;
    let mut poll = polled(&service);
    engine.end_of(batch, |_, event| poll(event)).await;
    let behind = Request::GetTask(GetTask(Which::Of(JobId { batch, number: 0 })));
    let Answer::GetTask((id, task)) = engine.answer(behind).await else {
        panic!()
    };
    assert_eq!(task.status().as_str(), "COMPLETE");
    let Answer::GetTask((_, same)) = engine
        .answer(Request::GetTask(GetTask(Which::Id(id))))
        .await
    else {
        panic!()
    };
    assert_eq!(same, task);
    let Some(Entry::Folder(folder)) = task.result() else {
        panic!("{task:?}")
    };
    assert_eq!(folder.path.as_deref(), Some("/b"));
}
