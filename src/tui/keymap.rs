//! Keys to actions: `assets/keys.toml`, with the user's own file on top. Does not know what an action does.

mod action;
mod context;
mod key;
mod load;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use context::Context;
pub use key::{Key, UnknownKey};
pub use load::{Binding, LoadError, spell};

/// The bindings in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap(Vec<Binding>);

/// What a key means after the keys pressed before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    Action(Action),
    /// It begins, or goes on with, a sequence.
    Prefix,
    None,
}

const DEFAULTS: &str = include_str!("../../assets/keys.toml");

impl Keymap {
    /// The keys that come with the program.
    pub fn defaults() -> Result<Self, LoadError> {
        Self::load(None).map(|(keymap, _)| keymap)
    }

    /// The keys that come with the program, with a user's key file on top. Names and keys that are unknown are left out:
    /// the warnings say which. Fails if the text is not TOML or two actions of a context answer to the same keys.
    pub fn load(user: Option<&str>) -> Result<(Self, Vec<String>), LoadError> {
        let mut bindings = Vec::new();
        let mut warnings = load::overlay(&mut bindings, DEFAULTS)?;
        if let Some(user) = user {
            warnings.extend(load::overlay(&mut bindings, user)?);
        }
        load::check(&bindings)?;
        Ok((Self(bindings), warnings))
    }

    /// What `key` means in a context after `pending`; narrower contexts are asked first.
    pub fn lookup(&self, context: Context, pending: &[Key], key: Key) -> Lookup {
        let typed: Vec<Key> = pending.iter().copied().chain([key]).collect();
        for context in context.chain() {
            for binding in self.0.iter().filter(|binding| binding.context == *context) {
                for keys in &binding.sequences {
                    if *keys == typed {
                        return Lookup::Action(binding.action);
                    }
                    if keys.starts_with(&typed) {
                        return Lookup::Prefix;
                    }
                }
            }
        }
        Lookup::None
    }

    /// The first key of an action where it can be reached, as people write it.
    pub fn key_of(&self, context: Context, action: Action) -> Option<String> {
        context.chain().iter().find_map(|context| {
            let binding = self.0.iter().find(|binding| binding.context == *context && binding.action == action)?;
            binding.sequences.first().map(|keys| spell(keys))
        })
    }

    /// What may follow the keys pressed so far: the rest of the keys, and the action.
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
