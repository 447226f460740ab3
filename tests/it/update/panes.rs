//! Panes and views: which are shown, and which has the keys.

use filedeck::tui::message::Msg;
use filedeck::tui::state::{Pane, View};
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
