//! Responses that arrive late, wrong or after the user continued; and when the screen has to wake
//! by itself.

use filedeck::api::{Error, Kind};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::RequestBudget;
use filedeck::engine::{Event, OpId, Request, SessionId};
use filedeck::tui::message::Msg;
use filedeck::tui::state::MessageLevel;
use filedeck::tui::state::effect::Effect;
use jiff::SignedDuration;
use rstest::rstest;

use super::world::{World, not_found, root_entries};
use crate::support::changed::changed;
use filedeck::engine::Answer;
use filedeck::engine::question::{ListPage, Located};

#[test]
fn an_answer_that_nobody_waits_for_changes_nothing() {
    let mut world = World::new();
    let before = format!("{:?}", world.state);
    let effects = world.done(
        OpId {
            session: SessionId::FIRST,
            number: 9_999,
        },
        Answer::List(ListPage {
            entries: root_entries(),
            next: None,
        }),
    );
    assert_eq!(effects, Vec::<Effect>::new());
    assert_eq!(format!("{:?}", world.state), before);
}

#[test]
fn an_answer_of_the_wrong_sort_is_a_failure_and_no_panic() {
    let mut world = World::started();
    let op = world.listing_of("/");
    world.done(op, Answer::Locate(Located::Root));
    assert!(world.state.files.listing.problem().is_some());
}

#[test]
fn the_request_budget_is_kept() {
    let mut world = World::new();
    world.send(Msg::Engine(
        SessionId::FIRST,
        Event::Budget(RequestBudget {
            remaining: 96,
            max: 100,
        }),
    ));
    assert_eq!(
        world.state.session.budget,
        Some(RequestBudget {
            remaining: 96,
            max: 100
        })
    );
}

#[test]
fn an_idle_screen_wakes_once_a_minute_for_the_ages_that_it_shows() {
    let mut world = World::new();
    assert!(world.state.next_wake().is_some(), "reads are under way");
    world.answer_limits();
    let minute = world.state.next_wake().unwrap();
    assert_eq!(minute.as_second() % 60, 0, "{minute}");
    world.keys("p");
    let news = world.state.next_wake().unwrap();
    assert!(news < minute, "what is said is news for a while");
    world.send(Msg::Clock(news));
    assert_eq!(world.said(), Vec::<&str>::new());
    assert_eq!(world.state.next_wake(), Some(minute));
    world.send(Msg::Clock(minute));
    assert_eq!(
        world
            .state
            .next_wake()
            .map(|next| next.duration_since(minute).as_secs()),
        Some(60)
    );
}

#[test]
fn an_error_that_stands_in_its_pane_is_not_said_a_second_time() {
    let mut world = World::started();
    let op = world.listing_of("/");
    world.fail(op, not_found());
    world.fail_limits(&not_found());
    assert_eq!(world.said(), Vec::<&str>::new());
    assert_eq!(
        world.state.activity.len(),
        2,
        "the limits are one entry, however many reports there are"
    );
}

#[test]
fn an_error_behind_rows_that_stay_is_said_with_what_to_do_next() {
    let mut world = World::new();
    world.keys("ctrl-r");
    let op = world.listing_of("/");
    world.fail(op, Error::new(Kind::Timeout, "no answer"));
    assert!(
        world.says("/ could not be read: no answer. The service did not answer in time"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_clock_that_is_wrong_is_told_once_and_what_is_near_is_right() {
    let mut world = World::new();
    let clock = |world: &mut World, seconds| {
        let ahead = SignedDuration::from_secs(seconds);
        world.send(Msg::Engine(SessionId::FIRST, Event::Clock { ahead }));
    };
    clock(&mut world, 290);
    assert_eq!(world.said(), Vec::<&str>::new());
    assert_eq!(world.state.service_now().timestamp(), world.state.now);
    clock(&mut world, -7_200);
    clock(&mut world, -7_300);
    let said = "This machine's clock is 2:00:00 ahead of the service's. Ages and expiries use the service's clock.";
    assert_eq!(world.said(), [said]);
    assert_eq!(
        world.state.service_now().timestamp(),
        world.state.now - SignedDuration::from_secs(7_300)
    );
}

#[rstest]
#[case::names_of_this_machine(Ok(Answer::ListLocalFolder(Vec::new())), true)]
#[case::a_folder_that_is_not_there(Err(Error::new(Kind::Local, "Cannot read /home/ada")), true)]
#[case::the_service(Err(not_found()), false)]
fn a_loss_lasts_until_the_service_answers(
    #[case] answer: Result<Answer, Error>,
    #[case] is_lost: bool,
) {
    let mut world = World::new();
    world.keys("ctrl-r");
    let op = world.listing_of("/");
    world.fail(op, Error::new(Kind::DaySpent, "no more today"));
    world.keys("u");
    world.text("~/no");
    world.keys("tab");
    let op = world.asked(|request| matches!(request, Request::ListLocalFolder(_)));
    world.send(Msg::Engine(op.session, Event::Done { op, result: answer }));
    assert_eq!(world.shows("day limit"), is_lost, "{}", world.drawn());
}

#[test]
fn what_the_queue_takes_says_nothing_of_the_line() {
    let mut world = World::new();
    world.keys("ctrl-r");
    let op = world.listing_of("/");
    world.fail(op, Error::new(Kind::DaySpent, "no more today"));
    world.keys("G d right enter");
    world.take(JobKind::Delete);
    assert!(world.shows("day limit"), "{}", world.drawn());
}

#[test]
fn a_message_is_copied_with_its_correlation_id() {
    let mut world = World::new();
    let error = changed(Error::new(Kind::Server, "no luck"), |error| {
        error.correlation_id = Some("0f9c-12".to_owned());
    });
    world.state.say_failed("Upload failed, /a.txt", &error);
    world.state.say(MessageLevel::Info, "Saved a.txt");
    let copied = |effects: Vec<Effect>| match effects.as_slice() {
        [Effect::Copy(text)] => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(copied(world.keys("4 y")), "Saved a.txt");
    assert_eq!(
        copied(world.keys("j y")),
        "Upload failed, /a.txt: no luck\ncorrelation id 0f9c-12"
    );
    assert_eq!(
        world.state.activity.len(),
        2,
        "the confirmation is no message of its own"
    );
}
