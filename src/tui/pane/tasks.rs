//! The tasks: their keys, answers, requests and drawing.

pub(crate) mod actions;
pub(crate) mod address_map;
mod background_accounts;
mod component;
pub(crate) mod draw;
pub(crate) mod empty;
pub(crate) mod row;
pub(crate) mod service_task;
pub(crate) mod speed;
pub(crate) mod task_details;
pub(crate) mod update;

pub(crate) use component::TasksComponent;
