use rstest::rstest;

use super::*;

fn keys(text: &str) -> Vec<Key> {
    text.split_whitespace().map(|key| key.parse().unwrap()).collect()
}

fn lookup(keymap: &Keymap, context: Context, text: &str) -> Lookup {
    let keys = keys(text);
    let (last, before) = keys.split_last().unwrap();
    keymap.lookup(context, before, *last)
}

#[test]
fn the_default_keys_load_without_conflicts_or_warnings() {
    let (_, warnings) = Keymap::load(None).unwrap();
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn every_action_has_a_key_and_a_unique_name() {
    let keymap = Keymap::defaults().unwrap();
    let mut names: Vec<&str> = Action::ALL.iter().map(|action| action.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Action::ALL.len());
    for action in Action::ALL {
        assert!(keymap.bindings().iter().any(|binding| binding.action == *action), "{} has no key", action.name());
        assert_eq!(Action::named(action.name()), Some(*action));
        assert!(!action.description().is_empty() && !action.hint().is_empty());
    }
}

#[rstest]
#[case::list(Context::List, "d", Lookup::Action(Action::Delete))]
#[case::prefix(Context::List, "g", Lookup::Prefix)]
#[case::wide_sequence_under_a_narrower_prefix(Context::List, "g g", Lookup::Action(Action::MoveTop))]
#[case::narrow_sequence(Context::List, "g r", Lookup::Action(Action::GoRoot))]
#[case::only_global_there(Context::Limits, "g r", Lookup::None)]
#[case::narrow_meaning(Context::Tasks, "x", Lookup::Action(Action::CancelTask))]
#[case::wide_meaning(Context::List, "x", Lookup::Action(Action::Cut))]
#[case::nothing(Context::Tasks, "d", Lookup::None)]
#[case::unfinished(Context::List, "y z", Lookup::None)]
fn keys_mean_what_the_narrowest_place_says(#[case] context: Context, #[case] text: &str, #[case] expected: Lookup) {
    assert_eq!(lookup(&Keymap::defaults().unwrap(), context, text), expected);
}

#[test]
fn a_user_file_replaces_rows_and_leaves_the_others() {
    let (keymap, warnings) = Keymap::load(Some("[files]\nupload = [\"U\"]\nfilter = []\n")).unwrap();
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(lookup(&keymap, Context::List, "U"), Lookup::Action(Action::Upload));
    assert_eq!(lookup(&keymap, Context::List, "u"), Lookup::None);
    assert_eq!(lookup(&keymap, Context::List, "/"), Lookup::None);
    assert_eq!(lookup(&keymap, Context::List, "d"), Lookup::Action(Action::Delete));
}

#[test]
fn unknown_names_and_keys_warn_and_the_defaults_stay() {
    let user = "[files]\nfly = [\"F\"]\nupload = [\"hyper-u\"]\n[cellar]\nopen = [\"o\"]\n";
    let (keymap, warnings) = Keymap::load(Some(user)).unwrap();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    for word in ["fly", "hyper-u", "cellar"] {
        assert!(warnings.iter().any(|warning| warning.contains(word)), "{word}: {warnings:?}");
    }
    assert_eq!(lookup(&keymap, Context::List, "u"), Lookup::Action(Action::Upload));
}

#[rstest]
#[case::same_key("[files]\nupload = [\"d\"]\n", "upload", "delete")]
#[case::key_begins_a_sequence("[files]\nupload = [\"o\"]\n", "sort_name", "upload")]
fn a_conflict_names_both_actions(#[case] user: &str, #[case] one: &str, #[case] other: &str) {
    let error = Keymap::load(Some(user)).unwrap_err().to_string();
    assert!(error.contains(one) && error.contains(other), "{error}");
}

#[test]
fn what_may_follow_a_prefix_is_listed() {
    let keymap = Keymap::defaults().unwrap();
    let after_g = keymap.continuations(Context::List, &keys("g"));
    assert!(after_g.contains(&("g".to_owned(), Action::MoveTop)), "{after_g:?}");
    assert!(after_g.contains(&("p".to_owned(), Action::GoPath)), "{after_g:?}");
    assert_eq!(keymap.key_of(Context::List, Action::MoveTop).as_deref(), Some("g g"));
}
