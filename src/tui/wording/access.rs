//! Access levels in words, so that color is never alone.

use crate::api::model::Access;

/// One word, for a column.
pub fn word(access: Option<&Access>) -> &'static str {
    match access {
        None => "",
        Some(Access::PublicIndexable) => "public",
        Some(Access::PublicNotIndexable) => "unlisted",
        Some(Access::Private) => "private",
        Some(Access::Sensitive) => "sensitive",
        Some(access) if access.is_hidden() => "hidden",
        Some(_) => "unknown",
    }
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
