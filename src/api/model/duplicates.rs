//! Duplicate detection when a file is created (`contract.md#duplicates`).

use super::open_enum::open_enum;

open_enum!(
    /// Where a file with the same content is searched.
    DuplicateScope {
        /// In the whole account.
        EntirePortal = "ENTIRE_PORTAL",
        /// In the folder of the new file.
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

impl DuplicateScope {
    /// Where the same bytes are looked for unless something else is asked for, on the screen and on the command line:
    /// where the service looks by itself (`contract.md#duplicates`).
    pub const DEFAULT: Self = Self::EntirePortal;
}
