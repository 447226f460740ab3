//! The command line: one verb a file. Wires the layers together.

pub mod arguments;
pub mod claim;
pub mod exit;
pub mod file_options;
pub mod get;
pub mod limits;
pub mod logging;
pub mod ls;
pub mod output;
pub mod progress;
pub mod put;
pub mod remote;
pub mod rm;
pub mod row;
pub mod serve;
pub mod signals;
pub mod talk;
pub mod tally;
