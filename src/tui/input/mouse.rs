//! Mouse events as plain data, as `update` takes them.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub action: MouseAction,
    pub at: Position,
}

/// A press or a turn of the wheel; of the buttons, only the left one has a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseAction {
    Press,
    /// A move with the button held.
    Drag,
    Release,
    WheelUp,
    WheelDown,
}

impl Mouse {
    /// Converts a terminal event; `None` if it has no meaning here. With Shift, the mouse belongs
    /// to the terminal, to select text.
    pub fn of(event: MouseEvent) -> Option<Self> {
        let action = match event.kind {
            _ if event.modifiers.contains(KeyModifiers::SHIFT) => return None,
            MouseEventKind::Down(MouseButton::Left) => MouseAction::Press,
            MouseEventKind::Drag(MouseButton::Left) => MouseAction::Drag,
            MouseEventKind::Up(MouseButton::Left) => MouseAction::Release,
            MouseEventKind::ScrollUp => MouseAction::WheelUp,
            MouseEventKind::ScrollDown => MouseAction::WheelDown,
            _ => return None,
        };
        Some(Self {
            action,
            at: Position {
                x: event.column,
                y: event.row,
            },
        })
    }
}
