//! A search over the whole account, as one line: parsed into filters, explained, sent to the
//! service, and checked against the results. Makes no request itself.

mod complete;
mod filters;
mod lexer;
mod possible;
mod read;
mod service_filters;
mod term;
mod values;
mod words;

#[cfg(test)]
mod tests;

use jiff::tz::TimeZone;

use super::item::Entry;
use super::paging::{Sort, SortKey, Stage};
use crate::api::ServiceTime;
use crate::api::search::{FileSearch, FolderSearch};
use term::{EntryKind, Term};

pub use complete::{Completed, complete};
pub use read::QueryError;
pub use service_filters::asked_part;

/// Returns all filters, each with the values that it takes.
pub fn filters() -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
    filters::FILTERS
        .iter()
        .map(|filter| (filter.key, filter.takes))
}

/// A search, with its times as they were when it was parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    line: String,
    name: Option<String>,
    terms: Vec<Term>,
}

impl Query {
    /// Parses a line such as `logo type:image size:>1M`; ages in it are counted from `now`, days
    /// are those of the zone.
    pub fn read(line: &str, now: ServiceTime, zone: &TimeZone) -> Result<Self, QueryError> {
        let line = line.trim();
        Ok(Self {
            line: line.to_owned(),
            name: None,
            terms: read::read(line, &now.to_zoned(zone))?,
        })
    }

    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            ..self
        }
    }

    pub fn line(&self) -> &str {
        &self.line
    }

    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.line)
    }

    /// Returns the paths of the folders that it looks below or leaves out, except the root folder.
    pub fn folders_named(&mut self) -> impl Iterator<Item = &mut String> {
        self.terms.iter_mut().filter_map(Term::folder)
    }

    /// Describes the search in a sentence, not yet safe to show.
    pub fn in_words(&self) -> String {
        words::explain(&self.terms)
    }

    /// Returns what the service cannot do of it, in sentences.
    pub fn caveats(&self) -> Vec<String> {
        words::caveats(&self.terms)
    }

    pub fn order(&self) -> Option<Sort> {
        if self.is_for_duplicates() {
            return Some(Sort {
                key: SortKey::Content,
                descending: true,
            });
        }
        self.terms.iter().find_map(|term| {
            if let Term::Order(sort) = term {
                Some(*sort)
            } else {
                None
            }
        })
    }

    /// Returns the sort keys whose values it compares.
    pub fn keys(&self) -> impl Iterator<Item = SortKey> {
        self.terms.iter().filter_map(Term::key)
    }

    /// Returns `true` if all files have to be read before anything is known.
    pub fn is_for_duplicates(&self) -> bool {
        self.terms.contains(&Term::Duplicates)
    }

    /// Returns `true` if it can find folders, or files.
    pub fn reaches(&self, stage: Stage) -> bool {
        match stage {
            Stage::Files => !self.terms.contains(&Term::Only(EntryKind::Folders)),
            Stage::Folders => {
                !self.terms.contains(&Term::Only(EntryKind::Files))
                    && !self.terms.iter().any(Term::is_of_files)
            }
        }
    }

    /// Returns the search for files, without order and page.
    pub fn files(&self) -> FileSearch {
        FileSearch {
            filter: service_filters::common(&self.terms),
            ..service_filters::files(&self.terms)
        }
    }

    /// Returns the search for folders, without order and page.
    pub fn folders(&self) -> FolderSearch {
        FolderSearch {
            filter: service_filters::common(&self.terms),
            ..FolderSearch::default()
        }
    }

    /// Returns `true` if an entry matches, as far as its fields are known.
    pub fn holds(&self, entry: &Entry) -> bool {
        let stage = if matches!(entry, Entry::File(_)) {
            Stage::Files
        } else {
            Stage::Folders
        };
        self.reaches(stage) && service_filters::holds(&self.terms, entry)
    }
}
