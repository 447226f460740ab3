//! The operations: plain asynchronous functions over the client, for the engine's task and for the command line alike.
//! Each can be dropped at any await without harm beyond what its documentation says.

mod case_fold;
pub mod collect_files;
pub mod deletion_record;
pub mod disk_name;
pub mod download;
pub mod duplicates;
pub mod edit;
pub mod existing_content;
pub mod export;
pub mod fetch_text;
mod file;
mod folder_lookup;
pub mod folder_size;
pub mod folder_update;
pub mod imports;
pub mod limits;
pub mod list;
pub mod list_all;
mod list_memory;
pub mod local_entries;
pub mod locate;
pub mod lost_upload;
mod md5_sum;
pub mod partial_file;
pub(super) mod perform;
pub mod plan_download;
pub mod plan_upload;
pub mod preview;
pub mod refresh;
pub mod remote_index;
pub mod replace;
pub mod root;
pub mod service_task;
pub mod upload;
mod walk;
mod whole_collection;
