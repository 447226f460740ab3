//! Texts and figures shared by several views, dialogs and messages. Plain text in, plain text out.

pub mod access;
pub mod action;
pub mod progress;
pub mod share;
pub mod task;
