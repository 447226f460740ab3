//! The tasks view: what the queue is told by which key, and what the cursor stands on.

use filedeck::api::{Error, Kind};
use filedeck::engine::batch::{Batch, BatchId, Control, Counts, Hold, QueueView};
use filedeck::engine::job::Verb;
use filedeck::engine::{Job, Outcome, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::{Effect, Msg};
use jiff::{SignedDuration, Timestamp};
use rstest::rstest;

use super::queue::Taken;
use super::world::{World, file_target, item};
use crate::support::queue::{ended, held, queued, running, under_way, view};

/// One upload, taken by the queue.
pub(super) fn uploading() -> (World, Taken) {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/a.txt".to_owned()));
    world.keys("enter");
    let taken = world.take(Verb::Upload);
    (world, taken)
}

/// Files to be saved, taken by the queue.
pub(super) fn saving(count: usize) -> (World, Taken) {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", super::world::many(0..count), None);
    world.keys("ctrl-a s");
    let taken = world.take(Verb::Download);
    (world, taken)
}

pub(super) fn deletion(id: i64, asked_at: Timestamp) -> Batch {
    queued(id, &[Job::Delete { item: item(file_target("1"), "/a.txt"), permanent: false }], asked_at)
}

pub(super) fn no_room() -> Error {
    Error::new(Kind::Server, "no room")
}

#[rstest]
#[case::pause("space", Control::Pause(BatchId(1)))]
#[case::cancel("x", Control::Cancel(BatchId(1)))]
#[case::sooner("t", Control::Sooner(BatchId(1)))]
#[case::drain("D", Control::Drain(true))]
fn a_key_tells_the_queue_what_to_do_with_what_is_under_way(#[case] key: &str, #[case] control: Control) {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[running(deletion(1, now), vec![under_way("/a.txt")])], 9));
    world.keys("w");
    assert_eq!(world.told(key), [control]);
}

#[rstest]
#[case::pause_goes_on("space", Control::Resume(BatchId(1)))]
#[case::retry_goes_on("r", Control::Resume(BatchId(1)))]
#[case::cancel("x", Control::Cancel(BatchId(1)))]
fn a_key_tells_the_queue_what_to_do_with_what_is_held(
    #[case] key: &str,
    #[case] control: Control,
    #[values(Hold::Paused, Hold::Restarted)] hold: Hold,
) {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[held(deletion(1, now), hold)], 9));
    world.keys("w");
    assert_eq!(world.told(key), [control]);
}

#[rstest]
#[case::pause("space", "has ended")]
#[case::cancel("x", "has ended")]
#[case::sooner("t", "has ended")]
#[case::retry("r", "Only what failed")]
#[case::retry_all("R", "Nothing has failed")]
fn what_cannot_be_done_with_a_task_that_is_done_says_so(#[case] key: &str, #[case] words: &str) {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[ended(deletion(1, now), 1, 0, now)], 9));
    world.keys("w");
    assert_eq!(world.told(key), []);
    assert!(world.says(words), "{:?}", world.said());
}

#[test]
fn all_that_failed_is_done_again_by_one_key() {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[ended(deletion(1, now), 0, 1, now), ended(deletion(2, now), 0, 1, now)], 9));
    assert_eq!(world.told("w R"), [Control::RetryFailed]);
}

#[test]
fn what_failed_of_a_task_that_goes_on_is_not_promised_to_be_done_again() {
    let (mut world, taken) = saving(25);
    let batch = running(taken.batch(), vec![under_way("0001.txt")]);
    let counts = Counts { failed: 3, ..batch.counts };
    world.tell(view(&[Batch { counts, ..batch }], 9));
    world.keys("w");
    assert!(!world.shows("retry all"), "{}", world.drawn());
    assert_eq!(world.told("R"), []);
    assert!(world.says("when its task has ended"), "{:?}", world.said());
}

#[test]
fn draining_is_ended_by_the_key_that_began_it() {
    let mut world = World::new();
    let mut draining = view(&[deletion(1, world.state.now)], 9);
    draining.totals.draining = true;
    world.tell(draining);
    world.keys("w");
    assert!(world.shows("draining: nothing new begins"), "{}", world.drawn());
    assert_eq!(world.told("D"), [Control::Drain(false)]);
}

#[test]
fn an_answer_that_the_queue_did_not_take_a_batch_gives_its_rows_back() {
    let mut world = World::new();
    world.keys("G d right enter");
    let (op, _) = world.asked_jobs(Verb::Delete);
    world.send(Msg::Refused(op));
    assert!(!world.is_busy(&file_target("3")));
    assert!(world.says("Delete failed, /c.pdf: Too much is waiting"), "{:?}", world.said());
}

#[test]
fn a_key_that_the_queue_could_not_follow_says_why() {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[ended(deletion(1, now), 0, 1, now)], 9));
    world.keys("w r");
    let op = world.asked(|request| *request == Request::Control(Control::Retry(BatchId(1))));
    world.fail(op, Error::new(Kind::Local, "The journal cannot be written"));
    assert!(world.says("The tasks could not be changed: The journal cannot be written"), "{:?}", world.said());
}

#[rstest]
#[case::retry("r")]
#[case::retry_all("R")]
fn a_read_only_account_does_no_change_again(#[case] key: &str) {
    let mut world = World::new();
    world.state.desk.account.read_only = true;
    let now = world.state.now;
    world.tell(view(&[ended(deletion(1, now), 0, 1, now)], 9));
    world.keys("w");
    assert_eq!(world.told(key), []);
    assert!(world.says("read-only"), "{:?}", world.said());
}

#[test]
fn a_read_only_account_does_not_go_on_with_a_change() {
    let mut world = World::new();
    world.state.desk.account.read_only = true;
    let now = world.state.now;
    world.tell(view(&[held(deletion(1, now), Hold::Restarted)], 9));
    world.keys("w");
    assert_eq!((world.told("r"), world.told("space")), (vec![], vec![]));
    assert!(world.says("read-only"), "{:?}", world.said());
}

#[test]
fn a_failed_download_is_tried_again_on_a_read_only_account() {
    let mut world = World::new();
    world.state.desk.account.read_only = true;
    world.keys("G s");
    let taken = world.take(Verb::Download);
    world.tell(view(&[ended(taken.batch(), 0, 1, world.state.now)], 9));
    assert_eq!(world.told("w r"), [Control::Retry(taken.id)]);
}

#[test]
fn the_tasks_view_opens_on_what_wants_a_look() {
    let mut world = World::new();
    let now = world.state.now;
    let batches = |first: Batch| view(&[first, ended(deletion(2, now), 1, 0, now)], 9);
    world.tell(batches(deletion(1, now)));
    world.keys("w j w");
    world.tell(batches(deletion(3, now)));
    world.keys("w");
    assert_eq!(world.told("x"), [Control::Cancel(BatchId(3))], "the one that was left has ended");
}

#[test]
fn the_cursor_stays_on_its_task_when_others_become_more_urgent() {
    let mut world = World::new();
    let now = world.state.now;
    let [one, two, three] = [1, 2, 3].map(|id| deletion(id, now));
    world.tell(view(&[one.clone(), two.clone(), three.clone()], 9));
    world.keys("w j");
    world.tell(view(&[running(three, vec![under_way("/a.txt")]), one.clone(), two], 9));
    assert_eq!(world.told("x"), [Control::Cancel(BatchId(2))]);
    world.tell(view(&[one], 9));
    assert_eq!(world.told("x"), [Control::Cancel(BatchId(1))], "what is gone leaves the cursor to its neighbour");
}

#[test]
fn clearing_keeps_what_failed_until_it_is_pressed_again() {
    let mut world = World::new();
    let now = world.state.now;
    let failed = ended(deletion(1, now), 0, 1, now);
    world.tell(view(&[failed.clone(), ended(deletion(2, now), 1, 0, now)], 9));
    assert_eq!(world.told("w c"), [Control::ClearEnded]);
    let op = world.asked(|request| *request == Request::Control(Control::ClearEnded));
    world.done(op, Outcome::Controlled);
    assert!(world.says("1 task cleared. 1 FAILED kept; c again"), "{:?}", world.said());
    world.tell(view(&[failed], 9));
    world.keys("c");
    let op = world.asked(|request| *request == Request::Control(Control::ClearEnded));
    world.done(op, Outcome::Controlled);
    assert_eq!(world.said().last(), Some(&"1 task cleared."));
    world.tell(QueueView::default());
    assert_eq!(world.told("c"), []);
    assert!(world.says("No task has ended."), "{:?}", world.said());
}

#[test]
fn what_only_waits_lets_the_screen_sleep() {
    let (mut world, taken) = uploading();
    let limits = world.asked(|request| matches!(request, Request::Limits));
    world.fail(limits, no_room());
    world.wait(60_000);
    let batch = running(taken.batch(), vec![under_way("a.txt")]);
    world.tell(view(std::slice::from_ref(&batch), 9));
    assert_eq!(world.state.next_wake(), Some(world.state.now + SignedDuration::from_millis(250)));
    world.tell(view(&[held(batch, Hold::Paused)], 9));
    assert_eq!(world.state.next_wake().map(|next| next.as_second() % 60), Some(0), "but for the ages");
}

/// A thousand batches, of which the queue shows the first nine and those that it is asked for.
struct Long(Vec<Batch>);

impl Long {
    fn new(world: &World) -> Self {
        Self((0..1_000).map(|id| deletion(id, world.state.now)).collect())
    }

    /// Answers what the screen asks to see, if it does; says around which batch and how many.
    fn answer(&self, world: &mut World) -> Option<(Option<BatchId>, usize)> {
        let is_watch = |request: &Request| matches!(request, Request::Control(Control::Watch { .. }));
        let (op, request) = world.asked_for(is_watch)?;
        let Request::Control(Control::Watch { around, rows }) = request else { panic!() };
        world.done(op, Outcome::Controlled);
        let at = around.map_or(0, |around| self.0.iter().position(|batch| batch.id == around).unwrap_or(0));
        let before = at.saturating_sub(rows);
        let window = self.0[before..(at + rows + 1).min(self.0.len())].to_vec();
        world.tell(QueueView { before, window, ..view(&self.0, 9) });
        Some((around, rows))
    }
}

#[test]
fn a_long_queue_is_shown_a_window_at_a_time() {
    let mut world = World::new();
    let long = Long::new(&world);
    world.tell(view(&long.0, 9));
    assert_eq!(long.answer(&mut world), None, "closed, it is asked for nothing");
    world.keys("w");
    let (_, rows) = long.answer(&mut world).unwrap();
    assert!((20..=40).contains(&rows), "{rows}");
    world.keys("j j j");
    assert_eq!(long.answer(&mut world), None, "there is more than the screen holds");
    world.keys("G");
    assert_eq!(long.answer(&mut world), Some((Some(BatchId(999)), rows)));
    assert_eq!(world.told("x"), [Control::Cancel(BatchId(999))]);
    world.keys("ctrl-u ctrl-u");
    long.answer(&mut world);
    let cancelled = world.told("x");
    assert!(matches!(cancelled.as_slice(), [Control::Cancel(BatchId(950..=985))]), "{cancelled:?}");
    world.keys("1");
    assert_eq!(long.answer(&mut world), Some((None, 0)));
}

#[test]
fn ctrl_c_quits_although_tasks_are_left() {
    let (mut world, taken) = uploading();
    world.tell(view(&[taken.batch()], 9));
    world.keys("ctrl-c");
    assert!(matches!(world.dialog(), Dialog::Confirm(_)));
    assert_eq!(world.send(Msg::Key("ctrl-c".parse().unwrap())), [Effect::Quit]);
}
