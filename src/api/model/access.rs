//! Who may fetch a file's address.

use super::open_enum::open_enum;

open_enum!(
    /// Access level of a file. Only the first three can be set; the others may be read (`contract.md#access-levels`).
    Access {
        PublicIndexable = "PUBLIC_INDEXABLE",
        PublicNotIndexable = "PUBLIC_NOT_INDEXABLE",
        Private = "PRIVATE",
        Sensitive = "SENSITIVE",
        HiddenIndexable = "HIDDEN_INDEXABLE",
        HiddenNotIndexable = "HIDDEN_NOT_INDEXABLE",
        HiddenPrivate = "HIDDEN_PRIVATE",
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

    pub fn is_hidden(&self) -> bool {
        self.as_str().starts_with("HIDDEN_")
    }
}
