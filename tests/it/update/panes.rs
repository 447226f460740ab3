//! Panes and views: which are shown, and which has the keys.

use filedeck::config::PaneSizes;
use filedeck::tui::areas::{areas, bounded};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{Pane, Splitter, View};
use rstest::rstest;

use super::world::World;

#[test]
fn panes_views_and_zoom_follow_their_keys() {
    let mut world = World::new();
    world.keys("tab");
    assert_eq!(world.state.focus, Pane::Details);
    world.keys("tab");
    assert_eq!(world.state.focus, Pane::Tree);
    world.keys("T");
    assert_eq!(world.state.focus, Pane::List, "a hidden pane has no focus");
    world.keys("i tab");
    assert_eq!(world.state.focus, Pane::List, "there is no other pane");
    world.keys("+");
    assert!(world.state.panes.zoomed);
    for (key, view) in [
        ("2", View::Tasks),
        ("3", View::Limits),
        ("4", View::Activity),
        ("1", View::Files),
    ] {
        world.keys(key);
        assert_eq!(world.state.view, view);
    }
    world.keys("w");
    assert_eq!(world.state.view, View::Tasks);
    world.keys("w");
    assert_eq!(world.state.view, View::Files);
}

#[rstest]
#[case::tree("T", Pane::Tree)]
#[case::details("i", Pane::List)]
fn a_pane_that_is_asked_for_while_another_has_the_whole_screen_appears(
    #[case] key: &str,
    #[case] focus: Pane,
) {
    let mut world = World::new();
    world.keys("+");
    world.keys(key);
    assert!(!world.state.panes.zoomed);
    assert!(world.state.panes.tree_column && world.state.panes.details);
    assert_eq!(world.state.focus, focus);
}

#[rstest]
fn details_that_have_a_narrow_screen_shrink_to_the_peek(
    #[values("i", "tab", "esc", "h")] key: &str,
) {
    let mut world = World::new();
    world.send(Msg::Resize { cols: 80, rows: 24 });
    world.keys("j j enter");
    assert!(world.state.panes.zoomed);
    world.keys(key);
    assert!(!world.state.panes.zoomed && world.state.panes.details);
    assert_eq!(world.state.focus, Pane::List);
}

#[test]
fn a_screen_that_gets_narrow_does_not_leave_the_focus_on_a_hidden_pane() {
    let mut world = World::new();
    world.keys("shift-tab");
    world.send(Msg::Resize { cols: 80, rows: 24 });
    assert_eq!(world.state.focus, Pane::List);
}

fn size(world: &World, splitter: Splitter) -> Option<u16> {
    bounded(splitter, &areas(world.state.size, &world.state)?)
}

#[rstest]
#[case::medium(120, 40)]
#[case::wide(200, 60)]
fn panes_are_resized_by_keys(#[case] cols: u16, #[case] rows: u16) {
    let mut world = World::new();
    world.send(Msg::Resize { cols, rows });
    let of = |world: &World, splitter| size(world, splitter).unwrap();
    let [tree, details, strip] =
        [Splitter::Tree, Splitter::Details, Splitter::Strip].map(|splitter| of(&world, splitter));
    let saved = world.keys("}");
    assert_eq!(of(&world, Splitter::Details), details - 2, "the list grows");
    let sizes = PaneSizes {
        details: Some(details - 2),
        ..PaneSizes::default()
    };
    assert_eq!(saved, [Effect::SavePaneSizes(sizes)]);
    world.keys("{ ctrl-left");
    assert_eq!(of(&world, Splitter::Details), details + 2);
    world.keys("shift-tab } ctrl-right");
    assert_eq!(
        of(&world, Splitter::Tree),
        tree + 4,
        "the focused pane grows"
    );
    world.keys("shift-tab {");
    assert_eq!(of(&world, Splitter::Details), details);
    world.keys("ctrl-up ctrl-up ctrl-down");
    assert_eq!(of(&world, Splitter::Strip), strip + 1);
    world.keys("=");
    assert_eq!(of(&world, Splitter::Tree), tree);
    assert_eq!(of(&world, Splitter::Strip), strip);
}

#[test]
fn a_pane_without_room_says_so_and_nothing_is_remembered() {
    let mut world = World::new();
    world.keys("shift-tab");
    for _ in 0..40 {
        world.keys("}");
    }
    assert!(world.says("The folders stay at 56 columns: the screen has no room for more."));
    let sizes = world.state.panes.dragged;
    assert_eq!(world.keys("}"), []);
    assert_eq!(world.state.panes.dragged, sizes);
    world.keys("=");
    world.state.panes.set.tree = Some(12);
    assert_eq!(world.keys("{"), []);
    assert!(world.says("The folders stay at 12 columns: fewer would show too little."));
    assert_eq!(world.state.panes.dragged, PaneSizes::default());
    world.send(Msg::Resize { cols: 80, rows: 24 });
    assert_eq!(world.keys("}"), []);
    assert!(world.says("No pane beside this one can be resized."));
    assert_eq!(world.keys("ctrl-up"), []);
    assert!(world.says("No tasks are below the files on this screen."));
    assert_eq!(world.state.panes.dragged, PaneSizes::default());
}

#[test]
fn the_tree_over_the_list_of_a_narrow_screen_is_resized() {
    let mut world = World::new();
    world.send(Msg::Resize { cols: 80, rows: 24 });
    world.keys("T");
    let before = size(&world, Splitter::Tree).unwrap();
    world.keys("}");
    assert_eq!(size(&world, Splitter::Tree), Some(before + 2));
}
