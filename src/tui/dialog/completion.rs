//! Completion of a path: the folder to list, and what its names add to the typed text. In a field
//! of several paths, the word before the cursor is completed.

use std::ops::Range;

use crate::api::text::visible;
use crate::engine::name_form::composed;
use crate::tui::input::shell_words;
use crate::tui::input::text_field::TextField;

#[derive(Debug, Clone, Default)]
pub(super) struct Completion {
    /// Set if the field holds words, each of them a path.
    of_words: bool,
    /// The text before the cursor for which names were last requested.
    asked: Option<String>,
    /// The possible names, safe to show; folders end with `/`.
    candidates: Vec<String>,
}

struct Path {
    /// The place of the path in the text.
    range: Range<usize>,
    /// The path without quotes.
    text: String,
    /// The form in which it is written back.
    write: Separator,
}

enum Separator {
    AsItIs,
    Word(Option<char>),
}

impl Completion {
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns the folder to list for what is before the cursor, as typed; `None` if there is
    /// nothing to complete, or the names were requested already. `of_words` is set if the field
    /// holds several paths.
    pub(super) fn ask(&mut self, field: &TextField, of_words: bool) -> Option<String> {
        self.of_words = of_words;
        let before = before_cursor(field);
        let path = self.path(before);
        let is_between_words =
            self.of_words && path.text.is_empty() && !field.text().trim().is_empty();
        if is_between_words || self.asked.as_deref() == Some(before) {
            return None;
        }
        self.asked = Some(before.to_owned());
        self.candidates.clear();
        let (folder, _) = split(&path.text);
        Some(if folder.is_empty() {
            ".".to_owned()
        } else {
            folder.to_owned()
        })
    }

    /// Adds what all the matching names have in common, unless the text has changed since. Returns
    /// `true` if there is nothing to add and nothing to choose from.
    pub(super) fn complete(&mut self, field: &mut TextField, names: &[String]) -> bool {
        let before = before_cursor(field);
        if self.asked.as_deref() != Some(before) {
            return false;
        }
        let path = self.path(before);
        let (folder, start) = split(&path.text);
        let is_hidden_wanted = start.starts_with('.');
        let fits = |name: &&String| {
            composed(name).starts_with(&*composed(start))
                && (is_hidden_wanted || !name.starts_with('.'))
        };
        let fitting: Vec<&String> = names.iter().filter(fits).collect();
        let common = common_start(&fitting);
        self.candidates = fitting
            .iter()
            .map(|name| visible(name).into_owned())
            .collect();
        if composed(&common).len() <= composed(start).len() {
            return fitting.len() <= 1;
        }
        let completed = format!("{folder}{common}");
        let is_file = fitting.len() == 1 && !completed.ends_with('/');
        let is_settled = is_file || fitting.len() > 1;
        let written = match path.write {
            Separator::AsItIs => completed,
            Separator::Word(quote) => {
                let close = quote
                    .filter(|_| is_file)
                    .map(String::from)
                    .unwrap_or_default();
                shell_words::go_on(&completed, quote) + &close
            }
        };
        field.replace(path.range, &written);
        // The next Tab lists the folder's names; if nothing can be added, it moves to the next
        // field.
        self.asked = is_settled.then(|| before_cursor(field).to_owned());
        false
    }

    pub(super) fn candidates(&self) -> &[String] {
        &self.candidates
    }

    fn path(&self, before: &str) -> Path {
        if !self.of_words {
            return Path {
                range: 0..before.len(),
                text: before.to_owned(),
                write: Separator::AsItIs,
            };
        }
        let word = shell_words::last(before);
        Path {
            text: word.text(),
            range: word.range,
            write: Separator::Word(word.quote),
        }
    }
}

fn before_cursor(field: &TextField) -> &str {
    field.text().get(..field.cursor()).unwrap_or_default()
}

/// Splits a path into its folder, with the last slash, and the start of a name after it.
fn split(typed: &str) -> (&str, &str) {
    if typed == "~" {
        return ("~/", "");
    }
    typed
        .rfind('/')
        .and_then(|slash| typed.split_at_checked(slash + 1))
        .unwrap_or(("", typed))
}

fn common_start(names: &[&String]) -> String {
    let Some((first, others)) = names.split_first() else {
        return String::new();
    };
    let shared = |other: &&String| {
        first
            .chars()
            .zip(other.chars())
            .take_while(|(a, b)| a == b)
            .count()
    };
    let count = others.iter().map(shared).min().unwrap_or(usize::MAX);
    first.chars().take(count).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[rstest]
    #[case::one_file("/tmp/no", "/tmp/", &["notes.txt", "other"], "/tmp/notes.txt")]
    #[case::common_start("/tmp/b", "/tmp/", &["banner-1", "banner-2", "x"], "/tmp/banner-")]
    #[case::folder("~/Doc", "~/", &["Documents/"], "~/Documents/")]
    #[case::relative("no", ".", &["notes.txt"], "notes.txt")]
    #[case::nothing_fits("/tmp/z", "/tmp/", &["notes.txt"], "/tmp/z")]
    #[case::hidden_names_wait_for_a_dot("/tmp/", "/tmp/", &[".cache/", "a.txt"], "/tmp/a.txt")]
    #[case::several_bytes("/tmp/é", "/tmp/", &["éa-1", "éa-2"], "/tmp/éa-")]
    #[case::with_spaces("/tmp/my n", "/tmp/", &["my notes.txt"], "/tmp/my notes.txt")]
    fn names_go_on_from_what_was_typed(
        #[case] typed: &str,
        #[case] folder: &str,
        #[case] there: &[&str],
        #[case] expected: &str,
    ) {
        let mut completion = Completion::default();
        let mut field = TextField::new(typed);
        assert_eq!(completion.ask(&field, false).as_deref(), Some(folder));
        completion.complete(&mut field, &names(there));
        assert_eq!(field.text(), expected);
    }

    #[rstest]
    #[case::the_last("a.txt ~/b", "~/", &["b c.txt"], "a.txt ~/b\\ c.txt")]
    #[case::quoted("a.txt 'my d/x", "my d/", &["x y.txt"], "a.txt 'my d/x y.txt'")]
    #[case::quoted_folder("'my", ".", &["my folder/"], "'my folder/")]
    #[case::escaped("my\\ fo", ".", &["my folder/"], "my\\ folder/")]
    #[case::no_pattern("a", ".", &["a[1].png"], "a\\[1\\].png")]
    fn the_word_before_the_cursor_goes_on(
        #[case] typed: &str,
        #[case] folder: &str,
        #[case] there: &[&str],
        #[case] expected: &str,
    ) {
        let mut completion = Completion::default();
        let mut field = TextField::new(typed);
        assert_eq!(completion.ask(&field, true).as_deref(), Some(folder));
        assert!(!completion.complete(&mut field, &names(there)));
        assert_eq!(field.text(), expected);
    }

    #[test]
    fn what_is_behind_the_cursor_stays() {
        let mut completion = Completion::default();
        let mut field = TextField::new("no b.txt");
        for _ in 0..6 {
            field.on("left".parse().unwrap());
        }
        assert_eq!(completion.ask(&field, true).as_deref(), Some("."));
        completion.complete(&mut field, &names(&["notes.txt"]));
        assert_eq!((field.text(), field.cursor()), ("notes.txt b.txt", 9));
    }

    #[test]
    fn there_is_nothing_to_complete_between_two_words_and_where_no_name_fits() {
        let mut completion = Completion::default();
        assert_eq!(completion.ask(&TextField::new("a.txt "), true), None);
        assert_eq!(
            completion.ask(&TextField::new(""), true).as_deref(),
            Some(".")
        );
        let mut field = TextField::new("z");
        completion.ask(&field, true);
        assert!(completion.complete(&mut field, &names(&["a.txt"])));
        let mut field = TextField::new("a.txt");
        completion.ask(&field, true);
        assert!(
            completion.complete(&mut field, &names(&["a.txt"])),
            "it is complete"
        );
    }

    #[test]
    fn names_for_an_older_text_change_nothing() {
        let mut completion = Completion::default();
        completion.ask(&TextField::new("/tmp/n"), false);
        let mut field = TextField::new("/tmp/no");
        completion.complete(&mut field, &names(&["new.txt"]));
        assert_eq!(field.text(), "/tmp/no");
    }
}
