//! Access levels in words, so that color is never alone.

use crate::api::model::Access;

/// One word, for a column; nothing where the level is not known.
pub fn word(access: Option<&Access>) -> &'static str {
    access.map_or("", Access::word)
}

/// The same with what it means for who has the address.
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
