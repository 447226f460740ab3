//! The rows of a list of all keys: each action once, with every place where the same keys mean it.

use super::action::Action;
use super::load::{Binding, spell};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKeys {
    pub keys: Vec<String>,
    pub places: Vec<&'static str>,
    pub action: Action,
}

/// Returns a row for each pair of keys and description, in the order of the bindings.
pub fn listed(bindings: &[Binding]) -> Vec<ListedKeys> {
    let mut rows: Vec<ListedKeys> = Vec::new();
    for binding in bindings {
        let keys: Vec<String> = binding.sequences.iter().map(|keys| spell(keys)).collect();
        let (action, place) = (binding.action, binding.context.place());
        match rows
            .iter_mut()
            .find(|row| row.keys == keys && row.action.description() == action.description())
        {
            Some(row) => row.places.push(place),
            None => rows.push(ListedKeys {
                keys,
                places: vec![place],
                action,
            }),
        }
    }
    rows
}
