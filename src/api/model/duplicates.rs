//! Duplicate detection when a file is created (`contract.md#duplicates`).

use super::open_enum::open_enum;

open_enum!(
    /// The scope of the search for a file with the same content.
    DuplicateScope {
        /// In the whole account.
        EntirePortal = "ENTIRE_PORTAL",
        /// In the folder of the new file.
        ExactFolder = "EXACT_FOLDER",
    }
);

open_enum!(
    /// The service's reaction to a file with the same content.
    DuplicateStrategy {
        /// It does not check.
        None = "NONE",
        /// It refuses the new file.
        Reject = "REJECT",
        /// It stores nothing and answers with the existing file.
        ReturnExisting = "RETURN_EXISTING",
    }
);

impl DuplicateScope {
    /// The default scope in the TUI and on the command line, which is also the service's own
    /// (`contract.md#duplicates`).
    pub const DEFAULT: Self = Self::EntirePortal;
}
