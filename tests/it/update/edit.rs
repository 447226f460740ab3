//! New folders, names, moves and access: what goes out, and what the panes show when it is done.

use filedeck::api::ids::{FolderId, TaskId};
use filedeck::api::model::{Access, FileUpdate, TaskStatus};
use filedeck::api::{Error, Kind};
use filedeck::engine::message::{Entry, Place, Progress};
use filedeck::engine::{Job, Outcome, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::state::Status;
use rstest::rstest;

use super::world::{World, file, file_target, folder, folder_target, item, place};

fn is_folder_update(request: &Request) -> bool {
    matches!(request, Request::Job(Job::UpdateFolder { .. }))
}

fn is_file_update(request: &Request) -> bool {
    matches!(request, Request::Job(Job::ChangeFiles { .. } | Job::MoveFiles { .. }))
}

#[test]
fn a_new_folder_is_made_in_the_open_folder_and_gets_the_cursor() {
    let mut world = World::new();
    world.keys("a");
    world.text("legal");
    world.keys("enter");
    let (op, request) = world.asked_for(|request| matches!(request, Request::Job(Job::CreateFolder { .. }))).unwrap();
    assert_eq!(request, Request::Job(Job::CreateFolder { parent: Place::root(), name: "legal".to_owned() }));
    world.done(op, Outcome::FolderCreated(folder("l", "/legal")));
    assert_eq!(world.rows(), ["legal", "marketing", "sales", "a.txt", "b.png", "c.pdf"]);
    assert_eq!(world.here(), "legal");
    world.asked(|request| matches!(request, Request::Folders { place } if place.is_root()));
}

#[rstest]
#[case::with_parents("a/b/c", true)]
#[case::empty("", false)]
#[case::only_dots("..", false)]
#[case::a_hole("a//b", false)]
fn names_of_new_folders_are_checked_before_they_are_sent(#[case] name: &str, #[case] sent: bool) {
    let mut world = World::new();
    world.keys("a");
    world.text(name);
    world.keys("enter");
    assert_eq!(world.count(|request| matches!(request, Request::Job(Job::CreateFolder { .. }))), usize::from(sent));
    assert_eq!(world.state.dialogs.is_empty(), sent);
}

#[test]
fn a_file_is_renamed_by_its_stem() {
    let mut world = World::new();
    world.keys("G r ctrl-u z enter");
    let (op, request) = world.asked_for(is_file_update).unwrap();
    let update = FileUpdate { name: Some("z".to_owned()), ..FileUpdate::default() };
    assert_eq!(request, Request::Job(Job::ChangeFiles { changes: vec![(item(file_target("3"), "/c.pdf"), update)] }));
    world.done(
        op,
        Outcome::FilesUpdated {
            updated: vec![file("3", "/z.pdf", "PRIVATE", None)],
            failed: Vec::new(),
            left: Vec::new(),
        },
    );
    assert_eq!(world.here(), "z.pdf");
    assert!(world.says("Renamed: "), "{:?}", world.said());
}

#[rstest]
#[case::one("G r ctrl-u z enter", &["3"], "Change failed, c.pdf -> z.pdf: it exists already")]
#[case::one_of_two("G space k space x shift-tab j j p", &["2"], "2 files -> /sales: 1 of 2 items failed: it exists already")]
fn a_change_that_fails_says_how_much_of_it_did(#[case] keys: &str, #[case] failing: &[&str], #[case] words: &str) {
    let mut world = World::new();
    world.keys(keys);
    let (op, _) = world.asked_for(is_file_update).unwrap();
    let error = Error::new(Kind::Conflict, "it exists already");
    let failed = failing.iter().map(|id| (file_target(id), error.clone())).collect();
    world.done(op, Outcome::FilesUpdated { updated: Vec::new(), failed, left: Vec::new() });
    assert!(world.says(words), "{:?}", world.said());
}

#[test]
fn a_folder_is_marked_as_moving_until_its_task_is_done() {
    let mut world = World::new();
    world.keys("r ctrl-u n e w enter");
    let (op, request) = world.asked_for(is_folder_update).unwrap();
    let expected = Request::Job(Job::UpdateFolder {
        folder: FolderId::new("m"),
        from: "/marketing".to_owned(),
        name: Some("new".to_owned()),
        parent: None,
    });
    assert_eq!(request, expected);
    assert_eq!(world.tree(), [">/", " ~marketing", " sales"]);
    assert!(world.is_busy(&folder_target("m")));
    world.progress(op, Progress::Accepted { task: TaskId::new("t1") });
    let next_poll = std::time::Duration::from_secs(2);
    world.progress(op, Progress::Task { status: TaskStatus::Processing, next_poll });
    let remote = world.state.desk.ops.task(op).unwrap().remote.clone().unwrap();
    assert_eq!(remote.status, Some(TaskStatus::Processing));
    world.keys("ctrl-r");
    world.list("/", super::world::root_entries(), None);
    assert!(world.is_busy(&folder_target("m")), "a fresh page does not forget it");
    world.done(op, Outcome::FolderUpdated(folder("m", "/new")));
    assert_eq!(world.tree(), [">/", " new", " sales"]);
    world.listing_of("/");
    world.asked(|request| matches!(request, Request::Folders { place } if place.is_root()));
}

#[test]
fn a_folder_renamed_while_a_folder_in_it_is_open_takes_it_along() {
    let mut world = World::new();
    world.keys("r ctrl-u n e w enter enter");
    let (op, _) = world.asked_for(is_folder_update).unwrap();
    world.list("/marketing", vec![Entry::Folder(folder("q", "/marketing/q3"))], None);
    world.keys("enter");
    world.list("/marketing/q3", vec![Entry::File(file("7", "/marketing/q3/x.txt", "PRIVATE", Some("q")))], None);
    world.done(op, Outcome::FolderUpdated(folder("m", "/new")));
    assert_eq!(world.state.desk.listing.place, place("q", "/new/q3"));
    world.keys("H");
    assert_eq!(world.state.desk.listing.place, place("m", "/new"), "the history follows");
}

#[test]
fn a_folder_update_that_fails_takes_the_mark_away() {
    let mut world = World::new();
    world.keys("r ctrl-u n e w enter");
    let (op, _) = world.asked_for(is_folder_update).unwrap();
    world.fail(op, Error { status: Some(409), ..Error::new(Kind::Conflict, "A folder of that name exists") });
    assert_eq!(world.tree(), [">/", " marketing", " sales"]);
    assert!(!world.is_busy(&folder_target("m")));
    assert!(matches!(world.state.desk.ops.task(op).unwrap().status, Status::Failed(_)));
}

#[test]
fn files_and_folders_that_were_cut_move_where_they_are_pasted() {
    let mut world = World::new();
    world.keys("space G space x");
    assert_eq!(world.state.desk.cut.as_ref().unwrap().items.len(), 2);
    world.keys("g g j enter");
    world.list("/sales", Vec::new(), None);
    world.keys("p");
    let (_, request) = world.asked_for(is_folder_update).unwrap();
    let expected = Request::Job(Job::UpdateFolder {
        folder: FolderId::new("m"),
        from: "/marketing".to_owned(),
        name: None,
        parent: Some(place("s", "/sales")),
    });
    assert_eq!(request, expected);
    let (op, request) = world.asked_for(is_file_update).unwrap();
    let files = vec![item(file_target("3"), "/c.pdf")];
    assert_eq!(request, Request::Job(Job::MoveFiles { files, into: place("s", "/sales") }));
    assert!(world.state.desk.cut.is_none());
    let moved = file("3", "/sales/c.pdf", "PRIVATE", Some("s"));
    world.done(op, Outcome::FilesUpdated { updated: vec![moved], failed: Vec::new(), left: Vec::new() });
    assert_eq!(world.rows(), ["c.pdf"]);
    assert!(world.says("Moved: c.pdf"), "{:?}", world.said());
}

#[test]
fn a_file_moves_to_the_root_folder() {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", vec![Entry::File(file("7", "/marketing/x.txt", "PRIVATE", Some("m")))], None);
    world.keys("x h");
    world.list("/", super::world::root_entries(), None);
    world.keys("p");
    let (_, request) = world.asked_for(is_file_update).unwrap();
    let files = vec![item(file_target("7"), "/marketing/x.txt")];
    assert_eq!(request, Request::Job(Job::MoveFiles { files, into: Place::root() }));
}

#[test]
fn a_file_that_moved_away_leaves_the_open_folder() {
    let mut world = World::new();
    world.keys("G x shift-tab j p");
    let (op, _) = world.asked_for(is_file_update).unwrap();
    let moved = file("3", "/marketing/c.pdf", "PRIVATE", Some("m"));
    world.done(op, Outcome::FilesUpdated { updated: vec![moved], failed: Vec::new(), left: Vec::new() });
    assert!(world.state.desk.listing.row(&file_target("3")).is_none());
}

#[rstest]
#[case::same_folder("G x p", "already")]
#[case::into_itself("x shift-tab j p", "into itself")]
#[case::nothing("p", "Nothing is cut")]
fn a_move_that_makes_no_sense_is_refused(#[case] keys: &str, #[case] words: &str) {
    let mut world = World::new();
    world.keys(keys);
    assert!(world.says(words), "{:?}", world.said());
    assert_eq!(world.count(is_file_update) + world.count(is_folder_update), 0);
}

#[test]
fn esc_forgets_what_was_cut() {
    let mut world = World::new();
    world.keys("x esc");
    assert!(world.state.desk.cut.is_none());
}

#[test]
fn making_private_files_public_asks_once_more() {
    let mut world = World::new();
    world.keys("G e right enter");
    let Dialog::Confirm(confirm) = world.dialog() else { panic!() };
    assert_eq!(confirm.names, ["c.pdf"]);
    assert_eq!(world.count(is_file_update), 0);
    world.keys("right enter");
    let (_, request) = world.asked_for(is_file_update).unwrap();
    let Request::Job(Job::ChangeFiles { changes }) = request else { panic!() };
    assert_eq!(changes.first().and_then(|(_, update)| update.access.clone()), Some(Access::PublicNotIndexable));
}

#[rstest]
#[case::access("e", "Folders have no access")]
#[case::save("s", "Only files")]
#[case::address("y y", "Folders have no address")]
fn what_does_not_work_on_folders_says_so(#[case] keys: &str, #[case] words: &str) {
    let mut world = World::new();
    world.keys(keys);
    assert!(world.says(words), "{:?}", world.said());
    assert!(world.state.dialogs.is_empty());
}
