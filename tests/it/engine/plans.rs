//! The plans of uploads and downloads, made before anything is sent: against the real service and a
//! real disk.

use std::collections::HashSet;

use filedeck::engine::ProgressSink;
use filedeck::engine::ops::plan_download::{self, LocalTarget};
use filedeck::engine::plan::{
    Direction, Existing, PlanChoice, PlanEvent, PlanRow, PlanSource, jobs,
};
use filedeck::engine::sending::IntoFolder;
use filedeck::engine::source::FileSource;
use filedeck::engine::tree_filter::TreeRules;
use filedeck::engine::typed_paths::{Pattern, TypedPath, TypedPaths};

use super::*;
use crate::support::account::client_with;
use crate::support::changed::changed;
use crate::support::proxy::{Calls, Fault, Proxy, Rule, Which};
use filedeck::engine::Answer;
use filedeck::engine::question::{Locate, Located, PlanDownload, PlanImport, PlanUpload, Planned};

struct World {
    service: TestService,
    proxy: Proxy,
    engine: Engine,
    dir: TempDir,
}

#[derive(Debug, Default)]
struct Told {
    into: Option<FolderRef>,
    into_local: Option<PathBuf>,
    rows: Vec<PlanRow>,
    room: Option<u64>,
    elsewhere: Vec<(String, String)>,
    not_looked_for: usize,
}

impl World {
    async fn new() -> Self {
        let service = TestService::start().await;
        let proxy = Proxy::start(service.running.base_url()).await;
        let engine = Engine::start(client_with(&proxy.url, service.token())).await;
        Self {
            service,
            proxy,
            engine,
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn local(&self, path: &str, content: &str) -> PathBuf {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    async fn remote(&self, folder: &str, name: &str, content: &str) {
        let options = json!({ "access": "PUBLIC_INDEXABLE" });
        self.service
            .upload(folder, name, content.as_bytes(), options)
            .await
            .expect(201);
    }

    fn word(&self, typed: &str) -> TypedPath {
        let has_pattern = typed.contains(['*', '?']);
        TypedPath {
            shown: typed.to_owned(),
            path: self.dir.path().join(typed),
            pattern: has_pattern.then(|| Pattern {
                base: self.dir.path().into(),
                glob: typed.to_owned(),
            }),
        }
    }

    fn typed(&self, words: &[&str]) -> Vec<TypedPaths> {
        let words: Vec<_> = words.iter().map(|word| self.word(word)).collect();
        vec![TypedPaths {
            whole: self.dir.path().join("no such line"),
            words,
        }]
    }

    async fn plan(&mut self, words: &[&str]) -> Result<Told, filedeck::api::Error> {
        let request = Request::PlanUpload(PlanUpload {
            typed: self.typed(words),
            into: IntoFolder::Place(FolderRef::root()),
            name: None,
            unnamed: false,
            rules: TreeRules::default(),
        });
        self.told(request).await
    }

    async fn told(&mut self, request: Request) -> Result<Told, filedeck::api::Error> {
        let op = self.engine.submit(request);
        let mut told = Told::default();
        let mut is_complete = false;
        loop {
            match self.engine.next().await {
                Event::Plan {
                    news: PlanEvent::Into(place),
                    ..
                } => told.into = Some(place),
                Event::Plan {
                    news: PlanEvent::Rows(rows),
                    ..
                } => told.rows.extend(rows),
                Event::Plan {
                    news: PlanEvent::Complete { room },
                    ..
                } => (told.room, is_complete) = (room, true),
                Event::Plan {
                    news: PlanEvent::IntoLocal(folder),
                    ..
                } => told.into_local = Some(folder),
                Event::Plan {
                    news: PlanEvent::Elsewhere(found),
                    ..
                } => {
                    assert!(
                        is_complete,
                        "the plan can be used before the account is looked through"
                    );
                    told.elsewhere.extend(
                        found
                            .into_iter()
                            .map(|(at, path)| (told.rows[at].name.clone(), path)),
                    );
                }
                Event::Done { op: of, result } if of == op => {
                    let (Answer::PlanUpload(planned) | Answer::PlanDownload(planned)) = result?
                    else {
                        panic!()
                    };
                    let Planned { not_looked_for } = planned;
                    return Ok(Told {
                        not_looked_for,
                        ..told
                    });
                }
                _ => {}
            }
        }
    }
}

fn summary(rows: &[PlanRow]) -> Vec<String> {
    let sign = |row: &PlanRow| match (&row.source, &row.there) {
        (PlanSource::Unfit(_), _) => "!",
        (PlanSource::EmptyFolder, _) => "/",
        (_, Existing::Nothing { .. }) => "+",
        (_, Existing::Same(_)) => "=",
        (_, Existing::Other(_)) => "#",
        (_, Existing::UnderWay) => "~",
        (_, Existing::Blocked(_)) => "x",
    };
    rows.iter()
        .map(|row| format!("{} {}", sign(row), row.name))
        .collect()
}

#[tokio::test]
async fn names_are_new_taken_or_the_same_and_the_bytes_may_be_elsewhere() {
    let mut world = World::new().await;
    for (name, content) in [
        ("new.txt", "new"),
        ("same.txt", "same"),
        ("taken.txt", "mine"),
        ("else.txt", "elsewhere"),
    ] {
        world.local(name, content);
    }
    world.remote("/", "same.txt", "same").await;
    world.remote("/", "taken.txt", "that").await;
    world.remote("/brand", "logo.txt", "elsewhere").await;
    let told = world
        .plan(&["new.txt", "same.txt", "taken.txt", "else.txt"])
        .await
        .unwrap();
    assert_eq!(
        summary(&told.rows),
        ["# taken.txt", "= same.txt", "+ new.txt", "+ else.txt"]
    );
    assert_eq!(
        told.elsewhere,
        [("else.txt".to_owned(), "/brand/logo.txt".to_owned())]
    );
    assert_eq!(told.not_looked_for, 0);
    let Existing::Other(existing) = &told.rows[0].there else {
        panic!()
    };
    assert_eq!(
        (existing.size(), existing.access()),
        (Some(4), Some(&Access::PublicIndexable))
    );
    let sent = world.proxy.count(Calls::to("POST", "/")) + world.proxy.count(Calls::to("PUT", "/"));
    assert_eq!(sent, 0, "nothing is changed by a plan");
}

#[tokio::test]
async fn the_same_bytes_are_asked_for_by_their_md5_where_a_pass_would_take_more_requests() {
    let mut world = World::new().await;
    for number in 100..250 {
        world
            .remote("/brand", &format!("{number}.txt"), &number.to_string())
            .await;
    }
    world.local("mine.txt", "249");
    let told = world.plan(&["mine.txt"]).await.unwrap();
    assert_eq!(
        told.elsewhere,
        [("mine.txt".to_owned(), "/brand/249.txt".to_owned())]
    );
    assert_eq!(
        world
            .proxy
            .count(Calls::to("GET", "/files/v3/files/search").naming("fileMd5")),
        1
    );
}

#[tokio::test]
async fn a_folder_comes_with_its_structure_and_what_cannot_be_sent_is_named() {
    let mut world = World::new().await;
    world.local("site/index.html", "i");
    world.local("site/img/a.png", "a");
    world.local("site/img/b.png", "b");
    world.local("site/.hidden", "h");
    fs::create_dir_all(world.dir.path().join("site/empty/within")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let site = world.dir.path().join("site");
        std::os::unix::fs::symlink("index.html", site.join("link.html")).unwrap();
        fs::write(site.join("two\nlines"), "x").unwrap();
        fs::write(site.join(std::ffi::OsStr::from_bytes(b"\xff.txt")), "x").unwrap();
        nix::unistd::mkfifo(&site.join("pipe"), nix::sys::stat::Mode::S_IRUSR).unwrap();
    }
    world
        .service
        .post("/files/v3/folders", json!({ "name": "site" }))
        .await
        .expect(201);
    let told = world.plan(&["site"]).await.unwrap();
    let unfit: Vec<_> = told
        .rows
        .iter()
        .filter(|row| matches!(row.source, PlanSource::Unfit(_)))
        .collect();
    assert_eq!(unfit.len(), if cfg!(unix) { 4 } else { 0 }, "{unfit:?}");
    // Names are kept as they are: the screen makes them safe.
    assert!(
        !cfg!(unix)
            || unfit
                .iter()
                .any(|row| row.name.ends_with("/site/two\nlines")),
        "{unfit:?}"
    );
    let rest: Vec<PlanRow> = told
        .rows
        .iter()
        .filter(|row| !matches!(row.source, PlanSource::Unfit(_)))
        .cloned()
        .collect();
    let expected = [
        "+ site/.hidden",
        "+ site/img/a.png",
        "+ site/img/b.png",
        "+ site/index.html",
        "/ site/empty/within",
    ];
    assert_eq!(summary(&rest), expected);
    let new = |row: &PlanRow| matches!(&row.there, Existing::Nothing { new_folder: Some(path) } if path == "site/img");
    assert_eq!(
        rest.iter().map(new).collect::<Vec<_>>(),
        [false, true, false, false, false]
    );
    assert_eq!(
        new_folders(&rest),
        ["site/empty", "site/empty/within", "site/img"]
    );

    let direction = Direction::Up {
        into: FolderRef::root(),
        options: Box::new(options(Access::Private).into()),
        asked_at: Timestamp::UNIX_EPOCH,
    };
    let chosen = told
        .rows
        .iter()
        .map(|row| (row, row.choices(&direction)[0]));
    let (settled, ended) = world.engine.settle(jobs(chosen, &direction)).await;
    assert_eq!(ended.counts.done, 5, "{settled:?}");
    let again = world.plan(&["site"]).await.unwrap();
    let same = again
        .rows
        .iter()
        .filter(|row| matches!(row.there, Existing::Same(_)))
        .count();
    assert_eq!(
        (same, again.rows.len()),
        (4, 4 + unfit.len()),
        "empty folders that are there are not told of"
    );
}

#[tokio::test]
async fn patterns_stand_for_what_they_match_and_hidden_names_have_to_be_asked_for() {
    let mut world = World::new().await;
    for name in [
        "a.png",
        "b.png",
        ".c.png",
        "d.txt",
        "in/e.png",
        "in/deep/f.png",
        "[x].png",
    ] {
        world.local(name, name);
    }
    let names = async |world: &mut World, pattern: &str| {
        let mut names: Vec<String> = world
            .plan(&[pattern])
            .await
            .unwrap()
            .rows
            .into_iter()
            .map(|row| row.name)
            .collect();
        names.sort();
        names
    };
    assert_eq!(
        names(&mut world, "*.png").await,
        ["[x].png", "a.png", "b.png"]
    );
    assert_eq!(names(&mut world, ".*.png").await, [".c.png"]);
    assert_eq!(
        names(&mut world, "**/*.png").await,
        ["[x].png", "a.png", "b.png", "e.png", "f.png"]
    );
    assert_eq!(names(&mut world, "i*").await, ["in/deep/f.png", "in/e.png"]);
    let error = world.plan(&["*.gif"]).await.unwrap_err();
    assert!(error.message.contains("*.gif does not exist"), "{error}");
}

#[tokio::test]
async fn a_folder_that_is_known_by_its_path_is_found_and_what_lacks_of_it_is_made() {
    let mut world = World::new().await;
    world.local("a.txt", "a");
    world.remote("/in", "a.txt", "other").await;
    let request = |world: &World, path: &str| {
        Request::PlanUpload(PlanUpload {
            typed: world.typed(&["a.txt"]),
            into: IntoFolder::Path(path.to_owned()),
            name: None,
            unnamed: false,
            rules: TreeRules::default(),
        })
    };
    let asked = request(&world, "/in");
    let told = world.told(asked).await.unwrap();
    let into = told.into.unwrap();
    assert_eq!((into.path.as_str(), into.id.is_some()), ("/in", true));
    assert!(
        matches!(told.rows[0].there, Existing::Other(_)),
        "{:?}",
        told.rows
    );

    let asked = request(&world, "/in/deep/er");
    let told = world.told(asked).await.unwrap();
    let into = told.into.unwrap();
    assert_eq!(
        (into.path.as_str(), told.rows[0].name.as_str()),
        ("/in", "deep/er/a.txt")
    );
    let direction = Direction::Up {
        into,
        options: Box::new(options(Access::Private).into()),
        asked_at: Timestamp::UNIX_EPOCH,
    };
    let (settled, _) = world
        .engine
        .settle(jobs([(&told.rows[0], PlanChoice::Go)], &direction))
        .await;
    let Ok(Outcome::Uploaded { file, .. }) = &settled[0].result else {
        panic!("{settled:?}")
    };
    assert_eq!(file.path.as_deref(), Some("/in/deep/er/a.txt"));

    let asked = request(&world, "/in/a.txt/below");
    assert!(
        world
            .told(asked)
            .await
            .unwrap_err()
            .message
            .contains("is a file")
    );
}

#[tokio::test]
async fn files_of_a_plan_that_have_the_same_bytes_are_told_of() {
    let mut world = World::new().await;
    for (name, content) in [
        ("a.txt", "twin"),
        ("b.txt", "twin"),
        ("c.txt", "else"),
        ("d.txt", ""),
    ] {
        world.local(name, content);
    }
    world.local("e.txt", "");
    let told = world
        .plan(&["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"])
        .await
        .unwrap();
    assert_eq!(
        told.elsewhere,
        [("b.txt".to_owned(), "a.txt".to_owned())],
        "empty files say nothing"
    );
}

#[tokio::test]
async fn an_upload_goes_into_the_folder_of_an_id() {
    let mut world = World::new().await;
    world.local("a.txt", "mine");
    world.remote("/in", "a.txt", "there").await;
    let (entries, _) = list(&mut world.engine, &FolderRef::root(), None).await;
    let Entry::Folder(folder) = &entries[0] else {
        panic!("{entries:?}")
    };
    let (typed, into) = (world.typed(&["a.txt"]), IntoFolder::Id(folder.id.clone()));
    let told = world
        .told(Request::PlanUpload(PlanUpload {
            typed,
            into,
            name: None,
            unnamed: false,
            rules: TreeRules::default(),
        }))
        .await
        .unwrap();
    assert_eq!(told.into.unwrap().path, "/in");
    assert_eq!(summary(&told.rows), ["# a.txt"]);
}

#[tokio::test]
async fn names_that_are_left_to_the_service_meet_nothing() {
    let mut world = World::new().await;
    world.local("a.txt", "a");
    world.remote("/", "a.txt", "other").await;
    let (typed, into) = (
        world.typed(&["a.txt"]),
        IntoFolder::Place(FolderRef::root()),
    );
    let told = world
        .told(Request::PlanUpload(PlanUpload {
            typed,
            into,
            name: None,
            unnamed: true,
            rules: TreeRules::default(),
        }))
        .await
        .unwrap();
    assert!(
        matches!(told.rows[0].there, Existing::Nothing { .. }),
        "{:?}",
        told.rows
    );
}

#[tokio::test]
async fn what_is_not_there_is_said_and_a_line_may_be_one_name() {
    let mut world = World::new().await;
    world.local("notes of today.txt", "n");
    let mut typed = world.typed(&["notes", "of", "today.txt"]);
    let error = world
        .told(Request::PlanUpload(PlanUpload {
            typed: typed.clone(),
            into: IntoFolder::Place(FolderRef::root()),
            name: None,
            unnamed: false,
            rules: TreeRules::default(),
        }))
        .await;
    assert!(
        error
            .unwrap_err()
            .message
            .contains("notes and 2 more do not exist")
    );
    typed[0].whole = world.dir.path().join("notes of today.txt");
    let told = world
        .told(Request::PlanUpload(PlanUpload {
            typed,
            into: IntoFolder::Place(FolderRef::root()),
            name: None,
            unnamed: false,
            rules: TreeRules::default(),
        }))
        .await
        .unwrap();
    assert_eq!(summary(&told.rows), ["+ notes of today.txt"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_device_that_is_named_is_refused_and_a_link_that_is_named_is_followed() {
    let mut world = World::new().await;
    let target = world.local("real.txt", "r");
    std::os::unix::fs::symlink(&target, world.dir.path().join("link.txt")).unwrap();
    assert_eq!(
        summary(&world.plan(&["link.txt"]).await.unwrap().rows),
        ["+ link.txt"]
    );
    let typed = vec![TypedPaths {
        whole: "/dev/null".into(),
        words: Vec::new(),
    }];
    let error = world
        .told(Request::PlanUpload(PlanUpload {
            typed,
            into: IntoFolder::Place(FolderRef::root()),
            name: None,
            unnamed: false,
            rules: TreeRules::default(),
        }))
        .await
        .unwrap_err();
    assert!(error.message.contains("a device"), "{error}");
}

#[tokio::test]
async fn names_that_only_look_the_same_are_told_of() {
    let mut world = World::new().await;
    world.local("one/Logo.png", "1");
    world.local("two/logo.png", "2");
    world.local("two/x/Logo.png", "3");
    world.remote("/", "LOGO.png", "there").await;
    world.remote("/", "Gro\u{308}\u{df}e.txt", "there").await;
    world.local("Gr\u{f6}\u{df}e.txt", "4");
    let told = world
        .plan(&[
            "one/Logo.png",
            "two/logo.png",
            "two/x/Logo.png",
            "Gr\u{f6}\u{df}e.txt",
        ])
        .await
        .unwrap();
    let warnings: Vec<_> = told
        .rows
        .iter()
        .map(|row| row.warning.clone().unwrap_or_default())
        .collect();
    assert!(
        matches!(told.rows[0].there, Existing::Other(_)),
        "{:?}",
        told.rows[0]
    );
    assert_eq!(
        (told.rows[0].name.as_str(), warnings[0].as_str()),
        ("Gro\u{308}\u{df}e.txt", "")
    );
    assert!(
        warnings[1].contains("LOGO.png, which is there, by case"),
        "{warnings:?}"
    );
    assert!(warnings[2].contains("Logo.png by case"), "{warnings:?}");
    assert!(
        warnings[3].contains("another of these has the same name"),
        "{warnings:?}"
    );
}

#[tokio::test]
async fn a_file_in_the_place_of_a_folder_and_a_folder_in_that_of_a_file_are_told_of() {
    let mut world = World::new().await;
    world.local("a", "file");
    world.local("b/c.txt", "in a folder");
    world
        .service
        .post("/files/v3/folders", json!({ "name": "a" }))
        .await
        .expect(201);
    world.remote("/", "b", "file").await;
    let told = world.plan(&["a", "b"]).await.unwrap();
    assert_eq!(summary(&told.rows), ["! b/c.txt", "x a"]);
}

#[tokio::test]
async fn a_few_names_in_a_long_folder_cost_a_few_requests() {
    let mut world = World::new().await;
    for number in 0..350 {
        world
            .remote("/", &format!("{number:03}.txt"), &number.to_string())
            .await;
    }
    world.local("349.txt", "other");
    let told = world.plan(&["349.txt"]).await.unwrap();
    assert_eq!(summary(&told.rows), ["# 349.txt"]);
    assert!(
        world.proxy.count(Calls::all()) <= 5,
        "{}",
        world.proxy.count(Calls::all())
    );
}

#[rstest]
#[case::of_a_plan_just_made(Timestamp::now(), 0)]
#[case::of_an_old_plan(Timestamp::UNIX_EPOCH, 1)]
#[tokio::test]
async fn a_folder_that_the_plan_has_just_listed_is_not_listed_again(
    #[case] asked_at: Timestamp,
    #[case] listings: usize,
) {
    let mut world = World::new().await;
    world.remote("/set", "other.txt", "content 1").await;
    for number in 0..5 {
        world.local(&format!("set/{number}.txt"), &format!("content {number}"));
    }
    let told = world.plan(&["set"]).await.unwrap();
    let direction = Direction::Up {
        into: FolderRef::root(),
        options: Box::new(options(Access::Private).into()),
        asked_at,
    };
    let chosen = told
        .rows
        .iter()
        .map(|row| (row, row.choices(&direction)[0]));
    let listed = || {
        world
            .proxy
            .count(Calls::to("GET", "/files/v3/files/search"))
    };
    let before = listed();
    let (_, ended) = world.engine.settle(jobs(chosen, &direction)).await;
    assert_eq!((ended.counts.done, listed() - before), (5, listings));
}

#[tokio::test]
async fn two_hundred_files_with_clashes_end_as_the_plan_says() {
    let mut world = World::new().await;
    for number in 0..200 {
        world.local(&format!("set/{number:03}.txt"), &format!("mine {number}"));
        match number % 10 {
            0 => {
                world
                    .remote(
                        "/set",
                        &format!("{number:03}.txt"),
                        &format!("mine {number}"),
                    )
                    .await;
            }
            1 => {
                world
                    .remote(
                        "/set",
                        &format!("{number:03}.txt"),
                        &format!("theirs {number}"),
                    )
                    .await;
            }
            _ => {}
        }
    }
    let told = world.plan(&["set"]).await.unwrap();
    let count = |sign: &str| {
        summary(&told.rows)
            .iter()
            .filter(|row| row.starts_with(sign))
            .count()
    };
    assert_eq!((count("#"), count("="), count("+")), (20, 20, 160));
    let direction = Direction::Up {
        into: FolderRef::root(),
        options: Box::new(options(Access::Private).into()),
        asked_at: Timestamp::UNIX_EPOCH,
    };
    let choice = |(at, row): (usize, &PlanRow)| {
        if at == 0 {
            PlanChoice::KeepBoth
        } else {
            row.choices(&direction)[0]
        }
    };
    let chosen: Vec<_> = told
        .rows
        .iter()
        .enumerate()
        .map(|(at, row)| (row, choice((at, row))))
        .collect();
    let (settled, ended) = world.engine.settle(jobs(chosen, &direction)).await;
    assert_eq!(
        (ended.counts.done, ended.counts.total),
        (180, 180),
        "{settled:?}"
    );
    assert_eq!(ended.label, "180 files → /set");
    let place = FolderRef {
        id: None,
        path: "/set".to_owned(),
    };
    let Answer::Locate(Located::Entry(Entry::Folder(folder))) = world
        .engine
        .answer(Request::Locate(Locate::Path(place.path)))
        .await
    else {
        panic!()
    };
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let place = FolderRef {
            id: Some(folder.id.clone()),
            path: "/set".to_owned(),
        };
        let (entries, next) = list(&mut world.engine, &place, after).await;
        found.extend(names(&entries));
        after = next;
        if after.is_none() {
            break;
        }
    }
    let mut expected: Vec<String> = (0..200).map(|number| format!("{number:03}.txt")).collect();
    expected.push("001-1.txt".to_owned());
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    let bytes = world
        .service
        .get("/files/v3/files/stat//set/011.txt")
        .await
        .json();
    assert_eq!(
        bytes["file"]["access"], "PUBLIC_INDEXABLE",
        "what is replaced in place keeps its access"
    );
}

#[tokio::test]
async fn a_replacement_is_refused_when_other_content_has_come_meanwhile() {
    let mut world = World::new().await;
    world.local("a.txt", "mine");
    world.remote("/", "a.txt", "one").await;
    let told = world.plan(&["a.txt"]).await.unwrap();
    let direction = Direction::Up {
        into: FolderRef::root(),
        options: Box::new(options(Access::Private).into()),
        asked_at: Timestamp::UNIX_EPOCH,
    };
    let planned = jobs([(&told.rows[0], PlanChoice::Replace)], &direction);
    world
        .service
        .upload(
            "/",
            "a.txt",
            b"two",
            json!({ "access": "PRIVATE", "overwrite": true }),
        )
        .await
        .expect(201);
    let moved = world
        .engine
        .carry_out(planned[0].clone())
        .await
        .unwrap_err();
    assert_eq!(moved.kind, Kind::NotFound, "it is another file by now");

    let told = world.plan(&["a.txt"]).await.unwrap();
    let planned = jobs([(&told.rows[0], PlanChoice::Replace)], &direction);
    let Job::Replace { file, .. } = &planned[0] else {
        panic!()
    };
    let other = Job::Replace {
        source: FileSource::Local(world.local("b.txt", "three")),
        file: file.clone(),
        seen: None,
        charset: None,
        access: None,
    };
    world.engine.job(other).await;
    let error = world
        .engine
        .carry_out(planned[0].clone())
        .await
        .unwrap_err();
    assert!(error.message.contains("has changed since"), "{error}");
}

#[tokio::test]
async fn what_is_larger_than_the_service_takes_is_not_offered() {
    let mut world = World::new().await;
    let path = world.local("film.mp4", "");
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len((2 << 30) + 1)
        .unwrap();
    let told = world.plan(&["film.mp4"]).await.unwrap();
    assert_eq!(summary(&told.rows), ["! film.mp4"]);
    let PlanSource::Unfit(why) = &told.rows[0].source else {
        panic!("{:?}", told.rows)
    };
    assert_eq!(why, "too large: the service accepts 2 GB at most");
}

#[tokio::test]
async fn downloads_meet_what_is_on_the_disk() {
    let mut world = World::new().await;
    for (name, content) in [
        ("new.txt", "new"),
        ("same.txt", "same"),
        ("taken.txt", "that"),
        ("dir.txt", "d"),
    ] {
        world.remote("/", name, content).await;
    }
    world.local("same.txt", "same");
    world.local("taken.txt", "mine");
    fs::create_dir(world.dir.path().join("dir.txt")).unwrap();
    let (entries, _) = list(&mut world.engine, &FolderRef::root(), None).await;
    let files: Vec<Item> = entries
        .iter()
        .filter_map(|entry| {
            if let Entry::File(file) = entry {
                Some(Item::of(file))
            } else {
                None
            }
        })
        .collect();
    let into = world.dir.path().to_owned();
    let told = world
        .told(Request::PlanDownload(PlanDownload {
            items: files.clone(),
            into: into.clone(),
        }))
        .await
        .unwrap();
    assert_eq!(
        summary(&told.rows),
        ["x dir.txt", "# taken.txt", "= same.txt", "+ new.txt"]
    );
    assert_eq!(told.room.is_some(), cfg!(unix));
    let direction = Direction::Down {
        into: into.clone(),
        numbered: true,
    };
    let choice = |row: &PlanRow| {
        if row.name == "taken.txt" {
            PlanChoice::Replace
        } else {
            row.choices(&direction)[0]
        }
    };
    let (settled, _) = world
        .engine
        .settle(jobs(
            told.rows.iter().map(|row| (row, choice(row))),
            &direction,
        ))
        .await;
    assert_eq!(settled.len(), 3, "{settled:?}");
    let content = |name: &str| fs::read_to_string(into.join(name)).unwrap();
    assert_eq!(
        (
            content("taken.txt"),
            content("new.txt"),
            content("dir (1).txt")
        ),
        ("that".into(), "new".into(), "d".into())
    );
    let below = into.join("none/below");
    let request = |into| {
        Request::PlanDownload(PlanDownload {
            items: files.clone(),
            into,
        })
    };
    let told = world.told(request(below.clone())).await.unwrap();
    assert!(!into.join("none").exists(), "nothing is accepted yet");
    let direction = Direction::Down {
        into: told.into_local.clone().unwrap(),
        numbered: true,
    };
    let chosen = told
        .rows
        .iter()
        .map(|row| (row, row.choices(&direction)[0]));
    let (settled, _) = world.engine.settle(jobs(chosen, &direction)).await;
    assert_eq!(settled.len(), 4, "{settled:?}");
    assert_eq!(fs::read_to_string(below.join("new.txt")).unwrap(), "new");
    for (wrong, why) in [
        ("new.txt/a", "is not a folder"),
        ("no/../a", "does not exist"),
    ] {
        let error = world.told(request(into.join(wrong))).await.unwrap_err();
        assert!(error.message.contains(why), "{error}");
    }
}

#[tokio::test]
async fn a_file_is_saved_under_another_name_if_it_is_the_only_one() {
    let mut world = World::new().await;
    for name in ["logo.txt", "other.txt"] {
        world.remote("/", name, name).await;
    }
    let (entries, _) = list(&mut world.engine, &FolderRef::root(), None).await;
    let items = entries.iter().filter_map(|entry| match entry {
        Entry::File(file) => Some(Item::of(file)),
        Entry::Folder(_) => None,
    });
    let items: Vec<Item> = items.collect();
    let into = world.dir.path().to_owned();
    let client = client_with(&world.proxy.url, world.service.token());
    let rows = async |items: &[Item], name| {
        let (rules, report) = (TreeRules::default(), ProgressSink::none());
        let name = Some(name);
        let target = LocalTarget { into: &into, name };
        let planned = plan_download::plan(&client, items, target, &rules, &report).await;
        planned.unwrap().rows
    };
    let direction = Direction::Down {
        into: into.clone(),
        numbered: true,
    };
    world.local("taken.txt", "mine");
    for (name, row, saved) in [
        ("new.txt", "+ new.txt", "new.txt"),
        ("taken.txt", "# taken.txt", "taken (1).txt"),
        ("a\u{1b}.txt", "+ a‛␛.txt", "a‛␛.txt"),
        ("in/a.txt", "+ in／a.txt", "in／a.txt"),
    ] {
        let rows = rows(&items[..1], name).await;
        assert_eq!(summary(&rows), [row]);
        let chosen = rows.iter().map(|row| (row, row.choices(&direction)[0]));
        world.engine.settle(jobs(chosen, &direction)).await;
        assert_eq!(fs::read_to_string(into.join(saved)).unwrap(), items[0].name);
    }
    let both = rows(&items, "new.txt").await;
    assert_eq!(summary(&both), ["+ logo.txt", "+ other.txt"]);
}

#[tokio::test]
async fn a_long_walk_tells_how_far_it_is_and_can_be_given_up() {
    let mut world = World::new().await;
    for number in 0..600 {
        world.local(&format!("many/{}/{number}.txt", number % 7), "x");
    }
    let op = world.engine.submit(Request::PlanUpload(PlanUpload {
        typed: world.typed(&["many"]),
        into: IntoFolder::Place(FolderRef::root()),
        name: None,
        unnamed: false,
        rules: TreeRules::default(),
    }));
    let mut found = 0;
    while found < 256 {
        if let Event::Progress {
            progress: filedeck::engine::Progress::Found { files, .. },
            ..
        } = world.engine.next().await
        {
            found = files;
        }
    }
    world.engine.handle.cancel(op);
    loop {
        match world.engine.next().await {
            Event::Cancelled { op: of } if of == op => break,
            Event::Done { .. } => panic!("it was not given up"),
            _ => {}
        }
    }
}

async fn chosen(world: &mut World, path: &str) -> Item {
    let located = world
        .engine
        .answer(Request::Locate(Locate::Path(path.to_owned())))
        .await;
    let Answer::Locate(Located::Entry(Entry::Folder(folder))) = located else {
        panic!("{located:?}")
    };
    Item {
        target: Target::Folder(folder.id.clone()),
        path: path.to_owned(),
        name: folder.full_name(),
        size: None,
        md5: None,
    }
}

/// Returns the folders that would be created with these rows.
fn new_folders(rows: &[PlanRow]) -> Vec<&str> {
    let outermost = rows.iter().filter_map(|row| match &row.there {
        Existing::Nothing { new_folder } => new_folder.as_deref(),
        _ => None,
    });
    let outermost = outermost.collect();
    let folders = rows.iter().flat_map(|row| row.new_folders(&outermost));
    let folders: std::collections::BTreeSet<&str> = folders.collect();
    folders.into_iter().collect()
}

async fn download_plan(world: &mut World, paths: &[&str]) -> (Told, Direction) {
    let mut items = Vec::new();
    for path in paths {
        items.push(chosen(world, path).await);
    }
    let into = world.dir.path().to_owned();
    let told = world
        .told(Request::PlanDownload(PlanDownload {
            items,
            into: into.clone(),
        }))
        .await
        .unwrap();
    (
        told,
        Direction::Down {
            into,
            numbered: true,
        },
    )
}

#[tokio::test]
async fn a_folder_comes_with_everything_in_it() {
    let mut world = World::new().await;
    for (folder, name) in [
        ("/brand", "a.txt"),
        ("/brand/2026/q3", "b.txt"),
        ("/brand/2026", "c.txt"),
        ("/web", "d.txt"),
    ] {
        world.remote(folder, name, name).await;
    }
    world
        .service
        .post(
            "/files/v3/folders",
            json!({ "parentPath": "/brand", "name": "none" }),
        )
        .await
        .expect(201);
    world
        .service
        .post(
            "/files/v3/folders",
            json!({ "parentPath": "/brand/none", "name": "here" }),
        )
        .await
        .expect(201);
    world.local("brand/a.txt", "a.txt");
    world.local("brand/2026/c.txt", "mine");
    let (told, direction) = download_plan(&mut world, &["/brand"]).await;
    assert_eq!(
        summary(&told.rows),
        [
            "# brand/2026/c.txt",
            "= brand/a.txt",
            "+ brand/2026/q3/b.txt",
            "/ brand/none/here"
        ]
    );
    assert_eq!(
        told.rows[2].there,
        Existing::Nothing {
            new_folder: Some("brand/2026/q3".to_owned())
        }
    );
    assert_eq!(
        new_folders(&told.rows),
        ["brand/2026/q3", "brand/none", "brand/none/here"]
    );
    let jobs = jobs(
        told.rows
            .iter()
            .map(|row| (row, row.choices(&direction)[0])),
        &direction,
    );
    let (settled, _) = world.engine.settle(jobs).await;
    assert_eq!(settled.len(), 3, "{settled:?}");
    let content =
        |name: &str| fs::read_to_string(world.dir.path().join("brand").join(name)).unwrap();
    assert_eq!(
        (content("2026/q3/b.txt"), content("2026/c (1).txt")),
        ("b.txt".into(), "c.txt".into())
    );
    assert_eq!(content("2026/c.txt"), "mine");
    assert!(world.dir.path().join("brand/none/here").is_dir());
}

#[tokio::test]
async fn folders_that_have_no_place_here_are_told() {
    let mut world = World::new().await;
    for folder in ["/in/file", "/in/free", "/in/link"] {
        world.remote(folder, "x.txt", folder).await;
    }
    world.local("in/file", "");
    let outside = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), world.dir.path().join("in/link")).unwrap();
    let (told, direction) = download_plan(&mut world, &["/in"]).await;
    let unfit = |row: &&PlanRow| matches!(row.source, PlanSource::Unfit(_));
    let unfit: Vec<&str> = told
        .rows
        .iter()
        .filter(unfit)
        .map(|row| row.name.as_str())
        .collect();
    assert_eq!(unfit, ["in/file/x.txt", "in/link/x.txt"]);
    let jobs = jobs(
        told.rows
            .iter()
            .map(|row| (row, row.choices(&direction)[0])),
        &direction,
    );
    world.engine.settle(jobs).await;
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn what_is_chosen_with_the_folder_that_it_is_in_comes_once() {
    let mut world = World::new().await;
    world.remote("/brand/2026", "c.txt", "c").await;
    let (told, _) = download_plan(&mut world, &["/brand/2026", "/brand"]).await;
    assert_eq!(summary(&told.rows), ["+ brand/2026/c.txt"]);
}

/// Looks names up in the folder with an id, and in the one at a path.
#[tokio::test]
async fn an_import_knows_which_names_are_taken_in_its_folder() {
    let mut world = World::new().await;
    world.remote("/in", "a b.png", "of the user").await;
    world.remote("/", "c.png", "of the user").await;
    let request = |url: &str, name: Option<&str>| {
        changed(
            ImportRequest::new(url, UploadOptions::new(Access::Private)),
            |request| {
                request.name = name.map(str::to_owned);
                request.folder_path = Some("/in".to_owned());
            },
        )
    };
    let requests = [
        request("https://example.com/x/a%20b.png?sig=1", None),
        request("https://example.com/x/a%20b.png", Some("c.png")),
        request("https://example.com/c.png", Some("a b.png")),
        request("https://example.com/", None),
    ];
    let jobs: Vec<Job> = requests
        .map(|request| Job::Import {
            request: Box::new(request),
            folder: "/in".to_owned(),
            free_name: None,
        })
        .into();
    let Answer::Locate(Located::Entry(Entry::Folder(folder))) = world
        .engine
        .answer(Request::Locate(Locate::Path("/in".to_owned())))
        .await
    else {
        panic!()
    };
    // If the name is still free, the first of the two jobs with that name gets it.
    for (into, taken) in [
        (IntoFolder::Id(folder.id), vec!["a b.png", "a b.png"]),
        (
            IntoFolder::Path("/in".to_owned()),
            vec!["a b.png", "a b.png"],
        ),
        (
            IntoFolder::Place(FolderRef::root()),
            vec!["c.png", "a b.png"],
        ),
        (IntoFolder::Path("/in/new".to_owned()), vec!["a b.png"]),
    ] {
        let asked = Request::PlanImport(PlanImport {
            jobs: jobs.clone(),
            into: into.clone(),
        });
        let Answer::PlanImport(planned) = world.engine.answer(asked).await else {
            panic!()
        };
        assert_eq!(planned.taken, taken, "{into:?}");
        assert_eq!(planned.free.len() + taken.len(), jobs.len());
        let free_name = |job: &Job| {
            if let Job::Import { free_name, .. } = job {
                free_name.clone()
            } else {
                panic!()
            }
        };
        let free: HashSet<Option<String>> = planned.free.iter().map(free_name).collect();
        assert!(
            free.len() == planned.free.len() && free.contains(&None),
            "each has the name that was free: {free:?}"
        );
        assert_eq!(
            planned.free.last(),
            jobs.last(),
            "who has no name gets one of the service"
        );
    }
}

/// Each file keeps its own name if the disk can tell the two apart.
#[tokio::test]
async fn downloads_that_differ_by_the_encoding_of_an_accent_are_told() {
    let mut world = World::new().await;
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}");
    for (folder, name) in [
        ("/in", composed),
        ("/in", decomposed),
        ("/in/x", "f"),
        ("/in/y", "g"),
    ] {
        world
            .remote(folder, &format!("{name}.txt"), "content")
            .await;
    }
    // The service may have other rules for folders.
    let renamed = Fault::edited(move |_, page| {
        for folder in page["results"].as_array_mut().unwrap() {
            match folder["name"].as_str() {
                Some("x") => folder["name"] = composed.into(),
                Some("y") => folder["name"] = decomposed.into(),
                _ => {}
            }
        }
    });
    world.proxy.rules(vec![Rule::new(
        Calls::to("GET", "/files/v3/folders/search"),
        Which::All,
        renamed,
    )]);
    let (told, direction) = download_plan(&mut world, &["/in"]).await;
    let warned: Vec<_> = told
        .rows
        .iter()
        .filter_map(|row| Some((row.name.as_str(), row.warning.as_deref()?)))
        .collect();
    let by = "by the encoding of its accents only";
    let expected = [
        (
            format!("in/{decomposed}/g.txt"),
            format!("its folder differs from in/{composed} {by}"),
        ),
        (
            format!("in/{composed}.txt"),
            format!("differs from in/{decomposed}.txt {by}"),
        ),
    ];
    assert_eq!(
        warned,
        expected
            .each_ref()
            .map(|(name, warning)| (name.as_str(), warning.as_str()))
    );
    let jobs = jobs(
        told.rows
            .iter()
            .map(|row| (row, row.choices(&direction)[0])),
        &direction,
    );
    let (settled, _) = world.engine.settle(jobs).await;
    assert!(
        settled.iter().all(|settled| settled.result.is_ok()),
        "{settled:?}"
    );
    #[cfg(target_os = "linux")]
    assert!(fs::exists(world.dir.path().join(format!("in/{decomposed}/g.txt"))).unwrap());
}

#[tokio::test]
async fn rows_say_whether_what_is_hidden_was_named() {
    let mut world = World::new().await;
    for path in [
        ".env",
        "site/.env",
        "site/in/.well-known/a.txt",
        "site/a.txt",
        ".conf/b.txt",
        ".conf/.key",
    ] {
        world.local(path, path);
    }
    let into = |path: &str| IntoFolder::Path(path.to_owned());
    for (into, above) in [(into("/"), ""), (into("/new/deep"), "new/deep/")] {
        let typed = world.typed(&[".env", "site", ".conf"]);
        let upload = PlanUpload {
            typed,
            into,
            name: None,
            unnamed: false,
            rules: TreeRules::default(),
        };
        let told = world.told(Request::PlanUpload(upload)).await.unwrap();
        let mut hidden: Vec<_> = told
            .rows
            .iter()
            .filter(|row| row.is_hidden)
            .map(|row| row.name.strip_prefix(above).unwrap())
            .collect();
        hidden.sort_unstable();
        assert_eq!(
            (hidden, told.rows.len()),
            (
                vec![".conf/.key", "site/.env", "site/in/.well-known/a.txt"],
                6
            )
        );
    }
}
