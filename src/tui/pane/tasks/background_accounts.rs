//! Tasks of the accounts that the user switched away from, each with the account's name.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::row::TaskRows;
use crate::api::text::visible;
use crate::engine::Batch;
use crate::tui::pane::frame;
use crate::tui::state::{AccountSession, State, TaskRow};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{truncate_middle, width};

const WIDEST_NAME: usize = 24;

/// `acme: 2 tasks`; empty if there are none.
pub(crate) fn counts(state: &State) -> String {
    let count = |session: &AccountSession| {
        let unfinished = session.tasks.totals().unfinished;
        format!("{}: {}", name(session), figures::count(unfinished, "task"))
    };
    state
        .background_work()
        .map(count)
        .collect::<Vec<_>>()
        .join("  ")
}

/// Draws the tasks below the `own` rows of this account; returns the area left for those.
pub(crate) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    own: usize,
    state: &State,
    theme: &Theme,
) -> Rect {
    let left = room(area, own, state);
    let below = frame::below(area, rows(own).min(left.height));
    for (at, (name, batch)) in (0..area.height - left.height).zip(live(state)) {
        let area = frame::row(below, at);
        let lead = format!(" {name}  ");
        let used = rows(width(&lead)).min(area.width);
        frame.render_widget(Span::styled(lead, theme.account), area);
        let rest = Rect {
            x: area.x + used,
            width: area.width - used,
            ..area
        };
        TaskRows::new(rest.width, &[TaskRow::Batch(batch)], state, theme).draw(frame, rest, batch);
    }
    left
}

/// The area left for the `own` rows of this account: at least half.
pub(crate) fn room(area: Rect, own: usize, state: &State) -> Rect {
    let most = area.height.saturating_sub(rows(own)).max(area.height / 2);
    Rect {
        height: area.height - rows(live(state).count()).min(most),
        ..area
    }
}

fn live(state: &State) -> impl Iterator<Item = (String, &Batch)> {
    let batches = state.background_work().flat_map(|session| {
        session
            .tasks
            .current()
            .iter()
            .map(|batch| (name(session), &**batch))
    });
    batches.filter(|(_, batch)| batch.is_live())
}

fn rows(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn name(session: &AccountSession) -> String {
    truncate_middle(&visible(session.account.name()), WIDEST_NAME).into_owned()
}
