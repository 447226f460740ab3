//! The next steps that messages of the screen name: with keys that are bound there, and no options.

use filedeck::config::{Origin, Preset, TomlText};
use filedeck::tui::keymap::{Key, KeyLookup, Keymap};
use filedeck::tui::state::{Message, State};
use rstest::rstest;

use super::accounts::{press, with_entry};
use super::snapshot::draw_text;
use crate::architecture::advice::all_errors;

/// Keys that are no words, in a sentence: `@, then e enters a new token.`
fn keys_in(sentence: &str) -> Vec<(Key, bool)> {
    let words: Vec<&str> = sentence
        .split_whitespace()
        .map(|word| word.trim_end_matches(['.', ',', ';', ':']))
        .collect();
    let is_key = |word: &str| {
        let is_letter = word.chars().count() == 1 && !["a", "→"].contains(&word);
        let is_function = word
            .strip_prefix('f')
            .is_some_and(|number| number.parse::<u8>().is_ok());
        is_letter || is_function || word.starts_with("ctrl-") || word.starts_with("alt-")
    };
    let found = words.iter().enumerate().filter(|(_, word)| is_key(word));
    let key = |(at, word): (usize, &&str)| {
        let is_next = at > 0 && words.get(at - 1) == Some(&"then");
        (word.parse().unwrap(), is_next)
    };
    found.map(key).collect()
}

fn sentences(state: &mut State) -> Vec<String> {
    let mut found = Vec::new();
    for error in all_errors() {
        found.extend(state.token_advice(&error));
        state.say_failed("Delete", &error);
        found.extend(state.status.message().map(Message::whole));
        state.say_task_failed("Delete", &error);
        found.extend(state.status.message().map(Message::whole));
        found.extend(state.activity.iter().next().map(|entry| entry.next.clone()));
    }
    found
}

#[rstest]
fn a_failure_names_only_keys_that_are_bound_on_its_screen(
    #[values("1", "2", "3", "4")] view: &str,
    #[values(Origin::Own, Origin::Config)] origin: Origin,
    #[values("", "[global]\naccounts = [\"f8\"]\n[tasks]\nretry_task = [\"f9\"]\n")] own_keys: &str,
) {
    let mut state = with_entry(origin);
    let (keymap, warnings) = Keymap::load(Preset::Vim, &TomlText::new("keys.toml", own_keys));
    assert_eq!(warnings, []);
    state.keymap = keymap;
    press(&mut state, view);
    let mut count = 0;
    for sentence in sentences(&mut state.clone()) {
        let mut shown = state.clone();
        assert!(
            !sentence.contains("--") || sentence.contains("filedeck"),
            "{sentence}"
        );
        for (key, is_next) in keys_in(&sentence) {
            count += 1;
            let lookup = shown.keymap.lookup(shown.context(), &[], key);
            let is_bound = matches!(lookup, KeyLookup::Action(_));
            // A dialog has keys of its own, which it names.
            let is_of_dialog = is_next
                && !shown.dialogs.is_empty()
                && draw_text(&shown, 120, 40).contains(&format!(" {key} "));
            assert!(is_bound || is_of_dialog, "{key} in {sentence}");
            press(&mut shown, &key.to_string());
        }
    }
    assert!(count > 0);
}
