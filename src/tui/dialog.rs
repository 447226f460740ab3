//! The dialogs, one file each, and the one type that holds any of them. Knows nothing of what is behind them.

mod notice;

pub use notice::Notice;

/// A dialog on the stack; the last one is on top and has the keys.
#[derive(Debug, Clone)]
pub enum Dialog {
    Notice(Notice),
}
