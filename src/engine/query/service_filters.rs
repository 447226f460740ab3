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
    let levels = levels(terms);
    let is_private = |level: &AccessTerm| *level == AccessTerm::Private;
    let mut search = FileSearch {
        public: match (levels.iter().all(is_private), levels.iter().any(is_private)) {
            (true, _) => Some(false),
            (_, false) => Some(true),
            _ => None,
        },
        ..FileSearch::default()
    };
    for term in terms {
        match term {
            Term::Kind(kind) => search.kind = Some(kind.clone()),
            Term::Extension(extension) => search.extension = Some(extension.clone()),
            Term::Size(bound) => search.size = search.size.and(bound.range),
            Term::Width(bound) => search.width = search.width.and(bound.range),
            Term::Height(bound) => search.height = search.height.and(bound.range),
            Term::Time(TimeField::Expires, bound) => {
                let mut range = bound.range;
                if range.to.is_none() {
                    // Without any bound, the service would find what never expires, too.
                    range.from = range.from.or(Some(Timestamp::UNIX_EPOCH));
                }
                search.expires = search.expires.and(range);
            }
            Term::Usable(usable) => search.usable = Some(*usable),
            Term::Md5(md5) => search.md5 = Some(md5.clone()),
            Term::Address(address) => search.address = Some(address.clone()),
            Term::Name(_)
            | Term::Below(_)
            | Term::Time(..)
            | Term::Only(_)
            | Term::Access(_)
            | Term::Duplicates
            | Term::Order(_)
            | Term::Any(_)
            | Term::Not(_) => {}
        }
    }
    search
}

/// Returns the levels of access that a file can have.
pub(super) fn levels(terms: &[Term]) -> Vec<AccessTerm> {
    fn admits(term: &Term, level: AccessTerm) -> Option<bool> {
        match term {
            Term::Access(only) => Some(*only == level),
            Term::Any(terms) => any(terms, |term| admits(term, level)),
            Term::Not(term) => admits(term, level).map(|admits| !admits),
            _ => None,
        }
    }
    let mut levels = AccessTerm::ALL.to_vec();
    levels.retain(|level| terms.iter().all(|term| admits(term, *level) != Some(false)));
    levels
}

/// Returns `None` if that is not known of one of the terms, which are about the same field.
fn any(terms: &[Term], holds: impl Fn(&Term) -> Option<bool>) -> Option<bool> {
    terms
        .iter()
        .try_fold(false, |any, term| Some(holds(term)? || any))
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
    terms.iter().all(|term| {
        let holds = match entry {
            Entry::File(file) => of_file(term, file),
            Entry::Folder(folder) => of_folder(term, folder),
        };
        holds != Some(false)
    })
}

/// Returns `None` if the file's fields do not tell.
fn of_file(term: &Term, file: &File) -> Option<bool> {
    match term {
        Term::Name(part) => Some(contains(&file.full_name(), part)),
        Term::Below(path) => Some(is_below(file.path.as_deref()?, path)),
        Term::Kind(kind) => Some(file.kind.as_ref()? == kind),
        Term::Extension(wanted) => {
            let found = file.extension.as_deref()?;
            Some(found.trim_start_matches('.').to_lowercase() == *wanted)
        }
        Term::Size(bound) => Some(bound.range.holds(&file.size?)),
        Term::Width(bound) => Some(bound.range.holds(&file.width?.into())),
        Term::Height(bound) => Some(bound.range.holds(&file.height?.into())),
        Term::Time(moment, bound) => {
            let time = match moment {
                TimeField::Created => file.created_at,
                TimeField::Updated => file.updated_at,
                // A file without the field never expires.
                TimeField::Expires => {
                    return Some(file.expires_at.is_some_and(|time| bound.range.holds(&time)));
                }
            };
            Some(bound.range.holds(&time?))
        }
        Term::Access(level) => Some(is_level(*level, file.access.as_ref()?)),
        Term::Usable(usable) => Some(file.is_usable_in_content? == *usable),
        Term::Md5(md5) => Some(file.file_md5.as_ref()?.eq_ignore_ascii_case(md5)),
        Term::Any(terms) => any(terms, |term| of_file(term, file)),
        Term::Not(term) => of_file(term, file).map(|holds| !holds),
        Term::Only(_) | Term::Address(_) | Term::Duplicates | Term::Order(_) => None,
    }
}

/// Returns `None` if the folder's fields do not tell.
fn of_folder(term: &Term, folder: &Folder) -> Option<bool> {
    match term {
        Term::Name(part) => Some(contains(&folder.full_name(), part)),
        Term::Below(path) => Some(is_below(folder.path.as_deref()?, path)),
        Term::Time(TimeField::Created, bound) => Some(bound.range.holds(&folder.created_at?)),
        Term::Time(TimeField::Updated, bound) => Some(bound.range.holds(&folder.updated_at?)),
        term if term.is_of_files() => Some(false),
        Term::Not(term) => of_folder(term, folder).map(|holds| !holds),
        _ => None,
    }
}

pub(super) fn contains(name: &str, part: &str) -> bool {
    fold(name).contains(&fold(part))
}

pub(super) fn is_below(path: &str, folder: &str) -> bool {
    composed(path)
        .strip_prefix(&*composed(folder))
        .is_some_and(|rest| rest.starts_with('/'))
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
