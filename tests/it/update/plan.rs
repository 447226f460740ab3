//! Plans: shown if something needs attention, changed by keys, accepted as one batch; and the list
//! of local files.

use filedeck::api::model::Access;
use filedeck::api::{Error, Kind};
use filedeck::engine::folder_comparison::RemoteEntry;
use filedeck::engine::job::{JobKind, Room};
use filedeck::engine::plan::{Existing, ExistingFile, PlanEvent, PlanRow, PlanSource};
use filedeck::engine::seen_state::LocalState;
use filedeck::engine::source::FileSource;
use filedeck::engine::{Event, Item, Job, OpId, Progress, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::MessageLevel;
use rstest::rstest;

use super::world::{World, file, file_target, item, local_entries};
use filedeck::engine::Answer;
use filedeck::engine::question::{AddJobs, ListLocalFolder, PlanDownload, PlanUpload, Planned};

pub(super) fn new(name: &str) -> PlanRow {
    PlanRow {
        source: PlanSource::Local(format!("/tmp/{name}").into()),
        name: name.to_owned(),
        size: Some(1_000),
        there: Existing::Nothing { new_folder: None },
        elsewhere: None,
        warning: None,
        is_hidden: false,
    }
}

fn existing(id: &str, name: &str) -> ExistingFile {
    let item = item(file_target(id), &format!("/{name}"));
    ExistingFile::Remote(Box::new(RemoteEntry {
        expires_at: None,
        is_usable_in_content: None,
        item,
        state: Some("9f2c41c0e1b2a3948576d0c1b2a39485".to_owned()),
        items: 0,
        updated_at: Some("2026-11-21T05:00:00Z".parse().unwrap()),
        access: Some(Access::PublicIndexable),
    }))
}

fn taken(name: &str) -> PlanRow {
    PlanRow {
        there: Existing::Other(existing(name, name)),
        ..new(name)
    }
}

fn same(name: &str) -> PlanRow {
    PlanRow {
        there: Existing::Same(existing(name, name)),
        ..new(name)
    }
}

fn unfit(name: &str) -> PlanRow {
    PlanRow {
        source: PlanSource::Unfit("a link, which is not followed".to_owned()),
        size: None,
        ..new(name)
    }
}

fn is_upload(request: &Request) -> bool {
    matches!(request, Request::PlanUpload(_))
}

fn asked() -> (World, OpId) {
    let mut world = World::new().plans_by_hand();
    world.keys("u");
    world.text("set");
    world.keys("enter");
    let op = world.asked(is_upload);
    (world, op)
}

fn planned(rows: Vec<PlanRow>) -> (World, OpId) {
    let (mut world, op) = asked();
    world.planned(op, rows, None);
    (world, op)
}

pub(super) fn queued(world: &World) -> Vec<String> {
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::AddJobs(_)))
        .unwrap();
    let Request::AddJobs(AddJobs(jobs)) = request else {
        panic!()
    };
    let short = |job: &Job| match job {
        Job::Upload {
            source: FileSource::Local(local),
            options,
            ..
        } => {
            format!(
                "send {} {}",
                local.file_name().unwrap().to_str().unwrap(),
                options.options.access
            )
        }
        Job::Replace { file, seen, .. } => format!("replace {} {}", file.name, seen.is_some()),
        Job::CreateFolder { name, .. } => format!("make {name}"),
        Job::Download { file, room, .. } => {
            format!("save {} {}", file.name, matches!(room, Room::Over(_)))
        }
        other => panic!("{other:?}"),
    };
    jobs.iter().map(short).collect()
}

pub(super) fn is_nothing_queued(world: &World) -> bool {
    world.count(|request| matches!(request, Request::AddJobs(_))) == 0
}

#[test]
fn the_dialog_waits_and_says_how_much_was_found() {
    let (mut world, op) = asked();
    world.send(Msg::Engine(
        op.session,
        Event::Progress {
            op,
            progress: Progress::Found {
                files: 1_240,
                bytes: 3 << 20,
            },
        },
    ));
    assert!(
        world.shows("Looking: 1,240 files, 3.1 MB"),
        "{}",
        world.drawn()
    );
    world.keys("x");
    let Dialog::Upload(upload) = world.dialog() else {
        panic!()
    };
    assert_eq!(
        upload.form.text(0),
        "set",
        "what was submitted is not changed meanwhile"
    );
    world.keys("esc");
    assert_eq!(world.cancelled, [op]);
    assert!(
        matches!(world.dialog(), Dialog::Upload(_)),
        "what was typed is still there"
    );
    world.planned(op, vec![new("a.txt")], None);
    assert!(is_nothing_queued(&world), "what was given up does not go");
    world.keys("esc");
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn what_is_not_there_is_said_under_the_field_and_the_dialog_stays() {
    let (mut world, op) = asked();
    world.fail(op, Error::new(Kind::Refused, "set does not exist."));
    let Dialog::Upload(upload) = world.dialog() else {
        panic!()
    };
    assert_eq!((upload.form.text(0), upload.form.focus), ("set", 0));
    assert!(world.shows("set does not exist."), "{}", world.drawn());
    world.keys("backspace enter");
    world.asked(is_upload);
}

#[test]
fn a_single_new_file_goes_at_once() {
    let (world, op) = planned(vec![new("a.txt")]);
    assert!(world.state.dialogs.is_empty());
    assert_eq!(queued(&world), ["send a.txt PRIVATE"]);
    assert_eq!(
        world.cancelled,
        [op],
        "nobody wants to know where else its bytes are"
    );
}

#[rstest]
#[case::taken(taken("a.txt"))]
#[case::there_already(same("a.txt"))]
#[case::odd(PlanRow { warning: Some("differs from A.txt by case only".to_owned()), ..new("a.txt") })]
#[case::left_out(unfit("a.txt"))]
fn a_single_file_that_meets_something_opens_the_plan(#[case] row: PlanRow) {
    let (world, _) = planned(vec![row]);
    assert!(matches!(world.dialog(), Dialog::Plan(_)));
    assert!(is_nothing_queued(&world));
}

#[test]
fn a_plan_is_one_batch_and_what_is_not_to_be_sent_is_left_out() {
    let rows = vec![
        unfit("l"),
        taken("t.txt"),
        same("s.txt"),
        new("a.txt"),
        new("b.txt"),
    ];
    let (mut world, op) = planned(rows);
    assert!(
        world.shows("Upload 2 files, replace 1"),
        "{}",
        world.drawn()
    );
    world.keys("enter");
    assert_eq!(
        queued(&world),
        [
            "send a.txt PRIVATE",
            "send b.txt PRIVATE",
            "replace t.txt true"
        ]
    );
    assert!(
        world.state.dialogs.is_empty(),
        "the plan and what asked for it are closed"
    );
    assert_eq!(world.cancelled, [op]);
    assert!(world.is_busy_on("t.txt"));
}

impl World {
    fn is_busy_on(&self, id: &str) -> bool {
        self.state.session.tasks.busy.holds(&file_target(id))
    }
}

#[rstest]
#[case::keep_both("right", &["send a.txt PRIVATE", "send t.txt PRIVATE", "replace u.txt true"])]
#[case::skip("left left", &["send a.txt PRIVATE", "replace u.txt true"])]
#[case::the_same_for_all("right a", &["send a.txt PRIVATE", "send t.txt PRIVATE", "send u.txt PRIVATE"])]
#[case::for_all_at_once("tab down down", &["send a.txt PRIVATE"])]
#[case::public("tab tab right right", &["send a.txt PUBLIC_INDEXABLE", "replace t.txt true", "replace u.txt true"])]
fn keys_choose_what_is_done(#[case] keys: &str, #[case] expected: &[&str]) {
    let (mut world, _) = planned(vec![taken("t.txt"), taken("u.txt"), new("a.txt")]);
    world.keys(keys);
    world.keys("enter");
    let mut found = queued(&world);
    found.sort();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn access_and_expiry_are_offered_for_new_files_only() {
    let (mut world, _) = planned(vec![taken("t.txt")]);
    assert!(!world.shows("New files"), "{}", world.drawn());
    assert!(world.shows("links, access stay"), "{}", world.drawn());
    world.keys("right");
    assert!(
        world.shows("New files          ◉ private"),
        "{}",
        world.drawn()
    );
}

#[rstest]
#[case::private("tab", 2)]
#[case::public("tab right right", 1)]
#[case::public_and_chosen("tab right right shift-tab right", 2)]
#[case::private_again("tab right right left left", 2)]
fn hidden_files_of_a_folder_are_published_only_where_that_is_chosen(
    #[case] keys: &str,
    #[case] sent: usize,
) {
    let hidden = PlanRow {
        is_hidden: true,
        ..new("site/.env")
    };
    let (mut world, _) = planned(vec![hidden, new("site/a.txt")]);
    world.keys(keys);
    world.keys("enter");
    let found = queued(&world);
    assert_eq!(found.len(), sent, "{found:?}");
}

#[test]
fn a_hidden_file_that_was_named_itself_is_published() {
    let (mut world, _) = planned(vec![new("new/.env"), new(".profile")]);
    world.keys("tab right right enter");
    assert_eq!(
        queued(&world),
        [
            "send .env PUBLIC_INDEXABLE",
            "send .profile PUBLIC_INDEXABLE"
        ]
    );
}

#[test]
fn nothing_is_sent_while_a_file_says_stop() {
    let (mut world, _) = planned(vec![taken("t.txt"), new("a.txt")]);
    world.keys("left enter");
    assert!(is_nothing_queued(&world));
    assert!(world.shows("t.txt is set to stop"), "{}", world.drawn());
    world.keys("left enter");
    assert_eq!(queued(&world), ["send a.txt PRIVATE"]);
}

#[test]
fn a_life_is_asked_for_in_the_plan_and_a_wrong_one_keeps_it_open() {
    let (mut world, _) = planned(vec![new("a.txt"), new("b.txt")]);
    world.keys("tab tab right right enter");
    assert!(is_nothing_queued(&world));
    world.text("2w");
    world.keys("enter");
    let Job::Upload { options, .. } = &world.asked_jobs(JobKind::Upload).1[0] else {
        panic!()
    };
    assert_eq!(options.options.ttl.as_deref(), Some("P2W"));
}

#[test]
fn where_else_bytes_are_comes_later_and_changes_nothing_by_itself() {
    let (mut world, op) = planned(vec![new("a.txt"), new("b.txt")]);
    let news = PlanEvent::Elsewhere(vec![(1, "/brand/logo.txt".to_owned())]);
    world.send(Msg::Engine(op.session, Event::Plan { op, news }));
    assert!(
        world.shows("same content as /brand/logo.txt"),
        "{}",
        world.drawn()
    );
    assert!(world.shows("Upload 2 files"));
    world.keys("down right");
    assert!(world.shows("use existing"), "{}", world.drawn());
    world.keys("enter");
    assert_eq!(queued(&world), ["send a.txt PRIVATE"]);
}

/// Seen to fail when a single file is sent without waiting for the search.
#[test]
fn a_single_file_whose_content_exists_elsewhere_is_not_sent_unseen() {
    let (mut world, op) = asked();
    world.complete_plan(op, vec![new("a.txt")], None);
    assert!(is_nothing_queued(&world));
    assert!(
        world.shows("Searching for the same content elsewhere"),
        "{}",
        world.drawn()
    );
    let news = PlanEvent::Elsewhere(vec![(0, "/brand/logo.txt".to_owned())]);
    world.send(Msg::Engine(op.session, Event::Plan { op, news }));
    assert!(
        world.shows("1 with the same content as /brand/logo.txt"),
        "{}",
        world.drawn()
    );
    world.keys("right enter");
    assert!(is_nothing_queued(&world));
    let drawn = world.drawn();
    assert!(
        drawn.contains("Nothing to do") && !drawn.contains("enter  go"),
        "{drawn}"
    );
}

#[rstest]
#[case::found_nothing(true)]
#[case::failed(false)]
fn a_single_file_whose_content_is_new_is_sent_after_the_search(#[case] is_answered: bool) {
    let (mut world, op) = asked();
    world.complete_plan(op, vec![new("a.txt")], None);
    if is_answered {
        world.done(op, Answer::PlanUpload(Planned { not_looked_for: 0 }));
    } else {
        world.fail(op, Error::new(Kind::Network, "no way through"));
    }
    assert_eq!(queued(&world), ["send a.txt PRIVATE"]);
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn esc_gives_up_a_single_file_that_waits_for_the_search() {
    let (mut world, op) = asked();
    world.complete_plan(op, vec![new("a.txt")], None);
    world.keys("esc");
    assert_eq!(world.cancelled, [op]);
    assert!(matches!(world.dialog(), Dialog::Upload(_)));
    assert!(is_nothing_queued(&world));
}

#[test]
fn esc_goes_back_to_what_was_typed() {
    let (mut world, op) = planned(vec![new("a.txt"), new("b.txt")]);
    world.keys("esc");
    let Dialog::Upload(upload) = world.dialog() else {
        panic!()
    };
    assert_eq!(upload.form.text(0), "set");
    assert_eq!(world.cancelled, [op], "nobody looks for the rest");
    world.keys("ctrl-c");
    assert!(world.state.dialogs.is_empty());
    assert!(is_nothing_queued(&world));
}

#[test]
fn ten_thousand_rows_are_moved_through_and_changed() {
    let rows = (0..10_000)
        .map(|number| taken(&format!("{number:05}.txt")))
        .collect();
    let (mut world, _) = planned(rows);
    world.keys("end");
    assert!(
        world.shows("09999.txt") && !world.shows("00000.txt"),
        "{}",
        world.drawn()
    );
    world.keys("right a enter");
    assert_eq!(queued(&world).len(), 10_000);
}

fn saving(names: &[&str]) -> (World, OpId, Vec<PlanRow>) {
    let mut world = World::new().plans_by_hand();
    world.keys("enter");
    let entries = names.iter().enumerate().map(|(at, name)| {
        filedeck::engine::message::Entry::File(file(
            &format!("s{at}"),
            &format!("/marketing/{name}"),
            "PRIVATE",
            Some("m"),
        ))
    });
    world.list("/marketing", entries.collect(), None);
    world.keys("ctrl-a s");
    let (op, request) = world
        .asked_for(|request| matches!(request, Request::PlanDownload(_)))
        .unwrap();
    let Request::PlanDownload(PlanDownload { items: files, .. }) = request else {
        panic!()
    };
    let row = |file: Item| PlanRow {
        name: file.name.clone(),
        source: PlanSource::Remote(file),
        ..new("x")
    };
    (world, op, files.into_iter().map(row).collect())
}

#[test]
fn a_download_keeps_both_unless_said_otherwise() {
    let (mut world, op, mut rows) = saving(&["a.txt", "b.txt"]);
    rows[0].there = Existing::Other(ExistingFile::Local(LocalState::default()));
    world.planned(op, rows, Some(1 << 30));
    assert!(
        world.shows("Download 2 files") && world.shows("keep both"),
        "{}",
        world.drawn()
    );
    assert_eq!(world.state.files.listing.marks.len(), 2);
    world.keys("right enter");
    assert_eq!(queued(&world), ["save a.txt true", "save b.txt false"]);
    assert!(world.state.files.listing.marks.is_empty());
}

#[test]
fn a_single_download_that_meets_nothing_goes_at_once() {
    let (mut world, op, rows) = saving(&["a.txt"]);
    world.planned(op, rows, Some(1 << 30));
    assert!(world.state.dialogs.is_empty());
    assert_eq!(queued(&world), ["save a.txt false"]);
}

#[test]
fn folders_are_saved_with_files_after_a_look_at_all_of_them() {
    let mut world = World::new().plans_by_hand();
    world.keys("space space j space s");
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::PlanDownload(_)))
        .unwrap();
    let Request::PlanDownload(PlanDownload { items, .. }) = request else {
        panic!()
    };
    let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
    assert!(
        names.len() == 3 && names.contains(&"marketing"),
        "{names:?}"
    );
    assert!(
        world.says("Listing 2 folders and 1 file for the download"),
        "{:?}",
        world.said()
    );
    assert_eq!(
        world.state.status.message().map(|message| message.level),
        Some(MessageLevel::Hint)
    );
}

#[test]
fn the_plan_takes_the_place_of_what_was_said_while_it_was_made() {
    let (mut world, op, rows) = saving(&["a.txt", "b.txt"]);
    world
        .state
        .say(MessageLevel::Hint, "Listing marketing for the download.");
    world.planned(op, rows, None);
    assert!(matches!(world.dialog(), Dialog::Plan(_)));
    assert_eq!(world.state.status.message(), None);
}

#[test]
fn a_key_that_is_pressed_twice_saves_once() {
    let (mut world, first, rows) = saving(&["a.txt", "b.txt"]);
    world.keys("s");
    let second = world.asked(|request| matches!(request, Request::PlanDownload(_)));
    assert_eq!(world.cancelled, [first]);
    for op in [first, second] {
        world.planned(op, rows.clone(), None);
    }
    assert!(is_nothing_queued(&world));
    assert_eq!(world.state.dialogs.len(), 1);
}

#[test]
fn what_the_disk_has_no_room_for_is_not_begun() {
    let (mut world, op, rows) = saving(&["a.txt", "b.txt"]);
    world.planned(op, rows, Some(1_500));
    world.keys("enter");
    assert!(is_nothing_queued(&world));
    assert!(world.shows("the disk has 1.5 KB free"), "{}", world.drawn());
    world.keys("right enter");
    assert_eq!(queued(&world), ["save b.txt false"]);
}

#[test]
fn a_plan_of_downloads_takes_the_keys_from_nobody() {
    let (mut world, op, mut rows) = saving(&["a.txt", "b.txt"]);
    world.keys("a");
    rows[0].there = Existing::Other(ExistingFile::Local(LocalState::default()));
    world.planned(op, rows, None);
    assert!(
        matches!(world.dialog(), Dialog::Prompt(_)),
        "what is typed goes on"
    );
    assert_eq!(
        queued(&world),
        ["save a.txt false", "save b.txt false"],
        "nothing is taken away by that"
    );
}

#[test]
fn a_missing_folder_is_named_in_the_plan_that_creates_it() {
    let mut world = World::new().plans_by_hand();
    world.keys("G S / n e w enter");
    let Some((op, Request::PlanDownload(PlanDownload { items, into }))) =
        world.asked_for(|request| matches!(request, Request::PlanDownload(_)))
    else {
        panic!()
    };
    assert_eq!(into.to_str(), Some("/home/ada/work/new"));
    let news = PlanEvent::IntoLocal("/home/ada/work".into());
    world.send(Msg::Engine(op.session, Event::Plan { op, news }));
    let row = PlanRow {
        source: PlanSource::Remote(items[0].clone()),
        there: Existing::Nothing {
            new_folder: Some("new".to_owned()),
        },
        ..new("new/c.pdf")
    };
    world.planned(op, vec![row], None);
    assert!(is_nothing_queued(&world));
    assert!(
        world.shows("into /home/ada/work/new") && world.shows("1 new, in 1 new folder"),
        "{}",
        world.drawn()
    );
    world.keys("enter");
    let Job::Download { into, name, .. } = &world.asked_jobs(JobKind::Download).1[0] else {
        panic!()
    };
    assert_eq!(
        (into.to_str(), name.as_deref()),
        (Some("/home/ada/work"), Some("new/c.pdf"))
    );
}

#[test]
fn files_are_chosen_from_a_list_and_come_back_into_the_field() {
    let mut world = World::new().plans_by_hand();
    world.keys("u ctrl-o");
    let (op, request) = world
        .asked_for(|request| matches!(request, Request::ListLocalFolder(_)))
        .unwrap();
    assert_eq!(
        request,
        Request::ListLocalFolder(ListLocalFolder {
            folder: "/home/ada/work".into()
        })
    );
    world.done(
        op,
        Answer::ListLocalFolder(local_entries(&["a b.txt", "c.txt"])),
    );
    world.keys("space space enter");
    let Dialog::Upload(upload) = world.dialog() else {
        panic!()
    };
    assert_eq!(upload.form.text(0), "'a b.txt' c.txt");
    world.keys("enter");
    let (_, request) = world.asked_for(is_upload).unwrap();
    let Request::PlanUpload(PlanUpload { typed, .. }) = request else {
        panic!()
    };
    assert_eq!(typed[0].words.len(), 2);
}

#[test]
fn the_hints_of_a_choice_say_that_enter_opens_a_folder() {
    let mut world = World::new().plans_by_hand();
    world.keys("u ctrl-o");
    let op = world.asked(|request| matches!(request, Request::ListLocalFolder(_)));
    world.done(
        op,
        Answer::ListLocalFolder(local_entries(&["set/", "c.txt"])),
    );
    assert!(world.shows("enter  open   ␣  choose"), "{}", world.drawn());
    world.keys("j");
    assert!(world.shows("enter  choose"), "{}", world.drawn());
}

#[test]
fn a_local_folder_that_cannot_be_read_is_said_where_it_was_asked_for() {
    let mut world = World::new();
    world.keys("u");
    world.text("/nowhere/x");
    world.keys("tab");
    let op = world.asked(|request| matches!(request, Request::ListLocalFolder(_)));
    world.fail(
        op,
        Error::new(
            Kind::Local,
            "Cannot list /nowhere: No such file or directory",
        ),
    );
    assert!(world.shows("Cannot list /nowhere"), "{}", world.drawn());
    assert!(world.said().is_empty());
}

#[test]
fn rows_options_and_buttons_of_a_plan_are_clicked() {
    let (mut world, _) = planned(vec![new("a.txt"), taken("b.png")]);
    world.click("○ keep both");
    world.click("○ unlisted");
    world.click("  Cancel  ");
    assert!(matches!(world.dialog(), Dialog::Upload(_)), "one step back");
    let (mut world, _) = planned(vec![new("a.txt"), taken("b.png")]);
    world.click("≠ b.png");
    world.keys("right");
    world.click("○ unlisted");
    world.click("  Upload 2 files  ");
    assert_eq!(
        queued(&world),
        [
            "send a.txt PUBLIC_NOT_INDEXABLE",
            "send b.png PUBLIC_NOT_INDEXABLE"
        ]
    );
}

#[test]
fn a_click_changes_nothing_that_was_submitted() {
    let (mut world, op) = asked();
    world.click("○ public");
    world.planned(op, vec![taken("b.png")], None);
    world.keys("enter");
    assert_eq!(queued(&world), ["replace b.png true"]);
}
