//! Access levels in words, because color alone is not enough.

use crate::api::model::Access;
use crate::tui::widget::figures;

/// The level in one word, for a column; empty if it is unknown.
pub fn word(access: Option<&Access>) -> &'static str {
    access.map_or("", Access::word)
}

/// The levels at which private files are published, as `2 files public, 1 unlisted`, and the button
/// for it.
pub fn published(levels: &[Access]) -> (String, &'static str) {
    let is_unlisted = |level: &&Access| **level == Access::PublicNotIndexable;
    let unlisted = levels.iter().filter(is_unlisted).count();
    match (levels.len() - unlisted, unlisted) {
        (public, 0) => (
            format!("{} public", figures::count(public, "file")),
            "Make public",
        ),
        (0, _) => (
            format!("{} unlisted", figures::count(unlisted, "file")),
            "Make unlisted",
        ),
        (public, _) => {
            let public = figures::count(public, "file");
            (
                format!("{public} public, {} unlisted", figures::number(unlisted)),
                "Publish",
            )
        }
    }
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
