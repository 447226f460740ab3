//! CRM limits: the view of all reports, and the pane of the strip with the fullest types.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::{chart, lines, lists, overall};
use crate::tui::areas::{self, Limits};
use crate::tui::pane::hit_target::ListBox;
use crate::tui::state::State;
use crate::tui::style::theme::Theme;

pub(crate) use super::corner::badge;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let parts = areas::limits(area, state);
    if parts.overall.height > 0 {
        overall::draw(frame, parts.overall, state, theme);
    }
    if parts.is_inside {
        lines::draw_inside(frame, parts.table, state, theme);
    } else {
        lists::draw(frame, &parts, state, theme);
    }
    if let Some(chart) = parts.chart {
        chart::draw(frame, chart, state, theme);
    }
    if let Some(aside) = parts.aside {
        lines::draw_aside(frame, aside, state, theme);
    }
}

pub(crate) fn list_boxes(parts: &Limits, state: &State) -> Vec<ListBox> {
    if parts.is_inside {
        lines::list_boxes(parts, state)
    } else {
        lists::list_boxes(parts, state)
    }
}
