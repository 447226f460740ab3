//! Duplicate detection when a file is created (`service-seed.md` §2.4).

use super::open_enum::open_enum;

open_enum!(
    /// Where a file with the same content is searched.
    DuplicateScope {
        EntirePortal = "ENTIRE_PORTAL",
        ExactFolder = "EXACT_FOLDER",
    }
);

open_enum!(
    /// What happens when one is found.
    DuplicateStrategy {
        /// No check.
        None = "NONE",
        /// The new file is refused.
        Reject = "REJECT",
        /// Nothing is stored; the existing file is the answer.
        ReturnExisting = "RETURN_EXISTING",
    }
);
