//! The statements that both dialects understand, a file for each subject. `Dialect` has the
//! differences.

mod blobs;
mod connection;
mod files;
mod folders;
mod ids;
mod marks;
mod pending_blobs;
mod recovered_files;
mod search;
mod tasks;
mod values;

pub(super) use connection::{Dialect, SqlRow, Tables, UsageTable};
#[cfg(feature = "postgres")]
pub(super) use files::file_columns;
pub(super) use files::{file, folder_path, own_file_columns, where_live};
pub(super) use folders::{folder, folder_columns};
pub(super) use search::{ColumnNames, MOST_MERGED, Parents, SearchText, whole_order};
pub(super) use values::SqlValue;
