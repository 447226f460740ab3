//! The screen: keys in, effects out. Draws from its state, asks the engine for the rest, never calls the network.

pub mod exit;
pub mod signals;
pub mod terminal;
pub mod theme;
pub mod widget;
