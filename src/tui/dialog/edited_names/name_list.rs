//! The names of files and folders as a text to edit, one per line after its number; and the new
//! names read back.

use std::fmt::Write as _;

use crate::api::text::visible;
use crate::engine::Item;
use crate::engine::message::Target;

const HEAD: &str =
    "# One name per line, after its number. You may reorder lines, but not remove any.
# Unchanged names are skipped. You see a preview before anything is renamed.
";

pub(super) fn written<'a>(items: impl ExactSizeIterator<Item = &'a Item>) -> String {
    let digits = items.len().to_string().len();
    let mut text = HEAD.to_owned();
    for (number, item) in (1..).zip(items) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{number:>digits$}  {}", shown(item));
    }
    text
}

/// Reads the new names, in the order of the items. The error says what is wrong with the lines; it
/// is safe to show.
pub(super) fn read(text: &str, items: &[&Item]) -> Result<Vec<String>, String> {
    let mut names: Vec<Option<String>> = vec![None; items.len()];
    for line in text
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (number, name) = line.split_at(
            line.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(line.len()),
        );
        let is_parted = name.is_empty() || name.starts_with([' ', '\t']);
        let index = number
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1))
            .filter(|_| is_parted);
        let Some((slot, item)) = index.and_then(|at| names.get_mut(at).zip(items.get(at))) else {
            return Err(format!(
                "\"{}\" does not start with a number from 1 to {}.",
                visible(line),
                items.len()
            ));
        };
        if slot.is_some() {
            return Err(format!("The number {number} is used twice."));
        }
        let name = name
            .strip_prefix("  ")
            .or_else(|| name.strip_prefix([' ', '\t']))
            .unwrap_or(name);
        *slot = Some(if name == shown(item) {
            item.name.clone()
        } else {
            without_slash(name, item).to_owned()
        });
    }
    let lost = |(at, item): (usize, &&Item)| {
        format!(
            "Line {}, {}, is missing: keep every line.",
            at + 1,
            visible(&item.name)
        )
    };
    let missing = names
        .iter()
        .zip(items)
        .enumerate()
        .find(|(_, (name, _))| name.is_none());
    match missing.map(|(at, (_, item))| lost((at, item))) {
        Some(problem) => Err(problem),
        None => Ok(names.into_iter().flatten().collect()),
    }
}

/// Returns the name in a form that is safe for any editor, and one line; a folder's ends with a
/// slash.
fn shown(item: &Item) -> String {
    let slash = if matches!(item.target, Target::Folder(_)) {
        "/"
    } else {
        ""
    };
    format!("{}{slash}", visible(&item.name))
}

fn without_slash<'a>(name: &'a str, item: &Item) -> &'a str {
    match item.target {
        Target::Folder(_) => name.strip_suffix('/').unwrap_or(name),
        Target::File(_) => name,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::api::ids::{FileId, FolderId};

    fn item(target: Target, name: &str) -> Item {
        Item {
            target,
            path: format!("/{name}"),
            name: name.to_owned(),
            size: None,
            md5: None,
        }
    }

    fn items() -> Vec<Item> {
        let file = |name: &str| item(Target::File(FileId::new(name)), name);
        vec![
            file("a.png"),
            file("b\u{202e}.png"),
            item(Target::Folder(FolderId::new("9")), "drafts"),
        ]
    }

    fn read_back(edit: impl Fn(String) -> String) -> Result<Vec<String>, String> {
        let items = items();
        read(
            &edit(written(items.iter())),
            &items.iter().collect::<Vec<_>>(),
        )
    }

    #[test]
    fn names_that_nobody_touched_come_back_as_they_were() {
        let names: Vec<String> = items().into_iter().map(|item| item.name).collect();
        assert_eq!(read_back(|text| text), Ok(names.clone()));
        assert_eq!(read_back(|text| text.replace('\n', "\r\n")), Ok(names));
        assert!(!written(items().iter()).contains('\u{202e}'));
    }

    #[test]
    fn a_number_says_whose_name_it_is_wherever_its_line_stands() {
        let swapped = |text: String| {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.reverse();
            lines
                .join("\n")
                .replace("a.png", " a b.png")
                .replace("drafts/", "old")
        };
        assert_eq!(
            read_back(swapped),
            Ok(vec![
                " a b.png".to_owned(),
                "b\u{202e}.png".to_owned(),
                "old".to_owned()
            ])
        );
    }

    #[rstest]
    #[case::lost("1  a.png\n", "", "Line 1, a.png, is missing")]
    #[case::twice("3  drafts", "1  drafts", "number 1 is used twice")]
    #[case::unknown("3  drafts", "4  drafts", "a number from 1 to 3")]
    #[case::no_number("3  drafts", "drafts", "a number from 1 to 3")]
    #[case::grown_together("3  drafts", "3drafts", "a number from 1 to 3")]
    #[case::all_lost("", "", "")]
    fn lines_that_are_lost_or_doubled_are_refused(
        #[case] from: &str,
        #[case] to: &str,
        #[case] words: &str,
    ) {
        if from.is_empty() {
            assert!(read_back(|_| String::new()).is_err());
            return;
        }
        let problem = read_back(|text| text.replace(from, to)).unwrap_err();
        assert!(problem.contains(words), "{problem}");
    }
}
