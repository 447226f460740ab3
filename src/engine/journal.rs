//! What must outlive the process, in SQLite: batches with their jobs, receipts of permanent deletions, how much
//! of the limits was used. Keyed by account.
//! Every row is on the disk before what it tells of goes on.

mod batches;
mod database;
mod jobs;
mod kept;
mod past;
mod receipts;
mod run;
mod snapshots;
mod steps;
mod text;

pub(super) use batches::{Asked, Entry, Held, Written};
pub use database::Journal;
pub(super) use jobs::{Listed, Listing, Was};
pub(super) use kept::Kept;
pub use past::{Past, PastJob};
pub use receipts::Receipt;
pub(super) use steps::{Mark, Marked};

#[cfg(test)]
mod tests;
