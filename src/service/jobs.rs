//! Background work: imports, folder updates, expiry, permanent deletion, removal of unused bytes.
//! All of it is stored as rows in the database, driven by the clock, safe to repeat, and resumed at
//! the next start.

mod clock_watch;
mod erasure;
mod erasure_watch;
mod failure;
mod folder_update;
mod import;
pub(super) mod orders;
mod runner;

pub(super) use erasure::{finish, scrub};
pub(super) use runner::{Jobs, StartTime, rescue};
