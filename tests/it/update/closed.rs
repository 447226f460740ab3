//! A session closed while requests are open: nothing waits forever.

use filedeck::config::{AccountChange, Draft};
use filedeck::engine::text_file::EditedText;
use filedeck::engine::{Request, SessionId};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::own_accounts::{TOKEN, answer, changed, tried, with_own_acme};
use super::world::{World, acme, file_target, item};
use crate::support::limits;
use filedeck::engine::Answer;
use filedeck::engine::question::{FetchedText, ReadLimits};

const SECOND: SessionId = SessionId(2);
const WHY: &str = "The account was closed before the answer arrived.";

/// acme gets a new token, which has been tried; its dialog is closed while it is being saved.
fn being_kept() -> (World, Draft) {
    let mut world = with_own_acme().0.plans_by_hand();
    world.keys("@ A e");
    world.text(TOKEN);
    let draft = tried(&world.keys("enter"));
    answer(&mut world, &draft, Ok(()));
    world.keys("esc esc");
    assert!(world.state.dialogs.is_empty());
    (world, draft)
}

/// Completes the save: acme is opened again.
fn close(world: &mut World, draft: Draft) {
    let known = world.state.accounts.clone();
    let effects = changed(world, AccountChange::Keep(draft), known);
    assert_eq!(
        effects,
        [
            Effect::Close(SessionId::FIRST),
            Effect::Connect(SECOND, acme())
        ]
    );
}

fn closed_under(keys: &str) -> World {
    let (mut world, draft) = being_kept();
    world.keys(keys);
    close(&mut world, draft);
    world
}

#[test]
fn what_lies_in_folders_is_not_counted_for_good() {
    let world = closed_under("d");
    let Dialog::Confirm(confirm) = world.dialog() else {
        panic!()
    };
    let notes: Vec<_> = confirm.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, [format!("not counted: {WHY}")]);
}

#[rstest]
#[case::plan("u n o t e s enter")]
#[case::names("u n o t e s tab")]
#[case::replacement("j j R n e w . t x t enter")]
fn a_dialog_says_why_it_goes_no_further(#[case] keys: &str) {
    let mut world = closed_under(keys);
    let form = world
        .state
        .dialogs
        .last_mut()
        .and_then(|dialog| dialog.form_mut())
        .unwrap();
    assert_eq!(
        (form.problem.as_deref(), form.note.as_deref()),
        (Some(WHY), None)
    );
    world.keys("esc");
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn details_of_a_task_say_why_the_service_tells_nothing_of_it() {
    let (mut world, draft) = being_kept();
    world.shows_cancelled_import();
    world.wait(1_000);
    assert!(world.shows("reading …"), "{}", world.drawn());
    close(&mut world, draft);
    assert!(
        world.shows(WHY) && !world.shows("reading …"),
        "{}",
        world.drawn()
    );
    assert!(
        !world.says(WHY),
        "which rows are shown is asked for by the view: {:?}",
        world.said()
    );
}

#[test]
fn a_text_that_was_asked_for_is_told_of_and_does_not_stay_here() {
    let mut world = closed_under("j j E");
    assert!(
        world.says(&format!("a.txt cannot be edited: {WHY}")),
        "{:?}",
        world.said()
    );
    let late = world.asked(|request| matches!(request, Request::FetchText(_)));
    let path = "/tmp/filedeck-edit-x/a.txt";
    let file = item(file_target("1"), "/a.txt");
    let text = EditedText {
        file,
        path: path.into(),
        seen: "abc".to_owned(),
        at: world.state.now,
    };
    assert_eq!(
        world.done(late, Answer::FetchText(FetchedText::Fetched(text))),
        [Effect::Discard(path.into())]
    );
}

#[test]
fn what_may_have_come_into_the_queue_is_in_doubt() {
    let world = closed_under("j j d tab enter");
    let said = world.said().join(" ");
    assert!(
        said.contains("Deletion failed, ") && said.contains("The result is not known"),
        "{said}"
    );
    assert!(!world.is_busy(&file_target("1")));
}

#[test]
fn what_panes_read_by_themselves_is_not_told_of() {
    let world = closed_under("ctrl-r");
    let told = world.said();
    assert!(
        told.last()
            .is_some_and(|told| told.starts_with("Saved acme.")),
        "{told:?}"
    );
}

#[test]
fn an_account_that_cannot_be_opened_anew_is_not_read_for_good() {
    let mut world = closed_under("enter");
    assert!(world.state.is_moving(), "the folder is being read");
    world.send(Msg::Connected(
        SECOND,
        Err("the token file is not there".to_owned()),
    ));
    assert!(!world.state.is_moving());
    assert!(
        world.shows("/marketing could not be read."),
        "{}",
        world.drawn()
    );
    let told = world.said();
    assert!(
        told.last()
            .is_some_and(|told| told.starts_with("acme could not be opened")),
        "{told:?}"
    );
}

#[test]
fn the_end_of_reads_that_nobody_answers_asks_for_nothing_more() {
    let (mut world, draft) = being_kept();
    let (report, entries) = limits::account().into_iter().next().unwrap();
    let op = world.asked(|request| *request == Request::ReadLimits(ReadLimits(report.clone())));
    world.done(op, Answer::ReadLimits(entries));
    close(&mut world, draft);
    let effects = world.send(Msg::Connected(
        SECOND,
        Err("the token file is not there".to_owned()),
    ));
    assert_eq!(
        effects,
        [],
        "what was read of the limits would be kept once all reports have ended"
    );
}
