//! The settings of `config.toml`: one row for each, with its type, default, description and valid
//! values. The file's reader, the sample's test and the settings page all use this list.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use strum::VariantNames as _;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

use super::account_entry::AccountEntry;
use super::account_errors::AccountErrors;
use super::choices::{AUTO, Column, Dates, Images, Notify, Preset, SymbolSet};
use super::limit_rate::{LIMIT_RATE, LimitRate};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    pub name: &'static str,
    /// A description of a few words.
    pub about: &'static str,
    pub may: Allowed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    OneOf(&'static [&'static str]),
    /// A list of these values.
    SomeOf(&'static [&'static str]),
    /// A description, to continue the words "it is not".
    Be(&'static str),
}

/// A setting with its value in this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InForce {
    pub setting: Setting,
    /// In TOML; `None` if unset.
    pub value: Option<String>,
    /// The source of the value, in a word or two.
    pub from: String,
    pub may: String,
    /// A line for `config.toml`: with this value, or with the sample's example.
    pub line: String,
    /// Set after a change on the screen that lasts until filedeck quits: `from` decides again at
    /// the next start.
    pub is_for_this_run: bool,
}

/// The source of a value that no file and no flag sets.
const DEFAULT: &str = "default";
/// The source of a value chosen on the screen.
pub const CHOSEN_HERE: &str = "chosen here";

impl InForce {
    /// Returns the value in words: `auto`, `access, size`, `on`, `120 s`.
    pub fn words(&self) -> Option<String> {
        let text = self.value.as_deref()?;
        let value = DeValue::parse(text).ok()?.into_inner();
        let words = match (value.as_str(), value.as_array()) {
            (Some(text), _) => text.to_owned(),
            (None, Some(list)) => list
                .iter()
                .filter_map(|it| it.get_ref().as_str())
                .collect::<Vec<_>>()
                .join(", "),
            (None, None) => match (self.setting.may, text) {
                (SWITCH, "true") => "on".to_owned(),
                (SWITCH, _) => "off".to_owned(),
                (CELLS, cells) => format!("{cells} columns"),
                (SECONDS, seconds) => format!("{seconds} s"),
                _ => text.to_owned(),
            },
        };
        Some(if words.is_empty() {
            "none".to_owned()
        } else {
            words
        })
    }

    /// Shows the width that a pane has on this screen; `is_chosen` is set if keys or the mouse set
    /// it, which goes before a value in the file.
    pub fn show_width(&mut self, width: u16, is_chosen: bool) {
        if is_chosen {
            CHOSEN_HERE.clone_into(&mut self.from);
        }
        if is_chosen || self.value.is_none() {
            self.line = format!("{} = {width}", self.setting.name);
        }
        self.value = Some(width.to_string());
    }

    /// Returns the source of the value; `None` for a default.
    pub fn origin(&self) -> Option<&str> {
        let from = if self.is_for_this_run {
            "until you quit"
        } else {
            &self.from
        };
        Some(from).filter(|from| *from != DEFAULT)
    }

    /// Returns `true` if a choice made on the screen is kept for the next start.
    pub fn lasts(&self) -> bool {
        [DEFAULT, CHOSEN_HERE].contains(&self.from.as_str())
    }

    /// Describes how long a choice made on the screen lasts.
    pub fn lasting(&self) -> String {
        if self.lasts() {
            return "Your choice is saved for the next start.".to_owned();
        }
        format!(
            "Your choice lasts until you quit: {} sets it at the next start.",
            self.from
        )
    }

    /// Applies a value chosen on the screen. Returns `true` if the choice is kept for the next
    /// start.
    pub fn change(&mut self, value: &str) -> bool {
        let lasts = self.lasts();
        if lasts {
            CHOSEN_HERE.clone_into(&mut self.from);
        }
        self.is_for_this_run = !lasts;
        self.value = Some(value.to_owned());
        self.line = format!("{} = {value}", self.setting.name);
        lasts
    }
}

macro_rules! settings {
    ($($name:ident: $type:ty = $default:expr, $about:literal, $may:expr;)+) => {
        /// The file with its defaults filled in. `assets/config.toml` is an annotated sample.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Config {
            $(#[doc = $about] pub $name: $type,)+
            pub accounts: BTreeMap<String, AccountEntry>,
            /// The accounts that `config.toml` leaves in doubt.
            pub account_errors: AccountErrors,
            /// The accounts that `accounts.toml` leaves in doubt.
            pub saved_account_errors: AccountErrors,
            /// The account to use if `account` is unset, from `accounts.toml`.
            pub saved_account: Option<String>,
        }

        impl Default for Config {
            fn default() -> Self {
                Self {
                    $($name: $default,)+
                    accounts: BTreeMap::new(),
                    account_errors: AccountErrors::default(),
                    saved_account_errors: AccountErrors::default(),
                    saved_account: None,
                }
            }
        }

        impl Config {
            /// Sets a setting to a value from the file. Returns `true` if the value is valid.
            pub(super) fn set(&mut self, setting: Setting, value: Spanned<DeValue<'_>>) -> bool {
                match setting.name {
                    $(stringify!($name) => put(&mut self.$name, value),)+
                    _ => false,
                }
            }

            /// Returns the value of a setting in TOML; `None` if it is unset.
            pub fn toml_of(&self, setting: Setting) -> Option<String> {
                match setting.name {
                    $(stringify!($name) => written(&self.$name),)+
                    _ => None,
                }
            }
        }

        impl Setting {
            /// In the order of the sample.
            pub const ALL: &'static [Self] =
                &[$(Self { name: stringify!($name), about: $about, may: $may },)+];
        }
    };
}

settings! {
    theme: String = AUTO.to_owned(), "Colors of the whole screen", Allowed::Be("the name of a theme");
    symbols: SymbolSet = SymbolSet::default(), "Signs of files, marks and lines", Allowed::OneOf(SymbolSet::VARIANTS);
    images: Images = Images::default(), "Pictures in previews", Allowed::OneOf(Images::VARIANTS);
    columns: Vec<Column> = Column::USUAL.to_vec(), "Columns of the list after the name, in this order",
        Allowed::SomeOf(Column::VARIANTS);
    dates: Dates = Dates::default(), "Times of files, as ages or dates", Allowed::OneOf(Dates::VARIANTS);
    natural_order: bool = true, "Whether img2 comes before img10", SWITCH;
    folder_counts: bool = true, "Whether folders on the screen are counted", SWITCH;
    tree_width: Option<u16> = None, "Width of the tree, in columns", CELLS;
    details_width: Option<u16> = None, "Width of the details, in columns", CELLS;
    notify: Notify = Notify::default(), "How you are told that a long task has ended", Allowed::OneOf(Notify::VARIANTS);
    mouse: bool = true, "Whether filedeck uses the mouse", SWITCH;
    plain: bool = false, "Plain lines of text, for screen readers", SWITCH;
    preset: Preset = Preset::default(), "Keys of vim, or of desktop programs too (cua)", Allowed::OneOf(Preset::VARIANTS);
    keys: Option<PathBuf> = None, "A key file to use instead of keys.toml", Allowed::Be("the name of a file");
    account: Option<String> = None, "The account to use", Allowed::Be("the name of an account");
    stall_timeout: NonZeroU32 = seconds(120), "Seconds without data after which a call fails", SECONDS;
    settle_time: NonZeroU32 = seconds(30), "Seconds to search for an upload whose answer was lost", SECONDS;
    limit_rate: LimitRate = LimitRate::default(), "The most bytes a second of all transfers together",
        Allowed::Be(LIMIT_RATE);
    limits_refresh: NonZeroU32 = seconds(60), "Seconds between updates of the limits on the screen", SECONDS;
}

/// The name of the setting for the default keys.
pub const PRESET: &str = "preset";

const SWITCH: Allowed = Allowed::OneOf(&["true", "false"]);
const CELLS: Allowed = Allowed::Be("a whole number of columns");
const SECONDS: Allowed = Allowed::Be("a whole number of seconds from 1 on");

const fn seconds(value: u32) -> NonZeroU32 {
    match NonZeroU32::new(value) {
        Some(value) => value,
        None => NonZeroU32::MIN,
    }
}

impl Setting {
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|setting| setting.name == name)
    }

    /// Returns the name in words: `Stall timeout`. Names that could be taken for something
    /// else are reworded.
    pub fn title(self) -> String {
        match self.name {
            "limit_rate" => return "Speed limit".to_owned(),
            "limits_refresh" => return "CRM refresh".to_owned(),
            PRESET => return "Keys".to_owned(),
            "keys" => return "Key file".to_owned(),
            _ => {}
        }
        let mut chars = self.name.chars();
        let first = chars.next().into_iter().flat_map(char::to_uppercase);
        first
            .chain(chars)
            .map(|char| if char == '_' { ' ' } else { char })
            .collect()
    }

    /// Returns `true` for the theme, which has a list of its own.
    pub fn is_theme(self) -> bool {
        self.name == "theme"
    }

    /// Returns the values, in TOML, to choose from on the screen. Empty if the setting is only read
    /// at the start.
    pub fn choices(self) -> Vec<String> {
        match (self.name, self.may) {
            ("natural_order" | "folder_counts" | "mouse", Allowed::OneOf(values)) => {
                values.iter().map(|value| (*value).to_owned()).collect()
            }
            ("symbols" | "dates" | "notify" | PRESET, Allowed::OneOf(values)) => {
                values.iter().map(|value| format!("\"{value}\"")).collect()
            }
            ("limit_rate", _) => ["off", "500K", "2M", "10M"]
                .map(|rate| format!("\"{rate}\""))
                .into(),
            ("limits_refresh", _) => ["30", "60", "120", "300"].map(str::to_owned).into(),
            _ => Vec::new(),
        }
    }

    /// Returns `true` if the setting can be changed while the TUI runs.
    pub fn is_live(self) -> bool {
        self.is_theme() || !self.choices().is_empty()
    }

    /// Returns `true` if commands do not use the setting.
    pub fn is_of_screen(self) -> bool {
        !["account", "stall_timeout", "settle_time", "limit_rate"].contains(&self.name)
    }

    /// The sample's line for a setting that has no default.
    fn example(self) -> Option<&'static str> {
        let mut examples = SAMPLE.lines().filter_map(|line| line.strip_prefix('#'));
        examples.find(|line| {
            line.split_once(" = ")
                .is_some_and(|(name, _)| name == self.name)
        })
    }
}

/// The annotated sample of `config.toml`.
pub const SAMPLE: &str = include_str!("../../assets/config.toml");

impl Config {
    pub fn choose(&mut self, setting: Setting, value: &str) -> bool {
        DeValue::parse(value).is_ok_and(|value| self.set(setting, value))
    }

    /// Returns all settings. `lines`: line numbers in `config.toml`; `others`: overriding values
    /// and their sources.
    pub fn in_force(
        &self,
        lines: &BTreeMap<&'static str, usize>,
        others: &BTreeMap<&'static str, (String, &'static str)>,
    ) -> Vec<InForce> {
        let row = |setting: &Setting| {
            let (value, from) = match (others.get(setting.name), lines.get(setting.name)) {
                (Some((value, from)), _) => (Some(value.clone()), (*from).to_owned()),
                (None, Some(line)) => (self.toml_of(*setting), format!("config.toml, line {line}")),
                (None, None) => (self.toml_of(*setting), DEFAULT.to_owned()),
            };
            let example = || setting.example().unwrap_or_default().to_owned();
            let line = self
                .toml_of(*setting)
                .map_or_else(example, |value| format!("{} = {value}", setting.name));
            InForce {
                setting: *setting,
                value,
                from,
                may: setting.may.in_words(),
                line,
                is_for_this_run: false,
            }
        };
        Setting::ALL.iter().map(row).collect()
    }
}

impl Allowed {
    fn in_words(self) -> String {
        match self {
            Self::OneOf(values) => values.join(", "),
            Self::SomeOf(values) => format!("a list of {}", values.join(", ")),
            Self::Be(what) => what.to_owned(),
        }
    }

    pub(super) fn refusal(self) -> String {
        match self {
            Self::OneOf(values) => format!("is not one of {}", values.join(", ")),
            Self::SomeOf(values) => format!("is not a list of {}", values.join(", ")),
            Self::Be(what) => format!("is not {what}"),
        }
    }

    /// Returns the first entry of a list that is not valid.
    pub(super) fn stranger<'a>(
        self,
        value: &'a Spanned<DeValue<'a>>,
    ) -> Option<&'a Spanned<DeValue<'a>>> {
        let Self::SomeOf(known) = self else {
            return None;
        };
        let is_known = |value: &Spanned<DeValue<'_>>| {
            value
                .get_ref()
                .as_str()
                .is_some_and(|name| known.contains(&name))
        };
        value
            .get_ref()
            .as_array()?
            .iter()
            .find(|value| !is_known(value))
    }
}

fn put<'de, T: Deserialize<'de>>(field: &mut T, value: Spanned<DeValue<'de>>) -> bool {
    T::deserialize(ValueDeserializer::from(value))
        .map(|value| *field = value)
        .is_ok()
}

fn written<T: Serialize>(value: &T) -> Option<String> {
    // An unset option cannot be written as TOML.
    toml::Value::try_from(value)
        .ok()
        .map(|value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_words_with_their_units() {
        let config = Config {
            columns: Vec::new(),
            ..Config::default()
        };
        let others = BTreeMap::from([("plain", ("true".to_owned(), "--plain"))]);
        let rows = config.in_force(&BTreeMap::from([("columns", 3)]), &others);
        let row = |name: &str| {
            let it = rows.iter().find(|it| it.setting.name == name).unwrap();
            (it.words(), it.origin().map(str::to_owned))
        };
        assert_eq!(row("symbols"), (Some("auto".to_owned()), None));
        assert_eq!(row("images"), (Some("auto".to_owned()), None));
        assert_eq!(
            row("columns"),
            (
                Some("none".to_owned()),
                Some("config.toml, line 3".to_owned())
            )
        );
        assert_eq!(
            row("plain"),
            (Some("on".to_owned()), Some("--plain".to_owned()))
        );
        assert_eq!(row("stall_timeout").0.as_deref(), Some("120 s"));
        assert_eq!(
            Setting::named("stall_timeout").unwrap().title(),
            "Stall timeout"
        );
        assert_eq!(row("keys").0, None);
        let usual = Config::default().in_force(&BTreeMap::new(), &BTreeMap::new());
        let columns = usual
            .iter()
            .find(|it| it.setting.name == "columns")
            .unwrap();
        assert_eq!(
            columns.words().as_deref(),
            Some("access, size, type, updated, expires")
        );
    }

    #[test]
    fn what_may_stand_there_can_and_what_stands_there_is_written_as_it_was() {
        for setting in Setting::ALL {
            let (Allowed::OneOf(values) | Allowed::SomeOf(values)) = setting.may else {
                continue;
            };
            for value in values {
                let text = match setting.may {
                    SWITCH => (*value).to_owned(),
                    Allowed::SomeOf(_) => format!("[\"{value}\"]"),
                    _ => format!("\"{value}\""),
                };
                let mut config = Config::default();
                let parsed = DeValue::parse(&text).unwrap();
                assert!(config.set(*setting, parsed), "{} = {text}", setting.name);
                assert_eq!(config.toml_of(*setting), Some(text), "{}", setting.name);
            }
        }
    }
}
