//! How many colours a terminal has, and themes made to fit.

use anstyle::{Ansi256Color, RgbColor};
use ratatui::style::Color;

use super::palette::Palette;

/// Colours of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// None, or none wanted (`NO_COLOR`).
    Mono,
    /// The sixteen that every terminal names.
    Ansi,
    Indexed,
    #[default]
    True,
}

impl Depth {
    /// What the environment says of the terminal.
    pub fn detect() -> Self {
        let term = std::env::var("TERM").unwrap_or_default();
        if anstyle_query::no_color() || !anstyle_query::term_supports_color() {
            Self::Mono
        } else if anstyle_query::truecolor() || term.ends_with("-direct") {
            Self::True
        } else if term.contains("256") {
            Self::Indexed
        } else {
            Self::Ansi
        }
    }

    /// The nearest colours that the terminal has. For fewer than 256 a palette of their own is better.
    pub(super) fn fit(self, palette: Palette) -> Palette {
        match self {
            Self::Indexed => palette.map(indexed),
            _ => palette,
        }
    }
}

fn indexed(color: Color) -> Color {
    match color {
        Color::Rgb(r, g, b) => {
            let Ansi256Color(index) = anstyle_lossy::rgb_to_xterm(RgbColor(r, g, b));
            Color::Indexed(index)
        }
        color => color,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_with_256_colors_gets_the_nearest_ones() {
        assert_eq!(indexed(Color::Rgb(0xff, 0, 0)), Color::Indexed(196));
        assert_eq!(indexed(Color::Rgb(0x16, 0x18, 0x1d)), Color::Indexed(234));
        assert_eq!(indexed(Color::Cyan), Color::Cyan);
    }
}
