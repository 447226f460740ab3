use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::hostile;

fn keys(text: &str) -> Vec<Key> {
    text.split_whitespace()
        .map(|key| key.parse().unwrap())
        .collect()
}

fn lookup(keymap: &Keymap, context: Context, text: &str) -> KeyLookup {
    let keys = keys(text);
    let (last, before) = keys.split_last().unwrap();
    keymap.lookup(context, before, *last)
}

/// The keymap with a user's file on top, and the warnings.
fn with(user: &str) -> (Keymap, Vec<String>) {
    let (keymap, warnings) = Keymap::load(Preset::Vim, &TomlText::new("keys.toml", user));
    (keymap, warnings.iter().map(ToString::to_string).collect())
}

#[test]
fn the_keys_that_come_with_the_program_load_without_clashes_or_warnings() {
    let (keymap, warnings) = with(DEFAULTS);
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(keymap, Keymap::defaults());
    let (keymap, warnings) = with(CUA);
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(keymap, Keymap::load(Preset::Cua, &TomlText::default()).0);
}

#[rstest]
#[case::copies(Context::List, "ctrl-c", Action::LinkAuto)]
#[case::leaves_dialogs(Context::Global, "ctrl-c", Action::Interrupt)]
#[case::quits(Context::List, "ctrl-q", Action::Interrupt)]
#[case::cuts(Context::List, "ctrl-x", Action::Cut)]
#[case::pastes(Context::Tree, "ctrl-v", Action::Paste)]
#[case::deletes(Context::List, "delete", Action::Delete)]
#[case::undoes(Context::List, "ctrl-z", Action::Undo)]
#[case::renames(Context::List, "f2", Action::Rename)]
#[case::refreshes(Context::Tasks, "f5", Action::Refresh)]
#[case::letters_stay(Context::List, "y u", Action::LinkUrl)]
fn the_preset_cua_has_the_keys_of_desktop_programs(
    #[case] context: Context,
    #[case] text: &str,
    #[case] action: Action,
) {
    let user = TomlText::new("keys.toml", "[files]\nupload = [\"f6\"]\n");
    let (keymap, _) = Keymap::load(Preset::Cua, &user);
    assert_eq!(lookup(&keymap, context, text), KeyLookup::Action(action));
    assert_eq!(
        lookup(&keymap, context, "f6") == KeyLookup::Action(Action::Upload),
        context.chain().contains(&Context::Files)
    );
}

#[test]
fn every_action_has_a_key_and_a_unique_name() {
    let keymap = Keymap::defaults();
    let mut names: Vec<String> = Action::ALL.iter().map(ToString::to_string).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Action::ALL.len());
    for action in Action::ALL {
        assert!(
            keymap
                .bindings()
                .iter()
                .any(|binding| binding.action == *action),
            "{action} has no key"
        );
        assert_eq!(action.to_string().parse(), Ok(*action));
        assert!(!action.description().is_empty() && !action.hint().is_empty());
    }
}

#[rstest]
#[case::list(Context::List, "d", KeyLookup::Action(Action::Delete))]
#[case::prefix(Context::List, "g", KeyLookup::Prefix)]
#[case::wide_sequence_under_a_narrower_prefix(
    Context::List,
    "g g",
    KeyLookup::Action(Action::MoveTop)
)]
#[case::narrow_sequence(Context::List, "g r", KeyLookup::Action(Action::GoRoot))]
#[case::only_global_there(Context::Limits, "g r", KeyLookup::None)]
#[case::narrow_meaning(Context::Tasks, "x", KeyLookup::Action(Action::CancelTask))]
#[case::wide_meaning(Context::List, "x", KeyLookup::Action(Action::Cut))]
#[case::nothing(Context::Tasks, "d", KeyLookup::None)]
#[case::unfinished(Context::List, "y z", KeyLookup::None)]
fn keys_mean_what_the_narrowest_place_says(
    #[case] context: Context,
    #[case] text: &str,
    #[case] expected: KeyLookup,
) {
    assert_eq!(lookup(&Keymap::defaults(), context, text), expected);
}

#[test]
fn a_user_file_replaces_rows_and_leaves_the_others() {
    let (keymap, warnings) = with("[files]\nupload = [\"Z\"]\nfilter = []\n");
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(
        lookup(&keymap, Context::List, "Z"),
        KeyLookup::Action(Action::Upload)
    );
    assert_eq!(lookup(&keymap, Context::List, "u"), KeyLookup::None);
    assert_eq!(lookup(&keymap, Context::List, "/"), KeyLookup::None);
    assert_eq!(
        lookup(&keymap, Context::List, "d"),
        KeyLookup::Action(Action::Delete)
    );
}

#[rstest]
#[case::unknown_action(
    "[files]\nfly = [\"F\"]\n",
    "keys.toml, line 2: there is no action fly; it is ignored"
)]
#[case::unknown_place(
    "\n[cellar]\nopen = [\"o\"]\n",
    "keys.toml, line 2: [cellar] is not one of [global], [files], [tree]"
)]
#[case::unknown_key(
    "[files]\nupload = [\"hyper-u\"]\n",
    "line 2: upload: \"hyper-u\" is not a key, like d, G, ctrl-d, f5 or space; the default is used"
)]
#[case::no_list(
    "[files]\nupload = \"U\"\n",
    "line 2: upload: \"U\" is not a list of keys, like [\"d\", \"g d\", \"ctrl-d\"]; the default is used"
)]
#[case::no_toml("[files]\nupload = [\n[list]", "it is not valid TOML")]
fn what_is_no_binding_is_warned_of_and_the_defaults_stay(
    #[case] user: &str,
    #[case] warning: &str,
) {
    let (keymap, warnings) = with(user);
    assert!(
        warnings.len() == 1 && warnings[0].contains(warning),
        "{warnings:#?}"
    );
    assert_eq!(keymap, Keymap::defaults());
}

#[rstest]
#[case::same_key("Q", "Q", "rename uses it in line 2")]
#[case::key_begins_a_sequence("Z q", "Z", "\"Z q\" of rename starts with it in line 2")]
#[case::sequence_begins_with_a_key("Z", "Z q", "it starts with \"Z\" of rename in line 2")]
fn of_two_rows_that_clash_the_second_keeps_its_default(
    #[case] first: &str,
    #[case] second: &str,
    #[case] why: &str,
) {
    let (keymap, warnings) = with(&format!(
        "[files]\nrename = [\"{first}\"]\nupload = [\"{second}\"]\n"
    ));
    let what = format!(
        "keys.toml, line 3: [files] upload = \"{second}\" is not possible: {why}; u is kept"
    );
    assert_eq!(warnings, [what]);
    assert_eq!(
        lookup(&keymap, Context::List, first),
        KeyLookup::Action(Action::Rename)
    );
    assert_eq!(
        lookup(&keymap, Context::List, "u"),
        KeyLookup::Action(Action::Upload)
    );
}

#[rstest]
#[case::the_only_key("U", &[Action::Undo])]
#[case::one_of_several("backspace", &[])]
#[case::key_that_begins_sequences("g", &[Action::GoRoot, Action::GoPath, Action::GoId, Action::GoFolder])]
#[case::key_beside_a_sequence("O", &[])]
#[case::sequence_that_begins_with_a_key("d u", &[Action::Delete])]
#[case::key_of_a_wider_place("f", &[])]
fn a_row_wins_over_a_default(#[case] key: &str, #[case] costs: &[Action]) {
    let (keymap, warnings) = with(&format!("[files]\nupload = [\"{key}\"]\n"));
    assert_eq!(
        lookup(&keymap, Context::Files, key),
        KeyLookup::Action(Action::Upload)
    );
    let without = keymap
        .bindings()
        .iter()
        .filter(|it| it.context == Context::Files && it.sequences.is_empty());
    assert_eq!(without.map(|it| it.action).collect::<Vec<_>>(), costs);
    let names: Vec<String> = costs.iter().map(Action::to_string).collect();
    let warning = format!(
        "keys.toml, line 2: [files] upload leaves {} without a key",
        names.join(", ")
    );
    assert_eq!(
        warnings,
        if costs.is_empty() {
            vec![]
        } else {
            vec![warning]
        }
    );
}

#[test]
fn keys_change_places_without_a_warning() {
    let (keymap, warnings) = with("[files]\nupload = [\"d\"]\ndelete = [\"u\"]\n");
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(
        lookup(&keymap, Context::List, "u"),
        KeyLookup::Action(Action::Delete)
    );
    assert_eq!(
        lookup(&keymap, Context::List, "d"),
        KeyLookup::Action(Action::Upload)
    );
}

#[test]
fn a_row_that_takes_a_key_says_so_of_an_action_whose_row_went() {
    let (_, warnings) = with("[files]\nrename = [\"u\", \"Q\"]\nupload = [\"Q\"]\n");
    let [first, second] = warnings.as_slice() else {
        panic!("{warnings:#?}")
    };
    assert_eq!(
        first,
        "keys.toml, line 2: [files] rename leaves upload without a key"
    );
    assert!(
        second.ends_with("rename uses it in line 2; the action has no key there"),
        "{second}"
    );
}

#[test]
fn what_may_follow_a_prefix_is_listed() {
    let keymap = Keymap::defaults();
    let after_g = keymap.continuations(Context::List, &keys("g"));
    assert!(
        after_g.contains(&("g".to_owned(), Action::MoveTop)),
        "{after_g:?}"
    );
    assert!(
        after_g.contains(&("p".to_owned(), Action::GoPath)),
        "{after_g:?}"
    );
    assert_eq!(
        keymap.key_of(Context::List, Action::MoveTop).as_deref(),
        Some("g g")
    );
}

#[rstest]
fn f_finds_and_o_sorts_wherever_they_mean_something(
    #[values(
        Context::Tree,
        Context::List,
        Context::Details,
        Context::Tasks,
        Context::Limits,
        Context::Activity
    )]
    context: Context,
    #[values(Preset::Vim, Preset::Cua)] preset: Preset,
) {
    let (keymap, _) = Keymap::load(preset, &TomlText::default());
    assert_eq!(
        keymap.lookup(context, &[], Key::char('f')),
        KeyLookup::Action(Action::Find)
    );
    let sorts = keymap.continuations(context, &[Key::char('o')]);
    assert!(
        sorts
            .iter()
            .all(|(_, action)| action.to_string().starts_with("sort_")),
        "{sorts:?}"
    );
    assert_eq!(
        sorts.is_empty(),
        matches!(context, Context::Tasks | Context::Activity),
        "{sorts:?}"
    );
}

proptest! {
    #[test]
    fn hostile_key_files_leave_keys_that_work(user in hostile::text(&["[files]\ncut = [\"ctrl-x\", \"x\"]\n[list]\nsave = [\"g s\", \"shift-f2\"]\n"])) {
        let (keymap, _) = with(&user);
        prop_assert!(keymap.bindings().iter().all(|binding| binding.sequences.iter().all(|keys| !spell(keys).is_empty())));
    }
}
