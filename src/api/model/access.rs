//! Access levels: who may fetch a file by its address.

use super::open_enum::open_enum;

open_enum!(
    /// The access level of a file. Only the first three can be set; the others may be read
    /// (`contract.md#access-levels`).
    Access {
        /// Anyone with the address; search engines may list it.
        PublicIndexable = "PUBLIC_INDEXABLE",
        /// Anyone with the address; search engines are asked not to list it.
        PublicNotIndexable = "PUBLIC_NOT_INDEXABLE",
        /// Only through a signed address.
        Private = "PRIVATE",
        /// Private, and marked sensitive.
        Sensitive = "SENSITIVE",
        /// Like `PublicIndexable`, but left out of lists.
        HiddenIndexable = "HIDDEN_INDEXABLE",
        /// Like `PublicNotIndexable`, but left out of lists.
        HiddenNotIndexable = "HIDDEN_NOT_INDEXABLE",
        /// Like `Private`, but left out of lists.
        HiddenPrivate = "HIDDEN_PRIVATE",
        /// Like `Sensitive`, but left out of lists.
        HiddenSensitive = "HIDDEN_SENSITIVE",
    }
);

impl Access {
    /// The levels that uploads and updates accept.
    pub const SETTABLE: [Self; 3] = [
        Self::PublicIndexable,
        Self::PublicNotIndexable,
        Self::Private,
    ];

    /// Returns `true` if anyone with the address can fetch the bytes.
    pub fn is_public(&self) -> bool {
        matches!(
            self,
            Self::PublicIndexable
                | Self::PublicNotIndexable
                | Self::HiddenIndexable
                | Self::HiddenNotIndexable
        )
    }

    /// Returns `true` if lists and searches leave out files of this level.
    pub fn is_hidden(&self) -> bool {
        self.as_str().starts_with("HIDDEN_")
    }

    /// Returns one word to display; `unknown` for a level that the contract does not name.
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

    /// Parses a level from its word or from the API's name, in any case; `None` if it cannot be
    /// set.
    pub fn from_word(word: &str) -> Option<Self> {
        let is_named = |level: &Self| {
            word.eq_ignore_ascii_case(level.word())
                || word.replace('-', "_").eq_ignore_ascii_case(level.as_str())
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
    fn a_level_has_a_word_and_the_name_of_the_api(
        #[case] word: &str,
        #[case] level: Option<Access>,
    ) {
        assert_eq!(Access::from_word(word), level);
    }
}
