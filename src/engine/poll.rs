//! Follows a task of the service to its end
//! (`guarantees.md#tasks-of-the-service-are-followed-to-their-end`). Cancel-safe: dropping it stops
//! the watching, not the task.

use std::pin::pin;
use std::time::Duration;

use futures::TryStreamExt;
use jiff::Unit;

use crate::api::ids::TaskId;
use crate::api::model::{Task, TaskStatus};
use crate::api::{Error, Kind, tasks};

/// Polls `status` until the task has ended, and returns its last state. Each state before that goes
/// to `on_status`, with the wait that follows it.
pub(super) async fn until_final<T, Ask>(
    task: &TaskId,
    status: impl FnMut() -> Ask,
    mut on_status: impl FnMut(&TaskStatus, Duration),
) -> Result<Task<T>, Error>
where
    Ask: Future<Output = Result<Task<T>, Error>>,
{
    let mut task_states = pin!(tasks::states(task.clone(), status));
    while let Some((state, wait)) = task_states.try_next().await? {
        if state.status.is_final() {
            return Ok(state);
        }
        on_status(&state.status, wait);
    }
    Err(Error::new(
        Kind::Internal,
        format!("The states of the task {task} ended before it did"),
    ))
}

/// Returns the failure of a task without a result, in the service's words, with the id that names
/// it there.
pub(super) fn failure<T>(what: &str, id: &TaskId, task: &Task<T>) -> Error {
    let causes = task.causes();
    let ended = if task.status == TaskStatus::Canceled {
        "was canceled by the service"
    } else {
        "ended without a result"
    };
    // What the service names as the cause says more than that the task has ended.
    let message = causes
        .first()
        .map_or_else(|| format!("{what} {ended}"), Clone::clone);
    // The screen and the commands show its times; here only how long it took.
    let took = task
        .started_at
        .zip(task.completed_at)
        .and_then(|(from, to)| to.duration_since(from).round(Unit::Second).ok());
    let took = took
        .map(|took| format!(" after {took:#}"))
        .unwrap_or_default();
    let named = format!("Task {id}: {}{took}", task.status);
    Error {
        details: causes.into_iter().skip(1).chain([named]).collect(),
        ..Error::new(Kind::TaskFailed, message)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::VecDeque;

    use tokio::time::Instant;

    use super::*;

    fn answer(status: &str) -> Result<Task<u8>, Error> {
        let task = serde_json::json!({ "taskId": "t", "status": status, "result": 7 });
        serde_json::from_value(task).map_err(|error| Error::new(Kind::Decode, error.to_string()))
    }

    fn fails(kind: Kind) -> Result<Task<u8>, Error> {
        Err(Error::new(kind, "no"))
    }

    /// Returns the result, the reported statuses, and the times of the polls.
    async fn watch(
        answers: impl IntoIterator<Item = Result<Task<u8>, Error>>,
    ) -> (Result<Task<u8>, Error>, Vec<String>, Vec<Duration>) {
        let answers = RefCell::new(answers.into_iter().collect::<VecDeque<_>>());
        let (mut statuses, polls, start) = (Vec::new(), RefCell::new(Vec::new()), Instant::now());
        let result = until_final(
            &TaskId::new("t-1"),
            || {
                polls.borrow_mut().push(start.elapsed());
                let answer = answers
                    .borrow_mut()
                    .pop_front()
                    .unwrap_or_else(|| answer("PROCESSING"));
                async move { answer }
            },
            |status, _| statuses.push(status.to_string()),
        )
        .await;
        (result, statuses, polls.into_inner())
    }

    #[tokio::test(start_paused = true)]
    async fn statuses_are_told_until_the_last_one_which_is_the_answer() {
        let (result, statuses, _) =
            watch([answer("PENDING"), answer("REVIEWING"), answer("COMPLETE")]).await;
        assert_eq!(result.unwrap().success(), Some(&7));
        assert_eq!(statuses, ["PENDING", "REVIEWING"]);
    }

    #[tokio::test(start_paused = true)]
    async fn polls_start_quickly_and_slow_down_to_five_seconds() {
        let answers = (0..12)
            .map(|_| answer("PENDING"))
            .chain([answer("COMPLETE")]);
        let (_, _, polls) = watch(answers).await;
        let gaps: Vec<_> = polls
            .windows(2)
            .map(|pair| pair[1].saturating_sub(pair[0]))
            .collect();
        assert!(polls[0] <= Duration::from_millis(501));
        assert!(
            gaps.is_sorted_by(|a, b| *b >= a.saturating_sub(Duration::from_millis(2))),
            "{gaps:?}"
        );
        assert!(
            gaps.iter().all(|gap| *gap <= Duration::from_millis(5_002)),
            "{gaps:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_that_may_pass_does_not_end_the_watch_but_a_refusal_does() {
        let (result, ..) = watch([
            fails(Kind::Network),
            fails(Kind::RateLimited),
            answer("COMPLETE"),
        ])
        .await;
        assert!(result.is_ok());
        let (result, ..) = watch([fails(Kind::NotFound), answer("COMPLETE")]).await;
        assert_eq!(result.unwrap_err().kind, Kind::NotFound);
    }

    #[tokio::test(start_paused = true)]
    async fn after_an_hour_it_gives_up_and_names_the_task() {
        let (result, _, polls) = watch([]).await;
        let error = result.unwrap_err();
        assert_eq!(error.kind, Kind::Timeout);
        assert!(error.message.contains("t-1"));
        assert!(*polls.last().unwrap() >= Duration::from_hours(1));
    }

    #[test]
    fn a_cancelled_task_fails_with_the_services_reason() {
        let task: Task<u8> = serde_json::from_str(
            r#"{"status":"CANCELED","numErrors":2,"errors":[{"message":"The address answered 404"}, "Nothing was stored"],
                "startedAt":"2026-11-21T08:00:00.000Z","completedAt":"2026-11-21T08:00:07.000Z"}"#,
        )
        .unwrap();
        let error = failure("The import", &TaskId::new("t-1"), &task);
        assert_eq!(error.message, "The address answered 404");
        assert_eq!(
            error.details,
            ["Nothing was stored", "Task t-1: CANCELED after 7s"]
        );
        let silent = Task {
            errors: Vec::new(),
            ..task
        };
        assert_eq!(
            failure("The import", &TaskId::new("t-1"), &silent).message,
            "The import was canceled by the service"
        );
    }
}
