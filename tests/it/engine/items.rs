//! The individual jobs of a batch: listed a screen at a time, cancelled and redone alone.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

use filedeck::engine::QueueView;
use filedeck::engine::batch::{Counts, JobId};
use filedeck::engine::queue_view::{BatchJob, JobState};

use super::queue::{deletions, gated, until};
use super::*;
use filedeck::engine::question::{ControlQueue, ListJobs};

async fn jobs(engine: &mut Engine, batch: BatchId, range: Range<usize>) -> Vec<BatchJob> {
    let question = ListJobs { batch, range };
    match engine.answer(Request::ListJobs(question)).await {
        Answer::ListJobs(jobs) => jobs,
        other => panic!("{other:?}"),
    }
}

async fn tell(engine: &mut Engine, control: Control) {
    engine
        .answer(Request::ControlQueue(ControlQueue(control)))
        .await;
}

#[tokio::test]
async fn of_ten_thousand_jobs_those_that_are_asked_for_are_listed() {
    const ALL: usize = 10_000;
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let mut engine = Engine::start(client(&service.url)).await;
    tell(&mut engine, Control::PauseQueue(true)).await;
    let id = engine.queue(deletions(ALL)).await;
    for range in [0..20, 50..70, 4_980..5_020, 9_980..10_100] {
        let listed = jobs(&mut engine, id, range.clone()).await;
        let listed = listed
            .iter()
            .map(|job| (job.id.number as usize, &job.state));
        let expected = range.start..range.end.min(ALL);
        assert!(listed.eq(expected.map(|number| (number, &JobState::Waiting))));
    }
    let last = JobId {
        batch: id,
        number: 9_999,
    };
    tell(&mut engine, Control::CancelJob(last)).await;
    until(&mut engine, |view| view.batches[0].counts.cancelled == 1).await;
    let listed = jobs(&mut engine, id, ALL - 1..ALL).await;
    let listed: Vec<_> = listed.iter().map(|job| (job.id, &job.state)).collect();
    assert_eq!(listed, [(last, &JobState::Cancelled { in_doubt: false })]);
    tell(&mut engine, Control::RetryJob(last)).await;
    until(&mut engine, |view| view.batches[0].counts.waiting() == ALL).await;
    let none = jobs(&mut engine, BatchId(99), 0..9).await;
    assert!(none.is_empty(), "a task that is gone has no items");
}

#[tokio::test]
async fn each_job_is_listed_once_at_any_time() {
    const ALL: usize = 200;
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let id = engine.queue(deletions(ALL)).await;
    loop {
        let listed = jobs(&mut engine, id, 0..ALL).await;
        let numbers: BTreeSet<u32> = listed.iter().map(|job| job.id.number).collect();
        assert_eq!((listed.len(), numbers.len()), (ALL, ALL));
        if listed.iter().all(|job| job.state == JobState::Done) {
            break;
        }
    }
}

#[tokio::test]
async fn one_job_that_failed_is_done_again_alone() {
    let open = Arc::new(AtomicBool::new(false));
    let service = gated(&open, || Reply::json(409, &json!({ "message": "in use" }))).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let id = engine.settle(deletions(3)).await.1.id;
    let listed = jobs(&mut engine, id, 0..20).await;
    assert_eq!(listed.len(), 3);
    for job in listed {
        assert!(
            matches!(&job.state, JobState::Failed(error) if error.message == "in use"),
            "{job:?}"
        );
        assert!(job.started_at.unwrap() <= job.ended_at.unwrap());
    }

    open.store(true, SeqCst);
    let second = JobId {
        batch: id,
        number: 1,
    };
    tell(&mut engine, Control::RetryJob(second)).await;
    let ended = loop {
        if let Event::Ended(batch) = engine.next().await {
            break batch;
        }
    };
    assert_eq!(
        ended.counts,
        Counts {
            total: 3,
            done: 1,
            failed: 2,
            ..Counts::default()
        }
    );
    let listed = jobs(&mut engine, id, 0..20).await;
    let order: Vec<u32> = listed.iter().map(|job| job.id.number).collect();
    assert_eq!(order, [0, 2, 1], "what failed comes before what is done");
    let refused = engine
        .run(Request::ControlQueue(ControlQueue(Control::RetryJob(
            second,
        ))))
        .await
        .unwrap_err();
    assert!(refused.message.contains("Only failed"), "{refused:?}");
}

#[tokio::test]
async fn a_change_under_way_is_not_cut_short_but_a_transfer_and_what_waits_are() {
    let service = Capture::start(|_, _| Reply::Silence).await;
    let (mut engine, dir) = (
        Engine::start(client(&service.url)).await,
        tempfile::tempdir().unwrap(),
    );
    let id = engine.queue(deletions(9)).await;
    let wanted = |number| {
        Request::ControlQueue(ControlQueue(Control::CancelJob(JobId {
            batch: id,
            number,
        })))
    };
    until(&mut engine, |view| {
        view.batches.iter().any(|batch| batch.counts.running == 3)
    })
    .await;
    let refused = engine.run(wanted(0)).await.unwrap_err();
    assert!(
        refused.message.contains("cannot be interrupted"),
        "{refused:?}"
    );
    engine.answer(wanted(8)).await;
    until(&mut engine, |view| {
        view.batches
            .iter()
            .any(|batch| batch.id == id && batch.counts.cancelled == 1)
    })
    .await;

    let uploads = (0..2).map(|at| {
        sending(
            &local(&dir, &format!("{at}.txt"), b"x"),
            &FolderRef::root(),
            Access::Private,
        )
    });
    let id = engine.queue(uploads.collect()).await;
    let is_running = |job: &BatchJob| matches!(job.state, JobState::Running(_));
    let counted = |view: &QueueView| {
        let mut batches = view.batches.iter();
        let batch = batches.find(|batch| batch.id == id);
        batch.map_or((0, 0), |batch| {
            (batch.counts.running, batch.counts.cancelled)
        })
    };
    until(&mut engine, |view| counted(view) == (2, 0)).await;
    assert!(jobs(&mut engine, id, 0..20).await.iter().all(is_running));
    tell(
        &mut engine,
        Control::CancelJob(JobId {
            batch: id,
            number: 0,
        }),
    )
    .await;
    until(&mut engine, |view| counted(view) == (1, 1)).await;
    let listed = jobs(&mut engine, id, 0..20).await;
    assert!(is_running(&listed[0]), "the other one goes on");
    assert_eq!(listed[1].state, JobState::Cancelled { in_doubt: true });
}
