//! How the command line names remote files and folders that are there: one by path or id, or several by a pattern such
//! as `/marketing/*.png`. In a pattern `*` and `?` stand for letters of one name, `[..]` and `{..,..}` for choices, and
//! a name `**` for folders at any depth; a backslash takes the meaning from the letter after it. What is there under
//! the very letters goes before all of that (`guarantees.md#a-path-that-was-printed-or-typed-is-that-file`).

use std::fmt;
use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher};

use super::remote::{RemoteArgument, RemoteError, RemotePath};
use crate::engine::name_form::composed;

/// A path, an id or a pattern as it was typed; the service decides which (`locate::read`).
#[derive(Debug, Clone)]
pub struct RemotePattern {
    text: String,
    /// Taken letter by letter.
    exact: RemoteArgument,
}

/// The meaning of a `RemotePattern`.
#[derive(Debug)]
pub enum RemoteMeaning {
    One(RemoteArgument),
    Many(RemoteGlob),
}

// Without a doc comment, which would take the place of each command's own.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct PatternOptions {
    /// Take paths letter by letter: nothing is a pattern, and a backslash is a backslash
    #[arg(long)]
    pub literal: bool,
}

/// A pattern of paths.
#[derive(Debug, Clone)]
pub struct RemoteGlob {
    /// The folder that all that match lie in.
    base: String,
    /// Patterns for the names below the base, in order.
    names: Vec<NamePattern>,
    /// Whether it was written with a slash at its end: files do not match.
    means_folder: bool,
}

/// What a name of a path may be.
#[derive(Debug, Clone)]
pub enum NamePattern {
    Exactly(String),
    Like(GlobMatcher),
    /// Folders at any depth, none included.
    AnyDepth,
}

#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    #[error(transparent)]
    Remote(#[from] RemoteError),
    #[error("it is no pattern: {0}")]
    Glob(String),
}

impl RemoteGlob {
    pub fn base(&self) -> &str {
        &self.base
    }

    pub fn names(&self) -> &[NamePattern] {
        &self.names
    }

    pub fn means_folder(&self) -> bool {
        self.means_folder
    }
}

impl NamePattern {
    fn read(name: &str) -> Result<Self, PatternError> {
        if name == "**" {
            return Ok(Self::AnyDepth);
        }
        if !is_pattern(name) {
            return Ok(Self::Exactly(unescaped(name)));
        }
        let glob = GlobBuilder::new(&composed(name)).literal_separator(true).backslash_escape(true).build();
        glob.map(|glob| Self::Like(glob.compile_matcher()))
            .map_err(|error| PatternError::Glob(error.kind().to_string()))
    }

    /// Returns whether one name is like it, whatever the form of its accents.
    pub fn holds(&self, name: &str) -> bool {
        match self {
            Self::Exactly(exactly) => composed(exactly) == composed(name),
            Self::Like(matcher) => matcher.is_match(&*composed(name)),
            Self::AnyDepth => true,
        }
    }
}

impl RemotePattern {
    /// The path or id of these very letters.
    pub fn exact(&self) -> &RemoteArgument {
        &self.exact
    }

    /// The meaning where nothing is there under these very letters; none if no letter has one of its own.
    pub fn meant(&self) -> Option<Result<RemoteMeaning, PatternError>> {
        if matches!(self.exact, RemoteArgument::Id(_)) || !self.text.contains(['\\', '*', '?', '[', '{']) {
            return None;
        }
        Some(if is_pattern(&self.text) {
            self.text.parse().map(RemoteMeaning::Many)
        } else {
            unescaped(&self.text).parse().map(RemoteMeaning::One).map_err(PatternError::from)
        })
    }
}

impl FromStr for RemotePattern {
    type Err = RemoteError;

    fn from_str(text: &str) -> Result<Self, RemoteError> {
        Ok(Self { text: text.to_owned(), exact: text.parse()? })
    }
}

impl FromStr for RemoteGlob {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let path: RemotePath = text.parse()?;
        let names = path.as_str().split('/').filter(|name| !name.is_empty());
        let mut names = names.map(NamePattern::read).collect::<Result<Vec<_>, _>>()?;
        let mut base = String::new();
        let known = names.iter().take_while(|name| matches!(name, NamePattern::Exactly(_))).count();
        for name in names.drain(..known) {
            if let NamePattern::Exactly(name) = name {
                base = format!("{base}/{name}");
            }
        }
        let base = if base.is_empty() { "/".to_owned() } else { base };
        Ok(Self { base, names, means_folder: path.means_folder() })
    }
}

impl fmt::Display for RemotePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.exact.fmt(f)
    }
}

/// Whether a letter in it stands for others.
fn is_pattern(text: &str) -> bool {
    let mut escaped = false;
    text.chars().any(|letter| {
        let is_free = !escaped;
        escaped = is_free && letter == '\\';
        is_free && matches!(letter, '*' | '?' | '[' | '{')
    })
}

/// Without the backslashes that take letters as they are.
fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut out = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        out.push(if letter == '\\' { letters.next().unwrap_or('\\') } else { letter });
    }
    out
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn meant(written: &str) -> Option<Result<RemoteMeaning, PatternError>> {
        written.parse::<RemotePattern>().unwrap().meant()
    }

    #[rstest]
    #[case::plain("/a/b.png")]
    #[case::id("id:12")]
    fn what_has_no_letter_with_a_meaning_is_itself(#[case] written: &str) {
        assert!(meant(written).is_none());
        assert_eq!(written.parse::<RemotePattern>().unwrap().to_string(), written);
    }

    #[rstest]
    #[case::escaped("/a/\\*.png", "/a/*.png")]
    #[case::escaped_backslash("/a\\\\b", "/a\\b")]
    fn what_holds_no_free_star_is_one(#[case] written: &str, #[case] expected: &str) {
        let Some(Ok(RemoteMeaning::One(path))) = meant(written) else { panic!("{written} is more than one") };
        assert_eq!(path.to_string(), expected);
    }

    #[rstest]
    #[case::in_the_root("/*.png", "/", 1)]
    #[case::below_what_is_known("/a/b/*.png", "/a/b", 1)]
    #[case::known_below("/a/*/img/x.png", "/a", 3)]
    #[case::deep("/**/x.png", "/", 2)]
    fn only_what_a_pattern_leaves_open_is_looked_for(#[case] written: &str, #[case] base: &str, #[case] names: usize) {
        let Some(Ok(RemoteMeaning::Many(glob))) = meant(written) else { panic!("{written} is one") };
        assert_eq!((glob.base(), glob.names().len()), (base, names));
    }

    #[rstest]
    #[case::relative("*.png")]
    #[case::climbing("/a/../*")]
    fn what_is_no_path_is_refused(#[case] written: &str) {
        assert!(written.parse::<RemotePattern>().is_err());
    }

    #[test]
    fn what_is_no_pattern_may_still_be_a_path() {
        assert!(matches!(meant("/a/[b"), Some(Err(PatternError::Glob(_)))));
    }
}
