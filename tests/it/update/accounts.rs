//! Switching accounts while the program runs.

use filedeck::api::{Error, Kind};
use filedeck::config::AccountSource;
use filedeck::engine::batch::Hold;
use filedeck::engine::job::JobKind;
use filedeck::engine::message::{Entry, RequestBudget};
use filedeck::engine::{Event, Job, Outcome, Request, SessionId};
use filedeck::tui::message::{Connected, Msg};
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{Account, MessageLevel, View};
use jiff::SignedDuration;
use rstest::rstest;

use super::comparing;
use super::queue::Taken;
use super::world::{World, acme, file, root_entries, uploaded};
use crate::support::queue::{held, running, under_way, view};
use filedeck::engine::Answer;
use filedeck::engine::question::{ListPage, Locate};

const SECOND: SessionId = SessionId(2);

/// Chooses the account whose name begins with that letter; a capital letter is not a key there.
fn choose(world: &mut World, letter: char) -> Vec<Effect> {
    world.keys(&format!("@ {} enter", letter.to_ascii_uppercase()))
}

/// The demo, opened as the second session.
fn on_the_demo() -> World {
    let mut world = World::new();
    choose(&mut world, 'd');
    world.connect(SECOND, AccountSource::Demo);
    world
}

fn ask_for_an_upload(world: &mut World) {
    world.keys("u");
    world.text("notes.txt");
    world.keys("enter");
}

pub(super) fn upload(world: &mut World) -> Taken {
    ask_for_an_upload(world);
    let taken = world.take(JobKind::Upload);
    world.tell(view(&[running(
        taken.batch(),
        vec![under_way("notes.txt")],
    )]));
    taken
}

/// The demo, while an upload to acme continues.
fn with_an_upload_left() -> (World, Taken) {
    let mut world = World::new();
    let taken = upload(&mut world);
    choose(&mut world, 'd');
    world.connect(SECOND, AccountSource::Demo);
    (world, taken)
}

/// Reports that the queue has no running tasks anymore.
fn at_rest(world: &mut World) -> Vec<Effect> {
    world.send(Msg::Engine(SessionId::FIRST, Event::Queue(Box::default())))
}

#[test]
fn the_present_account_stays_until_the_other_one_is_open() {
    let mut world = World::new();
    assert_eq!(
        choose(&mut world, 'd'),
        [Effect::Connect(SECOND, AccountSource::Demo)]
    );
    assert_eq!(world.state.session.account.source, acme());
    assert_eq!(world.rows().len(), root_entries().len());
    world.keys("2");
    let effects = world.connect(SECOND, AccountSource::Demo);
    assert_eq!(world.state.session.account.source, AccountSource::Demo);
    assert_eq!(world.state.view, View::Files);
    assert_eq!(world.rows(), Vec::<&str>::new());
    assert_eq!(
        effects[0],
        Effect::Close(SessionId::FIRST),
        "nothing goes on there"
    );
    let (kept, asked): (Vec<_>, Vec<_>) = effects[1..]
        .iter()
        .partition(|it| matches!(it, Effect::RememberAccount(_)));
    assert_eq!(kept, [&Effect::RememberAccount(AccountSource::Demo)]);
    let of_second =
        |effect: &&Effect| matches!(effect, Effect::Submit(op, _) if op.session == SECOND);
    assert!(asked.iter().all(of_second), "{effects:?}");
    world.list(
        "/",
        vec![Entry::File(file("9", "/of-the-demo.txt", "PRIVATE", None))],
        None,
    );
    assert_eq!(world.rows(), ["of-the-demo.txt"]);
}

#[rstest]
fn what_was_said_of_the_old_account_does_not_stand_under_the_new_one(
    #[values(MessageLevel::Info, MessageLevel::Warn, MessageLevel::Error)] level: MessageLevel,
) {
    let mut world = World::new();
    choose(&mut world, 'd');
    world
        .state
        .say(level, "/ could not be read: no valid token");
    world.connect(SECOND, AccountSource::Demo);
    assert_eq!(world.state.status.message(), None);
    assert!(
        world
            .state
            .activity
            .iter()
            .any(|entry| entry.text.contains("no valid token"))
    );
}

#[test]
fn a_warning_about_the_new_account_stays_once_it_is_open() {
    let mut world = World::new();
    choose(&mut world, 'd');
    world.keys("?");
    let account = Account {
        journal_name: String::new(),
        source: AccountSource::Demo,
        ..world.state.session.account.clone()
    };
    let warnings = vec!["The clock of the demo is wrong.".to_owned()];
    world.send(Msg::Connected(SECOND, Ok(Connected { account, warnings })));
    world.keys("esc");
    assert_eq!(world.state.session.account.source, AccountSource::Demo);
    let message = world.state.status.message();
    assert_eq!(message.unwrap().text, "The clock of the demo is wrong.");
}

/// Types a path into "Go to".
fn go_to(world: &mut World, path: &str) -> Vec<Effect> {
    world.keys("g p ctrl-u");
    world.text(path);
    world.keys("enter")
}

fn locates(path: &str) -> impl Fn(&Request) -> bool {
    move |request| matches!(request, Request::Locate(Locate::Path(asked)) if asked == path)
}

#[test]
fn a_path_may_be_of_another_account() {
    let mut world = World::new();
    let effects = go_to(&mut world, "@demo:/brand/logo.png");
    assert_eq!(effects[0], Effect::Connect(SECOND, AccountSource::Demo));
    assert_eq!(world.asked_for(locates("/brand/logo.png")), None);
    world.connect(SECOND, AccountSource::Demo);
    assert_eq!(world.state.session.account.source, AccountSource::Demo);
    let (op, _) = world.asked_for(locates("/brand/logo.png")).unwrap();
    assert_eq!(op.session, SECOND);
}

#[test]
fn a_path_of_the_present_account_switches_nothing() {
    let mut world = World::new();
    let effects = go_to(&mut world, "@acme:/brand");
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Connect(..)))
    );
    let (op, _) = world.asked_for(locates("/brand")).unwrap();
    assert_eq!(op.session, SessionId::FIRST);
}

#[test]
fn a_path_of_an_unknown_account_names_it() {
    let mut world = World::new();
    let effects = go_to(&mut world, "@nobody:/brand");
    let is_kept = |effect: &Effect| matches!(effect, Effect::SaveFavorites(..));
    assert!(effects.iter().all(is_kept), "{effects:?}");
    assert!(
        world.says("No account is named nobody."),
        "{}",
        world.drawn()
    );
}

#[test]
fn a_late_answer_of_the_old_account_changes_nothing() {
    let mut world = World::new();
    world.keys("ctrl-r");
    let late = world.listing_of("/");
    choose(&mut world, 'd');
    world.connect(SECOND, AccountSource::Demo);
    let before = format!("{:?}", world.state);
    assert_eq!(
        world.done(
            late,
            Answer::List(ListPage {
                entries: root_entries(),
                next: None
            })
        ),
        []
    );
    let budget = Event::Budget(RequestBudget {
        remaining: 1,
        max: 100,
    });
    assert_eq!(world.send(Msg::Engine(SessionId::FIRST, budget)), []);
    assert_eq!(world.send(Msg::Refused(late)), []);
    assert_eq!(format!("{:?}", world.state), before);
}

#[test]
fn the_services_clock_is_known_when_one_comes_back() {
    let clock = |world: &mut World, hours| {
        world.send(Msg::Engine(
            SessionId::FIRST,
            Event::Clock {
                ahead: SignedDuration::from_hours(hours),
            },
        ));
    };
    let mut world = World::new();
    upload(&mut world);
    clock(&mut world, -2);
    choose(&mut world, 'd');
    world.connect(SECOND, AccountSource::Demo);
    assert_eq!(
        world.state.service_now().timestamp(),
        world.state.now,
        "that of the demo is right"
    );
    choose(&mut world, 'a');
    assert_eq!(
        world.state.service_now().timestamp(),
        world.state.now - SignedDuration::from_hours(2)
    );
    choose(&mut world, 'd');
    world.connect(SessionId(3), AccountSource::Demo);
    clock(&mut world, -5);
    choose(&mut world, 'a');
    assert_eq!(
        world.state.service_now().timestamp(),
        world.state.now - SignedDuration::from_hours(5),
        "it was set meanwhile"
    );
}

#[test]
fn an_account_that_cannot_be_opened_leaves_the_present_one() {
    let mut world = World::new();
    choose(&mut world, 'b');
    assert_eq!(
        world.send(Msg::Connected(
            SECOND,
            Err("another filedeck holds it; end it".to_owned())
        )),
        []
    );
    assert_eq!(world.state.session.account.source, acme());
    assert_eq!(world.rows().len(), root_entries().len());
    assert!(
        world.says("built-in store could not be opened: another filedeck holds it; end it"),
        "{:?}",
        world.said()
    );
    assert_eq!(
        choose(&mut world, 'b'),
        [Effect::Connect(SessionId(3), AccountSource::LocalStore)],
        "it can be tried again"
    );
}

#[test]
fn esc_stays_where_one_is_and_what_opens_later_is_closed() {
    let mut world = World::new();
    choose(&mut world, 'd');
    assert_eq!(world.keys("esc"), []);
    assert_eq!(
        world.connect(SECOND, AccountSource::Demo),
        [Effect::Close(SECOND)]
    );
    assert_eq!(world.state.session.account.source, acme());
}

#[test]
fn the_last_choice_holds() {
    let mut world = World::new();
    choose(&mut world, 'd');
    assert_eq!(choose(&mut world, 'd'), [], "it is on its way");
    assert_eq!(
        choose(&mut world, 'b'),
        [Effect::Connect(SessionId(3), AccountSource::LocalStore)]
    );
    assert_eq!(
        world.connect(SECOND, AccountSource::Demo),
        [Effect::Close(SECOND)]
    );
    assert_eq!(choose(&mut world, 'a'), [], "the present one");
    assert_eq!(
        world.connect(SessionId(3), AccountSource::LocalStore),
        [Effect::Close(SessionId(3))]
    );
    assert_eq!(world.state.session.account.source, acme());
}

#[test]
fn what_is_being_typed_is_not_cut_off() {
    let mut world = World::new();
    choose(&mut world, 'd');
    world.keys("a");
    world.text("inv");
    assert_eq!(world.connect(SECOND, AccountSource::Demo), []);
    world.text("oices");
    let effects = world.keys("enter");
    assert!(
        matches!(&effects[0], Effect::Submit(op, Request::AddJobs(_)) if op.session == SessionId::FIRST),
        "{effects:?}"
    );
    assert_eq!(world.state.session.account.source, AccountSource::Demo);
}

#[test]
fn tasks_of_the_old_account_go_on_and_tell_how_they_end() {
    let (mut world, taken) = with_an_upload_left();
    assert!(world.says("acme: 1 task continues."), "{:?}", world.said());
    assert!(world.state.next_wake().is_some());
    world.keys("q");
    assert_eq!(world.state.dialogs.len(), 1, "quitting asks");
    world.keys("esc");
    world.end_well(
        &taken,
        vec![uploaded(file("4", "/notes.txt", "PRIVATE", None))],
    );
    assert!(
        world.says("acme: Uploaded /notes.txt"),
        "{:?}",
        world.said()
    );
    assert_eq!(at_rest(&mut world), [Effect::Close(SessionId::FIRST)]);
    assert_eq!(world.rows(), Vec::<&str>::new());
}

#[test]
fn a_task_of_the_old_account_that_fails_is_in_the_log_with_its_error() {
    let (mut world, taken) = with_an_upload_left();
    world.end(&taken, vec![Err(Error::new(Kind::Timeout, "no answer"))]);
    assert!(
        world.says("acme: Upload failed, notes.txt → /: no answer."),
        "{:?}",
        world.said()
    );
    world.keys("4 G enter");
    assert_eq!(world.state.dialogs.len(), 1);
}

#[test]
fn a_task_of_the_old_account_that_has_to_wait_says_why() {
    let (mut world, taken) = with_an_upload_left();
    let hold = |error, until| view(&[held(taken.batch(), Hold::Cause { error, until })]);
    let soon = world.state.now + SignedDuration::from_mins(5);
    let unreachable = Error::new(Kind::Unreachable, "No line.");
    world.tell(hold(unreachable.clone(), Some(soon)));
    assert!(
        world.says("acme: Upload waits until 08:05 and continues then, notes.txt → /: No line."),
        "{:?}",
        world.said()
    );
    let count = world.said().len();
    world.tell(hold(unreachable, Some(soon)));
    assert_eq!(world.said().len(), count, "said once");
    assert_eq!(world.state.live_tasks(), 1, "it goes on by itself");
    world.tell(hold(
        Error::new(Kind::Unauthorized, "The token has expired."),
        None,
    ));
    assert!(
        world.says("acme: Upload waits, notes.txt → /: The token has expired."),
        "{:?}",
        world.said()
    );
    assert_eq!(
        world.state.live_tasks(),
        0,
        "it waits for a key, and the session is closed"
    );
}

#[test]
fn going_back_takes_up_the_session_that_still_works() {
    let (mut world, taken) = with_an_upload_left();
    let effects = choose(&mut world, 'a');
    assert!(!effects.contains(&Effect::Close(SECOND)), "it has files");
    assert!(
        effects.contains(&Effect::RememberAccount(acme())),
        "the next start goes there"
    );
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Connect(..))),
        "{effects:?}"
    );
    assert_eq!(world.state.session.account.source, acme());
    world.list("/", root_entries(), None);
    assert_eq!(world.state.session.tasks.current()[0].id, taken.id);
    world.end_well(
        &taken,
        vec![uploaded(file("4", "/notes.txt", "PRIVATE", None))],
    );
    assert!(world.rows().contains(&"notes.txt"));
    assert_eq!(
        world.said(),
        ["acme: 1 task continues.", "Uploaded /notes.txt"]
    );
}

#[test]
fn an_account_that_the_user_returns_to_is_as_it_was_left() {
    let mut world = World::new();
    let taken = upload(&mut world);
    world.keys("l");
    world.list(
        "/marketing",
        vec![Entry::File(file("8", "/marketing/a.png", "PRIVATE", None))],
        None,
    );
    choose(&mut world, 'd');
    world.connect(SECOND, AccountSource::Demo);
    world.end_well(
        &taken,
        vec![uploaded(file("4", "/notes.txt", "PRIVATE", None))],
    );
    choose(&mut world, 'a');
    world.list(
        "/marketing",
        vec![Entry::File(file("8", "/marketing/a.png", "PRIVATE", None))],
        None,
    );
    assert_eq!(world.rows(), ["a.png"]);
    world.keys("H");
    world.list("/", root_entries(), None);
    assert_eq!(world.here(), "marketing", "the history is its own");
}

#[test]
fn deletions_of_the_old_account_follow_what_they_wait_for() {
    let mut world = comparing::compared();
    world.keys("> end right a enter y");
    let brought = world.take_all();
    world.tell(view(&[running(brought.batch(), Vec::new())]));
    choose(&mut world, 'd');
    world.connect(SECOND, AccountSource::Demo);
    world.succeed(&brought);
    let (op, _) = world
        .asked_for(|request| matches!(request, Request::AddJobs(_)))
        .unwrap();
    assert_eq!(op.session, SessionId::FIRST);
    let deletions = world.take_all();
    let mut kinds = deletions.jobs.iter().map(Job::kind);
    assert!(kinds.all(|kind| kind == JobKind::Delete));
}

#[test]
fn what_an_account_would_lose_keeps_it_open() {
    let mut world = World::new();
    world.keys("j j r x enter");
    let taken = world.take(JobKind::Rename);
    let mut renamed = file("1", "/ax.txt", "PUBLIC_INDEXABLE", None);
    renamed.updated_at = Some(world.state.now);
    world.end_well(&taken, vec![Outcome::FileUpdated(Box::new(renamed))]);
    choose(&mut world, 'd');
    world.connect(SECOND, AccountSource::Demo);
    assert!(!world.keys("q").is_empty(), "nothing is running");
    let effects = choose(&mut world, 'a');
    let closed = |effect: &Effect| matches!(effect, Effect::Close(_) | Effect::Connect(..));
    assert!(!effects.iter().any(closed), "{effects:?}");
    world.list("/", root_entries(), None);
    world.keys("U");
    assert_eq!(world.take(JobKind::Rename).jobs.len(), 1);
}

#[test]
fn what_was_asked_for_just_before_is_not_lost() {
    let mut world = World::new();
    ask_for_an_upload(&mut world);
    choose(&mut world, 'd');
    assert!(
        !world
            .connect(SECOND, AccountSource::Demo)
            .contains(&Effect::Close(SessionId::FIRST))
    );
    assert_eq!(at_rest(&mut world), [], "the queue has not taken it yet");
    world.take(JobKind::Upload);
    assert_eq!(at_rest(&mut world), [Effect::Close(SessionId::FIRST)]);
}

#[test]
fn a_session_without_tasks_is_opened_anew() {
    let mut world = on_the_demo();
    assert_eq!(
        choose(&mut world, 'a'),
        [Effect::Connect(SessionId(3), acme())]
    );
}

#[test]
fn reads_of_the_old_account_are_not_waited_for() {
    let mut world = World::new();
    upload(&mut world);
    world.keys("ctrl-r");
    let read = world.listing_of("/");
    choose(&mut world, 'd');
    let effects = world.connect(SECOND, AccountSource::Demo);
    assert!(effects.contains(&Effect::Cancel(read)), "{effects:?}");
}

#[test]
fn what_was_cut_is_not_moved_into_another_account() {
    let mut world = World::new();
    world.keys("G x");
    assert!(world.state.session.cut.is_some());
    choose(&mut world, 'd');
    world.connect(SECOND, AccountSource::Demo);
    assert!(world.state.session.cut.is_none());
}
