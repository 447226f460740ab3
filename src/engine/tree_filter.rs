//! Which paths of two trees are compared: patterns of what is taken and what is left out. A path has its names separated
//! by slashes, from the top of its tree.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::api::text::visible;
use crate::api::{Error, Kind};

/// Patterns, and whether the rules of `.gitignore` files hold, too.
#[derive(Debug, Clone, Default)]
pub struct TreeFilter {
    /// None takes all files.
    include: Option<GlobSet>,
    exclude: GlobSet,
    pub gitignore: bool,
}

impl TreeFilter {
    /// A pattern without a slash is one for a name at any depth. An error names the pattern that is none.
    pub fn new(include: &[String], exclude: &[String], gitignore: bool) -> Result<Self, Error> {
        let include = if include.is_empty() { None } else { Some(set(include)?) };
        Ok(Self { include, exclude: set(exclude)?, gitignore })
    }

    /// Whether a file is compared.
    pub fn takes_file(&self, path: &str) -> bool {
        self.include.as_ref().is_none_or(|include| include.is_match(path)) && self.takes_folder(path)
    }

    /// Whether a folder is looked into: neither it nor one above it is left out.
    pub fn takes_folder(&self, path: &str) -> bool {
        let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        !above.chain([path]).any(|path| self.exclude.is_match(path))
    }
}

fn set(patterns: &[String]) -> Result<GlobSet, Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(glob(pattern)?);
    }
    set.build().map_err(|error| Error::new(Kind::Refused, format!("These patterns are too many: {}", error.kind())))
}

fn glob(pattern: &str) -> Result<Glob, Error> {
    let trimmed = pattern.trim_end_matches('/');
    let anchored = match trimmed.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if trimmed.contains('/') => trimmed.to_owned(),
        None => format!("**/{trimmed}"),
    };
    let built = GlobBuilder::new(&anchored).literal_separator(true).backslash_escape(true).build();
    built.map_err(|error| Error::new(Kind::Refused, format!("{} is not a pattern: {}", visible(pattern), error.kind())))
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
        let owned = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>();
        let filter = TreeFilter::new(&owned(include), &owned(exclude), false).unwrap();
        assert_eq!(filter.takes_file(path), takes);
    }

    #[test]
    fn what_is_no_pattern_is_named() {
        let error = TreeFilter::new(&[], &["a[".to_owned()], false).unwrap_err();
        assert!(error.message.starts_with("a[ is not a pattern"), "{error}");
    }
}
