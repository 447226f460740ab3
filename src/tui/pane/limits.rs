//! The account's limits: their keys, answers, requests and drawing.

pub(crate) mod actions;
pub(crate) mod all_accounts;
pub(crate) mod answers;
pub(crate) mod chart;
pub(crate) mod columns;
mod component;
pub(crate) mod corner;
pub(crate) mod draw;
pub(crate) mod lines;
pub(crate) mod lists;
pub(crate) mod overall;
pub(crate) mod update;

pub(crate) use component::LimitsComponent;
