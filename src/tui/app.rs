//! The program around `update` and `view`: event loop, effects, sessions. Only this and `terminal`
//! have side effects.

pub mod appearance;
mod effects;
pub mod event_loop;
pub mod exit;
mod file_writer;
pub mod sessions;
