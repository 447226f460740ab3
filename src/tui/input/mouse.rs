//! What the mouse did, and where: plain data, as `update` takes it.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Something that the mouse did at a cell of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub action: MouseAction,
    pub at: Position,
}

/// Of the buttons only the left one means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseAction {
    Press,
    /// Moved with the button down.
    Drag,
    Release,
    WheelUp,
    WheelDown,
}

impl Mouse {
    /// An event of the terminal, if it means anything here. With Shift the mouse belongs to the terminal, to select text.
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
        Some(Self { action, at: Position { x: event.column, y: event.row } })
    }
}
