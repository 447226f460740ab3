//! Deletion: the texts of the dialogs, the requests, and the effects of their responses.

use filedeck::api::ids::FolderId;
use filedeck::api::{Error, Kind};
use filedeck::engine::batch::Control;
use filedeck::engine::deletion::{DeletedContents, Deletion};
use filedeck::engine::folder_size::{FolderSize, FolderSizes};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::Entry;
use filedeck::engine::{Job, Outcome, Progress, Request};
use filedeck::tui::dialog::{ConfirmFocus, Dialog};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::world::{
    World, file, file_target, folder, folder_target, item, not_found, root_entries,
};
use crate::support::changed::changed;
use crate::support::queue::{ended, running, under_way, view};
use filedeck::engine::Answer;
use filedeck::engine::question::{AddJobs, List, ListPage, MeasureFolders};

fn is_delete(request: &Request) -> bool {
    matches!(request, Request::AddJobs(AddJobs(jobs)) if jobs.iter().all(|job| matches!(job, Job::Delete { .. })))
}

fn deletion(id: &str, path: &str) -> Job {
    Job::Delete {
        item: item(file_target(id), path),
        permanent: false,
        state: None,
    }
}

fn deleted(id: &str) -> Outcome {
    Outcome::Deleted {
        target: file_target(id),
        deletion: None,
    }
}

#[rstest]
#[case::hubspot("https://api.hubapi.com", "restores deleted files for 30 days")]
#[case::a_stand_in("https://files.example", "its API cannot restore it")]
fn a_deletion_says_how_to_get_back(#[case] address: &str, #[case] text: &str) {
    let mut world = World::new();
    let source = &world.state.session.account.source;
    let mut accounts = world.state.accounts.iter_mut();
    accounts
        .find(|known| known.source == *source)
        .unwrap()
        .address = Some(address.parse().unwrap());
    world.keys("j j d");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    let body = confirm.body.join(" ");
    assert!(
        body.contains("Links stop working at once.") && body.contains(text),
        "{body}"
    );
}

#[test]
fn a_deletion_asks_first_and_says_what_where_and_how_much() {
    let mut world = World::new();
    world.keys("j j space space d");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    assert_eq!(confirm.title, "Delete 2 files, 2.0 KB, from acme");
    assert_eq!(confirm.names, ["a.txt", "b.png"]);
    assert_eq!(confirm.focus, ConfirmFocus::Cancel);
    let notes: Vec<_> = confirm.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        (notes.as_slice(), confirm.accept.as_str()),
        (
            &["public       1.0 KB", "private      1.0 KB"].map(str::to_owned)[..],
            "Delete 2 files"
        )
    );
    assert_eq!(world.count(is_delete), 0);
    world.keys("enter");
    assert!(world.state.dialogs.is_empty());
    assert_eq!(world.count(is_delete), 0, "Cancel had the focus");
}

#[test]
fn a_long_name_leaves_room_for_how_much_and_where() {
    let mut world = World::started();
    let op = world.asked(|request| matches!(request, Request::List(_)));
    let long = format!("{}.tar.gz", "x".repeat(200));
    let entries = vec![Entry::File(file("1", &format!("/{long}"), "PRIVATE", None))];
    world.done(
        op,
        Answer::List(ListPage {
            entries,
            next: None,
        }),
    );
    world.keys("d");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    assert_eq!(
        confirm.title,
        "Delete xxxxxxxxxxxxxxx…x.tar.gz, 1.0 KB, from acme"
    );
    assert_eq!(confirm.accept, "Delete xxxxxxxxxxxxxxx…x.tar.gz");
    assert_eq!(confirm.names, [long]);
}

#[test]
fn keys_typed_ahead_of_the_question_do_not_answer_it() {
    let mut world = World::new();
    world.keys("G d");
    for key in ["y", "right", "enter"] {
        world.send(Msg::Key(key.parse().unwrap()));
    }
    assert_eq!(world.state.dialogs.len(), 1);
    assert_eq!(world.count(is_delete), 0);
}

#[test]
fn a_folder_takes_its_contents_with_it_and_the_question_says_so() {
    let mut world = World::new();
    world.keys("d");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    assert!(
        confirm
            .body
            .iter()
            .any(|line| line.contains("Everything in a folder")),
        "{:?}",
        confirm.body
    );
    assert_eq!(confirm.names, ["marketing/"]);
}

fn sizes(counted: &[(&str, usize, u64, bool)]) -> FolderSizes {
    let weight = |(id, files, bytes, is_all): &(&str, usize, u64, bool)| {
        (
            FolderId::new(*id),
            FolderSize {
                files: *files,
                bytes: *bytes,
                is_all: *is_all,
            },
        )
    };
    counted.iter().map(weight).collect()
}

fn is_folder_sizes(request: &Request) -> bool {
    matches!(request, Request::MeasureFolders(_))
}

/// The dialog's title, and the size that it shows for each item.
fn told(world: &World) -> (&str, Vec<&str>) {
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    (
        &confirm.title,
        confirm
            .notes
            .iter()
            .map(|note| note.rest.as_str())
            .collect(),
    )
}

#[test]
fn what_lies_in_folders_is_counted_while_the_dialog_asks() {
    let mut world = World::new();
    world.keys("space space space d");
    let (op, request) = world.asked_for(is_folder_sizes).unwrap();
    assert_eq!(
        request,
        Request::MeasureFolders(MeasureFolders {
            folders: vec![FolderId::new("m"), FolderId::new("s")]
        })
    );
    assert_eq!(
        told(&world),
        (
            "Delete 2 folders and 1 file, from acme",
            vec!["counting …", "counting …", "1.0 KB"]
        ),
        "the dialog waits for nothing"
    );
    let some = sizes(&[("m", 168, 12_400_000, true), ("s", 40, 1_000, false)]);
    world.tell_of(op, Progress::FolderSizes(some));
    assert_eq!(
        told(&world),
        (
            "Delete 2 folders and 1 file, from acme",
            vec!["168 files, 12 MB", "counting …", "1.0 KB"]
        )
    );
    world.done(
        op,
        Answer::MeasureFolders(sizes(&[("m", 168, 12_400_000, true), ("s", 0, 0, true)])),
    );
    assert_eq!(
        told(&world),
        (
            "Delete 2 folders and 1 file (169 files, 12 MB in all), from acme",
            vec!["168 files, 12 MB", "no files", "1.0 KB"]
        )
    );
    world.keys("right enter");
    assert_eq!(world.take(JobKind::Delete).jobs.len(), 3);
    assert_eq!(world.cancelled, [], "the count had ended");
}

#[test]
fn more_than_a_look_may_cost_is_not_claimed() {
    let mut world = World::new();
    world.keys("d");
    let op = world.asked(is_folder_sizes);
    world.done(
        op,
        Answer::MeasureFolders(sizes(&[("m", 1_200, 31_000_000, false)])),
    );
    let expected = "Delete marketing (1,200 files or more, 31 MB in all), from acme";
    assert_eq!(told(&world), (expected, vec!["1,200 files or more, 31 MB"]));
}

#[test]
fn a_count_that_fails_says_why_and_keeps_what_is_known() {
    let mut world = World::new();
    world.keys("space space d");
    let op = world.asked(is_folder_sizes);
    world.tell_of(
        op,
        Progress::FolderSizes(sizes(&[("m", 2, 2_000, true), ("s", 1, 1, false)])),
    );
    world.fail(op, Error::new(Kind::Server, "no luck"));
    let expected = (
        "Delete 2 folders, from acme",
        vec!["2 files, 2.0 KB", "not counted: no luck"],
    );
    assert_eq!(told(&world), expected);
    world.keys("right enter");
    assert_eq!(world.take(JobKind::Delete).jobs.len(), 2);
}

#[rstest]
#[case::cancelled("esc", 0)]
#[case::deleted("right enter", 1)]
fn closing_the_dialog_gives_the_count_up(#[case] keys: &str, #[case] sent: usize) {
    let mut world = World::new();
    world.keys("d");
    let op = world.asked(is_folder_sizes);
    world.keys(keys);
    assert_eq!(world.cancelled, [op]);
    assert_eq!(world.count(is_delete), sent);
    world.done(op, Answer::MeasureFolders(sizes(&[("m", 2, 2_000, true)])));
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn files_alone_ask_for_no_count() {
    let mut world = World::new();
    world.keys("G d");
    assert_eq!(world.count(is_folder_sizes), 0);
}

#[test]
fn what_lies_in_another_folder_of_a_search_is_counted_once() {
    let mut world = World::new();
    world.keys("f");
    world.text("m");
    world.keys("enter");
    let inside = Entry::File(file("9", "/marketing/m.txt", "PRIVATE", Some("m")));
    let found = vec![
        Entry::Folder(folder("m", "/marketing")),
        Entry::Folder(folder("d", "/marketing/deep-m")),
        inside,
    ];
    let op = world
        .asked(|request| matches!(request, Request::List(List { of, .. }) if of.query().is_some()));
    world.done(
        op,
        Answer::List(ListPage {
            entries: found,
            next: None,
        }),
    );
    world.keys("ctrl-a d");
    let (op, request) = world.asked_for(is_folder_sizes).unwrap();
    assert_eq!(
        request,
        Request::MeasureFolders(MeasureFolders {
            folders: vec![FolderId::new("m")]
        })
    );
    world.done(op, Answer::MeasureFolders(sizes(&[("m", 5, 5_000, true)])));
    let (title, mut notes) = told(&world);
    notes.sort_unstable();
    assert_eq!(
        title,
        "Delete 2 folders and 1 file (5 files, 5.0 KB in all), from acme"
    );
    assert_eq!(
        notes,
        [
            "1.0 KB",
            "5 files, 5.0 KB",
            "inside another folder of these"
        ]
    );
}

#[test]
fn rows_are_busy_while_they_are_deleted_and_gone_at_once_after() {
    let mut world = World::new();
    world.keys("j j space space d right enter");
    let (_, jobs) = world.asked_jobs(JobKind::Delete);
    assert_eq!(jobs, [deletion("1", "/a.txt"), deletion("2", "/b.png")]);
    assert!(world.is_busy(&file_target("1")));
    assert!(world.state.files.listing.marks.is_empty());
    let taken = world.take(JobKind::Delete);
    assert!(world.is_busy(&file_target("1")));
    world.settle(&taken, vec![Ok(deleted("1"))]);
    assert_eq!(world.rows(), ["marketing", "sales", "b.png", "c.pdf"]);
    assert!(
        world.is_busy(&file_target("2")),
        "its turn is still to come"
    );
    assert_eq!(world.said(), Vec::<&str>::new(), "said once, at the end");
    world.end_well(&taken, vec![deleted("1"), deleted("2")]);
    assert_eq!(world.rows(), ["marketing", "sales", "c.pdf"]);
    assert_eq!(world.here(), "c.pdf");
    world.listing_of("/");
    assert_eq!(world.said(), ["Deleted 2 files"]);
}

#[test]
fn a_deletion_that_fails_gives_the_rows_back_and_is_in_the_log() {
    let mut world = World::new();
    world.keys("G d right enter");
    let taken = world.take(JobKind::Delete);
    world.end(
        &taken,
        vec![Err(changed(
            Error::new(Kind::Conflict, "It is in use"),
            |error| error.status = Some(409),
        ))],
    );
    assert!(!world.is_busy(&file_target("3")));
    assert!(
        world.says("Deletion failed, /c.pdf: It is in use."),
        "{:?}",
        world.said()
    );
    let entry = world.state.activity.iter().next().unwrap();
    assert_eq!(
        entry.error.as_ref().and_then(|error| error.status),
        Some(409)
    );
    world.keys("4 enter");
    assert!(matches!(world.dialog(), Dialog::Notice(_)));
}

#[test]
fn one_that_fails_does_not_end_the_others_and_can_be_tried_again() {
    let mut world = World::new();
    world.keys("j j space space d right enter");
    let taken = world.take(JobKind::Delete);
    world.end(
        &taken,
        vec![Err(Error::new(Kind::Server, "no luck")), Ok(deleted("2"))],
    );
    assert_eq!(world.rows(), ["marketing", "sales", "a.txt", "c.pdf"]);
    assert!(
        world.says("Deletion of 2 files: 1 of 2 failed: no luck. The service has a problem"),
        "{:?}",
        world.said()
    );
    world.tell(view(&[ended(taken.batch(), 1, 1, world.state.now)]));
    assert_eq!(world.told("w r"), [Control::Retry(taken.id)]);
    assert!(world.is_busy(&file_target("1")));
    assert!(!world.is_busy(&file_target("3")));
    world.end(&taken, vec![Ok(deleted("1")), Ok(deleted("2"))]);
    assert_eq!(world.rows(), ["marketing", "sales", "c.pdf"]);
    assert!(world.says("Deleted 2 files"), "{:?}", world.said());
}

#[rstest]
#[case::not_typed("tab enter", false)]
#[case::the_word("d e l e t e tab tab enter", true)]
#[case::the_count("1 enter enter", true)]
#[case::word_but_cancel("d e l e t e enter", false)]
fn a_permanent_deletion_wants_a_word_typed(#[case] keys: &str, #[case] sent: bool) {
    let mut world = World::new();
    world.keys("G D");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    assert!(
        confirm
            .body
            .iter()
            .any(|line| line.contains("within 7 days")),
        "{:?}",
        confirm.body
    );
    world.keys(keys);
    let is_purge = |job: &Job| {
        matches!(
            job,
            Job::Delete {
                permanent: true,
                ..
            }
        )
    };
    let asks = |request: &Request| matches!(request, Request::AddJobs(AddJobs(jobs)) if jobs.iter().all(is_purge));
    assert_eq!(world.count(asks), usize::from(sent));
}

#[test]
fn a_permanent_deletion_of_a_folder_is_refused_with_the_reason() {
    let mut world = World::new();
    world.keys("D");
    assert!(world.state.dialogs.is_empty());
    let why = "Only files can be deleted permanently. d deletes a folder.";
    assert!(world.says(why), "{:?}", world.said());
}

/// A deleted folder; `missing` tells why its deleted files are unknown.
fn deleted_folder(id: &str, path: &str, missing: Option<&str>) -> Outcome {
    let contents = DeletedContents {
        files: 0,
        missing: missing.map(str::to_owned),
    };
    let at = "2026-11-21T08:00:00Z".parse().unwrap();
    let deletion = Deletion::of_folder(&FolderId::new(id), path, at, contents);
    Outcome::Deleted {
        target: folder_target(id),
        deletion: Some(deletion),
    }
}

#[test]
fn a_folder_of_which_not_all_files_are_known_says_so_when_it_is_deleted() {
    let mut world = World::new();
    world.keys("d right enter");
    let taken = world.take(JobKind::Delete);
    world.end_well(
        &taken,
        vec![deleted_folder("m", "/marketing", Some("no luck"))],
    );
    let said = "Deleted /marketing. Not all files that went with it are known: no luck";
    assert!(world.says(said), "{:?}", world.said());
}

#[test]
fn of_several_folders_it_is_said_of_how_many_not_all_files_are_known() {
    let mut world = World::new();
    world.keys("space space d right enter");
    let taken = world.take(JobKind::Delete);
    let outcomes = [("m", "/marketing", Some("no luck")), ("s", "/sales", None)];
    let outcomes = outcomes.map(|(id, path, missing)| deleted_folder(id, path, missing));
    world.end_well(&taken, outcomes.into());
    let said = "Deleted 2 folders. Not all files deleted with 1 folder are known";
    assert!(world.says(said), "{:?}", world.said());
}

#[test]
fn deleting_the_open_folder_from_the_tree_leads_to_the_one_above() {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", root_entries(), None);
    world.keys("shift-tab d right enter");
    let taken = world.take(JobKind::Delete);
    let expected = Job::Delete {
        item: item(folder_target("m"), "/marketing"),
        permanent: false,
        state: None,
    };
    assert_eq!(taken.jobs, [expected]);
    world.end_well(
        &taken,
        vec![Outcome::Deleted {
            target: folder_target("m"),
            deletion: None,
        }],
    );
    assert!(world.state.files.listing.of.is_folder(None));
    assert_eq!(world.tree(), [">/", " sales"]);
}

#[rstest]
fn a_read_only_account_refuses_changes(
    #[values("d", "D", "u", "I", "a", "r", "x", "p", "e")] key: &str,
) {
    let mut world = World::new();
    world.state.session.account.read_only = true;
    let effects = world.keys(&format!("G {key}"));
    assert_eq!(effects, Vec::<Effect>::new());
    assert!(world.state.dialogs.is_empty());
    assert!(world.says("read-only"), "{:?}", world.said());
}

#[test]
fn a_read_only_account_refuses_pasted_uploads_too() {
    let mut world = World::new();
    world.state.session.account.read_only = true;
    world.send(Msg::Paste("/tmp/a.txt".to_owned()));
    assert!(world.state.dialogs.is_empty());
    assert!(world.says("read-only"), "{:?}", world.said());
}

#[test]
fn what_the_service_does_not_know_any_more_leaves_the_list_and_that_is_said() {
    let mut world = World::new();
    world.keys("G d right enter");
    let taken = world.take(JobKind::Delete);
    world.end(&taken, vec![Err(not_found())]);
    assert_eq!(world.rows(), ["marketing", "sales", "a.txt", "b.png"]);
    assert!(!world.says("Deleted"), "{:?}", world.said());
    assert!(world.says("No file or folder exists"), "{:?}", world.said());
}

#[test]
fn a_deletion_in_doubt_keeps_its_row_and_the_folder_is_read_again() {
    let mut world = World::new();
    world.keys("G d right enter");
    let taken = world.take(JobKind::Delete);
    world.end(
        &taken,
        vec![Err(changed(
            Error::new(Kind::Decode, "a web page"),
            |error| error.in_doubt = true,
        ))],
    );
    assert!(!world.is_busy(&file_target("3")));
    assert!(!world.says("Deleted"), "{:?}", world.said());
    world.listing_of("/");
}

#[test]
fn a_cancelled_deletion_says_what_is_gone_and_a_retry_does_the_rest() {
    let mut world = World::new();
    world.keys("j j space space d right enter");
    let taken = world.take(JobKind::Delete);
    world.tell(view(&[running(taken.batch(), vec![under_way("/a.txt")])]));
    assert_eq!(world.told("w x right enter"), [Control::Cancel(taken.id)]);
    world.end(&taken, vec![Ok(deleted("1"))]);
    assert_eq!(world.rows(), ["marketing", "sales", "b.png", "c.pdf"]);
    assert!(!world.is_busy(&file_target("2")));
    assert!(
        world.says("Canceled deletion: 1 of 2 items done, 1 not begun. Deleted files stay deleted"),
        "{:?}",
        world.said()
    );
    world.tell(view(&[ended(taken.batch(), 1, 0, world.state.now)]));
    assert_eq!(world.told("r"), [Control::Retry(taken.id)]);
}
