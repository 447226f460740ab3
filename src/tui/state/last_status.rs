//! What the service says of a task that is not watched anymore, for the details of its job.

use crate::api::Error;
use crate::api::ids::TaskId;
use crate::engine::batch::JobId;
use crate::engine::service_task::ServiceTask;

/// An answer of the service, or the wait for it.
#[derive(Debug, Clone)]
pub struct LastStatus {
    pub job: JobId,
    pub answer: Option<Result<(TaskId, ServiceTask), Error>>,
}
