//! How the screen looks on this terminal: the theme and the symbols that were asked for, made to fit what it has.

use crate::config::{AUTO, Images, quoted};
use crate::tui::style::symbols::Symbols;
use crate::tui::style::theme::{Depth, Theme, ThemeColors};
use crate::tui::terminal::probe::Probe;

/// Which theme was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThemeChoice {
    /// One that suits the terminal's background.
    Auto,
    /// One that comes with the program.
    Named(String),
    /// One of the user's own.
    Own(Box<ThemeColors>),
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appearance {
    pub theme: ThemeChoice,
    pub depth: Depth,
    pub symbols: Symbols,
    pub images: Images,
}

impl Appearance {
    /// For a screen reader.
    pub fn plain() -> Self {
        Self { theme: ThemeChoice::Auto, depth: Depth::Mono, symbols: Symbols::Plain, images: Images::Off }
    }

    pub fn is_plain(&self) -> bool {
        self.symbols == Symbols::Plain
    }

    /// The theme of a setting; or what is allowed there.
    pub fn named(setting: &str) -> Result<ThemeChoice, String> {
        if setting == AUTO {
            return Ok(ThemeChoice::Auto);
        }
        if Theme::names().any(|name| name == setting) {
            return Ok(ThemeChoice::Named(setting.to_owned()));
        }
        let names = Theme::names().collect::<Vec<_>>().join(", ");
        Err(format!(
            "theme = {} is not {AUTO}, {names} or a file in the themes folder; {AUTO} is used",
            quoted(setting)
        ))
    }

    /// The theme for a terminal that said so much of itself. One that leaves the ground to the terminal brings its own
    /// where the terminal's is another, or is not known.
    pub fn theme(&self, probe: &Probe) -> Theme {
        if self.is_plain() {
            return Theme::plain();
        }
        let background = probe.background.map(|background| if background.is_dark() { "dark" } else { "light" });
        let named = |name: &str| Theme::named(name, self.depth).unwrap_or_default();
        match &self.theme {
            ThemeChoice::Auto => named(background.unwrap_or("dark")),
            ThemeChoice::Named(name) => {
                let is_foreign = ["dark", "light"].contains(&name.as_str()) && background != Some(name);
                if is_foreign { named(name).painted() } else { named(name) }
            }
            ThemeChoice::Own(palette) => Theme::own(palette, self.depth).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::terminal::probe::Rgb;

    #[test]
    fn a_theme_that_there_is_not_is_warned_of_without_being_repeated() {
        assert_eq!(Appearance::named("auto"), Ok(ThemeChoice::Auto));
        assert_eq!(Appearance::named("nord"), Ok(ThemeChoice::Named("nord".to_owned())));
        let warning = Appearance::named("pat-na1-canary").unwrap_err();
        assert!(warning.contains("tokyo-night") && !warning.contains("canary"), "{warning}");
        assert!(Appearance::named("neon").unwrap_err().starts_with("theme = \"neon\" is not auto, dark"));
    }

    #[test]
    fn without_a_choice_the_background_decides() {
        let look = Appearance {
            theme: ThemeChoice::Auto,
            depth: Depth::True,
            symbols: Symbols::Unicode,
            images: Images::Auto,
        };
        let on = |background| look.theme(&Probe { background, ..Probe::default() });
        let named = |name| Theme::named(name, Depth::True).unwrap();
        assert_eq!(on(Some(Rgb(250, 250, 240))), named("light"));
        assert_eq!(on(Some(Rgb(10, 10, 20))), named("dark"));
        assert_eq!(on(None), named("dark"));
        let light = Appearance { theme: ThemeChoice::Named("light".to_owned()), ..look.clone() };
        let on_dark = light.theme(&Probe { background: Some(Rgb(0, 0, 0)), ..Probe::default() });
        assert_eq!(on_dark, named("light").painted());
        let chosen = Appearance { theme: ThemeChoice::Named("nord".to_owned()), ..look };
        assert_eq!(chosen.theme(&Probe { background: Some(Rgb(255, 255, 255)), ..Probe::default() }), named("nord"));
    }
}
