//! Access levels in words, because color alone is not enough.

use crate::api::model::Access;

/// The level in one word, for a column; empty if it is unknown.
pub fn word(access: Option<&Access>) -> &'static str {
    access.map_or("", Access::word)
}

/// The level and what it means for anyone who has the URL.
pub fn meaning(access: &Access) -> &'static str {
    match access {
        Access::PublicIndexable => "public · indexed",
        Access::PublicNotIndexable => "unlisted · by its link",
        Access::Private => "private · signed links",
        Access::Sensitive => "sensitive · signed",
        Access::HiddenIndexable => "hidden · public",
        Access::HiddenNotIndexable => "hidden · by its link",
        Access::HiddenPrivate => "hidden · signed links",
        Access::HiddenSensitive => "hidden · sensitive",
        Access::Other(_) => "unknown level",
    }
}
