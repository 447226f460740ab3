//! The line that a shell wants completed: its words as they were typed, and the names that fit into
//! it.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::api::text::visible;

#[derive(Debug)]
pub(super) struct ShellLine {
    words: Vec<String>,
    quoting: Quoting,
}

/// The part of an inserted name that the shell quotes itself.
#[derive(Debug, Clone, Copy)]
enum Quoting {
    All,
    /// The quoting of bash, which may quote a name with a dollar sign only in part.
    AllButExpansions,
    Nothing,
}

impl ShellLine {
    /// Reads the `words` of a call by a shell's script; those of the line come after `--`.
    pub(super) fn new(shell: &OsStr, words: &[OsString]) -> Self {
        let shell = Path::new(shell)
            .file_stem()
            .and_then(OsStr::to_str)
            .unwrap_or_default();
        let quoting = match shell {
            "zsh" | "fish" => Quoting::All,
            "bash" => Quoting::AllButExpansions,
            _ => Quoting::Nothing,
        };
        let words = words
            .iter()
            .skip(2)
            .map(|word| unquoted(&word.to_string_lossy()))
            .collect();
        Self { words, quoting }
    }

    pub(super) fn account(&self) -> Option<&str> {
        let words: Vec<&str> = self
            .words
            .iter()
            .map(String::as_str)
            .take_while(|word| *word != "--")
            .collect();
        words
            .iter()
            .enumerate()
            .find_map(|(at, word)| match word.strip_prefix("--account")? {
                // bash treats the `=` as a word.
                "" if words.get(at + 1) == Some(&"=") => words.get(at + 2).copied(),
                "" => words.get(at + 1).copied(),
                rest => rest.strip_prefix('='),
            })
    }

    /// Returns the account before the colon of the last path, which bash takes for words of their
    /// own.
    pub(super) fn account_of_path(&self) -> Option<&str> {
        match self.words.as_slice() {
            [.., name, colon, _] if colon == ":" => name.strip_prefix('@'),
            _ => None,
        }
    }

    /// Returns `true` if a name can be inserted unchanged: the terminal shows it as it is, it is no
    /// pattern, and none of its letters is special to the shell.
    pub(super) fn can_hold(&self, name: &str) -> bool {
        let stem = name.strip_suffix('/').unwrap_or(name);
        let is_name =
            !matches!(stem, "" | "." | "..") && !stem.contains('/') && visible(name) == name;
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        let is_taken = |c: char| matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\');
        let fits = match self.quoting {
            Quoting::All => !stem.contains(is_taken),
            Quoting::AllButExpansions => !stem.contains(is_taken) && !stem.contains(['$', '`']),
            Quoting::Nothing => stem.chars().all(is_plain),
        };
        is_name && fits
    }
}

/// Removes the shell's quotes and backslashes from a word that may be incomplete.
pub(super) fn unquoted(word: &str) -> String {
    let (mut letters, mut plain, mut quote) = (word.chars(), String::new(), None);
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => plain.extend(letters.next()),
            ('\'' | '"', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (letter, _) => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn line(shell: &str, words: &[&str]) -> ShellLine {
        let words: Vec<OsString> = ["filedeck", "--"]
            .iter()
            .chain(words)
            .map(OsString::from)
            .collect();
        ShellLine::new(OsStr::new(shell), &words)
    }

    #[rstest]
    #[case::no_account(&["filedeck", "ls", "/"], None)]
    #[case::two_words(&["filedeck", "ls", "--account", "acme", "/"], Some("acme"))]
    #[case::one_word(&["filedeck", "--account=acme", "ls"], Some("acme"))]
    #[case::three_words(&["filedeck", "--account", "=", "acme", "ls"], Some("acme"))]
    #[case::quoted(&["filedeck", "--account", "'acme'", "ls"], Some("acme"))]
    #[case::a_file(&["filedeck", "put", "--", "--account", "acme"], None)]
    #[case::another_option(&["filedeck", "--accounts", "acme"], None)]
    fn the_account_is_the_one_of_the_line(#[case] words: &[&str], #[case] account: Option<&str>) {
        assert_eq!(line("bash", words).account(), account);
    }

    #[rstest]
    #[case::plain("/a b", "/a b")]
    #[case::escaped("/a\\ b\\\\", "/a b\\")]
    #[case::single("'/a b", "/a b")]
    #[case::single_with_a_backslash("'/a\\b'", "/a\\b")]
    #[case::double("\"/a' \\\"b\"c", "/a' \"bc")]
    fn quotes_and_backslashes_of_the_shell_are_taken_away(
        #[case] typed: &str,
        #[case] plain: &str,
    ) {
        assert_eq!(unquoted(typed), plain);
    }

    #[rstest]
    #[case::plain("a-b_1.txt", true, true)]
    #[case::folder("a/", true, true)]
    #[case::letters("Größe.txt", true, true)]
    #[case::space("a b", true, false)]
    #[case::command("$(a)", false, false)]
    #[case::other_command("`a`", false, false)]
    #[case::parentheses("a (1).txt", true, false)]
    #[case::end_of_command("a;b", true, false)]
    #[case::pattern("a*.txt", false, false)]
    #[case::backslash("a\\b", false, false)]
    #[case::escape("a\u{1b}[2J", false, false)]
    #[case::line("a\nb", false, false)]
    #[case::hidden_order("a\u{202e}b", false, false)]
    #[case::no_name("/", false, false)]
    #[case::above("../", false, false)]
    #[case::deeper("a/b", false, false)]
    fn a_shell_gets_only_names_that_it_puts_in_safely(
        #[case] name: &str,
        #[case] bash: bool,
        #[case] powershell: bool,
    ) {
        assert_eq!(line("/bin/bash", &[]).can_hold(name), bash);
        assert_eq!(line("powershell", &[]).can_hold(name), powershell);
    }
}
