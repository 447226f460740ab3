//! The rules in the `.gitignore` files of a tree, read and matched as git does. They apply to paths
//! of the other side, too.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use gix_ignore::glob::{Pattern, pattern::Case, wildmatch::Mode};
use globset::Glob;

use super::scope::Scope;
use crate::api::text::visible;
use crate::engine::ancestors::ancestors;
use crate::engine::name_form::composed;

/// The patterns of each file, by the composed path of its folder.
#[derive(Debug, Clone, Default)]
pub struct GitignoreRules(BTreeMap<String, Arc<[Pattern]>>);

impl GitignoreRules {
    /// Adds the rules of a folder. Returns a warning for each line that can match nothing; safe to
    /// show after the file's path.
    pub(super) fn add(&mut self, folder: &str, content: &[u8]) -> Vec<String> {
        let content = String::from_utf8_lossy(content);
        let lines: Vec<(Pattern, usize)> = gix_ignore::parse(composed(&content).as_bytes(), false)
            .map(|(pattern, line, _)| (pattern, line))
            .collect();
        let warnings = lines.iter().filter_map(|(pattern, line)| {
            let error = Glob::new(&with_plain_letters(&pattern.text.to_string())).err()?;
            Some(format!(
                "line {line} is no pattern and is skipped: {}",
                visible(&error.kind().to_string())
            ))
        });
        let warnings = warnings.collect();
        if !lines.is_empty() {
            self.0.insert(
                composed(folder).into_owned(),
                lines.into_iter().map(|(pattern, _)| pattern).collect(),
            );
        }
        warnings
    }

    /// Returns `true` if a path is ignored, by itself or by a folder above it.
    pub fn ignore(&self, path: &str, is_folder: bool) -> bool {
        ancestors(path)
            .map(|path| (path, true))
            .chain([(path, is_folder)])
            .any(|(path, is_folder)| self.ignore_itself(path, is_folder))
    }

    /// Returns `true` if a file of rules lies in a folder of the scope.
    pub fn are_in(&self, scope: &Scope) -> bool {
        let scope = Scope::of(scope.paths().map(|path| composed(path).into_owned()));
        scope.within(&self.0).next().is_some()
    }

    /// Returns `true` if the path is ignored by the last matching rule of the innermost file that
    /// has one.
    pub(super) fn ignore_itself(&self, path: &str, is_folder: bool) -> bool {
        let path = &*composed(path);
        let mut folder = Some(path);
        while let Some(below) = folder {
            folder = below
                .rsplit_once('/')
                .map(|(above, _)| above)
                .or_else(|| (!below.is_empty()).then_some(""));
            let Some(patterns) = folder.and_then(|folder| self.0.get(folder)) else {
                continue;
            };
            let relative = below_folder(path, folder.unwrap_or_default());
            let name = relative.rfind('/').map(|slash| slash + 1);
            let matches = |pattern: &&Pattern| {
                let mode = Mode::NO_MATCH_SLASH_LITERAL;
                pattern.matches_repo_relative_path(
                    relative.into(),
                    name,
                    Some(is_folder),
                    Case::Sensitive,
                    mode,
                )
            };
            if let Some(pattern) = patterns.iter().rev().find(matches) {
                return !pattern.is_negative();
            }
        }
        false
    }
}

/// Returns a pattern of git in the syntax of globs: braces are letters, and so is what is escaped,
/// also in a class.
fn with_plain_letters(pattern: &str) -> String {
    let mut letters = pattern.chars();
    let plain = iter::from_fn(|| match letters.next()? {
        '\\' => letters.next().map_or(Some('\\'), |_| Some('z')),
        '{' | '}' => Some('_'),
        letter => Some(letter),
    });
    plain.collect()
}

fn below_folder<'a>(path: &'a str, folder: &str) -> &'a str {
    path.strip_prefix(folder)
        .map_or(path, |rest| rest.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::an_exclamation_mark_alone("*.key\n!\n", "a.key", true)]
    #[case::one_with_a_space("*.key\n! \n", "a.key", true)]
    #[case::an_exception("*.key\n!b.key\n", "b.key", false)]
    #[case::braces_are_letters("{{cookie}}/x\n", "{{cookie}}/x", true)]
    #[case::braces_are_no_choice("{a,b}.key\n", "a.key", false)]
    #[case::an_unclosed_brace("{a\n", "{a", true)]
    #[case::a_dollar("$a\n", "$a", true)]
    #[case::an_escaped_mark("\\!a\n", "!a", true)]
    #[case::a_trailing_space("a \n", "a", true)]
    #[case::an_escaped_space("a\\ \n", "a ", true)]
    #[case::a_tab_is_a_letter("a\t\n", "a", false)]
    #[case::stars_in_a_name("a**b\n", "x/aab", true)]
    #[case::a_class_by_name("id_[[:digit:]].pem\n", "id_1.pem", true)]
    #[case::an_escape_in_a_class("[a-\\d].key\n", "b.key", true)]
    #[case::a_line_that_is_no_pattern("[z-a]\n*.key\n", "a.key", true)]
    fn lines_mean_what_they_mean_to_git(
        #[case] content: &str,
        #[case] path: &str,
        #[case] is_ignored: bool,
    ) {
        let mut rules = GitignoreRules::default();
        rules.add("", content.as_bytes());
        assert_eq!(rules.ignore(path, false), is_ignored);
    }

    #[rstest]
    #[case::an_unclosed_class("[a\n", true)]
    #[case::a_range_that_is_turned_round("[z-a]\n", true)]
    #[case::an_escape_of_nothing("a\\\n", true)]
    #[case::an_escape_in_a_class("[a-\\d]\n", false)]
    #[case::an_escaped_bracket("\\[a\n", false)]
    #[case::an_unclosed_brace("{a\n", false)]
    #[case::a_class_by_name("[[:digit:]]\n", false)]
    fn only_a_line_that_matches_nothing_is_warned_of(
        #[case] content: &str,
        #[case] has_warning: bool,
    ) {
        let warnings = GitignoreRules::default().add("", content.as_bytes());
        assert_eq!(!warnings.is_empty(), has_warning, "{warnings:?}");
    }
}
