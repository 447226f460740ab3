//! The screen: keys in, effects out. Draws from its state, asks the engine for the rest, never
//! calls the network.

pub mod app;
pub mod areas;
pub mod clocks;
pub mod denied_actions;
pub mod dialog;
pub mod input;
pub mod keymap;
pub mod message;
pub mod pane;
pub mod pictures;
pub mod state;
pub mod style;
pub mod terminal;
pub mod update;
pub mod view;
pub mod widget;
pub mod wording;

pub use app::event_loop::{ScreenSetup, run};
