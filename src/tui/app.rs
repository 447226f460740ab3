//! The program around `update` and `view`: the event loop, effects, sessions. The only part of the screen that acts on the world.

pub mod appearance;
pub mod effects;
pub mod event_loop;
pub mod exit;
mod file_writer;
pub mod sessions;
