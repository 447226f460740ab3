//! Reads key files: the built-in ones, and the user's on top of them.

use std::cmp::Ordering;

use strum::VariantNames as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::action::Action;
use super::context::Context;
use super::key::Key;
use crate::config::{TomlText, Warning};

/// The keys of one action in one context, in the order of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub context: Context,
    pub action: Action,
    /// Sequences of keys, none of them empty.
    pub sequences: Vec<Vec<Key>>,
}

impl Binding {
    fn is_of(&self, context: Context, action: Action) -> bool {
        (self.context, self.action) == (context, action)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyRow {
    pub(super) binding: Binding,
    pub(super) line: usize,
}

/// Parses the rows of a key file. Rows with an unknown name or an invalid key are skipped with a
/// warning.
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
            let known: Vec<String> = Context::VARIANTS
                .iter()
                .map(|context| format!("[{context}]"))
                .collect();
            let what = format!(
                "[{}] is not one of {}; it is ignored",
                name.get_ref(),
                known.join(", ")
            );
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
        let Ok(action) = name.get_ref().parse::<Action>() else {
            let what = format!("there is no action {}; it is ignored", name.get_ref());
            warnings.push(text.warning(&name.span(), what));
            continue;
        };
        match sequences(text, &value) {
            Ok(sequences) => {
                let binding = Binding {
                    context,
                    action,
                    sequences,
                };
                rows.push(KeyRow {
                    binding,
                    line: text.line(&name.span()),
                });
            }
            Err(problem) => {
                let what = format!("{action}: {problem}; the default is used");
                warnings.push(text.warning(&name.span(), what));
            }
        }
    }
}

fn sequences(text: &TomlText, value: &Spanned<DeValue<'_>>) -> Result<Vec<Vec<Key>>, String> {
    let no_list = || {
        format!(
            "{} is not a list of keys, like [\"d\", \"g d\", \"ctrl-d\"]",
            text.shown(value)
        )
    };
    let list = value.get_ref().as_array().ok_or_else(no_list)?;
    list.iter()
        .map(|keys| sequence(keys.get_ref().as_str().ok_or_else(no_list)?))
        .collect()
}

fn sequence(text: &str) -> Result<Vec<Key>, String> {
    let keys = text
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<Vec<Key>, _>>();
    match keys {
        Ok(keys) if keys.is_empty() => Err("a key is empty".to_owned()),
        Ok(keys) => Ok(keys),
        Err(error) => Err(format!("{error}, like d, G, ctrl-d, f5 or space")),
    }
}

/// Replaces bindings of the same context and action.
pub(super) fn overlay(bindings: &mut Vec<Binding>, over: impl IntoIterator<Item = Binding>) {
    for binding in over {
        bindings.retain(|known| !known.is_of(binding.context, binding.action));
        bindings.push(binding);
    }
    bindings.sort_by_key(|binding| (binding.context, binding.action));
}

/// Lays the user's rows over the bindings. Of two rows that clash, the second keeps its action's
/// default; a default loses the keys that clash with a row. The warnings name the refused rows, and
/// the actions left without a key.
pub(super) fn lay_over(
    text: &TomlText,
    bindings: &mut Vec<Binding>,
    rows: Vec<KeyRow>,
) -> Vec<Warning> {
    let (rows, refused) = settle(rows);
    let mut warnings = Vec::new();
    for KeyRow { binding, line } in &rows {
        let is_default = |it: &&mut Binding| {
            !rows
                .iter()
                .any(|row| row.binding.is_of(it.context, it.action))
        };
        let mut without = Vec::new();
        for other in bindings
            .iter_mut()
            .filter(is_default)
            .filter(|other| other.context == binding.context)
        {
            let had = other.sequences.len();
            other.sequences.retain(|keys| {
                !binding
                    .sequences
                    .iter()
                    .any(|taken| hide_each_other(keys, taken))
            });
            if had > 0 && other.sequences.is_empty() {
                without.push(other.action.to_string());
            }
        }
        if !without.is_empty() {
            let what = format!(
                "[{}] {} leaves {} without a key",
                binding.context,
                binding.action,
                without.join(", ")
            );
            warnings.push(text.warning_in(*line, what));
        }
    }
    overlay(bindings, rows.into_iter().map(|row| row.binding));
    for (KeyRow { binding, line }, what) in refused {
        warnings.push(text.warning_in(line, format!("{what}; {}", keys_of(bindings, &binding))));
    }
    warnings.sort_by_key(|warning| warning.line);
    warnings
}

/// Splits the rows into those that are accepted, and those that clash with an earlier row, each
/// with the reason.
fn settle(mut rows: Vec<KeyRow>) -> (Vec<KeyRow>, Vec<(KeyRow, String)>) {
    rows.sort_by_key(|row| row.line);
    let (mut standing, mut refused) = (Vec::new(), Vec::new());
    for row in rows {
        match standing
            .iter()
            .find_map(|before| conflict(&row.binding, before))
        {
            Some(what) => refused.push((row, what)),
            None => standing.push(row),
        }
    }
    (standing, refused)
}

/// The reason why a binding clashes with an earlier row, if it does.
fn conflict(binding: &Binding, before: &KeyRow) -> Option<String> {
    let (keys, taken) = common(binding, &before.binding)?;
    let (mine, theirs, context, line) = (
        binding.action,
        before.binding.action,
        binding.context,
        before.line,
    );
    let how = match keys.len().cmp(&taken.len()) {
        Ordering::Equal => format!("{theirs} uses it in line {line}"),
        Ordering::Less => format!(
            "\"{}\" of {theirs} starts with it in line {line}",
            spell(taken)
        ),
        Ordering::Greater => format!(
            "it starts with \"{}\" of {theirs} in line {line}",
            spell(taken)
        ),
    };
    Some(format!(
        "[{context}] {mine} = \"{}\" is not possible: {how}",
        spell(keys)
    ))
}

/// The first pair of keys, one from each binding of the same context, that hide each other.
fn common<'a>(binding: &'a Binding, other: &'a Binding) -> Option<(&'a [Key], &'a [Key])> {
    binding
        .sequences
        .iter()
        .filter(|_| binding.context == other.context)
        .find_map(|keys| {
            let other = other
                .sequences
                .iter()
                .find(|other| hide_each_other(keys, other))?;
            Some((keys.as_slice(), other.as_slice()))
        })
}

/// Returns `true` if the keys are equal, or one is a prefix of the other.
fn hide_each_other(keys: &[Key], other: &[Key]) -> bool {
    keys.starts_with(other) || other.starts_with(keys)
}

fn keys_of(bindings: &[Binding], refused: &Binding) -> String {
    let kept = bindings
        .iter()
        .find(|binding| binding.is_of(refused.context, refused.action));
    let keys: Vec<String> = kept
        .into_iter()
        .flat_map(|it| &it.sequences)
        .map(|keys| spell(keys))
        .collect();
    if keys.is_empty() {
        "the action has no key there".to_owned()
    } else {
        format!("{} is kept", keys.join(", "))
    }
}

/// Writes a sequence as in the key file: `g g`.
pub fn spell(keys: &[Key]) -> String {
    keys.iter()
        .map(Key::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
