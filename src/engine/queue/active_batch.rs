//! A batch in memory: its running jobs, the chunk that comes next, and what is to be recorded and
//! reported.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use jiff::Timestamp;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cause;
use super::job_progress::JobProgress;
use super::pools::is_bulk;
use super::upload_context::UploadContext;
use crate::api::{Error, Kind};
use crate::engine::batch::{Batch, BatchId, BatchState, Bytes, Counts, Hold};
use crate::engine::job::{Job, JobKind};
use crate::engine::journal::{HoldState, Mark, MarkedJob, PendingJob, RecordedBatch};
use crate::engine::message::{Outcome, Settled};
use crate::engine::ops::upload::MAY_BE_STORED;

/// The most timeouts of one job; with more, it fails.
const MOST_STALLS: u8 = 2;

#[derive(Debug)]
pub(super) struct ActiveBatch {
    pub(super) id: BatchId,
    pub(super) kind: JobKind,
    pub(super) label: String,
    pub(super) rank: i64,
    pub(super) hold: Option<Hold>,
    /// The time at which a passing cause is over, which setting the clock does not move.
    pub(super) released_at: Option<Instant>,
    pub(super) cancelled: bool,
    pub(super) counts: Counts,
    /// Jobs that are done and only counted.
    pub(super) unlisted: usize,
    pub(super) bytes: Bytes,
    pub(super) failure: Option<(String, Error)>,
    pub(super) asked_at: Timestamp,
    pub(super) started_at: Option<Timestamp>,
    pub(super) ended_at: Option<Timestamp>,
    /// Recorded as being sent, but not started.
    pub(super) chunk: VecDeque<PendingJob>,
    pub(super) running: BTreeMap<u32, ActiveJob>,
    pub(super) context: UploadContext,
    /// Jobs as they were requested, where the recorded form lacks something.
    pub(super) complete_jobs: HashMap<u32, Job>,
    /// To be recorded.
    pub(super) marks: Vec<MarkedJob>,
    /// The number of timeouts, by job.
    pub(super) stalls: HashMap<u32, u8>,
    /// Marks that could not be recorded; the next write includes them.
    pub(super) unwritten: Vec<MarkedJob>,
    /// To be reported.
    pub(super) news: Vec<Settled>,
    /// The last report of it.
    reported: Option<Arc<Batch>>,
}

#[derive(Debug)]
pub(super) struct ActiveJob {
    pub(super) entry: PendingJob,
    pub(super) progress: JobProgress,
    pub(super) token: CancellationToken,
    pub(super) began: Timestamp,
    /// Set if this job alone was cancelled.
    pub(super) given_up: bool,
}

impl ActiveBatch {
    pub(super) fn of(kept: RecordedBatch) -> Self {
        let hold = kept.held.map(|held| match held {
            HoldState::Paused => Hold::Paused,
            HoldState::Restarted => Hold::Restarted,
        });
        Self {
            id: kept.id,
            kind: kept.kind,
            label: kept.label,
            rank: kept.rank,
            hold,
            released_at: None,
            cancelled: false,
            counts: kept.counts,
            unlisted: kept.unlisted,
            bytes: kept.bytes,
            failure: kept.failure,
            asked_at: kept.asked_at,
            started_at: kept.started_at,
            ended_at: kept.ended_at,
            chunk: VecDeque::new(),
            running: BTreeMap::new(),
            context: UploadContext::default(),
            stalls: HashMap::new(),
            complete_jobs: HashMap::new(),
            marks: Vec::new(),
            unwritten: Vec::new(),
            news: Vec::new(),
            reported: None,
        }
    }

    pub(super) fn is_ended(&self) -> bool {
        self.ended_at.is_some()
    }

    pub(super) fn ended_before(&self, since: Timestamp) -> bool {
        self.ended_at.is_some_and(|at| at < since)
    }

    /// Returns `true` if a job of it could be started.
    pub(super) fn is_ready(&self) -> bool {
        !self.is_ended() && self.hold.is_none() && !self.cancelled && self.waiting() > 0
    }

    /// Returns `true` if nothing of it is running, nor will be.
    pub(super) fn is_over(&self) -> bool {
        !self.is_ended() && self.running.is_empty() && (self.cancelled || self.waiting() == 0)
    }

    pub(super) fn waiting(&self) -> usize {
        self.counts().waiting()
    }

    pub(super) fn counts(&self) -> Counts {
        Counts {
            running: self.running.len(),
            ..self.counts
        }
    }

    pub(super) fn is_bulk(&self) -> bool {
        is_bulk(self.counts.total)
    }

    /// Returns the sort key of its turn: what a person waits for, and what was moved to the top,
    /// comes before bulk.
    pub(super) fn turn(&self) -> (bool, i64) {
        (self.rank > 0 && self.is_bulk(), self.rank)
    }

    /// Returns the report of it, which stays the same from one end to the next.
    pub(super) fn summary(&mut self) -> Arc<Batch> {
        let known = self.reported.take();
        let known = known.filter(|known| self.is_ended() && known.ended_at == self.ended_at);
        let summary = known.unwrap_or_else(|| Arc::new(self.view()));
        self.reported.insert(summary).clone()
    }

    fn view(&self) -> Batch {
        let state = match &self.hold {
            _ if self.is_ended() => BatchState::Ended,
            Some(hold) => BatchState::Held(hold.clone()),
            None if self.running.is_empty() => BatchState::Queued,
            None => BatchState::Running,
        };
        let moving: u64 = self
            .running
            .values()
            .map(|running| running.progress.bytes())
            .sum();
        Batch {
            id: self.id,
            kind: self.kind,
            label: self.label.clone(),
            state,
            counts: self.counts(),
            listed: self.counts.total.saturating_sub(self.unlisted),
            bytes: Bytes {
                done: self.bytes.done + moving,
                ..self.bytes
            },
            running: self
                .running
                .values()
                .map(|running| running.progress.view())
                .collect(),
            failure: self.failure.clone(),
            asked_at: self.asked_at,
            started_at: self.started_at,
            ended_at: self.ended_at,
        }
    }

    /// Returns `true` if its jobs wait for this failure of one of them to pass. A single change
    /// that a person waits for fails at once, and so does a job that never gets a response: the
    /// connection is not to blame.
    pub(super) fn waits_for(&mut self, number: u32, error: &Error) -> bool {
        let waits_by_itself = self.kind.resumes_by_itself() && cause::passes_after(error).is_some();
        let stalls = self.stalls.entry(number).or_default();
        *stalls += u8::from(error.kind == Kind::Timeout);
        !self.cancelled && *stalls <= MOST_STALLS && (self.counts.total > 1 || waits_by_itself)
    }

    /// Returns `true` if a retry can mend none of its known failures.
    pub(super) fn has_final_failure(&self) -> bool {
        self.failure
            .as_ref()
            .is_some_and(|(_, error)| error.is_final())
    }

    /// Starts nothing until this has passed, or until the user resumes it. A paused batch stays
    /// paused.
    pub(super) fn hold_for(&mut self, error: Error) {
        if self.hold == Some(Hold::Paused) {
            return;
        }
        let wait = cause::passes_after(&error);
        let until = wait.and_then(|wait| Timestamp::now().checked_add(wait).ok());
        self.released_at = wait.and_then(|wait| Instant::now().checked_add(wait));
        self.hold = Some(Hold::Cause { error, until });
    }

    /// Continues if the cause that it is held for has passed. A machine that slept may have missed
    /// the time.
    pub(super) fn release(&mut self) -> bool {
        let Some(Hold::Cause {
            until: Some(until), ..
        }) = self.hold
        else {
            return false;
        };
        let is_over =
            Timestamp::now() >= until || self.released_at.is_none_or(|at| Instant::now() >= at);
        if is_over {
            self.hold = None;
        }
        is_over
    }

    pub(super) fn give_up(&mut self, entry: &PendingJob, began: Timestamp) {
        self.counts.cancelled += 1;
        self.mark(
            entry.number,
            Mark::Cancelled {
                in_doubt: entry.in_doubt,
            },
            began,
        );
    }

    fn mark(&mut self, number: u32, mark: Mark, began: Timestamp) {
        self.marks.push(MarkedJob {
            number,
            mark,
            began,
            ended: Timestamp::now(),
        });
    }

    pub(super) fn take(
        &mut self,
        entry: PendingJob,
        began: Timestamp,
        result: Result<Outcome, Error>,
    ) {
        let is_lost = |error: &Error| {
            matches!(error.kind, Kind::Unreachable | Kind::Portal)
                && matches!(entry.job, Job::Upload { .. })
        };
        let result = result.map_err(|error| {
            if is_lost(&error) {
                error.or_it(MAY_BE_STORED)
            } else {
                error
            }
        });
        match &result {
            Ok(outcome) => {
                self.counts.done += 1;
                self.bytes.done += entry.bytes.unwrap_or_default();
                let stored = entry
                    .job
                    .remote_source()
                    .and_then(|source| outcome.stored_copy(&source.file));
                self.mark(entry.number, Mark::Done(stored), began);
            }
            Err(error) => {
                self.counts.failed += 1;
                if !error.is_final() || self.failure.is_none() || self.has_final_failure() {
                    self.failure = Some((entry.job.subject(), error.clone()));
                }
                self.mark(entry.number, Mark::Failed(error.clone()), began);
            }
        }
        self.news.push(Settled {
            job: entry.job,
            asked_at: self.asked_at,
            result,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::engine::item::FolderRef;
    use crate::engine::journal::NewBatch;

    #[test]
    fn what_is_paused_does_not_go_on_by_itself() {
        let asked = NewBatch {
            kind: JobKind::Upload,
            label: String::new(),
            script: false,
            at: Timestamp::UNIX_EPOCH,
        };
        let mut live = ActiveBatch::of(RecordedBatch::new(BatchId(1), asked, &[]));
        live.hold = Some(Hold::Paused);
        live.hold_for(Error::new(Kind::Unreachable, "no"));
        assert_eq!(live.hold, Some(Hold::Paused));
        assert!(!live.release());
    }

    #[test]
    fn a_job_that_never_gets_an_answer_does_not_hold_the_others_for_ever() {
        let asked = NewBatch {
            kind: JobKind::Upload,
            label: String::new(),
            script: false,
            at: Timestamp::UNIX_EPOCH,
        };
        let job = Job::CreateFolder {
            parent: FolderRef::root(),
            name: String::new(),
        };
        let jobs = vec![PendingJob::new(0, job, None); 3];
        let mut live = ActiveBatch::of(RecordedBatch::new(BatchId(1), asked, &jobs));
        let (late, cut) = (
            Error::new(Kind::Timeout, ""),
            Error::new(Kind::Unreachable, ""),
        );
        let waits = [(); 4].map(|()| live.waits_for(0, &late));
        assert_eq!(waits, [true, true, false, false]);
        assert!(live.waits_for(1, &late), "another job has its own tries");
        assert!(
            (0..9).all(|_| live.waits_for(2, &cut)),
            "a line that is cut is waited for"
        );
    }
}
