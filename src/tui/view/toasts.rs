//! Messages that go away by themselves, at the foot of the body, the newest at the bottom.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Clear;

use crate::tui::state::{Level, State};
use crate::tui::theme::Theme;
use crate::tui::widget::text::{left, width, wrap};

/// A longer message goes on in the activity log.
const MOST_LINES: usize = 3;

pub(super) fn draw(frame: &mut Frame<'_>, body: Rect, state: &State, theme: &Theme) {
    let most = usize::from(body.width.saturating_sub(4)).min(90);
    let mut bottom = body.bottom();
    for toast in state.toasts.iter().rev() {
        let (sign, style) = match toast.level {
            Level::Info => ("ok", theme.ok),
            Level::Warn => ("! ", theme.warn),
            Level::Error => ("!!", theme.error),
        };
        let lines: Vec<String> = wrap(&toast.text, most.saturating_sub(5)).into_iter().take(MOST_LINES).collect();
        let cells = lines.iter().map(|line| width(line)).max().unwrap_or(0) + 5;
        let height = u16::try_from(lines.len()).unwrap_or(0);
        if height == 0 || bottom < body.y.saturating_add(height) {
            return;
        }
        bottom -= height;
        let cells = u16::try_from(cells).unwrap_or(body.width).min(body.width);
        let area = Rect { x: body.right() - cells, y: bottom, width: cells, height };
        frame.render_widget(Clear, area);
        for (at, line) in (0..).zip(lines) {
            let sign = if at == 0 { sign } else { "  " };
            let text = left(&format!(" {sign} {line}"), usize::from(cells));
            let line = Line::styled(text, style.add_modifier(Modifier::REVERSED));
            frame.render_widget(line, Rect { y: area.y + at, height: 1, ..area });
        }
    }
}
