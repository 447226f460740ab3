//! The screen: keys in, effects out. Draws from its state, asks the engine for the rest, never calls the network.

pub mod areas;
pub mod backend;
pub mod browser;
pub mod clipboard;
pub mod dialog;
pub mod editor;
pub mod effects;
pub mod exit;
pub mod keymap;
pub mod local_paths;
pub mod look;
pub mod message;
pub mod mouse;
pub mod new_token;
pub mod notify;
pub mod paste;
pub mod period;
pub mod pictures;
pub mod probe;
pub mod progress;
pub mod screen;
pub mod secret_field;
pub mod sessions;
pub mod share;
pub mod state;
pub mod symbols;
pub mod task;
pub mod terminal;
pub mod text_field;
pub mod theme;
pub mod update;
pub mod view;
pub mod widget;
pub mod words;
mod writing;

pub use screen::{ScreenSetup, run};
