//! Names that people, or the disks of other machines, do not tell apart.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::scope::Scope;
use crate::api::text::visible;
use crate::engine::ancestors::ancestors;
use crate::engine::name_form::{composed, fold};

/// The reason not to send, save, or compare names that others cannot tell apart.
pub(super) const TWINS: &str =
    "two names differ by the encoding of their accents only: rename one of them";

/// The names in a folder, by their folded form.
#[derive(Debug, Default)]
pub(super) struct FoldedNames(HashMap<String, BTreeSet<String>>);

impl FoldedNames {
    pub(super) fn add(&mut self, name: String) {
        self.0.entry(fold(&name)).or_default().insert(name);
    }

    /// Returns the existing name: exactly, or else in the only other form of its accents. Fails if
    /// there are several.
    pub(super) fn form_of(&self, name: &str) -> Result<Option<&str>, &'static str> {
        let Some(names) = self.0.get(&fold(name)) else {
            return Ok(None);
        };
        let mut forms = names
            .iter()
            .filter(|other| composed(other) == composed(name));
        match (names.get(name), forms.next(), forms.next()) {
            (Some(form), ..) | (None, Some(form), None) => Ok(Some(form)),
            (None, None, _) => Ok(None),
            (None, Some(_), Some(_)) => Err(TWINS),
        }
    }

    /// Returns another name that differs from this one by case.
    pub(super) fn alike(&self, name: &str) -> Option<&str> {
        self.0
            .get(&fold(name))?
            .iter()
            .map(String::as_str)
            .find(|other| composed(other) != composed(name))
    }
}

/// Returns the paths, composed, that differ from others of these only in the form of their accents,
/// and all below them.
pub(super) fn twins<'a>(paths: impl Iterator<Item = &'a str>) -> Scope {
    let own: BTreeSet<&str> = paths
        .filter(|path| !path.is_ascii())
        .flat_map(|path| ancestors(path).chain([path]))
        .collect();
    let mut before = HashSet::new();
    let forms = own.into_iter().map(|path| composed(path).into_owned());
    Scope::of(forms.filter(|form| !before.insert(form.clone())))
}

/// Returns the warning about a name that looks like an earlier one. `before` holds those by their
/// folded form.
pub(super) fn twin_warning(name: &str, before: &mut HashMap<String, String>) -> Option<String> {
    match before.entry(fold(name)) {
        Entry::Occupied(other) if other.get() == name => {
            Some("another of these has the same name: a number is added".to_owned())
        }
        Entry::Occupied(other) => Some(looks_like(other.get(), "", name)),
        Entry::Vacant(free) => {
            free.insert(name.to_owned());
            None
        }
    }
}

/// Says that a name barely differs from another one; `which` says which one that is.
pub(super) fn looks_like(other: &str, which: &str, name: &str) -> String {
    let difference = if composed(other) == composed(name) {
        "the encoding of its accents"
    } else {
        "case"
    };
    format!(
        "differs from {}{which} by {difference} only",
        visible(other)
    )
}
