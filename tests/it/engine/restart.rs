//! The state that a run leaves behind, and its continuation in the next one: nothing is lost,
//! nothing is done twice.

use filedeck::engine::QueueView;
use filedeck::engine::job::Room;

use super::proxied::{World, posts};
use super::*;
use crate::support::account::client_with;
use crate::support::proxy::{Calls, Fault, Passed, Rule, Which};
use filedeck::engine::question::{AddJobs, ControlQueue};

impl World {
    fn files(&self, count: usize) -> Vec<PathBuf> {
        (0..count)
            .map(|number| {
                local(
                    &self.dir,
                    &format!("{number:03}.txt"),
                    number.to_string().as_bytes(),
                )
            })
            .collect()
    }
}

async fn first_view(engine: &mut Engine) -> QueueView {
    loop {
        if let Event::Queue(view) = engine.next().await {
            return *view;
        }
    }
}

#[rstest]
#[case::stored(Passed::Now)]
#[case::not_stored(Passed::Never)]
#[tokio::test]
async fn uploads_go_on_at_the_next_start_and_what_is_in_doubt_is_looked_up(
    #[case] fortieth: Passed,
) {
    let world = World::new().await;
    world.proxy.rules(vec![Rule::new(
        posts(),
        Which::Nth(40),
        Fault::Silence(fortieth),
    )]);
    let mut engine = world.engine().await;
    let jobs = world
        .files(100)
        .iter()
        .map(|file| sending(file, &FolderRef::root(), Access::Private))
        .collect();
    let id = engine.queue(jobs).await;
    world
        .proxy
        .until(|log| {
            log.iter()
                .filter(|relayed| posts().hold(&relayed.seen))
                .count()
                >= 60
        })
        .await;
    engine.handle.shutdown().await;

    world.proxy.rules(Vec::new());
    let mut engine = world.engine().await;
    let (_, ended) = engine.end_of(id, |_, _| {}).await;
    assert_eq!((ended.counts.done, ended.counts.total), (100, 100));
    let found = names(&list(&mut engine, &FolderRef::root(), None).await.0);
    assert_eq!(
        found,
        (0..100)
            .map(|number| format!("{number:03}.txt"))
            .collect::<Vec<_>>()
    );
    assert!(
        world.proxy.count(posts()) <= 105,
        "no more is sent again than was under way"
    );
}

#[tokio::test]
async fn deletions_wait_for_a_key_after_a_restart() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    let mut files = Vec::new();
    for file in world.files(5) {
        files.push(upload(&mut engine, &file, &FolderRef::root(), Access::Private).await);
    }
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let jobs = files
        .iter()
        .map(|file| Job::Delete {
            item: Item::of(file),
            permanent: false,
            state: None,
        })
        .collect();
    let id = engine.queue(jobs).await;
    engine.handle.shutdown().await;

    let mut engine = world.engine().await;
    let view = first_view(&mut engine).await;
    let left = view.batches.iter().find(|batch| batch.id == id).unwrap();
    assert_eq!(
        (left.state.clone(), view.totals.held),
        (BatchState::Held(Hold::Restarted), 5)
    );
    assert_eq!(list(&mut engine, &FolderRef::root(), None).await.0.len(), 5);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Resume(id))))
        .await;
    assert_eq!(engine.end_of(id, |_, _| {}).await.1.counts.done, 5);
    assert_eq!(list(&mut engine, &FolderRef::root(), None).await.0.len(), 0);
}

#[tokio::test]
async fn nothing_of_an_earlier_run_is_sent_where_nothing_may_be_changed() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    let there = upload(
        &mut engine,
        &world.files(2)[1],
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let sent = engine
        .queue(vec![sending(
            &world.files(1)[0],
            &FolderRef::root(),
            Access::Private,
        )])
        .await;
    let into = world.dir.path().join("target");
    fs::create_dir(&into).unwrap();
    let fetched = engine
        .queue(vec![Job::Download {
            file: Item::of(&there),
            into,
            name: None,
            room: Room::Beside,
        }])
        .await;
    engine.handle.shutdown().await;

    let client = client_with(&world.proxy.url, world.service.token());
    let mut engine = Engine::read_only(client, world.journal().await);
    assert_eq!(
        engine.end_of(fetched, |_, _| {}).await.1.counts.done,
        1,
        "what is fetched changes nothing there"
    );
    let state = loop {
        let view = first_view(&mut engine).await;
        if let Some(batch) = view.batches.iter().find(|batch| batch.id == sent) {
            break batch.state.clone();
        }
    };
    assert_eq!(state, BatchState::Held(Hold::Restarted));
    let refused = engine
        .run(Request::ControlQueue(ControlQueue(Control::Resume(sent))))
        .await
        .unwrap_err();
    assert!(refused.message.contains("read-only"), "{refused:?}");
    assert!(
        engine
            .run(Request::AddJobs(AddJobs(vec![deletion("9")])))
            .await
            .is_err()
    );
    assert_eq!(list(&mut engine, &FolderRef::root(), None).await.0.len(), 1);
    engine.handle.shutdown().await;

    let mut engine = world.engine().await;
    first_view(&mut engine).await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Resume(sent))))
        .await;
    assert_eq!(
        engine.end_of(sent, |_, _| {}).await.1.counts.done,
        1,
        "it was kept"
    );
}

#[tokio::test]
async fn a_batch_belongs_to_one_process_at_a_time() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let id = engine
        .queue(vec![sending(
            &world.files(1)[0],
            &FolderRef::root(),
            Access::Private,
        )])
        .await;
    let mut other = world.engine().await;
    let ended = other.settle(vec![deletion("9")]).await.1;
    let view = loop {
        let view = first_view(&mut other).await;
        if view.batches.iter().any(|batch| batch.id == ended.id) {
            break view;
        }
    };
    assert_eq!(
        view.batches.len(),
        1,
        "it does not see what the first one works on"
    );
    other.handle.shutdown().await;
    engine.handle.shutdown().await;
    let mut third = world.engine().await;
    assert_eq!(third.end_of(id, |_, _| {}).await.1.counts.done, 1);
}

#[tokio::test]
async fn an_import_is_watched_again_and_never_asked_for_twice() {
    let silent = Capture::start(|seen, _| match seen.call().as_str() {
        "POST /files/v3/files/import-from-url/async" => Reply::json(202, &json!({ "id": "t-1" })),
        _ => Reply::Silence,
    })
    .await;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.db");
    let mut engine = Engine::with_journal(
        client(&silent.url),
        Journal::open(&path, "test").await.unwrap(),
    );
    let request: ImportRequest = serde_json::from_value(
        json!({ "url": "https://example.com/a?s=canary", "access": "PRIVATE", "folderPath": "/in" }),
    )
    .unwrap();
    let id = engine
        .queue(vec![Job::Import {
            request: Box::new(request),
            folder: "/in".to_owned(),
            free_name: None,
        }])
        .await;
    let task = |view: &QueueView| {
        view.batches[0]
            .running
            .first()
            .and_then(|job| job.remote.clone())
    };
    while task(&first_view(&mut engine).await).is_none() {}
    engine.handle.shutdown().await;
    let kept = fs::read(&path).unwrap();
    assert!(
        !kept.windows(6).any(|bytes| bytes == b"canary"),
        "a signature is not written down"
    );

    let mut engine = Engine::with_journal(
        client(&silent.url),
        Journal::open(&path, "test").await.unwrap(),
    );
    let view = first_view(&mut engine).await;
    assert_eq!(
        (view.batches[0].id, view.batches[0].label.as_str()),
        (id, "https://example.com/a → /in")
    );
    assert_eq!(task(&view).unwrap().id.as_str(), "t-1");
    let posts = silent
        .calls()
        .iter()
        .filter(|call| call.starts_with("POST"))
        .count();
    assert_eq!(posts, 1);
}

/// Starts an engine with a journal in a folder of its own, on a service that never answers.
async fn beside_a_silent_service() -> (Capture, TempDir, Engine) {
    let mute = Capture::start(|_, _| Reply::Silence).await;
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::open(&dir.path().join("journal.db"), "test").await;
    let engine = Engine::with_journal(client(&mute.url), journal.unwrap());
    (mute, dir, engine)
}

#[tokio::test]
async fn a_batch_that_can_start_is_recorded_with_its_first_jobs_at_once() {
    let (mute, dir, mut engine) = beside_a_silent_service().await;
    let path = dir.path().join("journal.db");
    let deletion = Job::Delete {
        item: item(Target::File(FileId::new("1")), "/1.txt"),
        permanent: false,
        state: None,
    };
    engine.queue(vec![deletion]).await;
    while mute.seen().is_empty() {
        tokio::task::yield_now().await;
    }
    let changes = fs::read_to_string(path.with_added_extension("unfinished")).unwrap();
    assert_eq!(changes, "1", "changes to the work in the journal");
}

#[tokio::test]
async fn imports_that_were_not_begun_are_not_in_doubt_after_a_restart() {
    let (mute, dir, mut engine) = beside_a_silent_service().await;
    let path = dir.path().join("journal.db");
    let job = |number: usize| {
        let url = format!("https://example.com/{number}");
        let request = json!({ "url": url, "access": "PRIVATE", "folderPath": "/in" });
        Job::Import {
            request: Box::new(serde_json::from_value(request).unwrap()),
            folder: "/in".to_owned(),
            free_name: None,
        }
    };
    let id = engine.queue((0..40).map(job).collect()).await;
    while mute.seen().len() < 32 {
        tokio::task::yield_now().await;
    }
    engine.handle.shutdown().await;

    let service = Capture::start(|seen, _| match seen.method.as_str() {
        "POST" => Reply::json(202, &json!({ "id": "t" })),
        _ => Reply::json(
            200,
            &json!({ "status": "COMPLETE", "result": { "id": "7", "archived": false } }),
        ),
    })
    .await;
    let mut engine = Engine::with_journal(
        client(&service.url),
        Journal::open(&path, "test").await.unwrap(),
    );
    let (_, ended) = engine.end_of(id, |_, _| {}).await;
    assert_eq!(
        (ended.counts.done, ended.counts.failed),
        (8, 32),
        "nobody knows of those that were under way"
    );
}

#[rstest]
#[case::in_the_folder(None)]
#[case::in_a_folder_that_came_with_it(Some("brand/2026/000.txt"))]
#[tokio::test]
async fn what_a_killed_download_left_is_swept_and_a_finished_one_is_not_fetched_again(
    #[case] name: Option<&str>,
) {
    let world = World::new().await;
    let mut engine = world.engine().await;
    let file = upload(
        &mut engine,
        &world.files(1)[0],
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    let target = world.dir.path().join("target");
    fs::create_dir(&target).unwrap();
    let fetches = || Calls::to("GET", "/files/v3/files/");
    world.proxy.rules(vec![Rule::new(
        fetches(),
        Which::All,
        Fault::Silence(Passed::Never),
    )]);
    let id = engine
        .queue(vec![Job::Download {
            file: Item::of(&file),
            into: target.clone(),
            name: name.map(str::to_owned),
            room: Room::Beside,
        }])
        .await;
    let target = name.map_or_else(|| target.clone(), |_| target.join("brand/2026"));
    world
        .proxy
        .until(|log| log.iter().any(|relayed| fetches().hold(&relayed.seen)))
        .await;
    engine.handle.shutdown().await;
    fs::create_dir_all(&target).unwrap();
    // When the process was killed, this file was complete, and another one was cut off.
    fs::write(target.join("000.txt"), b"0").unwrap();
    let part = target.join(".a.txt.filedeck-a1B2c3D4.part");
    fs::write(&part, b"half").unwrap();

    world.proxy.rules(Vec::new());
    let mut engine = world.engine().await;
    let (settled, _) = engine.end_of(id, |_, _| {}).await;
    let Ok(Outcome::Downloaded { path, .. }) = &settled[0].result else {
        panic!("{settled:?}")
    };
    assert_eq!(*path, target.join("000.txt"));
    let left: Vec<_> = fs::read_dir(&target)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["000.txt"]);
}
