//! The program around `update` and `view`: the event loop, effects and sessions. With `terminal`, the only part of the
//! screen that has side effects.

pub mod appearance;
pub mod effects;
pub mod event_loop;
pub mod exit;
mod file_writer;
pub mod sessions;
