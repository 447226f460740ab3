//! Maps keys to actions: `assets/keys.toml`, a preset, the user's own file. Does not know what an
//! action does.

mod action;
mod context;
mod key;
mod listing;
mod load;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use context::Context;
pub use key::{Key, UnknownKey};
pub use listing::{ListedKeys, listed};
pub use load::{Binding, spell};

use crossterm::event::KeyCode;

use crate::config::{Preset, TomlText, Warning};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap(Vec<Binding>);

/// The meaning of a key after those pressed before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyLookup {
    Action(Action),
    /// The beginning or continuation of a sequence.
    Prefix,
    None,
}

const DEFAULTS: &str = include_str!("../../assets/keys.toml");
const CUA: &str = include_str!("../../assets/keys-cua.toml");

/// The key that accepts the keys of desktop programs, where the first start offers them.
pub const DESKTOP_KEYS: Key = Key::plain(KeyCode::F(2));

impl Keymap {
    pub fn defaults() -> Self {
        Self::load(Preset::default(), &TomlText::default()).0
    }

    /// Returns the bindings of a preset that the default one does not have.
    pub fn added_by(preset: Preset) -> Vec<Binding> {
        let (mut keymap, _) = Self::load(preset, &TomlText::default());
        let defaults = Self::defaults();
        keymap.0.retain(|binding| !defaults.0.contains(binding));
        keymap.0
    }

    /// Loads a preset with the user's key file on top, whose rows win. A row with an unknown name,
    /// or whose keys clash with an earlier row's, leaves its action's default in place; the
    /// warnings say which.
    pub fn load(preset: Preset, user: &TomlText) -> (Self, Vec<Warning>) {
        let mut bindings = Vec::new();
        let layers: &[&str] = match preset {
            Preset::Vim => &[DEFAULTS],
            Preset::Cua => &[DEFAULTS, CUA],
        };
        for shipped in layers {
            let (rows, _) = load::rows(&TomlText::new("keys.toml", *shipped));
            load::overlay(&mut bindings, rows.into_iter().map(|row| row.binding));
        }
        let (rows, mut warnings) = load::rows(user);
        warnings.extend(load::lay_over(user, &mut bindings, rows));
        (Self(bindings), warnings)
    }

    /// The meaning of `key` in a context after `pending`; narrower contexts come first.
    pub fn lookup(&self, context: Context, pending: &[Key], key: Key) -> KeyLookup {
        let typed: Vec<Key> = pending.iter().copied().chain([key]).collect();
        for context in context.chain() {
            for binding in self.0.iter().filter(|binding| binding.context == *context) {
                for keys in &binding.sequences {
                    if *keys == typed {
                        return KeyLookup::Action(binding.action);
                    }
                    if keys.starts_with(&typed) {
                        return KeyLookup::Prefix;
                    }
                }
            }
        }
        KeyLookup::None
    }

    /// The first key of an action in this context that no narrower context takes, as people write
    /// it.
    pub fn key_of(&self, context: Context, action: Action) -> Option<String> {
        let reaches = |keys: &&Vec<Key>| {
            let last = keys.split_last();
            last.is_some_and(|(last, before)| {
                self.lookup(context, before, *last) == KeyLookup::Action(action)
            })
        };
        context.chain().iter().find_map(|place| {
            let binding = self
                .0
                .iter()
                .find(|binding| binding.context == *place && binding.action == action)?;
            binding
                .sequences
                .iter()
                .find(reaches)
                .map(|keys| spell(keys))
        })
    }

    /// The rest of each sequence that begins with the pressed keys, with its action.
    pub fn continuations(&self, context: Context, pending: &[Key]) -> Vec<(String, Action)> {
        let mut found: Vec<(String, Action)> = Vec::new();
        for context in context.chain() {
            for binding in self.0.iter().filter(|binding| binding.context == *context) {
                for keys in &binding.sequences {
                    if let Some(rest) = keys.strip_prefix(pending).filter(|rest| !rest.is_empty()) {
                        let rest = spell(rest);
                        if !found.iter().any(|(keys, _)| *keys == rest) {
                            found.push((rest, binding.action));
                        }
                    }
                }
            }
        }
        found
    }

    /// Every binding, in the order of the help.
    pub fn bindings(&self) -> &[Binding] {
        &self.0
    }
}
