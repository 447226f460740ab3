//! Texts that are edited: fetched, given to the editor, put back; never lost.

use filedeck::api::{Error, Kind};
use filedeck::config::Source;
use filedeck::engine::batch::BatchId;
use filedeck::engine::job::Verb;
use filedeck::engine::message::Settled;
use filedeck::engine::{Event, Job, Outcome, Request, SessionId};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::editor::Edit;
use filedeck::tui::message::{Effect, Msg};
use rstest::rstest;

use super::queue::Taken;
use super::world::{World, acme, file, file_target, item};
use crate::support::queue::{running, under_way, view};

const PATH: &str = "/tmp/filedeck-edit-x/a.txt";

fn edit() -> Edit {
    Edit {
        session: SessionId::FIRST,
        file: item(file_target("1"), "/a.txt"),
        path: PATH.into(),
        seen: "abc".to_owned(),
    }
}

fn fetched() -> Outcome {
    let file = Box::new(file("1", "/a.txt", "PUBLIC_INDEXABLE", None));
    Outcome::TextFetched { file, path: PATH.into(), md5: "abc".to_owned() }
}

/// `a.txt` is chosen and its text is asked for.
fn asked() -> (World, filedeck::engine::OpId) {
    let mut world = World::new();
    world.keys("j j E");
    let op = world.asked(|request| matches!(request, Request::FetchText { .. }));
    (world, op)
}

fn changed() -> (World, Taken) {
    let (mut world, op) = asked();
    assert_eq!(world.done(op, fetched()).first(), Some(&Effect::Edit(edit())));
    world.send(Msg::Edited(edit(), Ok(true)));
    let taken = world.take(Verb::Replace);
    (world, taken)
}

#[test]
fn a_text_is_replaced_in_place_when_it_was_changed() {
    let (mut world, taken) = changed();
    let expected = Job::Replace { local: PATH.into(), file: edit().file, seen: Some("abc".to_owned()), charset: None };
    assert_eq!(taken.jobs, [expected]);
    let effects = world.end_well(&taken, vec![Outcome::Replaced(Box::new(file("1", "/a.txt", "PRIVATE", None)))]);
    assert!(effects.contains(&Effect::Discard(PATH.into())), "{effects:?}");
}

// Seen to stay for good.
#[rstest]
#[case::at_work(true)]
#[case::closed(false)]
fn a_text_that_is_in_its_place_is_removed_whatever_account_is_on_the_screen(#[case] goes_on: bool) {
    let (mut world, taken) = changed();
    if goes_on {
        world.tell(view(&[running(taken.batch(), vec![under_way("a.txt")])], 9));
    }
    world.keys("@ D enter");
    world.connect(SessionId(2), Source::Demo);
    assert_eq!(world.state.away.len(), usize::from(goes_on));
    let effects = world.end_well(&taken, vec![Outcome::Replaced(Box::new(file("1", "/a.txt", "PRIVATE", None)))]);
    assert!(effects.contains(&Effect::Discard(PATH.into())), "{effects:?}");
}

#[rstest]
#[case::put_there_by_name(PATH, None)]
#[case::uploaded("/home/ada/a.txt", Some("abc"))]
fn a_file_of_the_users_own_stays(#[case] local: &str, #[case] seen: Option<&str>) {
    let mut world = World::new();
    let job = Job::Replace { local: local.into(), file: edit().file, seen: seen.map(str::to_owned), charset: None };
    let result = Ok(Outcome::Replaced(Box::new(file("1", "/a.txt", "PRIVATE", None))));
    let settled = vec![Settled { job, asked_at: world.state.now, result }];
    let effects = world.send(Msg::Engine(SessionId::FIRST, Event::Settled { batch: BatchId(1), settled }));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Discard(_))), "{effects:?}");
}

// Seen to stay for good.
#[test]
fn a_text_that_comes_after_its_account_was_left_is_removed() {
    let (mut world, op) = asked();
    world.keys("@ D enter");
    world.connect(SessionId(2), Source::Demo);
    assert_eq!(world.done(op, fetched()), [Effect::Discard(PATH.into())]);
}

#[test]
fn a_text_that_was_not_changed_is_not_sent() {
    let (mut world, op) = asked();
    world.done(op, fetched());
    assert_eq!(world.send(Msg::Edited(edit(), Ok(false))), [Effect::Discard(PATH.into())]);
    assert_eq!(world.count(|request| matches!(request, Request::Queue(_))), 0);
}

#[test]
fn the_text_stays_where_it_lies_when_the_editor_fails() {
    let (mut world, op) = asked();
    world.done(op, fetched());
    let effects = world.send(Msg::Edited(edit(), Err("the editor ended with exit status: 1".to_owned())));
    assert_eq!(effects, []);
    assert!(world.says(PATH) && world.says("exit status: 1"), "{:?}", world.said());
}

#[test]
fn the_text_stays_where_it_lies_when_it_cannot_be_put_back() {
    let (mut world, taken) = changed();
    let error = Error::new(Kind::Refused, "/a.txt has other content by now");
    let effects = world.end(&taken, vec![Err(error)]);
    assert!(!effects.contains(&Effect::Discard(PATH.into())));
    assert!(world.says(PATH) && world.says("other content"), "{:?}", world.said());
}

#[test]
fn the_editor_takes_the_keys_from_nobody() {
    let (mut world, op) = asked();
    world.keys("a");
    assert_eq!(world.done(op, fetched()).first(), Some(&Effect::Discard(PATH.into())));
    assert!(matches!(world.dialog(), Dialog::Prompt(_)));
}

#[rstest]
#[case::a_picture("j j j E", "texts of up to 1 MB")]
#[case::a_folder("E", "Only files")]
#[case::several("G space k space E", "One file at a time")]
fn what_is_no_text_is_not_fetched(#[case] keys: &str, #[case] words: &str) {
    let mut world = World::new();
    world.keys(keys);
    assert!(world.says(words), "{:?}", world.said());
    assert_eq!(world.count(|request| matches!(request, Request::FetchText { .. })), 0);
}

#[test]
fn a_read_only_account_refuses_before_the_editor_opens() {
    let mut world = World::new();
    world.state.desk.account.read_only = true;
    world.keys("j j E");
    assert!(world.says("read-only"), "{:?}", world.said());
    assert_eq!(world.count(|request| matches!(request, Request::FetchText { .. })), 0);
}

#[rstest]
#[case::closed(|world: &mut World| world.state.desk.is_closed = true, "acme is not open")]
#[case::read_only(|world: &mut World| world.state.desk.account.read_only = true, "acme is read-only")]
fn the_text_stays_where_it_lies_when_nothing_may_be_sent_by_now(#[case] change: fn(&mut World), #[case] words: &str) {
    let (mut world, op) = asked();
    world.done(op, fetched());
    change(&mut world);
    assert_eq!(world.send(Msg::Edited(edit(), Ok(true))), []);
    assert!(world.says(words) && world.says(&format!("The text stays at {PATH}.")), "{:?}", world.said());
}

#[test]
fn the_text_stays_where_it_lies_when_the_queue_does_not_take_it() {
    let (mut world, op) = asked();
    world.done(op, fetched());
    world.send(Msg::Edited(edit(), Ok(true)));
    let (op, _) = world.asked_jobs(Verb::Replace);
    world.send(Msg::Refused(op));
    assert!(world.says(PATH) && world.says("Too much is waiting"), "{:?}", world.said());
}

#[test]
fn a_text_of_an_account_that_was_left_stays_where_it_lies() {
    let (mut world, op) = asked();
    world.keys("@ D enter");
    world.done(op, fetched());
    world.connect(SessionId(2), Source::Demo);
    assert_eq!(world.state.desk.account.source, acme(), "not while the editor has the terminal");
    world.send(Msg::Edited(edit(), Ok(false)));
    assert_eq!(world.state.desk.account.source, Source::Demo);
    assert_eq!(world.send(Msg::Edited(edit(), Ok(true))), []);
    assert!(world.says(PATH) && world.says("Nothing was replaced"), "{:?}", world.said());
}
