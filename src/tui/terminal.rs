//! The terminal and the desktop around it: modes, what it is asked, what is written to it, the clipboard, programs that are opened.

pub mod backend;
pub mod browser;
pub mod clipboard;
pub mod editor;
pub mod modes;
pub mod notify;
pub mod probe;
