//! The keys that can follow those pressed so far: a box at the bottom of the body.

use ratatui::Frame;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};

use crate::tui::keymap::Action;
use crate::tui::pane::actions::{self, Availability, Refusal};
use crate::tui::state::{State, WhichKey};
use crate::tui::style::symbols::{DOWN, UP};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, truncate, truncate_middle, upper_first, width};

/// In cells. Narrower columns truncate descriptions.
const COLUMN: usize = 38;
/// Wider columns only add space between them.
const WIDEST_COLUMN: usize = 48;
/// The column width on low screens, so that no row is left out.
const LEAST_COLUMN: usize = 24;
/// A wide screen prefers longer columns, because short ones are hard to follow.
const LEAST_ROWS: usize = 4;

/// Returns the menu, once the user has paused for it, with the actions that apply, if any do.
pub(super) fn menu(state: &State) -> Option<WhichKey> {
    let mut menu = state.which_key()?;
    let applies = |(_, action): &(String, Action)| {
        !matches!(
            actions::available(state, *action),
            Availability::Refused(Refusal::Unfit { .. })
        )
    };
    if menu.rows.iter().any(applies) {
        menu.rows.retain(applies);
    }
    Some(menu)
}

struct Layout {
    area: Rect,
    content: Rect,
    columns: usize,
    rows: usize,
}

fn layout(body: Rect, which: &WhichKey) -> Layout {
    let inner = usize::from(body.width.saturating_sub(2));
    let len = which.rows.len().max(1);
    let needed = len.div_ceil(usize::from(body.height.saturating_sub(2)).max(1));
    let columns = (inner / COLUMN)
        .min((len / LEAST_ROWS).max(1))
        .max(needed.min(inner / LEAST_COLUMN))
        .clamp(1, len);
    let rows = which.rows.len().div_ceil(columns);
    let height = u16::try_from(rows)
        .unwrap_or(u16::MAX)
        .saturating_add(2)
        .min(body.height);
    let width = u16::try_from(columns * WIDEST_COLUMN + 2)
        .unwrap_or(u16::MAX)
        .min(body.width);
    let x = body.x + (body.width - width) / 2;
    let area = Rect {
        x,
        y: body.bottom() - height,
        width,
        height,
    };
    Layout {
        area,
        content: area.inner(Margin::new(1, 1)),
        columns,
        rows,
    }
}

pub(super) fn action_at(body: Rect, at: Position, which: &WhichKey) -> Option<Action> {
    let Layout {
        content,
        columns,
        rows,
        ..
    } = layout(body, which);
    if !content.contains(at) {
        return None;
    }
    let column = usize::from(at.x - content.x) / (usize::from(content.width) / columns).max(1);
    let (_, action) = which
        .rows
        .get(column * rows + usize::from(at.y - content.y))?;
    Some(*action)
}

/// Describes an action without the words that the title already contains.
fn label(action: Action) -> String {
    const SAID: [&str; 7] = [
        "Sort by ",
        "Copy a ",
        "Copy the ",
        "Go to the ",
        "Go to a ",
        "Go to ",
        "Find the ",
    ];
    let text = action.description();
    let rest = SAID
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))
        .unwrap_or(text);
    upper_first(rest)
}

pub(super) fn draw(frame: &mut Frame<'_>, body: Rect, which: &WhichKey, theme: &Theme) {
    let keys = which
        .rows
        .iter()
        .map(|(keys, _)| width(keys))
        .max()
        .unwrap_or(0);
    let Layout {
        area,
        content,
        columns,
        rows,
    } = layout(body, which);
    frame.render_widget(Clear, area);
    // The corners, a piece of border and padding.
    let title = usize::from(area.width).saturating_sub(width(&which.pressed) + 9);
    let lines = theme.focused_lines();
    let block = Block::bordered()
        .border_set(lines)
        .style(theme.panel)
        .border_style(theme.focused_border)
        .title(Line::from(vec![
            Span::styled(lines.horizontal_top, theme.focused_border),
            Span::styled(
                format!(" {}", truncate_middle(&which.title, title)),
                theme.title,
            ),
            Span::styled(format!("  {} … ", which.pressed), theme.dim),
        ]));
    frame.render_widget(block, area);
    let column = usize::from(content.width) / columns;
    for (y, at) in (content.y..content.bottom()).zip(0..rows) {
        let mut spans = Vec::new();
        for (key, action) in which.rows.iter().skip(at).step_by(rows.max(1)) {
            let order = which
                .order
                .filter(|(order, _)| order == action)
                .map(|(_, descends)| descends);
            let (arrow, style) = match order {
                Some(true) => (format!(" {DOWN}"), theme.title),
                Some(false) => (format!(" {UP}"), theme.title),
                None => (String::new(), theme.text),
            };
            let text = if *action == Action::LinkAuto {
                which.link.to_owned()
            } else {
                label(*action)
            };
            let text = format!(
                "{}{arrow}",
                truncate(&text, column.saturating_sub(keys + 3 + width(&arrow)))
            );
            spans.push(Span::styled(format!(" {} ", left(key, keys)), theme.cursor));
            spans.push(Span::styled(
                left(&text, column.saturating_sub(keys + 2)),
                style,
            ));
        }
        frame.render_widget(
            Line::from(spans),
            Rect {
                y,
                height: 1,
                ..content
            },
        );
    }
}
