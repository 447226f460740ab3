//! The tour: a few steps over the live screen, each in a small box beside the part that it
//! describes.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::frame::DialogFrame;
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::Reply;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::symbols::{DOWN, FROM, MOVE, UP};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tour {
    steps: Vec<TourStep>,
    at: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TourStep {
    pub title: &'static str,
    /// The text, safe to show.
    pub text: String,
    /// The part that it describes; `None` if the screen has nothing else.
    pub part: Option<Rect>,
    /// The column of the part that the arrow points to, if not the middle.
    pub at: Option<u16>,
}

impl TourStep {
    /// Returns as much of the part as a screen has that may have shrunk since.
    fn part_on(&self, screen: Rect) -> Option<Rect> {
        let part = self.part.map(|part| part.intersection(screen));
        part.filter(|part| !part.is_empty())
    }
}

const WIDTH: u16 = 56;
const SIDES: u16 = 6;
/// The height of the screen from which the text has padding above and below.
const AIR_FROM: u16 = 20;

impl Tour {
    pub fn set_steps(&mut self, steps: Vec<TourStep>) {
        self.steps = steps;
    }
}

impl Modal for Tour {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return Reply::Closed,
            KeyCode::Enter | KeyCode::Char(' ' | 'l' | 'j') | KeyCode::Right | KeyCode::Down => {
                if self.at + 1 == self.steps.len() {
                    return Reply::Closed;
                }
                self.at += 1;
            }
            KeyCode::Backspace | KeyCode::Char('h' | 'k') | KeyCode::Left | KeyCode::Up => {
                self.at = self.at.saturating_sub(1);
            }
            _ => {}
        }
        Reply::Open
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let Some(step) = self.steps.get(self.at) else {
            return Drawn::default();
        };
        let width = WIDTH.min(screen.width);
        let lines = text::wrap_without_widow(&step.text, usize::from(width.saturating_sub(SIDES)));
        let air = u16::from(screen.height >= AIR_FROM);
        let height = u16::try_from(lines.len() + 4)
            .unwrap_or(u16::MAX)
            .saturating_add(2 * air)
            .min(screen.height);
        let (area, arrow) = beside(step, width, height, screen);
        if let Some(part) = step.part_on(screen) {
            point_out(part, buf, theme);
        }
        let note = format!("{} of {}", self.at + 1, self.steps.len());
        let frame = DialogFrame {
            title: step.title,
            note: &note,
            width,
            lines: lines.len(),
            is_danger: false,
        };
        let mut pen = frame.fill(area, air, buf, theme);
        for line in &lines {
            // A key stays on the line with its meaning.
            pen.text(&line.replace('\u{a0}', " "), theme.text);
        }
        let is_last = self.at + 1 == self.steps.len();
        let mut keys = vec![("enter", if is_last { "end" } else { "next" })];
        if self.at > 0 {
            keys.push(("left", "back"));
        }
        keys.push(("esc", "leave"));
        pen.keys(&keys);
        let drawn = pen.done(None);
        if let Some((at, sign)) = arrow {
            buf.set_string(at.x, at.y, sign, theme.cursor);
        }
        drawn
    }

    fn shown_part(&self) -> Option<Rect> {
        self.steps.get(self.at).and_then(|step| step.part)
    }
}

/// Returns the box's place, which leaves the part visible, and the arrow on its border that points
/// there.
fn beside(
    step: &TourStep,
    width: u16,
    height: u16,
    screen: Rect,
) -> (Rect, Option<(Position, &'static str)>) {
    let Some(part) = step.part_on(screen) else {
        return (
            Rect {
                width,
                height,
                ..screen
            },
            None,
        );
    };
    let at = step.at.unwrap_or(part.x + part.width / 2);
    let x = at
        .saturating_sub(width / 2)
        .clamp(screen.x, screen.right() - width);
    let y = (part.y + part.height / 2)
        .saturating_sub(height / 2)
        .clamp(screen.y, screen.bottom() - height);
    let middle = Position {
        x: at.clamp(x + 1, x + width - 2),
        y: (part.y + part.height / 2).clamp(y + 1, y + height - 2),
    };
    let below = Rect {
        x,
        y: part.bottom(),
        width,
        height,
    };
    if below.bottom() <= screen.bottom() {
        return (
            below,
            Some((
                Position {
                    y: below.y,
                    ..middle
                },
                UP,
            )),
        );
    }
    if let Some(top) = part.y.checked_sub(height).filter(|top| *top >= screen.y) {
        return (
            Rect {
                x,
                y: top,
                width,
                height,
            },
            Some((
                Position {
                    y: part.y - 1,
                    ..middle
                },
                DOWN,
            )),
        );
    }
    if let Some(left) = part.x.checked_sub(width).filter(|left| *left >= screen.x) {
        return (
            Rect {
                x: left,
                y,
                width,
                height,
            },
            Some((
                Position {
                    x: part.x - 1,
                    ..middle
                },
                MOVE,
            )),
        );
    }
    if part.right() + width <= screen.right() {
        return (
            Rect {
                x: part.right(),
                y,
                width,
                height,
            },
            Some((
                Position {
                    x: part.right(),
                    ..middle
                },
                FROM,
            )),
        );
    }
    // There is no room beside the part, so its last rows are covered.
    (
        Rect {
            x,
            y: screen.bottom() - height,
            width,
            height,
        },
        None,
    )
}

/// Highlights the border of a pane; a part of a line keeps its colors.
fn point_out(part: Rect, buf: &mut Buffer, theme: &Theme) {
    // The rest is dimmed, so that a part of a line stands out by its colors.
    if part.height < 3 {
        return;
    }
    for area in [
        Rect { height: 1, ..part },
        Rect {
            y: part.bottom() - 1,
            height: 1,
            ..part
        },
        Rect { width: 1, ..part },
        Rect {
            x: part.right() - 1,
            width: 1,
            ..part
        },
    ] {
        buf.set_style(area, theme.focused_border);
    }
}
