//! The user's own themes: colors over a built-in theme. An error leaves the built-in color and
//! gives a warning.

use ratatui::style::Color;
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeValue;

use super::colors::ThemeColors;
use super::shipped::{self, find};
use crate::config::{TomlText, Warning};

const BASED_ON: &str = "based_on";
const USUAL_BASE: &str = "dark";
const PAINT: &str = "paint";
const CODE: &str = "code";
const CODE_ROLES: [&str; 6] = ["keyword", "string", "number", "comment", "function", "type"];

/// Reads a theme file. Returns `None` only if the built-in base could not be read either.
pub(super) fn read(text: &TomlText) -> (Option<ThemeColors>, Vec<Warning>) {
    let (table, mut warnings) = match text.table() {
        Ok(table) => (table, Vec::new()),
        Err(warning) => {
            let what = format!("{}; the theme {USUAL_BASE} is used", warning.what);
            (toml::de::DeTable::new(), vec![Warning { what, ..warning }])
        }
    };
    let named = table.iter().find(|(key, _)| key.get_ref() == BASED_ON);
    let base = named
        .and_then(|(_, value)| find(value.get_ref().as_str()?))
        .map(|(name, _)| name);
    if let Some((key, value)) = named.filter(|_| base.is_none()) {
        let known: Vec<&str> = shipped::names().collect();
        let (shown, known) = (text.shown(value), known.join(", "));
        let what = format!("{BASED_ON} = {shown} is not one of {known}; {USUAL_BASE} is used");
        warnings.push(text.warning(&key.span(), what));
    }
    let base = base.unwrap_or(USUAL_BASE);
    let mut merged: toml::Table = find(base)
        .and_then(|(_, text)| text.parse().ok())
        .unwrap_or_default();
    let mut reader = ThemeReader {
        text,
        base,
        warnings,
    };
    for (key, value) in &table {
        match (key.get_ref().as_ref(), value.get_ref()) {
            (BASED_ON, _) => {}
            (CODE, DeValue::Table(roles)) => {
                let code = merged
                    .entry(CODE)
                    .or_insert_with(|| toml::Table::new().into());
                for (key, value) in roles {
                    let is_known = CODE_ROLES.contains(&key.get_ref().as_ref());
                    reader.set_color(code.as_table_mut(), is_known, key, value);
                }
            }
            (PAINT, DeValue::Boolean(paint)) => {
                drop(merged.insert(PAINT.to_owned(), (*paint).into()));
            }
            (PAINT, _) => reader.warn(key, &format!("{PAINT} is neither true nor false")),
            (name, _) => {
                let is_known = name != CODE && merged.contains_key(name);
                reader.set_color(Some(&mut merged), is_known, key, value);
            }
        }
    }
    reader.warnings.sort_by_key(|warning| warning.line);
    (ThemeColors::deserialize(merged).ok(), reader.warnings)
}

struct ThemeReader<'a> {
    text: &'a TomlText,
    base: &'static str,
    warnings: Vec<Warning>,
}

impl ThemeReader<'_> {
    fn set_color(
        &mut self,
        into: Option<&mut toml::Table>,
        is_known: bool,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
    ) {
        let name = key.get_ref().as_ref();
        let color = value
            .get_ref()
            .as_str()
            .filter(|color| color.parse::<Color>().is_ok());
        match (is_known, into, color) {
            (true, Some(into), Some(color)) => drop(into.insert(name.to_owned(), color.into())),
            (true, ..) => {
                let shown = self.text.shown(value);
                self.warn(
                    key,
                    &format!("{name} = {shown} is not a color: use a name, \"0\" to \"255\", or \"#rrggbb\""),
                );
            }
            (false, ..) => {
                let warning = self.text.warning(
                    &key.span(),
                    format!("a theme has no '{name}'; it is ignored"),
                );
                self.warnings.push(warning);
            }
        }
    }

    fn warn(&mut self, key: &Spanned<impl Sized>, what: &str) {
        let what = format!("{what}; the color of {} is used", self.base);
        self.warnings.push(self.text.warning(&key.span(), what));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> (ThemeColors, Vec<String>) {
        let (palette, warnings) = read(&TomlText::new("themes/mine.toml", text));
        (
            palette.unwrap(),
            warnings.iter().map(ToString::to_string).collect(),
        )
    }

    fn palette_of(name: &str) -> ThemeColors {
        toml::from_str(find(name).unwrap().1).unwrap()
    }

    #[test]
    fn a_few_colors_go_over_those_of_the_theme_that_it_is_based_on() {
        let (palette, warnings) = own(
            "based_on = \"nord\"\naccent = \"#010203\"\npaint = true\n[code]\nstring = \"red\"\n",
        );
        assert_eq!(warnings, Vec::<String>::new());
        let nord = palette_of("nord");
        let code = crate::tui::style::theme::colors::CodeColors {
            string: Some(Color::Red),
            ..nord.code.clone()
        };
        assert_eq!(
            palette,
            ThemeColors {
                accent: Color::Rgb(1, 2, 3),
                paint: true,
                code,
                ..nord
            }
        );
        assert_eq!(own("").0, palette_of("dark"));
    }

    #[test]
    fn what_is_wrong_leaves_the_color_of_the_base_and_says_so() {
        let text = "based_on = \"neon\"\naccent = \"cyano\"\nacent = \"red\"\ndim = 3\npaint = \"yes\"\n[code]\nstrnig = \"red\"\n";
        let (palette, warnings) = own(text);
        assert_eq!(palette, palette_of("dark"));
        let expected = [
            "themes/mine.toml, line 1: based_on = \"neon\" is not one of dark, light, ",
            "themes/mine.toml, line 2: accent = \"cyano\" is not a color: use a name, \"0\" to \"255\", or \"#rrggbb\"; the color of dark is used",
            "themes/mine.toml, line 3: a theme has no 'acent'; it is ignored",
            "themes/mine.toml, line 4: dim = 3 is not a color",
            "themes/mine.toml, line 5: paint is neither true nor false; the color of dark is used",
            "themes/mine.toml, line 7: a theme has no 'strnig'; it is ignored",
        ];
        assert_eq!(warnings.len(), expected.len(), "{warnings:#?}");
        for (warning, expected) in warnings.iter().zip(expected) {
            assert!(warning.starts_with(expected), "{warning}");
        }
        let (palette, warnings) = own("accent = ");
        assert_eq!((palette, warnings.len()), (palette_of("dark"), 1));
    }
}
