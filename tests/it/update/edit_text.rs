//! Edited texts: fetched, opened in the editor, uploaded; never lost.

use filedeck::api::{Error, Kind};
use filedeck::config::AccountSource;
use filedeck::engine::batch::BatchId;
use filedeck::engine::job::JobKind;
use filedeck::engine::message::Settled;
use filedeck::engine::source::FileSource;
use filedeck::engine::text_file::{EditedText, UnsavedEdits};
use filedeck::engine::{Event, Job, Outcome, Request, SessionId};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::terminal::editor::Edit;
use rstest::rstest;

use super::queue::Taken;
use super::world::{World, acme, file, file_target, item};
use crate::support::queue::{running, under_way, view};
use filedeck::engine::Answer;
use filedeck::engine::question::{FetchText, FetchedText, ListUnsavedEdits, TakeText};

const PATH: &str = "/tmp/filedeck-edit-x/a.txt";

fn text_at(path: &str) -> EditedText {
    let at = "2026-11-20T08:00:00Z".parse().unwrap();
    EditedText {
        file: item(file_target("1"), "/a.txt"),
        path: path.into(),
        seen: "abc".to_owned(),
        at,
    }
}

fn edit() -> Edit {
    Edit {
        session: SessionId::FIRST,
        text: text_at(PATH),
    }
}

fn fetched() -> Answer {
    Answer::FetchText(FetchedText::Fetched(text_at(PATH)))
}

/// A world where the text of `a.txt` has been requested.
fn asked() -> (World, filedeck::engine::OpId) {
    let mut world = World::new();
    world.keys("j j E");
    let op = world.asked(|request| matches!(request, Request::FetchText(_)));
    (world, op)
}

fn changed() -> (World, Taken) {
    let (mut world, op) = asked();
    assert_eq!(
        world.done(op, fetched()).first(),
        Some(&Effect::Edit(edit()))
    );
    world.send(Msg::Edited(edit(), Ok(true)));
    let taken = world.take(JobKind::Replace);
    (world, taken)
}

#[test]
fn a_text_is_replaced_in_place_when_it_was_changed() {
    let (mut world, taken) = changed();
    let expected = Job::Replace {
        source: FileSource::Local(PATH.into()),
        file: edit().text.file,
        seen: Some("abc".to_owned()),
        charset: None,
        access: None,
    };
    assert_eq!(taken.jobs, [expected]);
    let effects = world.end_well(
        &taken,
        vec![Outcome::Replaced(Box::new(file(
            "1", "/a.txt", "PRIVATE", None,
        )))],
    );
    assert!(
        effects.contains(&Effect::Discard(PATH.into())),
        "{effects:?}"
    );
}

// Seen to stay forever.
#[rstest]
#[case::at_work(true)]
#[case::closed(false)]
fn a_text_that_is_in_its_place_is_removed_whatever_account_is_on_the_screen(#[case] goes_on: bool) {
    let (mut world, taken) = changed();
    if goes_on {
        world.tell(view(&[running(taken.batch(), vec![under_way("a.txt")])]));
    }
    world.keys("@ D enter");
    world.connect(SessionId(2), AccountSource::Demo);
    assert_eq!(world.state.background_accounts.len(), usize::from(goes_on));
    let effects = world.end_well(
        &taken,
        vec![Outcome::Replaced(Box::new(file(
            "1", "/a.txt", "PRIVATE", None,
        )))],
    );
    assert!(
        effects.contains(&Effect::Discard(PATH.into())),
        "{effects:?}"
    );
}

#[rstest]
#[case::put_there_by_name(PATH, None)]
#[case::uploaded("/home/ada/a.txt", Some("abc"))]
fn a_file_of_the_users_own_stays(#[case] local: &str, #[case] seen: Option<&str>) {
    let mut world = World::new();
    let job = Job::Replace {
        source: FileSource::Local(local.into()),
        file: edit().text.file,
        seen: seen.map(str::to_owned),
        charset: None,
        access: None,
    };
    let result = Ok(Outcome::Replaced(Box::new(file(
        "1", "/a.txt", "PRIVATE", None,
    ))));
    let settled = vec![Settled {
        job,
        asked_at: world.state.now,
        result,
    }];
    let effects = world.send(Msg::Engine(
        SessionId::FIRST,
        Event::Settled {
            batch: BatchId(1),
            settled,
        },
    ));
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Discard(_))),
        "{effects:?}"
    );
}

// Seen to stay forever.
#[test]
fn a_text_that_comes_after_its_account_was_left_is_removed() {
    let (mut world, op) = asked();
    world.keys("@ D enter");
    world.connect(SessionId(2), AccountSource::Demo);
    assert_eq!(world.done(op, fetched()), [Effect::Discard(PATH.into())]);
}

#[test]
fn a_text_that_was_not_changed_is_not_sent() {
    let (mut world, op) = asked();
    world.done(op, fetched());
    assert_eq!(
        world.send(Msg::Edited(edit(), Ok(false))),
        [Effect::Discard(PATH.into())]
    );
    assert_eq!(
        world.count(|request| matches!(request, Request::AddJobs(_))),
        0
    );
}

#[test]
fn the_text_stays_where_it_lies_when_the_editor_fails() {
    let (mut world, op) = asked();
    world.done(op, fetched());
    let effects = world.send(Msg::Edited(
        edit(),
        Err("the editor ended with exit status: 1".to_owned()),
    ));
    assert_eq!(effects, []);
    assert!(
        world.says(PATH) && world.says("exit status: 1"),
        "{:?}",
        world.said()
    );
}

#[test]
fn the_text_stays_where_it_lies_when_it_cannot_be_put_back() {
    let (mut world, taken) = changed();
    let error = Error::new(Kind::Refused, "/a.txt has other content by now");
    let effects = world.end(&taken, vec![Err(error)]);
    assert!(!effects.contains(&Effect::Discard(PATH.into())));
    assert!(
        world.says(PATH) && world.says("other content"),
        "{:?}",
        world.said()
    );
}

#[test]
fn the_editor_takes_the_keys_from_nobody() {
    let (mut world, op) = asked();
    world.keys("a");
    assert_eq!(
        world.done(op, fetched()).first(),
        Some(&Effect::Discard(PATH.into()))
    );
    assert!(matches!(world.dialog(), Dialog::Prompt(_)));
}

#[rstest]
#[case::a_picture("j j j E", "only text files up to 1 MB")]
#[case::a_folder("E", "Only files")]
#[case::several("G space k space E", "One file at a time")]
fn what_is_no_text_is_not_fetched(#[case] keys: &str, #[case] words: &str) {
    let mut world = World::new();
    world.keys(keys);
    assert!(world.says(words), "{:?}", world.said());
    assert_eq!(
        world.count(|request| matches!(request, Request::FetchText(_))),
        0
    );
}

#[test]
fn a_read_only_account_refuses_before_the_editor_opens() {
    let mut world = World::new();
    world.state.session.account.read_only = true;
    world.keys("j j E");
    assert!(world.says("read-only"), "{:?}", world.said());
    assert_eq!(
        world.count(|request| matches!(request, Request::FetchText(_))),
        0
    );
}

#[rstest]
#[case::closed(|world: &mut World| world.state.session.is_closed = true, "acme is not open")]
#[case::read_only(|world: &mut World| world.state.session.account.read_only = true, "acme is read-only")]
fn the_text_stays_where_it_lies_when_nothing_may_be_sent_by_now(
    #[case] change: fn(&mut World),
    #[case] words: &str,
) {
    let (mut world, op) = asked();
    world.done(op, fetched());
    change(&mut world);
    assert_eq!(world.send(Msg::Edited(edit(), Ok(true))), []);
    assert!(
        world.says(words) && world.says(&format!("The text stays at {PATH}.")),
        "{:?}",
        world.said()
    );
}

#[test]
fn the_text_stays_where_it_lies_when_the_queue_does_not_take_it() {
    let (mut world, op) = asked();
    world.done(op, fetched());
    world.send(Msg::Edited(edit(), Ok(true)));
    let (op, _) = world.asked_jobs(JobKind::Replace);
    world.send(Msg::Refused(op));
    assert!(
        world.says(PATH) && world.says("Too many requests are waiting"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_text_of_an_account_that_was_left_stays_where_it_lies() {
    let (mut world, op) = asked();
    world.keys("@ D enter");
    world.done(op, fetched());
    world.connect(SessionId(2), AccountSource::Demo);
    assert_eq!(
        world.state.session.account.source,
        acme(),
        "not while the editor has the terminal"
    );
    world.send(Msg::Edited(edit(), Ok(false)));
    assert_eq!(world.state.session.account.source, AccountSource::Demo);
    assert_eq!(world.send(Msg::Edited(edit(), Ok(true))), []);
    assert!(
        world.says(PATH) && world.says("Nothing was replaced"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_text_that_is_on_its_way_is_not_asked_for_again() {
    let (mut world, _) = asked();
    world.keys("E");
    assert_eq!(
        world.count(|request| matches!(request, Request::FetchText(_))),
        1
    );
}

/// Beside the journal, where the next run finds it.
const KEPT: &str = "/state/edits/filedeck-edit-y/a.txt";

/// Reports texts left by earlier runs, and others that have been removed.
fn left(world: &mut World, texts: &[&str], removed: &[&str]) {
    let all = |paths: &[&str]| paths.iter().map(|path| text_at(path)).collect();
    let op = world.asked(|request| *request == Request::ListUnsavedEdits(ListUnsavedEdits));
    world.done(
        op,
        Answer::ListUnsavedEdits(UnsavedEdits {
            texts: all(texts),
            removed: all(removed),
        }),
    );
}

#[rstest]
#[case::one(&[KEPT], &[], "Unsaved edit of /a.txt is kept from before: g e shows it.")]
#[case::several(&[KEPT, PATH], &[], "2 unsaved edits are kept from before: g e lists them.")]
#[case::one_removed(&[], &[KEPT], "Unsaved edit of /a.txt was kept for 7 days and was removed.")]
#[case::several_removed(&[KEPT], &[KEPT, PATH], "2 unsaved edits were kept for 7 days and were removed.")]
fn what_earlier_runs_left_is_said_at_the_start(
    #[case] texts: &[&str],
    #[case] removed: &[&str],
    #[case] expected: &str,
) {
    let mut world = World::unanswered();
    left(&mut world, texts, removed);
    assert!(world.says(expected), "{:?}", world.said());
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn nothing_is_said_where_nothing_was_left() {
    let mut world = World::unanswered();
    left(&mut world, &[], &[]);
    assert_eq!(world.said(), Vec::<&str>::new());
}

#[test]
fn an_account_that_is_opened_tells_what_was_left_of_it() {
    let mut world = World::new();
    world.keys("@ D enter");
    world.connect(SessionId(2), AccountSource::Demo);
    left(&mut world, &[KEPT], &[]);
    assert!(
        world.says("Unsaved edit of /a.txt is kept"),
        "{:?}",
        world.said()
    );
}

/// A world where a kept text of the file is offered.
fn offered() -> World {
    let (mut world, op) = asked();
    world.done(
        op,
        Answer::FetchText(FetchedText::Unsaved(vec![text_at(KEPT)])),
    );
    assert!(
        world.shows("/a.txt")
            && world.shows("2026-11-27")
            && world.shows("start over from the file"),
        "{}",
        world.drawn()
    );
    world
}

/// Completes taking over the kept text.
fn taken(world: &mut World) -> Vec<Effect> {
    let op = world.asked(|request| *request == Request::TakeText(TakeText { path: KEPT.into() }));
    world.done(op, Answer::TakeText(text_at(KEPT)))
}

#[test]
fn a_kept_text_goes_on_where_it_was() {
    let mut world = offered();
    world.keys("enter");
    let edit = Edit {
        session: SessionId::FIRST,
        text: text_at(KEPT),
    };
    assert_eq!(taken(&mut world).first(), Some(&Effect::Edit(edit.clone())));
    world.send(Msg::Edited(edit, Ok(true)));
    let seen = Some("abc".to_owned());
    let replace = Job::Replace {
        source: FileSource::Local(KEPT.into()),
        file: item(file_target("1"), "/a.txt"),
        seen,
        charset: None,
        access: None,
    };
    let taken = world.take(JobKind::Replace);
    assert_eq!(taken.jobs, [replace]);
    let effects = world.end_well(
        &taken,
        vec![Outcome::Replaced(Box::new(file(
            "1", "/a.txt", "PRIVATE", None,
        )))],
    );
    assert!(
        effects.contains(&Effect::Discard(KEPT.into())),
        "{effects:?}"
    );
}

#[test]
fn a_kept_text_stays_when_something_else_is_open_by_then() {
    let mut world = offered();
    world.keys("enter a");
    assert_eq!(taken(&mut world), []);
    assert!(world.says("g e shows it"), "{:?}", world.said());
}

#[test]
fn the_files_own_text_can_be_edited_instead() {
    let mut world = offered();
    world.keys("n");
    let op =
        world.asked(|request| matches!(request, Request::FetchText(FetchText { anew: true, .. })));
    assert_eq!(
        world.done(op, fetched()).first(),
        Some(&Effect::Edit(edit()))
    );
}

#[test]
fn a_kept_text_is_discarded_after_a_question() {
    let mut world = offered();
    world.keys("D");
    assert!(
        world.shows("Discard the edit of /a.txt"),
        "{}",
        world.drawn()
    );
    world.keys("esc");
    assert_eq!(
        world.count(|request| matches!(request, Request::TakeText(_))),
        0
    );
    let mut world = offered();
    world.keys("D tab enter");
    assert_eq!(taken(&mut world), [Effect::Discard(KEPT.into())]);
    assert!(
        world.says("Discarded the edit of /a.txt."),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_kept_text_that_another_process_works_on_is_left_alone() {
    let mut world = offered();
    world.keys("D tab enter");
    let op = world.asked(|request| matches!(request, Request::TakeText(_)));
    assert_eq!(
        world.fail(
            op,
            Error::new(Kind::Refused, "another filedeck is editing it")
        ),
        []
    );
    assert!(
        world.says("was not discarded: another filedeck is editing it"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_key_lists_all_kept_texts_wherever_their_files_are() {
    let mut world = World::new();
    world.keys("3 g e");
    let far = EditedText {
        file: item(file_target("99"), "/gone/b.txt"),
        ..text_at(PATH)
    };
    let op = world.asked(|request| *request == Request::ListUnsavedEdits(ListUnsavedEdits));
    let texts = vec![text_at(KEPT), far];
    world.done(
        op,
        Answer::ListUnsavedEdits(UnsavedEdits {
            texts,
            removed: Vec::new(),
        }),
    );
    assert!(
        world.shows("/a.txt") && world.shows("/gone/b.txt"),
        "{}",
        world.drawn()
    );
    world.keys("j enter");
    world.asked(|request| *request == Request::TakeText(TakeText { path: PATH.into() }));
}

#[test]
fn a_read_only_account_shows_what_is_kept_and_refuses_to_edit_it() {
    let mut world = World::new();
    world.state.session.account.read_only = true;
    world.keys("g e");
    left(&mut world, &[KEPT], &[]);
    world.keys("enter");
    assert!(world.says("read-only"), "{:?}", world.said());
    assert_eq!(
        world.count(|request| matches!(request, Request::TakeText(_))),
        0
    );
}

#[rstest]
#[case::of_an_account(acme(), ". It stays for 7 days, g e shows it.")]
#[case::of_the_demo(AccountSource::Demo, ". It stays until the demo ends, g e shows it.")]
fn a_text_that_is_kept_says_until_when(#[case] source: AccountSource, #[case] expected: &str) {
    let mut world = World::new();
    world.state.session.account.source = source;
    let edit = Edit {
        session: SessionId::FIRST,
        text: text_at(KEPT),
    };
    world.send(Msg::Edited(
        edit,
        Err("the editor ended with exit status: 1".to_owned()),
    ));
    assert!(world.says(expected), "{:?}", world.said());
}

// Seen to be reported nowhere.
#[test]
fn a_text_whose_replacement_is_cancelled_is_told_of() {
    let (mut world, taken) = changed();
    world.end(&taken, Vec::new());
    left(&mut world, &[KEPT], &[]);
    assert!(
        world.says("Unsaved edit of /a.txt is kept"),
        "{:?}",
        world.said()
    );
}
