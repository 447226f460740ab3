//! The queue: batches of jobs, recorded before they start, carried out by pool, and reported as
//! they end. It is a task of its own: a caller waits for an answer, never for the work.

mod active_batch;
mod cause;
mod command;
mod control;
mod import_copy;
mod job_list;
mod job_progress;
mod lifecycle;
mod mode;
mod order;
mod pending_jobs;
mod pools;
mod reporter;
mod scheduler;
mod single_job;
mod source_path;
mod upload_context;
mod worker;

pub(super) use command::{ORDERS, QueueCommand};
pub use mode::QueueMode;
pub use pools::AtOnce;
pub(super) use scheduler::Scheduler;
