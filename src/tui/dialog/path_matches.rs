//! The folders nearest to a typed path, and the one of them that enter takes. The match is fuzzy:
//! the letters occur in the path in their order, with gaps.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::listed_line::{ListedLine, MOST_LISTED};
use crate::api::paths::join;
use crate::api::text::visible;
use crate::engine::name_form::composed;

#[derive(Debug, Clone, PartialEq)]
pub struct PathMatches {
    known: Vec<String>,
    /// The folder in which a relative path begins.
    here: String,
    /// Set if these are all folders of the account.
    is_all: bool,
    chosen: Option<ChosenPath>,
}

#[derive(Debug, Clone, PartialEq)]
struct ChosenPath {
    /// The typed text: the choice ends when it changes.
    typed: String,
    /// A folder; `None` for the text as it is typed.
    folder: Option<String>,
}

/// Returns the account and the path of a text such as `@acme:/brand`.
pub(crate) fn path_of_account(typed: &str) -> Option<(&str, &str)> {
    let (account, path) = typed.strip_prefix('@')?.split_once(':')?;
    path.starts_with('/').then_some((account, path))
}

impl PathMatches {
    pub(super) fn new(here: String, known: Vec<String>, is_all: bool) -> Self {
        Self {
            known,
            here,
            is_all,
            chosen: None,
        }
    }

    pub(super) fn extend(&mut self, new: impl Iterator<Item = String>, is_all: bool) {
        self.known.extend(new);
        self.is_all = is_all;
    }

    /// Returns the lines to show, and the index of the one that enter takes.
    pub(super) fn lines(&self, typed: &str) -> (Vec<ListedLine>, Option<usize>) {
        let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
        let (pattern, mut buffer) = (pattern(typed), Vec::new());
        let line = |path: &&str| {
            let (text, mut found) = (visible(path).into_owned(), Vec::new());
            pattern.indices(
                Utf32Str::new(&composed(&text), &mut buffer),
                &mut matcher,
                &mut found,
            );
            found.sort_unstable();
            found.dedup();
            ListedLine {
                text,
                matched: found,
            }
        };
        (self.near(typed).iter().map(line).collect(), self.row(typed))
    }

    /// Moves to the previous or next line; before the first one, a path is taken as it is typed.
    pub(super) fn step(&mut self, typed: &str, forth: bool) {
        let near = self.near(typed);
        let row = match (self.row(typed), forth) {
            (None, true) => Some(0),
            (None | Some(0), false) => None,
            (Some(row), true) => Some((row + 1).min(near.len().saturating_sub(1))),
            (Some(row), false) => Some(row - 1),
        };
        let row = row.or(Some(0).filter(|_| !is_path(typed)));
        let folder = row
            .and_then(|row| near.get(row))
            .map(|path| (*path).to_owned());
        self.chosen = Some(ChosenPath {
            typed: typed.to_owned(),
            folder,
        });
    }

    pub(super) fn choose(&mut self, typed: &str, row: usize) {
        let folder = self.near(typed).get(row).map(|path| (*path).to_owned());
        self.chosen = Some(ChosenPath {
            typed: typed.to_owned(),
            folder,
        });
    }

    /// Returns the path that enter leads to, if any.
    pub(super) fn target(&self, typed: &str) -> Option<String> {
        if path_of_account(typed).is_some() {
            return Some(typed.to_owned());
        }
        let near = self.near(typed);
        let folder = self
            .row(typed)
            .and_then(|row| near.get(row).copied())
            .map(str::to_owned);
        folder.or_else(|| Some(absolute(&self.here, typed)).filter(|_| !typed.is_empty()))
    }

    /// Returns the text after tab: the folder that the arrows have chosen, or the nearest one,
    /// unless the text is a path in a known folder.
    pub(super) fn completed(&self, typed: &str) -> Option<String> {
        if let Some(ChosenPath {
            folder: Some(path), ..
        }) = self.chosen(typed)
        {
            return Some(join(path, ""));
        }
        let folder = typed.rsplit_once('/').map(|(folder, _)| folder);
        let is_in_known = folder.is_some_and(|folder| folder.is_empty() || self.is_known(folder));
        self.near(typed)
            .first()
            .filter(|_| !is_in_known)
            .map(|path| join(path, ""))
    }

    /// Returns the line that enter takes; `None` if it takes the typed text, such as a path that
    /// may be that of a file.
    fn row(&self, typed: &str) -> Option<usize> {
        let near = self.near(typed);
        let place = |of: &str| near.iter().position(|path| *path == of);
        if let Some(ChosenPath { folder, .. }) = self.chosen(typed) {
            return folder.as_deref().and_then(place);
        }
        if typed.is_empty() {
            return None;
        }
        if !is_path(typed) {
            return Some(0).filter(|_| !near.is_empty());
        }
        let path = absolute(&self.here, typed);
        if !self.is_all || typed.ends_with('/') || self.is_known(&path) {
            return place(&path);
        }
        near.iter().position(|known| known.starts_with(&path))
    }

    fn chosen(&self, typed: &str) -> Option<&ChosenPath> {
        self.chosen.as_ref().filter(|chosen| chosen.typed == typed)
    }

    fn is_known(&self, folder: &str) -> bool {
        self.known.iter().any(|path| path == folder)
    }

    /// Returns the folders that match, the best first, and the shortest first among equals.
    fn near(&self, typed: &str) -> Vec<&str> {
        if path_of_account(typed).is_some() {
            return Vec::new();
        }
        let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
        let (pattern, mut buffer) = (pattern(typed), Vec::new());
        let score = |path| {
            Some((
                path,
                pattern.score(Utf32Str::new(&composed(path), &mut buffer), &mut matcher)?,
            ))
        };
        let mut found: Vec<(&str, u32)> = self
            .known
            .iter()
            .map(String::as_str)
            .filter_map(score)
            .collect();
        found.sort_unstable_by_key(|(path, score)| (Reverse(*score), path.len(), *path));
        found
            .into_iter()
            .map(|(path, _)| path)
            .take(MOST_LISTED)
            .collect()
    }
}

fn pattern(typed: &str) -> Pattern {
    Pattern::new(
        &composed(typed),
        CaseMatching::Smart,
        Normalization::Smart,
        AtomKind::Fuzzy,
    )
}

/// Returns `true` if the text is more than some letters of a folder's path.
fn is_path(typed: &str) -> bool {
    typed.contains('/') || typed.starts_with("..")
}

/// Returns a path without empty parts, `.` and `..`; one that does not begin with a slash is below
/// `here`.
fn absolute(here: &str, typed: &str) -> String {
    let base = if typed.starts_with('/') { "" } else { here };
    let mut parts: Vec<&str> = Vec::new();
    for part in base
        .split('/')
        .chain(typed.split('/'))
        .filter(|part| !part.is_empty())
    {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}
