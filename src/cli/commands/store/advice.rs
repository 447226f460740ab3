//! Advice that several commands give.

pub(super) const LOST_ROWS: &str = "put the right filedeck.db back, with its log (filedeck.db-wal), or run 'filedeck store recover'. A copy made by hand while a service runs lacks the log; make copies with 'filedeck store backup'";
