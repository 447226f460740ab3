//! User input as data: lines of text, paths, periods, the mouse. Knows no pane and no dialog.

pub mod expiry;
pub mod local_paths;
pub mod mouse;
pub mod paste;
pub mod period;
pub mod recall;
pub mod secret_field;
pub mod shell_words;
pub mod text_field;
