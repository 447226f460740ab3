//! The list of the open folder. Formats only the rows that are on the screen.

mod columns;
mod empty;

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use self::columns::Columns;
use super::{access, keys, pane};
use crate::api::model::FileKind;
use crate::api::text::visible;
use crate::engine::message::SortKey;
use crate::tui::keymap::Action;
use crate::tui::state::{Filter, Listing, Pane, Row, Slot, Stage, State};
use crate::tui::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::scroll::window;
use crate::tui::widget::text::{left, right, truncate, width};

/// An expiry closer than this is drawn as a warning.
const SOON_SECONDS: i64 = 7 * 24 * 3600;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let listing = &state.desk.listing;
    let is_focused = pane::has_keys(state, Pane::List);
    let columns = Columns::fit(usize::from(area.width));
    let heading = if is_focused { theme.title } else { theme.dim };
    let note = listing.reading_whole().map(|_| reading_note(state, columns.name)).unwrap_or_default();
    frame.render_widget(Line::styled(columns.heading(listing.sort, &note), heading), pane::row(area, 0));
    let mut body = pane::below(area, 1);
    if let Some(filter) = &listing.filter {
        body.height = body.height.saturating_sub(1);
        let line = Rect { y: body.bottom(), height: 1, ..body };
        draw_filter(frame, line, filter, listing, theme);
    }
    if listing.visible().is_empty() {
        pane::say(frame, body, &empty::words(state, theme));
        if is_focused && !listing.is_typing() {
            frame.set_cursor_position((body.x.saturating_add(1), body.y));
        }
        return;
    }
    // One more row says that more is to come, or why it does not.
    let more = more(state, theme);
    let rows = listing.visible().len() + usize::from(more.is_some());
    for (y, at) in (body.y..).zip(window(listing.cursor, rows, usize::from(body.height))) {
        let line_area = Rect { y, height: 1, ..body };
        let Some((slot, row)) = listing.at(at) else {
            if let Some(more) = &more {
                frame.render_widget(more, line_area);
            }
            continue;
        };
        let is_cursor = at == listing.cursor;
        frame.render_widget(line(slot, row, is_cursor, &columns, state, theme), line_area);
        if is_cursor {
            let has_keys = is_focused && !listing.is_typing();
            pane::select(frame, line_area, has_keys, theme);
        }
    }
}

/// How far the read of the whole folder is, for the heading; what stops it, where there is no room for both.
fn reading_note(state: &State, cells: usize) -> String {
    const NAME: usize = 5;
    let count = figures::grouped(u64::try_from(state.desk.listing.whole_count()).unwrap_or(u64::MAX));
    let stops = format!("{} stops", keys::key(state, Action::Back));
    let note = format!("  reading all: {count}, {stops}");
    if NAME + width(&note) <= cells { note } else { format!(" reading, {stops}") }
}

fn line<'a>(slot: Slot, row: &'a Row, is_cursor: bool, columns: &Columns, state: &State, theme: &Theme) -> Line<'a> {
    let is_busy = state.desk.tasks.busy.holds(&row.target);
    let is_marked = state.desk.listing.marks.contains(slot);
    let is_cut = state.desk.cut.as_ref().is_some_and(|cut| cut.holds(&row.target));
    let (sign, sign_style) = match () {
        () if is_busy => ("~", theme.busy),
        () if is_marked => ("*", theme.marked),
        () if is_cut => ("x", theme.cut),
        () => (" ", theme.text),
    };
    let name_style = match () {
        () if is_busy => theme.busy,
        () if is_cut => theme.cut,
        () if is_marked => theme.marked,
        () if !row.is_file() => theme.folder,
        () => theme.text,
    };
    let signs = match (is_cursor, sign) {
        (true, " ") => " > ".to_owned(),
        (true, sign) => format!(" >{sign}"),
        (false, sign) => format!(" {sign} "),
    };
    let mut spans = vec![Span::styled(signs, sign_style)];
    push_name(&mut spans, row, columns.name, name_style, state, theme);
    let word = if row.is_file() { access::word(row.access.as_ref()) } else { "dir" };
    spans.push(Span::styled(format!("  {word:<6}"), access::style(row.access.as_ref(), theme)));
    let size = row.size.map_or_else(|| "-".to_owned(), figures::size);
    spans.push(Span::styled(format!("  {}", right(&size, columns::SIZE)), theme.text));
    if columns.kind {
        spans.push(Span::styled(format!("  {}", left(&kind(row), columns::KIND)), theme.dim));
    }
    if columns.time {
        let time = time_of(row, state.desk.listing.sort.key);
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
    let slash = if row.is_file() { "" } else { "/" };
    let filter = state.desk.listing.filter.as_ref().filter(|filter| !filter.input.is_empty());
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
fn kind(row: &Row) -> Cow<'_, str> {
    match (&row.kind, row.extension()) {
        (Some(FileKind::Image), _) => "img".into(),
        (Some(FileKind::Audio), _) => "audio".into(),
        (Some(FileKind::Movie), _) => "movie".into(),
        (Some(kind), "") => visible(&kind.as_str().to_lowercase()).into_owned().into(),
        (_, extension) if row.is_file() => extension.into(),
        _ => "".into(),
    }
}

fn time_of(row: &Row, sort: SortKey) -> Option<jiff::Timestamp> {
    if sort == SortKey::Created { row.created() } else { row.updated() }
}

fn expiry(row: &Row, state: &State, theme: &Theme) -> (String, Style) {
    match row.expires() {
        _ if !row.is_file() => (String::new(), theme.dim),
        None => ("never".to_owned(), theme.dim),
        Some(at) => {
            let is_soon = at.as_second().saturating_sub(state.now.as_second()) < SOON_SECONDS;
            (figures::until(at, state.now), if is_soon { theme.warn } else { theme.text })
        }
    }
}

/// What stands below the last loaded row while the folder is not read to its end.
fn more<'a>(state: &State, theme: &Theme) -> Option<Line<'a>> {
    let listing = &state.desk.listing;
    if let Some(error) = listing.problem() {
        let again = keys::key(state, Action::Refresh);
        let text = format!("   The rest was not read: {}  {again} tries again", visible(&error.message));
        return Some(Line::styled(text, theme.error));
    }
    match listing.stage {
        Stage::Partial if listing.next.is_some() || listing.reading_whole().is_some() => {
            Some(Line::styled("   .. reading more", theme.dim))
        }
        Stage::Partial => {
            let rest = keys::key(state, Action::MoveBottom);
            Some(Line::styled(format!("   The rest is not read: {rest} reads it"), theme.warn))
        }
        _ => None,
    }
}

fn draw_filter(frame: &mut Frame<'_>, area: Rect, filter: &Filter, listing: &Listing, theme: &Theme) {
    let cells = usize::from(area.width);
    let more = if listing.is_whole() { "" } else { "+" };
    let note = format!("{} of {}{more} ", listing.visible().len(), listing.len());
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
