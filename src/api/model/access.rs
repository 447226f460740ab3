//! Who may fetch a file's address.

use super::open_enum::open_enum;

open_enum!(
    /// Access level of a file. Only the first three can be set; the others may be read (`contract.md#access-levels`).
    Access {
        /// Anyone with the address; search engines may list it.
        PublicIndexable = "PUBLIC_INDEXABLE",
        /// Anyone with the address; search engines are told not to list it.
        PublicNotIndexable = "PUBLIC_NOT_INDEXABLE",
        /// Only by a signed address.
        Private = "PRIVATE",
        /// Private, and sensitive.
        Sensitive = "SENSITIVE",
        /// As `PublicIndexable`, but left out of lists.
        HiddenIndexable = "HIDDEN_INDEXABLE",
        /// As `PublicNotIndexable`, but left out of lists.
        HiddenNotIndexable = "HIDDEN_NOT_INDEXABLE",
        /// As `Private`, but left out of lists.
        HiddenPrivate = "HIDDEN_PRIVATE",
        /// As `Sensitive`, but left out of lists.
        HiddenSensitive = "HIDDEN_SENSITIVE",
    }
);

impl Access {
    /// The levels that uploads and updates may ask for.
    pub const SETTABLE: [Self; 3] = [Self::PublicIndexable, Self::PublicNotIndexable, Self::Private];

    /// Whether anyone with the address can fetch the bytes.
    pub fn is_public(&self) -> bool {
        matches!(
            self,
            Self::PublicIndexable | Self::PublicNotIndexable | Self::HiddenIndexable | Self::HiddenNotIndexable
        )
    }

    /// Whether lists and searches leave such files out.
    pub fn is_hidden(&self) -> bool {
        self.as_str().starts_with("HIDDEN_")
    }
}
