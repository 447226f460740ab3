//! The styles of code. A theme that does not set them gets those of the screen.

use ratatui::style::{Color, Modifier, Style};

use super::colors::ThemeColors;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeStyles {
    pub keyword: Style,
    pub string: Style,
    /// Numbers, escapes and constants of the language.
    pub number: Style,
    pub comment: Style,
    pub function: Style,
    /// Types, keys and attributes.
    pub name: Style,
}

impl CodeStyles {
    pub(super) fn new(palette: &ThemeColors) -> Self {
        let code = &palette.code;
        let or = |color: Option<Color>, other| Style::new().fg(color.unwrap_or(other));
        let keyword = or(code.keyword, palette.mark);
        let is_mono = keyword.fg == Some(Color::Reset);
        Self {
            keyword: if is_mono {
                keyword.add_modifier(Modifier::BOLD)
            } else {
                keyword
            },
            string: or(code.string, palette.good),
            number: or(code.number, palette.warn),
            comment: or(code.comment, palette.dim),
            function: or(code.function, palette.folder),
            name: or(code.r#type, palette.accent),
        }
    }
}
