//! The queue as the screen knows it: its last state, transfer speeds, and what the user has
//! unfolded of it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::busy::BusyTargets;
use super::failures::Failures;
use super::last_status::LastStatus;
use super::reads::JobsRead;
use super::speed::Speed;
use super::tally::BatchTally;
use super::task_rows::{KnownJobs, OlderTasks, TaskCursor, TaskEntry, TaskRow};
use super::trend::Trend;
use super::watched_task::WatchedTask;
use crate::api::Error;
use crate::engine::Job;
use crate::engine::batch::{Batch, BatchId, BatchState, Hold, JobId};
use crate::engine::message::{Settled, Target};
use crate::engine::queue_view::{BatchJob, QueueView, Totals};
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug, Clone, Default)]
pub struct Tasks {
    pub busy: BusyTargets,
    pub tallies: BTreeMap<BatchId, BatchTally>,
    /// The cursor's row when a batch was requested, until the cursor has moved to what the batch
    /// made.
    pub asked_on: BTreeMap<BatchId, Option<Target>>,
    /// Deletions that start once all of a batch has succeeded.
    pub deletions: BTreeMap<BatchId, Vec<Job>>,
    /// Failures of this session that the user has not seen in the tasks view.
    pub unseen_failures: usize,
    /// The failures of the batch whose details are open.
    pub failures: Option<Failures>,
    /// The service's last status of the task whose details are open, if it is no longer watched.
    pub last_status: Option<LastStatus>,
    /// The service task that was looked up by id, until it ends.
    pub watched_task: Option<WatchedTask>,
    /// The errors that hold batches, as far as they were reported.
    pub causes: BTreeMap<BatchId, Error>,
    /// The start of this run; `None` once the tasks left by an earlier run were reported.
    pub since: Option<Timestamp>,
    view: QueueView,
    entries: Vec<TaskEntry>,
    /// The batches whose jobs are listed below them.
    unfolded: BTreeMap<BatchId, KnownJobs>,
    /// Set if tasks that ended before this run are listed below their heading; `None` before the
    /// first state of the queue.
    lists_older: Option<bool>,
    cursor: Option<TaskCursor>,
    /// The cursor on the row that its target was last seen in.
    row: ListCursor,
    /// The speeds of the running batches.
    speeds: BTreeMap<BatchId, Speed>,
    trend: Trend,
}

impl Tasks {
    /// Stores the queue's state. The cursor stays on its target, or goes to whatever takes its
    /// place.
    pub fn set_view(&mut self, view: QueueView, now: Timestamp) {
        // Older tasks are listed if there is nothing else.
        self.lists_older
            .get_or_insert(view.older == view.batches.len());
        self.view = view;
        let mut speeds = std::mem::take(&mut self.speeds);
        let running = self
            .current()
            .iter()
            .filter(|batch| batch.state == BatchState::Running);
        let sampled = running.map(|batch| {
            let mut speed = speeds.remove(&batch.id).unwrap_or_default();
            speed.sample(batch.bytes.done, now);
            (batch.id, speed)
        });
        self.speeds = sampled.collect();
        let all = self
            .speeds
            .keys()
            .filter_map(|id| self.speed(*id, now))
            .sum();
        self.trend.sample(all, now);
        self.arrange();
    }

    /// Records the end of a batch, which the queue reports before its next state.
    pub fn end(&mut self, batch: &Arc<Batch>) {
        let QueueView {
            mut batches,
            older,
            totals,
        } = std::mem::take(&mut self.view);
        for known in batches.iter_mut().filter(|known| known.id == batch.id) {
            known.clone_from(batch);
        }
        self.view = QueueView::new(batches, older, totals.draining);
        self.arrange();
    }

    /// Records results of jobs; `ahead` is the amount by which the service's clock is ahead.
    pub fn settle(&mut self, batch: BatchId, settled: Vec<Settled>, ahead: SignedDuration) {
        for settled_job in settled {
            self.unseen_failures += usize::from(settled_job.result.is_err());
            if let Some(target) = settled_job.job.target() {
                self.busy
                    .settled(batch, &target, settled_job.result.is_ok());
            }
            self.tallies
                .entry(batch)
                .or_default()
                .add(settled_job, ahead);
        }
    }

    /// Drops what only the screen needs, when the account leaves it.
    pub fn leave(&mut self) {
        self.failures = None;
        // Nobody gets the answers.
        self.unfolded
            .values_mut()
            .for_each(|known| known.asked = None);
        self.since = None;
    }

    pub fn totals(&self) -> &Totals {
        &self.view.totals
    }

    /// All batches, the most urgent first; those that ended before this run are the last.
    pub fn all(&self) -> &[Arc<Batch>] {
        &self.view.batches
    }

    /// The batches without those that ended before this run.
    pub fn current(&self) -> &[Arc<Batch>] {
        let all = self.all();
        let older = all.len().saturating_sub(self.view.older);
        all.get(..older).unwrap_or_default()
    }

    /// The batches that have a row.
    pub fn listed(&self) -> &[Arc<Batch>] {
        if self.lists_older == Some(true) {
            self.all()
        } else {
            self.current()
        }
    }

    pub fn batch(&self, id: BatchId) -> Option<&Arc<Batch>> {
        self.all().iter().find(|batch| batch.id == id)
    }

    /// The jobs that failed in listed batches and were neither retried nor cleared.
    pub fn failed(&self) -> usize {
        self.listed().iter().map(|batch| batch.counts.failed).sum()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.row.count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The content of a row; `None` for a job that is not known yet.
    pub fn at(&self, row: usize) -> Option<TaskRow<'_>> {
        let (batch, below) = self.place(row)?;
        match batch {
            None => Some(TaskRow::Older(self.older())),
            Some(batch) if below == 0 => Some(TaskRow::Batch(batch)),
            Some(batch) => {
                let KnownJobs { first, jobs, .. } = self.unfolded.get(&batch.id)?;
                let job = jobs.get((below - 1).checked_sub(*first)?)?;
                Some(TaskRow::Job(job))
            }
        }
    }

    /// A job, if it is known.
    pub fn job(&self, id: JobId) -> Option<&BatchJob> {
        let mut jobs = self.unfolded.get(&id.batch)?.jobs.iter();
        jobs.find(|job| job.id == id)
    }

    /// Returns `true` if the row belongs to a task that ended before this run.
    pub fn is_older(&self, row: usize) -> bool {
        let heading = self.entries.get(self.current().len());
        heading.is_some_and(|heading| heading.row < row)
    }

    /// The content of the cursor's row.
    pub fn selected(&self) -> Option<TaskRow<'_>> {
        self.at(self.row.at())
    }

    pub fn selected_batch(&self) -> Option<&Batch> {
        match self.selected()? {
            TaskRow::Batch(batch) => Some(batch),
            TaskRow::Job(_) | TaskRow::Older(_) => None,
        }
    }

    pub fn older(&self) -> OlderTasks {
        let older = self.all().iter().skip(self.current().len());
        OlderTasks {
            count: older.len(),
            failed: older.filter(|batch| batch.has_failed()).count(),
            is_unfolded: self.lists_older == Some(true),
        }
    }

    pub fn is_unfolded(&self, id: BatchId) -> bool {
        self.unfolded.contains_key(&id)
    }

    /// Lists what is below the cursor's row, or folds it; the jobs of a batch also from one of
    /// them.
    pub fn turn(&mut self) {
        match self.cursor.map(|cursor| cursor.batch) {
            Some(Some(id)) if self.unfolded.remove(&id).is_none() => {
                self.unfolded.insert(id, KnownJobs::default());
            }
            Some(None) => self.lists_older = self.lists_older.map(|lists| !lists),
            Some(Some(_)) | None => {}
        }
        self.arrange();
    }

    pub fn cursor(&self) -> ListCursor {
        self.row
    }

    pub fn move_cursor(&mut self, change: impl FnOnce(&mut ListCursor)) {
        change(&mut self.row);
        self.cursor = self.target();
    }

    /// Puts the cursor on the most urgent batch, unless it is on a live one.
    pub fn seek_urgent(&mut self) {
        let batch = self.place(self.row.at()).and_then(|(batch, _)| batch);
        if !batch.is_some_and(|batch| batch.is_live()) {
            self.move_cursor(|cursor| cursor.go_to(0));
        }
    }

    /// Returns the questions about jobs in these rows that are not known, or whose batch has
    /// changed since. They include about as many jobs before and after.
    pub fn questions(&mut self, shown: Range<usize>) -> Vec<JobsRead> {
        let mut questions = Vec::new();
        let first = self
            .entries
            .partition_point(|entry| entry.row < shown.start);
        let entries = self.entries.iter().skip(first.saturating_sub(1));
        for TaskEntry { row, batch } in entries.take_while(|entry| entry.row < shown.end) {
            let Some(batch) = batch else { continue };
            let Some(known) = self.unfolded.get_mut(&batch.id) else {
                continue;
            };
            let within = |at: usize| at.saturating_sub(row + 1).min(batch.listed);
            let (start, end) = (within(shown.start), within(shown.end));
            let is_asked = known.asked.as_ref().is_some_and(|asked| {
                asked.batch == *batch && asked.range.start <= start && end <= asked.range.end
            });
            if start < end && !is_asked {
                let (start, end) = (start.saturating_sub(shown.len()), end + shown.len());
                let question = JobsRead {
                    batch: batch.clone(),
                    range: start..end.min(batch.listed),
                };
                questions.push(known.asked.insert(question).clone());
            }
        }
        questions
    }

    /// Stores the answer to a question, if it was the last one.
    pub fn set_jobs(&mut self, question: &JobsRead, jobs: Vec<BatchJob>) {
        let known = self.unfolded.get_mut(&question.batch.id);
        if let Some(known) = known.filter(|known| known.asked.as_ref() == Some(question)) {
            (known.first, known.jobs) = (question.range.start, jobs);
            self.arrange();
        }
    }

    /// Brings rows in line with the batches. The cursor stays on its target; if that is gone, on
    /// what takes its place.
    fn arrange(&mut self) {
        let batches = &self.view.batches;
        self.unfolded
            .retain(|id, _| batches.iter().any(|batch| batch.id == *id));
        let mut entries: Vec<_> = self.listed().iter().cloned().map(Some).collect();
        if self.view.older > 0 {
            entries.insert(self.current().len(), None);
        }
        let mut len = 0;
        let entry = |batch: Option<Arc<Batch>>| {
            let row = len;
            let unfolded = batch.as_ref().filter(|batch| self.is_unfolded(batch.id));
            len += 1 + unfolded.map_or(0, |batch| batch.listed);
            TaskEntry { row, batch }
        };
        self.entries = entries.into_iter().map(entry).collect();
        let row = self.cursor.and_then(|cursor| self.find(cursor));
        self.row = self.row.on(row.unwrap_or(self.row.at()), len);
        self.cursor = self.target();
    }

    /// Returns the batch of a row, or `None` for the heading, and the number of rows down from its
    /// own.
    fn place(&self, row: usize) -> Option<(Option<&Arc<Batch>>, usize)> {
        let above = self.entries.partition_point(|entry| entry.row <= row);
        let entry = self.entries.get(above.checked_sub(1)?)?;
        (row < self.len()).then_some((entry.batch.as_ref(), row - entry.row))
    }

    fn target(&self) -> Option<TaskCursor> {
        let (batch, below) = self.place(self.row.at())?;
        let job = match self.selected() {
            Some(TaskRow::Job(job)) => Some(job.id),
            _ => None,
        };
        Some(TaskCursor {
            batch: batch.map(|batch| batch.id),
            below,
            job,
        })
    }

    /// Returns the row of the cursor's target. A job that is gone gives the row of its place, or of
    /// its folded batch.
    fn find(&self, TaskCursor { batch, below, job }: TaskCursor) -> Option<usize> {
        let mut entries = self.entries.iter();
        let is_its = |entry: &&TaskEntry| entry.batch.as_ref().map(|batch| batch.id) == batch;
        let row = entries.find(is_its)?.row;
        let Some(known) = batch.and_then(|id| self.unfolded.get(&id)) else {
            return Some(row);
        };
        let moved = known.jobs.iter().position(|other| Some(other.id) == job);
        Some(row + moved.map_or(below, |at| known.first + at + 1))
    }

    /// The bytes per second of a batch; `None` if it does not move.
    pub fn speed(&self, id: BatchId, now: Timestamp) -> Option<u64> {
        let speed = self
            .speeds
            .get(&id)
            .filter(|speed| speed.stalled(now).is_none())?;
        speed.bytes_per_second().filter(|speed| *speed > 0)
    }

    /// The recent bytes per second of all batches together.
    pub fn history(&self) -> impl Iterator<Item = u64> {
        self.trend.iter()
    }

    /// The seconds a running batch has been without progress, if long enough to report.
    pub fn stalled(&self, id: BatchId, now: Timestamp) -> Option<i64> {
        self.speeds.get(&id)?.stalled(now)
    }

    pub fn time_left(&self, batch: &Batch, now: Timestamp) -> Option<SignedDuration> {
        let left = batch.bytes.total?.checked_sub(batch.bytes.done)?;
        let seconds = left.checked_div(self.speed(batch.id, now)?)?;
        i64::try_from(seconds).ok().map(SignedDuration::from_secs)
    }

    /// The progress of all running transfers together, in percent; `None` where their sizes are not
    /// known.
    pub fn progress(&self) -> Option<u64> {
        let moving = self
            .current()
            .iter()
            .filter(|batch| batch.state == BatchState::Running && batch.kind.is_transfer());
        let (done, total) = moving
            .filter_map(|batch| Some((batch.bytes.done, batch.bytes.total?)))
            .fold((0_u64, 0_u64), |(done, all), (own, total)| {
                (done.saturating_add(own), all.saturating_add(total))
            });
        done.saturating_mul(100)
            .checked_div(total)
            .map(|percent| percent.min(100))
    }

    /// Returns `true` if something is running or will start on its own.
    pub fn is_at_work(&self) -> bool {
        let goes_on = |batch: &Arc<Batch>| {
            matches!(
                batch.state,
                BatchState::Held(Hold::Cause { until: Some(_), .. })
            )
        };
        self.is_running() || self.view.totals.queued > 0 || self.current().iter().any(goes_on)
    }

    /// The batches that a retry of everything that failed includes.
    pub fn failed_to_retry(&self) -> impl Iterator<Item = &Arc<Batch>> {
        self.listed()
            .iter()
            .filter(|batch| batch.has_failed() && batch.final_failure().is_none())
    }

    pub fn is_running(&self) -> bool {
        !self.view.totals.running.is_empty()
    }
}
