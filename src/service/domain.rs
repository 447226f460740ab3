//! What the contract says of names, lives, tasks and versions, without requests, rows and bytes.

pub(super) mod lifetime;
pub(super) mod names;
pub(super) mod task_id;
pub(super) mod version;
