//! Text to read, and often to copy: links, errors, the details of a task.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::frame;
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::Reply;
use crate::api::text::visible;
use crate::api::{AdvicePlace, Error};
use crate::engine::batch::{BatchId, JobId};
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text;

/// The subject of details that change with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Followed {
    Task(BatchId),
    Job(JobId),
    /// The error of a job, to which only the id of its service task is added.
    Failure(JobId),
    /// The task of the service that was looked up by its id.
    ServiceTask,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub title: String,
    /// The lines, safe to show; long ones are wrapped, and an empty one separates paragraphs.
    pub lines: Vec<String>,
    /// The text that `y` copies.
    pub copy: Option<String>,
    /// The name of the file into which `s` writes that text.
    pub save_as: Option<String>,
    /// The subject of these details, if they change with it.
    pub followed: Option<Followed>,
    scroll: usize,
}

impl Notice {
    pub fn new(title: impl Into<String>, lines: Vec<String>) -> Self {
        Self {
            title: title.into(),
            lines,
            copy: None,
            save_as: None,
            followed: None,
            scroll: 0,
        }
    }

    /// Creates details that change with their subject.
    pub fn following(followed: Followed, title: impl Into<String>, lines: Vec<String>) -> Self {
        Self {
            followed: Some(followed),
            ..Self::new(title, lines)
        }
    }

    /// Creates a full error: what failed, the service's words, the id to report, what to do next.
    pub fn problem(title: impl Into<String>, error: &Error) -> Self {
        let mut lines = vec![visible(&error.message).into_owned()];
        lines.extend(
            error
                .details
                .iter()
                .map(|detail| format!("- {}", visible(detail))),
        );
        lines.push(String::new());
        if let Some(advice) = error.advice(AdvicePlace::Screen) {
            lines.extend([advice, String::new()]);
        }
        let facts = [
            ("Status", error.status.map(|status| status.to_string())),
            ("Category", error.category.clone()),
            ("Correlation id", error.correlation_id.clone()),
        ];
        for (label, value) in facts {
            lines.extend(value.map(|value| format!("{label:14}  {}", visible(&value))));
        }
        if lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let title = title.into();
        let copy = format!("{title}\n{}", lines.join("\n"));
        Self {
            copy: Some(copy),
            ..Self::new(title, lines)
        }
    }
}

/// Wraps a line to this many cells. A value behind a label continues in its column.
fn broken(line: &str, cells: usize) -> Vec<String> {
    const WIDEST_LABEL: usize = 16;
    if text::width(line) <= cells {
        return vec![line.to_owned()];
    }
    let value = line.split_once("  ").map(|(_, value)| value.trim_start());
    let column = value.map_or(0, |value| text::width(line) - text::width(value));
    match value.filter(|_| (1..=WIDEST_LABEL).contains(&column)) {
        Some(value) => {
            let label = text::fitting_start(line, column);
            let labels = std::iter::once(label).chain(std::iter::repeat(""));
            let rows = labels.zip(text::wrap(value, cells.saturating_sub(column)));
            rows.map(|(label, row)| format!("{label:column$}{row}"))
                .collect()
        }
        None => text::wrap(line, cells),
    }
}

impl Modal for Notice {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return Reply::Closed,
            KeyCode::Char('j') | KeyCode::Down => {
                self.scroll = self.scroll.saturating_add(1).min(self.lines.len());
            }
            KeyCode::Char('k') | KeyCode::Up => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::Char('y') => {
                if let Some(copy) = &self.copy {
                    return Reply::Copy(copy.clone());
                }
            }
            KeyCode::Char('s') => {
                if let Some((name, text)) = self.save_as.clone().zip(self.copy.clone()) {
                    return Reply::Save { name, text };
                }
            }
            _ => {}
        }
        Reply::Open
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let width = frame::inner_width(screen);
        let lines: Vec<String> = self
            .lines
            .iter()
            .flat_map(|line| broken(line, width))
            .collect();
        let mut pen = frame::open(&self.title, lines.len() + 2, screen, buf, theme);
        let room = pen.left().saturating_sub(2);
        let skipped = self.scroll.min(lines.len().saturating_sub(room));
        for line in lines.iter().skip(skipped).take(room) {
            pen.text(line, theme.text);
        }
        let mut keys = vec![("esc", "close")];
        if self.save_as.is_some() {
            keys.insert(0, ("s", "save"));
        }
        if self.copy.is_some() {
            keys.insert(0, ("y", "copy"));
        }
        if lines.len() > room {
            keys.push(("j k", "scroll"));
        }
        pen.keys(&keys);
        pen.done(None)
    }

    fn on_wheel(&mut self, by: isize) {
        self.scroll = self.scroll.saturating_add_signed(by).min(self.lines.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_does_not_fit_continues_in_its_column() {
        let wrapped = broken("Failed    /legal/terms.pdf: it was moved", 30);
        assert_eq!(
            wrapped,
            ["Failed    /legal/terms.pdf: it", "          was moved"]
        );
        assert_eq!(
            broken("words without a label wrap", 14),
            ["words without", "a label wrap"]
        );
    }
}
