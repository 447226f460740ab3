//! A folder of this machine compared with one of the account, against the real service and a real
//! disk; and the steps that make one like the other.

use filedeck::engine::folder_comparison::{FolderComparison, Likeness};
use filedeck::engine::plan::{Direction, PlanChoice, PlanSource, jobs};
use filedeck::engine::question::{CompareFolders, FolderHere, Locate, Located};
use filedeck::engine::{Answer, sync_plan};

use super::*;
#[cfg(unix)]
use crate::support::random::Random;

struct World {
    service: TestService,
    engine: Engine,
    dir: TempDir,
}

impl World {
    /// `same.txt`, `size.txt` and `sum.txt` on both sides, the last two with different content, and
    /// `in/` with files of each side; `here.txt` and `empty/` only here, `there.txt` and
    /// `gone/x.txt` only there.
    async fn new() -> Self {
        let (service, engine, dir) = started().await;
        let world = Self {
            service,
            engine,
            dir,
        };
        for (path, content) in [
            ("same.txt", "same"),
            ("size.txt", "longer"),
            ("sum.txt", "abc"),
            ("here.txt", "h"),
            ("in/both.txt", "b"),
            ("in/here.txt", "h"),
            (".env", "secret"),
        ] {
            let path = world.dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        fs::create_dir(world.dir.path().join("empty")).unwrap();
        for (folder, name, content) in [
            ("/site", "same.txt", "same"),
            ("/site", "size.txt", "short"),
            ("/site", "sum.txt", "abd"),
            ("/site", "there.txt", "t"),
            ("/site/in", "both.txt", "b"),
            ("/site/gone", "x.txt", "x"),
        ] {
            world
                .service
                .upload(
                    folder,
                    name,
                    content.as_bytes(),
                    json!({ "access": "PRIVATE" }),
                )
                .await
                .expect(201);
        }
        world
    }

    async fn site(&mut self) -> FolderRef {
        let answer = self
            .engine
            .answer(Request::Locate(Locate::Path("/site".to_owned())))
            .await;
        let Answer::Locate(Located::Entry(Entry::Folder(folder))) = answer else {
            panic!("{answer:?}")
        };
        FolderRef {
            id: Some(folder.id),
            path: "/site".to_owned(),
        }
    }

    async fn compare(&mut self, with_hidden: bool) -> FolderComparison {
        let (local, remote) = (self.dir.path().to_owned(), self.site().await);
        let answer = self
            .engine
            .answer(Request::CompareFolders(CompareFolders {
                here: FolderHere::Disk(local),
                remote,
                with_hidden,
            }))
            .await;
        let Answer::CompareFolders(found) = answer else {
            panic!("{answer:?}")
        };
        *found
    }

    /// Carries out a plan; surplus entries are deleted if `deletes`.
    async fn carry_out(&mut self, found: &FolderComparison, direction: &Direction, deletes: bool) {
        let rows = sync_plan::rows(found, direction, |_| true);
        let chosen = rows.iter().map(|row| match row.source {
            PlanSource::Surplus(_) if deletes => (row, PlanChoice::Delete),
            PlanSource::Surplus(_) => (row, row.choices(direction)[0]),
            _ if row.choices(direction).contains(&PlanChoice::Replace) => {
                (row, PlanChoice::Replace)
            }
            _ => (row, row.choices(direction)[0]),
        });
        for job in jobs(chosen, direction) {
            self.engine.job(job).await;
        }
    }
}

fn up(into: FolderRef) -> Direction {
    Direction::Up {
        into,
        options: Box::new(UploadOptions::new(Access::Private).into()),
        asked_at: Timestamp::now(),
    }
}

fn signs(found: &FolderComparison) -> Vec<String> {
    let sign = |likeness: &Likeness| match likeness {
        Likeness::Same => "=",
        Likeness::Differs => "!",
        Likeness::OnlyHere => ">",
        Likeness::OnlyThere => "<",
        Likeness::Refused(_) => "?",
    };
    let slash = |is_folder: bool| if is_folder { "/" } else { "" };
    found
        .entries
        .iter()
        .map(|(path, entry)| format!("{} {path}{}", sign(&entry.likeness), slash(entry.is_folder)))
        .collect()
}

#[tokio::test]
async fn both_sides_are_compared_by_size_and_md5() {
    let mut world = World::new().await;
    let found = world.compare(false).await;
    let expected = [
        "> empty/",
        "< gone/",
        "< gone/x.txt",
        "> here.txt",
        "! in/",
        "= in/both.txt",
        "> in/here.txt",
        "= same.txt",
        "! size.txt",
        "! sum.txt",
        "< there.txt",
    ];
    assert_eq!(signs(&found), expected);
    let entry = &found.entries["sum.txt"];
    let (here, there) = (entry.here.as_ref().unwrap(), entry.there.as_ref().unwrap());
    assert_eq!(
        here.md5(),
        Some("900150983cd24fb0d6963f7d28e17f72"),
        "that of abc"
    );
    assert!(there.item.md5.is_some() && there.item.md5.as_deref() != here.md5());
    let size = found.entries["size.txt"].here.as_ref().unwrap();
    assert_eq!(
        (size.md5(), size.size()),
        (None, Some(6)),
        "nothing is read where the sizes tell"
    );
    let folder = &found.entries["in"];
    assert_eq!(
        (
            folder.here.as_ref().unwrap().items(),
            folder.there.as_ref().unwrap().items
        ),
        (2, 1)
    );
    assert_eq!(
        found.inside("in").map(|(path, _)| path).collect::<Vec<_>>(),
        ["in/both.txt", "in/here.txt"]
    );
    let found = world.compare(true).await;
    assert!(signs(&found).contains(&"> .env".to_owned()));
}

#[cfg(unix)]
#[tokio::test]
async fn what_cannot_be_sent_is_told_of_and_not_compared() {
    use std::os::unix::ffi::OsStrExt as _;
    let mut world = World::new().await;
    std::os::unix::fs::symlink("same.txt", world.dir.path().join("link.txt")).unwrap();
    fs::write(
        world
            .dir
            .path()
            .join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt")),
        "x",
    )
    .unwrap();
    fs::create_dir(world.dir.path().join("there.txt")).unwrap();
    let found = world.compare(false).await;
    let refused: Vec<_> = found
        .entries
        .iter()
        .filter(|(_, entry)| matches!(entry.likeness, Likeness::Refused(_)))
        .collect();
    assert_eq!(refused.len(), 3, "{refused:?}");
}

#[tokio::test]
async fn the_account_becomes_like_this_machine_and_keeps_what_only_it_has_unless_that_is_chosen() {
    let mut world = World::new().await;
    let found = world.compare(false).await;
    let site = world.site().await;
    let direction = up(site);
    world.carry_out(&found, &direction, false).await;
    let found = world.compare(false).await;
    let left: Vec<String> = signs(&found)
        .into_iter()
        .filter(|sign| !sign.starts_with('='))
        .collect();
    assert_eq!(left, ["< gone/", "< gone/x.txt", "< there.txt"]);
    world.carry_out(&found, &direction, true).await;
    let found = world.compare(false).await;
    assert!(
        signs(&found).iter().all(|sign| sign.starts_with('=')),
        "{:?}",
        signs(&found)
    );
}

#[tokio::test]
async fn this_machine_becomes_like_the_account_and_what_was_changed_since_stays() {
    let mut world = World::new().await;
    let found = world.compare(false).await;
    let into = world.dir.path().to_owned();
    let direction = Direction::Down {
        into: into.clone(),
        numbered: false,
    };
    world.carry_out(&found, &direction, false).await;
    assert_eq!(fs::read_to_string(into.join("sum.txt")).unwrap(), "abd");
    assert_eq!(fs::read_to_string(into.join("gone/x.txt")).unwrap(), "x");
    assert!(
        into.join("here.txt").exists(),
        "nothing is deleted that nobody chose"
    );
    let found = world.compare(false).await;
    let rows = sync_plan::rows(&found, &direction, |_| true);
    let surplus = rows
        .iter()
        .filter_map(|row| row.job(PlanChoice::Delete, &direction));
    let surplus: Vec<Job> = surplus.collect();
    assert_eq!(surplus.len(), 2, "{surplus:?}");
    fs::write(into.join("in/here.txt"), "written since").unwrap();
    for job in surplus {
        let is_changed =
            matches!(&job, Job::DeleteLocal { path, .. } if path.ends_with("in/here.txt"));
        assert_eq!(world.engine.carry_out(job).await.is_err(), is_changed);
    }
    assert!(!into.join("here.txt").exists() && into.join("in/here.txt").exists());
    assert!(into.join(".env").exists(), "hidden names were not compared");
}

#[cfg(unix)]
impl World {
    async fn stored(&self) -> Vec<String> {
        let found = self
            .service
            .get("/files/v3/files/search?path=/site&limit=100")
            .await
            .expect(200)
            .json();
        let paths = found["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["path"].as_str().unwrap());
        paths
            .map(|path| path.strip_prefix("/site/").unwrap().to_owned())
            .collect()
    }

    /// Puts links, pipes and names that cannot be sent in place of random entries; returns their
    /// paths.
    fn befall(&self, random: &mut Random) -> Vec<String> {
        use std::os::unix::ffi::OsStrExt as _;
        let places = [
            "same.txt",
            "size.txt",
            "there.txt",
            "in",
            "in/both.txt",
            "in/here.txt",
            "gone",
            "gone/x.txt",
        ];
        let mut odd: Vec<String> = Vec::new();
        for _ in 0..=random.below(3) {
            let place = places[random.below(places.len())];
            if odd
                .iter()
                .any(|outer| is_at_or_below(place, outer) || is_at_or_below(outer, place))
            {
                continue;
            }
            let at = self.dir.path().join(place);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            if at.is_dir() {
                fs::remove_dir_all(&at).unwrap();
            } else if at.exists() {
                fs::remove_file(&at).unwrap();
            }
            match random.below(3) {
                0 => std::os::unix::fs::symlink("/dev/null", &at).unwrap(),
                1 => nix::unistd::mkfifo(&at, nix::sys::stat::Mode::S_IRWXU).unwrap(),
                // The name is not valid UTF-8, so nothing in the account can have it.
                _ => fs::write(
                    at.with_file_name(std::ffi::OsStr::from_bytes(b"unfit\xff")),
                    "x",
                )
                .unwrap(),
            }
            if fs::symlink_metadata(&at).is_ok() {
                odd.push(place.to_owned());
            }
        }
        odd
    }
}

#[cfg(unix)]
fn is_at_or_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The entries on a disk by path, with their kind and content; folders are left out.
#[cfg(unix)]
fn on_disk(top: &Path) -> Vec<(PathBuf, String)> {
    let below = walkdir::WalkDir::new(top)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap);
    let entries = below
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| {
            let is_file = entry.file_type().is_file();
            let content = if is_file {
                fs::read_to_string(entry.path()).unwrap()
            } else {
                format!("{:?}", entry.file_type())
            };
            (entry.path().strip_prefix(top).unwrap().to_owned(), content)
        });
    entries.collect()
}

// Seen to fail when a link or a pipe covers nothing below it, and when a name that cannot be sent
// is skipped.
#[cfg(unix)]
#[tokio::test]
async fn a_plan_with_all_deletions_takes_only_what_is_clearly_gone() {
    let mut random = Random::seeded(4);
    for round in 0..16 {
        let mut world = World::new().await;
        let odd = world.befall(&mut random);
        let is_odd = |path: &str| {
            odd.iter().any(|outer| is_at_or_below(path, outer)) || path.contains("unfit")
        };
        let (before, there) = (on_disk(world.dir.path()), world.stored().await);
        let is_here = |path: &String| before.iter().any(|(here, _)| here.to_str() == Some(path));
        let found = world.compare(true).await;
        if round % 2 == 0 {
            let direction = up(world.site().await);
            world.carry_out(&found, &direction, true).await;
            let stored = world.stored().await;
            for path in &there {
                assert_eq!(
                    stored.contains(path),
                    is_odd(path) || is_here(path),
                    "{path} with {odd:?}"
                );
            }
            assert_eq!(on_disk(world.dir.path()), before);
        } else {
            let into = world.dir.path().to_owned();
            let direction = Direction::Down {
                into,
                numbered: false,
            };
            world.carry_out(&found, &direction, true).await;
            assert_eq!(world.stored().await, there);
            let after = on_disk(world.dir.path());
            for (path, content) in &before {
                let shown = path.to_string_lossy();
                let stays = is_odd(&shown) || there.iter().any(|there| *there == shown);
                assert_eq!(
                    after.iter().any(|(here, _)| here == path),
                    stays,
                    "{shown} with {odd:?}"
                );
                assert!(
                    !is_odd(&shown) || after.contains(&(path.clone(), content.clone())),
                    "{shown} with {odd:?}"
                );
            }
        }
    }
}
