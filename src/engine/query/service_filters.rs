//! Filters as the service takes them, and the same filters as checks of its results: a service may
//! ignore a filter, and tells some things apart less finely.

use jiff::Timestamp;

use super::term::{AccessTerm, Term, TimeField};
use crate::api::model::{Access, File, Folder};
use crate::api::search::{Bounds, FileSearch, Filter};
use crate::engine::item::Entry;
use crate::engine::name_form::{common_part, composed, fold};

/// The longest part of a name that the service accepts, in characters (`contract.md#search`).
const LONGEST_NAME: usize = 19;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) created: Bounds<Timestamp>,
    pub(super) updated: Bounds<Timestamp>,
}

pub(super) fn times(terms: &[Term]) -> Times {
    let mut times = Times::default();
    for term in terms {
        match term {
            Term::Time(TimeField::Created, bound) => times.created = times.created.and(bound.range),
            Term::Time(TimeField::Updated, bound) => times.updated = times.updated.and(bound.range),
            _ => {}
        }
    }
    times
}

/// Returns the filters that are the same for files and folders.
pub(super) fn common(terms: &[Term]) -> Filter {
    let Times { created, updated } = times(terms);
    let path = terms.iter().find_map(|term| {
        if let Term::Below(path) = term {
            Some(path)
        } else {
            None
        }
    });
    Filter {
        name: name(terms),
        path: path.filter(|path| !path.is_empty()).cloned(),
        created,
        updated,
        ..Filter::default()
    }
}

/// Returns the further filters for files.
pub(super) fn files(terms: &[Term]) -> FileSearch {
    let mut search = FileSearch::default();
    for term in terms {
        match term {
            Term::Kind(kind) => search.kind = Some(kind.clone()),
            Term::Extension(extension) => search.extension = Some(extension.clone()),
            Term::Size(bound) => search.size = search.size.and(bound.range),
            Term::Width(bound) => search.width = search.width.and(bound.range),
            Term::Height(bound) => search.height = search.height.and(bound.range),
            Term::Time(TimeField::Expires, bound) => {
                search.expires = search.expires.and(bound.range);
            }
            Term::Access(level) => search.public = Some(*level != AccessTerm::Private),
            Term::Usable(usable) => search.usable = Some(*usable),
            Term::Md5(md5) => search.md5 = Some(md5.clone()),
            Term::Address(address) => search.address = Some(address.clone()),
            Term::Name(_)
            | Term::Below(_)
            | Term::Time(..)
            | Term::Only(_)
            | Term::Duplicates
            | Term::Order(_) => {}
        }
    }
    search
}

/// Returns the one part of a name that the service is asked for: the longest.
pub(super) fn name(terms: &[Term]) -> Option<String> {
    let names = terms.iter().filter_map(|term| {
        if let Term::Name(name) = term {
            Some(name)
        } else {
            None
        }
    });
    names
        .filter_map(|name| asked_part(name))
        .max_by_key(|name| name.chars().count())
}

/// Returns the part of a name to ask the service for: it compares letters, and knows names without
/// extension.
pub fn asked_part(name: &str) -> Option<String> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let part: String = common_part(stem).chars().take(LONGEST_NAME).collect();
    Some(part).filter(|part| !part.is_empty())
}

/// Returns `true` if an entry matches, as far as its fields are known.
pub(super) fn holds(terms: &[Term], entry: &Entry) -> bool {
    terms.iter().all(|term| match entry {
        Entry::File(file) => of_file(term, file),
        Entry::Folder(folder) => of_folder(term, folder),
    })
}

fn of_file(term: &Term, file: &File) -> bool {
    match term {
        Term::Name(part) => contains(&file.full_name(), part),
        Term::Below(path) => is_below(file.path.as_deref(), path),
        Term::Kind(kind) => file.kind.as_ref().is_none_or(|found| found == kind),
        Term::Extension(wanted) => {
            let found = file
                .extension
                .as_deref()
                .map(|found| found.trim_start_matches('.').to_lowercase());
            found.is_none_or(|found| found == *wanted)
        }
        Term::Size(bound) => file.size.is_none_or(|size| bound.range.holds(&size)),
        Term::Width(bound) => file
            .width
            .is_none_or(|width| bound.range.holds(&width.into())),
        Term::Height(bound) => file
            .height
            .is_none_or(|height| bound.range.holds(&height.into())),
        Term::Time(moment, bound) => {
            let time = match moment {
                TimeField::Created => file.created_at,
                TimeField::Updated => file.updated_at,
                TimeField::Expires => {
                    return file.expires_at.is_some_and(|time| bound.range.holds(&time));
                }
            };
            time.is_none_or(|time| bound.range.holds(&time))
        }
        Term::Access(level) => file
            .access
            .as_ref()
            .is_none_or(|access| is_level(*level, access)),
        Term::Usable(usable) => file
            .is_usable_in_content
            .is_none_or(|found| found == *usable),
        Term::Md5(md5) => file
            .file_md5
            .as_ref()
            .is_none_or(|found| found.eq_ignore_ascii_case(md5)),
        Term::Only(_) | Term::Address(_) | Term::Duplicates | Term::Order(_) => true,
    }
}

fn of_folder(term: &Term, folder: &Folder) -> bool {
    match term {
        Term::Name(part) => contains(&folder.full_name(), part),
        Term::Below(path) => is_below(folder.path.as_deref(), path),
        Term::Time(TimeField::Created, bound) => folder
            .created_at
            .is_none_or(|time| bound.range.holds(&time)),
        Term::Time(TimeField::Updated, bound) => folder
            .updated_at
            .is_none_or(|time| bound.range.holds(&time)),
        term => !term.is_of_files(),
    }
}

fn contains(name: &str, part: &str) -> bool {
    fold(name).contains(&fold(part))
}

fn is_below(path: Option<&str>, folder: &str) -> bool {
    path.is_none_or(|path| {
        composed(path)
            .strip_prefix(&*composed(folder))
            .is_some_and(|rest| rest.starts_with('/'))
    })
}

fn is_level(level: AccessTerm, access: &Access) -> bool {
    match level {
        AccessTerm::Public => matches!(access, Access::PublicIndexable | Access::HiddenIndexable),
        AccessTerm::Unlisted => matches!(
            access,
            Access::PublicNotIndexable | Access::HiddenNotIndexable
        ),
        AccessTerm::Private => !access.is_public(),
    }
}
