//! The details of the row under the cursor, and a summary of the marked rows.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Size};
use ratatui::text::{Line, Span};

use super::fields::DetailField;
use super::preview;
use super::{fields, local, peek};
use crate::api::text::visible;
use crate::engine::message::Entry;
use crate::engine::preview::{Picture, PreviewKind};
use crate::tui::areas::areas;
use crate::tui::keymap::Action;
use crate::tui::pane::frame;
use crate::tui::pane::keys::key;
use crate::tui::state::{Listing, Pane, PreviewKey, Row, State};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{right, truncate_start, width, wrap};
use crate::tui::wording::access as words;

const LABEL: usize = 9;
/// Rows reserved for a file's facts, so that they stay in place when moving from file to file.
const FACTS: u16 = 10;
/// Widths from which a document on the whole screen has its facts beside a picture, and beside a
/// text.
const BESIDE_FROM: u16 = 72;
const BESIDE_TEXT_FROM: u16 = 96;
/// The least width of the facts beside a document; they may take slightly more than half for their
/// longest line.
const FACTS_BESIDE: u16 = 38;
/// Height of the facts below a text on a narrower screen: the three-line details, path and
/// checksum.
const STRIP: u16 = 5;
/// For screen readers on lower screens, only these facts are shown, to leave space for a text.
const ALL_FACTS_FROM: u16 = 30;
const BRIEF: [&str; 4] = ["access", "size", "type", "updated"];
/// On lower screens, a strip would take too much space from the text.
const STRIP_FROM: u16 = 14;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, is_peek: bool, state: &State, theme: &Theme) {
    if state.has_local_details() {
        local::draw(frame, area, is_peek, state, theme);
        return;
    }
    let is_focused = frame::has_keys(state, Pane::Details);
    let title = state
        .files
        .listing
        .current()
        .map_or_else(|| folder_name(state), name);
    let body = inside(area, state);
    let is_strip = has_strip(body, state);
    let foot = if is_peek {
        Line::default()
    } else {
        let (preview, facts) = split(body, state);
        preview::foot(preview, facts, state, theme)
    };
    let boxed = frame::PaneBox {
        title: &title,
        foot,
        is_focused,
        zoom: frame::zoom(state, Pane::Details),
        ..Default::default()
    };
    boxed.draw(frame, area, theme);
    if is_focused {
        frame.set_cursor_position((body.x, body.y));
    }
    if is_peek {
        let lines = match state.files.listing.current() {
            Some(row) => peek::lines(row, usize::from(body.width), state, theme),
            None => nothing(usize::from(body.width), state, theme),
        };
        for (at, line) in (0..body.height).zip(lines) {
            frame.render_widget(line, frame::row(body, at));
        }
        return;
    }
    let marked = marked(&state.files.listing, usize::from(body.width), theme);
    for (at, line) in (0..body.height).zip(marked) {
        frame.render_widget(line, frame::row(body, at));
    }
    let (preview, body) = split(body, state);
    if let Some(preview) = preview {
        preview::draw(frame, preview, state, theme);
        preview::draw_rule(frame, preview, body, state, theme);
    }
    let cells = usize::from(body.width);
    let facts = if is_strip {
        strip(cells, state, theme)
    } else {
        facts(cells, state, theme)
    };
    let (rows, len) = (usize::from(body.height), facts.len());
    // Otherwise these keys scroll the preview.
    let first = if state.panes.are_one() {
        state.files.previews.scroll.min(len.saturating_sub(rows))
    } else {
        0
    };
    for (at, line) in (0..body.height).zip(facts.into_iter().skip(first)) {
        frame.render_widget(line, frame::row(body, at));
    }
    if state.panes.are_one() {
        frame::scrollbar(frame, area, first..first + rows, len, theme);
    }
}

/// The inside of the pane, without the padding at its sides. Plain text begins where the title
/// does; a document on the whole screen has an empty line in between.
fn inside(area: Rect, state: &State) -> Rect {
    match frame::inside(area) {
        body if !state.panes.plain => body,
        body => frame::below(frame::padded(body), state.panes.zoomed.into()),
    }
}

/// Returns the number of lines of facts that do not fit into the zoomed pane.
pub(crate) fn hidden_facts(state: &State) -> usize {
    let is_hidden = state.panes.are_one() && !state.has_local_details();
    let area = areas(state.size, state)
        .filter(|_| is_hidden)
        .and_then(|areas| areas.details);
    let body = area.map(|area| inside(area, state));
    body.filter(|body| !has_strip(*body, state))
        .map_or(0, |body| {
            let (_, body) = split(body, state);
            facts(usize::from(body.width), state, &Theme::default())
                .len()
                .saturating_sub(body.height.into())
        })
}

/// Returns `true` if a text on the whole screen leaves a strip below it for the facts.
fn has_strip(body: Rect, state: &State) -> bool {
    let row = state
        .files
        .listing
        .current()
        .filter(|row| row.is_file() && preview::may_come(row, state));
    let is_text = row.is_some_and(|row| {
        let kind = PreviewKind::of(row.extension(), row.kind.as_ref());
        !matches!(kind, PreviewKind::Picture | PreviewKind::Drawn(_))
    });
    // Plain text is never in columns.
    let most = if state.panes.plain {
        u16::MAX
    } else {
        BESIDE_TEXT_FROM
    };
    let has_room = (BESIDE_FROM..most).contains(&body.width) && body.height >= STRIP_FROM;
    state.panes.zoomed && state.panes.preview && is_text && has_room
}

fn strip<'a>(cells: usize, state: &State, theme: &Theme) -> Vec<Line<'a>> {
    let Some(row) = state.files.listing.current() else {
        return Vec::new();
    };
    let mut lines = peek::lines(row, cells, state, theme);
    if let Entry::File(file) = &state.files.listing.entry(row) {
        let fields = fields::of_file(file, state, theme);
        let fields =
            ["path", "md5"].map(|label| fields.iter().find(|field| field.label == label).cloned());
        let line = |field: DetailField| {
            let value = truncate_start(&field.value, cells.saturating_sub(field.label.len() + 1))
                .into_owned();
            Line::from(vec![
                Span::styled(format!("{} ", field.label), theme.dim),
                Span::styled(value, field.style),
            ])
        };
        lines.extend(fields.into_iter().flatten().map(line));
    }
    lines
}

/// Returns `true` if a text that is read aloud replaces the less important facts, which show
/// without a preview.
fn is_brief(row: &Row, state: &State) -> bool {
    let is_low = state.size.height < ALL_FACTS_FROM;
    state.panes.plain
        && !state.panes.zoomed
        && state.panes.preview
        && is_low
        && row.is_file()
        && preview::may_come(row, state)
}

/// The areas of the preview, if there is one, and of the facts: side by side on the whole screen,
/// otherwise one above the other. A file's facts are below its preview, which gets all the space
/// they do not need. A folder's facts are above its content, and those of a file without a preview
/// above the reason.
fn split(body: Rect, state: &State) -> (Option<Rect>, Rect) {
    let is_strip = has_strip(body, state);
    let marked = marked(
        &state.files.listing,
        usize::from(body.width),
        &Theme::default(),
    )
    .len();
    let body = frame::below(body, u16::try_from(marked).unwrap_or(u16::MAX));
    let row = state
        .files
        .listing
        .current()
        .filter(|_| state.panes.preview);
    let Some(row) = row else { return (None, body) };
    let has_preview = preview::may_come(row, state);
    if is_strip {
        // The line with the scroll keys; without boxes, an additional empty line.
        let gap = 1 + u16::from(state.panes.plain);
        let [preview, facts] = Layout::vertical([Constraint::Fill(1), Constraint::Length(STRIP)])
            .spacing(gap)
            .areas(body);
        return (Some(preview), facts);
    }
    if has_preview
        && row.is_file()
        && state.panes.zoomed
        && !state.panes.plain
        && body.width >= BESIDE_FROM
    {
        let all = facts(usize::from(u16::MAX), state, &Theme::default());
        let widest =
            u16::try_from(all.iter().map(Line::width).max().unwrap_or(0)).unwrap_or(u16::MAX);
        let width = widest.clamp(FACTS_BESIDE, FACTS_BESIDE.max(body.width * 9 / 16));
        let facts = Constraint::Length(width);
        let [preview, facts] = Layout::horizontal([Constraint::Fill(1), facts])
            .spacing(2)
            .areas(body);
        return (Some(preview), facts);
    }
    let len = facts(usize::from(body.width), state, &Theme::default()).len();
    let is_below = row.is_file() && has_preview;
    let least = if is_below && !is_brief(row, state) {
        FACTS
    } else {
        0
    };
    let rows = u16::try_from(len)
        .unwrap_or(u16::MAX)
        .clamp(least, least.max(body.height * 2 / 3));
    if is_below {
        // Facts directly follow a picture, at the same height for all pictures.
        let is_picture =
            PreviewKind::of(row.extension(), row.kind.as_ref()) == PreviewKind::Picture;
        let most = match preview::height(body.width, body.height, state) {
            _ if is_picture => body.width * 3 / 8,
            rows => rows.unwrap_or(body.height),
        };
        // On low screens, a text gets more than half, and the last facts are cut off.
        let rows = if is_picture {
            rows
        } else {
            rows.min(body.height * 2 / 5)
        };
        let preview = Constraint::Length(body.height.saturating_sub(rows + 1).min(most));
        let [preview, facts] = Layout::vertical([preview, Constraint::Fill(1)])
            .spacing(1)
            .areas(body);
        (Some(preview), facts)
    } else {
        let [facts, preview] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)])
            .spacing(1)
            .areas(body);
        (Some(preview), facts)
    }
}

/// The pictures in the details on a screen of this size, and their areas.
pub(crate) fn pictures_on(size: Size, state: &State) -> Vec<(PreviewKey, &Picture, Rect)> {
    preview_area(size, state)
        .map(|area| preview::pictures(area, state))
        .unwrap_or_default()
}

/// Returns `true` if there is space for thumbnails of the folder under the cursor.
pub(crate) fn has_thumbnails(state: &State) -> bool {
    preview_area(state.size, state)
        .is_some_and(|area| preview::thumbnail_row(area, state).is_some())
}

fn preview_area(size: Size, state: &State) -> Option<Rect> {
    let areas = areas(size, state).filter(|areas| !areas.details_is_peek)?;
    let body = inside(areas.details?, state);
    if state.has_local_details() {
        local::split(body, state).0
    } else {
        split(body, state).0
    }
}

fn facts<'a>(cells: usize, state: &State, theme: &Theme) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    match state.files.listing.current() {
        Some(row) => {
            let fields = match &state.files.listing.entry(row) {
                Entry::File(file) => fields::of_file(file, state, theme),
                Entry::Folder(folder) => fields::of_folder(
                    folder,
                    &row.path(state.files.listing.of.base()),
                    state,
                    theme,
                ),
            };
            let lines_of =
                |field: &DetailField| field_lines(field, cells, state.panes.are_one(), theme);
            let is_brief = is_brief(row, state);
            let fields = fields
                .iter()
                .filter(|field| !is_brief || BRIEF.contains(&field.label));
            lines.extend(fields.flat_map(lines_of));
            if is_brief {
                lines.push(Line::styled(
                    format!("{} shows all facts", key(state, Action::TogglePreview)),
                    theme.dim,
                ));
            }
        }
        None => lines.extend(nothing(cells, state, theme)),
    }
    lines
}

/// The fields of the open folder if its list has no rows.
fn nothing<'a>(cells: usize, state: &State, theme: &Theme) -> Vec<Line<'a>> {
    let listing = &state.files.listing;
    let Some(place) = listing.of.folder() else {
        return vec![Line::styled("Nothing is selected.", theme.dim)];
    };
    let is_empty = listing.is_empty() && listing.is_whole();
    let fields = fields::of_place(place, is_empty, theme);
    fields
        .iter()
        .flat_map(|field| field_lines(field, cells, state.panes.are_one(), theme))
        .collect()
}

/// The name of the open folder, `launch/`; empty for a search.
fn folder_name(state: &State) -> String {
    let place = state.files.listing.of.folder();
    place
        .map(|place| {
            visible(place.path.rsplit_once('/').map_or("", |(_, name)| name)).into_owned() + "/"
        })
        .unwrap_or_default()
}

fn name(row: &Row) -> String {
    if row.is_file() {
        row.name.to_string()
    } else {
        format!("{}/", row.name)
    }
}

/// A label and its value. A long value wraps in its column, or is cut if the field allows it and is
/// not zoomed.
fn field_lines<'a>(
    field: &DetailField,
    cells: usize,
    is_zoomed: bool,
    theme: &Theme,
) -> Vec<Line<'a>> {
    // Without the colon, a screen reader would read the label and the value as one sentence.
    let (label_cells, end) = if theme.is_plain() {
        (LABEL + 1, ":")
    } else {
        (LABEL, "")
    };
    let room = cells.saturating_sub(label_cells + 1);
    let fits = |value: &&String| width(value) <= room;
    let values = match [&field.value].into_iter().chain(&field.shorter).find(fits) {
        Some(value) => vec![value.clone()],
        None if field.is_cut && !is_zoomed => vec![truncate_start(&field.value, room).into_owned()],
        None => wrap(&field.value, room),
    };
    let mut label = format!("{}{end}", field.label);
    values
        .into_iter()
        .map(|value| {
            let label = std::mem::take(&mut label);
            Line::from(vec![
                Span::styled(format!("{} ", right(&label, label_cells)), theme.dim),
                Span::styled(value, field.style),
            ])
        })
        .collect()
}

/// `2 marked, 1.6 MB` and the count of each access level; empty without marks.
fn marked<'a>(listing: &Listing, cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    let marks = &listing.marks;
    if marks.is_empty() {
        return Vec::new();
    }
    let (folders, mut words) = (marks.folders(), Vec::<(&str, usize)>::new());
    for (level, count) in marks.levels() {
        let word = words::word(level);
        match words.iter_mut().find(|(known, _)| *known == word) {
            Some((_, known)) => *known += count,
            None => words.push((word, count)),
        }
    }
    words.sort_unstable();
    let mut parts: Vec<String> = words
        .iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    if folders > 0 {
        parts.push(figures::count(folders, "folder"));
    }
    // The sizes of folders are not known here.
    let bytes = if folders < marks.len() {
        format!(", {}", figures::size(marks.bytes()))
    } else {
        String::new()
    };
    let text = format!(
        "{} {} marked{bytes}: {}",
        symbols::MARKED,
        marks.len(),
        parts.join(", ")
    );
    let mut lines: Vec<Line<'a>> = wrap(&text, cells)
        .into_iter()
        .map(|line| Line::styled(line, theme.marked))
        .collect();
    lines.push(Line::default());
    lines
}
