//! The service's task that is no longer watched, for the details of its job.

use crate::api::Error;
use crate::api::ids::TaskId;
use crate::engine::batch::JobId;
use crate::engine::service_task::ServiceTask;

#[derive(Debug, Clone)]
pub struct LastStatus {
    pub job: JobId,
    /// The id, if it was asked for alone and is known.
    pub id: Option<TaskId>,
    /// The service's answer; `None` while waiting for it.
    pub answer: Option<Result<(TaskId, ServiceTask), Error>>,
}
