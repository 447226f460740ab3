//! The reasons why the store refuses a request or fails.

use std::error::Error;
use std::io;
use std::sync::Arc;

use crate::connection_threads::Unanswered;
use crate::database_form::UnknownForm;
use crate::service::content::disk::is_disk_full;
use crate::service::domain::names::NameError;

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
    /// Another change in the same transaction failed, and the transaction was rolled back before
    /// its commit.
    #[error("the database took the change back{}", .0.advice())]
    TakenBack(DatabaseFailure, #[source] Cause),
    /// The change was made, but its commit failed.
    #[error("the database could not commit{}", .0.advice())]
    Commit(DatabaseFailure, #[source] Cause),
    #[error(transparent)]
    Form(#[from] UnknownForm),
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
    #[error("the folder has hidden files")]
    HiddenBelow,
    #[error(
        "this token has as many unfinished tasks as it may have; try again when some have ended"
    )]
    TooManyTasks,
    #[error("the task is over")]
    TaskOver,
    /// Nothing is stored: the bytes of the upload are about to be removed.
    #[error("the upload took longer than it may; send the file again")]
    UploadGivenUp,
    #[error(transparent)]
    Name(#[from] NameError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatabaseFailure {
    Full,
    /// No answer, or no connection.
    Unreachable,
    /// The connection would not be safe; nothing was sent.
    Insecure,
    /// Another transaction changed rows that this one read; this one is rolled back.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "changes of a file come one after the other")
    )]
    Clash,
    /// The file is gone, or is not the one that was opened; nothing was done.
    Lost,
    CannotOpen,
    Locked,
    ReadOnly,
    Disk,
    Damaged,
    /// A rule of the schema refused a statement, which is undone; earlier statements of the
    /// transaction stay.
    Constraint,
    Other,
}

const DISK_FULL: &str = ": the disk is full; make room on it";

impl DatabaseFailure {
    fn advice(self) -> &'static str {
        match self {
            Self::Full => DISK_FULL,
            Self::Locked => ": another program keeps it locked; end that one and try again",
            Self::ReadOnly => {
                ": it cannot be written to; make the directory and its files writable for this user"
            }
            Self::Disk => ": the disk failed; make a copy of the directory before anything else",
            Self::Damaged => {
                ": the file is damaged; restore a backup, or run 'filedeck store recover', which keeps the file"
            }
            Self::CannotOpen => {
                ": its file cannot be opened; put it back, or make it readable for this user"
            }
            Self::Unreachable => ": it gives no answer; see that it runs and can be reached",
            Self::Clash => ": others kept changing the same rows; try again",
            Self::Insecure | Self::Lost | Self::Constraint | Self::Other => "",
        }
    }
}

impl StoreError {
    /// Returns `true` if the change may have been made all the same. A failure before the commit
    /// rolls it back. A commit that failed because of the disk may be there after a crash; one that
    /// was never written is not.
    pub(crate) fn is_unclear(&self) -> bool {
        use DatabaseFailure::{CannotOpen, Clash, Constraint, Full, Locked, Lost, ReadOnly};
        match self {
            Self::Commit(failure, _) => !matches!(
                failure,
                Full | Clash | Constraint | Lost | CannotOpen | Locked | ReadOnly
            ),
            // The process that commits did not answer.
            Self::Unanswered(_) => true,
            _ => false,
        }
    }

    pub(crate) fn is_lost(&self) -> bool {
        matches!(
            self.failure(),
            Some(DatabaseFailure::Lost | DatabaseFailure::CannotOpen)
        )
    }

    pub(crate) fn is_full(&self) -> bool {
        self.failure() == Some(DatabaseFailure::Full) || is_disk_full(self)
    }

    pub(crate) fn is_unreachable(&self) -> bool {
        [
            Some(DatabaseFailure::Unreachable),
            Some(DatabaseFailure::Insecure),
        ]
        .contains(&self.failure())
    }

    /// Returns `true` if the database did not answer, or not in time.
    pub(crate) fn gave_no_answer(&self) -> bool {
        self.failure() == Some(DatabaseFailure::Unreachable)
    }

    /// Returns `true` if nothing was done and the same change may succeed at once.
    pub(crate) fn is_worth_another_attempt(&self) -> bool {
        match self.failure() {
            Some(DatabaseFailure::Clash) => true,
            Some(DatabaseFailure::Unreachable) => !self.is_unclear(),
            _ => false,
        }
    }

    /// Returns `true` if only this request is at fault; earlier changes of the same transaction
    /// stay.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Self::File(_) | Self::Renewal(..) | Self::Unanswered(_) | Self::Closed => false,
            #[cfg(feature = "postgres")]
            Self::BeingCopied => false,
            _ => self
                .failure()
                .is_none_or(|failure| failure == DatabaseFailure::Constraint),
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
