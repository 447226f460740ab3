//! The meaning of PostgreSQL's errors to the store.

use std::error::Error as _;
use std::io;
use std::sync::Arc;

use deadpool_postgres::{HookError, PoolError};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::service::store::error::{DatabaseFailure, StoreError};
use crate::tls::Distrust;

/// The reason why a connection could not be made safe.
#[derive(Debug, thiserror::Error)]
enum Insecure {
    #[error("its server is not trusted: {0}")]
    Untrusted(String),
    #[error(
        "its server does not support TLS; turn it on there, or write sslmode=disable into the address, which sends \
         everything without encryption"
    )]
    WithoutTls,
}

impl Insecure {
    fn of(error: &Error) -> Option<Self> {
        if let Some(distrust) = Distrust::of(error) {
            return Some(Self::Untrusted(
                distrust.with_advice("--ca-cert FILE or sslrootcert=FILE"),
            ));
        }
        let is_refusal = error
            .source()
            .is_some_and(|cause| cause.to_string() == "server does not support TLS");
        is_refusal.then_some(Self::WithoutTls)
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match Insecure::of(&error) {
            Some(insecure) => Self::Database(DatabaseFailure::Insecure, Arc::new(insecure)),
            None => Self::Database(failure(&error), Arc::new(error)),
        }
    }
}

impl From<PoolError> for StoreError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
                error.into()
            }
            PoolError::PostCreateHook(HookError::Message(_)) => Self::BeingCopied,
            error => Self::Database(DatabaseFailure::Unreachable, Arc::new(error)),
        }
    }
}

pub(super) fn stalled() -> StoreError {
    let cause = io::Error::new(
        io::ErrorKind::TimedOut,
        "the database gave no answer in time",
    );
    StoreError::Database(DatabaseFailure::Unreachable, Arc::new(cause))
}

/// Turns an error into that of a failed commit, which may have been carried out.
pub(super) fn in_commit(error: StoreError) -> StoreError {
    match error {
        StoreError::Database(failure, cause) => StoreError::Commit(failure, cause),
        other => other,
    }
}

pub(super) fn failure(error: &Error) -> DatabaseFailure {
    let Some(state) = error.code() else {
        // An error without a code is not from the server: it concerns the connection or a value.
        let is_lost = error.is_closed()
            || error
                .source()
                .is_some_and(<dyn std::error::Error>::is::<io::Error>);
        return if is_lost {
            DatabaseFailure::Unreachable
        } else {
            DatabaseFailure::Other
        };
    };
    match *state {
        SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::UNIQUE_VIOLATION => DatabaseFailure::Clash,
        SqlState::DISK_FULL => DatabaseFailure::Full,
        SqlState::READ_ONLY_SQL_TRANSACTION => DatabaseFailure::ReadOnly,
        SqlState::LOCK_NOT_AVAILABLE => DatabaseFailure::Locked,
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => DatabaseFailure::Damaged,
        SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::QUERY_CANCELED
        | SqlState::TOO_MANY_CONNECTIONS
        | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => DatabaseFailure::Unreachable,
        _ => match state.code().get(..2) {
            Some("08") => DatabaseFailure::Unreachable,
            Some("23") => DatabaseFailure::Constraint,
            Some("58") => DatabaseFailure::Disk,
            _ => DatabaseFailure::Other,
        },
    }
}
