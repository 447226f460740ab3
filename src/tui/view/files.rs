//! The list of the open folder. Formats only the rows that are on the screen.

mod columns;
mod empty;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use self::columns::Columns;
use super::{access, pane};
use crate::api::model::FileKind;
use crate::api::text::visible;
use crate::engine::message::{Entry, SortKey};
use crate::tui::state::{Filter, Listing, Pane, Row, State};
use crate::tui::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::scroll::window;
use crate::tui::widget::text::{left, right, truncate, width};

/// An expiry closer than this is drawn as a warning.
const SOON_SECONDS: i64 = 7 * 24 * 3600;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let listing = &state.listing;
    let is_focused = pane::has_keys(state, Pane::List);
    let columns = Columns::fit(usize::from(area.width));
    let heading = if is_focused { theme.title } else { theme.dim };
    frame.render_widget(Line::styled(columns.heading(listing.sort), heading), pane::row(area, 0));
    let mut body = pane::below(area, 1);
    if let Some(filter) = &listing.filter {
        body.height = body.height.saturating_sub(1);
        let line = Rect { y: body.bottom(), height: 1, ..body };
        draw_filter(frame, line, filter, listing, theme);
    }
    if listing.visible.is_empty() {
        pane::say(frame, body, &empty::words(state, theme));
        if is_focused && !listing.is_typing() {
            frame.set_cursor_position((body.x.saturating_add(1), body.y));
        }
        return;
    }
    // One more row says that more is to come, or why it does not.
    let more = more(state, theme);
    let rows = listing.visible.len() + usize::from(more.is_some());
    for (y, at) in (body.y..).zip(window(listing.cursor, rows, usize::from(body.height))) {
        let line_area = Rect { y, height: 1, ..body };
        let Some(row) = listing.visible.get(at).and_then(|index| listing.rows.get(*index)) else {
            if let Some(more) = &more {
                frame.render_widget(more, line_area);
            }
            continue;
        };
        let is_cursor = at == listing.cursor;
        frame.render_widget(line(row, is_cursor, &columns, state, theme), line_area);
        if is_cursor {
            let has_keys = is_focused && !listing.is_typing();
            pane::select(frame, line_area, has_keys, theme);
        }
    }
}

fn line<'a>(row: &'a Row, is_cursor: bool, columns: &Columns, state: &State, theme: &Theme) -> Line<'a> {
    let file = row.file();
    let is_cut = state.cut.as_ref().is_some_and(|cut| cut.holds(&row.target));
    let (sign, sign_style) = match () {
        () if row.is_busy() => ("~", theme.busy),
        () if state.listing.marks.contains(&row.target) => ("*", theme.marked),
        () if is_cut => ("x", theme.cut),
        () => (" ", theme.text),
    };
    let name_style = match () {
        () if row.is_busy() => theme.busy,
        () if is_cut => theme.cut,
        () if state.listing.marks.contains(&row.target) => theme.marked,
        () if file.is_none() => theme.folder,
        () => theme.text,
    };
    let signs = match (is_cursor, sign) {
        (true, " ") => " > ".to_owned(),
        (true, sign) => format!(" >{sign}"),
        (false, sign) => format!(" {sign} "),
    };
    let mut spans = vec![Span::styled(signs, sign_style)];
    push_name(&mut spans, row, columns.name, name_style, state, theme);
    let word = if file.is_some() { access::word(row.access()) } else { "dir" };
    spans.push(Span::styled(format!("  {word:<6}"), access::style(row.access(), theme)));
    let size = file.and_then(|file| file.size).map_or_else(|| "-".to_owned(), figures::size);
    spans.push(Span::styled(format!("  {}", right(&size, columns::SIZE)), theme.text));
    if columns.kind {
        spans.push(Span::styled(format!("  {}", left(&kind(row), columns::KIND)), theme.dim));
    }
    if columns.time {
        let time = time_of(row, state.listing.sort.key);
        let age = time.map_or_else(|| "-".to_owned(), |time| figures::age(time, state.now));
        spans.push(Span::styled(format!("  {}", right(&age, columns.time_width)), theme.dim));
    }
    if columns.expires {
        let (text, style) = expiry(row, state, theme);
        spans.push(Span::styled(format!("  {}", right(&text, columns.time_width)), style));
    }
    Line::from(spans)
}

/// The name, with the characters that the filter matched standing out.
fn push_name<'a>(spans: &mut Vec<Span<'a>>, row: &'a Row, cells: usize, style: Style, state: &State, theme: &Theme) {
    let slash = if row.file().is_none() { "/" } else { "" };
    let filter = state.listing.filter.as_ref().filter(|filter| !filter.input.is_empty());
    let Some(filter) = filter.filter(|_| width(&row.name) + slash.len() <= cells) else {
        spans.push(Span::styled(left(&format!("{}{slash}", row.name), cells), style));
        return;
    };
    let matched = filter.matched_chars(&row.name);
    for (at, grapheme) in (0_u32..).zip(row.name.graphemes(true)) {
        let is_match = matched.binary_search(&at).is_ok();
        spans.push(Span::styled(grapheme, if is_match { theme.matched } else { style }));
    }
    let rest = cells.saturating_sub(width(&row.name));
    spans.push(Span::styled(left(slash, rest), style));
}

/// A word for the type column: the extension says most, else the category.
fn kind(row: &Row) -> String {
    let Some(file) = row.file() else { return String::new() };
    match (&file.kind, file.extension.as_deref()) {
        (Some(FileKind::Image), _) => "img".to_owned(),
        (Some(FileKind::Audio), _) => "audio".to_owned(),
        (Some(FileKind::Movie), _) => "movie".to_owned(),
        (_, Some(extension)) if !extension.is_empty() => visible(extension).into_owned(),
        (Some(kind), _) => visible(&kind.as_str().to_lowercase()).into_owned(),
        (None, _) => String::new(),
    }
}

fn time_of(row: &Row, sort: SortKey) -> Option<jiff::Timestamp> {
    let (created, updated) = match &row.entry {
        Entry::File(file) => (file.created_at, file.updated_at),
        Entry::Folder(folder) => (folder.created_at, folder.updated_at),
    };
    if sort == SortKey::Created { created } else { updated }
}

fn expiry(row: &Row, state: &State, theme: &Theme) -> (String, Style) {
    match row.file().map(|file| file.expires_at) {
        None => (String::new(), theme.dim),
        Some(None) => ("never".to_owned(), theme.dim),
        Some(Some(at)) => {
            let is_soon = at.as_second().saturating_sub(state.now.as_second()) < SOON_SECONDS;
            (figures::until(at, state.now), if is_soon { theme.warn } else { theme.text })
        }
    }
}

/// What stands below the last loaded row while the folder is not read to its end.
fn more<'a>(state: &State, theme: &Theme) -> Option<Line<'a>> {
    let listing = &state.listing;
    if let Some(error) = &listing.problem {
        let again = super::keys::key(state, crate::tui::keymap::Action::Refresh);
        let text = format!("   The rest was not read: {}  {again} tries again", visible(&error.message));
        return Some(Line::styled(text, theme.error));
    }
    listing.next.as_ref().map(|_| Line::styled("   .. reading more", theme.dim))
}

fn draw_filter(frame: &mut Frame<'_>, area: Rect, filter: &Filter, listing: &Listing, theme: &Theme) {
    let cells = usize::from(area.width);
    let more = if listing.is_complete() { "" } else { "+" };
    let note = format!("{} of {}{more} ", listing.visible.len(), listing.rows.len());
    let room = cells.saturating_sub(width(&note) + 4);
    let scroll = filter.input.scroll(room);
    let typed = visible(filter.input.text());
    let skipped = crate::tui::widget::text::take(&typed, scroll).len();
    let shown = truncate(typed.get(skipped..).unwrap_or_default(), room).into_owned();
    let pad = room.saturating_sub(width(&shown));
    let line = Line::from(vec![
        Span::styled(" / ", theme.key),
        Span::styled(shown, if filter.editing { theme.input } else { theme.matched }),
        Span::raw(" ".repeat(pad + 1)),
        Span::styled(note, theme.dim),
    ]);
    frame.render_widget(line, area);
    if filter.editing {
        let before = filter.input.cursor_cells().saturating_sub(scroll).min(room);
        let x = area.x.saturating_add(3).saturating_add(u16::try_from(before).unwrap_or(0));
        frame.set_cursor_position((x, area.y));
    }
}
