//! The rules for which paths of two trees are compared. Paths start at the top of the tree, with
//! slashes between names.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use jiff::Timestamp;

use super::ancestors::ancestors;
use super::left_out::Reason;
use super::name_form::composed;
use crate::api::text::visible;
use crate::api::{Error, Kind};

/// Names that are never sent with a folder, at any depth: they hold secrets, or nothing that
/// anybody means to share.
const NEVER_SENT: [&str; 4] = [".git", ".hg", ".svn", ".DS_Store"];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeRules {
    /// Takes only files that match one of these; all files if it is empty.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// Obeys the `.gitignore` files of the local tree.
    pub gitignore: bool,
    pub hidden: HiddenNames,
    /// Follows links of the local tree.
    pub follow_links: bool,
    pub bounds: FileBounds,
}

/// The treatment of names that begin with a dot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HiddenNames {
    /// They are taken, but their content is not put in place of a public file's.
    #[default]
    Private,
    /// They are left out, because what is sent is public.
    LeftOut,
    /// They are taken, as somebody has asked for.
    Published,
}

/// The sizes and times of change of the files that are taken from folders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileBounds {
    /// The least size, in bytes.
    pub least: Option<u64>,
    /// The largest size, in bytes.
    pub most: Option<u64>,
    pub changed_since: Option<Timestamp>,
}

impl FileBounds {
    /// Returns the reason why a file is left out; one whose size or time is not known is, if it
    /// matters.
    pub fn leaves_out(&self, size: Option<u64>, changed_at: Option<Timestamp>) -> Option<Reason> {
        let is_within = self
            .least
            .is_none_or(|least| size.is_some_and(|size| size >= least))
            && self
                .most
                .is_none_or(|most| size.is_some_and(|size| size <= most))
            && self
                .changed_since
                .is_none_or(|since| changed_at.is_some_and(|changed_at| changed_at >= since));
        (!is_within).then_some(Reason::Pattern)
    }
}

#[derive(Debug, Clone, Default)]
pub struct TreeFilter {
    /// `None` takes all files.
    include: Option<GlobSet>,
    exclude: GlobSet,
    pub gitignore: bool,
    pub hidden: HiddenNames,
    pub follow_links: bool,
    pub bounds: FileBounds,
}

impl TreeFilter {
    /// Compiles the rules. A pattern without a slash is for a name at any depth. An error names the
    /// invalid pattern.
    pub fn new(rules: &TreeRules) -> Result<Self, Error> {
        let TreeRules {
            include,
            exclude,
            gitignore,
            hidden,
            follow_links,
            bounds,
        } = rules;
        let include = if include.is_empty() {
            None
        } else {
            Some(set(include)?)
        };
        Ok(Self {
            include,
            exclude: set(exclude)?,
            gitignore: *gitignore,
            hidden: *hidden,
            follow_links: *follow_links,
            bounds: *bounds,
        })
    }

    /// Returns the reason why a path, or a folder above it, is left out; `None` if the path is
    /// compared.
    pub fn leaves_out(&self, path: &str, is_folder: bool) -> Option<Reason> {
        if self.hidden == HiddenNames::LeftOut && is_hidden(path) {
            return Some(Reason::Hidden);
        }
        let path = &*composed(path);
        let is_taken = is_folder
            || self
                .include
                .as_ref()
                .is_none_or(|include| include.is_match(path));
        let is_excluded = || {
            ancestors(path)
                .chain([path])
                .any(|path| self.exclude.is_match(path))
        };
        (!is_taken || is_excluded()).then_some(Reason::Pattern)
    }

    /// Returns `true` if empty folders are created: with patterns, folders exist only for the files
    /// that match.
    pub fn takes_empty_folders(&self) -> bool {
        self.include.is_none()
    }
}

/// Returns `true` if a name in a path begins with a dot.
pub fn is_hidden(path: &str) -> bool {
    path.split('/').any(|name| name.starts_with('.'))
}

pub fn is_never_sent(path: &str) -> bool {
    path.split('/').any(|name| NEVER_SENT.contains(&name))
}

fn set(patterns: &[String]) -> Result<GlobSet, Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(glob(pattern)?);
    }
    set.build().map_err(|error| {
        Error::new(
            Kind::Refused,
            format!("These patterns are too many: {}", error.kind()),
        )
    })
}

fn glob(pattern: &str) -> Result<Glob, Error> {
    let trimmed = pattern.trim_end_matches('/');
    if trimmed.is_empty() {
        return Err(Error::new(
            Kind::Refused,
            format!("'{}' is not a pattern: it names nothing", visible(pattern)),
        ));
    }
    let anchored = match trimmed.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if trimmed.contains('/') => trimmed.to_owned(),
        None => format!("**/{trimmed}"),
    };
    let built = GlobBuilder::new(&composed(&anchored))
        .literal_separator(true)
        .backslash_escape(true)
        .build();
    built.map_err(|error| {
        Error::new(
            Kind::Refused,
            format!("{} is not a pattern: {}", visible(pattern), error.kind()),
        )
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::all(&[], &[], "a/b.png", true)]
    #[case::name_anywhere(&["*.png"], &[], "a/b.png", true)]
    #[case::other_name(&["*.png"], &[], "a/b.jpg", false)]
    #[case::from_the_top(&["/a/*.png"], &[], "a/b.png", true)]
    #[case::deeper_than_the_pattern(&["/a/*.png"], &[], "a/c/b.png", false)]
    #[case::left_out(&[], &["*.png"], "a/b.png", false)]
    #[case::left_out_although_taken(&["*.png"], &["a"], "a/b.png", false)]
    #[case::in_a_folder_that_is_left_out(&[], &["node_modules/"], "x/node_modules/y/z.js", false)]
    #[case::only_a_part_of_a_name(&[], &["node"], "x/node_modules/z.js", true)]
    fn files_are_taken_by_patterns(
        #[case] include: &[&str],
        #[case] exclude: &[&str],
        #[case] path: &str,
        #[case] takes: bool,
    ) {
        let owned = |patterns: &[&str]| {
            patterns
                .iter()
                .map(|pattern| (*pattern).to_owned())
                .collect::<Vec<_>>()
        };
        let rules = TreeRules {
            include: owned(include),
            exclude: owned(exclude),
            ..TreeRules::default()
        };
        let filter = TreeFilter::new(&rules).unwrap();
        assert_eq!(
            filter.leaves_out(path, false),
            (!takes).then_some(Reason::Pattern)
        );
    }

    #[test]
    fn what_is_no_pattern_is_named() {
        let rules = TreeRules {
            exclude: vec!["a[".to_owned()],
            ..TreeRules::default()
        };
        let error = TreeFilter::new(&rules).unwrap_err();
        assert!(error.message.starts_with("a[ is not a pattern"), "{error}");
    }
}
