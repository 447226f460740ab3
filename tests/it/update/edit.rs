//! New folders, names, moves and access: the jobs, and the panes when they are done.

use filedeck::api::ids::{FolderId, TaskId};
use filedeck::api::model::{Access, File, FileUpdate, TaskStatus};
use filedeck::api::{Error, Kind};
use filedeck::engine::batch::{RemoteTarget, RunningJob};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::{Entry, FolderRef};
use filedeck::engine::{Job, Outcome, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::state::MessageLevel;
use rstest::rstest;

use super::world::{World, file, file_target, folder, folder_target, item, place};
use crate::support::changed::changed;
use crate::support::queue::{running, under_way, view};
use filedeck::engine::question::ListFolders;

fn is_queue(request: &Request) -> bool {
    matches!(request, Request::AddJobs(_))
}

fn updated(file: File) -> Outcome {
    Outcome::FileUpdated(Box::new(file))
}

#[rstest]
#[case::listed("marketing")]
#[case::with_slashes("/sales/")]
fn a_folder_that_exists_is_refused_under_the_field(#[case] name: &str) {
    let mut world = World::new();
    world.keys("a");
    world.text(name);
    assert!(world.keys("enter").is_empty());
    let path = format!("/{}", name.trim_matches('/'));
    assert!(
        world.shows(&format!("The folder {path} exists already.")),
        "{}",
        world.drawn()
    );
    assert!(world.shows(name), "{}", world.drawn());
    world.text("2");
    world.keys("enter");
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn a_new_folder_is_made_in_the_open_folder_and_gets_the_cursor() {
    let mut world = World::new();
    world.keys("a");
    world.text("legal");
    world.keys("enter");
    let taken = world.take(JobKind::CreateFolder);
    assert_eq!(
        taken.jobs,
        [Job::CreateFolder {
            parent: FolderRef::root(),
            name: "legal".to_owned()
        }]
    );
    world.end_well(&taken, vec![Outcome::FolderCreated(folder("l", "/legal"))]);
    assert_eq!(world.said(), ["Created /legal"]);
    assert_eq!(
        world.rows(),
        ["legal", "marketing", "sales", "a.txt", "b.png", "c.pdf"]
    );
    assert_eq!(world.here(), "legal");
    world.asked(
        |request| matches!(request, Request::ListFolders(ListFolders { place }) if place.is_root()),
    );
}

#[rstest]
#[case::that_is_new("n", &["bad", "marketing", "sales", "a.txt", "b.png", "c.pdf"], "bad")]
#[case::that_is_there("m", &["marketing", "sales", "a.txt", "b.png", "c.pdf"], "marketing")]
fn a_new_folder_in_another_puts_the_cursor_on_that(
    #[case] parent: &str,
    #[case] rows: &[&str],
    #[case] here: &str,
) {
    let mut world = World::new();
    world.keys("j j a");
    world.text(&format!("{here}/name"));
    world.keys("enter");
    let taken = world.take(JobKind::CreateFolder);
    let made = changed(folder("l", &format!("/{here}/name")), |folder| {
        folder.parent_folder_id = Some(FolderId::new(parent));
    });
    world.end_well(&taken, vec![Outcome::FolderCreated(made)]);
    assert_eq!(world.rows(), rows);
    assert_eq!(world.here(), here);
    world.listing_of("/");
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
    assert_eq!(world.count(is_queue), usize::from(sent));
    assert_eq!(world.state.dialogs.is_empty(), sent);
}

#[test]
fn a_file_is_renamed_by_its_stem() {
    let mut world = World::new();
    world.keys("G r ctrl-u z enter");
    let taken = world.take(JobKind::Rename);
    let update = Box::new(changed(FileUpdate::default(), |update| {
        update.name = Some("z".to_owned());
    }));
    assert_eq!(
        taken.jobs,
        [Job::Change {
            file: item(file_target("3"), "/c.pdf"),
            update,
            seen: None
        }]
    );
    world.end_well(&taken, vec![updated(file("3", "/z.pdf", "PRIVATE", None))]);
    assert_eq!(world.here(), "z.pdf");
    assert!(world.says("Renamed "), "{:?}", world.said());
}

#[rstest]
#[case::one(
    "G r ctrl-u z enter",
    JobKind::Rename,
    0,
    "Rename failed, c.pdf → z.pdf: it exists already"
)]
#[case::one_of_two(
    "G space k space x shift-tab j j p",
    JobKind::Move,
    1,
    "Move of 2 files → /sales: 1 of 2 failed: it exists already"
)]
fn a_change_that_fails_says_how_much_of_it_did(
    #[case] keys: &str,
    #[case] kind: JobKind,
    #[case] done: usize,
    #[case] words: &str,
) {
    let mut world = World::new();
    world.keys(keys);
    let taken = world.take(kind);
    let moved = updated(file("2", "/sales/b.png", "PRIVATE", Some("s")));
    let mut results = vec![Ok(moved); done];
    results.push(Err(Error::new(Kind::Conflict, "it exists already")));
    world.end(&taken, results);
    assert!(world.says(words), "{:?}", world.said());
}

#[test]
fn an_extension_that_is_typed_is_not_added_twice() {
    let mut world = World::new();
    world.keys("G r ctrl-u z . p d f enter");
    let Job::Change { update, .. } = world.asked_job(JobKind::Rename) else {
        panic!()
    };
    assert_eq!(update.name.as_deref(), Some("z"));
}

#[test]
fn a_folder_is_marked_as_moving_until_its_task_is_done() {
    let mut world = World::new();
    world.keys("r ctrl-u n e w enter");
    let taken = world.take(JobKind::RenameFolder);
    let expected = Job::UpdateFolder {
        folder: FolderId::new("m"),
        from: "/marketing".to_owned(),
        name: Some("new".to_owned()),
        parent: None,
        seen: None,
    };
    assert_eq!(taken.jobs, [expected]);
    assert_eq!(world.tree(), [">/", " ~marketing", " sales"]);
    assert!(world.is_busy(&folder_target("m")));
    let remote = RemoteTarget {
        id: TaskId::new("t1"),
        status: Some(TaskStatus::Processing),
        next_poll: None,
    };
    let job = RunningJob {
        remote: Some(remote),
        ..under_way("/marketing")
    };
    world.tell(view(&[running(taken.batch(), vec![job])]));
    assert!(world.shows("✎ Rename /market"), "{}", world.drawn());
    assert!(world.shows("processing"), "{}", world.drawn());
    world.keys("ctrl-r");
    world.list("/", super::world::root_entries(), None);
    assert!(
        world.is_busy(&folder_target("m")),
        "a fresh page does not forget it"
    );
    world.end_well(&taken, vec![Outcome::FolderUpdated(folder("m", "/new"))]);
    assert_eq!(world.said(), ["Renamed /marketing → /new"]);
    assert_eq!(world.tree(), [">/", " new", " sales"]);
    world.listing_of("/");
    world.asked(
        |request| matches!(request, Request::ListFolders(ListFolders { place }) if place.is_root()),
    );
}

#[test]
fn a_folder_renamed_while_a_folder_in_it_is_open_takes_it_along() {
    let mut world = World::new();
    world.keys("r ctrl-u n e w enter enter");
    let taken = world.take(JobKind::RenameFolder);
    world.list(
        "/marketing",
        vec![Entry::Folder(folder("q", "/marketing/q3"))],
        None,
    );
    world.keys("enter");
    world.list(
        "/marketing/q3",
        vec![Entry::File(file(
            "7",
            "/marketing/q3/x.txt",
            "PRIVATE",
            Some("q"),
        ))],
        None,
    );
    world.end_well(&taken, vec![Outcome::FolderUpdated(folder("m", "/new"))]);
    assert_eq!(*world.state.files.listing.of.base(), place("q", "/new/q3"));
    world.keys("H");
    assert_eq!(
        *world.state.files.listing.of.base(),
        place("m", "/new"),
        "the history follows"
    );
}

#[test]
fn each_of_several_moved_folders_leaves_the_list_when_its_turn_is_over() {
    let mut world = World::new();
    let children = || {
        ["q3", "q4"]
            .map(|name| Entry::Folder(folder(name, &format!("/marketing/{name}"))))
            .into()
    };
    world.keys("enter");
    world.list("/marketing", children(), None);
    world.keys("ctrl-a x h");
    world.list("/", super::world::root_entries(), None);
    world.keys("p");
    let taken = world.take(JobKind::UpdateFolder);
    world.keys("enter");
    world.list("/marketing", children(), None);
    world.settle(
        &taken,
        vec![Ok(Outcome::FolderUpdated(folder("q3", "/q3")))],
    );
    assert_eq!(world.rows(), ["q4"]);
    assert!(
        world.is_busy(&folder_target("q4")),
        "its turn is still to come"
    );
    world.keys("h");
    world.list("/", super::world::root_entries(), None);
    world.settle_from(
        &taken,
        1,
        vec![Ok(Outcome::FolderUpdated(folder("q4", "/q4")))],
    );
    assert!(world.rows().contains(&"q4"), "{:?}", world.rows());
}

#[test]
fn a_folder_update_that_fails_takes_the_mark_away() {
    let mut world = World::new();
    world.keys("r ctrl-u n e w enter");
    let taken = world.take(JobKind::RenameFolder);
    world.end(
        &taken,
        vec![Err(Error::new(
            Kind::Conflict,
            "A folder of that name exists",
        ))],
    );
    assert_eq!(world.tree(), [">/", " marketing", " sales"]);
    assert!(!world.is_busy(&folder_target("m")));
    assert!(
        world.says("A folder of that name exists"),
        "{:?}",
        world.said()
    );
}

#[test]
fn files_and_folders_that_were_cut_move_where_they_are_pasted() {
    let mut world = World::new();
    world.keys("space G space x");
    assert_eq!(world.state.session.cut.as_ref().unwrap().items.len(), 2);
    world.keys("g g j enter");
    world.list("/sales", Vec::new(), None);
    world.keys("p");
    let expected = Job::UpdateFolder {
        folder: FolderId::new("m"),
        from: "/marketing".to_owned(),
        name: None,
        parent: Some(place("s", "/sales")),
        seen: None,
    };
    assert_eq!(world.asked_job(JobKind::UpdateFolder), expected);
    let taken = world.take(JobKind::Move);
    assert_eq!(
        taken.jobs,
        [Job::Move {
            file: item(file_target("3"), "/c.pdf"),
            into: place("s", "/sales"),
            seen: None
        }]
    );
    assert!(world.state.session.cut.is_none());
    world.end_well(
        &taken,
        vec![updated(file("3", "/sales/c.pdf", "PRIVATE", Some("s")))],
    );
    assert_eq!(world.rows(), ["c.pdf"]);
    assert!(world.says("Moved c.pdf"), "{:?}", world.said());
}

#[test]
fn a_file_moves_to_the_root_folder() {
    let mut world = World::new();
    world.keys("enter");
    world.list(
        "/marketing",
        vec![Entry::File(file(
            "7",
            "/marketing/x.txt",
            "PRIVATE",
            Some("m"),
        ))],
        None,
    );
    world.keys("x h");
    world.list("/", super::world::root_entries(), None);
    world.keys("p");
    let expected = Job::Move {
        file: item(file_target("7"), "/marketing/x.txt"),
        into: FolderRef::root(),
        seen: None,
    };
    assert_eq!(world.asked_job(JobKind::Move), expected);
}

#[test]
fn a_file_that_moved_away_leaves_the_open_folder() {
    let mut world = World::new();
    world.keys("G x shift-tab j p");
    let taken = world.take(JobKind::Move);
    world.end_well(
        &taken,
        vec![updated(file("3", "/marketing/c.pdf", "PRIVATE", Some("m")))],
    );
    assert!(world.state.files.listing.row(&file_target("3")).is_none());
}

#[rstest]
#[case::same_folder("G x p", "already")]
#[case::into_itself("x shift-tab j p", "into itself")]
#[case::nothing("p", "Nothing to move")]
fn a_move_that_makes_no_sense_is_refused(#[case] keys: &str, #[case] words: &str) {
    let mut world = World::new();
    world.keys(keys);
    assert!(world.says(words), "{:?}", world.said());
    assert_eq!(world.count(is_queue), 0);
}

#[test]
fn esc_forgets_what_was_cut() {
    let mut world = World::new();
    world.keys("x esc");
    assert!(world.state.session.cut.is_none());
}

#[test]
fn a_question_that_is_canceled_leaves_no_message_about_an_earlier_change() {
    let mut world = World::new();
    world.keys("G d");
    world.wait(200);
    world.state.say(MessageLevel::Info, "Changed a.txt.");
    world.keys("esc");
    assert!(world.state.status.message().is_none(), "{}", world.drawn());
}

#[test]
fn making_private_files_public_asks_once_more() {
    let mut world = World::new();
    world.keys("G e right enter");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    assert_eq!(confirm.names, ["c.pdf"]);
    assert_eq!(world.count(is_queue), 0);
    world.keys("right enter");
    let Job::Change { update, .. } = world.asked_job(JobKind::Change) else {
        panic!()
    };
    assert_eq!(update.access, Some(Access::PublicNotIndexable));
}

#[test]
fn access_of_several_says_how_many_change_and_what_is_left_out() {
    let mut world = World::new();
    world.keys("ctrl-a e left");
    assert!(
        world.shows("Access for 3 files; folders have none"),
        "{}",
        world.drawn()
    );
    assert!(
        world.shows("2 of 3 files change: 2 become public, 1 already"),
        "{}",
        world.drawn()
    );
    world.keys("enter");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    assert_eq!(confirm.names, ["b.png", "c.pdf"], "one question for all");
    world.keys("right enter");
    assert_eq!(
        world.take(JobKind::Change).jobs.len(),
        2,
        "what is public already is not sent"
    );
}

#[rstest]
#[case::access("e", "Folders have no access")]
#[case::address("y y", "Folders have no link. y p copies the path.")]
fn what_does_not_work_on_folders_says_so(#[case] keys: &str, #[case] words: &str) {
    let mut world = World::new();
    world.keys(keys);
    assert!(world.says(words), "{:?}", world.said());
    assert!(world.state.dialogs.is_empty());
}
