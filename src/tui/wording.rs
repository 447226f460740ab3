//! Words and figures that several views, dialogs and messages share. Plain text in, plain text out.

pub mod access;
pub mod new_token;
pub mod progress;
pub mod share;
pub mod task;
