//! The queue: the order of tasks, what they wait for and why, and its controls.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use filedeck::engine::batch::Counts;
use filedeck::engine::source_accounts::SourceAccounts;
use filedeck::engine::{AtOnce, EngineSetup, QueueMode, QueueView, RunEvent};
use jiff::Timestamp;

use super::*;
use crate::support::account::impatient_client;
use crate::support::journal::Unwritable;
use crate::support::proxy::{Calls, Fault, Passed, Proxy, Rule, Which};
use filedeck::engine::question::{ControlQueue, ListFailures};

pub(super) fn deletions(count: usize) -> Vec<Job> {
    (0..count).map(|id| deletion(&id.to_string())).collect()
}

/// A service that deletes at once while `open` is `true`, and otherwise answers with `shut`.
pub(super) async fn gated(open: &Arc<AtomicBool>, shut: fn() -> Reply) -> Capture {
    let open = open.clone();
    Capture::start(move |_, _| {
        if open.load(SeqCst) {
            Reply::status(204, &[])
        } else {
            shut()
        }
    })
    .await
}

pub(super) async fn until(engine: &mut Engine, wanted: impl Fn(&QueueView) -> bool) -> QueueView {
    loop {
        if let Event::Queue(view) = engine.next().await
            && wanted(&view)
        {
            return *view;
        }
    }
}

fn batch(view: &QueueView, id: BatchId) -> &Batch {
    view.batches.iter().find(|batch| batch.id == id).unwrap()
}

fn failures(view: &QueueView) -> usize {
    view.batches.iter().map(|batch| batch.counts.failed).sum()
}

#[tokio::test]
async fn all_of_a_large_batch_is_done_and_told_of_four_times_a_second_at_most() {
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let (began, mut told) = (Instant::now(), 0_u128);
    let id = engine.queue(deletions(1_000)).await;
    let (settled, ended) = engine
        .end_of(id, |_, event| {
            told += u128::from(matches!(event, Event::Queue(_)));
        })
        .await;
    assert_eq!(
        ended.counts,
        Counts {
            total: 1_000,
            done: 1_000,
            ..Counts::default()
        }
    );
    assert_eq!((settled.len(), service.seen().len()), (1_000, 1_000));
    let most = began.elapsed().as_millis() / 250 + 2;
    assert!(told <= most, "{told} views, {most} were allowed");
}

#[tokio::test]
async fn of_ten_thousand_none_is_lost_and_none_is_done_twice() {
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::open(&dir.path().join("journal.db"), "test")
        .await
        .unwrap();
    let mut engine = Engine::with_journal(client(&service.url), journal);
    let (settled, ended) = engine.settle(deletions(10_000)).await;
    assert_eq!((settled.len(), ended.counts.done), (10_000, 10_000));
    let mut calls = service.calls();
    calls.sort();
    calls.dedup();
    assert_eq!((calls.len(), service.seen().len()), (10_000, 10_000));
}

#[tokio::test]
async fn what_a_person_waits_for_does_not_wait_for_a_thousand_others() {
    let service = Capture::start(|seen, _| match seen.target.as_str() {
        "/files/v3/files/one" => Reply::status(204, &[]),
        _ => Reply::Silence,
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    engine.queue(deletions(1_000)).await;
    assert!(matches!(
        engine.job(deletion("one")).await,
        Outcome::Deleted { .. }
    ));
}

#[tokio::test]
async fn an_upload_that_a_person_waits_for_goes_before_bulk() {
    let (service, mut engine, dir) = started().await;
    let bulk: Vec<Job> = (0..40)
        .map(|number| {
            sending(
                &local(&dir, &format!("{number}.txt"), b"x"),
                &FolderRef::root(),
                Access::Private,
            )
        })
        .collect();
    let one = sending(
        &local(&dir, "one.txt", b"y"),
        &FolderRef::root(),
        Access::Private,
    );
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let (bulk, one) = (engine.queue(bulk).await, engine.queue(vec![one]).await);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            false,
        ))))
        .await;
    let mut ended = Vec::new();
    while ended.len() < 2 {
        if let Event::Ended(batch) = engine.next().await {
            ended.push(batch.id);
        }
    }
    assert_eq!(ended, [one, bulk]);
    drop(service);
}

fn token_is_gone() -> Reply {
    Reply::json(401, &json!({ "message": "This token is gone" }))
}

fn scope_is_missing() -> Reply {
    let context = json!({ "requiredGranularScopes": ["files"] });
    Reply::json(
        403,
        &json!({ "message": "No such scope", "category": "MISSING_SCOPES", "context": context }),
    )
}

fn day_is_spent() -> Reply {
    Reply::json(
        429,
        &json!({ "message": "The day is spent", "category": "RATE_LIMIT", "policyName": "DAILY" }),
    )
}

fn sign_in() -> Reply {
    Reply::status(302, &[("location", "http://hotel.example/sign-in")])
}

#[rstest]
#[case::token(token_is_gone, Kind::Unauthorized, "This token is gone", None)]
#[case::scope(
    scope_is_missing,
    Kind::Forbidden,
    "The token lacks the scope files",
    None
)]
#[case::day(
    day_is_spent,
    Kind::DaySpent,
    "The account's daily request budget is used up; it is renewed at midnight in the account's time zone",
    Some(1)
)]
#[case::portal(
    sign_in,
    Kind::Portal,
    "This is not the service's answer but a redirect to a web page (hotel.example), such as a network's sign-in page",
    Some(0)
)]
#[tokio::test]
async fn what_all_would_fail_for_lets_the_rest_wait_and_says_why_and_until_when(
    #[case] shut: fn() -> Reply,
    #[case] kind: Kind,
    #[case] message: &str,
    #[case] hours: Option<i64>,
) {
    let open = Arc::new(AtomicBool::new(false));
    let service = gated(&open, shut).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let begun = Timestamp::now();
    let id = engine.queue(deletions(500)).await;
    let view = until(&mut engine, |view| view.totals.held == 500).await;
    let BatchState::Held(Hold::Cause { error, until: when }) = &batch(&view, id).state else {
        panic!("{view:?}")
    };
    assert_eq!((error.kind, error.message.as_str()), (kind, message));
    assert_eq!(
        when.map(|when| when.duration_since(begun).as_hours()),
        hours
    );
    assert_eq!((failures(&view), view.totals.queued), (0, 0));
    assert!(
        service.seen().len() <= 4,
        "no more than were under way were tried: {}",
        service.seen().len()
    );

    open.store(true, SeqCst);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Resume(id))))
        .await;
    let (_, ended) = engine.end_of(id, |_, _| {}).await;
    assert_eq!(ended.counts.done, 500);
}

#[tokio::test]
async fn once_the_day_is_spent_no_other_task_asks_for_itself() {
    let service = gated(&Arc::default(), day_is_spent).await;
    let mut engine = Engine::start(client(&service.url)).await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let ids = [
        engine.queue(deletions(40)).await,
        engine.queue(deletions(50)).await,
        engine.queue(deletions(60)).await,
    ];
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            false,
        ))))
        .await;
    let view = until(&mut engine, |view| view.totals.held == 150).await;
    for id in ids {
        let BatchState::Held(Hold::Cause {
            error,
            until: Some(_),
        }) = &batch(&view, id).state
        else {
            panic!("{view:?}")
        };
        assert_eq!(error.kind, Kind::DaySpent);
    }
    assert!(
        service.seen().len() <= 3,
        "no more than were under way: {}",
        service.seen().len()
    );
}

#[tokio::test]
async fn a_transfer_waits_until_the_network_lets_it_through_and_the_token_goes_nowhere_else() {
    let elsewhere = Capture::start(|_, _| Reply::status(200, &[])).await;
    let portal = elsewhere.url.to_string();
    let service =
        Capture::start(move |_, _| Reply::status(302, &[("location", portal.as_str())])).await;
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&service.url)).await;
    let id = engine
        .queue(vec![sending(
            &local(&dir, "a", b"x"),
            &FolderRef::root(),
            Access::Private,
        )])
        .await;
    let view = until(&mut engine, |view| view.totals.held == 1).await;
    let BatchState::Held(Hold::Cause { error, until }) = &batch(&view, id).state else {
        panic!("{view:?}")
    };
    assert_eq!((error.kind, failures(&view)), (Kind::Portal, 0));
    assert!(until.is_some(), "it says when it tries again");
    assert!(elsewhere.seen().is_empty(), "a redirect was followed");
}

#[tokio::test]
async fn a_change_that_a_person_waits_for_fails_at_once() {
    let service =
        Capture::start(|_, _| Reply::json(401, &json!({ "message": "This token is gone" }))).await;
    let mut engine = Engine::start(client(&service.url)).await;
    assert_eq!(
        engine.carry_out(deletion("1")).await.unwrap_err().kind,
        Kind::Unauthorized
    );
}

#[tokio::test]
async fn a_transfer_waits_by_itself_for_a_service_that_cannot_be_reached() {
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&"http://127.0.0.1:9".parse().unwrap())).await;
    let id = engine
        .queue(vec![sending(
            &local(&dir, "a", b"x"),
            &FolderRef::root(),
            Access::Private,
        )])
        .await;
    let view = until(&mut engine, |view| view.totals.held == 1).await;
    let BatchState::Held(Hold::Cause { error, until }) = &batch(&view, id).state else {
        panic!("{view:?}")
    };
    assert_eq!(error.kind, Kind::Unreachable);
    assert!(until.is_some(), "it says when it tries again");
}

#[tokio::test]
async fn a_503_among_many_uploads_needs_no_hand() {
    let service = TestService::start().await;
    let proxy = Proxy::start(service.running.base_url()).await;
    let calls = Calls::to("POST", "/files/v3/files");
    proxy.rules(vec![Rule::new(
        calls,
        Which::Nth(7),
        Fault::status(503, &[]),
    )]);
    let token = service.token().to_owned();
    let mut engine = Engine::start(crate::support::account::client_with(&proxy.url, &token)).await;
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<Job> = (0..25)
        .map(|number| {
            let file = local(
                &dir,
                &format!("{number}.txt"),
                number.to_string().as_bytes(),
            );
            sending(&file, &FolderRef::root(), Access::Private)
        })
        .collect();
    let (_, ended) = engine.settle(files).await;
    assert_eq!((ended.counts.done, ended.counts.failed), (25, 0));
    let mut found = names(&list(&mut engine, &FolderRef::root(), None).await.0);
    found.sort_by_key(|name| name.trim_end_matches(".txt").parse::<u32>().unwrap());
    assert_eq!(
        found,
        (0..25)
            .map(|number| format!("{number}.txt"))
            .collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn an_upload_whose_answer_was_lost_with_the_line_is_looked_up_when_that_is_back() {
    let service = TestService::start().await;
    let proxy = Proxy::start(service.running.base_url()).await;
    let (posts, looks) = (
        Calls::to("POST", "/files/v3/files"),
        Calls::to("GET", "/files/v3/files").naming("fileMd5"),
    );
    proxy.rules(vec![
        Rule::new(posts, Which::All, Fault::Reset(Passed::Now)),
        Rule::new(looks, Which::All, Fault::ResetBefore),
    ]);
    let mut engine = Engine::start(impatient_client(&proxy.url, service.token())).await;
    let dir = tempfile::tempdir().unwrap();
    let files = ["a.txt", "b.txt"].map(|name| {
        sending(
            &local(&dir, name, name.as_bytes()),
            &FolderRef::root(),
            Access::Private,
        )
    });
    let id = engine.queue(files.into()).await;
    let view = until(&mut engine, |view| view.totals.held == 2).await;
    let BatchState::Held(Hold::Cause { error, until: when }) = &batch(&view, id).state else {
        panic!("{view:?}")
    };
    assert_eq!(
        (error.kind, when.is_some()),
        (Kind::Unreachable, true),
        "{error}"
    );

    proxy.rules(Vec::new());
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Resume(id))))
        .await;
    let (_, ended) = engine.end_of(id, |_, _| {}).await;
    assert_eq!((ended.counts.done, ended.counts.failed), (2, 0));
    assert_eq!(
        names(&list(&mut engine, &FolderRef::root(), None).await.0),
        ["a.txt", "b.txt"]
    );
}

#[tokio::test]
async fn a_paused_batch_begins_nothing_until_it_goes_on() {
    let open = Arc::new(AtomicBool::new(true));
    let service = gated(&open, || Reply::Silence).await;
    let mut engine = Engine::start(client(&service.url)).await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let (first, second) = (
        engine.queue(deletions(300)).await,
        engine.queue(deletions(300)).await,
    );
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Pause(first))))
        .await;
    let view = until(&mut engine, |view| view.totals.held == 300).await;
    assert!(view.totals.draining);
    assert_eq!(
        (batch(&view, first).state.clone(), view.totals.queued),
        (BatchState::Held(Hold::Paused), 300)
    );
    assert!(
        service.seen().is_empty(),
        "nothing begins while the queue is drained"
    );
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            false,
        ))))
        .await;
    let (_, ended) = engine.end_of(second, |_, _| {}).await;
    assert_eq!((ended.counts.done, service.seen().len()), (300, 300));
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Resume(first))))
        .await;
    assert_eq!(engine.end_of(first, |_, _| {}).await.1.counts.done, 300);
}

async fn drained(service: &Capture, dir: &TempDir, count: usize) -> (Engine, BatchId) {
    let journal = Journal::open(&dir.path().join("journal.db"), "test")
        .await
        .unwrap();
    let mut engine = Engine::with_journal(client(&service.url), journal);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let id = engine.queue(deletions(count)).await;
    (engine, id)
}

#[tokio::test]
async fn a_batch_can_be_cancelled_and_done_again_though_the_journal_could_not_be_written() {
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let dir = tempfile::tempdir().unwrap();
    let (mut engine, id) = drained(&service, &dir, 100).await;
    let unwritable = Unwritable::make(&dir.path().join("journal.db"), "UPDATE ON item");
    let cancel = engine.submit(Request::ControlQueue(ControlQueue(Control::Cancel(id))));
    let (mut ended, mut told) = (None, None);
    while ended.is_none() || told.is_none() {
        match engine.next().await {
            Event::Ended(batch) => ended = Some(batch.counts),
            Event::Done { op, result } if op == cancel => told = Some(result),
            _ => {}
        }
    }
    assert_eq!(
        ended,
        Some(Counts {
            total: 100,
            cancelled: 100,
            ..Counts::default()
        })
    );
    assert!(told.unwrap().unwrap_err().message.contains("no room"));

    unwritable.end();
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            false,
        ))))
        .await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Retry(id))))
        .await;
    assert_eq!(engine.end_of(id, |_, _| {}).await.1.counts.done, 100);
    assert_eq!(service.seen().len(), 100);
}

#[tokio::test]
async fn what_was_done_is_known_at_the_next_start_though_it_could_not_be_written_at_once() {
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let dir = tempfile::tempdir().unwrap();
    let (mut engine, id) = drained(&service, &dir, 64).await;
    let unwritable = Unwritable::make(
        &dir.path().join("journal.db"),
        "UPDATE OF state ON item WHEN new.state = 'done'",
    );
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            false,
        ))))
        .await;
    assert_eq!(engine.end_of(id, |_, _| {}).await.1.counts.done, 64);
    unwritable.end();
    engine.handle.shutdown().await;
    let journal = Journal::open(&dir.path().join("journal.db"), "test")
        .await
        .unwrap();
    let mut engine = Engine::with_journal(client(&service.url), journal);
    let view = until(&mut engine, |view| view.older == 1).await;
    let [older] = view.batches.as_slice() else {
        panic!("{view:?}")
    };
    assert_eq!((older.id, older.counts.done), (id, 64));
    assert_eq!((view.totals.unfinished, service.seen().len()), (0, 64));
}

#[tokio::test]
async fn what_is_put_to_the_top_goes_first() {
    let open = Arc::new(AtomicBool::new(true));
    let service = gated(&open, || Reply::Silence).await;
    let mut engine = Engine::start(client(&service.url)).await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            true,
        ))))
        .await;
    let (first, second) = (
        engine.queue(deletions(100)).await,
        engine.queue(deletions(100)).await,
    );
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::MoveToTop(
            second,
        ))))
        .await;
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::PauseQueue(
            false,
        ))))
        .await;
    let mut ended = Vec::new();
    while ended.len() < 2 {
        if let Event::Ended(batch) = engine.next().await {
            ended.push(batch.id);
        }
    }
    assert_eq!(ended, [second, first]);
}

#[tokio::test]
async fn what_failed_is_done_again_in_all_batches_at_once() {
    let open = Arc::new(AtomicBool::new(false));
    let service = gated(&open, || Reply::json(409, &json!({}))).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let failed = [
        engine.settle(deletions(3)).await.1,
        engine.settle(deletions(2)).await.1,
    ];
    assert_eq!(
        failed
            .each_ref()
            .map(|batch| (batch.counts.failed, batch.has_failed())),
        [(3, true), (2, true)]
    );
    let view = until(&mut engine, |view| failures(view) == 5).await;
    assert_eq!(view.batches.len(), 2);

    open.store(true, SeqCst);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::RetryFailed {
            older: false,
        })))
        .await;
    let mut done = 0;
    while done < 5 {
        if let Event::Ended(batch) = engine.next().await {
            done += batch.counts.done;
        }
    }
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::ClearEnded)))
        .await;
    until(&mut engine, |view| view.batches.is_empty()).await;
}

#[tokio::test]
async fn failures_are_listed_in_the_order_of_the_task() {
    let service = Capture::start(|_, _| Reply::json(400, &json!({}))).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let jobs = deletions(3);
    let expected: Vec<String> = jobs.iter().map(Job::subject).collect();
    let (_, batch) = engine.settle(jobs).await;
    let request = Request::ListFailures(ListFailures(batch.id));
    let Answer::ListFailures(failures) = engine.answer(request).await else {
        panic!()
    };
    let names: Vec<String> = failures.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, expected);
}

#[tokio::test]
async fn a_task_is_done_again_with_the_others_if_that_can_mend_part_of_it() {
    let open = Arc::new(AtomicBool::new(false));
    let is_open = open.clone();
    let service = Capture::start(move |request, _| match request.target.ends_with("/0") {
        _ if is_open.load(SeqCst) => Reply::status(204, &[]),
        true => Reply::json(409, &json!({})),
        false => Reply::json(400, &json!({})),
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let (_, mixed) = engine.settle(deletions(3)).await;
    let (_, refused) = engine.settle(deletions(3).split_off(1)).await;
    let is_final = |batch: &Batch| batch.final_failure().is_some();
    assert_eq!((is_final(&mixed), is_final(&refused)), (false, true));

    open.store(true, SeqCst);
    engine
        .answer(Request::ControlQueue(ControlQueue(Control::RetryFailed {
            older: false,
        })))
        .await;
    let is_done = |view: &QueueView| batch(view, mixed.id).counts.done == 3;
    let view = until(&mut engine, is_done).await;
    assert_eq!(failures(&view), 2);
}

#[tokio::test]
async fn the_view_has_all_batches_and_copies_none_that_has_ended_again() {
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let mut all = Vec::new();
    for _ in 0..30 {
        all.push(engine.settle(deletions(1)).await.1.id);
    }
    all.reverse();
    let before = until(&mut engine, |view| view.batches.len() == 30).await;
    let ids = before.batches.iter().map(|batch| batch.id);
    assert!(ids.eq(all), "the last one that ended comes first");
    engine.settle(deletions(1)).await;
    let after = until(&mut engine, |view| {
        view.batches.len() == 31 && view.totals.unfinished == 0
    })
    .await;
    let mut pairs = before.batches.iter().zip(&after.batches[1..]);
    assert!(pairs.all(|(before, after)| Arc::ptr_eq(before, after)));
}

#[tokio::test]
async fn a_script_ends_where_all_would_fail_and_counts_the_rest() {
    let service =
        Capture::start(|_, _| Reply::json(401, &json!({ "message": "This token is gone" }))).await;
    let setup = EngineSetup {
        client: client(&service.url),
        journal: Journal::in_memory("test").await.unwrap(),
        caller: QueueMode::Script,
        at_once: AtOnce::of(std::num::NonZeroUsize::MIN),
        read_only: false,
        sources: SourceAccounts::default(),
        leaves_tasks: false,
        drawer: None,
    };
    let mut run = filedeck::engine::run(setup, deletions(100)).await.unwrap();
    let mut settled = Vec::new();
    let ended = loop {
        match run.next().await.unwrap() {
            RunEvent::Settled(some) => settled.extend(some),
            RunEvent::Ended(batch) => break batch,
            RunEvent::Standing(_) => {}
        }
    };
    assert_eq!(run.next().await, None);
    assert_eq!(
        (settled.len(), settled[0].result.as_ref().unwrap_err().kind),
        (1, Kind::Unauthorized)
    );
    assert_eq!(
        (
            ended.counts.failed,
            ended.counts.cancelled,
            service.seen().len()
        ),
        (1, 99, 1)
    );
    tokio::time::timeout(Duration::from_secs(10), run.end())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_service_whose_clock_is_another_is_told_of_once() {
    let service =
        Capture::start(|_, _| Reply::status(204, &[("date", "Fri, 20 Nov 2020 10:00:00 GMT")]))
            .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let id = engine.queue(deletions(20)).await;
    let mut told = Vec::new();
    engine
        .end_of(id, |_, event| {
            told.extend(matches!(event, Event::Clock { .. }).then(|| event.clone()));
        })
        .await;
    let [Event::Clock { ahead }] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert!(ahead.as_hours() < -24, "{ahead:?}");
}
