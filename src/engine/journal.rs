//! The data that must outlive the process, in SQLite: batches with their jobs, deletions, and the
//! history of the limits, by account. The texts being edited lie beside it. Every row is on the
//! disk before the work that it describes continues.

mod batches;
mod database;
mod deletions;
mod edits;
mod folder_deletions;
mod jobs;
mod leases;
mod listing;
mod names;
mod past;
mod recorded;
mod run;
mod shell_names;
mod snapshots;
mod steps;
mod superfluous;
mod takeover;
mod text;
mod unfinished;

pub(super) use batches::{HoldState, NewBatch, PendingJob};
pub use database::Journal;
pub(super) use jobs::{JobFilter, PreviousState};
pub use leases::RequestLeases;
pub(super) use names::NameClaim;
pub use past::{PastBatches, PastJob};
pub use recorded::RecordedBatch;
pub(super) use steps::{Mark, MarkedJob};

#[cfg(test)]
mod tests;
