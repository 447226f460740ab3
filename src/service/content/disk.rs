//! Tells a full disk from other failures.

use std::error::Error;

/// Whether a full disk is somewhere among the causes.
pub(crate) fn is_disk_full(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let io = error.downcast_ref::<std::io::Error>();
        if io.is_some_and(|io| matches!(io.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded))
        {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("could not be stored")]
    struct NotStored(#[source] std::io::Error);

    #[test]
    fn a_full_disk_is_seen_through_the_errors_around_it() {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        assert!(is_disk_full(&NotStored(full)));
        assert!(!is_disk_full(&std::io::Error::from(std::io::ErrorKind::NotFound)));
    }
}
