//! The content of an archive: totals, then the names and sizes of its files.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::engine::preview::{ArchiveContents, ArchiveEntry};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{left, right, truncate_middle};

/// In cells. In wider rows, figures would be too far from their names.
const WIDEST_ROW: usize = 96;
const SIZE: usize = 9;

pub(crate) fn lines<'a>(
    contents: &'a ArchiveContents,
    area: Rect,
    scroll: usize,
    theme: &'a Theme,
) -> impl Iterator<Item = Line<'a>> {
    let cells = usize::from(area.width).min(WIDEST_ROW);
    let rows = contents
        .entries
        .iter()
        .skip(scroll)
        .map(move |entry| row(entry, cells, theme));
    let more = (!contents.is_all).then(|| Line::styled("…", theme.dim));
    let totals = [Line::styled(totals(contents), theme.title), Line::default()];
    totals.into_iter().chain(rows).chain(more)
}

/// `12 files, 4.2 MB unpacked`; claims no more than is known of a truncated list.
fn totals(contents: &ArchiveContents) -> String {
    let ArchiveContents {
        entries,
        count,
        bytes,
        is_all,
    } = contents;
    let files = entries.iter().filter(|entry| entry.size.is_some()).count();
    match is_all {
        true if entries.is_empty() => "Empty archive".to_owned(),
        true => format!(
            "{}, {} unpacked",
            figures::count(files, "file"),
            figures::size(*bytes)
        ),
        false => format!(
            "The first {} of {} entries",
            figures::number(entries.len()),
            figures::grouped(*count)
        ),
    }
}

fn row<'a>(entry: &'a ArchiveEntry, cells: usize, theme: &Theme) -> Line<'a> {
    let Some(size) = entry.size else {
        return Line::styled(
            truncate_middle(&entry.name, cells).into_owned(),
            theme.folder,
        );
    };
    let room = cells.saturating_sub(SIZE);
    let name = left(&entry.name, room);
    Line::from(vec![
        Span::styled(name, theme.text),
        Span::styled(right(&figures::size(size), SIZE), theme.dim),
    ])
}
