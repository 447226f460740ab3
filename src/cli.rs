//! The command line: one verb a file. Wires the layers together.

pub mod exit;
pub mod logging;
pub mod output;
pub mod remote;
pub mod signals;
pub mod talk;
pub mod tally;
