//! Reads key files: the one that comes with the program, and the user's on top of it.

use std::collections::BTreeMap;

use super::action::Action;
use super::context::Context;
use super::key::Key;

/// One action's keys in one context, in the order of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub context: Context,
    pub action: Action,
    /// Sequences of keys, none of them empty.
    pub sequences: Vec<Vec<Key>>,
}

/// Two actions that would answer to the same keys in the same context.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    #[error("the key file cannot be read: {0}")]
    Syntax(String),
    #[error("in [{context}], \"{keys}\" is bound to {first}, and \"{other_keys}\" to {second}: change one of them")]
    Conflict { context: &'static str, keys: String, first: &'static str, other_keys: String, second: &'static str },
}

type Table = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Lays a key file over bindings: its rows replace theirs. Rows that name nothing known, or no key, are left out
/// and said so in the warnings.
pub(super) fn overlay(bindings: &mut Vec<Binding>, text: &str) -> Result<Vec<String>, LoadError> {
    let table: Table = toml::from_str(text).map_err(|error| LoadError::Syntax(error.to_string()))?;
    let mut warnings = Vec::new();
    for (context_name, rows) in table {
        let Some(context) = Context::named(&context_name) else {
            warnings.push(format!("keys: there is no [{context_name}]"));
            continue;
        };
        for (action_name, keys) in rows {
            let Some(action) = Action::named(&action_name) else {
                warnings.push(format!("keys: [{context_name}] names an unknown action, {action_name}"));
                continue;
            };
            match keys.iter().map(|keys| sequence(keys)).collect::<Result<Vec<_>, _>>() {
                Ok(sequences) => {
                    bindings.retain(|binding| binding.context != context || binding.action != action);
                    bindings.push(Binding { context, action, sequences });
                }
                Err(problem) => warnings.push(format!("keys: [{context_name}] {action_name}: {problem}")),
            }
        }
    }
    bindings.sort_by_key(|binding| (binding.context, binding.action));
    Ok(warnings)
}

fn sequence(text: &str) -> Result<Vec<Key>, String> {
    let keys = text.split_whitespace().map(str::parse).collect::<Result<Vec<Key>, _>>();
    match keys {
        Ok(keys) if keys.is_empty() => Err("an empty key".to_owned()),
        Ok(keys) => Ok(keys),
        Err(error) => Err(error.to_string()),
    }
}

/// Refuses bindings of one context where a sequence equals or begins another.
pub(super) fn check(bindings: &[Binding]) -> Result<(), LoadError> {
    for (at, one) in bindings.iter().enumerate() {
        for other in bindings.iter().skip(at + 1).filter(|other| other.context == one.context) {
            for keys in &one.sequences {
                let clash = other.sequences.iter().find(|other| keys.starts_with(other) || other.starts_with(keys));
                if let Some(other_keys) = clash {
                    return Err(LoadError::Conflict {
                        context: one.context.name(),
                        keys: spell(keys),
                        first: one.action.name(),
                        other_keys: spell(other_keys),
                        second: other.action.name(),
                    });
                }
            }
        }
    }
    Ok(())
}

/// Writes a sequence as the key file does: `g g`.
pub fn spell(keys: &[Key]) -> String {
    keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}
