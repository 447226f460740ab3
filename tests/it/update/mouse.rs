//! The mouse: the effects of a click, a double click, the wheel and a drag, at positions of texts
//! on the screen.

use filedeck::config::PaneSizes;
use filedeck::engine::Request;
use filedeck::engine::job::JobKind;
use filedeck::engine::message::SortKey;
use filedeck::tui::dialog::{Dialog, FieldValue};
use filedeck::tui::input::mouse::{Mouse, MouseAction};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::limits::LimitSortKey;
use filedeck::tui::state::{Pane, Panes, View};
use ratatui::layout::Position;
use rstest::rstest;

use super::world::{World, after, folder, many, not_found};
use filedeck::engine::Answer;

const NARROW: (u16, u16) = (80, 24);
const MEDIUM: (u16, u16) = (120, 40);

fn world(size: (u16, u16)) -> World {
    let mut world = World::new();
    world.send(Msg::Resize {
        cols: size.0,
        rows: size.1,
    });
    world.wait(1_000);
    world
}

impl World {
    #[track_caller]
    pub(super) fn find(&self, text: &str) -> Position {
        let drawn = self.drawn();
        let found = (0..).zip(drawn.lines()).find_map(|(y, line)| {
            let (before, _) = line.split_once(text)?;
            Some(Position {
                x: u16::try_from(before.chars().count()).unwrap() - 1,
                y,
            })
        });
        found.unwrap_or_else(|| panic!("{text} is not on the screen:\n{drawn}"))
    }

    pub(super) fn mouse(&mut self, action: MouseAction, at: Position) -> Vec<Effect> {
        self.send(Msg::Mouse(Mouse { action, at }))
    }

    #[track_caller]
    pub(super) fn click(&mut self, text: &str) -> Vec<Effect> {
        self.wait(1_000);
        let at = self.find(text);
        let effects = self.mouse(MouseAction::Press, at);
        self.mouse(MouseAction::Release, at);
        effects
    }

    #[track_caller]
    pub(super) fn double_click(&mut self, text: &str) -> Vec<Effect> {
        let at = self.find(text);
        let mut effects = self.click(text);
        self.wait(200);
        effects.extend(self.mouse(MouseAction::Press, at));
        effects
    }

    fn drag(&mut self, from: Position, to: (u16, u16)) -> Vec<Effect> {
        self.mouse(MouseAction::Press, from);
        self.mouse(MouseAction::Drag, Position::from(to));
        self.mouse(MouseAction::Release, Position::from(to))
    }
}

#[rstest]
fn a_click_puts_the_cursor_on_a_row_and_the_second_one_opens_it(
    #[values(NARROW, MEDIUM)] size: (u16, u16),
) {
    let mut world = world(size);
    world.click("b.png");
    assert_eq!((world.here(), world.state.focus), ("b.png", Pane::List));
    world.click("marketing/   ");
    assert_eq!(world.here(), "marketing");
    world.wait(1_000);
    world.click("marketing/   ");
    assert!(
        world.state.files.listing.of.is_folder(None),
        "two clicks a second apart are not a double click"
    );
    world.double_click("marketing/   ");
    assert_eq!(world.state.files.listing.of.title(), "/marketing");
}

#[rstest]
fn a_double_click_shows_the_details_of_a_file(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = world(size);
    world.double_click("a.txt");
    assert_eq!(world.state.focus, Pane::Details);
    world.asked(|request| matches!(request, Request::GetFile(_)));
}

#[rstest]
fn the_third_click_is_not_the_second_of_two(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = world(size);
    let at = world.find("marketing/   ");
    world.double_click("marketing/   ");
    world.list("/marketing", many(0..3), None);
    world.wait(100);
    world.mouse(MouseAction::Press, at);
    assert_eq!(
        world.state.focus,
        Pane::List,
        "the file that has come there stays closed"
    );
}

#[rstest]
fn rows_stay_where_they_are_when_one_is_clicked(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = World::started();
    world.send(Msg::Resize {
        cols: size.0,
        rows: size.1,
    });
    world.list("/", many(0..100), Some(after(100)));
    world.keys("ctrl-f ctrl-f");
    let row = |world: &World| world.find(&format!("▐ ≡ {}", world.here()));
    let here = row(&world);
    let at = Position {
        y: here.y + 3,
        ..here
    };
    let before = world.state.files.listing.list.cursor().at();
    world.mouse(MouseAction::Press, at);
    assert_eq!(world.state.files.listing.list.cursor().at(), before + 3);
    assert_eq!(row(&world), at);
    world.keys("k k");
    assert_eq!(
        row(&world).y,
        at.y - 2,
        "nor do they move while there are some behind"
    );
}

#[rstest]
#[case::another("Size", SortKey::Size, true)]
#[case::the_same("Name", SortKey::Name, true)]
#[case::access("Access", SortKey::Access, false)]
fn a_click_on_a_column_head_sorts(
    #[values(NARROW, MEDIUM)] size: (u16, u16),
    #[case] head: &str,
    #[case] key: SortKey,
    #[case] descending: bool,
) {
    let mut world = world(size);
    world.click(head);
    assert_eq!(
        (
            world.state.files.listing.list.sort.key,
            world.state.files.listing.list.sort.descending
        ),
        (key, descending)
    );
    world.click(head);
    assert_eq!(
        (
            world.state.files.listing.list.sort.key,
            world.state.files.listing.list.sort.descending
        ),
        (key, !descending)
    );
}

#[rstest]
fn tabs_and_keys_of_the_last_line_are_buttons(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = world(size);
    for (tab, view) in [
        ("Tasks", View::Tasks),
        ("Limits", View::Limits),
        ("Activity", View::Activity),
        ("Files", View::Files),
    ] {
        world.click(tab);
        assert_eq!(world.state.view, view);
    }
    world.click("help");
    assert!(matches!(world.dialog(), Dialog::Help(_)));
    world.click("esc  close");
    assert!(world.state.dialogs.is_empty());
    world.click("filter");
    assert!(world.state.is_typing());
    world.text("b");
    world.click("b.png");
    assert!(
        !world.state.is_typing(),
        "a click elsewhere keeps the filter and leaves its field"
    );
    assert_eq!(world.rows(), ["b.png"]);
}

#[rstest]
fn the_wheel_turns_what_is_under_it(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = world(size);
    let list = world.find("a.txt");
    world.mouse(MouseAction::WheelDown, list);
    assert_eq!(world.here(), "b.png");
    world.mouse(MouseAction::WheelUp, list);
    assert_eq!(world.here(), "marketing");
    if size == MEDIUM {
        world.mouse(MouseAction::WheelDown, world.find("Folders"));
        assert_eq!(world.tree(), ["/", " marketing", " >sales"]);
        assert_eq!((world.here(), world.state.focus), ("marketing", Pane::List));
    }
}

#[test]
fn the_tree_is_clicked_where_it_is_shown() {
    let mut world = world(NARROW);
    world.keys("T");
    world.mouse(MouseAction::Press, world.find("sales"));
    assert_eq!(world.state.files.listing.of.title(), "/sales");
    let mut world = self::world(MEDIUM);
    world.mouse(MouseAction::Press, world.find("sales"));
    assert_eq!(world.state.focus, Pane::Tree);
    assert_eq!(world.state.files.listing.of.title(), "/sales");
    let op = world.asked(|request| matches!(request, Request::ListFolders(_)));
    world.done(op, Answer::ListFolders(vec![folder("x", "/sales/x")]));
    assert_eq!(world.tree(), ["/", " marketing", " >sales", "  x"]);
}

#[test]
fn splitters_are_dragged_within_bounds() {
    let mut world = world(MEDIUM);
    let width = |world: &World| world.drawn().lines().nth(1).unwrap().find('╮').unwrap();
    let before = width(&world);
    world.drag(Position { x: 23, y: 10 }, (33, 12));
    assert_eq!(world.state.panes.dragged.tree, Some(34));
    assert!(width(&world) > before);
    world.drag(Position { x: 33, y: 10 }, (119, 10));
    let drawn = world.drawn();
    assert!(
        drawn.contains("b.png") && drawn.contains("Name"),
        "the list keeps its room:\n{drawn}"
    );
    world.mouse(MouseAction::Drag, Position { x: 20, y: 10 });
    assert_eq!(
        world.state.panes.dragged.tree,
        Some(56),
        "as far as there was room, and the button was let go"
    );
    assert_eq!(world.state.panes.dragged.details, None);
    world.state.panes = Panes {
        preview: false,
        ..Panes::default()
    };
    world.drag(Position { x: 84, y: 10 }, (70, 10));
    assert_eq!(world.state.panes.dragged.details, Some(50));
    let strip = world.find("Limits · custom");
    world.drag(strip, (strip.x, strip.y - 4));
    assert_eq!(world.find("Limits · custom").y, strip.y - 4);
}

#[test]
fn what_was_dragged_is_remembered_and_goes_before_what_is_set_until_it_is_put_back() {
    let mut world = world(MEDIUM);
    let width = |world: &World| {
        world
            .drawn()
            .lines()
            .nth(1)
            .unwrap()
            .chars()
            .position(|c| c == '╮')
            .unwrap()
    };
    assert_eq!(width(&world), 24);
    world.state.panes.set.tree = Some(20);
    assert_eq!(width(&world), 20);
    let effects = world.drag(Position { x: 19, y: 10 }, (33, 12));
    assert_eq!(
        effects,
        [Effect::SavePaneSizes(PaneSizes {
            tree: Some(34),
            ..PaneSizes::default()
        })]
    );
    assert_eq!(width(&world), 34);
    assert_eq!(
        world.keys("="),
        [Effect::SavePaneSizes(PaneSizes::default())]
    );
    assert_eq!(width(&world), 20);
}

#[rstest]
#[case::tree(Position { x: 23, y: 10 }, (119, 10), |sizes: PaneSizes| sizes.tree, 56)]
#[case::tree_to_nothing(Position { x: 23, y: 10 }, (0, 10), |sizes: PaneSizes| sizes.tree, 12)]
#[case::details(Position { x: 84, y: 10 }, (0, 10), |sizes: PaneSizes| sizes.details, 56)]
#[case::strip(Position { x: 90, y: 32 }, (90, 0), |sizes: PaneSizes| sizes.strip, 25)]
fn a_drag_past_the_edge_is_remembered_as_it_was_seen(
    #[case] from: Position,
    #[case] to: (u16, u16),
    #[case] size: fn(PaneSizes) -> Option<u16>,
    #[case] seen: u16,
) {
    let mut world = world(MEDIUM);
    let effects = world.drag(from, to);
    let [Effect::SavePaneSizes(sizes)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(size(*sizes), Some(seen));
}

#[rstest]
fn a_click_on_cancel_closes_a_question_and_the_red_button_answers_it(
    #[values(NARROW, MEDIUM)] size: (u16, u16),
) {
    let mut world = world(size);
    world.click("a.txt");
    world.keys("d");
    world.mouse(MouseAction::Press, world.find("  Delete a.txt "));
    assert_eq!(world.state.dialogs.len(), 1, "it has only just come");
    world.wait(1_000);
    world.mouse(MouseAction::Press, Position { x: 0, y: 5 });
    assert_eq!(
        world.state.dialogs.len(),
        1,
        "outside of it nothing happens"
    );
    let at = world.find(" Cancel ");
    world.mouse(MouseAction::Press, at);
    assert!(world.state.dialogs.is_empty());
    world.mouse(MouseAction::Press, at);
    assert!(
        world.state.files.listing.of.is_folder(None) && world.state.focus != Pane::Details,
        "no double click"
    );
    world.click("a.txt");
    world.keys("d");
    let effects = world.click("  Delete a.txt ");
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::Submit(_, Request::AddJobs(_)), ..]
        ),
        "{effects:?}"
    );
}

#[rstest]
fn the_red_button_of_what_is_permanent_waits_for_the_word(
    #[values(NARROW, MEDIUM)] size: (u16, u16),
) {
    let mut world = world(size);
    world.click("a.txt");
    world.keys("D");
    world.click("Delete permanently  ");
    assert_eq!(world.state.dialogs.len(), 1);
    assert!(world.shows("first."), "{}", world.drawn());
}

#[rstest]
fn choices_and_fields_of_a_form_are_clicked(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = world(size);
    world.click("a.txt");
    world.keys("e");
    let chosen = |world: &World, field: usize| {
        let Dialog::Access(dialog) = world.dialog() else {
            panic!("{:?}", world.dialog())
        };
        let FieldValue::Choice { chosen, .. } = dialog.form.fields[field].value else {
            panic!("{:?}", dialog.form)
        };
        (dialog.form.focus, chosen)
    };
    world.click("○ unlisted");
    assert_eq!(chosen(&world, 0), (0, 1));
    world.click("○ no");
    assert_eq!(
        chosen(&world, 1),
        (1, 2),
        "on the line of a field without the focus, too"
    );
    world.click("Expires");
    world.text("30d");
    let effects = world.click(" apply");
    assert!(world.state.dialogs.is_empty());
    assert!(
        matches!(effects.as_slice(), [Effect::Submit(..), ..]),
        "{effects:?}"
    );
}

#[rstest]
fn what_may_follow_a_key_is_clicked(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = world(size);
    world.click("a.txt");
    world.keys("o");
    world.wait(1_000);
    world.click("s Size");
    assert_eq!(world.state.files.listing.list.sort.key, SortKey::Size);
    assert!(world.state.pending.is_empty());
    world.keys("o");
    world.wait(1_000);
    world.click("a.txt");
    assert_eq!(
        world.state.files.listing.list.sort.key,
        SortKey::Size,
        "beside the box nothing is meant but to leave it"
    );
    assert!(world.state.pending.is_empty());
}

#[rstest]
fn the_second_click_on_a_row_of_the_help_does_what_its_key_does(
    #[values(NARROW, MEDIUM)] size: (u16, u16),
) {
    let mut world = world(size);
    world.keys("?");
    world.text("new folder");
    world.click("New folder;");
    assert!(matches!(world.dialog(), Dialog::Help(_)));
    world.double_click("New folder;");
    assert!(
        matches!(world.dialog(), Dialog::Prompt(_)),
        "{:?}",
        world.dialog()
    );
}

#[rstest]
fn a_scrollbar_is_dragged_from_end_to_end(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = World::started();
    world.send(Msg::Resize {
        cols: size.0,
        rows: size.1,
    });
    world.list("/", many(0..300), None);
    let thumb = world.find("┃");
    world.mouse(MouseAction::Press, thumb);
    assert_eq!(world.state.files.listing.list.cursor().at(), 0);
    world.mouse(MouseAction::Drag, Position { y: size.1, x: 0 });
    assert_eq!(world.here(), "0299.txt", "however far away the mouse is");
    assert!(world.find("┃").y > thumb.y);
    world.mouse(MouseAction::Drag, Position { y: 0, ..thumb });
    assert_eq!(world.here(), "0000.txt");
    world.mouse(MouseAction::Release, thumb);
    world.mouse(MouseAction::Drag, Position { y: size.1, ..thumb });
    assert_eq!(world.here(), "0000.txt", "the button was let go");
    let splitter = Position {
        x: thumb.x + 1,
        y: 10,
    };
    world.mouse(MouseAction::Press, splitter);
    assert_eq!(
        world.here(),
        "0000.txt",
        "the line beside it is that of the other box"
    );
}

#[rstest]
fn an_account_is_gone_to_with_the_second_click(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = world(size);
    world.keys("@");
    world.click("temporary");
    assert_eq!(world.state.dialogs.len(), 1);
    let effects = world.double_click("temporary");
    assert!(
        matches!(effects.as_slice(), [Effect::Connect(..)]),
        "{effects:?}"
    );
}

#[rstest]
fn clicks_that_mean_nothing_do_nothing(
    #[values(NARROW, MEDIUM, (49, 24), (50, 12))] size: (u16, u16),
) {
    let mut world = world(size);
    for (x, y) in (0..=size.0).flat_map(|x| (0..=size.1).map(move |y| (x, y))) {
        for action in [MouseAction::Drag, MouseAction::Release] {
            assert_eq!(world.mouse(action, Position { x, y }), []);
        }
    }
    for at in [(0, 0), (3, 0), (size.0, size.1), (0, size.1 - 2)] {
        world.mouse(MouseAction::Press, Position::from(at));
        world.mouse(MouseAction::WheelDown, Position::from(at));
    }
    assert_eq!(
        (world.state.view, world.state.focus, world.here()),
        (View::Files, Pane::List, "marketing")
    );
}

#[rstest]
fn the_name_of_the_account_leads_to_the_others(#[values(NARROW, MEDIUM)] size: (u16, u16)) {
    let mut world = world(size);
    world.click("acme");
    assert!(matches!(world.dialog(), Dialog::Accounts(_)));
}

#[test]
fn a_failure_in_the_last_line_leads_to_the_tasks() {
    let mut world = world(NARROW);
    world.keys("G d right enter");
    let taken = world.take(JobKind::Delete);
    world.end(&taken, vec![Err(not_found())]);
    world.wait(20_000);
    world.click("1 failed");
    assert_eq!(world.state.view, View::Tasks);
}

#[rstest]
#[case::left("Left", LimitSortKey::Left)]
#[case::trend("30 d", LimitSortKey::Growth)]
#[case::name("Type", LimitSortKey::Name)]
fn a_click_on_a_heading_of_the_limits_sorts(#[case] heading: &str, #[case] key: LimitSortKey) {
    let mut world = world(MEDIUM);
    world.answer_limits();
    world.keys("3");
    for is_reversed in [false, true, false] {
        world.click(heading);
        let order = world.state.session.limits.order;
        assert_eq!((order.key, order.is_reversed), (key, is_reversed));
    }
}
