//! What every dialog that creates files asks: access level, life time, what to do with duplicates; and which names
//! can be stored.

use super::form::Field;
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy};

const ACCESS: [&str; 3] = ["PRIVATE", "PUBLIC_NOT_INDEXABLE", "PUBLIC_INDEXABLE"];
/// What the levels mean, wherever one is chosen.
pub(super) const ACCESS_HELP: &str = "PRIVATE: signed links only. PUBLIC_NOT_INDEXABLE: anyone with the address. \
                                      PUBLIC_INDEXABLE: search engines too.";
const STRATEGY: [&str; 3] = ["NONE", "REJECT", "RETURN_EXISTING"];
const SCOPE: [&str; 2] = ["EXACT_FOLDER", "ENTIRE_PORTAL"];

/// PRIVATE comes first: nothing becomes public without being asked for.
pub(super) fn access_field() -> Field {
    Field::choice("Access", &ACCESS, 0, ACCESS_HELP)
}

pub(super) fn ttl_field() -> Field {
    let help = "Deleted for good after 1 day to 1 year: 30d, 2w, 3m, 1y. Empty keeps it.";
    Field::text("Lives for", "", help)
}

pub(super) fn duplicates_field() -> Field {
    let help = "The same content is there already: NONE stores it anyway, REJECT refuses it, \
                RETURN_EXISTING gives the old file.";
    Field::choice("Duplicates", &STRATEGY, 0, help)
}

pub(super) fn scope_field() -> Field {
    Field::choice("Look in", &SCOPE, 0, "Where duplicates are looked for: this folder, or the whole account.")
}

pub(super) fn access(chosen: usize) -> Access {
    Access::from(ACCESS.get(chosen).copied().unwrap_or("PRIVATE"))
}

/// None where no check is wanted.
pub(super) fn strategy(chosen: usize) -> Option<DuplicateStrategy> {
    STRATEGY.get(chosen).filter(|name| **name != "NONE").map(|name| DuplicateStrategy::from(*name))
}

pub(super) fn scope(chosen: usize) -> DuplicateScope {
    DuplicateScope::from(SCOPE.get(chosen).copied().unwrap_or("EXACT_FOLDER"))
}

/// Refuses what cannot be a name: empty, dots alone, a slash, control characters.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() {
        Err("Type a name.".to_owned())
    } else if matches!(name, "." | "..") {
        Err("\".\" and \"..\" cannot be names.".to_owned())
    } else if name.contains(['/', '\\']) {
        Err("A name cannot hold a slash.".to_owned())
    } else if name.chars().any(char::is_control) {
        Err("A name cannot hold control characters.".to_owned())
    } else {
        Ok(())
    }
}
