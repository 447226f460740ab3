//! Reads key files: those that come with the program, and the user's on top of them.

use strum::VariantNames as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::action::Action;
use super::context::Context;
use super::key::Key;
use crate::config::{TomlText, Warning};

/// One action's keys in one context, in the order of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub context: Context,
    pub action: Action,
    /// Sequences of keys, none of them empty.
    pub sequences: Vec<Vec<Key>>,
}

/// A row of a key file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyRow {
    pub(super) binding: Binding,
    pub(super) line: usize,
}

/// The rows of a key file. Those that name nothing known, or no key, are left out, and the warnings say so.
pub(super) fn rows(text: &TomlText) -> (Vec<KeyRow>, Vec<Warning>) {
    let table = match text.table() {
        Ok(table) => table,
        Err(warning) => {
            let what = format!("{}; the file is ignored", warning.what);
            return (Vec::new(), vec![Warning { what, ..warning }]);
        }
    };
    let (mut rows, mut warnings) = (Vec::new(), Vec::new());
    for (name, value) in table {
        let at = name.span();
        if let (Ok(context), DeValue::Table(table)) = (name.get_ref().parse(), value.into_inner()) {
            of_context(text, context, table, &mut rows, &mut warnings);
        } else {
            let known: Vec<String> = Context::VARIANTS.iter().map(|context| format!("[{context}]")).collect();
            let what = format!("[{}] is not one of {}; it is ignored", name.get_ref(), known.join(", "));
            warnings.push(text.warning(&at, what));
        }
    }
    warnings.sort_by_key(|warning| warning.line);
    (rows, warnings)
}

fn of_context(
    text: &TomlText,
    context: Context,
    table: DeTable<'_>,
    rows: &mut Vec<KeyRow>,
    warnings: &mut Vec<Warning>,
) {
    for (name, value) in table {
        let old = Action::from_old_name(name.get_ref());
        let Some(action) = old.or_else(|| name.get_ref().parse().ok()) else {
            let what = format!("there is no action {}; it is ignored", name.get_ref());
            warnings.push(text.warning(&name.span(), what));
            continue;
        };
        if old.is_some() {
            warnings.push(text.warning(&name.span(), format!("{} is called {action} now", name.get_ref())));
        }
        match sequences(text, &value) {
            Ok(sequences) => {
                let binding = Binding { context, action, sequences };
                rows.push(KeyRow { binding, line: text.line(&name.span()) });
            }
            Err(problem) => {
                let what = format!("{action}: {problem}; the default is used");
                warnings.push(text.warning(&name.span(), what));
            }
        }
    }
}

fn sequences(text: &TomlText, value: &Spanned<DeValue<'_>>) -> Result<Vec<Vec<Key>>, String> {
    let no_list = || format!("{} is not a list of keys, like [\"d\", \"g d\", \"ctrl-d\"]", text.shown(value));
    let list = value.get_ref().as_array().ok_or_else(no_list)?;
    list.iter().map(|keys| sequence(keys.get_ref().as_str().ok_or_else(no_list)?)).collect()
}

fn sequence(text: &str) -> Result<Vec<Key>, String> {
    let keys = text.split_whitespace().map(str::parse).collect::<Result<Vec<Key>, _>>();
    match keys {
        Ok(keys) if keys.is_empty() => Err("a key is empty".to_owned()),
        Ok(keys) => Ok(keys),
        Err(error) => Err(format!("{error}, like d, G, ctrl-d, f5 or space")),
    }
}

/// Replaces the bindings of the same actions.
pub(super) fn overlay(bindings: &mut Vec<Binding>, over: impl IntoIterator<Item = Binding>) {
    for binding in over {
        bindings.retain(|known| (known.context, known.action) != (binding.context, binding.action));
        bindings.push(binding);
    }
    bindings.sort_by_key(|binding| (binding.context, binding.action));
}

/// Takes out the rows that clash with another binding, and says so: of two the one that comes second goes, and its action
/// keeps its default. What comes with the program comes before all rows.
pub(super) fn settle(text: &TomlText, defaults: &[Binding], mut rows: Vec<KeyRow>) -> (Vec<KeyRow>, Vec<Warning>) {
    let mut warnings = Vec::new();
    rows.sort_by_key(|row| row.line);
    while let Some((at, what)) = conflict(defaults, &rows) {
        let row = rows.remove(at);
        let kept = keys_of(defaults, &row.binding);
        warnings.push(text.warning_in(row.line, format!("{what}; {kept}")));
    }
    warnings.sort_by_key(|warning| warning.line);
    (rows, warnings)
}

/// The last row that clashes with a binding before it, and with what.
fn conflict(defaults: &[Binding], rows: &[KeyRow]) -> Option<(usize, String)> {
    let is_replaced =
        |it: &&Binding| !rows.iter().any(|row| (row.binding.context, row.binding.action) == (it.context, it.action));
    let standing: Vec<&Binding> = defaults.iter().filter(is_replaced).collect();
    rows.iter().enumerate().rev().find_map(|(at, KeyRow { binding, .. })| {
        let before = rows.iter().take(at).map(|row| (&row.binding, format!("in line {}", row.line)));
        let others = standing.iter().map(|binding| (*binding, "by default".to_owned())).chain(before);
        others.filter(|(other, _)| other.context == binding.context).find_map(|(other, place)| {
            let (keys, taken) = common(binding, other)?;
            let (mine, theirs, context) = (binding.action, other.action, binding.context);
            let how = match keys.len().cmp(&taken.len()) {
                std::cmp::Ordering::Equal => format!("{theirs} uses it {place}"),
                std::cmp::Ordering::Less => format!("\"{}\" of {theirs} starts with it {place}", spell(taken)),
                std::cmp::Ordering::Greater => format!("it starts with \"{}\" of {theirs} {place}", spell(taken)),
            };
            Some((at, format!("[{context}] {mine} = \"{}\" is not possible: {how}", spell(keys))))
        })
    })
}

/// Keys of two bindings of which one would hide the other.
fn common<'a>(one: &'a Binding, other: &'a Binding) -> Option<(&'a [Key], &'a [Key])> {
    one.sequences.iter().find_map(|keys| {
        let other = other.sequences.iter().find(|other| keys.starts_with(other) || other.starts_with(keys))?;
        Some((keys.as_slice(), other.as_slice()))
    })
}

fn keys_of(defaults: &[Binding], binding: &Binding) -> String {
    let same = |it: &&Binding| (it.context, it.action) == (binding.context, binding.action);
    let keys: Vec<String> =
        defaults.iter().find(same).into_iter().flat_map(|it| &it.sequences).map(|keys| spell(keys)).collect();
    if keys.is_empty() { "the action has no key there".to_owned() } else { format!("{} is kept", keys.join(", ")) }
}

/// Writes a sequence as the key file does: `g g`.
pub fn spell(keys: &[Key]) -> String {
    keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}
