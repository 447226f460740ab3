//! The accounts of a plan that copies files from one to another.

use ratatui::text::{Line, Span};

use crate::tui::style::symbols::DANGER;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text;

/// The accounts that files are copied between; safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSides {
    pub from: String,
    /// The folder of the source account that the names start from.
    pub folder: String,
    pub to: String,
    /// Set if the target is a production account.
    pub is_production: bool,
}

impl PlanSides {
    /// Names both accounts and their folders, and a production account that is changed. Folders that
    /// do not fit keep their ends; the accounts are never cut.
    pub(super) fn line(
        &self,
        [from, into]: [&str; 2],
        cells: usize,
        theme: &Theme,
    ) -> Line<'static> {
        let mark = if self.is_production {
            format!(" {DANGER} production ")
        } else {
            String::new()
        };
        let fixed = format!("@{}: → @{}:  {mark}", self.from, self.to);
        let room = cells.saturating_sub(text::width(&fixed));
        let room_from = room.saturating_sub(text::width(into)).max(room / 2);
        let from = text::truncate_start_at(from, "/", room_from);
        let into = text::truncate_start_at(into, "/", room.saturating_sub(text::width(&from)));
        Line::from(vec![
            Span::styled(format!("@{}:{from} → ", self.from), theme.text),
            Span::styled(format!("@{}:{into}", self.to), theme.title),
            Span::raw("  "),
            Span::styled(mark, theme.production),
        ])
    }
}
