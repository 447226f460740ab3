//! What a pasted or typed text names: local paths, an address, or neither. Reads text only, never the disk.

/// What was pasted or dropped onto the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pasted {
    /// As typed: `~` and relative paths are not resolved.
    Paths(Vec<String>),
    /// An http or https address.
    Address(String),
    Neither,
}

/// Tells paths and addresses from other text.
pub fn read(text: &str) -> Pasted {
    let line = text.trim();
    let is_address = ["http://", "https://"].iter().any(|scheme| line.to_ascii_lowercase().starts_with(scheme));
    if is_address && !line.contains(char::is_whitespace) {
        return Pasted::Address(line.to_owned());
    }
    let paths = paths(text);
    if !paths.is_empty() && paths.iter().all(|path| is_rooted(path)) { Pasted::Paths(paths) } else { Pasted::Neither }
}

/// The paths in a text: one on each line, or several on a line when each is quoted, escaped or plainly a path.
/// Quotes and escapes of a shell are taken away, `file://` addresses are decoded.
pub fn paths(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).flat_map(paths_of_line).collect()
}

fn paths_of_line(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let words = if is_drive(line) {
        vec![line.to_owned()]
    } else if line.contains(['\'', '"', '\\']) {
        shell_words(line)
    } else if words.iter().all(|word| is_rooted(word) || word.starts_with("file://")) {
        words.into_iter().map(str::to_owned).collect()
    } else {
        vec![line.to_owned()]
    };
    words.into_iter().map(|word| from_file_address(&word).unwrap_or(word)).collect()
}

/// Writes a path so that [`paths`] reads it back, whatever is in it.
pub fn quote(path: &str) -> String {
    let is_plain = !path.contains(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\'));
    if is_plain { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

fn is_rooted(path: &str) -> bool {
    path == "~" || ["/", "~/", "./", "../"].iter().any(|start| path.starts_with(start)) || is_drive(path)
}

/// `C:\` or `C:/`.
fn is_drive(path: &str) -> bool {
    let mut chars = path.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && matches!(chars.next(), Some('\\' | '/'))
        && !path.contains("//")
}

/// Splits as a shell does: single quotes, double quotes, backslashes.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn from_file_address(text: &str) -> Option<String> {
    let address = url::Url::parse(text).ok().filter(|address| address.scheme() == "file")?;
    address.to_file_path().ok().map(|path| path.to_string_lossy().into_owned())
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
    fn pasted_paths_are_recognised(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(read(text), Pasted::Paths(expected.iter().map(|path| (*path).to_owned()).collect()));
    }

    #[rstest]
    #[case::prose("hello there")]
    #[case::relative("notes.txt")]
    #[case::address_in_prose("see https://example.com/a")]
    #[case::empty(" \n")]
    fn other_text_is_neither(#[case] text: &str) {
        assert_eq!(read(text), Pasted::Neither);
    }

    #[test]
    fn an_address_is_one_word_with_a_scheme() {
        assert_eq!(read(" https://example.com/a.png\n"), Pasted::Address("https://example.com/a.png".to_owned()));
    }

    #[rstest]
    #[case("/tmp/plain")]
    #[case("/tmp/my file")]
    #[case("/tmp/it's \"quoted\" \\ here")]
    fn a_quoted_path_is_read_back(#[case] path: &str) {
        assert_eq!(paths(&quote(path)), [path]);
    }
}
