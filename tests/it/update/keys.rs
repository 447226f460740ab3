//! Key sequences, help, and the ways out.

use filedeck::config::{AccountSource, Preset, TomlText};
use filedeck::engine::batch::{Batch, BatchId, Hold};
use filedeck::engine::job::JobKind;
use filedeck::engine::preview::{Class, Preview, PreviewText};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::keymap::{Action, Context, KeyLookup, Keymap};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{Pane, PreviewKey, PreviewState, View};
use rstest::rstest;

use super::world::World;
use crate::support::queue::{ended, held, view};

fn start_upload(world: &mut World) {
    world.send(Msg::Paste("/tmp/a.txt".to_owned()));
    world.keys("enter");
}

#[test]
fn what_may_follow_a_key_is_shown_after_a_while() {
    let mut world = World::new();
    world.keys("G y");
    assert_eq!(world.state.which_key(), None);
    let due = world.state.next_wake().unwrap();
    assert!((due.as_millisecond() - world.state.now.as_millisecond()) <= 300);
    world.wait(300);
    let which = world.state.which_key().unwrap();
    assert_eq!(which.pressed, "y");
    assert!(which.rows.iter().any(|(keys, _)| keys == "s"), "{which:?}");
    world.send(Msg::Key("esc".parse().unwrap()));
    assert_eq!(world.state.which_key(), None);
    assert!(world.state.pending.is_empty());
    assert!(world.said().is_empty(), "{:?}", world.said());
}

#[test]
fn what_may_follow_is_shown_at_once_when_asked_for() {
    let mut world = World::new();
    world.keys("g");
    world.send(Msg::Key("?".parse().unwrap()));
    assert!(world.state.which_key().is_some());
    assert!(world.state.dialogs.is_empty());
    world.keys("r");
    assert!(world.state.pending.is_empty());
}

#[test]
fn with_the_keys_of_desktop_programs_ctrl_c_copies_and_still_leaves_a_dialog() {
    let mut world = World::new();
    world.state.keymap = Keymap::load(Preset::Cua, &TomlText::default()).0;
    world.keys("3 1 G");
    let copied = world.keys("ctrl-c");
    assert!(
        copied
            .iter()
            .any(|effect| matches!(effect, Effect::Copy(_) | Effect::Submit(..))),
        "{copied:?}"
    );
    world.keys("delete");
    assert!(matches!(
        world.state.dialogs.last(),
        Some(Dialog::Confirm(_))
    ));
    assert!(world.drawn().contains("delete"), "{}", world.drawn());
    world.keys("ctrl-c");
    assert!(world.state.dialogs.is_empty());
    world.keys("ctrl-q");
    assert!(
        world.shows("Quit filedeck?") && world.shows("ctrl-q again quits at once."),
        "{}",
        world.drawn()
    );
    assert_eq!(world.keys("ctrl-q"), [Effect::Quit]);
}

#[test]
fn quitting_asks_only_while_tasks_run() {
    let mut world = World::new();
    assert_eq!(world.keys("q"), [Effect::Quit]);
    start_upload(&mut world);
    assert_eq!(
        world.keys("q"),
        Vec::<Effect>::new(),
        "nobody knows yet whether the queue takes it"
    );
    world.keys("esc");
    let taken = world.take(JobKind::Upload);
    world.tell(view(&[taken.batch()]));
    assert_eq!(world.keys("q"), Vec::<Effect>::new());
    assert!(
        world.shows("1 task is not finished. Uploads and downloads continue"),
        "{}",
        world.drawn()
    );
    world.end(
        &taken,
        vec![Err(filedeck::api::Error::new(
            filedeck::api::Kind::Server,
            "no room",
        ))],
    );
    assert!(
        world.shows("Nothing is running anymore (1 task failed). Quitting loses nothing."),
        "it follows what it counts: {}",
        world.drawn()
    );
    assert_eq!(world.keys("right enter"), [Effect::Quit]);
}

#[test]
fn what_is_held_waits_for_the_next_start_without_a_question_unless_it_would_be_lost() {
    let mut world = World::new();
    start_upload(&mut world);
    let taken = world.take(JobKind::Upload);
    world.tell(view(&[held(taken.batch(), Hold::Paused)]));
    assert_eq!(world.keys("q"), [Effect::Quit]);
    world.state.session.account.source = AccountSource::Demo;
    assert_eq!(world.keys("q"), Vec::<Effect>::new());
    assert!(
        world.shows("1 task is not finished. The demo keeps nothing"),
        "{}",
        world.drawn()
    );
}

#[test]
fn control_c_asks_and_quits_when_pressed_twice() {
    let mut world = World::new();
    assert_eq!(world.keys("ctrl-c"), Vec::<Effect>::new());
    assert!(matches!(world.dialog(), Dialog::Confirm(_)));
    assert_eq!(world.keys("ctrl-c"), [Effect::Quit]);
}

#[test]
fn control_c_twice_but_slowly_only_closes_the_question() {
    let mut world = World::new();
    world.keys("ctrl-c");
    world.wait(2_000);
    assert_eq!(world.keys("ctrl-c"), Vec::<Effect>::new());
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn control_c_closes_a_dialog_even_while_text_is_typed() {
    let mut world = World::new();
    world.keys("a x ctrl-c");
    assert!(world.state.dialogs.is_empty());
    assert_eq!(world.keys("q"), [Effect::Quit]);
}

#[test]
fn control_c_ends_a_filter_while_it_is_typed() {
    let mut world = World::new();
    world.keys("/ p ctrl-c");
    assert!(world.state.files.listing.list.filter.is_none());
    assert_eq!(
        world.rows(),
        ["marketing", "sales", "a.txt", "b.png", "c.pdf"]
    );
}

#[rstest]
#[case::a_deletion("d tab enter")]
#[case::a_command("x")]
#[case::a_dialog("a")]
fn nothing_can_be_done_blindly_on_a_screen_that_is_too_small(#[case] keys: &str) {
    let mut world = World::new();
    world.send(Msg::Resize { cols: 45, rows: 10 });
    assert_eq!(world.keys(keys), Vec::<Effect>::new());
    world.send(Msg::Paste("/home/ada/work/x.txt".to_owned()));
    assert!(world.state.dialogs.is_empty());
    assert!(world.state.session.cut.is_none());
    assert_eq!(world.keys("q"), [Effect::Quit]);
}

#[test]
fn a_question_waits_until_it_can_be_read_again() {
    let mut world = World::new();
    world.keys("d right");
    world.send(Msg::Resize { cols: 45, rows: 10 });
    assert_eq!(world.keys("enter"), Vec::<Effect>::new());
    world.send(Msg::Resize { cols: 80, rows: 24 });
    assert!(matches!(world.dialog(), Dialog::Confirm(_)));
}

#[test]
fn esc_backs_out_of_one_thing_at_a_time_and_never_quits() {
    let mut world = World::new();
    world.keys("/ p enter ctrl-a esc");
    assert!(world.state.files.listing.list.filter.is_none());
    assert!(
        !world.state.files.listing.marks.is_empty(),
        "the filter goes first"
    );
    world.keys("esc");
    assert!(world.state.files.listing.marks.is_empty());
    for _ in 0..10 {
        assert_eq!(world.keys("esc"), Vec::<Effect>::new());
    }
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn the_help_has_cut_paste_and_undo_and_finds_them_by_other_words() {
    let mut world = World::new();
    world.keys("?");
    for words in ["Cut, to move", "Move the cut items", "Undo the last"] {
        assert!(world.shows(words), "{}", world.drawn());
    }
    for (typed, action) in [("move", "Cut, to move"), ("revert", "Undo the last")] {
        world.text(typed);
        let drawn = world.drawn();
        let first = drawn.lines().find(|line| line.contains('▐')).unwrap();
        assert!(first.contains(action), "{drawn}");
        world.keys("ctrl-u");
    }
}

#[rstest]
fn help_opens_and_its_letters_search(#[values("?", "f1")] key: &str) {
    let mut world = World::new();
    world.keys(key);
    world.keys("q d u");
    let Dialog::Help(help) = world.dialog() else {
        panic!()
    };
    assert_eq!(help.typed().text(), "qdu");
    world.keys("esc");
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn the_screen_is_drawn_anew_and_suspended_even_from_a_dialog() {
    let mut world = World::new();
    assert_eq!(world.keys("ctrl-l"), [Effect::Redraw]);
    assert_eq!(world.keys("ctrl-z"), [Effect::Suspend]);
    world.keys("a");
    assert_eq!(world.keys("ctrl-l"), [Effect::Redraw]);
}

/// Gives every row a preview that is longer than the screen.
fn with_looks(world: &mut World) {
    let lines = (0..100)
        .map(|line| vec![(Class::Plain, line.to_string())])
        .collect();
    let look = PreviewState::Seen(Preview::Text(PreviewText {
        lines,
        is_prose: false,
        cut: None,
    }));
    world.state.panes.preview = true;
    let keys: Vec<_> = world
        .state
        .files
        .listing
        .visible_rows()
        .map(|(_, row)| PreviewKey::of(row))
        .collect();
    for key in keys {
        world
            .state
            .files
            .previews
            .keep(key, look.clone(), world.state.now);
    }
}

/// A world where every action has an effect in this context.
fn prepared(context: Context) -> World {
    let mut world = World::new();
    start_upload(&mut world);
    let taken = world.take(JobKind::Upload);
    let held = held(
        Batch {
            id: BatchId(900),
            ..taken.batch()
        },
        Hold::Paused,
    );
    world.end(
        &taken,
        vec![Err(filedeck::api::Error::new(
            filedeck::api::Kind::Server,
            "no room",
        ))],
    );
    let failed = ended(taken.batch(), 0, 1, world.state.now);
    world.tell(view(&[held, failed]));
    world.keys("j x G v k space");
    with_looks(&mut world);
    world.answer_limits();
    match context {
        Context::Tree => {
            world.keys("k shift-tab j");
        }
        Context::Details => world.state.focus = Pane::Details,
        Context::Tasks => world.state.view = View::Tasks,
        Context::Limits => world.state.view = View::Limits,
        Context::Activity => world.state.view = View::Activity,
        Context::Local => {
            world.keys("t");
            super::local_side::list(
                &mut world,
                "/home/ada/work",
                &["in/", "a.txt", "b.txt", ".env"],
            );
            world.keys("j v k space");
        }
        Context::Choose => {
            world.keys("u ctrl-o");
            super::local_side::list(
                &mut world,
                "/home/ada/work",
                &["in/", "a.txt", "b.txt", ".env"],
            );
            world.keys("j v k space");
        }
        Context::Compare => {
            world.keys("C");
            super::comparing::answer(&mut world);
            world.keys("j space");
        }
        Context::Grid => world.state.files.listing.shape = filedeck::tui::state::ListShape::Grid,
        Context::Global | Context::Files | Context::List => {}
    }
    world
}

#[rstest]
fn every_bound_key_does_something_wherever_it_is_bound(
    #[values(
        Context::Tree,
        Context::List,
        Context::Grid,
        Context::Local,
        Context::Choose,
        Context::Compare,
        Context::Details,
        Context::Tasks,
        Context::Limits,
        Context::Activity
    )]
    context: Context,
) {
    let world = prepared(context);
    let keymap = world.state.keymap.clone();
    let mut idle = Vec::new();
    for action in Action::ALL {
        let Some(keys) = keymap.key_of(context, *action) else {
            continue;
        };
        let sequence: Vec<_> = keys.split(' ').collect();
        let last = sequence.last().unwrap().parse().unwrap();
        let before: Vec<_> = sequence
            .iter()
            .take(sequence.len() - 1)
            .map(|key| key.parse().unwrap())
            .collect();
        assert_eq!(
            keymap.lookup(context, &before, last),
            KeyLookup::Action(*action),
            "{keys} is taken by another"
        );
        let does_something = [
            "", "esc", "G", "g g", "i", "o s", "o n", "J", "g g J", "enter",
        ]
        .iter()
        .any(|first| {
            let mut world = prepared(context);
            world.keys(first);
            let shown = |world: &World| {
                let mut state = world.state.clone();
                // Ignores pending keys and earlier messages.
                state.pending.clear();
                state.status.clear();
                crate::screen::drawn(&state, state.size.width, state.size.height)
            };
            let before = shown(&world);
            let effects = world.keys(&keys);
            !effects.is_empty() || shown(&world) != before || !world.said().is_empty()
        });
        if !does_something {
            idle.push(action.to_string());
        }
    }
    // The view and the root folder are already open.
    let nothing_to_do: &[&str] = match context {
        Context::Tasks => &["view_tasks"],
        Context::Limits => &["view_limits"],
        Context::Activity => &["view_activity"],
        _ => &["view_files", "leave", "go_root"],
    };
    idle.retain(|name| !nothing_to_do.contains(&name.as_str()));
    assert_eq!(idle, Vec::<&str>::new());
}

#[test]
fn only_what_fits_a_folder_is_offered_for_it() {
    let mut world = World::new();
    world.keys("y");
    world.wait(300);
    assert!(
        world.shows("p Path") && !world.shows("Signed link"),
        "{}",
        world.drawn()
    );
    world.keys("esc G y");
    world.wait(300);
    assert!(
        world.shows("s Signed link, for 1 hour"),
        "{}",
        world.drawn()
    );
}

#[rstest]
#[case::sort("o", "─ Sort  o … ─", "n Name ↑")]
#[case::reversed("O o", "─ Sort  o … ─", "n Name ↓")]
#[case::by_size("o s o", "─ Sort  o … ─", "s Size ↓")]
#[case::limits("3 o", "─ Sort  o … ─", "p Percentage used ↓")]
#[case::go("g", "─ Go  g … ─", "r Root folder")]
#[case::share("G y", "  y … ─", "y Best link: ")]
#[case::find("F", "─ Quick searches  F … ─", "p Public files")]
fn a_menu_has_a_title_short_names_and_the_present_order(
    #[case] keys: &str,
    #[case] title: &str,
    #[case] row: &str,
) {
    let mut world = World::new();
    world.keys(keys);
    world.wait(300);
    let drawn = world.drawn();
    assert!(
        drawn.contains(&title.replacen("─ ", "╭ ", 1)) || drawn.contains(title),
        "{drawn}"
    );
    assert!(drawn.contains(row) && !drawn.contains("Sort by"), "{drawn}");
    // Keys with another meaning in the menu are not listed below it.
    let last = drawn.lines().last().unwrap().trim_matches('|');
    assert_eq!(
        last.split_whitespace().collect::<Vec<_>>(),
        ["esc", "close"],
        "{drawn}"
    );
}

#[test]
fn the_menu_of_places_begins_with_the_root_folder_and_a_path_and_ends_with_duplicates() {
    let mut world = World::new();
    world.keys("G g");
    world.wait(300);
    let rows = world.state.which_key().unwrap().rows;
    let actions: Vec<Action> = rows.into_iter().map(|(_, action)| action).collect();
    assert_eq!(actions[..2], [Action::GoRoot, Action::GoPath]);
    assert_eq!(actions.last(), Some(&Action::FileDuplicates));
}
