//! Several runs on one machine that upload to the same paths: no name in use by one is silently
//! numbered for another.

use std::collections::HashMap;
use std::time::Duration;

use filedeck::api::ids::FileId;
use filedeck::engine::plan::{Existing, PlanEvent};
use filedeck::engine::sending::IntoFolder;
use filedeck::engine::source::FileSource;
use filedeck::engine::tree_filter::TreeRules;
use filedeck::engine::typed_paths::TypedPaths;

use super::proxied::{World, posts};
use super::*;
use crate::support::changed::changed;
use crate::support::proxy::{Fault, Passed, Rule, Which};
use filedeck::engine::question::{ControlQueue, PlanUpload};

impl World {
    fn file(&self, name: &str, content: &str) -> PathBuf {
        local(&self.dir, name, content.as_bytes())
    }

    /// Leaves uploads without a response.
    fn hang(&self) {
        self.proxy.rules(vec![Rule::new(
            posts(),
            Which::All,
            Fault::Silence(Passed::Never),
        )]);
    }

    /// Waits until only this many runs are left: a run ends with the last of its tasks.
    async fn until_runs(&self, count: usize) {
        let is_lock = |entry: &fs::DirEntry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "lock")
        };
        let locks = || {
            fs::read_dir(self.dir.path())
                .unwrap()
                .flatten()
                .filter(is_lock)
                .count()
        };
        let waiting = async {
            while locks() > count {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), waiting)
            .await
            .unwrap();
    }

    async fn until_one_is_sent(&self) {
        self.proxy
            .until(|log| log.iter().any(|relayed| posts().hold(&relayed.seen)))
            .await;
    }
}

/// An upload to the root whose name was free at this time.
fn planned(local: &Path, at: Option<Timestamp>) -> Job {
    match sending(local, &FolderRef::root(), Access::Private) {
        Job::Upload {
            source: FileSource::Local(local),
            into,
            name,
            options,
            present,
            ..
        } => Job::Upload {
            source: FileSource::Local(local),
            into,
            name,
            options,
            present,
            free_at: at,
        },
        other => other,
    }
}

async fn stored(engine: &mut Engine) -> Vec<String> {
    let mut names = names(&list(engine, &FolderRef::root(), None).await.0);
    names.sort();
    names
}

fn id_of(outcome: &Outcome) -> FileId {
    match outcome {
        Outcome::Uploaded { file, .. } | Outcome::Present(file) => file.id.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_that_accept_the_same_plan_store_each_file_once_and_say_the_rest() {
    let world = World::new().await;
    let (mut one, mut other) = (world.engine().await, world.engine().await);
    let at = Some(Timestamp::now());
    let jobs: Vec<Job> = (0..90)
        .map(|number| {
            planned(
                &world.file(&format!("{number:03}.txt"), &format!("content {number}")),
                at,
            )
        })
        .collect();
    let (first, second) = tokio::join!(one.settle(jobs.clone()), other.settle(jobs));
    let expected: Vec<String> = (0..90).map(|number| format!("{number:03}.txt")).collect();
    assert_eq!(stored(&mut one).await, expected);
    let all: Vec<Settled> = first.0.into_iter().chain(second.0).collect();
    let mut came_of: HashMap<&str, usize> = HashMap::new();
    for settled in &all {
        let what = match &settled.result {
            Ok(Outcome::Uploaded { .. }) => "uploaded",
            Ok(Outcome::Present(_)) => "present",
            Err(error)
                if error
                    .message
                    .contains("is being uploaded by another task of this machine") =>
            {
                "under way"
            }
            other => panic!("{other:?}"),
        };
        *came_of.entry(what).or_default() += 1;
    }
    assert_eq!(
        (all.len(), came_of.get("uploaded")),
        (180, Some(&90)),
        "{came_of:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_another_run_sends_is_shown_in_the_plan_and_refused_unless_both_are_to_be_kept()
{
    let world = World::new().await;
    world.hang();
    let (mut one, mut other) = (world.engine().await, world.engine().await);
    let file = world.file("a.txt", "content");
    let at = Some(Timestamp::now());
    one.queue(vec![planned(&file, at)]).await;
    world.until_one_is_sent().await;

    let typed = vec![TypedPaths {
        whole: file.clone(),
        words: Vec::new(),
    }];
    let plan = Request::PlanUpload(PlanUpload {
        typed,
        into: IntoFolder::Place(FolderRef::root()),
        name: None,
        unnamed: false,
        rules: TreeRules::default(),
    });
    let op = other.submit(plan);
    let mut rows = Vec::new();
    loop {
        match other.next().await {
            Event::Plan {
                news: PlanEvent::Rows(more),
                ..
            } => rows.extend(more),
            Event::Done { op: of, result } if of == op => break drop(result.unwrap()),
            _ => {}
        }
    }
    assert_eq!(
        rows.iter().map(|row| row.there.clone()).collect::<Vec<_>>(),
        [Existing::UnderWay]
    );

    let error = other.carry_out(planned(&file, at)).await.unwrap_err();
    assert!(
        error
            .message
            .starts_with("/a.txt is being uploaded by another task of this machine"),
        "{error}"
    );
    assert_eq!(world.proxy.count(posts()), 1);
    world.proxy.rules(Vec::new());
    other.job(planned(&file, None)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_another_run_has_stored_since_is_looked_at_and_never_numbered() {
    let world = World::new().await;
    let (mut one, mut other) = (world.engine().await, world.engine().await);
    let at = Some(Timestamp::now());
    let file = world.file("a.txt", "content");
    let first = one.job(planned(&file, at)).await;
    let second = other.job(planned(&file, at)).await;
    assert!(matches!(second, Outcome::Present(_)), "{second:?}");
    assert_eq!(id_of(&first), id_of(&second));

    let changed = world.file("a.txt", "another content");
    let error = other.carry_out(planned(&changed, at)).await.unwrap_err();
    assert!(
        error
            .message
            .starts_with("/a.txt was stored by another task of this machine"),
        "{error}"
    );
    assert_eq!(stored(&mut other).await, ["a.txt"]);

    let Outcome::Uploaded { file, .. } = first else {
        panic!()
    };
    one.job(Job::Delete {
        item: Item::of(&file),
        permanent: false,
        state: None,
    })
    .await;
    other.job(planned(&changed, at)).await;
    assert_eq!(stored(&mut other).await, ["a.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_run_that_has_ended_was_sending_is_not_under_way() {
    let world = World::new().await;
    world.hang();
    let (mut one, mut other) = (world.engine().await, world.engine().await);
    let file = world.file("a.txt", "content");
    let at = Some(Timestamp::now());
    one.queue(vec![planned(&file, at)]).await;
    world.until_one_is_sent().await;
    world.proxy.rules(Vec::new());
    one.handle.shutdown().await;
    world.until_runs(1).await;
    let outcome = other.job(planned(&file, at)).await;
    assert!(matches!(outcome, Outcome::Uploaded { .. }), "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_the_service_gave_is_a_clash_unless_both_are_to_be_kept() {
    let world = World::new().await;
    let (mut one, mut other) = (world.engine().await, world.engine().await);
    let first = one
        .job(planned(&world.file("a.txt", "content"), None))
        .await;
    // This plan is newer, but it has an old view of the folder: another machine was faster.
    let (mine, at) = (
        world.file("a.txt", "another content"),
        Some(Timestamp::now()),
    );
    let id = other.queue(vec![planned(&mine, at)]).await;
    let end = async |other: &mut Engine| {
        let (mut settled, _) = other.end_of(id, |_, _| {}).await;
        settled.remove(0).result.unwrap_err()
    };
    let clash = end(&mut other).await;
    assert_eq!(clash.kind, Kind::Conflict);
    assert!(
        clash
            .message
            .contains(&format!("/a.txt (id {})", id_of(&first))),
        "{clash}"
    );
    assert!(clash.message.contains("/a-1.txt (id "), "{clash}");
    assert_eq!(stored(&mut one).await, ["a-1.txt", "a.txt"]);

    other
        .answer(Request::ControlQueue(ControlQueue(Control::Retry(id))))
        .await;
    let again = end(&mut other).await;
    assert_eq!(
        (again.kind, &again.message),
        (Kind::Conflict, &clash.message),
        "what was sent is not sent again"
    );
    assert_eq!(stored(&mut one).await, ["a-1.txt", "a.txt"]);
    let kept = world.file("a.txt", "a third content");
    other.job(planned(&kept, None)).await;
    assert_eq!(stored(&mut one).await, ["a-1.txt", "a-2.txt", "a.txt"]);
}

/// A service that does not number names responds that the name is taken.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_taken_before_a_change_comes_there_is_a_clash_and_changes_nothing() {
    let world = World::new().await;
    let (mut one, mut other) = (world.engine().await, world.engine().await);
    let make = |name: &str| Job::CreateFolder {
        parent: FolderRef::root(),
        name: name.to_owned(),
    };
    let folder_id = async |engine: &mut Engine, name: &str| match engine.job(make(name)).await {
        Outcome::FolderCreated(folder) => folder.id,
        outcome => panic!("{outcome:?}"),
    };
    let (into, sub) = (
        folder_id(&mut one, "in").await,
        folder_id(&mut one, "sub").await,
    );
    let into = FolderRef {
        id: Some(into),
        path: "/in".to_owned(),
    };
    one.job(make("in/sub")).await;
    let Outcome::Uploaded { file, .. } = one
        .job(planned(&world.file("a.txt", "content"), None))
        .await
    else {
        panic!()
    };
    one.job(planned(&world.file("b.txt", "of another machine"), None))
        .await;
    one.job(sending(
        &world.file("a.txt", "of another machine"),
        &into,
        Access::Private,
    ))
    .await;
    let before = (
        stored(&mut one).await,
        names(&list(&mut one, &into, None).await.0),
    );
    assert_eq!(before.0, ["a.txt", "b.txt", "in/", "sub/"]);
    assert_eq!(before.1, ["sub/", "a.txt"]);

    let rename = changed(FileUpdate::default(), |update| {
        update.name = Some("b".to_owned());
    });
    let folder = |name: Option<&str>, parent: Option<&FolderRef>| Job::UpdateFolder {
        folder: sub.clone(),
        from: "/sub".to_owned(),
        name: name.map(str::to_owned),
        parent: parent.cloned(),
        seen: None,
    };
    for job in [
        Job::Change {
            file: Item::of(&file),
            update: Box::new(rename),
            seen: None,
        },
        Job::Move {
            file: Item::of(&file),
            into: into.clone(),
            seen: None,
        },
        make("in"),
        folder(Some("in"), None),
        folder(None, Some(&into)),
    ] {
        let error = other.carry_out(job.clone()).await.unwrap_err();
        assert!(
            matches!(error.kind, Kind::Conflict | Kind::TaskFailed),
            "{job:?}: {error:?}"
        );
        assert!(error.message.contains("already"), "{job:?}: {error:?}");
        assert_eq!(
            (
                stored(&mut one).await,
                names(&list(&mut one, &into, None).await.0)
            ),
            before,
            "{job:?}"
        );
    }
}
