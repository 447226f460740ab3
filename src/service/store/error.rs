//! Why the store refused or failed.

use std::error::Error;
use std::io;
use std::sync::Arc;

use crate::connection_threads::Unanswered;
use crate::service::content::disk::is_disk_full;
use crate::service::domain::names::NameError;

/// What the database said.
pub(crate) type Cause = Arc<dyn Error + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("the database failed{}", .0.advice())]
    Database(DatabaseFailure, #[source] Cause),
    #[error("the file of the database failed{}", if is_disk_full(.0) { DISK_FULL } else { "" })]
    File(#[from] io::Error),
    #[error("the database could not be brought to its newest form{}", .0.advice())]
    Renewal(DatabaseFailure, #[source] Cause),
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// The database was closed before anything was done.
    #[error("the database is closed")]
    Closed,
    /// Another change of the same transaction failed, and that was given up before its commit.
    #[error("the database took the change back{}", .0.advice())]
    TakenBack(DatabaseFailure, #[source] Cause),
    /// The change was made, its commit failed.
    #[error("the database could not commit{}", .0.advice())]
    Commit(DatabaseFailure, #[source] Cause),
    #[error(
        "the database was made by a newer filedeck (its form is {found}, this one knows {known} at most); \
         use the newer one, or a backup from before"
    )]
    Newer { found: i32, known: i32 },
    #[cfg(feature = "postgres")]
    #[error("the encoding of the database is {0}; use one that was created with the encoding UTF8")]
    Encoding(String),
    /// Nothing was done.
    #[cfg(feature = "postgres")]
    #[error("'filedeck store copy' is copying the store; try again when it has ended")]
    BeingCopied,
    #[error("no file has the id {0}")]
    FileMissing(i64),
    #[error("no folder is at {0}")]
    FolderMissing(String),
    #[error("{0} exists already")]
    NameTaken(String),
    #[error("a file with the same content exists already: {path}")]
    Duplicate { id: i64, path: String },
    #[error("a folder cannot be moved into itself or below itself")]
    IntoItself,
    #[error("the folder is not empty")]
    NotEmpty,
    #[error("the task is over")]
    TaskOver,
    /// Nothing is stored: its bytes are about to be removed.
    #[error("the upload took longer than it may; send the file again")]
    UploadGivenUp,
    #[error(transparent)]
    Name(#[from] NameError),
}

/// How the database failed, as far as it makes a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatabaseFailure {
    /// There is no room on the disk.
    Full,
    /// No answer, or no connection.
    Unreachable,
    /// Another transaction changed what this one read; it is undone.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "changes of a file come one after the other"))]
    Clash,
    /// It is not there anymore, or not the one that was opened: nothing was done.
    Lost,
    CannotOpen,
    Locked,
    ReadOnly,
    Disk,
    Damaged,
    /// A rule of the schema refused a statement, which is undone; what came before it in the transaction stays.
    Constraint,
    Other,
}

const DISK_FULL: &str = ": the disk is full; make room on it";

impl DatabaseFailure {
    /// What to do about it, to follow its message.
    fn advice(self) -> &'static str {
        match self {
            Self::Full => DISK_FULL,
            Self::Locked => ": another program keeps it locked; end that one and try again",
            Self::ReadOnly => ": it cannot be written to; make the directory and its files writable for this user",
            Self::Disk => ": the disk failed; make a copy of the directory before anything else",
            Self::Damaged => {
                ": the file is damaged; restore a backup, or run 'filedeck store recover', which keeps the file"
            }
            Self::CannotOpen => ": its file cannot be opened; put it back, or make it readable for this user",
            Self::Unreachable => ": it gives no answer; see that it runs and can be reached",
            Self::Clash => ": others kept changing the same rows; try again",
            Self::Lost | Self::Constraint | Self::Other => "",
        }
    }
}

impl StoreError {
    /// Whether the change may have been made all the same. What fails before the commit is taken back; a commit that
    /// the disk failed may be there after a crash, one that was kept from the disk is not.
    pub(crate) fn is_unclear(&self) -> bool {
        use DatabaseFailure::{CannotOpen, Clash, Constraint, Full, Locked, Lost, ReadOnly};
        match self {
            Self::Commit(failure, _) => {
                !matches!(failure, Full | Clash | Constraint | Lost | CannotOpen | Locked | ReadOnly)
            }
            // Whoever commits did not answer.
            Self::Unanswered(_) => true,
            _ => false,
        }
    }

    /// Whether the database file is not there anymore, or not the one that was opened: nothing was done.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self.failure(), Some(DatabaseFailure::Lost | DatabaseFailure::CannotOpen))
    }

    /// Whether the database found no room on the disk.
    pub(crate) fn is_full(&self) -> bool {
        self.failure() == Some(DatabaseFailure::Full) || is_disk_full(self)
    }

    /// Whether a database on another machine gave no answer.
    pub(crate) fn is_unreachable(&self) -> bool {
        self.failure() == Some(DatabaseFailure::Unreachable)
    }

    /// Whether nothing was done, and the same change may succeed at once.
    pub(crate) fn is_worth_another_attempt(&self) -> bool {
        match self.failure() {
            Some(DatabaseFailure::Clash) => true,
            Some(DatabaseFailure::Unreachable) => !self.is_unclear(),
            _ => false,
        }
    }

    /// Whether it is about what was asked for alone: what came before it in the same transaction stays.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Self::File(_) | Self::Renewal(..) | Self::Unanswered(_) | Self::Closed => false,
            #[cfg(feature = "postgres")]
            Self::BeingCopied => false,
            _ => self.failure().is_none_or(|failure| failure == DatabaseFailure::Constraint),
        }
    }

    fn failure(&self) -> Option<DatabaseFailure> {
        match self {
            Self::Database(failure, _)
            | Self::Renewal(failure, _)
            | Self::TakenBack(failure, _)
            | Self::Commit(failure, _) => Some(*failure),
            _ => None,
        }
    }
}
