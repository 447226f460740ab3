//! Named styles for everything drawn, derived from the few colors of a theme file. Views name a
//! style, never a color. Without colors, weight and reversal carry the same meaning.

mod code;
mod colors;
mod depth;
mod shade;
mod shipped;
mod user_theme;

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

pub use code::CodeStyles;
pub use colors::ThemeColors;
pub use depth::Depth;

use crate::config::{AccountColor, TomlText, Warning};
use crate::tui::style::symbols;

/// Styles by meaning. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// The background of everything.
    pub backdrop: Style,
    pub text: Style,
    /// Less important text: units, ages, seldom-read columns.
    pub dim: Style,
    /// Separator lines.
    pub faint: Style,
    /// The title of a pane or dialog; a pane without the focus uses `dim`.
    pub title: Style,
    /// The one-line header and its parts.
    pub header: Style,
    pub brand: Style,
    pub account: Style,
    /// A production account, where other people would see a mistake.
    pub production: Style,
    pub tab: Style,
    pub open_tab: Style,
    /// The row under the cursor in the focused pane, and the sign at its left.
    pub selected: Style,
    pub cursor: Style,
    /// The row under the cursor in another pane.
    pub selected_unfocused: Style,
    pub marked: Style,
    /// Entries that were cut and wait to be pasted.
    pub cut: Style,
    /// A row or folder that a job is changing.
    pub busy: Style,
    pub error: Style,
    pub warn: Style,
    pub ok: Style,
    /// A key in hints, help and menus.
    pub key: Style,
    pub border: Style,
    pub focused_border: Style,
    pub danger_border: Style,
    pub public: Style,
    pub unlisted: Style,
    pub private: Style,
    pub sensitive: Style,
    pub folder: Style,
    /// Glyphs of pictures, sound and film, documents, archives.
    pub picture: Style,
    pub media: Style,
    pub document: Style,
    pub archive: Style,
    /// URLs that can be copied.
    pub link: Style,
    pub code: CodeStyles,
    /// Characters that a filter matched.
    pub matched: Style,
    /// The background of a dialog.
    pub panel: Style,
    /// A text field, without and with the focus.
    pub input: Style,
    pub input_focused: Style,
    pub placeholder: Style,
    pub button: Style,
    pub button_focused: Style,
    /// A button whose action cannot be undone.
    pub danger: Style,
    pub danger_focused: Style,
    /// The empty part of a gauge, its levels, and the level of a gauge that has no thresholds.
    pub track: Style,
    pub gauge_ok: Style,
    pub gauge_warn: Style,
    pub gauge_full: Style,
    pub gauge: Style,
    accounts: [Style; AccountColor::ALL.len()],
    shade: shade::Shade,
    depth: Depth,
    mode: ThemeMode,
    background: [u8; 3],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ThemeMode {
    Colored,
    /// Bold, underline and reversal carry the meaning.
    Mono,
    /// For screen readers.
    Plain,
}

impl Theme {
    /// The names that [`Theme::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        shipped::names()
    }

    /// A built-in theme, adapted to the color depth: with sixteen colors it becomes `ansi`, without
    /// colors `mono`.
    pub fn named(name: &str, depth: Depth) -> Option<Self> {
        let (_, wanted) = shipped::find(name)?;
        let stands_in = match depth {
            Depth::Mono => Some("mono"),
            Depth::Ansi if name != "mono" => Some("ansi"),
            _ => None,
        };
        let (_, text) = stands_in.and_then(shipped::find).unwrap_or((name, wanted));
        toml::from_str(text)
            .ok()
            .map(|palette| Self::fitted(palette, depth))
    }

    /// Reads a user's theme file. An error in it leaves the color of the theme that it is based on.
    pub fn read(text: &TomlText) -> (Option<ThemeColors>, Vec<Warning>) {
        user_theme::read(text)
    }

    /// A user's theme, adapted to the color depth: if its colors are not available, `ansi` or
    /// `mono` takes its place.
    pub fn own(palette: &ThemeColors, depth: Depth) -> Option<Self> {
        let has_its_colors = match depth {
            Depth::Mono => false,
            Depth::Ansi => palette.clone().map(|color| depth.nearest(color)) == *palette,
            Depth::Indexed | Depth::True => true,
        };
        if has_its_colors {
            Some(Self::fitted(palette.clone(), depth))
        } else {
            Self::named("ansi", depth)
        }
    }

    /// The typical colors of a built-in theme; empty if it has none at this depth.
    pub fn swatch(name: &str, depth: Depth) -> Vec<Style> {
        let theme = Self::named(name, depth).filter(|theme| !theme.is_mono());
        theme
            .map(|theme| [theme.cursor, theme.ok, theme.warn, theme.error].to_vec())
            .unwrap_or_default()
    }

    fn fitted(palette: ThemeColors, depth: Depth) -> Self {
        let background = background(palette.base);
        let theme = Self::from_palette(&depth.fit(palette));
        let depth = if theme.is_mono() { theme.depth } else { depth };
        Self {
            depth,
            background,
            ..theme
        }
    }

    /// The theme for a terminal with this background, which applies unless the theme paints its
    /// own.
    #[must_use]
    pub fn on(self, background: [u8; 3]) -> Self {
        let is_painted = self.backdrop.bg.is_some_and(|color| color != Color::Reset);
        if is_painted {
            self
        } else {
            Self { background, ..self }
        }
    }

    /// The background color as far as it is known: if the terminal does not report it, the one the
    /// theme is made for.
    pub fn background(&self) -> [u8; 3] {
        self.background
    }

    /// The theme with its own background painted, for a terminal whose background does not match.
    #[must_use]
    pub fn painted(self) -> Self {
        Self {
            backdrop: self.backdrop.bg(self.shade.base()),
            ..self
        }
    }

    /// The theme for screen readers: only the terminal's cursor marks the row, so that moving it
    /// changes no cell.
    pub fn plain() -> Self {
        let none = Style::new();
        Self {
            mode: ThemeMode::Plain,
            selected: none,
            selected_unfocused: none,
            focused_border: none,
            danger_border: none,
            ..Self::default()
        }
    }

    /// Derives every style. For a `reset` color, bold, underline and reversal carry the meaning.
    pub fn from_palette(palette: &ThemeColors) -> Self {
        let bold = Modifier::BOLD;
        let is_mono = palette.accent == Color::Reset;
        let backdrop = if palette.paint {
            palette.base
        } else {
            Color::Reset
        };
        let fg = |color| Style::new().fg(color);
        let by_mode = |mono: Style, colored: Style| if is_mono { mono } else { colored };
        // Dark text on a bright background; without colors, reversed text.
        let on = |color| {
            let reversed = Style::new().add_modifier(Modifier::REVERSED);
            by_mode(reversed, fg(palette.base).bg(color))
        };
        // Where colors cannot mark something, bold does.
        let strong = |color| by_mode(fg(color).add_modifier(bold), fg(color));
        let raised = match palette.raised {
            Color::Reset => Style::new().add_modifier(Modifier::REVERSED),
            color => fg(palette.text).bg(color),
        };
        let danger = by_mode(raised, fg(palette.text).bg(palette.danger));
        Self {
            backdrop: fg(palette.text).bg(backdrop),
            text: fg(palette.text),
            dim: fg(palette.dim),
            faint: fg(palette.faint),
            title: fg(palette.text).add_modifier(bold),
            header: fg(palette.dim).bg(palette.panel),
            brand: on(palette.accent).add_modifier(bold),
            account: fg(palette.text).bg(palette.raised).add_modifier(bold),
            production: danger.add_modifier(bold),
            tab: fg(palette.dim),
            open_tab: by_mode(raised, raised.add_modifier(bold)),
            selected: match palette.row {
                Color::Reset => Style::new().add_modifier(Modifier::REVERSED),
                color => Style::new().bg(color),
            },
            cursor: strong(palette.accent),
            selected_unfocused: match palette.row {
                Color::Reset => Style::new().add_modifier(bold),
                color => Style::new().bg(color),
            },
            marked: strong(palette.mark),
            cut: fg(palette.dim).add_modifier(Modifier::ITALIC),
            busy: fg(palette.warn),
            error: strong(palette.bad),
            warn: fg(palette.warn),
            ok: fg(palette.good),
            key: by_mode(Style::new().add_modifier(bold), raised.add_modifier(bold)),
            border: fg(palette.faint),
            focused_border: strong(palette.accent),
            danger_border: strong(palette.bad),
            public: fg(palette.warn),
            unlisted: fg(palette.accent),
            private: fg(palette.good),
            sensitive: fg(palette.mark),
            folder: fg(palette.folder),
            picture: fg(palette.mark),
            media: fg(palette.accent),
            document: fg(palette.dim),
            archive: fg(palette.warn),
            link: by_mode(
                fg(palette.accent).add_modifier(Modifier::UNDERLINED),
                fg(palette.accent),
            ),
            code: CodeStyles::new(palette),
            matched: fg(palette.accent).add_modifier(bold | Modifier::UNDERLINED),
            panel: fg(palette.text).bg(palette.panel),
            input: by_mode(
                Style::new().add_modifier(Modifier::UNDERLINED),
                fg(palette.text).bg(palette.track),
            ),
            input_focused: by_mode(
                Style::new().add_modifier(bold | Modifier::UNDERLINED),
                fg(palette.text).bg(palette.row),
            ),
            placeholder: by_mode(Style::new().remove_modifier(bold), fg(palette.dim)),
            button: by_mode(Style::new(), raised),
            button_focused: on(palette.accent).add_modifier(bold),
            danger: by_mode(Style::new(), danger),
            danger_focused: on(palette.bad).add_modifier(bold),
            track: by_mode(Style::new(), fg(palette.faint).bg(palette.track)),
            gauge_ok: fg(palette.good),
            gauge_warn: strong(palette.warn),
            gauge_full: strong(palette.bad),
            gauge: fg(palette.accent),
            accounts: AccountColor::ALL
                .map(|color| on(account_color(color, palette)).add_modifier(bold)),
            shade: shade::Shade::new(palette),
            background: background(palette.base),
            depth: if is_mono { Depth::Mono } else { Depth::True },
            mode: if is_mono {
                ThemeMode::Mono
            } else {
                ThemeMode::Colored
            },
        }
    }

    /// The name of keys that are shown as arrows, for screen readers.
    pub fn spoken<'a>(&self, keys: &'a str) -> &'a str {
        match keys {
            "↑↓" if self.is_plain() => "up/down",
            "←→" if self.is_plain() => "left/right",
            _ => keys,
        }
    }

    /// Returns `true` for the theme of screen readers.
    pub fn is_plain(&self) -> bool {
        self.mode == ThemeMode::Plain
    }

    /// The sign left of the row under the cursor: blank if the row is reversed, which would cut the
    /// bar off.
    pub fn cursor_sign(&self) -> &'static str {
        if self.selected.add_modifier.contains(Modifier::REVERSED) {
            " "
        } else {
            symbols::CURSOR
        }
    }

    /// The same in a dialog, where only a character can tell it to a screen reader.
    pub fn dialog_cursor_sign(&self) -> &'static str {
        if self.is_plain() {
            ">"
        } else {
            self.cursor_sign()
        }
    }

    /// The sign in a pane without the focus, if colors cannot mark the row.
    pub fn unfocused_cursor_sign(&self) -> Option<&'static str> {
        (self.is_mono() && !self.is_plain()).then_some(symbols::CRUMB)
    }

    /// The border of the focused pane or a dialog; without colors it is the only mark.
    pub fn focused_lines(&self) -> border::Set<'static> {
        if self.is_mono() {
            border::THICK
        } else {
            border::ROUNDED
        }
    }

    /// The style of a fill level: normal below 75 %, a warning below 90 %, then full.
    pub fn level(&self, percent: f64) -> Style {
        match percent {
            p if p >= 90.0 => self.gauge_full,
            p if p >= 75.0 => self.gauge_warn,
            _ => self.gauge_ok,
        }
    }

    pub fn account_in(&self, color: AccountColor) -> Style {
        let at = AccountColor::ALL.iter().position(|known| *known == color);
        at.and_then(|at| self.accounts.get(at))
            .copied()
            .unwrap_or(self.account)
    }

    pub fn nearest(&self, color: Color) -> Color {
        self.depth.nearest(color)
    }

    pub fn is_mono(&self) -> bool {
        self.mode != ThemeMode::Colored
    }

    /// Fades what is drawn so far into the background, except `but`, to make a dialog stand out.
    pub fn shade(&self, buf: &mut ratatui::buffer::Buffer, but: Option<ratatui::layout::Rect>) {
        self.shade.over(buf, but);
    }
}

fn background(base: Color) -> [u8; 3] {
    match base {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::White => [u8::MAX; 3],
        _ => [0; 3],
    }
}

fn account_color(color: AccountColor, palette: &ThemeColors) -> Color {
    match color {
        AccountColor::Blue => palette.folder,
        AccountColor::Green => palette.good,
        AccountColor::Yellow => palette.warn,
        AccountColor::Red => palette.bad,
        AccountColor::Purple => palette.mark,
    }
}

impl Default for Theme {
    /// The theme without any color.
    fn default() -> Self {
        Self::from_palette(&ThemeColors::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_theme_can_be_read() {
        for name in Theme::names() {
            assert!(Theme::named(name, Depth::True).is_some(), "{name}");
        }
        assert_eq!(Theme::named("mono", Depth::True), Some(Theme::default()));
        assert_eq!(Theme::named("neon", Depth::True), None);
    }

    #[test]
    fn a_terminal_without_the_colors_of_a_theme_gets_one_that_it_can_show() {
        let named = |name, depth| Theme::named(name, depth).unwrap();
        assert_eq!(named("nord", Depth::Mono), Theme::default());
        assert_eq!(named("nord", Depth::Ansi), named("ansi", Depth::Ansi));
        assert_ne!(named("nord", Depth::Indexed), named("nord", Depth::True));
    }

    #[test]
    fn without_colors_the_selected_row_is_still_reversed_and_a_mark_bold() {
        let mono = Theme::default();
        assert!(mono.selected.add_modifier.contains(Modifier::REVERSED));
        assert!(mono.marked.add_modifier.contains(Modifier::BOLD));
        assert!(
            mono.button_focused
                .add_modifier
                .contains(Modifier::REVERSED)
        );
    }

    /// The contrast ratio of two colors, as defined by WCAG; `None` if the terminal chooses one.
    fn contrast(one: Color, other: Color) -> Option<f64> {
        let light = |color| {
            let Color::Rgb(r, g, b) = color else {
                return None;
            };
            let linear = |part: u8| match f64::from(part) / 255.0 {
                part @ ..0.04 => part / 12.92,
                part => ((part + 0.055) / 1.055).powf(2.4),
            };
            Some(0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05)
        };
        let (one, other) = (light(one)?, light(other)?);
        Some(one.max(other) / one.min(other))
    }

    #[test]
    fn code_can_be_read_on_the_ground_of_every_theme_and_its_parts_told_apart() {
        for (name, text) in shipped::ALL {
            let (theme, palette) = (
                Theme::named(name, Depth::True).unwrap(),
                toml::from_str::<ThemeColors>(text).unwrap(),
            );
            let CodeStyles {
                keyword,
                string,
                number,
                comment,
                function,
                name: names,
            } = theme.code;
            let mut colors: Vec<Color> = [keyword, string, number, comment, function, names]
                .iter()
                .filter_map(|style| style.fg)
                .collect();
            let faint = colors
                .iter()
                .find(|color| contrast(**color, palette.base).is_some_and(|ratio| ratio < 4.5));
            assert_eq!(faint, None, "{name}");
            colors.sort_by_key(ToString::to_string);
            colors.dedup();
            assert_eq!(
                colors.len(),
                if theme.cursor.fg == Some(Color::Reset) {
                    1
                } else {
                    6
                },
                "{name}"
            );
        }
    }

    #[test]
    fn a_theme_that_says_nothing_of_code_has_the_colors_of_the_screen_for_it() {
        let (without, _) = shipped::ALL[0].1.split_once("\n[code]\n").unwrap();
        let parsed = |text: &str| Theme::from_palette(&toml::from_str(text).unwrap());
        let theme = parsed(without);
        let CodeStyles {
            keyword,
            string,
            number,
            comment,
            function,
            name,
        } = theme.code.clone();
        let screen = [
            theme.marked,
            theme.ok,
            theme.warn,
            theme.dim,
            theme.folder,
            theme.cursor,
        ];
        assert_eq!([keyword, string, number, comment, function, name], screen);
        let with_string = parsed(&format!("{without}\n[code]\nstring = \"red\"\n"));
        assert_eq!(
            (with_string.code.string.fg, with_string.code.keyword),
            (Some(Color::Red), theme.code.keyword)
        );
    }

    #[test]
    fn a_theme_of_the_users_own_is_made_to_fit_as_those_of_the_program_are() {
        let palette = |text| {
            Theme::read(&TomlText::new("themes/mine.toml", text))
                .0
                .unwrap()
        };
        let (bright, few) = (
            palette("accent = \"#ff0000\""),
            palette("based_on = \"ansi\"\naccent = \"red\""),
        );
        let own = |palette, depth| Theme::own(palette, depth).unwrap();
        assert_eq!(
            own(&bright, Depth::True).cursor.fg,
            Some(Color::Rgb(255, 0, 0))
        );
        assert_eq!(
            own(&bright, Depth::Indexed).cursor.fg,
            Some(Color::Indexed(196))
        );
        assert_eq!(
            own(&bright, Depth::Ansi),
            Theme::named("ansi", Depth::Ansi).unwrap()
        );
        assert_eq!(own(&few, Depth::Ansi).cursor.fg, Some(Color::Red));
        assert_eq!(own(&few, Depth::Mono), Theme::default());
    }
}
