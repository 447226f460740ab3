//! Streams of the states of the service's tasks, polled after half a second, then at growing
//! intervals of up to five seconds (`contract.md#tasks`,
//! `guarantees.md#tasks-of-the-service-are-followed-to-their-end`). Dropping a stream stops the
//! polling, not the task.

use std::pin::Pin;
use std::time::Duration;

use futures::stream::{self, Stream, StreamExt, TryStreamExt};
use tokio::time::Instant;

use super::error::{Error, Kind};
use super::folders::FoldersApi;
use super::ids::TaskId;
use super::imports::ImportsApi;
use super::model::{File, Folder, Task};

const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const GIVE_UP: Duration = Duration::from_hours(1);

/// The states of a task, through its final one.
pub type TaskStream<T> = Pin<Box<dyn Stream<Item = Result<Task<T>, Error>> + Send>>;

impl ImportsApi<'_> {
    /// Follows an import to its end: [`Task::success`] of the last state has the file, or
    /// [`Task::causes`] tells why there is none. Transient failures do not end the stream; after an
    /// hour it gives up.
    pub fn follow(self, task: &TaskId) -> TaskStream<File> {
        let (client, id) = (self.client.clone(), task.clone());
        let states = states(task.clone(), move || {
            let (client, id) = (client.clone(), id.clone());
            async move { client.imports().status(&id).await }
        });
        states.map_ok(|(state, _)| state).boxed()
    }
}

impl FoldersApi<'_> {
    /// Follows a rename or move to its end, like [`ImportsApi::follow`].
    pub fn follow_update(self, task: &TaskId) -> TaskStream<Folder> {
        let (client, id) = (self.client.clone(), task.clone());
        let states = states(task.clone(), move || {
            let (client, id) = (client.clone(), id.clone());
            async move { client.folders().update_status(&id).await }
        });
        states.map_ok(|(state, _)| state).boxed()
    }
}

/// Polls `status` until the task has ended. Each state comes with the wait before the next poll.
pub(crate) fn states<T, Ask, Answer>(
    task: TaskId,
    status: Ask,
) -> impl Stream<Item = Result<(Task<T>, Duration), Error>> + use<T, Ask, Answer>
where
    Ask: FnMut() -> Answer,
    Answer: Future<Output = Result<Task<T>, Error>>,
{
    let watch = TaskWatch {
        task,
        status,
        start: None,
        wait: FIRST_WAIT,
        has_ended: false,
    };
    stream::try_unfold(watch, |mut watch| async move {
        Ok(watch.next().await?.map(|state| (state, watch)))
    })
}

struct TaskWatch<Ask> {
    task: TaskId,
    status: Ask,
    start: Option<Instant>,
    wait: Duration,
    has_ended: bool,
}

impl<Ask> TaskWatch<Ask> {
    async fn next<T, Answer>(&mut self) -> Result<Option<(Task<T>, Duration)>, Error>
    where
        Ask: FnMut() -> Answer,
        Answer: Future<Output = Result<Task<T>, Error>>,
    {
        if self.has_ended {
            return Ok(None);
        }
        let start = *self.start.get_or_insert_with(Instant::now);
        loop {
            if start.elapsed() >= GIVE_UP {
                let message = format!(
                    "The task {} has not ended within an hour; it may still end",
                    self.task
                );
                return Err(Error::new(Kind::Timeout, message));
            }
            tokio::time::sleep(self.wait).await;
            self.wait = self.wait.mul_f64(1.6).min(LONGEST_WAIT);
            match (self.status)().await {
                Ok(state) => {
                    self.has_ended = state.status.is_final();
                    return Ok(Some((state, self.wait)));
                }
                Err(error) if error.kind.passes() => {
                    tracing::debug!(task = %self.task, kind = ?error.kind, "a poll failed");
                    self.wait = self.wait.max(error.retry_after.unwrap_or_default());
                }
                Err(error) => return Err(error),
            }
        }
    }
}
