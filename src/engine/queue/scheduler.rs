//! The queue's own task: accepts requests, starts jobs where there is room, and settles their
//! results.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::{Notify, OwnedSemaphorePermit, mpsc};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use super::active_batch::{ActiveBatch, ActiveJob};
use super::command::QueueCommand;
use super::job_progress::JobProgress;
use super::mode::QueueMode;
use super::pending_jobs;
use super::pools::{AtOnce, Pools, is_bulk};
use super::upload_context::UploadContext;
use super::worker::{self, WorkItem};
use crate::api::{Error, Kind};
use crate::engine::batch::{BatchId, kind, label};
use crate::engine::job::{Job, JobKind, Pool};
use crate::engine::journal::{Journal, NewBatch, PendingJob, RecordedBatch};
use crate::engine::message::{Event, OpId, Outcome};
use crate::engine::outbox::Outbox;
use crate::engine::question::{AddJobs, ControlQueue, ListFailures, ListJobs, Question as _};
use crate::engine::tools::Tools;

/// Returns the number of jobs recorded as being sent at once, before the first byte of the first.
/// Nobody can find out later whether an import that was recorded as being sent has started.
fn sent_at_once(kind: JobKind) -> u32 {
    if kind == JobKind::Import { 1 } else { 64 }
}

pub(super) struct JobEnd {
    batch: BatchId,
    number: u32,
    /// `None` if it was given up.
    result: Option<Result<Outcome, Error>>,
    /// Its place in the pool, if it still has it: nobody gets that before the result is known,
    /// which may end the batch.
    _place: Option<OwnedSemaphorePermit>,
}

pub(crate) struct Scheduler {
    pub(super) tools: Tools,
    pub(super) outbox: Outbox,
    pub(super) mode: QueueMode,
    pub(super) read_only: bool,
    pub(super) pools: Pools,
    pub(super) batches: BTreeMap<BatchId, ActiveBatch>,
    pub(super) working: JoinSet<JobEnd>,
    /// The job of each task, to answer for one that panics.
    pub(super) tasks: HashMap<Id, (BatchId, u32)>,
    /// The start of this run: what ended before is older.
    pub(super) since: Timestamp,
    /// Set while nothing more is started.
    pub(super) draining: bool,
    /// Notified when a running job has progress to report.
    pub(super) wake_up: Arc<Notify>,
    /// Set when the report has changed.
    pub(super) dirty: bool,
    pub(super) reported_at: Option<Instant>,
}

impl Scheduler {
    pub(crate) fn new(
        tools: Tools,
        outbox: Outbox,
        caller: QueueMode,
        at_once: AtOnce,
        read_only: bool,
    ) -> Self {
        Self {
            tools,
            outbox,
            mode: caller,
            read_only,
            pools: Pools::new(at_once),
            batches: BTreeMap::new(),
            working: JoinSet::new(),
            tasks: HashMap::new(),
            since: Timestamp::now(),
            draining: false,
            wake_up: Arc::default(),
            dirty: false,
            reported_at: None,
        }
    }

    /// Runs until it is stopped, or nobody can send requests anymore.
    pub(crate) async fn run(mut self, mut orders: mpsc::Receiver<(OpId, QueueCommand)>) {
        let (stop, nudge) = (self.tools.stop.clone(), self.wake_up.clone());
        self.take_over_batches().await;
        loop {
            self.begin().await;
            self.report_if_due().await;
            let wake = self.wake();
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                // Before jobs that have ended, of which there may be more and more.
                order = orders.recv() => match order {
                    Some((op, command)) => self.obey(op, command).await,
                    None => break,
                },
                Some(ended) = self.working.join_next_with_id() => self.ended(ended).await,
                () = nudge.notified() => self.dirty = true,
                () = until(wake), if wake.is_some() => self.release(),
            }
        }
        self.close().await;
    }

    async fn obey(&mut self, op: OpId, command: QueueCommand) {
        self.dirty |= matches!(
            command,
            QueueCommand::AddJobs(_) | QueueCommand::ControlQueue(_)
        );
        let result = match command {
            QueueCommand::AddJobs(AddJobs(jobs)) => self.add(jobs).await.map(AddJobs::wrap),
            QueueCommand::ControlQueue(ControlQueue(control)) => {
                self.control(control).await.map(ControlQueue::wrap)
            }
            QueueCommand::ListFailures(ListFailures(id)) => {
                self.failures(id).await.map(ListFailures::wrap)
            }
            QueueCommand::ListJobs(ListJobs { batch, range }) => {
                self.list_jobs(batch, range).await.map(ListJobs::wrap)
            }
        };
        self.outbox.deliver(Event::Done { op, result }).await;
    }

    pub(super) fn check_writable(&self, kind: JobKind) -> Result<(), Error> {
        let refuse = || {
            Error::new(
                Kind::Refused,
                "This account is read-only: nothing was changed",
            )
        };
        if self.read_only && kind.is_change() {
            Err(refuse())
        } else {
            Ok(())
        }
    }

    async fn add(&mut self, jobs: Vec<Job>) -> Result<BatchId, Error> {
        let Some(kind) = kind(&jobs) else {
            return Err(Error::new(Kind::Refused, "Nothing to do"));
        };
        jobs.iter()
            .try_for_each(|job| self.check_writable(job.kind()))?;
        let asked = NewBatch {
            kind,
            label: label(&jobs, self.tools.journal.account()),
            script: self.mode == QueueMode::Script,
            at: Timestamp::now(),
        };
        let jobs: Arc<[PendingJob]> = pending_jobs::pending(jobs).await.into();
        // What starts at once is recorded as being sent together with its batch.
        let place = self.pools.take(asked.kind.pool(), is_bulk(jobs.len()));
        let place = place.filter(|_| !self.draining);
        let most = place.map_or(0, |_| sent_at_once(asked.kind));
        let (id, first) = self.tools.journal.add_batch(&asked, &jobs, most).await?;
        let mut live = ActiveBatch::of(RecordedBatch::new(id, asked, &jobs));
        live.context = UploadContext::planned();
        live.chunk.extend(first);
        let has_secrets = |entry: &&PendingJob| entry.job.without_secrets().is_some();
        let complete = jobs.iter().filter(has_secrets);
        live.complete_jobs = complete
            .map(|entry| (entry.number, entry.job.clone()))
            .collect();
        self.batches.insert(id, live);
        Ok(id)
    }

    async fn begin(&mut self) {
        if self.draining {
            return;
        }
        loop {
            let mut ready: Vec<&ActiveBatch> = self
                .batches
                .values()
                .filter(|live| live.is_ready())
                .collect();
            ready.sort_by_key(|live| live.turn());
            let next = ready.into_iter().find_map(|live| {
                let place = self.pools.take(live.kind.pool(), live.is_bulk())?;
                Some((live.id, place))
            });
            let Some((id, place)) = next else { return };
            let Some(entry) = self.next_entry(id).await else {
                continue;
            };
            let Some(live) = self.batches.get_mut(&id) else {
                continue;
            };
            let progress = JobProgress::new(entry.job.subject(), entry.task.clone());
            let (report, token) = (
                progress.report(&self.wake_up),
                self.tools.stop.child_token(),
            );
            let mut tools = self.tools.clone();
            tools.client = tools.client.with_observer(self.outbox.observer(&report));
            let work = WorkItem {
                tools,
                cancelled: token.clone(),
                batch: id,
                entry: entry.clone(),
                context: live.context.clone(),
                report,
            };
            let number = entry.number;
            live.started_at.get_or_insert_with(Timestamp::now);
            live.running.insert(
                number,
                ActiveJob {
                    entry,
                    progress,
                    token,
                    began: Timestamp::now(),
                    given_up: false,
                },
            );
            let task = self.working.spawn(async move {
                let mut place = Some(place);
                let result = worker::carry_out(work, &mut place).await;
                JobEnd {
                    batch: id,
                    number,
                    result,
                    _place: place,
                }
            });
            self.tasks.insert(task.id(), (id, number));
            self.dirty = true;
        }
    }

    /// Returns the next job of a batch; if none can be had, holds the batch, or ends it if nobody
    /// could resume it.
    async fn next_entry(&mut self, id: BatchId) -> Option<PendingJob> {
        if let Err(error) = self.fill_chunk(id).await {
            let live = self.batches.get_mut(&id)?;
            if self.mode == QueueMode::Script {
                (live.cancelled, live.failure) = (true, Some((live.label.clone(), error)));
                Journal::log_failure(self.cancel_rest(id).await);
                self.end_if_over(id).await;
            } else {
                live.hold_for(error);
            }
            return None;
        }
        let live = self.batches.get_mut(&id)?;
        let mut entry = live.chunk.pop_front()?;
        if let Some(job) = live.complete_jobs.get(&entry.number) {
            (entry.job, entry.partly) = (job.clone(), false);
        }
        Some(entry)
    }

    /// Takes the next jobs of a batch out of the journal, if none are at hand.
    async fn fill_chunk(&mut self, id: BatchId) -> Result<(), Error> {
        let Some(live) = self
            .batches
            .get_mut(&id)
            .filter(|live| live.chunk.is_empty())
        else {
            return Ok(());
        };
        let most = sent_at_once(live.kind);
        let chunk = self.tools.journal.take(id, most).await?;
        if chunk.is_empty() {
            return Err(Error::new(
                Kind::Internal,
                "The journal lacks jobs of this task",
            ));
        }
        live.chunk.extend(chunk);
        Ok(())
    }

    pub(super) async fn ended(&mut self, ended: Result<(Id, JobEnd), JoinError>) {
        let worked = match ended {
            Ok((task, worked)) => {
                self.tasks.remove(&task);
                worked
            }
            Err(error) => {
                let Some((id, number)) = self.tasks.remove(&error.id()) else {
                    return;
                };
                tracing::error!(batch = id.0, number, "a job panicked");
                let error = Error::new(Kind::Internal, "The job ended unexpectedly");
                JobEnd {
                    batch: id,
                    number,
                    result: Some(Err(error)),
                    _place: None,
                }
            }
        };
        self.settle(worked).await;
    }

    async fn settle(
        &mut self,
        JobEnd {
            batch: id,
            number,
            result,
            _place,
        }: JobEnd,
    ) {
        self.dirty = true;
        let Some(live) = self.batches.get_mut(&id) else {
            return;
        };
        let Some(ActiveJob {
            mut entry,
            progress,
            began,
            given_up,
            ..
        }) = live.running.remove(&number)
        else {
            return;
        };
        // What the service has accepted is not requested again.
        entry.task = progress.task();
        let Some(result) = result else {
            // A change is given up before it is sent, or not at all.
            entry.in_doubt |= live.kind.pool() != Pool::Edit;
            if live.cancelled || given_up {
                live.give_up(&entry, began);
            } else {
                live.chunk.push_front(entry);
            }
            return self.end_if_over(id).await;
        };
        if let Err(error) = &result
            && error.meets_all()
        {
            if self.mode == QueueMode::Script {
                live.cancelled = true;
            } else if live.waits_for(number, error) {
                if error.in_doubt {
                    // What may have been stored since is missing in the earlier lookup.
                    entry.in_doubt = true;
                    live.context = live.context.again();
                }
                live.chunk.push_front(entry);
                live.hold_for(error.clone());
                if error.kind == Kind::DaySpent {
                    // The budget is the same for all: none of them need ask for it.
                    let others = self.batches.values_mut().filter(|live| live.is_ready());
                    others.for_each(|live| live.hold_for(error.clone()));
                }
                return;
            }
        }
        live.take(entry, began, result);
        if live.cancelled && self.mode == QueueMode::Script {
            Journal::log_failure(self.cancel_rest(id).await);
        }
        self.end_if_over(id).await;
    }

    pub(super) async fn end_if_over(&mut self, id: BatchId) {
        if self.batches.get(&id).is_some_and(ActiveBatch::is_over) {
            self.end(id).await;
        }
    }

    pub(super) async fn end(&mut self, id: BatchId) {
        Journal::log_failure(self.write(id).await);
        Journal::log_failure(self.tools.journal.end(id).await);
        let Some(live) = self.batches.get_mut(&id) else {
            return;
        };
        live.ended_at = Some(Timestamp::now());
        live.hold = None;
        if live.counts.failed + live.counts.cancelled > 0 {
            live.context = live.context.again();
        } else {
            live.context = UploadContext::default();
        }
        self.dirty = true;
        self.report_news(id).await;
        if let Some(live) = self.batches.get_mut(&id) {
            self.outbox.deliver(Event::Ended(live.summary())).await;
        }
        if self.mode == QueueMode::Script {
            Journal::log_failure(self.tools.journal.forget_scripts(id).await);
        }
    }

    /// Resumes batches whose cause has passed.
    fn release(&mut self) {
        for live in self.batches.values_mut() {
            self.dirty |= live.release();
        }
    }
}

async fn until(wake: Option<Instant>) {
    if let Some(wake) = wake {
        tokio::time::sleep_until(wake).await;
    }
}
