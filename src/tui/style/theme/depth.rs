//! The color depth of a terminal, and themes adapted to it.

use anstyle::{Ansi256Color, RgbColor};
use ratatui::style::Color;

use super::colors::ThemeColors;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// No colors, or none wanted (`NO_COLOR`).
    Mono,
    /// The sixteen standard colors.
    Ansi,
    Indexed,
    #[default]
    True,
}

impl Depth {
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

    /// Maps a palette to 256 colors. Smaller depths have themes of their own instead.
    pub(super) fn fit(self, palette: ThemeColors) -> ThemeColors {
        match self {
            Self::Indexed => palette.map(|color| self.nearest(color)),
            _ => palette,
        }
    }

    pub(super) fn nearest(self, color: Color) -> Color {
        match (self, color) {
            (Self::Indexed, Color::Rgb(r, g, b)) => {
                let Ansi256Color(index) = anstyle_lossy::rgb_to_xterm(RgbColor(r, g, b));
                Color::Indexed(index)
            }
            (Self::Ansi, Color::Rgb(r, g, b)) => {
                let ansi =
                    anstyle_lossy::rgb_to_ansi(RgbColor(r, g, b), anstyle_lossy::palette::VGA);
                Color::Indexed(Ansi256Color::from_ansi(ansi).index())
            }
            (Self::Mono, _) => Color::Reset,
            (_, color) => color,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_the_nearest_color_that_it_has() {
        let (red, dark) = (Color::Rgb(0xff, 0, 0), Color::Rgb(0x16, 0x18, 0x1d));
        assert_eq!(Depth::Indexed.nearest(red), Color::Indexed(196));
        assert_eq!(Depth::Indexed.nearest(dark), Color::Indexed(234));
        assert_eq!(Depth::Indexed.nearest(Color::Cyan), Color::Cyan);
        assert_eq!(
            (Depth::Ansi.nearest(red), Depth::Ansi.nearest(dark)),
            (Color::Indexed(1), Color::Indexed(0))
        );
        assert_eq!(
            (Depth::True.nearest(red), Depth::Mono.nearest(red)),
            (red, Color::Reset)
        );
    }
}
