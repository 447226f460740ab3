//! Tasks of the accounts that the user has left, each with the account's name.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::row::Rows;
use crate::api::text::visible;
use crate::engine::Batch;
use crate::tui::state::{Away, State};
use crate::tui::theme::Theme;
use crate::tui::view::pane;
use crate::tui::widget::figures;
use crate::tui::widget::text::{truncate_middle, width};

const WIDEST_NAME: usize = 24;

/// `acme: 2 tasks`; empty if there are none.
pub(super) fn counts(state: &State) -> String {
    let count = |away: &Away| format!("{}: {}", name(away), figures::count(away.tasks.totals().live, "task"));
    state.away.iter().map(count).collect::<Vec<_>>().join("  ")
}

/// Lists them below `own` rows of this account, which keep half of the area at least; gives the room of those.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, own: usize, state: &State, theme: &Theme) -> Rect {
    let batches = state.away.iter().flat_map(|away| away.tasks.top().iter().map(|batch| (name(away), batch)));
    let live: Vec<(String, &Batch)> = batches.filter(|(_, batch)| batch.is_live()).collect();
    let rows = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let most = area.height.saturating_sub(rows(own)).max(area.height / 2);
    let height = rows(live.len()).min(most);
    let room = area.height - height;
    let below = pane::below(area, rows(own).min(room));
    for (at, (name, batch)) in (0..height).zip(live) {
        let area = pane::row(below, at);
        let lead = format!(" {name}  ");
        let used = rows(width(&lead)).min(area.width);
        frame.render_widget(Span::styled(lead, theme.account), area);
        let rest = Rect { x: area.x + used, width: area.width - used, ..area };
        Rows::new(rest.width, state, theme).draw(frame, rest, batch);
    }
    Rect { height: room, ..area }
}

fn name(away: &Away) -> String {
    truncate_middle(&visible(away.account.name()), WIDEST_NAME).into_owned()
}
