//! Access levels in words, because color alone is not enough.

use crate::api::model::Access;
use crate::engine::Job;

/// The level in one word, for a column; empty if it is unknown.
pub fn word(access: Option<&Access>) -> &'static str {
    access.map_or("", Access::word)
}

/// The level in one word that jobs publish files at, and the button for it; `public` if they differ.
pub fn published(jobs: &[Job]) -> (&'static str, &'static str) {
    let access = |job: &Job| match job {
        Job::Change { update, .. } => update.access.clone(),
        Job::Replace { access, .. } => access.clone(),
        _ => None,
    };
    let mut levels = jobs.iter().filter_map(access).peekable();
    let is_unlisted =
        levels.peek().is_some() && levels.all(|level| level == Access::PublicNotIndexable);
    if is_unlisted {
        ("unlisted", "Make unlisted")
    } else {
        ("public", "Make public")
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
