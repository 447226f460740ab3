//! Recognizes local paths and URLs in pasted or typed text. Never touches the disk.

use super::shell_words::{self, Word, quote};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pasted {
    /// Paths as typed: `~` and relative paths are not resolved.
    Paths(Vec<String>),
    /// HTTP or HTTPS URLs.
    Addresses(Vec<String>),
    Neither,
}

pub fn read(text: &str) -> Pasted {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_address = |word: &&str| {
        ["http://", "https://"]
            .iter()
            .any(|scheme| word.to_ascii_lowercase().starts_with(scheme))
    };
    if !words.is_empty() && words.iter().all(is_address) {
        return Pasted::Addresses(words.into_iter().map(str::to_owned).collect());
    }
    let paths = paths(text);
    if !paths.is_empty() && paths.iter().all(|path| is_rooted(path)) {
        Pasted::Paths(paths)
    } else {
        Pasted::Neither
    }
}

/// The paths in a text: one per line, or several on a line if each is quoted, escaped or clearly a
/// path. Removes shell quotes and escapes, and decodes `file://` URLs.
pub fn paths(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .flat_map(paths_of_line)
        .collect()
}

fn paths_of_line(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let words = if is_drive(line) {
        vec![line.to_owned()]
    } else if line.contains(['\'', '"', '\\']) {
        shell_words::words(line).iter().map(Word::text).collect()
    } else if words
        .iter()
        .all(|word| is_rooted(word) || word.starts_with("file://"))
    {
        words.into_iter().map(str::to_owned).collect()
    } else {
        vec![line.to_owned()]
    };
    words
        .into_iter()
        .map(|word| from_file_address(&word).unwrap_or(word))
        .collect()
}

/// Converts pasted text for a field of paths: of several lines, each is a path.
pub fn field(text: &str) -> String {
    match text.trim() {
        line if !line.contains('\n') => line.to_owned(),
        _ => paths(text)
            .iter()
            .map(|path| quote(path))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn is_rooted(path: &str) -> bool {
    path == "~"
        || ["/", "~/", "./", "../"]
            .iter()
            .any(|start| path.starts_with(start))
        || is_drive(path)
}

/// Returns `true` for paths that begin with `C:\` or `C:/`.
fn is_drive(path: &str) -> bool {
    let mut chars = path.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && matches!(chars.next(), Some('\\' | '/'))
        && !path.contains("//")
}

pub(super) fn from_file_address(text: &str) -> Option<String> {
    let address = url::Url::parse(text)
        .ok()
        .filter(|address| address.scheme() == "file")?;
    address
        .to_file_path()
        .ok()
        .map(|path| path.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("/tmp/a.txt\n", &["/tmp/a.txt"])]
    #[case::lines("/tmp/a.txt\r\n/tmp/b c.txt", &["/tmp/a.txt", "/tmp/b c.txt"])]
    #[case::several_on_a_line("/tmp/a.txt ~/b.txt", &["/tmp/a.txt", "~/b.txt"])]
    #[case::quoted("'/tmp/my file.txt' \"/tmp/b.txt\" ", &["/tmp/my file.txt", "/tmp/b.txt"])]
    #[case::escaped("/tmp/my\\ file.txt", &["/tmp/my file.txt"])]
    #[case::bare_space("/tmp/my file.txt", &["/tmp/my file.txt"])]
    #[case::file_address("file:///tmp/my%20file.txt", &["/tmp/my file.txt"])]
    #[case::several_addresses("file:///tmp/a file:///tmp/b", &["/tmp/a", "/tmp/b"])]
    #[case::quote_in_a_name("'/tmp/it'\\''s.txt'", &["/tmp/it's.txt"])]
    fn pasted_paths_are_recognized(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(
            read(text),
            Pasted::Paths(expected.iter().map(|path| (*path).to_owned()).collect())
        );
    }

    #[rstest]
    #[case::prose("hello there")]
    #[case::relative("notes.txt")]
    #[case::address_in_prose("see https://example.com/a")]
    #[case::empty(" \n")]
    fn other_text_is_neither(#[case] text: &str) {
        assert_eq!(read(text), Pasted::Neither);
    }

    #[rstest]
    #[case::one(" https://example.com/a.png\n", &["https://example.com/a.png"])]
    #[case::several("https://example.com/a\r\nHTTP://example.com/b  https://c", &["https://example.com/a", "HTTP://example.com/b", "https://c"])]
    fn addresses_are_words_with_a_scheme(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(
            read(text),
            Pasted::Addresses(
                expected
                    .iter()
                    .map(|address| (*address).to_owned())
                    .collect()
            )
        );
    }

    #[rstest]
    #[case::as_it_is("notes of today.txt\n", "notes of today.txt")]
    #[case::a_path_each("/tmp/b c.txt\n/tmp/d.txt\n", "'/tmp/b c.txt' /tmp/d.txt")]
    fn pasted_lines_become_words_of_a_field(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(field(text), expected);
    }
}
