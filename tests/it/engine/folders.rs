//! Uploads with their folders: each folder is created once, before its files, whatever happens in
//! between.

use super::proxied::World;
use super::*;
use crate::support::proxy::{Calls, Fault, Passed, Rule, Which};

impl World {
    fn uploads(&self, names: &[String]) -> Vec<Job> {
        let job = |(number, name): (usize, &String)| Job::Upload {
            source: FileSource::Local(local(
                &self.dir,
                &format!("{number}.txt"),
                number.to_string().as_bytes(),
            )),
            into: FolderRef::root(),
            name: Some(name.clone()),
            options: options(Access::Private).into(),
            present: false,
            free_at: None,
        };
        names.iter().enumerate().map(job).collect()
    }

    async fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        for (what, end) in [("files", ""), ("folders", "/")] {
            let page = self
                .service
                .get(&format!("/files/v3/{what}/search?limit=100"))
                .await
                .json();
            let results = page["results"].as_array().unwrap().clone();
            paths.extend(
                results
                    .iter()
                    .map(|one| one["path"].as_str().unwrap().to_owned() + end),
            );
        }
        paths.sort();
        paths
    }
}

fn made() -> Calls {
    Calls::to("POST", "/files/v3/folders")
}

#[tokio::test]
async fn every_folder_is_made_once_and_before_its_files() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    let names = ["a/b/1.txt", "a/b/2.txt", "a/3.txt", "c/4.txt", "5.txt"].map(str::to_owned);
    let mut jobs = world.uploads(&names);
    jobs.push(Job::CreateFolder {
        parent: FolderRef::root(),
        name: "a/empty".to_owned(),
    });
    let (settled, ended) = engine.settle(jobs).await;
    assert!(
        settled.iter().all(|settled| settled.result.is_ok()),
        "{settled:?}"
    );
    assert_eq!(
        (ended.label.as_str(), ended.counts.done),
        ("5 files → /", 6)
    );
    let expected = [
        "/5.txt",
        "/a/",
        "/a/3.txt",
        "/a/b/",
        "/a/b/1.txt",
        "/a/b/2.txt",
        "/a/empty/",
        "/c/",
        "/c/4.txt",
    ];
    assert_eq!(world.paths().await, expected);
    assert_eq!(world.proxy.count(made()), 4);
}

#[tokio::test]
async fn folders_that_are_there_are_used() {
    let world = World::new().await;
    let mut engine = world.engine().await;
    new_folder(&mut engine, &FolderRef::root(), "a").await;
    let (_, ended) = engine
        .settle(world.uploads(&["a/b/1.txt".to_owned(), "a/2.txt".to_owned()]))
        .await;
    assert_eq!(ended.counts.done, 2);
    assert_eq!(
        world.paths().await,
        ["/a/", "/a/2.txt", "/a/b/", "/a/b/1.txt"]
    );
}

#[rstest]
#[case::made(Passed::Now)]
#[case::not_made(Passed::Never)]
#[tokio::test]
async fn a_folder_whose_answer_was_lost_is_not_made_twice(#[case] passed: Passed) {
    let world = World::new().await;
    world
        .proxy
        .rules(vec![Rule::new(made(), Which::Nth(1), Fault::Reset(passed))]);
    let mut engine = world.engine().await;
    let names: Vec<_> = (0..6).map(|number| format!("a/{number}.txt")).collect();
    let (settled, ended) = engine.settle(world.uploads(&names)).await;
    assert_eq!(ended.counts.done, 6, "{settled:?}");
    let mut expected = vec!["/a/".to_owned()];
    expected.extend(names.iter().map(|name| format!("/{name}")));
    assert_eq!(world.paths().await, expected);
}

#[tokio::test]
async fn a_batch_with_folders_goes_on_after_a_restart() {
    let world = World::new().await;
    let upload = Calls::to("POST", "/files/v3/files");
    world.proxy.rules(vec![Rule::new(
        upload,
        Which::Nth(20),
        Fault::Silence(Passed::Now),
    )]);
    let mut engine = world.engine().await;
    let names: Vec<_> = (0..60)
        .map(|number| format!("d{:02}/e/{number:02}.txt", number / 5))
        .collect();
    let id = engine.queue(world.uploads(&names)).await;
    world
        .proxy
        .until(|log| {
            log.iter()
                .filter(|relayed| upload.hold(&relayed.seen))
                .count()
                >= 30
        })
        .await;
    engine.handle.shutdown().await;

    world.proxy.rules(Vec::new());
    let mut engine = world.engine().await;
    let (_, ended) = engine.end_of(id, |_, _| {}).await;
    assert_eq!((ended.counts.done, ended.counts.total), (60, 60));
    let mut expected: Vec<_> = names.iter().map(|name| format!("/{name}")).collect();
    expected.extend(
        (0..12).flat_map(|number| [format!("/d{number:02}/"), format!("/d{number:02}/e/")]),
    );
    expected.sort();
    assert_eq!(world.paths().await, expected);
}
