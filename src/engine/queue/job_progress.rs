//! The progress of a running job: written by the job, read by the queue for its reports.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use tokio::sync::Notify;

use crate::api::ids::TaskId;
use crate::engine::batch::{RemoteTarget, RunningJob};
use crate::engine::message::{Progress, WaitReason};
use crate::engine::progress_sink::ProgressSink;

/// Clones share the state.
#[derive(Debug, Clone)]
pub(super) struct JobProgress(Arc<Mutex<ProgressState>>);

#[derive(Debug)]
struct ProgressState {
    label: String,
    bytes: Option<(u64, Option<u64>)>,
    waiting: Option<(Timestamp, WaitReason)>,
    remote: Option<RemoteTarget>,
}

impl JobProgress {
    pub(super) fn new(label: String, task: Option<TaskId>) -> Self {
        Self(Arc::new(Mutex::new(ProgressState {
            label,
            bytes: None,
            waiting: None,
            remote: task.map(accepted),
        })))
    }

    /// Returns the sink that the job reports to; each report wakes whoever waits for news.
    pub(super) fn report(&self, news: &Arc<Notify>) -> ProgressSink {
        let (job, news) = (self.clone(), news.clone());
        ProgressSink::new(move |progress| {
            job.advance(progress);
            news.notify_one();
        })
    }

    fn advance(&self, progress: Progress) {
        let now = Timestamp::now();
        let after = |wait| now.checked_add(wait).ok();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting = None;
        match progress {
            Progress::Started
            | Progress::Looked(_)
            | Progress::Found { .. }
            | Progress::FolderSizes(_) => {}
            Progress::Bytes { done, total } => {
                state.bytes = Some((done, total));
                // This machine sends what the service could not fetch.
                state.remote = None;
            }
            Progress::Accepted { task } => state.remote = Some(accepted(task)),
            Progress::Task { status, next_poll } => {
                if let Some(remote) = &mut state.remote {
                    (remote.status, remote.next_poll) = (Some(status), after(next_poll));
                }
            }
            Progress::Waiting { wait, reason } => {
                state.waiting = after(wait).map(|until| (until, reason));
            }
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .bytes
            .map_or(0, |(done, _)| done)
    }

    pub(super) fn task(&self) -> Option<TaskId> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remote
            .as_ref()
            .map(|remote| remote.id.clone())
    }

    pub(super) fn view(&self) -> RunningJob {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        RunningJob {
            label: state.label.clone(),
            bytes: state.bytes,
            waiting: state.waiting,
            remote: state.remote.clone(),
        }
    }
}

fn accepted(id: TaskId) -> RemoteTarget {
    RemoteTarget {
        id,
        status: None,
        next_poll: None,
    }
}
