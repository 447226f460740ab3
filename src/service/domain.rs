//! The contract's rules for names, lifetimes, tasks and versions, without requests, rows and bytes.

pub(super) mod lifetime;
pub(super) mod names;
pub(super) mod task_id;
pub(super) mod version;
