//! The content of a folder: totals, counts by access level, thumbnails, rankings if there is space,
//! and all names.

use std::borrow::Cow;
use std::cmp::Reverse;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::thumbnails;
use crate::api::model::File;
use crate::engine::preview::{FolderContents, FolderFile};
use crate::tui::keymap::Action;
use crate::tui::pane::keys::key;
use crate::tui::state::State;
use crate::tui::style::access;
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{left, right, truncate, truncate_middle, wrap};
use crate::tui::wording::access as words;

/// Length of a ranking, and the least number of files for which it is meaningful.
const RANKED: usize = 5;
const WORTH_RANKING: usize = 8;
/// Two rankings with their headings, the totals, and some names; or these and thumbnails.
const ROOM_FOR_RANKING: u16 = 24;
const SIZE: usize = 9;
const AGE: usize = 5;

/// In cells. In wider rows, figures would be too far from their names.
const WIDEST_ROW: usize = 64;
/// In cells, between adjacent lists.
const BETWEEN_COLUMNS: usize = 4;

pub(crate) fn lines<'a>(
    contents: &'a FolderContents,
    area: Rect,
    state: &State,
    theme: &Theme,
) -> Vec<Line<'a>> {
    let (width, scroll) = (usize::from(area.width), state.files.previews.scroll);
    let cells = width.min(WIDEST_ROW);
    let mut lines = head(contents, area, theme);
    let is_empty = contents.folders.is_empty() && contents.files.is_empty() && contents.is_all;
    if is_empty && !state.has_local_details() {
        let (open, upload) = (key(state, Action::Open), key(state, Action::Upload));
        let help = format!("{open} opens it; there, {upload} uploads files.");
        lines.extend(
            wrap(&help, cells)
                .into_iter()
                .map(|line| Line::styled(line, theme.dim)),
        );
    }
    let (thumbnails, is_ranked) = (
        thumbnail_row(contents, area, state),
        contents.files.len() >= WORTH_RANKING,
    );
    if let Some((row, _)) = thumbnails {
        lines.resize(
            usize::from(row.bottom() - area.y) + usize::from(!is_ranked),
            Line::default(),
        );
    }
    if area.height >= ROOM_FOR_RANKING && is_ranked {
        let mut files: Vec<&FolderFile> = contents.files.iter().collect();
        files.sort_by_key(|file| Reverse(file.updated_at));
        let newest = ranking("Newest", &files, cells, state, theme);
        files.sort_by_key(|file| Reverse(file.size));
        let largest = ranking("Largest", &files, cells, state, theme);
        lines.push(Line::default());
        if width >= 2 * cells + BETWEEN_COLUMNS {
            lines.extend(
                newest
                    .into_iter()
                    .zip(largest)
                    .map(|(left, right)| beside(left, right, cells)),
            );
        } else {
            lines.extend(newest.into_iter().chain([Line::default()]).chain(largest));
        }
        lines.push(Line::default());
    }
    let folders = contents.folders.iter().map(|folder| {
        let name = truncate_middle(folder, cells.saturating_sub(1));
        Line::styled(format!("{name}/"), theme.folder)
    });
    let files = contents
        .files
        .iter()
        .map(|file| row(file, cells, theme.dim, state, theme));
    let height = usize::from(area.height).saturating_sub(lines.len()).max(1);
    let columns = (width + BETWEEN_COLUMNS) / (cells + BETWEEN_COLUMNS);
    let names: Vec<_> = folders
        .chain(files)
        .skip(scroll)
        .take(height * columns.max(1))
        .collect();
    lines.extend(in_columns(&names, height, cells));
    lines
}

/// Arranges lines in columns of `height` rows and `cells` width.
fn in_columns<'a>(lines: &[Line<'a>], height: usize, cells: usize) -> Vec<Line<'a>> {
    let columns: Vec<&[Line<'a>]> = lines.chunks(height.max(1)).collect();
    let Some((first, others)) = columns.split_first() else {
        return Vec::new();
    };
    let row = |(at, line): (usize, &Line<'a>)| {
        let right = others.iter().filter_map(|column| column.get(at)).cloned();
        right.fold(line.clone(), |left, right| beside(left, right, cells))
    };
    first.iter().enumerate().map(row).collect()
}

fn head<'a>(contents: &FolderContents, area: Rect, theme: &Theme) -> Vec<Line<'a>> {
    let totals = wrap(&totals(contents), usize::from(area.width));
    totals
        .into_iter()
        .map(|line| Line::styled(line, theme.title))
        .chain(levels(contents, theme))
        .collect()
}

/// The pictures to show as thumbnails, and their place.
pub(crate) fn thumbnail_row<'a>(
    contents: &'a FolderContents,
    area: Rect,
    state: &State,
) -> Option<(Rect, &'a [File])> {
    let most = state.picture_support.thumbnails(state.panes, state.size);
    let files = contents.pictures.get(..most).unwrap_or(&contents.pictures);
    let above = u16::try_from(head(contents, area, &Theme::default()).len()).ok()? + 1;
    let row = Rect {
        y: area.y + above,
        height: thumbnails::ROWS,
        ..area
    };
    (area.height >= ROOM_FOR_RANKING && !files.is_empty()).then_some((row, files))
}

fn levels<'a>(contents: &FolderContents, theme: &Theme) -> Option<Line<'a>> {
    let levels = contents.by_access.iter().map(|(level, count)| {
        let word = words::word(level.as_ref());
        Span::styled(
            format!("{count} {word}  "),
            access::style(level.as_ref(), theme),
        )
    });
    (!contents.by_access.is_empty()).then(|| Line::from(levels.collect::<Vec<_>>()))
}

fn ranking<'a>(
    title: &'static str,
    files: &[&FolderFile],
    cells: usize,
    state: &State,
    theme: &Theme,
) -> Vec<Line<'a>> {
    let rows = files
        .iter()
        .take(RANKED)
        .map(|file| row(file, cells, theme.text, state, theme));
    [Line::styled(title, theme.dim)]
        .into_iter()
        .chain(rows)
        .collect()
}

/// Joins two lines, the right one after `cells` and a gap.
fn beside<'a>(left: Line<'a>, right: Line<'a>, cells: usize) -> Line<'a> {
    let column = cells + BETWEEN_COLUMNS;
    let gap = left.width().div_ceil(column).max(1) * column - left.width();
    let styled = |line: Line<'a>| {
        let style = line.style;
        line.spans
            .into_iter()
            .map(move |span| span.patch_style(style))
    };
    Line::from(
        styled(left)
            .chain([" ".repeat(gap).into()])
            .chain(styled(right))
            .collect::<Vec<_>>(),
    )
}

/// Name, size and age; only the name if there is no space for more.
fn row<'a>(
    file: &FolderFile,
    cells: usize,
    style: Style,
    state: &State,
    theme: &Theme,
) -> Line<'a> {
    const LEAST_NAME: usize = 14;
    let figures = if cells >= LEAST_NAME + SIZE + AGE {
        SIZE + AGE
    } else {
        0
    };
    let mut spans = vec![Span::styled(
        left(&file.name, cells.saturating_sub(figures)),
        style,
    )];
    if figures > 0 {
        let size = file.size.map(figures::size).unwrap_or_default();
        let now = state.service_now().timestamp();
        let age = file
            .updated_at
            .map(|at| figures::age(at, now))
            .unwrap_or_default();
        spans.push(Span::styled(
            format!("{}{}", right(&size, SIZE), right(&age, AGE)),
            theme.dim,
        ));
    }
    Line::from(spans)
}

/// `2 folders, 12 files, 4.2M`; claims no more than is known of a partly read folder.
fn totals(contents: &FolderContents) -> String {
    let FolderContents {
        folders,
        files,
        bytes,
        is_all,
        ..
    } = contents;
    if folders.is_empty() && files.is_empty() {
        return "Empty folder".to_owned();
    }
    let more: Cow<'_, str> = if *is_all {
        "".into()
    } else {
        "at least ".into()
    };
    let mut parts = Vec::new();
    if !folders.is_empty() {
        parts.push(figures::count(folders.len(), "folder"));
    }
    if !files.is_empty() {
        parts.push(figures::count(files.len(), "file"));
        parts.push(figures::size(*bytes));
    }
    truncate(&format!("{more}{}", parts.join(", ")), 80).into_owned()
}
