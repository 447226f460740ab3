//! A look into the file or folder under the cursor: text in colors, a table, a picture, a folder's contents, or why there
//! is none. Above the details; beside them where they have the whole screen.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{access, keys, pane};
use crate::api::text::visible;
use crate::engine::preview::{
    Class, FolderContents, NoPreview, Picture, Preview, PreviewKind, PreviewTable, PreviewText,
};
use crate::tui::areas::areas;
use crate::tui::keymap::Action;
use crate::tui::state::{PreviewKey, PreviewState, Row, State};
use crate::tui::style::symbols::TIMES;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, take, truncate, truncate_middle, width, wrap};
use crate::tui::widget::{figures, picture};

/// From this width on the details stand beside the preview when they have the whole screen.
const BESIDE_FROM: u16 = 72;
const DETAILS: u16 = 38;
/// Cells of a table's column.
const WIDEST_COLUMN: usize = 24;

/// Draws the preview and gives what is left for the details.
pub(super) fn draw(frame: &mut Frame<'_>, body: Rect, state: &State, theme: &Theme) -> Rect {
    let Some(row) = state.current.listing.current().filter(|_| state.panes.preview) else { return body };
    let (area, rest) = split(body, state);
    let Some(key) = state.previewed() else {
        let used = say(frame, area, &not_opened(row), theme.dim);
        return if rest.y == body.y { rest } else { pane::below(body, used) };
    };
    let used = match state.current.previews.of(&key) {
        Some(PreviewState::Seen(Preview::Picture(seen))) => {
            let area = picture::fit(seen, area, state.picture_support.cell());
            picture::draw(seen, area, theme, frame.buffer_mut());
            area.height.saturating_add(1)
        }
        Some(PreviewState::Seen(Preview::Text(text))) => {
            lines(frame, area, text_lines(text, area, state.current.previews.scroll, theme))
        }
        Some(PreviewState::Seen(Preview::Table(table))) => {
            lines(frame, area, table_lines(table, area, state.current.previews.scroll, theme))
        }
        Some(PreviewState::Seen(Preview::Folder(contents))) => {
            lines(frame, area, folder_lines(contents, area, state.current.previews.scroll, theme))
        }
        Some(PreviewState::Seen(Preview::Nothing(why))) => say(frame, area, &reason(*why), theme.dim),
        Some(PreviewState::Failed(error)) => {
            let again = keys::key(state, Action::Refresh);
            let text = format!("No preview: {}  {again} tries again", visible(&error.message));
            say(frame, area, &text, theme.warn)
        }
        None => {
            let is_asked = state.current.previews.asked.as_ref().is_some_and(|(asked, _)| *asked == key);
            say(frame, area, if is_asked { "reading …" } else { "" }, theme.dim);
            // Kept free, so that the details do not jump when it comes.
            area.height
        }
    };
    if rest.y == body.y { rest } else { pane::below(body, used) }
}

/// Where the picture under the cursor is on a screen of that size, if there is one.
pub fn picture_on(size: Size, state: &State) -> Option<(PreviewKey, &Picture, Rect)> {
    let areas = areas(size, state)?;
    let details = areas.details.filter(|_| !areas.details_is_peek)?;
    let key = state.previewed()?;
    let Some(PreviewState::Seen(Preview::Picture(seen))) = state.current.previews.of(&key) else { return None };
    let (area, _) = split(pane::inside(details), state);
    Some((key, seen, picture::fit(seen, area, state.picture_support.cell())))
}

/// The preview's area and that of the details: one above the other, or beside each other where there is the room.
fn split(body: Rect, state: &State) -> (Rect, Rect) {
    let areas = if state.panes.zoomed && !state.panes.plain && body.width >= BESIDE_FROM {
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(DETAILS)]).spacing(1)
    } else {
        Layout::vertical([Constraint::Length(body.height / 2), Constraint::Fill(1)])
    };
    let [area, rest] = areas.areas(body);
    (area, rest)
}

/// What is said of a file that is never opened.
fn not_opened(row: &Row) -> String {
    match PreviewKind::of(row.extension(), row.kind.as_ref()) {
        PreviewKind::Facts(name) => format!("{}: no preview", capital(name)),
        PreviewKind::Picture => "Pictures are off".to_owned(),
        PreviewKind::Text | PreviewKind::Table => String::new(),
    }
}

fn capital(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn reason(why: NoPreview) -> String {
    match why {
        NoPreview::Empty => "Empty file".to_owned(),
        NoPreview::Binary => "Not text or a picture".to_owned(),
        NoPreview::TooLarge(Some((width, height))) => format!("Too large to preview: {width} {TIMES} {height}"),
        NoPreview::TooLarge(None) => "Too large to preview".to_owned(),
        NoPreview::Damaged => "Damaged or another type".to_owned(),
        NoPreview::TooSlow => "Too slow to render".to_owned(),
    }
}

/// Draws a sentence and gives the rows that it takes, with one of air below.
fn say(frame: &mut Frame<'_>, area: Rect, text: &str, style: Style) -> u16 {
    let wrapped = wrap(text, usize::from(area.width));
    lines(frame, area, wrapped.into_iter().map(|line| Line::styled(line, style)))
}

/// Draws the lines that fit and gives the rows that they take, with one of air below.
fn lines<'a>(frame: &mut Frame<'_>, area: Rect, lines: impl IntoIterator<Item = Line<'a>>) -> u16 {
    let mut used = 0;
    for (y, line) in (area.top()..area.bottom()).zip(lines) {
        frame.render_widget(line, Rect { y, height: 1, ..area });
        used += 1;
    }
    used + u16::from(used > 0)
}

fn text_lines<'a>(
    text: &'a PreviewText,
    area: Rect,
    scroll: usize,
    theme: &'a Theme,
) -> impl Iterator<Item = Line<'a>> {
    let cells = usize::from(area.width);
    let lines =
        text.lines.iter().skip(scroll).flat_map(move |line| {
            if text.is_prose { broken(line, cells, theme) } else { vec![cut(line, cells, theme)] }
        });
    lines.chain(text.is_cut.then(|| more(theme)))
}

/// What is below the last line of what was cut off.
fn more<'a>(theme: &Theme) -> Line<'a> {
    Line::styled("…", theme.dim)
}

/// A line of code: what does not fit is left out.
fn cut<'a>(line: &'a [(Class, String)], cells: usize, theme: &Theme) -> Line<'a> {
    let mut room = cells;
    let mut spans = Vec::new();
    for (class, text) in line {
        let shown = take(text, room);
        room = room.saturating_sub(width(shown));
        spans.push(Span::styled(shown, style(*class, theme)));
        if shown.len() < text.len() {
            break;
        }
    }
    Line::from(spans)
}

/// A line of prose on as many rows as it needs. Its pieces seldom differ in color: a row has that of its line's first.
fn broken<'a>(line: &'a [(Class, String)], cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    let whole: String = line.iter().map(|(_, text)| text.as_str()).collect();
    if width(&whole) <= cells {
        return vec![cut(line, cells, theme)];
    }
    let class = line.first().map_or(Class::Plain, |(class, _)| *class);
    wrap(&whole, cells).into_iter().map(|row| Line::styled(row, style(class, theme))).collect()
}

fn style(class: Class, theme: &Theme) -> Style {
    match class {
        Class::Plain => theme.text,
        Class::Keyword => theme.code.keyword,
        Class::String => theme.code.string,
        Class::Number => theme.code.number,
        Class::Comment => theme.code.comment,
        Class::Type | Class::Name => theme.code.name,
        Class::Function => theme.code.function,
        Class::Heading => theme.title,
    }
}

/// The first row stays when the others are scrolled: it mostly names the columns.
fn table_lines<'a>(
    table: &'a PreviewTable,
    area: Rect,
    scroll: usize,
    theme: &'a Theme,
) -> impl Iterator<Item = Line<'a>> {
    let shown = table.rows.iter().skip(1 + scroll).take(usize::from(area.height));
    let rows = || table.rows.first().into_iter().chain(shown.clone());
    let columns = rows().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..columns).map(|column| widest(column).clamp(1, WIDEST_COLUMN)).collect();
    // One column may have all of the room.
    if let [only] = widths.as_mut_slice() {
        *only = usize::from(area.width);
    }
    let line = move |row: &Vec<String>, style: Style| {
        let cells =
            widths.iter().enumerate().map(|(column, width)| left(row.get(column).map_or("", String::as_str), *width));
        let text = cells.collect::<Vec<_>>().join("  ");
        Line::styled(take(&text, usize::from(area.width)).to_owned(), style)
    };
    let head = table.rows.first().map(|row| line(row, theme.title));
    let body: Vec<Line<'a>> = shown.map(|row| line(row, theme.text)).collect();
    head.into_iter().chain(body).chain(table.is_cut.then(|| more(theme)))
}

fn folder_lines<'a>(
    contents: &'a FolderContents,
    area: Rect,
    scroll: usize,
    theme: &'a Theme,
) -> impl Iterator<Item = Line<'a>> {
    let cells = usize::from(area.width);
    let totals = wrap(&totals(contents), cells).into_iter().map(|line| Line::styled(line, theme.text));
    let levels = contents.by_access.iter().map(|(level, count)| {
        let word = access::word(level.as_ref());
        Span::styled(format!("{count} {word}  "), access::style(level.as_ref(), theme))
    });
    let levels = (!contents.by_access.is_empty()).then(|| Line::from(levels.collect::<Vec<_>>()));
    let name = move |name: &'a String, end: &str, style: Style| {
        let name = truncate_middle(name, cells.saturating_sub(end.len()));
        Line::styled(format!("{name}{end}"), style)
    };
    let folders = contents.folders.iter().map(move |folder| name(folder, "/", theme.folder));
    let files = contents.files.iter().map(move |file| name(file, "", theme.dim));
    totals.chain(levels).chain(folders.chain(files).skip(scroll)).chain((!contents.is_all).then(|| more(theme)))
}

/// `2 folders, 12 files, 4.2M`; of a folder that was not read whole, no more is claimed than is known.
fn totals(contents: &FolderContents) -> String {
    let FolderContents { folders, files, bytes, is_all, .. } = contents;
    if folders.is_empty() && files.is_empty() {
        return "Empty folder".to_owned();
    }
    let more: Cow<'_, str> = if *is_all { "".into() } else { "at least ".into() };
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
