//! Undo of renames, moves and changes of access.

use filedeck::api::ids::FolderId;
use filedeck::api::model::{Access, File};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::Entry;
use filedeck::engine::{Job, Outcome, Request};
use jiff::{SignedDuration, Timestamp};

use super::world::{World, file, file_target, folder, place, root_entries};
use crate::support::changed::changed;

fn time() -> Timestamp {
    "2026-11-21T08:30:00Z".parse().unwrap()
}

fn dated(file: File) -> Outcome {
    Outcome::FileUpdated(Box::new(changed(file, |file| {
        file.updated_at = Some(time());
    })))
}

fn is_queue(request: &Request) -> bool {
    matches!(request, Request::AddJobs(_))
}

#[test]
fn a_rename_is_undone_if_the_file_has_not_changed_since() {
    let mut world = World::new();
    world.keys("G r ctrl-u z enter");
    let taken = world.take(JobKind::Rename);
    world.end_well(&taken, vec![dated(file("3", "/z.pdf", "PRIVATE", None))]);
    assert!(
        world.says("Renamed c.pdf → z.pdf · U undoes it"),
        "{:?}",
        world.said()
    );

    world.keys("U");
    let taken = world.take(JobKind::Rename);
    let [
        Job::Change {
            file: item,
            update,
            seen,
        },
    ] = taken.jobs.as_slice()
    else {
        panic!("{:?}", taken.jobs)
    };
    assert_eq!(
        (item.path.as_str(), update.name.as_deref(), *seen),
        ("/z.pdf", Some("c"), Some(time()))
    );
    assert_eq!(
        (update.access.as_ref(), update.clear_expires),
        (None, None),
        "nothing else changes"
    );
    world.end_well(&taken, vec![dated(file("3", "/c.pdf", "PRIVATE", None))]);
    assert_eq!(world.here(), "c.pdf");
    assert!(
        world.says("Undone: renamed z.pdf → c.pdf"),
        "{:?}",
        world.said()
    );
    world.keys("U");
    assert!(world.says("g d lists deletions"), "{:?}", world.said());
}

#[test]
fn one_key_undoes_a_move_of_files_and_folders() {
    let mut world = World::new();
    world.keys("enter");
    let inside = vec![
        Entry::Folder(folder("b", "/marketing/banners")),
        Entry::File(file("7", "/marketing/x.txt", "PRIVATE", Some("m"))),
    ];
    world.list("/marketing", inside, None);
    world.keys("ctrl-a x h");
    world.list("/", root_entries(), None);
    world.keys("p");
    let folders = world.take(JobKind::UpdateFolder);
    let files = world.take(JobKind::Move);
    world.end_well(&files, vec![dated(file("7", "/x.txt", "PRIVATE", None))]);
    let moved = changed(folder("b", "/banners"), |folder| {
        folder.updated_at = Some(time());
    });
    world.end_well(&folders, vec![Outcome::FolderUpdated(moved)]);

    world.keys("U");
    let Job::Move {
        file: item,
        into,
        seen,
    } = world.asked_job(JobKind::Move)
    else {
        panic!()
    };
    assert_eq!(
        (item.path.as_str(), into, seen),
        ("/x.txt", place("m", "/marketing"), Some(time()))
    );
    let back = Job::UpdateFolder {
        folder: FolderId::new("b"),
        from: "/banners".to_owned(),
        name: None,
        parent: Some(place("m", "/marketing")),
        seen: Some(time()),
    };
    assert_eq!(world.asked_job(JobKind::UpdateFolder), back);
}

#[test]
fn undo_names_the_level_that_files_get_again() {
    let entry = Entry::File(file("1", "/a.txt", "PUBLIC_NOT_INDEXABLE", None));
    let mut world = World::with_root(vec![entry]);
    world.keys("e left enter");
    let taken = world.take(JobKind::Change);
    let now = changed(file("1", "/a.txt", "PRIVATE", None), |file| {
        file.access = Some(Access::Private);
    });
    world.end_well(&taken, vec![dated(now)]);
    world.keys("U");
    assert!(
        world.shows("make 1 file unlisted again"),
        "{}",
        world.drawn()
    );
    assert!(world.shows("Make unlisted"), "{}", world.drawn());
}

#[test]
fn undo_asks_before_files_become_public_again() {
    let mut world = World::new();
    // a.txt is public, the last choice.
    world.keys("j j e left enter");
    let taken = world.take(JobKind::Change);
    let [Job::Change { update, .. }] = taken.jobs.as_slice() else {
        panic!("{:?}", taken.jobs)
    };
    let access = update.access.clone().unwrap();
    assert_ne!(access, Access::PublicIndexable);
    let now = changed(file("1", "/a.txt", "PRIVATE", None), |file| {
        file.access = Some(Access::Private);
    });
    world.end_well(&taken, vec![dated(now)]);

    world.keys("U");
    assert!(world.shows("make 1 file public again"), "{}", world.drawn());
    world.keys("esc");
    assert_eq!(world.count(is_queue), 0);
    world.keys("U tab enter");
    let Job::Change { update, .. } = world.asked_job(JobKind::Change) else {
        panic!()
    };
    assert_eq!(update.access, Some(Access::PublicIndexable));
    assert!(world.is_busy(&file_target("1")));
}

#[test]
fn what_the_service_does_not_date_cannot_be_undone() {
    let mut world = World::new();
    world.keys("G r ctrl-u z enter");
    let taken = world.take(JobKind::Rename);
    world.end_well(
        &taken,
        vec![Outcome::FileUpdated(Box::new(file(
            "3", "/z.pdf", "PRIVATE", None,
        )))],
    );
    assert!(!world.says("undoes"), "{:?}", world.said());
    world.keys("U");
    assert!(world.says("g d lists deletions"), "{:?}", world.said());
}

#[test]
fn two_changes_of_a_file_are_undone_one_after_the_other() {
    let mut world = World::new();
    let at = |minute: i64| time() + SignedDuration::from_mins(minute);
    let renamed = |path: &str, access: &str, minute: i64| {
        Outcome::FileUpdated(Box::new(changed(file("3", path, access, None), |file| {
            file.updated_at = Some(at(minute));
        })))
    };
    world.keys("G r ctrl-u z enter");
    let taken = world.take(JobKind::Rename);
    world.end_well(&taken, vec![renamed("/z.pdf", "PRIVATE", 0)]);
    world.keys("r ctrl-u y enter");
    let taken = world.take(JobKind::Rename);
    world.end_well(&taken, vec![renamed("/y.pdf", "PRIVATE", 1)]);
    world.keys("U");
    let taken = world.take(JobKind::Rename);
    world.end_well(&taken, vec![renamed("/z.pdf", "PRIVATE", 2)]);
    world.keys("U");
    let Job::Change { update, seen, .. } = world.asked_job(JobKind::Rename) else {
        panic!()
    };
    assert_eq!(
        (update.name.as_deref(), seen),
        (Some("c"), Some(at(2))),
        "it is as the first rename left it"
    );
}

#[test]
fn a_rename_and_a_move_are_undone_one_after_the_other() {
    let mut world = World::new();
    let at = |minute: i64| time() + SignedDuration::from_mins(minute);
    let moved = |path: &str, parent: Option<&str>, minute: i64| {
        Outcome::FileUpdated(Box::new(changed(
            file("3", path, "PRIVATE", parent),
            |file| {
                file.updated_at = Some(at(minute));
            },
        )))
    };
    world.keys("G r ctrl-u z enter");
    let taken = world.take(JobKind::Rename);
    world.end_well(&taken, vec![moved("/z.pdf", None, 0)]);
    world.keys("x g g enter");
    world.list("/marketing", Vec::new(), None);
    world.keys("p");
    let taken = world.take(JobKind::Move);
    world.end_well(&taken, vec![moved("/marketing/z.pdf", Some("m"), 1)]);
    world.keys("U");
    let taken = world.take(JobKind::Move);
    assert_eq!(taken.jobs[0].seen(), Some(at(1)));
    world.end_well(&taken, vec![moved("/z.pdf", None, 2)]);
    world.keys("U");
    let Job::Change { update, seen, .. } = world.asked_job(JobKind::Rename) else {
        panic!()
    };
    assert_eq!(
        (update.name.as_deref(), seen),
        (Some("c"), Some(at(2))),
        "the undo of the move has left it as the rename did"
    );
}

#[test]
fn undo_names_what_each_file_becomes() {
    let levels = [
        "PUBLIC_INDEXABLE",
        "PUBLIC_NOT_INDEXABLE",
        "PUBLIC_INDEXABLE",
    ];
    let path = |at: usize| format!("/{at}.txt");
    let entries = levels.iter().enumerate();
    let entries =
        entries.map(|(at, level)| Entry::File(file(&at.to_string(), &path(at), level, None)));
    let mut world = World::with_root(entries.collect());
    world.keys("ctrl-a e right enter");
    let taken = world.take(JobKind::Change);
    let now = (0..levels.len()).map(|at| dated(file(&at.to_string(), &path(at), "PRIVATE", None)));
    world.end_well(&taken, now.collect());
    world.keys("U");
    assert!(
        world.shows("make 2 files public, 1 unlisted again") && world.shows("Publish"),
        "{}",
        world.drawn()
    );
    let drawn = world.drawn();
    let is_named = |line: &str| line.contains("1.txt") && line.contains("unlisted");
    assert!(drawn.lines().any(is_named), "{drawn}");
}
