//! The service's answer about a task that is no longer watched, for the details of its job.

use crate::api::Error;
use crate::api::ids::TaskId;
use crate::engine::batch::JobId;
use crate::engine::service_task::ServiceTask;

/// The answer; `None` while waiting for it.
#[derive(Debug, Clone)]
pub struct LastStatus {
    pub job: JobId,
    pub answer: Option<Result<(TaskId, ServiceTask), Error>>,
}
