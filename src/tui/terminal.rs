//! The terminal and the desktop around it: modes, queries, output, the clipboard and external
//! programs.

pub mod backend;
pub mod browser;
pub mod clipboard;
pub mod editor;
pub mod modes;
pub mod notify;
pub mod probe;
