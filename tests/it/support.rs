//! What several test modules share: a service on a free port, a clock to set, fixtures.

pub(crate) mod account;
pub(crate) mod archives;
pub(crate) mod capture;
pub(crate) mod database;
pub(crate) mod disk;
pub(crate) mod documents;
pub(crate) mod half_sent;
pub(crate) mod hostile_pictures;
pub(crate) mod journal;
#[cfg(target_os = "linux")]
pub(crate) mod large_pictures;
pub(crate) mod limits;
#[cfg(target_os = "linux")]
pub(crate) mod memory;
pub(crate) mod pictures;
pub(crate) mod proxy;
pub(crate) mod queue;
pub(crate) mod random;
pub(crate) mod service;
pub(crate) mod web;
