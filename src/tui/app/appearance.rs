//! The look of the screen on this terminal: themes by name, adapted to its colors.

use std::collections::BTreeMap;

use crate::config::{AUTO, quoted};
use crate::tui::style::theme::{Depth, Theme, ThemeColors};
use crate::tui::terminal::probe::{Probe, Rgb};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Appearance {
    /// The user's own themes by name.
    pub own: BTreeMap<String, ThemeColors>,
    pub depth: Depth,
    /// Set for screen readers.
    pub is_plain: bool,
}

impl Appearance {
    pub fn plain() -> Self {
        Self {
            own: BTreeMap::new(),
            depth: Depth::Mono,
            is_plain: true,
        }
    }

    /// Returns a warning with the allowed names if there is no such theme.
    pub fn refusal(&self, name: &str) -> Option<String> {
        if name == AUTO || self.own.contains_key(name) || Theme::names().any(|known| known == name)
        {
            return None;
        }
        let names = Theme::names().collect::<Vec<_>>().join(", ");
        Some(format!(
            "theme = {} is not {AUTO}, {names} or a file in the themes folder; {AUTO} is used",
            quoted(name)
        ))
    }

    /// The theme with this name, adapted to the probed terminal. One that leaves the background to
    /// the terminal paints its own if the terminal's does not match or is unknown.
    pub fn theme(&self, name: &str, probe: &Probe) -> Theme {
        if self.is_plain {
            return Theme::plain();
        }
        let theme = self.wanted(name, probe);
        probe
            .background
            .map(|Rgb(red, green, blue)| theme.clone().on([red, green, blue]))
            .unwrap_or(theme)
    }

    fn wanted(&self, name: &str, probe: &Probe) -> Theme {
        if let Some(colors) = self.own.get(name) {
            return Theme::own(colors, self.depth).unwrap_or_default();
        }
        let background = probe.background.map(|background| {
            if background.is_dark() {
                "dark"
            } else {
                "light"
            }
        });
        let named = |name: &str| Theme::named(name, self.depth).unwrap_or_default();
        if name == AUTO {
            return named(background.unwrap_or("dark"));
        }
        let is_foreign = ["dark", "light"].contains(&name) && background != Some(name);
        if is_foreign {
            named(name).painted()
        } else {
            named(name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::TomlText;

    #[test]
    fn a_theme_that_there_is_not_is_warned_of_without_being_repeated() {
        let (mine, _) = Theme::read(&TomlText::default());
        let appearance = Appearance {
            own: [("mine".to_owned(), mine.unwrap())].into(),
            ..Appearance::default()
        };
        for known in ["auto", "nord", "mine"] {
            assert_eq!(appearance.refusal(known), None);
        }
        let warning = appearance.refusal("pat-na1-canary").unwrap();
        assert!(
            warning.contains("tokyo-night") && !warning.contains("canary"),
            "{warning}"
        );
        assert!(
            appearance
                .refusal("neon")
                .unwrap()
                .starts_with("theme = \"neon\" is not auto, dark")
        );
    }

    #[test]
    fn without_a_choice_the_background_decides() {
        let appearance = Appearance::default();
        let on = |name, background| {
            appearance.theme(
                name,
                &Probe {
                    background,
                    ..Probe::default()
                },
            )
        };
        let named = |name| Theme::named(name, Depth::True).unwrap();
        assert_eq!(
            on("auto", Some(Rgb(250, 250, 240))),
            named("light").on([250, 250, 240])
        );
        assert_eq!(
            on("auto", Some(Rgb(10, 10, 20))),
            named("dark").on([10, 10, 20])
        );
        assert_eq!(on("auto", None), named("dark"));
        assert_eq!(on("light", Some(Rgb(0, 0, 0))), named("light").painted());
        assert_eq!(on("nord", Some(Rgb(255, 255, 255))), named("nord"));
    }
}
