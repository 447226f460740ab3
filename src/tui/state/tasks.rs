//! The queue as the screen knows it: its last state, transfer speeds, and the cursor of the tasks
//! view.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::{SignedDuration, Timestamp};

use super::busy::BusyTargets;
use super::failures::Failures;
use super::last_status::LastStatus;
use super::speed::Speed;
use super::tally::BatchTally;
use super::trend::Trend;
use super::watched_task::WatchedTask;
use crate::api::Error;
use crate::engine::Job;
use crate::engine::batch::{Batch, BatchId, BatchState, Hold, JobId, RowPlace};
use crate::engine::message::{Settled, Target};
use crate::engine::queue_view::{BatchJob, OlderTasks, QueueRow, QueueView, Totals};
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
    /// The rows requested from the queue: the center, `None` for the top, and the number before and
    /// after it.
    pub watched: (Option<RowPlace>, usize),
    view: QueueView,
    cursor: Option<TaskCursor>,
    /// The cursor on the row that its target was last seen in.
    row: ListCursor,
    /// The speeds of the running batches.
    speeds: BTreeMap<BatchId, Speed>,
    trend: Trend,
}

#[derive(Debug, Clone, Copy)]
pub enum TaskRow<'a> {
    Batch(&'a Batch),
    Job(&'a BatchJob),
    /// The heading of tasks that ended before this run.
    Older(OlderTasks),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TaskCursor {
    place: RowPlace,
    /// The job last seen there; `None` on a batch.
    job: Option<u32>,
}

impl TaskCursor {
    fn on(row: TaskRow<'_>) -> Self {
        match row {
            TaskRow::Batch(batch) => Self::at(RowPlace {
                batch: batch.id,
                below: 0,
            }),
            TaskRow::Older(_) => Self::at(RowPlace {
                batch: OlderTasks::ID,
                below: 0,
            }),
            TaskRow::Job(job) => Self {
                place: RowPlace {
                    batch: job.id.batch,
                    below: job.below,
                },
                job: Some(job.id.number),
            },
        }
    }

    fn at(place: RowPlace) -> Self {
        Self { place, job: None }
    }
}

impl Tasks {
    /// Stores the queue's state. The cursor stays on its target, or goes to whatever takes its
    /// place.
    pub fn set_view(&mut self, view: QueueView, now: Timestamp) {
        let is_less = view.count < self.view.count;
        self.view = view;
        let mut speeds = std::mem::take(&mut self.speeds);
        let running = self
            .known()
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
        self.follow_cursor(is_less);
    }

    /// Finds the cursor's row again. A missing target counts as gone if there are fewer rows, else
    /// as still to come.
    fn follow_cursor(&mut self, is_less: bool) {
        let found = self.cursor.and_then(|cursor| self.find(cursor));
        let here = self.cursor();
        let row = match found {
            Some(row) => row,
            None if is_less => self.clamped(here.at()),
            None => here.at(),
        };
        self.row = here.on(row, here.count());
        if let Some(row) = self.at(self.row.at()) {
            self.cursor = Some(TaskCursor::on(row));
        }
    }

    /// Records the end of a batch, which the queue reports before its next state.
    pub fn end(&mut self, batch: &Batch) {
        let known = self
            .batch(batch.id)
            .filter(|known| known.is_live())
            .cloned();
        let QueueView {
            totals,
            top,
            window,
            ..
        } = &mut self.view;
        if let Some(Batch {
            kind,
            state,
            counts,
            ..
        }) = known
        {
            totals.unfinished = totals.unfinished.saturating_sub(1);
            let waiting = if matches!(state, BatchState::Held(_)) {
                &mut totals.held
            } else {
                &mut totals.queued
            };
            *waiting = waiting.saturating_sub(counts.waiting());
            for (_, running) in totals.running.iter_mut().filter(|(of, _)| *of == kind) {
                *running = running.saturating_sub(counts.running);
            }
            totals.running.retain(|(_, running)| *running > 0);
        }
        let window = window.iter_mut().filter_map(|row| match row {
            QueueRow::Batch(batch) => Some(batch),
            QueueRow::Job(_) | QueueRow::Older(_) => None,
        });
        for known in top
            .iter_mut()
            .chain(window)
            .filter(|known| known.id == batch.id)
        {
            known.clone_from(batch);
        }
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
        self.watched = (None, 0);
        self.since = None;
    }

    pub fn totals(&self) -> &Totals {
        &self.view.totals
    }

    pub fn top(&self) -> &[Batch] {
        &self.view.top
    }

    pub fn len(&self) -> usize {
        self.view.count
    }

    pub fn batches(&self) -> usize {
        self.view.batches
    }

    pub fn is_empty(&self) -> bool {
        self.view.count == 0
    }

    /// Returns `true` if no task is listed: there are none, or all are older and folded.
    pub fn lists_none(&self) -> bool {
        let is_folded = self.view.older.count > 0 && !self.view.older.is_unfolded;
        self.view.count == usize::from(is_folded)
    }

    /// The batches that the queue has sent.
    pub fn known(&self) -> impl Iterator<Item = &Batch> {
        let window = || self.view.window.iter().filter_map(QueueRow::batch);
        let is_new = move |batch: &&Batch| !window().any(|other| other.id == batch.id);
        window().chain(self.view.top.iter().filter(is_new))
    }

    pub fn batch(&self, id: BatchId) -> Option<&Batch> {
        self.known().find(|batch| batch.id == id)
    }

    /// A job, if the queue has sent it.
    pub fn job(&self, id: JobId) -> Option<&BatchJob> {
        self.view.window.iter().find_map(|row| match row {
            QueueRow::Job(job) if job.id == id => Some(job),
            _ => None,
        })
    }

    /// The content of a row, if the queue has sent it.
    pub fn at(&self, row: usize) -> Option<TaskRow<'_>> {
        let in_window = row
            .checked_sub(self.view.before)
            .and_then(|at| self.view.window.get(at));
        let shown = in_window.map(|row| match row {
            QueueRow::Batch(batch) => TaskRow::Batch(batch),
            QueueRow::Job(job) => TaskRow::Job(job),
            QueueRow::Older(older) => TaskRow::Older(*older),
        });
        shown.or_else(|| self.rows_of_top().get(row).map(TaskRow::Batch))
    }

    /// Returns `true` if the row belongs to a task that ended before this run.
    pub fn is_older(&self, row: usize) -> bool {
        let QueueView {
            older,
            window,
            before,
            count,
            ..
        } = &self.view;
        match window
            .iter()
            .position(|row| matches!(row, QueueRow::Older(_)))
        {
            Some(fold) => row > before + fold,
            // The heading is above the window if the window's last row is an older one.
            None => older.is_unfolded && before + window.len() > count.saturating_sub(older.count),
        }
    }

    /// The content of the cursor's row.
    pub fn selected(&self) -> Option<TaskRow<'_>> {
        let cursor = self.cursor?;
        match (cursor.job, cursor.place.below) {
            (None, 0) if cursor.place.batch != OlderTasks::ID => {
                self.batch(cursor.place.batch).map(TaskRow::Batch)
            }
            _ => self
                .at(self.row.at())
                .filter(|row| TaskCursor::on(*row) == cursor),
        }
    }

    pub fn selected_batch(&self) -> Option<&Batch> {
        match self.selected()? {
            TaskRow::Batch(batch) => Some(batch),
            TaskRow::Job(_) | TaskRow::Older(_) => None,
        }
    }

    pub fn older(&self) -> OlderTasks {
        self.view.older
    }

    pub fn cursor(&self) -> ListCursor {
        self.row.among(self.len())
    }

    pub fn place(&self) -> Option<RowPlace> {
        self.cursor.map(|cursor| cursor.place)
    }

    /// Moves the cursor from a job to its batch.
    pub fn leave_jobs(&mut self) {
        let Some(batch) = self
            .place()
            .filter(|place| place.below > 0)
            .map(|place| place.batch)
        else {
            return;
        };
        let cursor = TaskCursor::at(RowPlace { batch, below: 0 });
        let row = self.find(cursor).unwrap_or(self.row.at());
        self.row = self.row.on(row, self.len());
        self.cursor = Some(cursor);
    }

    /// Puts the cursor on a row: the first, the last, or the nearest one that the queue has sent.
    pub fn move_to(&mut self, row: usize) {
        let (first, last) = self.view.ends.unzip();
        let end = self.len().saturating_sub(1);
        let (row, place) = match row.min(end) {
            0 => (0, first),
            row if row == end => (row, last),
            row => (self.clamped(row), None),
        };
        let cursor = self
            .at(row)
            .map(TaskCursor::on)
            .or(place.map(TaskCursor::at));
        if cursor.is_some() {
            (self.row, self.cursor) = (self.row.on(row, self.len()), cursor);
        }
    }

    pub fn move_cursor(&mut self, change: impl FnOnce(&mut ListCursor)) {
        let mut cursor = self.cursor();
        change(&mut cursor);
        self.row = cursor.on(self.row.at(), cursor.count());
        self.move_to(cursor.at());
    }

    /// Puts the cursor on the most urgent batch, unless it is on a live one.
    pub fn seek_urgent(&mut self) {
        if !self
            .place()
            .and_then(|place| self.batch(place.batch))
            .is_some_and(Batch::is_live)
        {
            self.move_to(0);
        }
    }

    /// Returns `true` if the queue has sent all of these rows.
    pub fn covers(&self, rows: Range<usize>) -> bool {
        rows.into_iter().all(|row| self.at(row).is_some())
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
            .known()
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
        let goes_on = |batch: &Batch| {
            matches!(
                batch.state,
                BatchState::Held(Hold::Cause { until: Some(_), .. })
            )
        };
        self.is_running() || self.view.totals.queued > 0 || self.known().any(goes_on)
    }

    /// Returns `true` if something has failed in a task that has ended, and may succeed at a retry.
    pub fn can_retry_failed(&self) -> bool {
        let others = self
            .known()
            .filter(|batch| batch.is_live() || batch.final_failure().is_some())
            .map(|batch| batch.counts.failed);
        self.view.totals.failed > others.sum()
    }

    /// The batches that the queue has sent and that a retry of everything that failed includes.
    pub fn known_to_retry(&self) -> impl Iterator<Item = &Batch> {
        self.known()
            .filter(|batch| batch.has_failed() && batch.final_failure().is_none())
    }

    pub fn is_running(&self) -> bool {
        !self.view.totals.running.is_empty()
    }

    /// The nearest row that the queue has sent.
    fn clamped(&self, row: usize) -> usize {
        let (first, count) = match self.view.window.len() {
            0 => (0, self.rows_of_top().len()),
            count => (self.view.before, count),
        };
        row.clamp(first, (first + count).saturating_sub(1).max(first))
    }

    /// The row of the cursor's target. A job that is gone gives the row of its place, or of its
    /// folded batch.
    fn find(&self, cursor: TaskCursor) -> Option<usize> {
        let TaskCursor { place, job } = cursor;
        let shown = |wanted: &dyn Fn(&QueueRow) -> bool| {
            self.view
                .window
                .iter()
                .position(wanted)
                .map(|at| at + self.view.before)
        };
        let itself = job.and_then(|number| {
            shown(&|row| matches!(row, QueueRow::Job(job) if job.id.batch == place.batch && job.id.number == number))
        });
        let in_place = |place: RowPlace| {
            let in_top = || {
                self.rows_of_top().iter().position(|batch| {
                    place
                        == RowPlace {
                            batch: batch.id,
                            below: 0,
                        }
                })
            };
            shown(&|row| row.place() == place).or_else(in_top)
        };
        let is_folded = self.batch(place.batch).is_some_and(|batch| !batch.unfolded);
        let folded = || in_place(RowPlace { below: 0, ..place }).filter(|_| is_folded);
        itself.or_else(|| in_place(place)).or_else(folded)
    }

    /// The most urgent batches down to the first unfolded one: only their row numbers are known.
    fn rows_of_top(&self) -> &[Batch] {
        let known = self
            .view
            .top
            .iter()
            .position(|batch| batch.unfolded)
            .map_or(self.view.top.len(), |at| at + 1);
        self.view.top.get(..known).unwrap_or_default()
    }
}
