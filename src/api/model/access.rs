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

    /// One word for people; a level that the contract does not name is `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::PublicIndexable => "public",
            Self::PublicNotIndexable => "unlisted",
            Self::Private => "private",
            Self::Sensitive => "sensitive",
            level if level.is_hidden() => "hidden",
            _ => "unknown",
        }
    }

    /// The level that a person asks for, by its word or by the API's name in any case; none that cannot be set.
    pub fn from_word(word: &str) -> Option<Self> {
        let is_named = |level: &Self| {
            word.eq_ignore_ascii_case(level.word()) || word.replace('-', "_").eq_ignore_ascii_case(level.as_str())
        };
        Self::SETTABLE.into_iter().find(is_named)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::word("unlisted", Some(Access::PublicNotIndexable))]
    #[case::name("PUBLIC_INDEXABLE", Some(Access::PublicIndexable))]
    #[case::small_letters("private", Some(Access::Private))]
    #[case::earlier_word("public-not-indexable", Some(Access::PublicNotIndexable))]
    #[case::not_settable("sensitive", None)]
    #[case::nothing("", None)]
    fn a_level_has_a_word_and_the_name_of_the_api(#[case] word: &str, #[case] level: Option<Access>) {
        assert_eq!(Access::from_word(word), level);
    }
}
