//! The asynchronous API task: requests in, events out. No drawing, no configuration.
//!
//! Each request has an `OpId` of the caller's; `Progress` and `Part` events follow, then one `Done`
//! or `Cancelled`. Jobs go into the queue, which reports `Settled` and `Ended`. Results and their
//! parts wait for room in the channel; progress is dropped when it is full.

mod actor;
pub mod address_map;
pub mod ancestors;
pub mod batch;
mod cancels;
pub mod collection;
pub mod completion_names;
pub mod deletion;
pub mod disk_name;
pub mod folder_comparison;
pub mod folder_size;
mod handle;
pub mod item;
pub mod job;
pub mod journal;
pub mod left_out;
pub mod limits;
pub mod local_entry;
mod local_path;
pub mod local_watch;
pub mod message;
mod meter;
pub mod name_form;
pub mod ops;
mod outbox;
pub mod paging;
pub mod parts;
pub mod plan;
mod poll;
pub mod preview;
pub mod progress_sink;
pub mod query;
pub mod question;
mod queue;
pub mod queue_view;
pub mod relocation;
mod run;
mod running;
pub mod seen_state;
pub mod sending;
pub mod service_task;
pub mod source;
pub mod source_accounts;
mod spawn;
pub mod sync;
pub mod sync_plan;
pub mod text_file;
pub mod thumbnail_cache;
mod tools;
pub mod tree_filter;
pub mod typed_paths;
pub mod wait;
mod work;

pub use batch::{Batch, BatchId, Control};
pub use completion_names::CompletionNames;
pub use handle::{EngineBusy, Handle};
pub use item::Item;
pub use job::{Job, JobKind};
pub use journal::{Journal, PastBatches, PastJob, RequestLeases};
pub use message::{Event, OpId, Outcome, Progress, SessionId, Settled};
pub use progress_sink::ProgressSink;
pub use query::{Query, QueryError};
pub use question::{Answer, Question, Request};
pub use queue::{AtOnce, QueueMode};
pub use queue_view::QueueView;
pub use run::{Run, RunEvent, finish, run};
pub use spawn::{EngineSetup, spawn};
pub use thumbnail_cache::ThumbnailCache;
