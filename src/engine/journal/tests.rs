use std::sync::Arc;

use jiff::{SignedDuration, Timestamp, ToSpan as _};
use rstest::rstest;
use rusqlite::Connection;

use super::batches::{HoldState, NewBatch, PendingJob};
use super::database::{Journal, MIGRATIONS};
use super::jobs::{JobFilter, PreviousState};
use super::names::NameClaim;
use super::past::{PastBatches, PastJob};
use super::steps::{Mark, MarkedJob};
use crate::api::ids::{FileId, FolderId, TaskId};
use crate::api::model::{Access, UploadOptions};
use crate::api::{Error, Kind};
use crate::database_form::record_parts;
use crate::engine::batch::{BatchId, JobId};
use crate::engine::deletion::{DeletedContents, Deletion};
use crate::engine::item::{FolderRef, Item, Target};
use crate::engine::job::{Job, JobKind};
use crate::engine::limits::{self, Reading, Snapshot};
use crate::engine::queue_view::JobState;
use crate::engine::source::FileSource;

async fn open(dir: &tempfile::TempDir, account: &str) -> Journal {
    Journal::open(&dir.path().join("journal.db"), account)
        .await
        .unwrap()
}

fn deleted_now(id: &str, path: &str, permanent: bool) -> Deletion {
    Deletion::new(&FileId::new(id), path, Timestamp::now(), permanent)
}

fn upload(name: &str) -> Job {
    let options = UploadOptions::new(Access::Private).into();
    Job::Upload {
        source: FileSource::Local(name.into()),
        into: FolderRef::root(),
        name: None,
        options,
        present: false,
        free_at: None,
    }
}

fn deletion(id: &str) -> Job {
    let item = Item {
        target: Target::File(FileId::new(id)),
        path: format!("/{id}"),
        name: id.to_owned(),
        size: None,
        md5: None,
    };
    Job::Delete {
        item,
        permanent: false,
        state: None,
    }
}

async fn add(journal: &Journal, jobs: &[Job], script: bool) -> BatchId {
    add_and_send(journal, jobs, script, 0).await.0
}

async fn add_and_send(
    journal: &Journal,
    jobs: &[Job],
    script: bool,
    most: u32,
) -> (BatchId, Vec<PendingJob>) {
    let kind = jobs[0].kind();
    let asked = NewBatch {
        kind,
        label: "label".to_owned(),
        script,
        at: Timestamp::now(),
    };
    let pending = |(number, job): (u32, &Job)| PendingJob::new(number, job.clone(), Some(5));
    let pending: Arc<[PendingJob]> = (0..).zip(jobs).map(pending).collect();
    journal.add_batch(&asked, &pending, most).await.unwrap()
}

fn marked(number: u32, mark: Mark) -> MarkedJob {
    MarkedJob {
        number,
        mark,
        began: Timestamp::UNIX_EPOCH,
        ended: Timestamp::now(),
    }
}

/// Executes statements outside any transaction.
async fn carry_out(journal: &Journal, statements: &str) {
    let statements = statements.to_owned();
    journal
        .read(move |_, connection| connection.execute_batch(&statements))
        .await
        .unwrap();
}

async fn number(journal: &Journal, query: &str) -> i64 {
    let query = query.to_owned();
    journal
        .read(move |_, connection| connection.query_row(&query, [], |row| row.get(0)))
        .await
        .unwrap()
}

fn numbers(entries: &[PendingJob]) -> Vec<u32> {
    entries.iter().map(|entry| entry.number).collect()
}

#[tokio::test]
async fn jobs_are_given_once_and_in_order() {
    let journal = Journal::in_memory("a").await.unwrap();
    let jobs: Vec<Job> = (0..5_000)
        .map(|number| upload(&format!("/tmp/{number}")))
        .collect();
    let batch = add(&journal, &jobs, false).await;
    let first = journal.take(batch, 64).await.unwrap();
    assert_eq!(numbers(&first), (0..64).collect::<Vec<_>>());
    assert_eq!(
        (&first[0].job, first[0].bytes, first[0].in_doubt),
        (&jobs[0], Some(5), false)
    );
    let rest = journal.take(batch, 10_000).await.unwrap();
    assert_eq!(numbers(&rest), (64..5_000).collect::<Vec<_>>());
    assert_eq!(rest.last().unwrap().job, jobs[4_999]);
    assert!(journal.take(batch, 64).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_a_killed_run_was_sending_is_in_doubt_and_what_it_had_done_is_not_done_again() {
    let dir = tempfile::tempdir().unwrap();
    let killed = open(&dir, "a").await;
    let batch = add(
        &killed,
        &[upload("/1"), upload("/2"), upload("/3"), upload("/4")],
        false,
    )
    .await;
    killed.take(batch, 3).await.unwrap();
    killed
        .mark(batch, &[marked(0, Mark::Done(None))])
        .await
        .unwrap();
    let other = open(&dir, "a").await;
    assert!(
        other.take_over(false).await.unwrap().is_empty(),
        "the first run is still at it"
    );
    // Dropped without closing, as a kill would leave it.
    drop(killed);
    let kept = other.take_over(false).await.unwrap();
    let [kept] = kept.as_slice() else {
        panic!("{kept:?}")
    };
    assert_eq!(
        (
            kept.id,
            kept.kind,
            kept.held,
            kept.counts.done,
            kept.counts.total
        ),
        (batch, JobKind::Upload, None, 1, 4)
    );
    assert_eq!((kept.bytes.done, kept.bytes.total), (5, Some(20)));
    let rest = other.take(batch, 64).await.unwrap();
    let doubts: Vec<(u32, bool)> = rest
        .iter()
        .map(|entry| (entry.number, entry.in_doubt))
        .collect();
    assert_eq!(doubts, [(1, true), (2, true), (3, false)]);
    assert!(
        open(&dir, "b")
            .await
            .take_over(false)
            .await
            .unwrap()
            .is_empty(),
        "another account's"
    );
}

#[tokio::test]
async fn of_two_uploads_to_one_path_one_has_the_name_whoever_is_taken_first() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (open(&dir, "a").await, open(&dir, "a").await);
    let planned = |free_at: Timestamp| match upload("/tmp/a.txt") {
        Job::Upload {
            source: FileSource::Local(local),
            into,
            name,
            options,
            present,
            ..
        } => Job::Upload {
            source: FileSource::Local(local),
            into,
            name,
            options,
            present,
            free_at: Some(free_at),
        },
        job => job,
    };
    let at = Timestamp::now();
    let first = add(&one, &[planned(at)], false).await;
    let second = add(&other, &[planned(at)], false).await;
    let taken = async |journal: &Journal, batch| {
        let jobs = journal.take(batch, 64).await.unwrap();
        jobs[0].rivals.have_name
    };
    assert!(
        taken(&other, second).await,
        "the first one waits, and has the name"
    );
    assert!(
        !taken(&one, first).await,
        "what yields to it does not take the name"
    );
    let claim = async || {
        other
            .claim(
                JobId {
                    batch: second,
                    number: 0,
                },
                at,
            )
            .await
            .unwrap()
    };
    assert_eq!(claim().await, Some(NameClaim::UnderWay));
    one.mark(
        first,
        &[marked(0, Mark::Failed(Error::new(Kind::Local, "no")))],
    )
    .await
    .unwrap();
    assert_eq!(claim().await, None);
    let third = add(&one, &[planned(at)], false).await;
    assert!(taken(&one, third).await, "the second one has it now");
}

#[tokio::test]
async fn what_a_journal_from_a_copy_still_has_is_in_doubt_and_waits_for_a_key() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.db");
    let copy = dir.path().join("copy.db");
    let first = open(&dir, "a").await;
    let batch = add(&first, &[upload("/1"), upload("/2"), upload("/3")], false).await;
    carry_out(&first, &format!("VACUUM INTO '{}'", copy.display())).await;
    first.take(batch, 2).await.unwrap();
    assert_eq!(first.loss().await.unwrap(), None);
    first.connection.close().await;
    drop(first);
    std::fs::rename(&copy, &path).unwrap();

    let later = open(&dir, "a").await;
    assert!(
        later
            .loss()
            .await
            .unwrap()
            .unwrap()
            .contains("lacks what was written to it last")
    );
    let kept = later.take_over(false).await.unwrap();
    assert_eq!(
        kept.iter()
            .map(|kept| (kept.id, kept.held))
            .collect::<Vec<_>>(),
        [(batch, Some(HoldState::Restarted))]
    );
    assert!(
        later
            .take(batch, 64)
            .await
            .unwrap()
            .iter()
            .all(|entry| entry.in_doubt)
    );
    assert_eq!(
        open(&dir, "a").await.loss().await.unwrap(),
        None,
        "it was said"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_runs_that_begin_at_once_one_takes_over() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..10 {
        let killed = open(&dir, "a").await;
        let batch = add(&killed, &[upload("/1"), upload("/2")], false).await;
        killed.take(batch, 1).await.unwrap();
        let runs = [open(&dir, "a").await, open(&dir, "a").await];
        drop(killed);
        let both = runs
            .clone()
            .map(|run| tokio::spawn(async move { run.take_over(false).await.unwrap() }));
        let mut taken = Vec::new();
        for run in both {
            taken.extend(run.await.unwrap().into_iter().map(|kept| kept.id));
        }
        assert_eq!(taken, [batch]);
        runs[0].forget(&taken).await.unwrap();
    }
}

#[tokio::test]
async fn after_a_restart_what_deletes_waits_for_a_key_and_so_does_what_a_script_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let killed = open(&dir, "a").await;
    let sent = add(&killed, &[upload("/1")], false).await;
    let deleted = add(&killed, &[deletion("1")], false).await;
    let scripted = add(&killed, &[upload("/2")], true).await;
    drop(killed);
    let kept = open(&dir, "a").await.take_over(false).await.unwrap();
    let held: Vec<_> = kept.iter().map(|kept| (kept.id, kept.held)).collect();
    assert_eq!(
        held,
        [
            (sent, None),
            (deleted, Some(HoldState::Restarted)),
            (scripted, Some(HoldState::Restarted))
        ]
    );
}

#[tokio::test]
async fn a_task_of_the_service_is_watched_again_unless_it_is_over() {
    let journal = Journal::in_memory("a").await.unwrap();
    let batch = add(&journal, &[upload("/1"), upload("/2")], false).await;
    journal.take(batch, 64).await.unwrap();
    let task = TaskId::new("AAAAEZ6whGI=");
    for number in [0, 1] {
        journal.accept(batch, number, &task).await.unwrap();
    }
    let lost = Error {
        in_doubt: true,
        ..Error::new(Kind::Timeout, "late")
    };
    let marks = [
        marked(0, Mark::Failed(lost.clone())),
        marked(1, Mark::Failed(Error::new(Kind::TaskFailed, "no"))),
    ];
    journal.mark(batch, &marks).await.unwrap();
    assert_eq!(
        journal.failures(batch, 1).await.unwrap()[0].1.kind,
        Kind::TaskFailed
    );
    assert_eq!(
        journal.failures(batch, 9).await.unwrap()[1],
        ("1".to_owned(), lost)
    );
    for number in [0, 1] {
        let known = journal.task_of(JobId { batch, number }).await.unwrap();
        assert_eq!(known.as_ref(), Some(&task), "its id can still be copied");
    }
    journal.retry(batch, false).await.unwrap();
    let again = journal.take(batch, 64).await.unwrap();
    let again: Vec<_> = again
        .into_iter()
        .map(|entry| (entry.task, entry.in_doubt))
        .collect();
    assert_eq!(again, [(Some(task), true), (None, false)]);
}

#[tokio::test]
async fn what_was_cancelled_before_it_began_is_not_in_doubt_when_it_is_done_again() {
    let journal = Journal::in_memory("a").await.unwrap();
    let batch = add(&journal, &[upload("/1"), upload("/2"), upload("/3")], false).await;
    journal.take(batch, 2).await.unwrap();
    journal.cancel(batch, &[0]).await.unwrap();
    journal.end(batch).await.unwrap();
    journal.retry(batch, true).await.unwrap();
    let again = journal.take(batch, 64).await.unwrap();
    assert_eq!(
        again.iter().map(|entry| entry.in_doubt).collect::<Vec<_>>(),
        [true, false, false]
    );
}

#[tokio::test]
async fn what_is_old_is_forgotten_by_a_script_too_unless_its_run_goes_on_or_a_person_asked_for_it()
{
    let dir = tempfile::tempdir().unwrap();
    let (killed, living) = (open(&dir, "a").await, open(&dir, "a").await);
    let ended = add(&killed, &[upload("/ended")], true).await;
    killed.end(ended).await.unwrap();
    let _cut_short = add(&killed, &[upload("/cut")], true).await;
    let mine = add(&killed, &[upload("/mine")], false).await;
    let theirs = add(&living, &[upload("/theirs")], true).await;
    let age = 31_i64 * 24 * 60 * 60 * 1_000;
    carry_out(
        &killed,
        &format!("UPDATE batch SET asked_at = asked_at - {age}, ended_at = ended_at - {age}"),
    )
    .await;
    let new = add(&killed, &[upload("/new")], true).await;
    drop(killed);
    let script = open(&dir, "a").await;
    script.forget_old().await.unwrap();
    let left = script.read(|_, connection| {
        connection
            .prepare("SELECT number FROM batch ORDER BY number")?
            .query_map([], |row| row.get(0))?
            .collect()
    });
    let left: Vec<i64> = left.await.unwrap();
    assert_eq!(left, [mine, theirs, new].map(|batch| batch.0));
    assert_eq!(locks(&dir).len(), 2, "those of the two that live");
}

#[tokio::test]
async fn what_a_script_could_not_do_is_listed_for_scripts_alone_and_not_for_ever() {
    let dir = tempfile::tempdir().unwrap();
    let script = open(&dir, "a").await;
    let mut failed = Vec::new();
    for number in 0..22 {
        let batch = add(
            &script,
            &[upload(&number.to_string()), upload("/done")],
            true,
        )
        .await;
        script.take(batch, 2).await.unwrap();
        let error = Error::new(Kind::NotFound, "no");
        script
            .mark(
                batch,
                &[marked(0, Mark::Failed(error)), marked(1, Mark::Done(None))],
            )
            .await
            .unwrap();
        script.end(batch).await.unwrap();
        script.forget_scripts(batch).await.unwrap();
        failed.push(batch);
    }
    let done = add(&script, &[upload("/done")], true).await;
    script.take(done, 1).await.unwrap();
    script
        .mark(done, &[marked(0, Mark::Done(None))])
        .await
        .unwrap();
    script.end(done).await.unwrap();
    script.forget_scripts(done).await.unwrap();
    drop(script);
    let screen = open(&dir, "a").await;
    assert!(screen.take_over(false).await.unwrap().is_empty());
    let listed: Vec<BatchId> = screen
        .list_batches()
        .await
        .unwrap()
        .iter()
        .map(|batch| batch.id)
        .collect();
    assert_eq!(
        listed,
        failed.iter().rev().copied().take(20).collect::<Vec<_>>(),
        "the newest twenty that failed"
    );
}

/// Returns an upload as two plans of the same one make it, after `change`.
fn planned(at: i64, folder: Option<&str>, change: impl FnOnce(&mut serde_json::Value)) -> Job {
    let options = UploadOptions::new(Access::Private).into();
    let into = FolderRef {
        id: folder.map(FolderId::new),
        path: "/in".to_owned(),
    };
    let free_at = Some(Timestamp::from_second(at).unwrap());
    let job = Job::Upload {
        source: FileSource::Local("/a.txt".into()),
        into,
        name: None,
        options,
        present: true,
        free_at,
    };
    let mut job = serde_json::to_value(job).unwrap();
    change(&mut job["Upload"]);
    serde_json::from_value(job).unwrap()
}

/// Moves a folder from the target to the name, so that it is created on the way.
fn split(upload: &mut serde_json::Value) {
    (upload["into"]["path"], upload["name"]) = ("/".into(), "in/a.txt".into());
}

#[rstest]
#[case::by_another_plan(planned(2, Some("7"), |_| {}), true)]
#[case::into_a_folder_that_is_there_now(planned(2, None, split), true)]
#[case::another_source(planned(2, None, |job| job["local"] = serde_json::to_value(upload("/b.txt")).unwrap()["Upload"]["local"].clone()), false)]
#[case::another_name(planned(2, None, |job| job["name"] = "b.txt".into()), false)]
#[case::another_folder(planned(2, None, |job| job["into"]["path"] = "/out".into()), false)]
#[case::even_if_it_is_there(planned(2, None, |job| job["present"] = false.into()), false)]
#[case::beside_another_one(planned(2, None, |job| job["free_at"] = serde_json::Value::Null), false)]
#[case::another_kind(deletion("1"), false)]
#[tokio::test]
async fn what_a_script_has_done_is_done_for_equal_jobs_that_ended_runs_left(
    #[case] done: Job,
    #[case] covers: bool,
) {
    let dir = tempfile::tempdir().unwrap();
    let left = [planned(1, None, |_| {}), upload("other")];
    let (killed, living, screen) = (
        open(&dir, "a").await,
        open(&dir, "a").await,
        open(&dir, "a").await,
    );
    let whole = add(&killed, &left[..1], true).await;
    let half = add(&killed, &left, true).await;
    let theirs = add(&living, &left, true).await;
    let of_a_person = add(&screen, &left, false).await;
    killed.take(half, 1).await.unwrap();
    drop((killed, screen));
    let script = open(&dir, "a").await;
    let batch = add(&script, &[done], true).await;
    script.take(batch, 1).await.unwrap();
    script
        .mark(batch, &[marked(0, Mark::Done(None))])
        .await
        .unwrap();
    script.end(batch).await.unwrap();
    script.forget_scripts(batch).await.unwrap();
    let listed = script.list_batches().await.unwrap();
    let counts = |batch| {
        listed
            .iter()
            .find(|listed| listed.id == batch)
            .map(|listed| listed.counts.done)
    };
    let expected = if covers {
        [None, Some(1), Some(0), Some(0)]
    } else {
        [Some(0); 4]
    };
    assert_eq!([whole, half, theirs, of_a_person].map(counts), expected);
}

#[tokio::test]
async fn every_commit_is_on_the_disk_at_once_but_for_leases() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.db");
    for (journal, synchronous) in [
        (Journal::open(&path, "a").await.unwrap(), 2),
        (Journal::open_leases(&path, "a").await.unwrap(), 1),
    ] {
        assert_eq!(number(&journal, "PRAGMA synchronous").await, synchronous);
        assert_eq!(number(&journal, "PRAGMA foreign_keys").await, 1);
        assert_eq!(number(&journal, "PRAGMA busy_timeout").await, 5_000);
        assert_eq!(
            number(
                &journal,
                "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'"
            )
            .await,
            1
        );
    }
}

#[tokio::test]
async fn a_change_that_panics_is_taken_back_and_the_journal_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(&dir, "a").await;
    let batch = add(&journal, &[upload("/1"), upload("/2")], false).await;
    let panics = journal.change(|_, change| {
        change.execute_batch("DELETE FROM batch")?;
        std::panic::resume_unwind(Box::new("on purpose"))
    });
    let panicked: Result<(), Error> = panics.await;
    assert_eq!(panicked.unwrap_err().kind, Kind::Local);
    assert_eq!(
        numbers(&open(&dir, "a").await.take(batch, 1).await.unwrap()),
        [0],
        "nothing is locked"
    );
    assert_eq!(numbers(&journal.take(batch, 64).await.unwrap()), [1]);
}

#[tokio::test]
async fn a_job_that_cannot_be_read_leaves_those_beside_it_as_they_were() {
    let journal = Journal::in_memory("a").await.unwrap();
    let batch = add(&journal, &[upload("/1"), upload("/2")], false).await;
    carry_out(
        &journal,
        "UPDATE item SET job = '{\"Paint\":{}}' WHERE number = 1",
    )
    .await;
    assert_eq!(journal.take(batch, 64).await.unwrap_err().kind, Kind::Local);
    assert_eq!(
        numbers(&journal.take(batch, 1).await.unwrap()),
        [0],
        "it was not taken before"
    );
}

#[tokio::test]
async fn a_batch_and_its_first_jobs_are_recorded_in_one_change() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(&dir, "a").await;
    let jobs = ["/1", "/2", "/3"].map(upload);
    let changes = "SELECT count FROM changes";
    let before = number(&journal, changes).await;
    let (batch, first) = add_and_send(&journal, &jobs, false, 2).await;
    assert_eq!(number(&journal, changes).await, before + 1);
    assert_eq!(numbers(&first), [0, 1]);
    assert!(first.iter().all(|entry| !entry.in_doubt));
    drop(journal);
    let next = open(&dir, "a").await;
    next.take_over(false).await.unwrap();
    let taken = next.take(batch, 9).await.unwrap();
    let doubts = taken.iter().map(|entry| entry.in_doubt);
    assert_eq!(
        doubts.collect::<Vec<_>>(),
        [true, true, false],
        "a run that ended right after that may have sent the first two"
    );
}

#[tokio::test]
async fn a_full_disk_is_told_from_other_failures() {
    let journal = Journal::in_memory("a").await.unwrap();
    let pages = number(&journal, "PRAGMA page_count").await;
    carry_out(&journal, &format!("PRAGMA max_page_count = {pages}")).await;
    let jobs: Arc<[PendingJob]> = (0..1_000)
        .map(|number| PendingJob::new(number, upload("/1"), None))
        .collect();
    let asked = NewBatch {
        kind: JobKind::Upload,
        label: String::new(),
        script: false,
        at: Timestamp::now(),
    };
    assert_eq!(
        journal.add_batch(&asked, &jobs, 0).await.unwrap_err().kind,
        Kind::DiskFull
    );
}

#[tokio::test]
async fn an_ended_batch_is_a_count_and_what_failed_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(&dir, "a").await;
    let batch = add(&journal, &[upload("/1"), upload("/2"), upload("/3")], false).await;
    journal.take(batch, 2).await.unwrap();
    journal
        .mark(
            batch,
            &[
                marked(0, Mark::Done(None)),
                marked(1, Mark::Failed(Error::new(Kind::Conflict, "taken"))),
            ],
        )
        .await
        .unwrap();
    journal.cancel(batch, &[]).await.unwrap();
    journal.end(batch).await.unwrap();
    drop(journal);
    let kept = open(&dir, "a").await.take_over(false).await.unwrap();
    let counts = kept[0].counts;
    assert_eq!(
        (counts.total, counts.done, counts.failed, counts.cancelled),
        (3, 1, 1, 1)
    );
    assert_eq!(kept[0].failure.as_ref().unwrap().1.message, "taken");
    assert!(kept[0].ended_at.is_some());
}

#[tokio::test]
async fn what_is_past_ended_then_and_what_failed_of_it_can_be_done_again() {
    let journal = Journal::in_memory("a").await.unwrap();
    let (asked_at, ended_at) = (Timestamp::now() - 30.hours(), Timestamp::now() - 29.hours());
    let past = |job, error| PastJob {
        job,
        bytes: Some(7),
        error,
    };
    let refused = Error::new(Kind::Conflict, "taken");
    let jobs = vec![
        past(upload("/1"), None),
        past(upload("/2"), Some(refused.clone())),
        past(upload("/3"), None),
    ];
    journal
        .add_past(&[PastBatches {
            jobs,
            asked_at,
            ended_at,
        }])
        .await
        .unwrap();
    let kept = journal.take_over(false).await.unwrap().pop().unwrap();
    assert_eq!(
        (kept.counts.total, kept.counts.done, kept.counts.failed),
        (3, 2, 1)
    );
    assert_eq!((kept.bytes.done, kept.bytes.total), (14, Some(21)));
    assert_eq!(kept.failure, Some(("2".to_owned(), refused)));
    let millis = |at: Timestamp| at.as_millisecond();
    let times = [Some(kept.asked_at), kept.started_at, kept.ended_at].map(|at| at.map(millis));
    assert_eq!(
        times,
        [
            Some(millis(asked_at)),
            Some(millis(asked_at)),
            Some(millis(ended_at))
        ]
    );
    journal.retry(kept.id, true).await.unwrap();
    assert_eq!(numbers(&journal.take(kept.id, 9).await.unwrap()), [1]);
}

#[tokio::test]
async fn jobs_are_listed_a_few_at_a_time_and_done_again_or_cancelled_one_by_one() {
    let journal = Journal::in_memory("a").await.unwrap();
    let jobs: Vec<Job> = (0..10_000)
        .map(|number| upload(&format!("/tmp/{number}")))
        .collect();
    let batch = add(&journal, &jobs, false).await;
    journal.take(batch, 64).await.unwrap();
    let failed = Mark::Failed(Error {
        in_doubt: true,
        ..Error::new(Kind::Server, "no")
    });
    journal
        .mark(batch, &[marked(0, Mark::Done(None)), marked(1, failed)])
        .await
        .unwrap();
    let listed = async |listing, skip, most| {
        let listed = journal
            .list_jobs(batch, listing, &[2, 66], skip, most)
            .await
            .unwrap();
        listed
            .into_iter()
            .map(|listed| (listed.id.number, listed.state))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        listed(JobFilter::Waiting, 0, 3)
            .await
            .iter()
            .map(|(number, _)| *number)
            .collect::<Vec<_>>(),
        [64, 65, 67]
    );
    assert_eq!(
        listed(JobFilter::Waiting, 9_933, 30).await,
        [(9_998, JobState::Waiting), (9_999, JobState::Waiting)]
    );
    assert_eq!(listed(JobFilter::Done, 0, 9).await, [(0, JobState::Done)]);
    assert!(
        matches!(listed(JobFilter::Failed, 0, 9).await.as_slice(), [(1, JobState::Failed(error))] if error.message == "no")
    );
    let id = |number| JobId { batch, number };
    assert!(journal.cancel_job(id(9_999), false).await.unwrap());
    assert!(
        !journal.cancel_job(id(9_999), false).await.unwrap(),
        "it has ended"
    );
    assert_eq!(
        listed(JobFilter::Cancelled, 0, 9).await,
        [(9_999, JobState::Cancelled { in_doubt: false })]
    );
    assert_eq!(
        journal.retry_job(id(9_999)).await.unwrap(),
        Some(PreviousState::Cancelled)
    );
    assert_eq!(
        journal.retry_job(id(1)).await.unwrap(),
        Some(PreviousState::Failed)
    );
    assert_eq!(journal.retry_job(id(0)).await.unwrap(), None, "it is done");
    assert_eq!(
        listed(JobFilter::Waiting, 0, 1).await[0].0,
        1,
        "what is in doubt comes first"
    );
}

#[tokio::test]
async fn a_journal_of_todays_form_is_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(&dir, "a").await;
    journal
        .add_deletion(&deleted_now("7", "/private/cv.pdf", true))
        .await
        .unwrap();
    drop(journal);
    let connection = Connection::open(dir.path().join("journal.db")).unwrap();
    record_parts(&connection, MIGRATIONS);
    for _ in 0..2 {
        let journal = open(&dir, "a").await;
        assert_eq!(journal.deletions().await.unwrap().len(), 1);
    }
}

// Fails if the form is not checked.
#[rstest]
#[case::newer(15, "made by a newer filedeck")]
#[case::older(12, "open it once with the version of 2026-11-27")]
#[tokio::test]
async fn a_journal_of_an_unknown_form_is_left_as_it_is(#[case] form: i32, #[case] advice: &str) {
    let dir = tempfile::tempdir().unwrap();
    drop(open(&dir, "a").await);
    let path = dir.path().join("journal.db");
    let connection = Connection::open(&path).unwrap();
    let change = format!(
        "DELETE FROM refinery_schema_history WHERE version > 13; \
         UPDATE refinery_schema_history SET version = {form}"
    );
    connection.execute_batch(&change).unwrap();
    let refused = Journal::open(&path, "a").await.unwrap_err();
    assert!(refused.message.contains(advice), "{}", refused.message);
    assert_eq!(crate::database_form::form(&connection).unwrap(), Some(form));
}

#[tokio::test]
async fn a_receipt_says_by_when_a_file_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(&dir, "a").await;
    journal
        .add_deletion(&deleted_now("7", "/private/cv.pdf", true))
        .await
        .unwrap();
    let deletions = journal.deletions().await.unwrap();
    let [receipt] = deletions.as_slice() else {
        panic!("{deletions:?}")
    };
    assert_eq!(
        (receipt.target.id(), receipt.path.as_str()),
        ("7", "/private/cv.pdf")
    );
    let week = SignedDuration::from_hours(7 * 24);
    assert_eq!(
        receipt.gone_by.unwrap().duration_since(receipt.deleted_at),
        week
    );
}

#[tokio::test]
async fn a_file_that_was_deleted_is_listed_until_it_is_deleted_for_good_or_old() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(&dir, "a").await;
    for (id, path) in [("7", "/cv.pdf"), ("8", "/b.txt")] {
        journal
            .add_deletion(&deleted_now(id, path, false))
            .await
            .unwrap();
    }
    journal
        .add_deletion(&deleted_now("7", "/cv.pdf", true))
        .await
        .unwrap();
    let listed = |deletions: Vec<Deletion>| -> Vec<(String, bool)> {
        deletions
            .into_iter()
            .map(|row| (row.target.id().to_owned(), row.gone_by.is_some()))
            .collect()
    };
    let mut both = listed(journal.deletions().await.unwrap());
    both.sort();
    assert_eq!(both, [("7".to_owned(), true), ("8".to_owned(), false)]);
    assert_eq!(
        listed(open(&dir, "b").await.deletions().await.unwrap()),
        [],
        "each account has its own"
    );
    carry_out(
        &journal,
        "UPDATE deletion SET deleted_at = 1; UPDATE receipt SET deleted_at = 1",
    )
    .await;
    journal.forget_old().await.unwrap();
    assert_eq!(
        listed(journal.deletions().await.unwrap()),
        [("7".to_owned(), true)],
        "receipts are kept"
    );
}

/// Returns a folder with this id at `/box`, and a file in it.
fn in_box(folder: &str, file: &str, missing: Option<&str>) -> (FolderId, Item, Deletion) {
    let id = FolderId::new(folder);
    let target = Target::File(FileId::new(file));
    let item = Item {
        target,
        path: format!("/box/{file}"),
        name: file.to_owned(),
        size: None,
        md5: None,
    };
    let contents = DeletedContents {
        files: 1,
        missing: missing.map(str::to_owned),
    };
    let deletion = Deletion::of_folder(&id, "/box/", Timestamp::now(), contents);
    (id, item, deletion)
}

/// Returns the ids of what is listed, and for folders the number of files deleted with them and
/// whether all are known.
async fn rows(journal: &Journal) -> Vec<(String, Option<(usize, bool)>)> {
    let row = |row: Deletion| {
        let known = row
            .contents
            .map(|contents| (contents.files, contents.missing.is_none()));
        (row.target.id().to_owned(), known)
    };
    journal
        .deletions()
        .await
        .unwrap()
        .into_iter()
        .map(row)
        .collect()
}

#[tokio::test]
async fn what_was_noted_of_a_folder_is_listed_once_its_deletion_is_certain() {
    let journal = Journal::in_memory("a").await.unwrap();
    let (folder, file, deletion) = in_box("1", "7", None);
    journal
        .note_files(&folder, std::slice::from_ref(&file), Timestamp::now())
        .await
        .unwrap();
    journal.note_folder(&folder, &deletion).await.unwrap();
    assert_eq!(
        (
            rows(&journal).await,
            journal.deleted_with(&folder).await.unwrap()
        ),
        (vec![], vec![])
    );

    // It failed, and the file was moved to another folder.
    let (other, _, gone) = in_box("2", "7", Some("too many"));
    journal
        .note_files(&other, std::slice::from_ref(&file), Timestamp::now())
        .await
        .unwrap();
    journal.note_folder(&other, &gone).await.unwrap();
    // What was missing before it was in doubt is still unknown.
    journal
        .add_deletion(&Deletion {
            contents: Some(DeletedContents::default()),
            ..gone.clone()
        })
        .await
        .unwrap();
    assert_eq!(rows(&journal).await, [("2".to_owned(), Some((1, false)))]);
    let with = journal.deleted_with(&other).await.unwrap();
    assert_eq!(
        with.iter().map(|row| row.target.id()).collect::<Vec<_>>(),
        ["7"]
    );
    assert_eq!(journal.deleted_with(&folder).await.unwrap(), []);

    // A service that lists it still does not take it out of the list.
    journal
        .note_files(&folder, &[file], Timestamp::now())
        .await
        .unwrap();
    journal.forget_noted(&folder).await.unwrap();
    journal.forget_noted(&other).await.unwrap();
    assert_eq!(rows(&journal).await, [("2".to_owned(), Some((1, false)))]);
    assert_eq!(
        rows_of_account(&journal, "folder_deletion").await,
        1,
        "what was not deleted is forgotten"
    );

    journal
        .add_deletion(&deleted_now("7", "/box/7", true))
        .await
        .unwrap();
    let mut listed = rows(&journal).await;
    listed.sort();
    assert_eq!(
        listed,
        [("2".to_owned(), Some((0, false))), ("7".to_owned(), None)]
    );
}

#[tokio::test]
async fn a_file_is_noted_for_each_folder_that_it_lies_in_and_listed_with_the_one_that_is_deleted() {
    for first in ["outer", "inner"] {
        let journal = Journal::in_memory("a").await.unwrap();
        for folder in ["outer", "inner"] {
            let (folder, file, _) = in_box(folder, "7", None);
            journal
                .note_files(&folder, &[file], Timestamp::now())
                .await
                .unwrap();
        }
        let (folder, _, deletion) = in_box(first, "7", None);
        journal.add_deletion(&deletion).await.unwrap();
        let (other, ..) = in_box(if first == "outer" { "inner" } else { "outer" }, "7", None);
        journal.forget_noted(&other).await.unwrap();
        assert_eq!(rows(&journal).await, [(first.to_owned(), Some((1, true)))]);
        assert_eq!(journal.deleted_with(&folder).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_file_that_was_deleted_by_itself_stays_listed_whatever_is_noted_of_it() {
    let journal = Journal::in_memory("a").await.unwrap();
    journal
        .add_deletion(&deleted_now("7", "/box/7", false))
        .await
        .unwrap();
    let (folder, file, _) = in_box("1", "7", None);
    journal
        .note_files(&folder, &[file], Timestamp::now())
        .await
        .unwrap();
    journal.forget_noted(&folder).await.unwrap();
    assert_eq!(rows(&journal).await, [("7".to_owned(), None)]);
}

#[tokio::test]
async fn a_folder_that_was_deleted_is_forgotten_with_its_files() {
    let journal = Journal::in_memory("a").await.unwrap();
    let (folder, file, deletion) = in_box("1", "7", None);
    journal
        .note_files(&folder, &[file], Timestamp::UNIX_EPOCH)
        .await
        .unwrap();
    journal
        .add_deletion(&Deletion {
            deleted_at: Timestamp::UNIX_EPOCH,
            ..deletion
        })
        .await
        .unwrap();
    assert_eq!(rows(&journal).await.len(), 1);
    journal.forget_old().await.unwrap();
    for table in ["deletion", "folder_deletion", "noted_file"] {
        assert_eq!(rows_of_account(&journal, table).await, 0, "{table}");
    }
}

async fn rows_of_account(journal: &Journal, table: &str) -> i64 {
    number(
        journal,
        &format!("SELECT count(*) FROM {table} WHERE account = 'a'"),
    )
    .await
}

fn locks(dir: &tempfile::TempDir) -> Vec<String> {
    let names = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name.rsplit_once('.').is_some_and(|(_, end)| end == "lock"))
        .collect()
}

#[tokio::test]
async fn a_run_leaves_no_lock_behind_and_removes_those_of_runs_that_were_killed() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(&dir, "a").await);
    assert_eq!(locks(&dir), Vec::<String>::new());
    std::fs::write(dir.path().join("journal.db.0199-killed.lock"), "").unwrap();
    let other = open(&dir, "b").await;
    open(&dir, "a").await.take_over(false).await.unwrap();
    assert_eq!(locks(&dir), [format!("journal.db.{}.lock", other.run.id)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_that_begin_at_once_share_a_new_journal() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.db");
    let runs = (0..8).map(|_| {
        let path = path.clone();
        tokio::spawn(async move {
            let journal = Journal::open(&path, "a").await?;
            for _ in 0..10 {
                let batch = add(&journal, &[upload("/1"), upload("/2")], true).await;
                assert_eq!(numbers(&journal.take(batch, 64).await?), [0, 1]);
                journal
                    .mark(
                        batch,
                        &[marked(0, Mark::Done(None)), marked(1, Mark::Done(None))],
                    )
                    .await?;
                journal.end(batch).await?;
            }
            Ok::<_, Error>(())
        })
    });
    for run in runs.collect::<Vec<_>>() {
        run.await.unwrap().unwrap();
    }
}

fn snapshot(at: &str, readings: &[(&str, u64)]) -> Snapshot {
    let reading = |(gauge, usage): &(&str, u64)| Reading {
        gauge: (*gauge).to_owned(),
        usage: *usage,
        limit: 1_000,
    };
    Snapshot {
        at: at.parse().unwrap(),
        readings: readings.iter().map(reading).collect(),
    }
}

fn usages(past: &limits::LimitHistory) -> Vec<u64> {
    past.days.iter().map(|day| day.usage).collect()
}

#[tokio::test]
async fn of_an_hour_the_last_reading_is_kept_and_of_a_day_the_last_hour_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(&dir, "a").await;
    let keep = async |at: &str, usage| {
        journal
            .keep_snapshot(&snapshot(at, &[("records 0-1", usage)]))
            .await
            .unwrap()
    };
    let first = keep("2026-11-20T08:01:00Z", 10).await;
    assert_eq!(
        (first["records 0-1"].before, usages(&first["records 0-1"])),
        (None, vec![10])
    );
    keep("2026-11-20T08:59:00Z", 11).await;
    keep("2026-11-20T23:59:00Z", 12).await;
    let next = keep("2026-11-21T00:01:00Z", 13).await;
    let past = &next["records 0-1"];
    assert_eq!(
        (past.before, usages(past)),
        (Some((12, 1_000)), vec![12, 13])
    );
    assert_eq!(past.days[0].at.to_string(), "2026-11-20T23:00:00Z");
    assert_eq!(
        number(&journal, "SELECT count(*) FROM reading").await,
        3,
        "one an hour"
    );
    drop(journal);
    let later = open(&dir, "a").await;
    let past = later
        .keep_snapshot(&snapshot("2026-11-21T00:30:00Z", &[("records 0-1", 14)]))
        .await
        .unwrap();
    assert_eq!(
        past["records 0-1"].before,
        Some((13, 1_000)),
        "of the same hour, from another run"
    );
    let other = open(&dir, "b")
        .await
        .keep_snapshot(&snapshot("2026-11-21T01:00:00Z", &[("records 0-1", 5)]))
        .await;
    assert_eq!(
        usages(&other.unwrap()["records 0-1"]),
        [5],
        "another account's"
    );
}

#[tokio::test]
async fn readings_are_kept_a_year_and_thirty_days_of_them_are_told() {
    let journal = Journal::in_memory("a").await.unwrap();
    let day = |day: i64| Snapshot {
        at: "2026-11-21T09:00:00Z".parse::<Timestamp>().unwrap()
            - SignedDuration::from_hours(24 * day),
        ..snapshot(
            "2026-11-21T09:00:00Z",
            &[
                ("records 0-1", u64::try_from(1_000 - day).unwrap()),
                ("records 0-2", 1),
            ],
        )
    };
    let past: Vec<Snapshot> = (1..400).rev().map(day).collect();
    journal.add_snapshots(&past).await.unwrap();
    let histories = journal
        .keep_snapshot(&Snapshot {
            readings: day(0).readings[..1].to_vec(),
            ..day(0)
        })
        .await
        .unwrap();
    assert_eq!(
        histories.keys().collect::<Vec<_>>(),
        ["records 0-1"],
        "of what was read now"
    );
    assert_eq!(
        usages(&histories["records 0-1"]),
        (971..=1_000).collect::<Vec<_>>()
    );
    assert_eq!(
        number(&journal, "SELECT count(*) FROM reading").await,
        367 + 366
    );
}

#[tokio::test]
async fn names_that_were_read_before_a_change_are_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let (journal, names) = (
        open(&dir, "prod").await,
        dir.path().join("folder-names.json"),
    );
    let before = journal.changes();
    journal.forget_names().unwrap();
    journal.keep_names("/".to_owned(), vec!["gone.txt".to_owned()], before);
    assert!(!names.exists(), "a change came in between");
    journal.keep_names("/".to_owned(), vec!["a.txt".to_owned()], journal.changes());
    assert!(names.exists());
}
