//! Named styles for everything that is drawn, derived from the few colours of a theme file.
//! Views name a style, never a colour. Without colours, weight and reversal carry the same meaning.

mod palette;

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

pub use palette::{LineStyle, Palette};

/// Styles by meaning. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    pub text: Style,
    /// Less important: units, ages, columns that are seldom read.
    pub dim: Style,
    /// Headings of panes, columns and dialogs.
    pub title: Style,
    /// The one-line header and the account's name in it.
    pub header: Style,
    pub account: Style,
    /// The row under the cursor in the pane that has the focus.
    pub selected: Style,
    /// The row under the cursor in another pane.
    pub selected_unfocused: Style,
    pub marked: Style,
    /// Entries that are cut and wait for their new folder.
    pub cut: Style,
    /// A row or folder with work going on.
    pub busy: Style,
    pub error: Style,
    pub warn: Style,
    pub ok: Style,
    /// A key in hints, help and menus.
    pub key: Style,
    pub border: Style,
    pub focused_border: Style,
    pub access_indexable: Style,
    pub access_link: Style,
    pub access_private: Style,
    pub folder: Style,
    /// Addresses that can be copied.
    pub link: Style,
    /// Characters that a filter matched.
    pub matched: Style,
    /// A text field, and one that has the focus.
    pub input: Style,
    pub input_focused: Style,
    pub placeholder: Style,
    pub button: Style,
    pub button_focused: Style,
    pub gauge_ok: Style,
    pub gauge_warn: Style,
    pub gauge_full: Style,
    /// Characters of lines between panes and around dialogs.
    pub lines: LineStyle,
}

/// A theme file that cannot be used; says which line and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ThemeError(String);

impl Theme {
    /// Names that [`Theme::named`] knows.
    pub const NAMES: [&'static str; 3] = ["dark", "light", "mono"];

    /// A theme that comes with the program.
    pub fn named(name: &str) -> Option<Self> {
        let text = match name {
            "dark" => include_str!("../../assets/themes/dark.toml"),
            "light" => include_str!("../../assets/themes/light.toml"),
            "mono" => include_str!("../../assets/themes/mono.toml"),
            _ => return None,
        };
        Self::parse(text).ok()
    }

    /// Reads the text of a theme file.
    pub fn parse(text: &str) -> Result<Self, ThemeError> {
        toml::from_str::<Palette>(text)
            .map(|palette| Self::from_palette(&palette))
            .map_err(|error| ThemeError(error.to_string()))
    }

    /// Derives every style. A `reset` colour leaves its meaning to bold, underline and reversal.
    pub fn from_palette(palette: &Palette) -> Self {
        let plain = Style::new().fg(palette.text);
        let accent = plain.fg(palette.accent);
        let bad = plain.fg(palette.bad).add_modifier(Modifier::BOLD);
        let reversed = Style::new().add_modifier(Modifier::REVERSED);
        let selected = match palette.selection {
            Color::Reset => reversed,
            color => Style::new().bg(color).add_modifier(Modifier::BOLD),
        };
        let is_mono = palette.accent == Color::Reset;
        Self {
            text: plain,
            dim: plain.fg(palette.dim),
            title: accent.add_modifier(Modifier::BOLD),
            header: plain,
            account: accent.add_modifier(Modifier::BOLD),
            selected,
            selected_unfocused: match palette.selection {
                Color::Reset => Style::new().add_modifier(Modifier::UNDERLINED),
                color => Style::new().bg(color),
            },
            marked: plain.fg(palette.mark).add_modifier(Modifier::BOLD),
            cut: plain.fg(palette.dim).add_modifier(Modifier::ITALIC),
            busy: plain.fg(palette.warn).add_modifier(Modifier::ITALIC),
            error: bad,
            warn: plain.fg(palette.warn),
            ok: plain.fg(palette.good),
            key: accent.add_modifier(Modifier::BOLD),
            border: plain.fg(palette.border),
            focused_border: accent,
            access_indexable: plain.fg(palette.warn),
            access_link: accent,
            access_private: plain.fg(palette.good),
            folder: plain.fg(palette.folder).add_modifier(Modifier::BOLD),
            link: accent.add_modifier(Modifier::UNDERLINED),
            matched: accent.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            input: plain.add_modifier(Modifier::UNDERLINED),
            input_focused: selected.remove_modifier(Modifier::BOLD),
            placeholder: plain.fg(palette.dim),
            button: plain,
            button_focused: if is_mono { reversed } else { accent.patch(reversed).add_modifier(Modifier::BOLD) },
            gauge_ok: plain.fg(palette.good),
            gauge_warn: plain.fg(palette.warn).add_modifier(Modifier::BOLD),
            gauge_full: bad,
            lines: palette.lines,
        }
    }

    /// Characters of a dialog's border.
    pub fn border_set(&self) -> border::Set<'static> {
        match self.lines {
            LineStyle::Light => border::PLAIN,
            LineStyle::Ascii => border::Set {
                top_left: "+",
                top_right: "+",
                bottom_left: "+",
                bottom_right: "+",
                vertical_left: "|",
                vertical_right: "|",
                horizontal_top: "-",
                horizontal_bottom: "-",
            },
        }
    }

    /// How full something is, as a style: plain below 75 %, a warning below 90 %, then full.
    pub fn gauge(&self, percent: f64) -> Style {
        match percent {
            p if p >= 90.0 => self.gauge_full,
            p if p >= 75.0 => self.gauge_warn,
            _ => self.gauge_ok,
        }
    }
}

impl Default for Theme {
    /// Without any colour: what is left when nothing else was chosen.
    fn default() -> Self {
        let reset = Color::Reset;
        Self::from_palette(&Palette {
            text: reset,
            dim: reset,
            accent: reset,
            folder: reset,
            good: reset,
            warn: reset,
            bad: reset,
            mark: reset,
            border: reset,
            selection: reset,
            lines: LineStyle::Ascii,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_theme_can_be_read() {
        for name in Theme::NAMES {
            assert!(Theme::named(name).is_some(), "{name}");
        }
        assert_eq!(Theme::named("mono"), Some(Theme::default()));
        assert_eq!(Theme::named("neon"), None);
    }

    #[test]
    fn without_colors_the_selected_row_is_still_reversed_and_a_mark_bold() {
        let mono = Theme::default();
        assert!(mono.selected.add_modifier.contains(Modifier::REVERSED));
        assert!(mono.marked.add_modifier.contains(Modifier::BOLD));
        assert!(mono.button_focused.add_modifier.contains(Modifier::REVERSED));
    }

    #[test]
    fn a_misspelt_name_or_color_is_named_in_the_error() {
        let dark = include_str!("../../assets/themes/dark.toml");
        let unknown = Theme::parse(&dark.replace("accent", "acent")).unwrap_err().to_string();
        assert!(unknown.contains("acent"), "{unknown}");
        let color = Theme::parse(&dark.replace("\"cyan\"", "\"cyano\"")).unwrap_err().to_string();
        assert!(color.contains("cyano"), "{color}");
    }
}
