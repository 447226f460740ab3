//! Describes a search, and what of it the service leaves to filedeck.

use super::service_filters;
use super::term::{AccessTerm, EntryKind, Term};
use crate::api::model::FileKind;
use crate::engine::paging::{Sort, SortKey};

/// Describes what is looked for: `Files named logo, pictures, larger than 1 MB.`
pub(super) fn explain(terms: &[Term]) -> String {
    let things = if terms.contains(&Term::Only(EntryKind::Folders)) {
        "Folders"
    } else if terms
        .iter()
        .any(|term| term.is_of_files() || *term == Term::Only(EntryKind::Files))
    {
        "Files"
    } else {
        "Files and folders"
    };
    let names: Vec<&str> = terms
        .iter()
        .filter_map(|term| {
            if let Term::Name(name) = term {
                Some(name.as_str())
            } else {
                None
            }
        })
        .collect();
    let mut text = things.to_owned();
    if !names.is_empty() {
        text.push_str(" named ");
        text.push_str(&names.join(" and "));
    }
    let phrases = terms.iter().filter_map(phrase);
    let text = std::iter::once(text)
        .chain(phrases)
        .collect::<Vec<_>>()
        .join(", ");
    text + "."
}

fn phrase(term: &Term) -> Option<String> {
    Some(match term {
        Term::Not(term) => match &**term {
            Term::Name(name) => format!("not named {name}"),
            term => format!("not {}", phrase(term)?),
        },
        Term::Any(terms) => terms
            .iter()
            .filter_map(phrase)
            .collect::<Vec<_>>()
            .join(" or "),
        Term::Name(_) | Term::Only(_) => return None,
        Term::Below(path) if path.is_empty() => "anywhere".to_owned(),
        Term::Below(path) => format!("below {path}"),
        Term::Kind(kind) => match kind {
            FileKind::Image => "pictures",
            FileKind::Document => "documents",
            FileKind::Audio => "audio",
            FileKind::Movie => "films",
            _ => "of no known type",
        }
        .to_owned(),
        Term::Extension(extension) => format!("ending with .{extension}"),
        Term::Size(bound) | Term::Width(bound) | Term::Height(bound) => bound.description.clone(),
        Term::Time(_, bound) => bound.description.clone(),
        Term::Access(AccessTerm::Public) => "public".to_owned(),
        Term::Access(AccessTerm::Unlisted) => "unlisted".to_owned(),
        Term::Access(AccessTerm::Private) => "private".to_owned(),
        Term::Usable(true) => "usable in content".to_owned(),
        Term::Usable(false) => "not usable in content".to_owned(),
        Term::Md5(md5) => format!("with the MD5 {md5}"),
        Term::Address(address) => format!("at {address}"),
        Term::Duplicates => "with duplicates".to_owned(),
        Term::Order(sort) => order(*sort).to_owned(),
    })
}

fn order(sort: Sort) -> &'static str {
    match (sort.key, sort.descending) {
        (SortKey::Name, false) => "by name",
        (SortKey::Name, true) => "by name, reversed",
        (SortKey::Size, false) => "smallest first",
        (SortKey::Size, true) => "largest first",
        (SortKey::Kind, false) => "by type",
        (SortKey::Kind, true) => "by type, reversed",
        (SortKey::Created, false) => "oldest first",
        (SortKey::Created, true) => "newest first",
        (SortKey::Updated, false) => "oldest change first",
        (SortKey::Updated, true) => "newest change first",
        (SortKey::Expires, false) => "earliest expiry first",
        (SortKey::Expires, true) => "latest expiry first",
        (SortKey::Access, false) => "public first",
        (SortKey::Access, true) => "private first",
        (SortKey::Content, _) => "copies together",
    }
}

/// Describes what the service cannot filter by, so that it is done here, page by page; empty if it
/// can do everything.
pub(super) fn caveats(terms: &[Term]) -> Vec<String> {
    let mut caveats = Vec::new();
    let names = terms
        .iter()
        .filter(|term| matches!(term, Term::Name(_)))
        .count();
    match service_filters::name(terms) {
        Some(asked) if names > 1 || !terms.contains(&Term::Name(asked.clone())) => {
            caveats.push(format!(
                "The service searches for \"{asked}\"; filedeck filters by the rest of the name."
            ));
        }
        None if names > 0 => {
            caveats.push(
                "The service cannot search for such a name; filedeck filters by it.".to_owned(),
            );
        }
        _ => {}
    }
    let levels = service_filters::levels(terms);
    let can_be = |level| levels.contains(&level);
    if can_be(AccessTerm::Public) != can_be(AccessTerm::Unlisted) {
        caveats.push(
            "The service cannot tell public from unlisted; filedeck filters by it, page by page."
                .to_owned(),
        );
    }
    let is_filtered_here = |term: &Term| {
        matches!(term, Term::Any(_) | Term::Not(_)) && !matches!(term.plain(), Term::Access(_))
    };
    if terms.iter().any(is_filtered_here) {
        caveats.push(
            "The service can neither leave out nor search for several; filedeck does it, page by page."
                .to_owned(),
        );
    }
    if terms.contains(&Term::Duplicates) {
        caveats.push(
            "The service cannot search for that: filedeck reads all files, 100 a request."
                .to_owned(),
        );
    }
    caveats
}
