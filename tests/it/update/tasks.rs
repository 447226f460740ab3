//! The tasks view: the controls that keys send to the queue, and the row under the cursor.

use filedeck::api::ids::{FolderId, TaskId};
use filedeck::api::{Error, Kind};
use filedeck::engine::batch::{Batch, BatchId, Control, Counts, Hold, JobId};
use filedeck::engine::job::JobKind;
use filedeck::engine::queue_view::{BatchJob, JobState, QueueView};
use filedeck::engine::service_task::{ServiceTask, Which};
use filedeck::engine::{Job, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::input::mouse::MouseAction;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use jiff::{SignedDuration, Timestamp};
use rstest::rstest;

use super::denied::lacking;
use super::queue::Taken;
use super::world::{World, file_target, item, place};
use crate::support::queue::{ended, held, job, older, queued, running, under_way, view};
use filedeck::engine::Answer;
use filedeck::engine::question::{ControlQueue, GetTask, GetTaskId};

pub(super) fn uploading() -> (World, Taken) {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/a.txt".to_owned()));
    world.keys("enter");
    let taken = world.take(JobKind::Upload);
    (world, taken)
}

pub(super) fn saving(count: usize) -> (World, Taken) {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", super::world::many(0..count), None);
    world.keys("ctrl-a s");
    let taken = world.take(JobKind::Download);
    (world, taken)
}

pub(super) fn deletion(id: i64, asked_at: Timestamp) -> Batch {
    queued(
        id,
        &[Job::Delete {
            item: item(file_target("1"), "/a.txt"),
            permanent: false,
            state: None,
        }],
        asked_at,
    )
}

pub(super) fn no_room() -> Error {
    Error::new(Kind::Server, "no room")
}

#[rstest]
#[case::pause("space", Control::Pause(BatchId(1)))]
#[case::cancel("x right enter", Control::Cancel(BatchId(1)))]
#[case::sooner("t", Control::MoveToTop(BatchId(1)))]
#[case::drain("D", Control::PauseQueue(true))]
fn a_key_tells_the_queue_what_to_do_with_what_is_under_way(
    #[case] key: &str,
    #[case] control: Control,
) {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[running(
        deletion(1, now),
        vec![under_way("/a.txt")],
    )]));
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
    world.tell(view(&[held(deletion(1, now), hold)]));
    world.keys("w");
    assert_eq!(world.told(key), [control]);
}

#[rstest]
#[case::pause("space", "has ended")]
#[case::cancel("x", "has ended")]
#[case::sooner("t", "has ended")]
#[case::retry("r", "Only failed")]
#[case::retry_all("R", "Nothing has failed")]
fn what_cannot_be_done_with_a_task_that_is_done_says_so(#[case] key: &str, #[case] words: &str) {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[ended(deletion(1, now), 1, 0, now)]));
    world.keys("w");
    assert_eq!(world.told(key), []);
    assert!(world.says(words), "{:?}", world.said());
}

#[test]
fn all_that_failed_is_done_again_by_one_key() {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[
        ended(deletion(1, now), 0, 1, now),
        ended(deletion(2, now), 0, 1, now),
    ]));
    assert_eq!(world.told("w R"), [Control::RetryFailed { older: false }]);
}

#[test]
fn what_failed_of_a_task_that_goes_on_is_not_promised_to_be_done_again() {
    let (mut world, taken) = saving(25);
    let batch = running(taken.batch(), vec![under_way("0001.txt")]);
    let counts = Counts {
        failed: 3,
        ..batch.counts
    };
    world.tell(view(&[Batch { counts, ..batch }]));
    world.keys("w");
    assert!(!world.shows("retry all"), "{}", world.drawn());
    assert_eq!(world.told("R"), []);
    assert!(
        world.says("once their task has ended"),
        "{:?}",
        world.said()
    );
}

#[test]
fn draining_is_ended_by_the_key_that_began_it() {
    let mut world = World::new();
    let mut draining = view(&[deletion(1, world.state.now)]);
    draining.totals.draining = true;
    world.tell(draining);
    world.keys("w");
    assert!(
        world.shows("paused: nothing new starts"),
        "{}",
        world.drawn()
    );
    assert_eq!(world.told("D"), [Control::PauseQueue(false)]);
}

#[test]
fn an_answer_that_the_queue_did_not_take_a_batch_gives_its_rows_back() {
    let mut world = World::new();
    world.keys("G d right enter");
    let (op, _) = world.asked_jobs(JobKind::Delete);
    world.send(Msg::Refused(op));
    assert!(!world.is_busy(&file_target("3")));
    assert!(
        world.says("Deletion failed, /c.pdf: Too many requests are waiting"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_key_that_the_queue_could_not_follow_says_why() {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&[ended(deletion(1, now), 0, 1, now)]));
    world.keys("w r");
    let op = world.asked(|request| {
        *request == Request::ControlQueue(ControlQueue(Control::Retry(BatchId(1))))
    });
    world.fail(op, Error::new(Kind::Local, "The journal cannot be written"));
    assert!(
        world.says("The tasks could not be changed: The journal cannot be written"),
        "{:?}",
        world.said()
    );
}

#[rstest]
#[case::retry("r")]
#[case::retry_all("R")]
fn a_read_only_account_does_no_change_again(#[case] key: &str) {
    let mut world = World::new();
    world.state.session.account.read_only = true;
    let now = world.state.now;
    world.tell(view(&[ended(deletion(1, now), 0, 1, now)]));
    world.keys("w");
    assert_eq!(world.told(key), []);
    assert!(world.says("read-only"), "{:?}", world.said());
}

#[test]
fn a_read_only_account_does_not_go_on_with_a_change() {
    let mut world = World::new();
    world.state.session.account.read_only = true;
    let now = world.state.now;
    world.tell(view(&[held(deletion(1, now), Hold::Restarted)]));
    world.keys("w");
    assert_eq!((world.told("r"), world.told("space")), (vec![], vec![]));
    assert!(world.says("read-only"), "{:?}", world.said());
}

#[test]
fn a_failed_download_is_tried_again_on_a_read_only_account() {
    let mut world = World::new();
    world.state.session.account.read_only = true;
    world.keys("G s");
    let taken = world.take(JobKind::Download);
    world.tell(view(&[ended(taken.batch(), 0, 1, world.state.now)]));
    assert_eq!(world.told("w r"), [Control::Retry(taken.id)]);
}

/// A deletion that ended with this error.
fn failed_deletion(error: Error, now: Timestamp) -> Batch {
    Batch {
        failure: Some(("/a.txt".to_owned(), error)),
        ..ended(deletion(1, now), 0, 1, now)
    }
}

#[rstest]
#[case::gone(
    Error::new(Kind::NotFound, "No file has this id"),
    "refresh and look again"
)]
#[case::refused(Error::new(Kind::Invalid, "The name is not allowed"), "")]
#[case::forbidden(Error::new(Kind::Forbidden, "The account lacks this"), "")]
fn what_would_fail_again_is_offered_no_retry(#[case] error: Error, #[case] advice: &str) {
    let mut world = World::new();
    let batch = failed_deletion(error, world.state.now);
    world.tell(view(&[batch]));
    world.keys("w");
    for word in ["r  retry", "R  retry all", "retries what failed"] {
        assert!(!world.shows(word), "{word}: {}", world.drawn());
    }
    assert!(world.shows(advice), "{}", world.drawn());
    for key in ["r", "R"] {
        assert_eq!(world.told(key), []);
        assert!(
            world.says("A retry would fail again."),
            "{:?}",
            world.said()
        );
    }
    world.keys("r");
    assert!(world.says(advice), "{:?}", world.said());
    world.keys("?");
    assert!(world.shows("(would fail again)"), "{}", world.drawn());
    world.keys("esc enter");
    assert!(!world.shows("to retry it"), "{}", world.drawn());
}

#[test]
fn what_a_person_can_mend_is_offered_a_retry() {
    let mut world = World::new();
    let error = Error::new(Kind::Refused, "a file has this name");
    let batch = failed_deletion(error, world.state.now);
    let id = batch.id;
    world.tell(view(&[batch]));
    world.keys("w");
    assert!(world.shows("r  retry"), "{}", world.drawn());
    assert_eq!(world.told("r"), [Control::Retry(id)]);
}

/// The token may be given the scope, so that only what the session knows refuses.
#[test]
fn a_missing_scope_refuses_a_retry_as_long_as_the_token_lacks_it() {
    let mut world = World::new();
    world.keys("G d right enter");
    let taken = world.take(JobKind::Delete);
    let error = lacking("files.delete");
    world.end(&taken, vec![Err(error.clone())]);
    assert!(!world.says("retries it"), "{:?}", world.said());
    let batch = ended(taken.batch(), 0, 1, world.state.now);
    let failure = Some(("/a.txt".to_owned(), error));
    world.tell(view(&[Batch { failure, ..batch }]));
    world.keys("w");
    assert_eq!(world.told("r"), []);
    assert!(
        world.says("lacks the scope files.delete"),
        "{:?}",
        world.said()
    );
    world.keys("1 ctrl-r 2");
    assert_eq!(world.told("r"), [Control::Retry(taken.id)]);
}

#[test]
fn a_task_that_was_canceled_in_part_can_be_retried_whatever_failed() {
    let (mut world, taken) = saving(3);
    let gone = Error::new(Kind::NotFound, "No file has this id");
    let batch = Batch {
        failure: Some(("0001.txt".to_owned(), gone)),
        ..ended(taken.batch(), 1, 1, world.state.now)
    };
    world.tell(view(&[batch]));
    assert_eq!(world.told("w r"), [Control::Retry(taken.id)]);
}

#[test]
fn a_failure_for_good_names_no_key_that_retries_it() {
    let (mut world, taken) = uploading();
    let gone = Error::new(Kind::NotFound, "No folder has this id");
    world.end(&taken, vec![Err(gone)]);
    assert!(world.says("refresh and look again"), "{:?}", world.said());
    let entry = world.state.activity.iter().next().unwrap();
    assert_eq!(entry.next, "", "{}", entry.text);
}

#[test]
fn the_tasks_view_opens_on_what_wants_a_look() {
    let mut world = World::new();
    let now = world.state.now;
    let batches = |first: Batch| view(&[first, ended(deletion(2, now), 1, 0, now)]);
    world.tell(batches(deletion(1, now)));
    world.keys("w j w");
    world.tell(batches(deletion(3, now)));
    world.keys("w");
    assert_eq!(
        world.told("x"),
        [Control::Cancel(BatchId(3))],
        "the one that was left has ended"
    );
}

#[test]
fn the_cursor_stays_on_its_task_when_others_become_more_urgent() {
    let mut world = World::new();
    let now = world.state.now;
    let [one, two, three] = [1, 2, 3].map(|id| deletion(id, now));
    world.tell(view(&[one.clone(), two.clone(), three.clone()]));
    world.keys("w j");
    world.tell(view(&[
        running(three, vec![under_way("/a.txt")]),
        one.clone(),
        two,
    ]));
    assert_eq!(world.told("x"), [Control::Cancel(BatchId(2))]);
    world.tell(view(&[one]));
    assert_eq!(
        world.told("x"),
        [Control::Cancel(BatchId(1))],
        "what is gone leaves the cursor to its neighbor"
    );
}

#[test]
fn clearing_keeps_what_failed_until_it_is_pressed_again() {
    let mut world = World::new();
    let now = world.state.now;
    let failed = ended(deletion(1, now), 0, 1, now);
    world.tell(view(&[failed.clone(), ended(deletion(2, now), 1, 0, now)]));
    assert_eq!(world.told("w c"), [Control::ClearEnded]);
    let op =
        world.asked(|request| *request == Request::ControlQueue(ControlQueue(Control::ClearEnded)));
    world.done(op, Answer::ControlQueue(()));
    assert!(
        world.says("1 task cleared. 1 FAILED kept; press c again"),
        "{:?}",
        world.said()
    );
    world.tell(view(&[failed]));
    world.keys("c");
    let op =
        world.asked(|request| *request == Request::ControlQueue(ControlQueue(Control::ClearEnded)));
    world.done(op, Answer::ControlQueue(()));
    assert_eq!(
        world.said().last().map(String::as_str),
        Some("1 task cleared.")
    );
    world.tell(QueueView::default());
    assert_eq!(world.told("c"), []);
    assert!(world.says("No task has ended."), "{:?}", world.said());
}

#[test]
fn what_only_waits_lets_the_screen_sleep() {
    let (mut world, taken) = uploading();
    world.fail_limits(&no_room());
    world.wait(60_000);
    let batch = running(taken.batch(), vec![under_way("a.txt")]);
    world.tell(view(std::slice::from_ref(&batch)));
    assert_eq!(
        world.state.next_wake(),
        Some(world.state.now + SignedDuration::from_millis(250))
    );
    world.tell(view(&[held(batch, Hold::Paused)]));
    assert_eq!(
        world.state.next_wake().map(|next| next.as_second() % 60),
        Some(0),
        "but for the ages"
    );
}

/// A paused task of five items: one running, one failed, two waiting, one done; with another task
/// above it.
fn with_items() -> World {
    let mut world = World::new();
    let now = world.state.now;
    world.tell(view(&five(now)));
    world.keys("w j");
    world
}

pub(super) fn one_of_five(at: usize) -> Job {
    Job::Delete {
        item: item(file_target(&at.to_string()), &format!("/{at}.txt")),
        permanent: false,
        state: None,
    }
}

fn five(now: Timestamp) -> Vec<Batch> {
    let jobs: Vec<Job> = (0..5).map(one_of_five).collect();
    let batch = running(queued(2, &jobs, now), vec![under_way("/0.txt")]);
    let counts = Counts {
        done: 1,
        failed: 1,
        ..batch.counts
    };
    vec![deletion(1, now), Batch { counts, ..batch }]
}

fn items(now: Timestamp) -> Vec<BatchJob> {
    let states = [
        JobState::Running(under_way("/0.txt")),
        JobState::Failed(no_room()),
        JobState::Waiting,
        JobState::Waiting,
        JobState::Done,
    ];
    let jobs = states.into_iter().enumerate().map(|(at, state)| BatchJob {
        started_at: Some(now),
        ended_at: matches!(state, JobState::Failed(_) | JobState::Done).then_some(now),
        stored: None,
        ..job(2, at + 1, one_of_five(at), state)
    });
    jobs.collect()
}

/// The same world with the items listed below their task.
fn unfolded() -> World {
    let mut world = with_items();
    assert_eq!(world.told("l"), []);
    let items = items(world.state.now);
    assert_eq!(world.list_jobs(&items), Some(0..5));
    world
}

#[test]
fn a_task_unfolds_and_the_cursor_goes_through_its_items() {
    assert!(with_items().shows("▸ ⊘ Delete 5 files"));
    let mut world = unfolded();
    let drawn = world.drawn();
    assert!(drawn.contains("▾ ⊘ Delete 5 files"), "{drawn}");
    let at = |words: &str| {
        drawn
            .lines()
            .position(|line| line.contains(words))
            .unwrap_or_else(|| panic!("{words}\n{drawn}"))
    };
    let rows = [
        at("  ⊘ /0.txt"),
        at("  ✗ /1.txt"),
        at("  ⊘ /2.txt"),
        at("  ⊘ /3.txt"),
        at("  ✓ /4.txt"),
    ];
    assert!(rows.is_sorted() && rows[4] - rows[0] == 4, "{drawn}");
    assert!(
        drawn
            .lines()
            .nth(rows[1])
            .unwrap()
            .contains("failed 08:00: no room"),
        "{drawn}"
    );
    world.keys("l j");
    assert_eq!(
        world.told("r"),
        [Control::RetryJob(JobId {
            batch: BatchId(2),
            number: 1
        })]
    );
    assert!(
        world.shows("Error") || world.shows("/1.txt"),
        "{}",
        world.drawn()
    );
    world.keys("enter");
    assert!(
        world.shows("Delete /1.txt failed") && world.shows("no room"),
        "{}",
        world.drawn()
    );
    world.keys("esc j");
    assert_eq!(
        world.told("x"),
        [Control::CancelJob(JobId {
            batch: BatchId(2),
            number: 2
        })]
    );
    assert_eq!(world.told("h"), []);
    assert!(!world.shows("/4.txt"), "{}", world.drawn());
    assert_eq!(
        world.told("x right enter"),
        [Control::Cancel(BatchId(2))],
        "the cursor is on the task whose items it was on"
    );
}

#[rstest]
#[case::pause("j space", "Only a whole task")]
#[case::sooner("j t", "Only a whole task")]
#[case::cancel_a_change_under_way("j x", "never interrupted")]
#[case::cancel_what_failed("j j x", "has ended")]
#[case::retry_what_waits("j j j r", "Only failed")]
#[case::fold_what_is_folded("k h", "has no list of items")]
fn what_cannot_be_done_with_an_item_says_so(#[case] keys: &str, #[case] words: &str) {
    let mut world = unfolded();
    assert_eq!(world.told(keys), []);
    assert!(world.says(words), "{:?}", world.said());
}

#[test]
fn a_single_task_has_details_and_no_items() {
    let mut world = with_items();
    world.keys("k");
    assert_eq!(world.told("l"), []);
    assert!(matches!(world.dialog(), Dialog::Notice(_)));
}

#[test]
fn the_cursor_follows_its_item_and_keeps_its_place_when_that_is_gone() {
    let mut world = unfolded();
    world.keys("j j j");
    let now = world.state.now;
    let again = |world: &mut World, bytes, numbers: [usize; 5]| {
        let jobs = numbers.map(|number| job(2, number + 1, one_of_five(number), JobState::Waiting));
        let mut batches = five(now);
        batches[1].bytes.done = bytes;
        world.tell(view(&batches));
        assert_eq!(world.list_jobs(&jobs), Some(0..5));
    };
    let cancelled = |number| {
        vec![Control::CancelJob(JobId {
            batch: BatchId(2),
            number,
        })]
    };
    again(&mut world, 1, [2, 0, 3, 1, 4]);
    assert_eq!(world.told("x"), cancelled(2));
    again(&mut world, 2, [0, 3, 1, 4, 5]);
    assert_eq!(world.told("x"), cancelled(0));
}

/// Tells of another state of the task with five items: this many done.
fn tell_done(world: &mut World, done: usize) {
    let mut batches = five(Timestamp::UNIX_EPOCH);
    batches[1].counts.done = done;
    world.tell(view(&batches));
}

#[test]
fn a_late_answer_leaves_the_rows_and_the_cursor_where_they_are() {
    let mut world = unfolded();
    world.keys("j j j");
    let is_list = |request: &Request| matches!(request, Request::ListJobs(_));
    let listed = |numbers: [usize; 5]| {
        let jobs = numbers.map(|number| job(2, number + 1, one_of_five(number), JobState::Waiting));
        Answer::ListJobs(jobs.to_vec())
    };
    let third = vec![Control::CancelJob(JobId {
        batch: BatchId(2),
        number: 2,
    })];
    tell_done(&mut world, 2);
    let late = world.asked(is_list);
    assert_eq!(world.told("x"), third, "until the answer comes, all stays");
    tell_done(&mut world, 3);
    let newest = world.asked(is_list);
    assert_ne!(late, newest);
    world.done(late, listed([4, 3, 0, 1, 2]));
    assert!(world.shows("✗ /1.txt"), "{}", world.drawn());
    assert_eq!(world.told("x"), third);
    world.done(newest, listed([2, 1, 0, 3, 4]));
    assert_eq!(world.told("x"), third, "the cursor goes with its item");
    tell_done(&mut world, 3);
    assert_eq!(world.count(is_list), 0, "nothing has changed");
    tell_done(&mut world, 4);
    let failed = world.asked(is_list);
    world.fail(failed, Error::new(Kind::Internal, "disk full"));
    assert!(
        world.says("The items of a task could not be read: disk full"),
        "{:?}",
        world.said()
    );
    assert_eq!((world.told("x"), world.count(is_list)), (third, 0));
}

#[test]
fn an_item_that_is_cancelled_gives_its_row_back() {
    let mut world = World::new();
    world.keys("G k");
    world.keys("space space d right enter");
    let taken = world.take(JobKind::Delete);
    let target = taken.jobs[0].target().unwrap();
    assert!(world.is_busy(&target));
    let jobs = taken.jobs.iter().enumerate();
    let jobs = jobs
        .map(|(at, one)| job(taken.id.0, at + 1, one.clone(), JobState::Waiting))
        .collect::<Vec<_>>();
    world.tell(view(&[taken.batch()]));
    world.keys("w l");
    world.list_jobs(&jobs);
    world.keys("j x");
    assert!(!world.is_busy(&target));
    assert!(world.is_busy(&taken.jobs[1].target().unwrap()));
}

#[test]
fn a_click_on_its_sign_unfolds_a_task_and_folds_it_again() {
    let mut world = with_items();
    let at = world.find("▸");
    world.mouse(MouseAction::Press, at);
    let items = items(world.state.now);
    assert_eq!(world.list_jobs(&items), Some(0..5));
    assert!(world.shows("/4.txt"), "{}", world.drawn());
    world.click("▾");
    assert!(!world.shows("/4.txt"), "{}", world.drawn());
}

#[test]
fn of_a_thousand_items_those_around_the_visible_ones_are_asked_for() {
    let mut world = World::new();
    let now = world.state.now;
    let of = |number: usize| one_of_five(number);
    let jobs: Vec<Job> = (0..1_000).map(of).collect();
    let all: Vec<BatchJob> = (1..)
        .zip(&jobs)
        .map(|(below, one)| job(2, below, one.clone(), JobState::Waiting))
        .collect();
    let batches = [deletion(1, now), queued(2, &jobs, now), deletion(3, now)];
    world.tell(view(&batches));
    world.keys("w j");
    assert_eq!(
        world.list_jobs(&all),
        None,
        "folded, there is nothing to ask"
    );
    world.keys("l");
    assert!(world.shows("…"), "{}", world.drawn());
    let first = world.list_jobs(&all).unwrap();
    assert!(first.start == 0 && first.len() < 60, "{first:?}");
    world.keys("j j j");
    assert_eq!(world.list_jobs(&all), None, "those that follow are known");
    world.keys("G k");
    assert!(!world.shows("/999.txt"), "{}", world.drawn());
    assert_eq!(world.told("x"), []);
    assert!(world.says("This item is being read."), "{:?}", world.said());
    let last = world.list_jobs(&all).unwrap();
    assert!(last.end == 1_000 && last.len() < 60, "{last:?}");
    let cancelled = |number| {
        vec![Control::CancelJob(JobId {
            batch: BatchId(2),
            number,
        })]
    };
    assert_eq!(world.told("x"), cancelled(999));
    world.keys("ctrl-u ctrl-u");
    while world.list_jobs(&all).is_some() {}
    let above = world.told("x");
    assert!(
        (940..980).any(|number| above == cancelled(number)),
        "{above:?}"
    );
    world.keys("1");
    world.tell(view(&batches[1..]));
    assert_eq!(world.list_jobs(&all), None, "nobody sees them");
    world.keys("2");
    assert_eq!(world.told("x"), above, "the rows above are fewer");
}

#[test]
fn what_ended_before_this_run_is_listed_if_there_is_nothing_else() {
    let mut world = World::new();
    let now = world.state.now;
    let failed = [1, 2].map(|id| ended(deletion(id, now), 0, 1, now));
    world.tell(older(&failed));
    world.keys("w");
    assert!(world.shows("▾ 2 older tasks"), "{}", world.drawn());
    assert_eq!(world.told("R"), [Control::RetryFailed { older: true }]);
    for key in ["x", "space", "t"] {
        assert_eq!(world.told(key), []);
        assert!(
            world.says("These tasks ended before this session."),
            "{:?}",
            world.said()
        );
    }
    world.keys("h");
    assert!(!world.shows("Delete /1.txt"), "{}", world.drawn());
    assert_eq!(world.told("R"), [], "what is folded is not retried");
    let with_new = QueueView {
        older: 2,
        ..view(&[deletion(3, now), failed[0].clone(), failed[1].clone()])
    };
    world.tell(with_new);
    assert!(world.shows("▸ 2 older tasks"), "{}", world.drawn());
    assert_eq!(world.told("k x"), [Control::Cancel(BatchId(3))]);
}

#[test]
fn ctrl_c_quits_although_tasks_are_left() {
    let (mut world, taken) = uploading();
    world.tell(view(&[taken.batch()]));
    world.keys("ctrl-c");
    assert!(matches!(world.dialog(), Dialog::Confirm(_)));
    assert_eq!(
        world.send(Msg::Key("ctrl-c".parse().unwrap())),
        [Effect::Quit]
    );
}

fn service_task(status: &str) -> Box<ServiceTask> {
    let task = serde_json::json!({
        "taskId": "t-7", "status": status, "requestedAt": "2026-11-21T08:00:00.000Z",
        "startedAt": "2026-11-21T08:00:01.000Z", "completedAt": "2026-11-21T08:00:05.000Z",
        "result": { "id": "42", "name": "logo", "extension": "png", "path": "/in/logo.png" },
        "numErrors": 1, "errors": [{ "message": "half of it" }],
    });
    Box::new(ServiceTask::Import(serde_json::from_value(task).unwrap()))
}

#[test]
fn a_task_of_the_service_is_looked_up_by_its_id() {
    let mut world = World::new();
    world.keys("w g i");
    world.text("t-7");
    world.keys("enter");
    let by_id = Request::GetTask(GetTask(Which::Id(TaskId::new("t-7"))));
    let op = world.asked(|request| *request == by_id);
    world.done(
        op,
        Answer::GetTask((TaskId::new("t-7"), service_task("COMPLETE"))),
    );
    for words in [
        "Import t-7",
        "complete",
        "Requested 2026-11-21",
        "Ended",
        "/in/logo.png",
        "42, a file",
        "half of it",
    ] {
        assert!(world.shows(words), "{words}: {}", world.drawn());
    }
    world.keys("esc w w g i");
    world.text("none");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::GetTask(_)));
    world.fail(op, Error::new(Kind::NotFound, "no such task"));
    assert!(
        world.says("The status of task none could not be read: no such task"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_task_that_was_looked_up_is_asked_about_until_it_ends() {
    let mut world = World::new();
    world.keys("w g i");
    world.text("t-7");
    world.keys("enter");
    let is_task = |request: &Request| matches!(request, Request::GetTask(_));
    let answer = |status| Answer::GetTask((TaskId::new("t-7"), service_task(status)));
    let op = world.asked(is_task);
    world.done(op, answer("PENDING"));
    assert!(world.shows("State     pending"), "{}", world.drawn());
    world.wait(4_000);
    assert_eq!(world.count(is_task), 0);
    assert!(world.state.next_wake().unwrap() <= world.state.now + SignedDuration::from_secs(1));
    world.wait(1_000);
    let op = world.asked(is_task);
    world.done(op, answer("PROCESSING"));
    assert!(
        world.shows("State     processing"),
        "the open notice follows: {}",
        world.drawn()
    );
    world.keys("esc");
    world.wait(5_000);
    let op = world.asked(is_task);
    world.fail(op, Error::new(Kind::RateLimited, "later"));
    world.wait(10_000);
    let op = world.asked(is_task);
    world.done(op, answer("COMPLETE"));
    assert!(world.says("Import t-7: complete"), "{:?}", world.said());
    world.wait(60_000);
    assert_eq!(world.count(is_task), 0, "it has ended");
}

#[test]
fn the_id_of_the_services_task_is_copied_of_ended_tasks_too() {
    let mut world = World::new();
    let parent = Some(place("s", "/sales"));
    let folder = FolderId::new("m");
    let moved = Job::UpdateFolder {
        folder,
        from: "/marketing".to_owned(),
        name: None,
        parent,
        seen: None,
    };
    let deleted = Job::Delete {
        item: item(file_target("1"), "/a.txt"),
        permanent: false,
        state: None,
    };
    let now = world.state.now;
    let batches =
        [(1, moved), (2, deleted)].map(|(id, job)| ended(queued(id, &[job], now), 1, 0, now));
    world.tell(view(&batches));
    world.keys("w y");
    let wanted = Request::GetTaskId(GetTaskId(JobId {
        batch: BatchId(1),
        number: 0,
    }));
    let op = world.asked(|request| *request == wanted);
    let effects = world.done(op, Answer::GetTaskId(Some(TaskId::new("t-7"))));
    assert_eq!(effects, [Effect::Copy("t-7".to_owned())]);
    assert!(world.says("Task id copied: t-7"), "{:?}", world.said());
    world.keys("j y");
    assert!(
        world.says("Only imports and changes of folders have a task id."),
        "{:?}",
        world.said()
    );
}

/// Seen to fail for failures when the details of an error are not followed.
#[rstest]
#[case::done(false)]
#[case::failed(true)]
fn the_details_of_an_ended_task_show_the_id_of_the_services_task(#[case] has_failed: bool) {
    let mut world = World::new();
    let moved = Job::UpdateFolder {
        folder: FolderId::new("m"),
        from: "/marketing".to_owned(),
        name: None,
        parent: Some(place("s", "/sales")),
        seen: None,
    };
    let now = world.state.now;
    let counts = if has_failed { (0, 1) } else { (1, 0) };
    let mut batch = ended(queued(1, &[moved], now), counts.0, counts.1, now);
    batch.failure = has_failed.then(|| {
        let error = Error::new(Kind::TaskFailed, "The folder is locked");
        ("/marketing".to_owned(), error)
    });
    world.tell(view(&[batch]));
    world.keys("w enter");
    let job = JobId {
        batch: BatchId(1),
        number: 0,
    };
    let op = world.asked(|request| *request == Request::GetTaskId(GetTaskId(job)));
    world.done(op, Answer::GetTaskId(Some(TaskId::new("t-7"))));
    let line = world.drawn();
    let line = line.lines().find(|line| line.contains("Task id")).unwrap();
    assert!(line.contains("t-7"), "{line}");
    assert_eq!(
        world.count(|request| matches!(request, Request::GetTaskId(_))),
        0,
        "it is asked once"
    );
}

#[test]
fn a_cancelled_import_shows_what_the_service_says_of_it() {
    let mut world = World::new();
    let op = world.shows_cancelled_import();
    assert_eq!(
        world.count(|request| matches!(request, Request::GetTask(_))),
        1,
        "it is asked once"
    );
    world.done(
        op,
        Answer::GetTask((TaskId::new("t-7"), service_task("PROCESSING"))),
    );
    for words in [
        "no longer watched",
        "The service says",
        "processing",
        "Task id   t-7",
        "Started",
    ] {
        assert!(world.shows(words), "{words}: {}", world.drawn());
    }
    assert!(
        !world.shows("08:00:05"),
        "what has not ended has no end: {}",
        world.drawn()
    );
}
