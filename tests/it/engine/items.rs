//! The individual jobs of a batch: listed a screen at a time, cancelled and redone alone.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

use filedeck::engine::QueueView;
use filedeck::engine::batch::{Counts, JobId, RowPlace};
use filedeck::engine::queue_view::{BatchJob, JobState, QueueRow};

use super::queue::{deletions, gated, until};
use super::*;
use filedeck::engine::question::ControlQueue;

fn jobs(view: &QueueView) -> Vec<&BatchJob> {
    let jobs = view.window.iter().filter_map(|row| match row {
        QueueRow::Job(job) => Some(job),
        QueueRow::Batch(_) | QueueRow::Older(_) => None,
    });
    jobs.collect()
}

async fn tell(engine: &mut Engine, control: Control) {
    engine
        .answer(Request::ControlQueue(ControlQueue(control)))
        .await;
}

#[tokio::test]
async fn of_ten_thousand_jobs_no_more_is_told_than_is_watched() {
    const ALL: usize = 10_000;
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let mut engine = Engine::start(client(&service.url)).await;
    tell(&mut engine, Control::PauseQueue(true)).await;
    let id = engine.queue(deletions(ALL)).await;
    tell(&mut engine, Control::Unfold(id, true)).await;
    for (below, expected) in [(0, 1..20), (5_000, 4_980..5_020), (ALL, 9_980..10_001)] {
        tell(
            &mut engine,
            Control::Watch {
                around: Some(RowPlace { batch: id, below }),
                rows: 20,
            },
        )
        .await;
        let view = until(&mut engine, |view| {
            jobs(view).iter().map(|job| job.below).eq(expected.clone()) && view.count == ALL + 1
        })
        .await;
        let numbers = jobs(&view)
            .into_iter()
            .map(|job| (job.id.number as usize + 1, &job.state));
        assert!(numbers.eq(expected.map(|below| (below, &JobState::Waiting))));
    }
    let last = JobId {
        batch: id,
        number: 9_999,
    };
    tell(&mut engine, Control::CancelJob(last)).await;
    let view = until(&mut engine, |view| view.top[0].counts.cancelled == 1).await;
    let job = *jobs(&view).last().unwrap();
    assert_eq!(
        (job.id, &job.state),
        (last, &JobState::Cancelled { in_doubt: false })
    );
    tell(&mut engine, Control::RetryJob(last)).await;
    until(&mut engine, |view| view.top[0].counts.waiting() == ALL).await;
    tell(&mut engine, Control::Unfold(id, false)).await;
    let view = until(&mut engine, |view| view.count == 1).await;
    assert_eq!(
        view.window.len(),
        1,
        "the row that is watched is that of the batch now"
    );
}

#[tokio::test]
async fn one_job_that_failed_is_done_again_alone() {
    let open = Arc::new(AtomicBool::new(false));
    let service = gated(&open, || Reply::json(409, &json!({ "message": "in use" }))).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let id = engine.settle(deletions(3)).await.1.id;
    tell(&mut engine, Control::Unfold(id, true)).await;
    tell(
        &mut engine,
        Control::Watch {
            around: None,
            rows: 20,
        },
    )
    .await;
    let view = until(&mut engine, |view| jobs(view).len() == 3).await;
    for job in jobs(&view) {
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
    let view = until(&mut engine, |view| {
        jobs(view).iter().any(|job| job.state == JobState::Done)
    })
    .await;
    let order: Vec<u32> = jobs(&view).iter().map(|job| job.id.number).collect();
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
        view.top.iter().any(|batch| batch.counts.running == 3)
    })
    .await;
    let refused = engine.run(wanted(0)).await.unwrap_err();
    assert!(
        refused.message.contains("cannot be interrupted"),
        "{refused:?}"
    );
    engine.answer(wanted(8)).await;
    until(&mut engine, |view| {
        view.top
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
    tell(&mut engine, Control::Unfold(id, true)).await;
    tell(
        &mut engine,
        Control::Watch {
            around: Some(RowPlace {
                batch: id,
                below: 0,
            }),
            rows: 20,
        },
    )
    .await;
    let of_uploads = |view: &QueueView| -> Vec<JobState> {
        jobs(view)
            .iter()
            .filter(|job| job.id.batch == id)
            .map(|job| job.state.clone())
            .collect()
    };
    let is_running = |state: &JobState| matches!(state, JobState::Running(_));
    until(&mut engine, |view| {
        of_uploads(view)
            .iter()
            .filter(|state| is_running(state))
            .count()
            == 2
    })
    .await;
    tell(
        &mut engine,
        Control::CancelJob(JobId {
            batch: id,
            number: 0,
        }),
    )
    .await;
    let states =
        |view: &QueueView| of_uploads(view).last() == Some(&JobState::Cancelled { in_doubt: true });
    let view = until(&mut engine, states).await;
    assert!(is_running(&of_uploads(&view)[0]), "the other one goes on");
}
