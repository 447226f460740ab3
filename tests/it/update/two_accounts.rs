//! The lists of two accounts side by side.

use filedeck::api::model::{Access, File, UploadOptions};
use filedeck::api::{Error, Kind};
use filedeck::config::AccountSource;
use filedeck::engine::address_map::{AddressRow, ComparedBy, CopyState, FileAddress};
use filedeck::engine::batch::BatchId;
use filedeck::engine::folder_comparison::{
    ComparedEntry, EntryHere, FolderComparison, Likeness, RemoteEntry,
};
use filedeck::engine::message::{Entry, FolderRef};
use filedeck::engine::plan::{Existing, ExistingFile, PlanEvent, PlanRow};
use filedeck::engine::question::{
    CompareFolders, FolderHere, PlanCopy, ReadAddressMap, WriteExport,
};
use filedeck::engine::sending::IntoFolder;
use filedeck::engine::source::{FileSource, RemoteSource};
use filedeck::engine::{Answer, Event, Job, OpId, Request, SessionId};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::world::{World, acme, file, file_target, item};
use crate::support::queue::{ended, queued, view};

const SECOND: SessionId = SessionId(2);

/// acme on the left, and the demo on the right, which has the keys.
fn opened() -> World {
    let mut world = World::with_root(vec![Entry::File(file("1", "/a.txt", "PRIVATE", None))]);
    assert_eq!(
        world.keys("@ D tab"),
        [Effect::Connect(SECOND, AccountSource::Demo)]
    );
    let effects = world.connect(SECOND, AccountSource::Demo);
    assert!(!effects.contains(&Effect::Close(SessionId::FIRST)));
    let entries = vec![Entry::File(file("9", "/b.txt", "PRIVATE", None))];
    world.list("/", entries, None);
    world
}

fn is_copy(request: &Request) -> bool {
    matches!(request, Request::PlanCopy(_))
}

fn is_comparison(request: &Request) -> bool {
    matches!(request, Request::CompareFolders(_))
}

fn has_keys(world: &World, source: &AccountSource) -> bool {
    world.state.session.account.source == *source
}

#[test]
fn both_lists_are_shown_and_tab_gives_the_keys_to_the_other_one() {
    let mut world = opened();
    let shows_both = |world: &World| world.shows("a.txt") && world.shows("b.txt");
    assert!(shows_both(&world), "{}", world.drawn());
    assert_eq!(world.rows(), ["b.txt"]);
    let has_hints = |world: &World| {
        let hints = ["u  copy to demo", "s  copy to acme", ">  sync to demo"];
        hints.iter().all(|hint| world.shows(hint))
    };
    assert!(has_hints(&world), "{}", world.drawn());
    world.keys("tab");
    assert!(
        has_hints(&world),
        "they follow the places: {}",
        world.drawn()
    );
    assert_eq!(world.rows(), ["a.txt"]);
    assert!(has_keys(&world, &acme()) && shows_both(&world));
    let line = |name: &str| {
        let drawn = world.drawn();
        let line = drawn.lines().find(|line| line.contains(name)).unwrap();
        line.find(name).unwrap()
    };
    assert!(line("a.txt") < line("b.txt"), "each keeps its place");
    world.keys("tab");
    assert!(has_keys(&world, &AccountSource::Demo));
    let effects = world.keys("esc");
    assert!(effects.contains(&Effect::Close(SessionId::FIRST)));
    assert!(!world.shows("a.txt"), "{}", world.drawn());
}

/// The session that has the keys, and the one that an action changes.
fn sides(world: &World, keys: &str) -> (SessionId, SessionId) {
    let is_to_right = keys.ends_with(['u', '>']);
    let target = if is_to_right {
        SECOND
    } else {
        SessionId::FIRST
    };
    (world.state.session.id(), target)
}

/// Answers a plan of copies with one new file.
fn answer_plan(world: &mut World, op: OpId) {
    let file = RemoteEntry::of_file(&file("1", "/a.txt", "PRIVATE", None));
    let row = PlanRow::copy("acme https://api.example", &file, "a.txt".to_owned());
    for news in [
        PlanEvent::Into(FolderRef::root()),
        PlanEvent::Rows(vec![row]),
        PlanEvent::Complete { room: None },
    ] {
        world.send(Msg::Engine(op.session, Event::Plan { op, news }));
    }
}

#[rstest]
fn copies_go_to_the_side_that_the_key_names_and_the_keys_stay(
    #[values("", "tab ")] first: &str,
    #[values("u", "s")] key: &str,
    #[values("esc", "enter")] end: &str,
    #[values("", "tab")] meanwhile: &str,
) {
    let mut world = opened();
    world.keys(&format!("{first}{key}"));
    let (op, request) = world.asked_for(is_copy).unwrap();
    let (at, target) = sides(&world, key);
    let (source, id) = if target == SECOND {
        ("acme", "1")
    } else {
        ("demo", "9")
    };
    assert_eq!(op.session, target);
    let expected = PlanCopy {
        account: format!("{source} https://api.example"),
        targets: vec![file_target(id)],
        into: IntoFolder::Place(FolderRef::root()),
    };
    assert_eq!(request, Request::PlanCopy(expected));
    assert_eq!(at == SECOND, first.is_empty(), "the keys stay");

    if !meanwhile.is_empty() {
        world.keys(meanwhile);
    }
    let at = world.state.session.id();
    answer_plan(&mut world, op);
    assert!(world.shows("Copy 1 file"), "{}", world.drawn());
    let effects = world.keys(end);
    assert_eq!(world.state.session.id(), at, "the keys stay");
    let submitted: Vec<SessionId> = effects.iter().filter_map(jobs_of).collect();
    let expected = if end == "enter" {
        vec![target]
    } else {
        Vec::new()
    };
    assert_eq!(submitted, expected);
}

fn jobs_of(effect: &Effect) -> Option<SessionId> {
    match effect {
        Effect::Submit(op, Request::AddJobs(_)) => Some(op.session),
        _ => None,
    }
}

#[rstest]
fn a_plan_that_fails_names_the_target_and_the_keys_stay(
    #[values("", "tab ")] first: &str,
    #[values("u", "s")] key: &str,
) {
    let mut world = opened();
    world.keys(&format!("{first}{key}"));
    let (op, _) = world.asked_for(is_copy).unwrap();
    let (at, target) = sides(&world, key);
    world.fail(
        op,
        Error::new(Kind::Network, "The service cannot be reached."),
    );
    let source = if target == SECOND { "acme" } else { "demo" };
    let text = format!("Nothing was copied from {source}");
    assert!(world.says(&text), "{:?}", world.said());
    assert_eq!(world.state.session.id(), at);
    assert_eq!(at == SECOND, first.is_empty());
}

#[test]
fn help_and_palette_name_the_accounts_of_copies() {
    let mut world = opened();
    world.keys("?");
    for words in [
        "Copy from acme to demo",
        "Copy from demo to acme",
        "Close the other account's list",
    ] {
        assert!(world.shows(words), "{words}: {}", world.drawn());
    }
    world.keys("esc ctrl-p");
    world.text("copy from");
    for words in ["Copy from acme to demo", "Copy from demo to acme"] {
        assert!(world.shows(words), "{words}: {}", world.drawn());
    }
}

#[rstest]
#[case::copied("s")]
#[case::made_alike("<")]
fn nothing_is_changed_in_a_read_only_account(#[case] key: &str) {
    let mut world = opened();
    let other = &mut world.state.background_accounts[0];
    other.session.account.read_only = true;
    world.keys(key);
    assert!(world.says("read-only"), "{:?}", world.said());
    assert_eq!(world.asked_for(is_copy), None);
    assert_eq!(world.asked_for(is_comparison), None);
    assert!(has_keys(&world, &AccountSource::Demo));
    let target = if key == "s" { "u" } else { ">" };
    world.keys(target);
    assert!(
        world
            .asked_for(|it| is_copy(it) || is_comparison(it))
            .is_some()
    );
}

/// A comparison of acme with the demo, in which each side has a file of its own.
fn compared(world: &mut World) -> OpId {
    let (op, request) = world.asked_for(is_comparison).unwrap();
    assert_eq!(op.session, SECOND, "the right side compares");
    let Request::CompareFolders(CompareFolders { here, .. }) = request else {
        unreachable!()
    };
    let account = "acme https://api.example".to_owned();
    assert_eq!(
        here,
        FolderHere::Account(account.clone(), FolderRef::root())
    );
    let entry = |file: File| RemoteEntry::of_file(&file);
    let only_left = ComparedEntry {
        is_folder: false,
        here: Some(EntryHere::Account(Box::new(entry(file(
            "1", "/a.txt", "PRIVATE", None,
        ))))),
        there: None,
        likeness: Likeness::OnlyHere,
    };
    let only_right = ComparedEntry {
        is_folder: false,
        here: None,
        there: Some(entry(file("9", "/b.txt", "PRIVATE", None))),
        likeness: Likeness::OnlyThere,
    };
    let entries = [("a.txt", only_left), ("b.txt", only_right)];
    let comparison = FolderComparison {
        account: Some(account),
        entries: entries.map(|(path, entry)| (path.to_owned(), entry)).into(),
        ..FolderComparison::default()
    };
    world.done(op, Answer::CompareFolders(Box::new(comparison)));
    op
}

#[rstest]
fn a_comparison_copies_and_syncs_to_the_side_that_the_key_names(
    #[values("", "tab ")] first: &str,
    #[values("C", ">", "<")] start: &str,
    #[values(">", "<", "u", "s")] key: &str,
) {
    let mut world = opened();
    world.keys(&format!("{first}{start}"));
    compared(&mut world);
    if start != "C" {
        let (_, target) = sides(&world, start);
        assert_eq!(plan_of(&world), Some(target), "{}", world.drawn());
        world.keys("esc");
        assert!(world.state.mode.comparing().is_none());
        assert_eq!(world.state.session.id() == SECOND, first.is_empty());
        world.keys("C");
        compared(&mut world);
    }
    let (_, target) = sides(&world, key);
    if key == "s" {
        world.keys("j");
    }
    world.keys(key);
    if let "u" | "s" = key {
        let (op, request) = world.asked_for(is_copy).unwrap();
        let Request::PlanCopy(PlanCopy {
            account, targets, ..
        }) = request
        else {
            unreachable!()
        };
        let (source, id) = if key == "u" {
            ("acme", "1")
        } else {
            ("demo", "9")
        };
        assert_eq!(account, format!("{source} https://api.example"));
        assert_eq!((op.session, targets), (target, vec![file_target(id)]));
    } else {
        assert_eq!(plan_of(&world), Some(target), "{}", world.drawn());
        let (from, to) = if key == ">" {
            ("acme", "demo")
        } else {
            ("demo", "acme")
        };
        let accounts = format!("@{from}:/ → @{to}:/");
        assert!(world.shows(&accounts), "{accounts}: {}", world.drawn());
        let effects = world.keys("enter");
        let submitted: Vec<SessionId> = effects.iter().filter_map(jobs_of).collect();
        assert_eq!(submitted, [target]);
    }
    world.keys("esc");
    assert!(world.state.mode.comparing().is_none());
    assert!(
        world.shows("a.txt") && world.shows("b.txt"),
        "{}",
        world.drawn()
    );
    assert_eq!(
        world.state.session.id() == SECOND,
        first.is_empty(),
        "the keys are back"
    );
}

/// The session that the open plan is for.
fn plan_of(world: &World) -> Option<SessionId> {
    match world.state.dialogs.last() {
        Some(Dialog::Plan(plan)) => Some(plan.op.session),
        _ => None,
    }
}

// The question before deletions names both sides, and its jobs go to the account that was named.
#[rstest]
fn deletions_name_the_account_that_loses_files(#[values(">", "<")] key: &str) {
    let mut world = opened();
    world.state.session.account.production = true;
    world.keys("C");
    compared(&mut world);
    world.keys(key);
    world.keys("j l enter");
    let (from, to) = if key == ">" {
        ("acme", "demo")
    } else {
        ("demo", "acme")
    };
    let production = if key == ">" { " (production)" } else { "" };
    let title = format!("Delete 1 item from @{to}:/{production}");
    assert!(world.shows(&title), "{title}: {}", world.drawn());
    assert!(
        world.shows(&format!("@{from} does not have it")),
        "{}",
        world.drawn()
    );
    let (_, target) = sides(&world, key);
    let effects = world.keys("tab enter");
    let submitted: Vec<SessionId> = effects.iter().filter_map(jobs_of).collect();
    assert_eq!(submitted, [target], "{}", world.drawn());
}

#[test]
fn an_account_is_not_shown_beside_itself() {
    let mut world = World::new();
    world.keys("@ A tab");
    assert!(world.says("is on the screen"), "{:?}", world.said());
}

/// A copy from acme into the demo.
fn copy_of_a_file() -> Job {
    Job::Upload {
        source: FileSource::Remote(Box::new(RemoteSource {
            account: "acme https://api.example".to_owned(),
            file: item(file_target("1"), "/a.txt"),
            state: None,
        })),
        into: FolderRef::root(),
        name: None,
        options: UploadOptions::new(Access::Private).into(),
        present: false,
        free_at: None,
    }
}

// Seen on the screen: the palette deleted the row under the cursor of a list that the comparison
// covers, in the account that had the keys before.
#[test]
fn the_palette_acts_on_no_row_that_a_comparison_covers() {
    let mut world = opened();
    world.keys("C");
    compared(&mut world);
    world.keys("ctrl-p");
    world.text("delete");
    assert!(!world.shows("Delete  b.txt"), "{}", world.drawn());
    world.keys("enter");
    assert!(world.state.dialogs.is_empty(), "{}", world.drawn());
    assert!(world.state.mode.comparing().is_none());
}

#[rstest]
fn the_palette_names_the_row_that_is_copied(#[values("", "tab ")] first: &str) {
    let mut world = opened();
    world.keys(&format!("{first}ctrl-p"));
    // The first row, which enter performs, is about the row under the cursor.
    let own = if first.is_empty() {
        "Copy from demo to acme  b.txt"
    } else {
        "Copy from acme to demo  a.txt"
    };
    let drawn = world.drawn();
    let row = drawn
        .lines()
        .find(|line| line.contains("▐") && line.contains("Copy"));
    assert!(row.is_some_and(|row| row.contains(own)), "{own}: {drawn}");
    world.text("copy from");
    let line = |words: &str| {
        let drawn = world.drawn();
        drawn
            .lines()
            .find(|line| line.contains(words))
            .unwrap()
            .to_owned()
    };
    assert!(
        line("Copy from acme to demo").contains("a.txt"),
        "{}",
        world.drawn()
    );
    assert!(
        line("Copy from demo to acme").contains("b.txt"),
        "{}",
        world.drawn()
    );
}

// Seen on the screen: esc closed the other list while the plan was still being made.
#[rstest]
fn esc_cancels_a_plan_that_is_being_made(
    #[values("", "tab ")] first: &str,
    #[values("u", "s")] key: &str,
) {
    let mut world = opened();
    world.keys(&format!("{first}{key}"));
    let (op, _) = world.asked_for(is_copy).unwrap();
    let effects = world.keys("esc");
    assert!(effects.contains(&Effect::Cancel(op)), "{effects:?}");
    assert!(world.says("canceled"), "{:?}", world.said());
    assert!(world.state.mode.other_account().is_some());
    answer_plan(&mut world, op);
    assert!(world.state.dialogs.is_empty(), "{}", world.drawn());
}

#[test]
fn a_newer_file_is_replaced_only_if_that_is_chosen() {
    let mut world = opened();
    world.keys("u");
    let (op, _) = world.asked_for(is_copy).unwrap();
    let at = |at: &str| Some(at.parse().unwrap());
    let mut source = RemoteEntry::of_file(&file("1", "/a.txt", "PRIVATE", None));
    source.updated_at = at("2026-07-01T08:00:00Z");
    let mut there = RemoteEntry::of_file(&file("2", "/a.txt", "PRIVATE", None));
    there.updated_at = at("2026-07-02T08:00:00Z");
    let row = PlanRow::copy("acme https://api.example", &source, "a.txt".to_owned())
        .over(Existing::Other(ExistingFile::Remote(Box::new(there))));
    for news in [
        PlanEvent::Into(FolderRef::root()),
        PlanEvent::Rows(vec![row]),
        PlanEvent::Complete { room: None },
    ] {
        world.send(Msg::Engine(op.session, Event::Plan { op, news }));
    }
    assert!(
        world.shows("newer") && world.shows("Nothing to do"),
        "{}",
        world.drawn()
    );
    world.keys("l");
    assert!(world.shows("Replace 1 file"), "{}", world.drawn());
}

// The keys stay with the source, whose list of tasks has nothing of the copy.
#[test]
fn tab_shows_the_tasks_of_the_other_account() {
    let mut world = opened();
    let now = world.state.now;
    let batch = ended(queued(1, &[copy_of_a_file()], now), 1, 0, now);
    let queue = Event::Queue(Box::new(view(&[batch])));
    world.send(Msg::Engine(SECOND, queue));
    world.keys("tab 2");
    assert!(world.shows("Tasks · acme"), "{}", world.drawn());
    assert!(
        world.shows("demo has 1 task: tab shows its tasks."),
        "{}",
        world.drawn()
    );
    world.keys("tab");
    assert!(world.shows("Tasks · demo"), "{}", world.drawn());
    assert!(world.shows("Copy a.txt in @acme:/"), "{}", world.drawn());
}

fn file_address(account: &str, id: &str) -> FileAddress {
    FileAddress {
        account: account.to_owned(),
        id: id.to_owned(),
        path: format!("/{id}.txt"),
        address: Some(format!("https://{account}.example/{id}.txt")),
    }
}

#[test]
fn the_map_of_copies_is_written_once_they_have_ended() {
    let mut world = opened();
    let now = world.state.now;
    let batch = queued(1, &[copy_of_a_file()], now);
    let queue = |batch| Msg::Engine(SECOND, Event::Queue(Box::new(view(&[batch]))));
    world.send(queue(batch.clone()));
    world.keys("2 m");
    assert!(world.says("once the task has ended"), "{:?}", world.said());

    world.send(queue(ended(batch, 1, 0, now)));
    assert!(world.shows("address map"), "{}", world.drawn());
    world.keys("m");
    let op = world.asked(|request| {
        let (account, batch) = ("demo".to_owned(), BatchId(1));
        *request == Request::ReadAddressMap(ReadAddressMap { account, batch })
    });
    let row = AddressRow {
        source: file_address("acme", "1"),
        target: file_address("demo", "2"),
        state: CopyState::Copied,
        compared_by: ComparedBy::Md5,
    };
    world.done(op, Answer::ReadAddressMap(vec![row]));
    let (_, request) = world
        .asked_for(|it| matches!(it, Request::WriteExport(_)))
        .unwrap();
    let Request::WriteExport(WriteExport { name, text, .. }) = request else {
        panic!("{request:?}")
    };
    assert!(name.starts_with("addresses-demo-"), "{name}");
    let line = "acme,1,/1.txt,https://acme.example/1.txt,demo,2,/2.txt,https://demo.example/2.txt,copied,MD5";
    assert_eq!(text.lines().last(), Some(line));
}
