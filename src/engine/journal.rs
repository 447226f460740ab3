//! What must outlive the process, in SQLite: batches with their jobs, what was deleted, how much
//! of the limits was used. Keyed by account. Beside it lie the texts that are edited.
//! Every row is on the disk before what it tells of goes on.

mod batches;
mod database;
mod deletions;
mod edits;
mod folder_deletions;
mod jobs;
mod kept;
mod names;
mod past;
mod run;
mod snapshots;
mod steps;
mod text;
mod unfinished;

pub(super) use batches::{Asked, Entry, Held, Written};
pub use database::Journal;
pub(super) use jobs::{Listed, Standing, Was};
pub(super) use kept::Kept;
pub(super) use names::Taken;
pub use past::{Past, PastJob};
pub(super) use steps::{Mark, Marked};

#[cfg(test)]
mod tests;
