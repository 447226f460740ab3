//! The tasks: their keys, answers, requests and drawing.

pub(in crate::tui) mod actions;
pub(in crate::tui) mod background_sessions;
pub(in crate::tui) mod draw;
pub(in crate::tui) mod empty;
pub(in crate::tui) mod row;
pub(in crate::tui) mod service_task;
pub(in crate::tui) mod speed;
pub(in crate::tui) mod task_details;
pub(in crate::tui) mod update;
