//! A preview of the file or folder under the cursor, or the reason that there is none.

mod archive;
mod captioned;
mod folder;
mod media;
mod text;
mod thumbnails;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::api::model::{Access, File, FileKind};
use crate::api::text::visible;
use crate::engine::preview::{
    CutAt, DocumentPage, NoPreview, Photo, Picture, Preview, PreviewKind, PreviewMarkdown,
    PreviewTable, PreviewText,
};
use crate::tui::keymap::Action;
use crate::tui::pane::keys;
use crate::tui::state::{LocalRow, PreviewKey, PreviewState, Row, State};
use crate::tui::style::symbols::TIMES;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, right, truncate, upper_first, width, wrap};
use crate::tui::widget::{figures, picture};

const WIDEST_COLUMN: usize = 24;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let Some(file) = PreviewedFile::of(state) else {
        return;
    };
    let Some(key) = state.previewed() else {
        say(frame, area, &file.not_opened, theme.dim);
        return;
    };
    let scroll = state.files.previews.scroll;
    match state.files.previews.of(&key) {
        Some(PreviewState::Seen(
            preview @ (Preview::Picture(seen)
            | Preview::Photo(Photo { picture: seen, .. })
            | Preview::Page(DocumentPage { picture: seen, .. })),
        )) => {
            let (above, below, caption) =
                captioned::split(preview, file.is_public, area, state, theme);
            picture::draw(
                seen,
                picture::fit(seen, above, state.picture_support.cell()),
                state.picture_support.mosaic(),
                theme,
                frame.buffer_mut(),
            );
            lines(frame, below, caption);
        }
        Some(PreviewState::Seen(Preview::Text(text))) => {
            let area = draw_end(frame, area, text.cut, file.size, theme);
            lines(frame, area, text::lines(text, area, scroll, theme));
        }
        Some(PreviewState::Seen(Preview::Markdown(markdown))) => {
            let text = markdown_shown(markdown, state);
            let area = draw_end(frame, area, text.cut, file.size, theme);
            lines(frame, area, text::lines(text, area, scroll, theme));
        }
        Some(PreviewState::Seen(Preview::Table(table))) => {
            let area = draw_end(frame, area, table.cut, file.size, theme);
            lines(frame, area, table_lines(table, area, scroll, theme));
        }
        Some(PreviewState::Seen(Preview::Archive(contents))) => {
            lines(frame, area, archive::lines(contents, area, scroll, theme));
        }
        Some(PreviewState::Seen(Preview::Media(facts))) => {
            lines(frame, area, media::lines(facts, theme));
        }
        Some(PreviewState::Seen(Preview::Folder(contents))) => {
            let more = (!contents.is_all).then(|| more(theme));
            lines(
                frame,
                area,
                folder::lines(contents, area, state, theme)
                    .into_iter()
                    .chain(more),
            );
            if let Some((row, files)) = thumbnail_row(area, state) {
                thumbnails::draw(frame, row, files, state, theme);
            }
        }
        Some(PreviewState::Seen(Preview::Nothing(why))) => {
            say(frame, area, &reason(*why), theme.dim);
        }
        Some(PreviewState::Failed(error)) => {
            let again = keys::key(state, Action::Refresh);
            say(
                frame,
                area,
                &format!(
                    "No preview: {}  {again} tries again",
                    visible(&error.message)
                ),
                theme.warn,
            );
        }
        None => {
            let is_asked = state
                .files
                .previews
                .asked
                .as_ref()
                .is_some_and(|(asked, _)| *asked == key);
            say(
                frame,
                area,
                if is_asked { "reading …" } else { "" },
                theme.dim,
            );
        }
    }
}

/// The scroll keys, for the bottom border of the pane if there is no line below the preview.
pub(crate) fn foot(
    preview: Option<Rect>,
    facts: Rect,
    state: &State,
    theme: &Theme,
) -> Line<'static> {
    let preview = preview.filter(|preview| !state.panes.plain && !has_rule(*preview, facts, state));
    preview
        .map(|preview| scrolling(preview, state, theme))
        .unwrap_or_default()
}

/// The scroll keys, if the preview does not fit into the area.
fn scrolling(area: Rect, state: &State, theme: &Theme) -> Line<'static> {
    if !overflows(area, state) {
        return Line::default();
    }
    let [down, up] = [Action::ScrollDown, Action::ScrollUp].map(|action| keys::key(state, action));
    let more = if state.panes.plain { "more: " } else { "" };
    Line::from(Span::styled(format!("{more}{down} {up} scroll"), theme.dim))
}

/// Returns `true` if a text, table or archive does not fit into the area.
fn overflows(area: Rect, state: &State) -> bool {
    let Some(PreviewState::Seen(preview)) = state
        .previewed()
        .and_then(|key| state.files.previews.of(&key))
    else {
        return false;
    };
    let theme = measured_theme(state);
    let (cut, rows) = match preview {
        Preview::Text(text) => return text::overflow(text, above_end(area, text.cut).0, &theme),
        Preview::Markdown(markdown) => {
            let text = markdown_shown(markdown, state);
            return text::overflow(text, above_end(area, text.cut).0, &theme);
        }
        Preview::Table(table) => (table.cut, table.rows.len()),
        Preview::Archive(contents) => (None, archive::lines(contents, area, 0, &theme).count()),
        _ => return false,
    };
    rows > usize::from(above_end(area, cut).0.height)
}

/// The number of rows that the preview takes, up to `most`; `None` if it fills all the space it
/// gets.
pub(crate) fn height(cells: u16, most: u16, state: &State) -> Option<u16> {
    let Some(PreviewState::Seen(preview)) = state
        .previewed()
        .and_then(|key| state.files.previews.of(&key))
    else {
        return None;
    };
    let theme = measured_theme(state);
    let text = |text: &PreviewText| {
        text::height(text, cells, most.into(), &theme) + usize::from(text.cut.is_some())
    };
    let rows = match preview {
        Preview::Text(shown) => text(shown),
        Preview::Markdown(markdown) => text(markdown_shown(markdown, state)),
        Preview::Table(table) => table.rows.len() + usize::from(table.cut.is_some()),
        Preview::Archive(contents) => archive::lines(
            contents,
            Rect {
                width: cells,
                ..Rect::default()
            },
            0,
            &theme,
        )
        .count(),
        Preview::Media(facts) => media::lines(facts, &theme).len(),
        _ => return None,
    };
    Some(
        u16::try_from(rows)
            .unwrap_or(u16::MAX)
            .clamp(1, most.max(1)),
    )
}

/// A theme in which a preview has the same number of rows as in the current one.
fn measured_theme(state: &State) -> Theme {
    if state.panes.plain {
        Theme::plain()
    } else {
        Theme::default()
    }
}

/// Returns `true` if there is a line between a preview and the facts below it; a picture needs
/// none.
fn has_rule(preview: Rect, facts: Rect, state: &State) -> bool {
    facts.y > preview.bottom() && height(preview.width, 1, state).is_some()
}

/// Draws that line, with the scroll keys.
pub(crate) fn draw_rule(
    frame: &mut Frame<'_>,
    preview: Rect,
    facts: Rect,
    state: &State,
    theme: &Theme,
) {
    if has_rule(preview, facts, state) {
        let rule = Rect {
            y: preview.bottom(),
            height: 1,
            ..preview
        };
        frame.render_widget(
            Line::styled("─".repeat(rule.width.into()), theme.border),
            rule,
        );
        let keys = scrolling(preview, state, theme);
        if state.panes.plain {
            frame.render_widget(keys, rule);
        } else if keys.width() > 0 {
            let end = [Span::raw(" ")]
                .into_iter()
                .chain(keys.spans)
                .chain([Span::styled(" ──", theme.border)]);
            frame.render_widget(end.collect::<Line<'_>>().right_aligned(), rule);
        }
    }
}

fn markdown_shown<'a>(markdown: &'a PreviewMarkdown, state: &State) -> &'a PreviewText {
    if state.files.previews.shows_source {
        &markdown.source
    } else {
        &markdown.rendered
    }
}

/// Returns `true` if there is a preview of the row, or may be; otherwise only the reason that there
/// is none is drawn.
pub(crate) fn may_come(row: &Row, state: &State) -> bool {
    let is_busy = state.session.tasks.busy.holds(&row.target);
    match state.previewed() {
        _ if is_busy || !row.is_file() => true,
        Some(key) => !matches!(
            state.files.previews.of(&key),
            Some(PreviewState::Seen(Preview::Nothing(_)))
        ),
        None => not_opened(row.extension(), row.kind.as_ref(), state).is_empty(),
    }
}

pub(crate) fn may_come_of_local(row: &LocalRow, state: &State) -> bool {
    match state.previewed() {
        _ if row.entry.is_folder => true,
        Some(key) => !matches!(
            state.files.previews.of(&key),
            Some(PreviewState::Seen(Preview::Nothing(_)))
        ),
        None => not_opened(row.extension(), None, state).is_empty(),
    }
}

struct PreviewedFile {
    is_public: bool,
    size: Option<u64>,
    /// The reason that it is never opened; empty for other files.
    not_opened: String,
}

impl PreviewedFile {
    fn of(state: &State) -> Option<Self> {
        if let Some(row) = state.local_in_details() {
            return Some(Self {
                is_public: false,
                size: row.entry.size,
                not_opened: not_opened(row.extension(), None, state),
            });
        }
        let row = state.files.listing.current()?;
        Some(Self {
            is_public: row.access.as_ref().is_some_and(Access::is_public),
            size: row.size,
            not_opened: not_opened(row.extension(), row.kind.as_ref(), state),
        })
    }
}

/// The pictures in a preview, and their areas.
pub(crate) fn pictures(area: Rect, state: &State) -> Vec<(PreviewKey, &Picture, Rect)> {
    let Some(key) = state.previewed() else {
        return Vec::new();
    };
    if let (Some(PreviewState::Seen(preview)), Some(file)) =
        (state.files.previews.of(&key), PreviewedFile::of(state))
        && let Some(seen) = preview.picture()
    {
        let (above, ..) = captioned::split(preview, file.is_public, area, state, &Theme::default());
        return vec![(
            key,
            seen,
            picture::fit(seen, above, state.picture_support.cell()),
        )];
    }
    let row = thumbnail_row(area, state);
    row.map(|(row, files)| thumbnails::seen(row, files, state).collect())
        .unwrap_or_default()
}

/// The thumbnails of the folder under the cursor, and their place.
pub(crate) fn thumbnail_row(area: Rect, state: &State) -> Option<(Rect, &[File])> {
    match state.files.previews.of(&state.previewed()?) {
        Some(PreviewState::Seen(Preview::Folder(contents))) => {
            folder::thumbnail_row(contents, area, state)
        }
        _ => None,
    }
}

fn not_opened(extension: &str, kind: Option<&FileKind>, state: &State) -> String {
    match PreviewKind::of(extension, kind) {
        PreviewKind::Facts(name) => format!("{}: no preview", upper_first(name)),
        PreviewKind::Picture | PreviewKind::Drawn(_) => state.settings.why_no_pictures().to_owned(),
        _ => String::new(),
    }
}

fn reason(why: NoPreview) -> String {
    match why {
        NoPreview::Empty => "Empty file".to_owned(),
        NoPreview::Binary => "Not text or a picture".to_owned(),
        NoPreview::TooLarge(Some((width, height))) => {
            format!("Too large to preview: {width} {TIMES} {height}")
        }
        NoPreview::TooLarge(None) => "Too large to preview".to_owned(),
        NoPreview::Damaged => "Damaged or another type".to_owned(),
        NoPreview::TooSlow => "Too slow to render".to_owned(),
    }
}

fn say(frame: &mut Frame<'_>, area: Rect, text: &str, style: Style) {
    let wrapped = wrap(text, usize::from(area.width));
    lines(
        frame,
        area,
        wrapped.into_iter().map(|line| Line::styled(line, style)),
    );
}

fn lines<'a>(frame: &mut Frame<'_>, area: Rect, lines: impl IntoIterator<Item = Line<'a>>) {
    for (y, line) in (area.top()..area.bottom()).zip(lines) {
        frame.render_widget(
            line,
            Rect {
                y,
                height: 1,
                ..area
            },
        );
    }
}

/// Draws a note below a truncated preview, such as `the first 64 KB of 2.1 MB`, and returns the
/// rest of the area.
fn draw_end(
    frame: &mut Frame<'_>,
    area: Rect,
    cut: Option<CutAt>,
    size: Option<u64>,
    theme: &Theme,
) -> Rect {
    let (above, below) = above_end(area, cut);
    let read = match cut {
        Some(CutAt::Bytes(bytes)) => figures::size(bytes),
        Some(CutAt::Lines(lines)) => figures::count(lines, "line"),
        None => return above,
    };
    let whole = size
        .map(|size| format!(" of {}", figures::size(size)))
        .unwrap_or_default();
    frame.render_widget(
        Line::styled(format!("the first {read}{whole}"), theme.dim),
        below,
    );
    above
}

fn above_end(area: Rect, cut: Option<CutAt>) -> (Rect, Rect) {
    let end = u16::from(cut.is_some());
    let [above, below] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(end)]).areas(area);
    (above, below)
}

fn more<'a>(theme: &Theme) -> Line<'a> {
    Line::styled("…", theme.dim)
}

/// `1,200.50`, `-3 %`
fn is_figure(cell: &str) -> bool {
    cell.contains(|c: char| c.is_ascii_digit())
        && cell
            .chars()
            .all(|c| c.is_ascii_digit() || "+-., %".contains(c))
}

/// The first row does not scroll, because it usually names the columns.
fn table_lines<'a>(
    table: &'a PreviewTable,
    area: Rect,
    scroll: usize,
    theme: &'a Theme,
) -> impl Iterator<Item = Line<'a>> {
    let shown = table
        .rows
        .iter()
        .skip(1 + scroll)
        .take(usize::from(area.height));
    let rows = || table.rows.first().into_iter().chain(shown.clone());
    let columns = rows().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        rows()
            .filter_map(|row| row.get(column))
            .map(|cell| width(cell))
            .max()
            .unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..columns)
        .map(|column| widest(column).clamp(1, WIDEST_COLUMN))
        .collect();
    // A single column may take the whole width.
    if let [only] = widths.as_mut_slice() {
        *only = usize::from(area.width);
    }
    let is_figures = |column: usize| {
        let mut cells = table
            .rows
            .iter()
            .skip(1)
            .filter_map(|row| row.get(column))
            .filter(|cell| !cell.is_empty());
        cells.clone().next().is_some() && cells.all(|cell| is_figure(cell))
    };
    let figures: Vec<bool> = (0..columns).map(is_figures).collect();
    let room = usize::from(area.width);
    let sum = |widths: &[usize]| {
        widths
            .iter()
            .map(|width| width + 2)
            .sum::<usize>()
            .saturating_sub(2)
    };
    // Headings of number columns are cut first, as little as possible.
    let of_figures = |column: usize| {
        shown
            .clone()
            .filter_map(|row| row.get(column))
            .map(|cell| width(cell))
            .max()
    };
    let narrower = |most: usize| -> Vec<usize> {
        let least = |column: usize| {
            of_figures(column)
                .filter(|_| figures[column])
                .map(|least| least.max(most))
        };
        widths
            .iter()
            .enumerate()
            .map(|(column, width)| least(column).map_or(*width, |least| least.min(*width)))
            .collect()
    };
    widths = (0..=WIDEST_COLUMN)
        .rev()
        .map(narrower)
        .find(|widths| sum(widths) <= room)
        .unwrap_or(widths);
    // A truncated number would read as another number: columns are shown in full or not at all.
    let needed = |count: usize| sum(widths.get(..count).unwrap_or_default());
    // The heading shows how many are hidden.
    let hidden = |count: usize| format!("+{}", columns - count);
    let fitting = if needed(columns) <= room {
        columns
    } else {
        (1..columns)
            .rev()
            .find(|count| needed(*count) + 2 + hidden(*count).len() <= room)
            .unwrap_or(1)
    };
    widths.truncate(fitting);
    let more = (fitting < columns).then(|| hidden(fitting));
    let line = move |row: &Vec<String>, more: Option<String>, style: Style| {
        let cells = widths
            .iter()
            .zip(&figures)
            .enumerate()
            .map(|(column, (width, is_figure))| {
                let cell = row.get(column).map_or("", String::as_str);
                let cell = truncate(cell, *width);
                if *is_figure {
                    right(&cell, *width)
                } else {
                    left(&cell, *width)
                }
            });
        let text = cells.chain(more).collect::<Vec<_>>().join("  ");
        Line::styled(truncate(&text, usize::from(area.width)).into_owned(), style)
    };
    let head = table
        .rows
        .first()
        .map(|row| line(row, more, theme.title.patch(theme.cursor)));
    let body: Vec<Line<'a>> = shown.map(|row| line(row, None, theme.text)).collect();
    head.into_iter().chain(body)
}
