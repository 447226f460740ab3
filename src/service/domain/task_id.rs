//! Ids of tasks: base64 as live ones are, and not to be guessed (`contract.md#tasks`).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::api::ids::TaskId;

pub(crate) fn new_task_id() -> TaskId {
    TaskId::new(URL_SAFE_NO_PAD.encode(Uuid::new_v4().as_bytes()))
}

/// Whether a text could be a task's id.
pub(crate) fn is_task_id(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 16)
}
