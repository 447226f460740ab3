//! What may follow the keys pressed so far: a box at the foot of the body.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};

use crate::tui::state::WhichKey;
use crate::tui::theme::Theme;
use crate::tui::widget::text::{left, truncate, width};

/// A description with less is cut.
const COLUMN: usize = 38;

pub(super) fn draw(frame: &mut Frame<'_>, body: Rect, which: &WhichKey, theme: &Theme) {
    let keys = which.rows.iter().map(|(keys, _)| width(keys)).max().unwrap_or(0);
    let inner = usize::from(body.width.saturating_sub(2));
    let columns = (inner / COLUMN).clamp(1, which.rows.len().max(1));
    let rows = which.rows.len().div_ceil(columns);
    let height = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(2).min(body.height);
    let area = Rect { y: body.bottom() - height, height, ..body };
    frame.render_widget(Clear, area);
    let block = Block::bordered()
        .border_set(border::ROUNDED)
        .style(theme.panel)
        .border_style(theme.focused_border)
        .title(Span::styled(format!(" {} … ", which.pressed), theme.title));
    let content = block.inner(area);
    frame.render_widget(block, area);
    let column = inner / columns;
    for (y, at) in (content.y..content.bottom()).zip(0..rows) {
        let mut spans = Vec::new();
        for (key, description) in which.rows.iter().skip(at).step_by(rows.max(1)) {
            let text = truncate(description, column.saturating_sub(keys + 4));
            spans.push(Span::styled(format!(" {} ", left(key, keys)), theme.cursor));
            spans.push(Span::styled(left(&text, column.saturating_sub(keys + 2)), theme.text));
        }
        frame.render_widget(Line::from(spans), Rect { y, height: 1, ..content });
    }
}
