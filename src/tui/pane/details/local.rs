//! The details of a local file or folder: its preview, and the few facts that the disk provides.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::preview;
use crate::api::text::visible_local;
use crate::tui::pane::frame;
use crate::tui::state::{LocalRow, Pane, State};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{right, truncate_start, wrap};

const LABEL: usize = 9;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, is_peek: bool, state: &State, theme: &Theme) {
    let is_focused = frame::has_keys(state, Pane::Details);
    let row = state.local_in_details();
    let title = row.map(|row| {
        if row.entry.is_folder {
            format!("{}/", row.name)
        } else {
            row.name.clone()
        }
    });
    let title = title.unwrap_or_else(|| "No file".to_owned());
    let foot = if is_peek {
        Line::default()
    } else {
        let (preview, facts) = split(frame::inside(area), state);
        preview::foot(preview, facts, state, theme)
    };
    let boxed = frame::PaneBox {
        title: &title,
        foot,
        is_focused,
        zoom: frame::zoom(state, Pane::Details),
        ..Default::default()
    };
    let body = frame::padded(boxed.draw(frame, area, theme));
    if is_focused {
        frame.set_cursor_position((body.x, body.y));
    }
    let Some(row) = row else {
        frame.render_widget(
            Line::styled("Nothing is under the cursor.", theme.dim),
            frame::row(body, 0),
        );
        return;
    };
    if is_peek {
        let facts = facts(row, state, theme).into_iter();
        let lines = facts.map(|(label, value, style)| {
            Line::from(peeked(label, &value, style, body.width, theme))
        });
        for (at, line) in (0..body.height).zip(lines) {
            frame.render_widget(line, frame::row(body, at));
        }
        return;
    }
    let (preview, body) = split(body, state);
    if let Some(preview) = preview {
        preview::draw(frame, preview, state, theme);
        preview::draw_rule(frame, preview, body, state, theme);
    }
    for (at, line) in (0..body.height).zip(lines(row, usize::from(body.width), state, theme)) {
        frame.render_widget(line, frame::row(body, at));
    }
}

/// The areas of the preview, if there is one, and of the facts: below a file's preview, above a
/// folder's content.
pub(crate) fn split(body: Rect, state: &State) -> (Option<Rect>, Rect) {
    let row = state.local_in_details().filter(|_| state.panes.preview);
    let Some(row) = row else { return (None, body) };
    let len = lines(row, usize::from(body.width), state, &Theme::default()).len();
    let facts = Constraint::Length(u16::try_from(len).unwrap_or(u16::MAX).min(body.height / 2));
    if row.entry.is_folder || !preview::may_come_of_local(row, state) {
        let [facts, preview] = Layout::vertical([facts, Constraint::Fill(1)])
            .spacing(1)
            .areas(body);
        (Some(preview), facts)
    } else {
        let [preview, facts] = Layout::vertical([Constraint::Fill(1), facts])
            .spacing(1)
            .areas(body);
        // The facts directly follow the preview.
        let rows = preview::height(preview.width, preview.height, state).unwrap_or(preview.height);
        (
            Some(Rect {
                height: rows,
                ..preview
            }),
            Rect {
                y: preview.y + rows + 1,
                ..facts
            },
        )
    }
}

fn facts(row: &LocalRow, state: &State, theme: &Theme) -> Vec<(&'static str, String, Style)> {
    let size = row.entry.size.map(|size| match size {
        1 => "1 byte".to_owned(),
        size => format!("{} bytes", figures::grouped(size)),
    });
    let changed = row.entry.updated_at.map(|at| {
        format!(
            "{}, {}",
            figures::ago(at, state.now),
            figures::date_time(at, &state.zone)
        )
    });
    let kind = if row.entry.is_folder {
        "folder"
    } else {
        "file"
    };
    let path = visible_local(state.local_side.path(row).as_os_str());
    [
        Some((kind, path, theme.text)),
        size.map(|size| ("size", size, theme.text)),
        changed.map(|changed| ("changed", changed, theme.dim)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn lines<'a>(row: &LocalRow, cells: usize, state: &State, theme: &Theme) -> Vec<Line<'a>> {
    let room = cells.saturating_sub(LABEL + 1);
    let facts = facts(row, state, theme).into_iter();
    let lines = facts.flat_map(|(label, value, style)| {
        let labels = std::iter::once(label).chain(std::iter::repeat(""));
        let values = wrap(&value, room).into_iter();
        labels
            .zip(values)
            .map(move |(label, value)| (label, value, style))
            .collect::<Vec<_>>()
    });
    lines
        .map(|(label, value, style)| {
            Line::from(vec![
                Span::styled(format!("{} ", right(label, LABEL)), theme.dim),
                Span::styled(value, style),
            ])
        })
        .collect()
}

fn peeked<'a>(
    label: &'a str,
    value: &str,
    style: Style,
    cells: u16,
    theme: &Theme,
) -> Vec<Span<'a>> {
    let room = usize::from(cells).saturating_sub(label.len() + 1);
    vec![
        Span::styled(format!("{label} "), theme.dim),
        Span::styled(truncate_start(value, room).into_owned(), style),
    ]
}
