//! The only background task: woken by new work or at the next due time, asleep otherwise.

use std::collections::HashMap;

use futures::future::OptionFuture;
use jiff::{SignedDuration, Timestamp};
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::clock_watch::ClockWatch;
use super::erasure_watch::{ErasureWatch, later};
use super::{erasure, failure, folder_update, import};
use crate::api::ids::TaskId;
use crate::service::answer::error::ApiError;
use crate::service::content::reserve::InUse;
use crate::service::fetch::Fetcher;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{ScrubDelay, ServiceFlag, Store, StoreError, TaskKind};

/// The running background work of a service. Dropping this stops it, like `stop`.
#[derive(Debug)]
pub(crate) struct Jobs {
    stop: DropGuard,
    task: JoinHandle<bool>,
}

impl Jobs {
    pub(crate) fn start(state: AppState, fetcher: Fetcher, start_time: StartTime) -> Self {
        let stop = CancellationToken::new();
        let task = tokio::spawn(run(state, fetcher, start_time, stop.clone()));
        Self {
            stop: stop.drop_guard(),
            task,
        }
    }

    /// Stops the work; the next start resumes it. Returns `true` if the database was lost and
    /// needed a rescue.
    pub(crate) async fn stop(self) -> bool {
        drop(self.stop);
        self.task.await.unwrap_or_else(|error| {
            tracing::error!(%error, "the background work had failed");
            false
        })
    }
}

/// The clock at the start of the service, read before the service changes anything.
#[derive(Debug)]
pub(crate) struct StartTime {
    now: Timestamp,
    /// The last time that an earlier run trusted, or the earliest of all if it is unknown, so that
    /// the clock is doubted; `None` in a new store.
    trusted: Option<Timestamp>,
}

impl StartTime {
    pub(crate) async fn read(state: &AppState) -> Self {
        let known = match state.store.mark(ServiceFlag::TrustedTime).await {
            // A run that ended before it trusted any time may have left files that expire.
            Ok(None) => state
                .store
                .next_expiry()
                .await
                .map(|next| next.map(|_| Timestamp::MIN)),
            known => known,
        };
        let trusted = known.unwrap_or_else(|error| {
            tracing::error!(%error, cause = ?std::error::Error::source(&error), "the time of the last run cannot be read; the clock is doubted");
            Some(Timestamp::MIN)
        });
        Self {
            now: state.clock.now(),
            trusted,
        }
    }
}

struct Runner {
    state: AppState,
    /// The start of the service; `None` after the first round.
    started: Option<Timestamp>,
    fetcher: Fetcher,
    imports: JoinSet<Result<(), StoreError>>,
    importing: HashMap<Id, TaskId>,
    imports_rest_until: Option<Timestamp>,
    watch: ClockWatch,
    trusted: Option<Timestamp>,
    /// The time of the next rewrite, shared by all that is erased until then; `None` if nothing was
    /// erased.
    rewrite_due: Option<Timestamp>,
    /// The time of the next attempt to empty the log, which a reader prevented after a rewrite.
    log_due: Option<Timestamp>,
    erasures: ErasureWatch,
    /// The released disk space, until the next round has used it.
    room: Option<InUse>,
    /// The time at which a file that was moved aside is old enough to be removed; `None` if there
    /// are none.
    aside_due: Option<Timestamp>,
}

/// Works until it is stopped or the database is lost. Returns `true` if the database needed rescue.
async fn run(
    state: AppState,
    fetcher: Fetcher,
    start_time: StartTime,
    stop: CancellationToken,
) -> bool {
    // Nothing may be removed before the check that no rows were lost.
    tokio::select! {
        biased;
        () = state.names_checked.wait() => {}
        () = stop.cancelled() => {}
    }
    if let Some(database) = state.store.embedded() {
        database.fill_name_index();
    }
    let StartTime {
        now: started,
        trusted,
    } = start_time;
    let mut runner = Runner {
        watch: ClockWatch::new(trusted.unwrap_or(started)),
        aside_due: state.blobs.directory().map(|_| Timestamp::MIN),
        // Another process may be about to open unused blobs.
        started: (!state.store.is_shared()).then_some(started),
        state,
        fetcher,
        imports: JoinSet::new(),
        importing: HashMap::new(),
        imports_rest_until: None,
        trusted,
        // This may be a start after a crash.
        rewrite_due: Some(Timestamp::MIN),
        log_due: None,
        erasures: ErasureWatch::default(),
        room: None,
    };
    while !stop.is_cancelled() && runner.state.store.is_there() {
        let (now, done) = {
            let state = runner.state.clone();
            let _alone = state.round.lock().await;
            // Read once it is this round's turn, since the wait may have been for a move of the
            // clock.
            let reading = state.clock.read();
            (
                reading.now,
                runner.round(reading.now, reading.moved_by).await,
            )
        };
        let next = match done {
            Ok(next) => next,
            Err(_) if !runner.state.store.is_there() => continue,
            Err(error) => runner.put_off(&error, now).await,
        };
        let next = next
            .into_iter()
            .chain(runner.watch_erasures(now).await)
            .min();
        tokio::select! {
            () = stop.cancelled() => {}
            () = runner.state.work.notified() => {}
            Some(ended) = runner.imports.join_next_with_id() => runner.settle(ended).await,
            Some(()) = OptionFuture::from(next.map(|next| runner.state.clock.until(next))) => {}
        }
    }
    // Dropping the set stops the fetches; their tasks stay PROCESSING for the next start.
    runner.imports.shutdown().await;
    runner.hand_over().await;
    rescue(&runner.state.store).await
}

/// Tries to rescue a database whose file was removed or replaced. Returns `false` if that was not
/// the case.
pub(crate) async fn rescue(store: &Store) -> bool {
    let Some(database) = store.embedded().filter(|database| database.needs_rescue()) else {
        return false;
    };
    match database.rescue().await {
        Ok(copy) => {
            tracing::error!(copy = %copy.display(), "a copy of the lost database was saved: 'filedeck store recover --from' takes it");
        }
        Err(error) => {
            tracing::error!(%error, cause = ?std::error::Error::source(&error), "the lost database could not be saved");
        }
    }
    true
}

impl Runner {
    /// Returns the time of the next attempt. On a full disk, releases the reserved space for it.
    async fn put_off(&mut self, error: &StoreError, now: Timestamp) -> Option<Timestamp> {
        tracing::error!(%error, cause = ?std::error::Error::source(error), "background work failed; it is tried again");
        self.room = if error.is_full() {
            Some(self.state.make_way().await)
        } else {
            None
        };
        now.checked_add(policy::JOB_RETRY).ok()
    }

    /// Does everything that is due and returns the next due time. `moved_by` is how far a test has
    /// moved the clock.
    async fn round(
        &mut self,
        now: Timestamp,
        moved_by: SignedDuration,
    ) -> Result<Option<Timestamp>, StoreError> {
        let rest = self.start_imports(now).await?;
        folder_update::advance(&self.state, now).await?;
        let expiry = self.expire(now, moved_by).await?;
        let erased = erasure::erase_rows(&self.state.store, now).await;
        // Some may have been erased before a failure.
        if !matches!(erased, Ok(false)) {
            self.rewrite_due
                .get_or_insert(later(now, policy::REWRITE_GRACE));
        }
        erased?;
        let pending = erasure::give_up_uploads(&self.state).await?;
        let blobs = erasure::remove_blobs(&self.state, self.started, now).await?;
        self.started = None;
        let log = self.scrub(now).await?;
        self.room = None;
        self.state.room.is_held().await;
        let turn = self.state.store.next_turn(now).await?;
        Ok([rest, expiry, pending, blobs, log, turn]
            .into_iter()
            .flatten()
            .min())
    }

    async fn start_imports(&mut self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        if let Some(rest) = self.imports_rest_until.filter(|rest| *rest > now) {
            return Ok(Some(rest));
        }
        let free = policy::IMPORTS_AT_ONCE.saturating_sub(self.imports.len());
        // Running ones are included in the result.
        let limit = u32::try_from(policy::IMPORTS_AT_ONCE + self.imports.len()).unwrap_or(u32::MAX);
        let tasks = self
            .state
            .store
            .tasks_in_turn(TaskKind::Import, now, limit)
            .await?;
        let waiting: Vec<_> = tasks
            .into_iter()
            .filter(|task| !self.importing.values().any(|running| *running == task.id))
            .collect();
        for task in waiting.into_iter().take(free) {
            let id = task.id.clone();
            let started =
                self.imports
                    .spawn(import::run(self.state.clone(), self.fetcher.clone(), task));
            self.importing.insert(started.id(), id);
        }
        Ok(None)
    }

    /// Lets other processes immediately resume the imports that this one has started.
    async fn hand_over(&self) {
        if !self.state.store.is_shared() {
            return;
        }
        let now = self.state.clock.now();
        for task in self.importing.values() {
            if let Err(error) = self.state.store.keep_task(task, now).await {
                tracing::warn!(%error, "an import that was begun waits until its time here is over");
            }
        }
    }

    /// Handles the end of an import; one that panicked is canceled.
    async fn settle(&mut self, ended: Result<(Id, Result<(), StoreError>), JoinError>) {
        let now = self.state.clock.now();
        let result = match ended {
            Ok((id, result)) => {
                self.importing.remove(&id);
                result
            }
            Err(error) => match self.importing.remove(&error.id()) {
                Some(task) => {
                    let error = ApiError::internal("import a file", &error);
                    failure::cancel(&self.state, (TaskKind::Import, &task), error, now).await
                }
                None => Ok(()),
            },
        };
        if let Err(error) = result {
            tracing::error!(%error, cause = ?std::error::Error::source(&error), "an import could not be recorded");
            self.imports_rest_until = now.checked_add(policy::JOB_RETRY).ok();
        }
    }

    async fn expire(
        &mut self,
        now: Timestamp,
        moved_by: SignedDuration,
    ) -> Result<Option<Timestamp>, StoreError> {
        if let Some(until) = self.watch.doubts(now, moved_by) {
            return Ok(Some(until));
        }
        self.keep_house(now).await?;
        self.remove_aside(now).await;
        let mut next = self.state.store.next_expiry().await?;
        if next.is_some_and(|next| next <= now) {
            let expired = self.state.store.expire_files(now).await?;
            tracing::info!(expired, "files expired");
            next = self.state.store.next_expiry().await?;
        }
        Ok(next.into_iter().chain(self.aside_due).min())
    }

    async fn remove_aside(&mut self, now: Timestamp) {
        let Some(directory) = self
            .state
            .blobs
            .directory()
            .filter(|_| self.aside_due.is_some_and(|due| due <= now))
        else {
            return;
        };
        let until = now
            .saturating_sub(policy::ASIDE_KEPT_FOR)
            .unwrap_or(Timestamp::MIN);
        self.aside_due = match directory.remove_aside(until).await {
            Ok(oldest) => oldest.and_then(|since| since.checked_add(policy::ASIDE_KEPT_FOR).ok()),
            Err(error) => {
                tracing::error!(%error, "what was put aside could not be removed");
                now.checked_add(policy::JOB_RETRY).ok()
            }
        };
    }

    /// Does occasional work: stores the trusted time and deletes old tasks.
    async fn keep_house(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let is_old = self
            .trusted
            .is_none_or(|trusted| now.duration_since(trusted).abs() >= policy::TRUSTED_TIME_AGE);
        if is_old {
            self.state
                .store
                .set_mark(ServiceFlag::TrustedTime, now)
                .await?;
            self.trusted = Some(now);
            self.state
                .store
                .forget_tasks(now.saturating_sub(policy::TASK_KEPT_FOR).unwrap_or(now))
                .await?;
        }
        Ok(())
    }

    /// Removes the remains of erased rows from pages and log, once it is due. Returns the next due
    /// time.
    async fn scrub(&mut self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        // A clock that was set back must not make the work wait longer.
        let soon = |due: Timestamp, wait| due.min(later(now, wait));
        if let Some(due) = self.rewrite_due.map(|due| soon(due, policy::REWRITE_GRACE)) {
            self.rewrite_due = Some(due);
            if due > now {
                return Ok(self.rewrite_due);
            }
            self.state.store.rewrite().await?;
            (self.rewrite_due, self.log_due) = (None, Some(now));
        }
        self.log_due = match self.log_due.map(|due| soon(due, policy::LOG_RETRY)) {
            Some(due) if due > now => Some(due),
            Some(_) if !self.state.store.empty_log(ScrubDelay::SHORT).await? => {
                Some(later(now, policy::LOG_RETRY))
            }
            _ => None,
        };
        Ok(self.log_due)
    }

    /// Returns the time of the next check for overdue erasures.
    async fn watch_erasures(&mut self, now: Timestamp) -> Option<Timestamp> {
        match self.state.store.oldest_remains().await {
            Ok(oldest) => self.erasures.look(oldest, now),
            Err(error) => {
                tracing::error!(%error, "what is to be erased could not be looked up");
                now.checked_add(policy::JOB_RETRY).ok()
            }
        }
    }
}

#[cfg(test)]
mod tests;
