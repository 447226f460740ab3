//! Indents JSON. Works on characters, not on values, so truncated or invalid JSON passes through.

/// The deepest nesting that is indented further.
const DEEPEST: usize = 24;

/// Indents the text. Stops when line `most + 1` begins.
pub(super) fn indent(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let (mut depth, mut lines, mut in_string, mut is_escaped) = (0_usize, 1, false, false);
    let mut chars = text.chars().filter(|c| *c != '\u{feff}').peekable();
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|c| c.is_whitespace()).is_some() {}
                // An empty object or array stays on its line.
                if let Some(end) = chars.next_if(|c| matches!(c, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    lines += 1;
                    begin_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                lines += 1;
                begin_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                lines += 1;
                begin_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            // Documents, one per line.
            '\n' if depth == 0 && !out.is_empty() && !out.ends_with('\n') => {
                lines += 1;
                out.push('\n');
            }
            c if c.is_whitespace() => {}
            c => out.push(c),
        }
        if lines > most {
            break;
        }
    }
    out
}

fn begin_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::object(
        r#"{"a":1,"b":[true,null],"c":{},"d":[ ]}"#,
        "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ],\n  \"c\": {},\n  \"d\": []\n}"
    )]
    #[case::signs_in_a_string(r#"{"a":"{,:\"}"}"#, "{\n  \"a\": \"{,:\\\"}\"\n}")]
    #[case::indented_already("{\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n")]
    #[case::lines_of_documents("{\"a\":1}\n{\"b\":2}", "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}")]
    #[case::cut_off(r#"[{"a":"b"#, "[\n  {\n    \"a\": \"b")]
    #[case::no_json("]]}", "\n]\n]\n}")]
    fn json_is_laid_out(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(indent(text, 100), expected);
    }
}
