//! The comparison of a local folder with the open one: its request, and the transfers and plans
//! that follow.

use filedeck::api::{Error, Kind};
use filedeck::engine::folder_comparison::{
    ComparedEntry, DiskEntry, EntryHere, FolderComparison, Likeness, RemoteEntry,
};
use filedeck::engine::job::{JobKind, Room};
use filedeck::engine::message::{Entry, FolderRef, Target};
use filedeck::engine::question::{
    AddJobs, CompareFolders, FolderHere, PlanDownload, PlanUpload, SumLocalFile,
};
use filedeck::engine::seen_state::LocalState;
use filedeck::engine::source::FileSource;
use filedeck::engine::{Answer, Item, Job, Request};
use filedeck::tui::dialog::Dialog;
use rstest::rstest;

use super::local_side::{self, opened};
use super::world::{World, file, file_target, folder, folder_target, item, place};

fn here(name: &str, size: u64) -> EntryHere {
    EntryHere::Disk(DiskEntry {
        local: format!("/home/ada/work/{name}").into(),
        state: Some(LocalState {
            size,
            modified: Some("2026-11-21T06:00:00Z".parse().unwrap()),
            changed: None,
        }),
        items: 0,
        md5: None,
    })
}

fn there(item: Item) -> RemoteEntry {
    let updated_at = Some("2026-11-21T05:00:00Z".parse().unwrap());
    RemoteEntry {
        expires_at: None,
        is_usable_in_content: None,
        state: item.target.file().map(|id| format!("state of {id}")),
        items: usize::from(item.target.folder().is_some()),
        item,
        updated_at,
        access: None,
    }
}

fn entry(here: Option<EntryHere>, there: Option<RemoteEntry>, likeness: Likeness) -> ComparedEntry {
    let is_folder = there
        .as_ref()
        .is_some_and(|there| matches!(there.item.target, Target::Folder(_)));
    ComparedEntry {
        is_folder,
        here,
        there,
        likeness,
    }
}

/// `both.txt` differs, `here.txt` is only here, `same.txt` is the same, `there.txt` and
/// `gone/x.txt` are only there.
fn found() -> FolderComparison {
    let [both, there_item, inner] = ["both.txt", "there.txt", "gone/x.txt"]
        .map(|name| item(file_target(name), &format!("/{name}")));
    let gone = Item {
        size: None,
        md5: None,
        ..item(folder_target("g"), "/gone")
    };
    let same = item(file_target("same"), "/same.txt");
    let rows = [
        (
            "both.txt",
            entry(
                Some(here("both.txt", 9)),
                Some(there(both)),
                Likeness::Differs,
            ),
        ),
        ("gone", entry(None, Some(there(gone)), Likeness::OnlyThere)),
        (
            "gone/x.txt",
            entry(None, Some(there(inner)), Likeness::OnlyThere),
        ),
        (
            "here.txt",
            entry(Some(here("here.txt", 5)), None, Likeness::OnlyHere),
        ),
        (
            "same.txt",
            entry(
                Some(here("same.txt", 1_024)),
                Some(there(same)),
                Likeness::Same,
            ),
        ),
        (
            "there.txt",
            entry(None, Some(there(there_item)), Likeness::OnlyThere),
        ),
    ];
    FolderComparison {
        entries: rows
            .into_iter()
            .map(|(path, entry)| (path.to_owned(), entry))
            .collect(),
        ..FolderComparison::default()
    }
}

fn is_comparison(request: &Request) -> bool {
    matches!(request, Request::CompareFolders(_))
}

/// A world where a local folder has been compared with the root folder.
pub(super) fn compared() -> World {
    let mut world = opened(&["both.txt", "here.txt", "same.txt"]).plans_by_hand();
    world.keys("C");
    answer(&mut world);
    world
}

pub(super) fn answer(world: &mut World) {
    let op = world.asked(is_comparison);
    world.done(op, Answer::CompareFolders(Box::new(found())));
}

fn rows(world: &World) -> Vec<String> {
    let comparing = world.state.mode.comparing().unwrap();
    (0..comparing.list.rows().len())
        .filter_map(|at| comparing.at(at))
        .map(|(path, _)| path.to_owned())
        .collect()
}

fn jobs(world: &World) -> Vec<Job> {
    let all = world.under_way().filter_map(|(_, request)| match request {
        Request::AddJobs(AddJobs(jobs)) => Some(jobs.clone()),
        _ => None,
    });
    all.flatten().collect()
}

#[test]
fn the_folder_that_is_shown_is_compared_with_the_open_one() {
    let mut world = opened(&["a.txt"]);
    world.keys(". C");
    let (_, request) = world.asked_for(is_comparison).unwrap();
    let expected = CompareFolders {
        here: FolderHere::Disk("/home/ada/work".into()),
        remote: FolderRef::root(),
        with_hidden: true,
    };
    assert_eq!(request, Request::CompareFolders(expected));
    assert!(world.shows("Reading both folders"), "{}", world.drawn());
    answer(&mut world);
    assert_eq!(
        rows(&world),
        ["gone", "both.txt", "here.txt", "same.txt", "there.txt"]
    );
    let drawn = world.drawn();
    assert!(
        drawn.contains("≠ 1 newer here · → 1 only here · ← 2 only there · = 1 same"),
        "{drawn}"
    );
    world.keys("j");
    assert!(
        world.shows("both.txt: differs, newer here"),
        "{}",
        world.drawn()
    );
    world.send(filedeck::tui::message::Msg::Resize {
        cols: 200,
        rows: 60,
    });
    assert!(world.shows("=  hide same"), "{}", world.drawn());
    world.keys("=");
    assert!(
        world.shows("=  show same") && !world.shows("same.txt"),
        "{}",
        world.drawn()
    );
}

#[test]
fn the_comparison_is_given_up_with_its_question_and_an_answer_that_comes_late_is_dropped() {
    let mut world = World::new();
    world.keys("C");
    let op = world.asked(is_comparison);
    world.keys("esc");
    assert!(world.state.mode.comparing().is_none() && world.cancelled.contains(&op));
    answer(&mut world);
    assert!(world.state.mode.comparing().is_none() && world.shows("Folders"));
}

#[test]
fn a_comparison_that_fails_says_why_and_which_keys_help() {
    let mut world = World::new();
    world.keys("C");
    let op = world.asked(is_comparison);
    world.fail(
        op,
        Error::new(Kind::Refused, "/home/ada/work is not a folder"),
    );
    let drawn = world.drawn();
    assert!(
        ["is not a folder", "C compares again", "esc goes back"]
            .iter()
            .all(|part| drawn.contains(part)),
        "{drawn}"
    );
    world.keys("C");
    answer(&mut world);
    assert_eq!(rows(&world).len(), 5);
}

#[test]
fn what_is_the_same_is_hidden_and_folders_are_gone_into() {
    let mut world = compared();
    world.keys("=");
    assert_eq!(rows(&world), ["gone", "both.txt", "here.txt", "there.txt"]);
    world.keys("g g l");
    assert_eq!(rows(&world), ["gone/x.txt"]);
    world.keys("s");
    assert!(
        world.says("This machine does not have the folder: h goes up"),
        "{:?}",
        world.said()
    );
    world.keys("h");
    assert_eq!(
        world.state.mode.comparing().unwrap().current().unwrap().0,
        "gone"
    );
    world.keys("h");
    assert!(world.says("esc leaves it"), "{:?}", world.said());
}

#[test]
fn esc_goes_up_to_the_top_of_a_comparison_before_it_leaves() {
    let mut world = compared();
    world.keys("g g l esc");
    let comparing = world.state.mode.comparing().unwrap();
    assert_eq!(comparing.current().unwrap().0, "gone");
    world.keys("esc");
    assert!(world.state.mode.comparing().is_none());
}

#[test]
fn what_is_chosen_is_sent_from_here_and_saved_from_there() {
    let mut world = compared();
    world.keys("j space space u");
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::PlanUpload(_)))
        .unwrap();
    let Request::PlanUpload(PlanUpload { typed, .. }) = request else {
        panic!()
    };
    let paths: Vec<_> = typed
        .iter()
        .map(|typed| typed.whole.to_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        ["/home/ada/work/both.txt", "/home/ada/work/here.txt"]
    );
    world.keys("s");
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::PlanDownload(_)))
        .unwrap();
    let Request::PlanDownload(PlanDownload { items, into, .. }) = request else {
        panic!()
    };
    assert_eq!(
        (items.len(), items[0].name.as_str(), into.to_str()),
        (1, "both.txt", Some("/home/ada/work"))
    );
}

#[rstest]
#[case::not_here("G u", "This machine does not have it: s downloads it")]
#[case::not_there("j j s", "The account does not have it: u uploads it")]
fn what_a_side_does_not_have_says_which_key_works(#[case] keys: &str, #[case] said: &str) {
    let mut world = compared();
    world.keys(keys);
    assert!(world.says(said), "{:?}", world.said());
}

#[test]
fn the_account_is_made_like_this_machine_by_a_plan_that_deletes_nothing_by_itself() {
    let mut world = compared();
    world.keys(">");
    let drawn = world.drawn();
    assert!(
        drawn.contains("keep") && drawn.contains("only there"),
        "{drawn}"
    );
    world.keys("enter");
    let kinds: Vec<JobKind> = jobs(&world).iter().map(Job::kind).collect();
    assert_eq!(kinds, [JobKind::Upload, JobKind::Replace]);
}

/// Marks every set of rows in turn. Seen to fail when a plan has all that was compared.
#[rstest]
fn a_plan_has_the_marked_rows_and_nothing_else(#[values(">", "<")] key: &str) {
    let all = rows(&compared());
    for set in 1_u32..1 << all.len() {
        let mut world = compared();
        let is_marked = |at: usize| set & (1 << at) != 0;
        for at in 0..all.len() {
            world.keys(if is_marked(at) { "space" } else { "j" });
        }
        world.keys(key);
        let Some(Dialog::Plan(plan)) = world.state.dialogs.last() else {
            continue;
        };
        let marked: Vec<&str> = (0..all.len())
            .filter(|at| is_marked(*at))
            .map(|at| all[at].trim_end_matches('/'))
            .collect();
        for row in plan.rows() {
            let name = row.name.split('/').next().unwrap_or_default();
            assert!(
                marked.contains(&name),
                "{set:b} {key}: {} is in the plan",
                row.name
            );
        }
    }
}

#[test]
fn a_plan_has_what_is_in_the_shown_folder_and_nothing_else() {
    let mut world = compared();
    world.keys("enter <");
    let Dialog::Plan(plan) = world.dialog() else {
        panic!("{:?}", world.dialog())
    };
    let names: Vec<&str> = plan.rows().iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["gone/x.txt"]);
    assert!(world.shows("/gone → "), "{}", world.drawn());
    world.keys("esc >");
    assert!(world.says("go up to it"), "{:?}", world.said());
}

#[test]
fn what_only_the_account_has_is_deleted_after_a_choice_and_a_question() {
    let mut world = compared();
    // The last row is one that only the account has.
    world.keys("> end right a enter");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!("{:?}", world.dialog())
    };
    assert_eq!(confirm.names, ["there.txt", "gone/"]);
    assert!(jobs(&world).is_empty(), "nothing is done before the answer");
    world.keys("esc");
    assert!(jobs(&world).is_empty());
    world.keys("> end right a enter y");
    let kinds = |jobs: &[Job]| jobs.iter().map(Job::kind).collect::<Vec<_>>();
    let brought = world.take_all();
    assert_eq!(
        kinds(&brought.jobs),
        [JobKind::Upload, JobKind::Replace],
        "nothing is deleted before all else is done"
    );
    world.succeed(&brought);
    assert_eq!(
        kinds(&world.take_all().jobs),
        [JobKind::Delete; 2],
        "in a batch of their own, which does not resume"
    );
}

#[test]
fn nothing_is_deleted_where_not_all_of_the_rest_succeeded() {
    let mut world = compared();
    world.keys("> end right a enter y");
    let brought = world.take_all();
    world.end(&brought, vec![Err(Error::new(Kind::Server, "no"))]);
    assert!(
        world.says("Nothing was deleted, because not all of the rest succeeded."),
        "{:?}",
        world.said()
    );
    assert!(jobs(&world).is_empty());
}

#[test]
fn a_range_and_inverted_marks_are_of_the_comparison_alone() {
    let mut world = compared();
    let marks = |world: &World| {
        let comparing = world.state.mode.comparing().unwrap();
        comparing.list.marks().iter().cloned().collect::<Vec<_>>()
    };
    world.keys("j v j");
    assert_eq!(marks(&world), rows(&world)[1..3]);
    world.keys("esc");
    assert_eq!(marks(&world).len(), 2, "the range ends, its marks stay");
    world.keys("*");
    assert_eq!(marks(&world).len(), rows(&world).len() - 2);
    world.keys("esc");
    assert!(marks(&world).is_empty());
    assert!(world.state.files.listing.marks.is_empty());
    assert!(world.state.mode.comparing().is_some());
}

#[test]
fn marks_are_of_the_folder_that_is_shown() {
    let mut world = compared();
    let marks = |world: &World| world.state.mode.comparing().unwrap().list.marks().len();
    world.keys("j space");
    assert_eq!(marks(&world), 1);
    world.keys("g g l");
    assert_eq!(
        (rows(&world), marks(&world)),
        (vec!["gone/x.txt".to_owned()], 0)
    );
}

#[test]
fn nothing_is_planned_from_what_changed_while_it_was_read_or_is_long_ago() {
    let mut world = compared();
    world.keys("> enter");
    let taken = world.take_all();
    world.keys("C");
    world.end(&taken, Vec::new());
    answer(&mut world);
    world.keys("<");
    assert!(world.state.dialogs.is_empty(), "{:?}", world.said());
    answer(&mut world);
    assert!(matches!(world.dialog(), Dialog::Plan(_)));
    let mut world = compared();
    world.wait(121_000);
    world.keys("<");
    assert!(world.state.dialogs.is_empty(), "{:?}", world.said());
    answer(&mut world);
    assert!(matches!(world.dialog(), Dialog::Plan(_)));
}

/// The rows that the answer of `found` has in a plan: for `>`, for `<`.
const PLANNED: [(&str, &[&str]); 2] = [
    (">", &["both.txt", "here.txt", "there.txt", "gone"]),
    ("<", &["both.txt", "gone/x.txt", "there.txt", "here.txt"]),
];

fn planned(world: &World) -> Vec<String> {
    let Some(Dialog::Plan(plan)) = world.state.dialogs.last() else {
        return Vec::new();
    };
    plan.rows().iter().map(|row| row.name.clone()).collect()
}

/// Two lists that were not compared, with the same files as `found`.
fn two_lists() -> World {
    let mut world = World::with_root(vec![
        Entry::Folder(folder("g", "/gone")),
        Entry::File(file("both.txt", "/both.txt", "PRIVATE", None)),
        Entry::File(file("same", "/same.txt", "PRIVATE", None)),
        Entry::File(file("there.txt", "/there.txt", "PRIVATE", None)),
    ])
    .plans_by_hand();
    world.keys("t");
    let names = ["both.txt", "here.txt", "same.txt"];
    local_side::list(&mut world, "/home/ada/work", &names);
    world
}

/// Marks every set of rows of both lists in turn. Seen to fail when the marks are not passed on.
#[rstest]
fn the_keys_of_a_plan_compare_two_lists_first_and_keep_to_their_marks(
    #[values(0, 1)] which: usize,
) {
    let (key, all) = PLANNED[which];
    let here = ["both.txt", "here.txt", "same.txt"];
    let there = ["gone", "both.txt", "same.txt", "there.txt"];
    for set in 0_u32..1 << (here.len() + there.len()) {
        let is_marked = |at: usize| set & (1 << at) != 0;
        let mut world = two_lists();
        let mut marked = Vec::new();
        for (at, name) in here.iter().chain(&there).enumerate() {
            if at == here.len() {
                world.keys("tab");
            }
            world.keys(if is_marked(at) { "space" } else { "j" });
            marked.extend(is_marked(at).then_some(*name));
        }
        world.keys(key);
        assert!(planned(&world).is_empty(), "nothing is known yet");
        answer(&mut world);
        let is_wanted = |name: &&&str| {
            let top = name.split('/').next().unwrap_or_default();
            set == 0 || marked.contains(&top)
        };
        let mut expected: Vec<&str> = all.iter().filter(is_wanted).copied().collect();
        let mut planned = planned(&world);
        expected.sort_unstable();
        planned.sort_unstable();
        let planned: Vec<&str> = planned
            .iter()
            .map(|name| name.trim_end_matches('/'))
            .collect();
        assert_eq!(planned, expected, "{key} {set:b}: {:?}", world.said());
    }
}

#[test]
fn no_plan_is_opened_where_a_marked_item_was_not_compared() {
    let mut world = two_lists();
    world.keys("h");
    local_side::list(&mut world, "/home/ada", &["notes.txt", "work/"]);
    world.keys("G space k l");
    local_side::list(&mut world, "/home/ada/work", &["both.txt"]);
    world.keys(">");
    answer(&mut world);
    assert!(
        planned(&world).is_empty() && world.says("Not all marked items"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_plan_does_not_open_under_keys_that_are_for_something_else() {
    let mut world = two_lists();
    world.keys("> ?");
    answer(&mut world);
    assert!(matches!(world.dialog(), Dialog::Help(_)));
    world.keys("esc >");
    assert!(matches!(world.dialog(), Dialog::Plan(_)));
}

#[test]
fn esc_leads_from_a_plan_back_to_where_its_key_was_pressed() {
    let mut world = two_lists();
    world.keys("space >");
    answer(&mut world);
    assert!(matches!(world.dialog(), Dialog::Plan(_)));
    world.keys("esc");
    assert!(world.state.mode.comparing().is_none());
    assert_eq!(world.state.local_side.marked().count(), 1);
    world.keys("C");
    answer(&mut world);
    world.keys("> esc");
    assert!(world.state.mode.comparing().is_some());
}

#[test]
fn the_keys_of_a_plan_need_two_lists() {
    let mut world = World::new();
    world.keys(">");
    assert!(
        world.asked_for(is_comparison).is_none() && world.says("This needs both lists: t shows"),
        "{:?}",
        world.said()
    );
}

#[test]
fn the_palette_leaves_the_comparison_for_what_works_on_the_list() {
    let mut world = compared();
    world.keys("ctrl-p");
    world.text("rename");
    world.keys("enter");
    assert!(
        world.state.mode.comparing().is_none(),
        "the row that it works on is seen"
    );
}

#[test]
fn this_machine_is_made_like_the_account_and_its_own_files_go_only_after_a_question() {
    let mut world = compared();
    world.keys("< enter");
    let saved = jobs(&world);
    assert!(
        saved.iter().all(|job| job.kind() == JobKind::Download),
        "{saved:?}"
    );
    let rooms: Vec<Room> = saved
        .iter()
        .filter_map(|job| {
            if let Job::Download { room, .. } = job {
                Some(*room)
            } else {
                None
            }
        })
        .collect();
    let over = |room: &Room| {
        matches!(
            room,
            Room::Over(LocalState {
                size: 9,
                modified: Some(_),
                ..
            })
        )
    };
    assert_eq!(
        rooms.iter().filter(|room| over(room)).count(),
        1,
        "what differs is replaced: {rooms:?}"
    );
    assert!(
        rooms.iter().all(|room| over(room) || *room == Room::Free),
        "no copies beside others: {rooms:?}"
    );
    let mut world = compared();
    world.keys("< end right enter");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!("{:?}", world.dialog())
    };
    assert_eq!(confirm.names, ["here.txt"]);
    world.keys("y");
    let brought = world.take_all();
    world.succeed(&brought);
    let local = jobs(&world)
        .into_iter()
        .find(|job| job.kind() == JobKind::DeleteLocal);
    let Some(Job::DeleteLocal { path, state, .. }) = local else {
        panic!("{local:?}")
    };
    assert!(path.ends_with("here.txt") && state.size == 5 && state.modified.is_some());
}

/// Hidden names at the top of the comparison and deeper, none of which the user has named.
#[rstest]
#[case::private("", &[".env", "here.txt", "in/.env"])]
#[case::public("tab right right", &["here.txt"])]
#[case::private_again("tab right right left left", &[".env", "here.txt", "in/.env"])]
fn hidden_files_of_a_comparison_are_published_only_where_that_is_chosen(
    #[case] keys: &str,
    #[case] sent: &[&str],
) {
    let mut world = opened(&["here.txt"]).plans_by_hand();
    world.keys("C");
    let op = world.asked(is_comparison);
    let mut found = FolderComparison::default();
    for path in [".env", "here.txt", "in/.env"] {
        found.entries.insert(
            path.to_owned(),
            entry(Some(here(path, 5)), None, Likeness::OnlyHere),
        );
    }
    world.done(op, Answer::CompareFolders(Box::new(found)));
    world.keys(">");
    world.keys(keys);
    world.keys("enter");
    let sent_paths = jobs(&world).into_iter().map(|job| match job {
        Job::Upload {
            source: FileSource::Local(local),
            ..
        } => local
            .strip_prefix("/home/ada/work")
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned(),
        other => panic!("{other:?}"),
    });
    let mut sent_paths: Vec<String> = sent_paths.collect();
    sent_paths.sort();
    assert_eq!(sent_paths, sent);
}

/// The form of its accents gives the folder a different name here.
#[test]
fn a_folder_of_a_comparison_is_where_this_machine_has_it() {
    let mut world = opened(&["x"]).plans_by_hand();
    world.keys("C");
    let op = world.asked(is_comparison);
    let (composed, apart) = ("Gr\u{f6}\u{df}e", "Gro\u{308}\u{df}e");
    let folder = Item {
        size: None,
        md5: None,
        ..item(folder_target("g"), &format!("/{composed}"))
    };
    let file = item(file_target("x"), &format!("/{composed}/x.txt"));
    let rows = [
        (
            composed.to_owned(),
            entry(Some(here(apart, 0)), Some(there(folder)), Likeness::Differs),
        ),
        (
            format!("{composed}/x.txt"),
            entry(None, Some(there(file)), Likeness::OnlyThere),
        ),
    ];
    let own = [(composed.to_owned(), apart.to_owned())].into();
    world.done(
        op,
        Answer::CompareFolders(Box::new(FolderComparison {
            entries: rows.into(),
            own,
            ..FolderComparison::default()
        })),
    );
    world.keys("l s");
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::PlanDownload(_)))
        .unwrap();
    let Request::PlanDownload(PlanDownload { into, .. }) = request else {
        panic!()
    };
    assert_eq!(into, std::path::Path::new("/home/ada/work").join(apart));
}

#[test]
fn after_a_plan_has_run_its_rows_are_compared_again_before_the_next_plan() {
    let mut world = compared();
    world.keys("> enter");
    let taken = world.take_all();
    assert!(
        world.shows("Changed since: C compares again"),
        "{}",
        world.drawn()
    );
    world.keys(">");
    assert!(
        world.state.dialogs.is_empty() && world.says("Tasks may still change these folders"),
        "{:?}",
        world.said()
    );
    world.end(&taken, vec![Err(Error::new(Kind::Server, "no"))]);
    assert!(!world.shows("Changed since"), "{}", world.drawn());
    assert!(rows(&world).len() > 1, "the rows stay while they are read");
    answer(&mut world);
    let compared = world
        .said()
        .iter()
        .filter(|it| it.contains("Compared"))
        .count();
    assert_eq!(
        compared,
        1,
        "only what a key asked for is said: {:?}",
        world.said()
    );
    world.keys(">");
    assert!(matches!(world.dialog(), Dialog::Plan(_)));
}

#[test]
fn it_is_left_when_another_folder_is_opened_and_refused_for_a_search() {
    let mut world = compared();
    world.keys("ctrl-p");
    world.text("go to /marketing");
    world.keys("enter");
    assert!(world.state.mode.comparing().is_none());
    world.list("/marketing", Vec::new(), None);
    world.keys("C");
    let (_, request) = world.asked_for(is_comparison).unwrap();
    let Request::CompareFolders(CompareFolders { remote, .. }) = request else {
        panic!()
    };
    assert_eq!(remote, place("m", "/marketing"));
    world.keys("esc tab F p C");
    assert!(
        world.says("Only a folder can be compared"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_read_only_account_is_compared_and_not_changed() {
    let mut world = compared();
    world.state.session.account.read_only = true;
    for key in ["u", ">"] {
        world.keys(key);
        assert!(
            world.state.dialogs.is_empty() && world.says("read-only"),
            "{key}: {:?}",
            world.said()
        );
    }
    world.keys("<");
    assert!(matches!(world.dialog(), Dialog::Plan(_)));
}

#[test]
fn the_md5_of_the_local_file_is_read_where_the_cursor_rests_and_given_up_when_it_moves_on() {
    let is_sum = |request: &Request| matches!(request, Request::SumLocalFile(_));
    let mut world = compared();
    world.keys("j");
    assert!(
        world.asked_for(is_sum).is_none(),
        "not where the cursor passes"
    );
    world.wait(400);
    let op = world.asked(is_sum);
    world.keys("j");
    assert!(world.cancelled.contains(&op));
    world.wait(400);
    let (op, request) = world.asked_for(is_sum).unwrap();
    assert_eq!(
        request,
        Request::SumLocalFile(SumLocalFile {
            path: "/home/ada/work/here.txt".into()
        })
    );
    world.done(
        op,
        Answer::SumLocalFile("900150983cd24fb0d6963f7d28e17f72".to_owned()),
    );
    assert!(world.shows("9001…7f72"), "{}", world.drawn());
    let count = world.count(is_sum);
    world.wait(60_000);
    assert_eq!(world.count(is_sum), count, "once is enough");
}

#[test]
fn numbers_in_names_are_sorted_by_their_value() {
    let mut world = opened(&["img10.png", "img2.png"]);
    world.keys("C");
    let op = world.asked(is_comparison);
    let entries = ["img10.png", "img2.png"].map(|name| {
        let only_here = entry(Some(here(name, 5)), None, Likeness::OnlyHere);
        (name.to_owned(), only_here)
    });
    let found = FolderComparison {
        entries: entries.into(),
        ..FolderComparison::default()
    };
    world.done(op, Answer::CompareFolders(Box::new(found)));
    assert_eq!(rows(&world), ["img2.png", "img10.png"]);
    world.keys(", n a t u r a l enter esc");
    assert_eq!(rows(&world), ["img10.png", "img2.png"]);
}

#[test]
fn a_key_that_does_not_suit_the_row_is_explained_until_the_next_one() {
    let mut world = compared();
    world.keys("j enter");
    let why = "Only folders can be opened here.";
    assert!(world.shows(why), "{}", world.drawn());
    world.keys("j");
    assert!(!world.shows(why), "{}", world.drawn());
}

#[test]
fn a_plan_shows_first_what_is_done_and_then_what_stays() {
    let mut world = compared();
    world.keys(">");
    let drawn = world.drawn();
    let line = |name: &str| drawn.lines().position(|line| line.contains(name));
    let order = ["both.txt", "here.txt", "there.txt"].map(line);
    assert!(order.is_sorted() && order[0].is_some(), "{order:?} {drawn}");
}
