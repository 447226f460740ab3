//! Messages about tasks: their results, the reasons for waiting, their progress, and tasks of an
//! earlier run.

use std::sync::Arc;

use filedeck::api::{Error, Kind};
use filedeck::engine::batch::{Batch, BatchState, Bytes, Control, Counts, Hold, RunningJob};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::{Entry, WaitReason};
use filedeck::engine::{Event, Job, Outcome, Request, SessionId};
use filedeck::tui::message::Msg;
use filedeck::tui::state::MessageLevel;
use filedeck::tui::state::effect::Effect;
use jiff::SignedDuration;

use super::tasks::{deletion, no_room, saving, uploading};
use super::world::{World, file, uploaded};
use crate::support::changed::changed;
use crate::support::queue::{ended, held, queued, running, under_way, view};
use filedeck::engine::Answer;
use filedeck::engine::question::ListFailures;

#[test]
fn an_upload_that_was_cut_short_may_be_there() {
    let (mut world, taken) = uploading();
    let started_at = Some(world.state.now);
    let ended = Batch {
        started_at,
        ..ended(taken.batch(), 0, 0, world.state.now)
    };
    world.send(Msg::Engine(SessionId::FIRST, Event::Ended(Arc::new(ended))));
    assert_eq!(
        world.said(),
        ["Canceled upload: a.txt → /. It may exist anyway."]
    );
}

#[test]
fn what_cannot_be_done_is_neither_told_as_done_nor_counted_as_news() {
    let mut world = World::new();
    world.keys("e");
    let told = world.state.status.message().unwrap();
    assert_eq!(told.text, "Folders have no access level, only files have.");
    assert_eq!(told.level, MessageLevel::Hint);
    assert!(!world.drawn().contains('✓'), "{}", world.drawn());
    assert_eq!(world.state.activity.unseen(), 0);
}

#[test]
fn a_long_message_keeps_its_end() {
    let path = format!("/{}/hero-banner.txt", "marketing".repeat(7));
    let mut world = World::with_root(vec![Entry::File(file(
        "1",
        &path,
        "PUBLIC_INDEXABLE",
        None,
    ))]);
    world.send(Msg::Resize { cols: 80, rows: 24 });
    world.keys("y u");
    let drawn = world.drawn();
    let line = drawn
        .lines()
        .find(|line| line.contains("Address "))
        .unwrap();
    assert!(
        line.contains("https://acme") && line.contains("/hero-banner.txt"),
        "{drawn}"
    );
}

#[test]
fn a_failure_that_comes_again_is_told_once() {
    let mut world = World::new();
    for _ in 0..3 {
        world.keys("ctrl-r");
        let (op, _) = world
            .asked_for(|request| matches!(request, Request::List(_)))
            .unwrap();
        world.fail(
            op,
            Error::new(
                Kind::Unreachable,
                "Cannot connect to acme.example: no route",
            ),
        );
    }
    let told: Vec<_> = world
        .state
        .activity
        .iter()
        .map(|entry| entry.text.as_str())
        .collect();
    assert_eq!(
        told,
        ["/ could not be read: Cannot connect to acme.example: no route"]
    );
    assert_eq!(world.state.activity.unseen(), 1);
}

#[test]
fn a_cancelled_transfer_of_many_says_what_is_there_and_what_is_not() {
    let (mut world, taken) = saving(1_000);
    world.tell(view(&[running(taken.batch(), vec![under_way("0000.txt")])]));
    assert_eq!(world.told("w x right enter"), [Control::Cancel(taken.id)]);
    let saved = |at: usize| {
        let file = Box::new(file(
            &format!("f{at}"),
            &format!("/many/{at:04}.txt"),
            "PRIVATE",
            None,
        ));
        Ok(Outcome::Downloaded {
            file,
            path: format!("/home/ada/work/{at:04}.txt").into(),
            bytes: 1_024,
        })
    };
    let results = (0..357).map(|at| {
        if at % 200 == 9 {
            Err(no_room())
        } else {
            saved(at)
        }
    });
    world.end(&taken, results.collect());
    let said = "Canceled download: 355 of 1,000 items done, 2 failed, 643 not done. Downloaded files stay.";
    assert_eq!(world.said(), [said]);
}

#[test]
fn cancelling_an_import_under_way_says_that_the_service_goes_on() {
    let mut world = World::new();
    world.send(Msg::Paste("https://cdn.example.com/logo.svg".to_owned()));
    world.keys("enter");
    let taken = world.take(JobKind::Import);
    world.end(&taken, Vec::new());
    assert!(world.says("the service continues"), "{:?}", world.said());
}

#[test]
fn a_failed_task_shows_its_error_and_which_key_does_it_again() {
    let (mut world, taken) = uploading();
    let error = changed(no_room(), |error| {
        error.correlation_id = Some("abc-1".to_owned());
    });
    world.end(&taken, vec![Err(error.clone())]);
    assert!(
        world.says("Upload failed, a.txt → /: no room."),
        "{:?}",
        world.said()
    );
    let batch = ended(taken.batch(), 0, 1, world.state.now);
    world.tell(view(&[Batch {
        failure: Some(("a.txt".to_owned(), error)),
        ..batch
    }]));
    world.keys("w");
    assert_eq!(
        world.drawn().matches("no room").count(),
        2,
        "in its row and its details: {}",
        world.drawn()
    );
    world.keys("enter");
    assert!(
        world.shows("abc-1") && world.shows("Press r in the list of tasks to retry it"),
        "{}",
        world.drawn()
    );
    assert_eq!(world.told("esc r"), [Control::Retry(taken.id)]);
}

#[test]
fn details_of_many_follow_their_task_and_say_what_failed_and_why() {
    let (mut world, taken) = saving(100);
    let batch = |done: usize, failed: usize| {
        let job = RunningJob {
            bytes: Some((5, Some(10))),
            ..under_way("0007.txt")
        };
        let batch = running(taken.batch(), vec![job]);
        let counts = Counts {
            done,
            failed,
            ..batch.counts
        };
        view(&[Batch { counts, ..batch }])
    };
    world.send(Msg::Resize { cols: 80, rows: 24 });
    world.tell(batch(6, 0));
    world.keys("w");
    assert!(
        world.shows("Items  100: 6 done, 1 under way, 93 waiting"),
        "{}",
        world.drawn()
    );
    assert!(world.shows("- 0007.txt  50%"), "{}", world.drawn());
    assert_eq!(
        world.count(|request| matches!(request, Request::ListFailures(_))),
        0
    );
    world.tell(batch(30, 2));
    world.keys("enter");
    let op = world.asked(|request| *request == Request::ListFailures(ListFailures(taken.id)));
    let failed = ["0012.txt", "0013.txt"].map(|name| (name.to_owned(), no_room()));
    world.done(op, Answer::ListFailures(failed.to_vec()));
    assert!(
        world.shows("2 failed") && world.shows("- 0012.txt: no room"),
        "{}",
        world.drawn()
    );
    world.tell(batch(31, 2));
    assert!(world.shows("Items     100: 31 done"), "{}", world.drawn());
    assert_eq!(
        world.count(|request| matches!(request, Request::ListFailures(_))),
        0,
        "nothing more has failed"
    );
}

#[test]
fn an_upload_into_a_folder_that_it_creates_has_not_changed_its_name() {
    let (mut world, mut taken) = uploading();
    if let Job::Upload { name, .. } = &mut taken.jobs[0] {
        *name = Some("web/a.txt".to_owned());
    }
    let stored = file("10", "/web/a.txt", "PRIVATE", Some("w"));
    world.end_well(&taken, vec![uploaded(stored)]);
    assert!(world.says("Uploaded /web/a.txt"), "{:?}", world.said());
    assert!(!world.says("changed the name"), "{:?}", world.said());
}

#[test]
fn an_upload_that_was_stored_under_another_name_says_so() {
    let (mut world, taken) = uploading();
    world.end_well(
        &taken,
        vec![uploaded(file("10", "/a-1.txt", "PRIVATE", None))],
    );
    assert!(
        world.says("/a-1.txt. The service changed the name a.txt"),
        "{:?}",
        world.said()
    );
}

#[test]
fn what_an_earlier_run_left_is_told_of_once() {
    let mut world = World::started();
    let before = world.state.now - SignedDuration::from_hours(1);
    let upload = |id| queued(id, &uploading().1.jobs, before);
    let left = [
        upload(1),
        held(deletion(2, before), Hold::Restarted),
        held(deletion(3, before), Hold::Restarted),
    ];
    world.tell(view(&left));
    assert_eq!(
        world.said(),
        ["2 tasks of an earlier session wait, 1 more continues: 2 shows them."]
    );
    world.wait(10_000);
    world.tell(view(&left));
    assert_eq!(world.said(), Vec::<&str>::new());
    assert!(
        !world.shows("left by an earlier session: r"),
        "r means something else here: {}",
        world.drawn()
    );
    world.keys("w");
    assert!(
        world.shows("left by an earlier session: r continues"),
        "{}",
        world.drawn()
    );
}

#[test]
fn what_this_run_asks_for_is_not_taken_for_an_earlier_ones() {
    let (mut world, taken) = uploading();
    world.tell(view(&[taken.batch()]));
    assert_eq!(world.said(), Vec::<&str>::new());
}

#[test]
fn a_task_that_waits_for_a_reason_says_why_and_until_when_and_only_once() {
    let (mut world, taken) = saving(25);
    let hold = |until| {
        let error = Error::new(Kind::RateLimited, "The daily budget is spent.");
        view(&[held(taken.batch(), Hold::Cause { error, until })])
    };
    let until = world.state.now + SignedDuration::from_mins(90);
    world.tell(hold(Some(until)));
    let said = "Download waits until 09:30 and continues then, 25 files in /many → ~/work: The daily budget is spent. The account's request budget is used up; try again later.";
    assert_eq!(world.said(), [said]);
    world.wait(10_000);
    world.tell(hold(Some(until + SignedDuration::from_hours(24))));
    assert_eq!(world.said(), Vec::<&str>::new());
    world.keys("w");
    assert!(
        world.shows("waits until 2026-11-22 09:30: The daily budget"),
        "{}",
        world.drawn()
    );
    world.tell(hold(None));
    assert!(
        world.shows("waits, r retries: The daily budget is spent."),
        "{}",
        world.drawn()
    );
}

#[test]
fn a_task_that_was_told_to_go_on_says_again_why_it_waits() {
    let (mut world, taken) = saving(25);
    let hold = Hold::Cause {
        error: Error::new(Kind::Unauthorized, "The token has expired."),
        until: None,
    };
    world.tell(view(&[held(taken.batch(), hold.clone())]));
    world.wait(60_000);
    assert_eq!(world.said(), Vec::<&str>::new());
    assert_eq!(world.told("w r"), [Control::Resume(taken.id)]);
    world.tell(view(&[running(taken.batch(), vec![under_way("0000.txt")])]));
    world.tell(view(&[held(taken.batch(), hold)]));
    assert!(
        world.says("Download waits, 25 files in /many → ~/work: The token has expired."),
        "{:?}",
        world.said()
    );
}

#[test]
fn how_fast_a_transfer_is_stays_said_between_two_of_its_files() {
    let (mut world, taken) = saving(25);
    world.keys("w");
    let batch = running(taken.batch(), vec![under_way("0002.txt")]);
    for done in [0, 4_096] {
        world.wait(1_000);
        let bytes = Bytes {
            done,
            ..batch.bytes
        };
        world.tell(view(&[Batch {
            bytes,
            ..batch.clone()
        }]));
    }
    assert!(world.shows("0 of 25    4.1 KB/s"), "{}", world.drawn());
}

#[test]
fn a_paused_task_is_not_said_to_stand_still_while_something_of_it_is_under_way() {
    let (mut world, taken) = saving(25);
    world.keys("w");
    let batch = running(taken.batch(), vec![under_way("0000.txt")]);
    world.tell(view(&[Batch {
        state: BatchState::Held(Hold::Paused),
        ..batch
    }]));
    assert!(world.shows("pausing: 1 goes"), "{}", world.drawn());
    world.tell(view(&[held(taken.batch(), Hold::Paused)]));
    assert!(
        !world.shows("pausing") && world.shows("0 of 25"),
        "{}",
        world.drawn()
    );
}

#[test]
fn a_rate_limit_stands_in_the_row_of_the_task_that_waits_for_it() {
    let (mut world, taken) = saving(48);
    let until = world.state.now + SignedDuration::from_secs(7);
    let job = RunningJob {
        waiting: Some((until, WaitReason::RateLimit)),
        ..under_way("0000.txt")
    };
    world.tell(view(&[running(taken.batch(), vec![job.clone(), job])]));
    let drawn = world.drawn();
    let row = drawn
        .lines()
        .find(|line| line.contains("waiting 7 s for the rate"));
    assert!(row.is_some_and(|row| row.contains("0 of 48")), "{drawn}");
    world.keys("w");
    assert!(
        world.shows("waiting 6 s for the rate limit"),
        "{}",
        world.drawn()
    );
}

#[test]
fn a_user_who_looks_elsewhere_is_told_of_work_that_took_long_where_that_is_asked_for() {
    for (notify, seconds, expected) in [(true, 20, 1), (true, 5, 0), (false, 20, 0)] {
        let (mut world, taken) = saving(25);
        world.state.notify = notify;
        let mut batch = ended(taken.batch(), 25, 0, world.state.now);
        batch.started_at = Some(world.state.now - SignedDuration::from_secs(seconds));
        let effects = world.send(Msg::Engine(SessionId::FIRST, Event::Ended(Arc::new(batch))));
        let told = effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Notify(words) if words.contains("25 files")));
        assert_eq!(
            told.count(),
            expected,
            "{notify} after {seconds} s: {effects:?}"
        );
    }
}
