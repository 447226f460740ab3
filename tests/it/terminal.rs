//! The terminal is restored whatever happens, and the program works in a real one.

mod pty;

mod account;
#[cfg(target_os = "linux")]
mod attached_log;
mod bad_days;
mod bars;
#[cfg(target_os = "linux")]
mod completion;
mod doctor;
mod early;
mod edits;
mod folder;
mod hidden_files;
mod man;
mod modes;
mod mouse;
mod narrow;
#[cfg(target_os = "linux")]
mod pictures;
mod plain;
mod previews;
mod probe;
mod rm;
mod session;
mod settings;
mod thousand;
mod welcome;
mod working_day;
