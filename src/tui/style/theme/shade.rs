//! Shades everything behind a dialog.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::colors::ThemeColors;

/// The share of a color that stays, in percent.
const KEPT: u16 = 45;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shade {
    base: Color,
    /// The color of text whose own color cannot be mixed.
    faint: Color,
}

impl Shade {
    pub(super) fn new(palette: &ThemeColors) -> Self {
        Self {
            base: palette.base,
            faint: palette.faint,
        }
    }

    pub(super) fn base(self) -> Color {
        self.base
    }

    /// Shades everything except `but`.
    pub(super) fn over(self, buf: &mut Buffer, but: Option<Rect>) {
        for at in buf
            .area
            .positions()
            .filter(|at| !but.is_some_and(|part| part.contains(*at)))
        {
            let Some(cell) = buf.cell_mut(at) else {
                continue;
            };
            if self.faint == Color::Reset {
                cell.modifier
                    .remove(Modifier::BOLD | Modifier::UNDERLINED | Modifier::REVERSED);
                cell.modifier.insert(Modifier::DIM);
                continue;
            }
            cell.fg = self.mixed(cell.fg).unwrap_or(self.faint);
            cell.bg = self.mixed(cell.bg).unwrap_or(Color::Reset);
            cell.modifier.remove(Modifier::BOLD | Modifier::REVERSED);
        }
    }

    fn mixed(self, color: Color) -> Option<Color> {
        let (Color::Rgb(r, g, b), Color::Rgb(to_r, to_g, to_b)) = (color, self.base) else {
            return None;
        };
        let mix = |from: u8, to: u8| {
            u8::try_from((u16::from(from) * KEPT + u16::from(to) * (100 - KEPT)) / 100)
                .unwrap_or(to)
        };
        Some(Color::Rgb(mix(r, to_r), mix(g, to_g), mix(b, to_b)))
    }
}
