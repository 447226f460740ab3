//! The tour: opened by a key or from the palette, left at any step, on a screen of any size.

use filedeck::config::{Preset, TomlText};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::keymap::Keymap;
use filedeck::tui::message::Msg;
use filedeck::tui::state::View;
use rstest::rstest;

use super::world::World;

#[rstest]
#[case::at_the_first(0)]
#[case::in_the_middle(3)]
#[case::at_the_last(5)]
fn esc_leaves_it_at_any_step(#[case] steps: usize) {
    let mut world = World::new();
    world.keys("3 g t");
    assert_eq!(world.state.view, View::Files, "it is about the files");
    for _ in 0..steps {
        world.keys("enter");
    }
    assert!(
        world.shows(&format!("{} of 6", steps + 1)),
        "{}",
        world.drawn()
    );
    world.keys("esc");
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn it_names_the_gallery_the_local_list_and_the_comparison_by_their_keys() {
    let mut world = World::new();
    let own = TomlText::new("keys.toml", "[files]\ntoggle_grid = [\"ctrl-y\"]\n");
    world.state.keymap = Keymap::load(Preset::Vim, &own).0;
    world.keys("g t enter");
    for words in ["ctrl-y shows", "t this", "C compares"] {
        assert!(world.shows(words), "{words}: {}", world.drawn());
    }
}

#[test]
fn it_goes_back_and_starts_from_the_palette() {
    let mut world = World::new();
    world.keys("ctrl-p");
    world.text("tutorial");
    world.keys("enter");
    assert!(matches!(world.dialog(), Dialog::Tour(_)));
    world.keys("right right left");
    assert!(world.shows("2 of 6"), "{}", world.drawn());
}

/// Seen to fail when the places of the steps stay as they were.
#[test]
fn it_follows_the_size_of_the_screen() {
    let mut world = World::new();
    world.keys("g t enter enter enter enter");
    for (cols, rows) in [(80, 24), (200, 60), (50, 12), (120, 40)] {
        world.send(Msg::Resize { cols, rows });
        let drawn = world.drawn();
        assert!(
            drawn.contains("5 of 6") && drawn.contains("^P"),
            "{cols}x{rows}\n{drawn}"
        );
    }
}

#[test]
fn the_first_start_offers_it_and_is_not_in_the_way() {
    let mut world = World::new();
    world.state.is_first_run = true;
    assert!(
        world.shows("g t") && world.shows("a tour of the screen"),
        "{}",
        world.drawn()
    );
    world.keys("g t");
    assert!(matches!(world.dialog(), Dialog::Tour(_)));
    world.keys("esc");
    assert!(!world.shows("Welcome to filedeck"));
}
