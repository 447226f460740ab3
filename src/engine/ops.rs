//! The operations: plain asynchronous functions over the client, for the engine's task and for the command line alike.
//! Each can be dropped at any await without harm beyond what its documentation says.

pub mod download;
pub mod duplicates;
pub mod edit;
pub mod elsewhere;
pub mod export;
pub mod fetch_text;
mod fold;
pub mod folder_update;
pub mod gather;
pub mod held;
pub mod imports;
pub mod limits;
pub mod list;
mod list_memory;
pub mod local;
pub mod local_name;
pub mod locate;
pub mod look;
pub mod lost_upload;
mod md5_sum;
pub mod note;
pub mod part;
pub mod plan_save;
pub mod plan_upload;
pub mod preview;
pub mod replace;
pub mod root;
pub mod service_task;
mod shelf;
pub mod upload;
mod walk;
pub mod weigh;
pub mod whole;
