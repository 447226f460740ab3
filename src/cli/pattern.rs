//! Existing remote files and folders as arguments: one by path or id, or several by a pattern such
//! as `/marketing/*.png`. In a pattern, `*` and `?` match letters of one name, `[..]` and `{..,..}`
//! are choices, and a `**` segment matches folders at any depth; a backslash escapes the next
//! letter. An existing item with the literal name takes precedence over all of that
//! (`guarantees.md#a-path-that-was-printed-or-typed-is-that-file`).

use std::fmt;
use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher};

use super::remote::{RemoteArgument, RemoteError, RemotePath};
use crate::api::{Error, Kind};
use crate::engine::name_form::composed;

/// A path, an id or a pattern as it was typed; the service decides which (`locate::read`).
#[derive(Debug, Clone)]
pub struct RemotePattern {
    /// The text in which letters may be special; empty if none are.
    text: String,
    /// The argument read literally.
    exact: RemoteArgument,
}

#[derive(Debug)]
pub enum RemoteMeaning {
    One(RemoteArgument),
    Many(RemoteGlob),
}

// No doc comment: it would replace each command's own.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct PatternOptions {
    /// Take paths literally: nothing is a pattern, a backslash is a backslash, and accents in
    /// another form are another name
    #[arg(long)]
    pub literal: bool,
}

#[derive(Debug, Clone)]
pub struct RemoteGlob {
    /// The folder that contains all matches.
    base: String,
    /// Patterns for the names below the base, in order.
    names: Vec<NamePattern>,
    /// Set if the pattern ends with a slash, so that files do not match.
    means_folder: bool,
}

/// A pattern for one name in a path.
#[derive(Debug, Clone)]
pub enum NamePattern {
    Exactly(String),
    Like(GlobMatcher),
    /// Folders at any depth, or none.
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
        let glob = GlobBuilder::new(&composed(name))
            .literal_separator(true)
            .backslash_escape(true)
            .build();
        glob.map(|glob| Self::Like(glob.compile_matcher()))
            .map_err(|error| PatternError::Glob(error.kind().to_string()))
    }

    /// Returns `true` if a name matches, whatever the Unicode form of its accents.
    pub fn holds(&self, name: &str) -> bool {
        match self {
            Self::Exactly(exactly) => composed(exactly) == composed(name),
            Self::Like(matcher) => matcher.is_match(&*composed(name)),
            Self::AnyDepth => true,
        }
    }
}

impl RemotePattern {
    /// Returns the path with nothing in it that is a pattern.
    pub fn literal(exact: RemoteArgument) -> Self {
        Self {
            text: String::new(),
            exact,
        }
    }

    /// Refuses an empty name in it, as when a variable of the shell is empty.
    pub fn refuse_empty_name(&self) -> Result<(), Error> {
        if !self.text.contains("//") {
            return Ok(());
        }
        let message = "there is an empty name in the path, perhaps from an empty variable";
        Err(Error::new(Kind::Refused, message))
    }

    pub fn exact(&self) -> &RemoteArgument {
        &self.exact
    }

    /// Returns the meaning if nothing has the literal name; `None` if no letter is special.
    pub fn meant(&self) -> Option<Result<RemoteMeaning, PatternError>> {
        if matches!(self.exact, RemoteArgument::Id(_))
            || !self.text.contains(['\\', '*', '?', '[', '{'])
        {
            return None;
        }
        Some(if is_pattern(&self.text) {
            self.text.parse().map(RemoteMeaning::Many)
        } else {
            unescaped(&self.text)
                .parse()
                .map(RemoteMeaning::One)
                .map_err(PatternError::from)
        })
    }
}

impl From<RemoteArgument> for RemotePattern {
    fn from(exact: RemoteArgument) -> Self {
        Self {
            text: exact.to_string(),
            exact,
        }
    }
}

impl FromStr for RemotePattern {
    type Err = RemoteError;

    fn from_str(text: &str) -> Result<Self, RemoteError> {
        Ok(Self {
            text: text.to_owned(),
            exact: text.parse()?,
        })
    }
}

impl FromStr for RemoteGlob {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let path: RemotePath = text.parse()?;
        let names = path.as_str().split('/').filter(|name| !name.is_empty());
        let mut names = names
            .map(NamePattern::read)
            .collect::<Result<Vec<_>, _>>()?;
        let mut base = String::new();
        let known = names
            .iter()
            .take_while(|name| matches!(name, NamePattern::Exactly(_)))
            .count();
        for name in names.drain(..known) {
            if let NamePattern::Exactly(name) = name {
                base = format!("{base}/{name}");
            }
        }
        let base = if base.is_empty() {
            "/".to_owned()
        } else {
            base
        };
        Ok(Self {
            base,
            names,
            means_folder: path.means_folder(),
        })
    }
}

impl fmt::Display for RemotePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.exact.fmt(f)
    }
}

/// Returns `true` if the text has an unescaped wildcard.
fn is_pattern(text: &str) -> bool {
    let mut escaped = false;
    text.chars().any(|letter| {
        let is_free = !escaped;
        escaped = is_free && letter == '\\';
        is_free && matches!(letter, '*' | '?' | '[' | '{')
    })
}

/// Removes the backslashes that escape letters.
fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut out = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        out.push(if letter == '\\' {
            letters.next().unwrap_or('\\')
        } else {
            letter
        });
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
        assert_eq!(
            written.parse::<RemotePattern>().unwrap().to_string(),
            written
        );
    }

    #[rstest]
    #[case::escaped("/a/\\*.png", "/a/*.png")]
    #[case::escaped_backslash("/a\\\\b", "/a\\b")]
    fn what_holds_no_free_star_is_one(#[case] written: &str, #[case] expected: &str) {
        let Some(Ok(RemoteMeaning::One(path))) = meant(written) else {
            panic!("{written} is more than one")
        };
        assert_eq!(path.to_string(), expected);
    }

    #[rstest]
    #[case::in_the_root("/*.png", "/", 1)]
    #[case::below_what_is_known("/a/b/*.png", "/a/b", 1)]
    #[case::known_below("/a/*/img/x.png", "/a", 3)]
    #[case::deep("/**/x.png", "/", 2)]
    fn only_what_a_pattern_leaves_open_is_looked_for(
        #[case] written: &str,
        #[case] base: &str,
        #[case] names: usize,
    ) {
        let Some(Ok(RemoteMeaning::Many(glob))) = meant(written) else {
            panic!("{written} is one")
        };
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
