//! Truncates names so that no two look the same: the start is cut shorter if the middle
//! distinguishes them.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use super::text::{fitting_end, fitting_start, truncate_middle, width};
use crate::tui::style::symbols::ELLIPSIS;

/// The common parts of names that would be truncated to the same text, in bytes.
struct Alike<'a> {
    first: &'a str,
    start: usize,
    end: usize,
}

/// Truncates each name to `cells`: `quarterly…-1-of-the…2026.txt` next to
/// `quarterly…-2-of-the…2026.txt`.
pub fn cut<S: AsRef<str>>(names: &[S], cells: usize) -> Vec<String> {
    let mut alike: HashMap<String, Alike<'_>> = HashMap::new();
    let names = || names.iter().map(AsRef::as_ref);
    for name in names().filter(|name| width(name) > cells) {
        let known = alike
            .entry(truncate_middle(name, cells).into_owned())
            .or_insert(Alike {
                first: name,
                start: name.len(),
                end: name.len(),
            });
        if name != known.first {
            known.start = known
                .start
                .min(common(name.graphemes(true), known.first.graphemes(true)));
            known.end = known.end.min(common(
                name.graphemes(true).rev(),
                known.first.graphemes(true).rev(),
            ));
        }
    }
    let cut = |name: &str| {
        let usual = truncate_middle(name, cells).into_owned();
        match alike
            .get(&usual)
            .filter(|alike| alike.start < alike.first.len())
        {
            Some(alike) => around(name, alike, cells),
            None => usual,
        }
    };
    names().map(cut).collect()
}

fn common<'a>(
    graphemes: impl Iterator<Item = &'a str>,
    other: impl Iterator<Item = &'a str>,
) -> usize {
    graphemes
        .zip(other)
        .take_while(|(grapheme, other)| grapheme == other)
        .map(|(grapheme, _)| grapheme.len())
        .sum()
}

/// A part of the start, the part that differs, and as much of the end as fits.
fn around(name: &str, alike: &Alike<'_>, cells: usize) -> String {
    let Some(room) = cells.checked_sub(2) else {
        return fitting_start(name, cells).to_owned();
    };
    let end = fitting_end(name, if cells < 12 { 0 } else { (cells / 3).min(8) });
    let start = fitting_start(name, (room - width(end)) / 2);
    // Includes the character before it, which gives it meaning: `-1`, `v2`.
    let differs = alike
        .start
        .min(name.len().saturating_sub(alike.end))
        .max(start.len());
    let before = name
        .get(start.len()..differs)
        .and_then(|text| text.graphemes(true).next_back())
        .map_or(0, str::len);
    let rest = name.get(differs - before..).unwrap_or_default();
    let room = room - width(start);
    if width(rest) <= room + 1 {
        return format!("{start}{ELLIPSIS}{}", fitting_end(name, room + 1));
    }
    let piece = fitting_start(rest, room - width(end));
    format!("{start}{ELLIPSIS}{piece}{ELLIPSIS}{end}")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn reports() -> Vec<String> {
        (1..=3)
            .map(|nth| format!("quarterly-report-with-a-long-name-{nth}-of-the-year-2026.txt"))
            .collect()
    }

    #[test]
    fn names_that_differ_in_the_middle_keep_what_differs() {
        let cut = cut(&reports(), 28);
        assert_eq!(
            cut,
            [
                "quarterly…-1-of-the…2026.txt",
                "quarterly…-2-of-the…2026.txt",
                "quarterly…-3-of-the…2026.txt"
            ]
        );
    }

    #[test]
    fn names_that_read_differently_are_cut_as_usual() {
        let names = [
            "contract-draft-2026.pdf",
            "agreement-draft-2026.pdf",
            "logo.png",
        ];
        assert_eq!(
            cut(&names, 16),
            ["contrac…2026.pdf", "agreeme…2026.pdf", "logo.png"]
        );
        let twice = ["contract-draft-2026.pdf"; 2];
        assert_eq!(cut(&twice, 16), ["contrac…2026.pdf"; 2]);
    }

    #[test]
    fn names_stay_apart_in_little_room_and_where_one_is_longer() {
        for cells in 8..60 {
            let cut: HashSet<String> = cut(&reports(), cells).into_iter().collect();
            assert_eq!(cut.len(), 3, "{cells}: {cut:?}");
        }
        let names = [
            "a-backup-of-everything-here-2026.tar",
            "a-backup-of-everything-here-here-2026.tar",
        ];
        let cut = cut(&names, 20);
        assert_ne!(cut[0], cut[1], "{cut:?}");
    }

    proptest! {
        #[test]
        fn names_fit(names in proptest::collection::vec("[ab写é]{0,30}", 0..6), cells in 0_usize..40) {
            for name in cut(&names, cells) {
                prop_assert!(width(&name) <= cells, "{name}");
            }
        }
    }
}
