//! Where everything goes: a pure function of the screen's size and of what is switched on.
//! Every figure of the layout is here; views only fill the rectangles they get.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use super::state::{Pane, State, TREE_COLUMN_FROM, View};

/// Smaller screens only say so.
pub const LEAST: Size = Size { width: 50, height: 12 };

const WIDE_FROM: u16 = 160;
/// Column headings and the least number of list rows.
const LEAST_BODY: u16 = 1 + 8;
/// A rule and three lines of the file under the cursor, on narrow screens.
const PEEK: u16 = 4;
const PEEK_FROM_ROWS: u16 = 22;
const NARROW_TREE: u16 = 32;

/// The rectangles of one frame. What has none is not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    pub header: Rect,
    pub tree: Option<Rect>,
    pub list: Option<Rect>,
    pub details: Option<Rect>,
    /// The details are a few lines below the list instead of a column.
    pub details_is_peek: bool,
    /// Vertical lines between columns of the body, and between the two halves of the strip.
    pub dividers: [Option<Rect>; 3],
    /// The whole body, for the views that are one pane.
    pub body: Rect,
    pub strip: Strip,
    pub hints: Rect,
}

/// Running tasks and limits at the foot of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strip {
    /// Both in one line.
    Line(Rect),
    /// A rule above both, tasks at the left, limits at the right.
    Panes { rule: Rect, tasks: Rect, limits: Rect },
}

impl Default for Strip {
    fn default() -> Self {
        Self::Line(Rect::default())
    }
}

/// Lays a frame out; none when the screen is too small.
pub fn areas(size: Size, state: &State) -> Option<Areas> {
    if size.width < LEAST.width || size.height < LEAST.height {
        return None;
    }
    let is_files = state.view == View::Files;
    let strip_height = if is_files && !state.panes.zoomed { strip_height(size) } else { 1 };
    let screen = Rect::from((ratatui::layout::Position::ORIGIN, size));
    let [header, body, strip, hints] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(strip_height),
        Constraint::Length(1),
    ])
    .areas(screen);
    let mut areas = Areas { header, body, hints, ..Areas::default() };
    (areas.strip, areas.dividers[2]) = split_strip(strip);
    if is_files {
        split_body(&mut areas, size, state);
    }
    Some(areas)
}

/// The list comes first: a strip that would leave it too little is one line.
fn strip_height(size: Size) -> u16 {
    let left = |strip: u16| size.height.saturating_sub(2 + strip);
    match size.width {
        WIDE_FROM.. if left(12) >= 24 => 12,
        TREE_COLUMN_FROM.. if left(5) >= 12 => 5,
        _ => 1,
    }
}

fn split_strip(area: Rect) -> (Strip, Option<Rect>) {
    if area.height <= 1 {
        return (Strip::Line(area), None);
    }
    let limits = if area.width >= WIDE_FROM { area.width * 2 / 5 - 1 } else { 43 };
    let [rule, below] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let [tasks, divider, limits] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(limits)]).areas(below);
    (Strip::Panes { rule, tasks, limits }, Some(divider))
}

fn split_body(areas: &mut Areas, size: Size, state: &State) {
    let (body, panes) = (areas.body, state.panes);
    if panes.zoomed {
        match state.focus {
            Pane::Tree => areas.tree = Some(body),
            Pane::List => areas.list = Some(body),
            Pane::Details => areas.details = Some(body),
        }
        return;
    }
    if size.width < TREE_COLUMN_FROM {
        // Someone who is in the details wants to see them, as long as the list keeps its rows.
        let has_room = size.height >= PEEK_FROM_ROWS || state.focus == Pane::Details;
        let peek = if panes.details && has_room && body.height >= LEAST_BODY + PEEK { PEEK } else { 0 };
        let [list, details] = Layout::vertical([Constraint::Fill(1), Constraint::Length(peek)]).areas(body);
        let tree = if panes.tree_overlay { NARROW_TREE.min(size.width * 2 / 5) } else { 0 };
        let [tree, line, list] =
            Layout::horizontal([Constraint::Length(tree), Constraint::Length(tree.min(1)), Constraint::Fill(1)])
                .areas(list);
        areas.tree = shown(tree);
        areas.dividers[0] = shown(line);
        areas.list = Some(list);
        areas.details = (peek > 0).then_some(details);
        areas.details_is_peek = true;
        return;
    }
    let (tree, details) = if size.width >= WIDE_FROM { (32, 64) } else { (24, 36) };
    let column = |is_shown: bool, width: u16| if is_shown { (width, 1) } else { (0, 0) };
    let (tree, tree_line) = column(panes.tree_column, tree);
    let (details, details_line) = column(panes.details, details);
    let [tree, line, list, other_line, details] = Layout::horizontal([
        Constraint::Length(tree),
        Constraint::Length(tree_line),
        Constraint::Fill(1),
        Constraint::Length(details_line),
        Constraint::Length(details),
    ])
    .areas(body);
    areas.tree = shown(tree);
    areas.list = Some(list);
    areas.details = shown(details);
    areas.dividers[0] = shown(line);
    areas.dividers[1] = shown(other_line);
}

fn shown(area: Rect) -> Option<Rect> {
    (area.width > 0).then_some(area)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rstest::rstest;

    use super::*;
    use crate::config::Source;
    use crate::tui::keymap::Keymap;
    use crate::tui::local_paths::LocalPaths;
    use crate::tui::state::{Account, Start};

    fn state() -> State {
        State::new(Start {
            now: Timestamp::UNIX_EPOCH,
            size: (80, 24),
            account: Account { source: Source::Configured(String::new()), read_only: false },
            accounts: Vec::new(),
            local: LocalPaths { dir: "/".into(), home: None },
            keymap: Keymap::defaults().unwrap(),
        })
    }

    /// Tree, list, details and tasks as `width x height`; absent panes as nothing.
    fn sizes(state: &State, width: u16, height: u16) -> [Option<(u16, u16)>; 4] {
        let areas = areas(Size { width, height }, state).unwrap();
        let size = |area: Rect| (area.width, area.height);
        let tasks = match areas.strip {
            Strip::Line(area) => area,
            Strip::Panes { tasks, .. } => tasks,
        };
        [areas.tree.map(size), areas.list.map(size), areas.details.map(size), Some(size(tasks))]
    }

    #[rstest]
    #[case::narrow(80, 24, [None, Some((80, 17)), Some((80, 4)), Some((80, 1))])]
    #[case::medium(120, 40, [Some((24, 33)), Some((58, 33)), Some((36, 33)), Some((76, 4))])]
    #[case::wide(200, 60, [Some((32, 46)), Some((102, 46)), Some((64, 46)), Some((120, 11))])]
    #[case::no_peek_on_a_low_screen(80, 21, [None, Some((80, 18)), None, Some((80, 1))])]
    #[case::least(50, 12, [None, Some((50, 9)), None, Some((50, 1))])]
    #[case::medium_but_low(120, 18, [Some((24, 15)), Some((58, 15)), Some((36, 15)), Some((120, 1))])]
    fn panes_have_the_sizes_of_the_design(
        #[case] width: u16,
        #[case] height: u16,
        #[case] expected: [Option<(u16, u16)>; 4],
    ) {
        assert_eq!(sizes(&state(), width, height), expected);
    }

    #[test]
    fn a_zoomed_pane_has_the_whole_body() {
        let mut state = state();
        state.panes.zoomed = true;
        assert_eq!(sizes(&state, 120, 40), [None, Some((120, 37)), None, Some((120, 1))]);
    }

    #[test]
    fn areas_never_overlap_and_the_list_keeps_eight_rows() {
        let mut state = state();
        for overlay in [false, true] {
            state.panes.tree_overlay = overlay;
            for width in (50..260).step_by(29) {
                for height in (12..80).step_by(7) {
                    let areas = areas(Size { width, height }, &state).unwrap();
                    let list = areas.list.unwrap();
                    assert!(list.height > 8, "{width}x{height}");
                    let strip = match areas.strip {
                        Strip::Line(area) => vec![area],
                        Strip::Panes { rule, tasks, limits } => vec![rule, tasks, limits],
                    };
                    let panes = [Some(areas.header), areas.tree, Some(list), areas.details, Some(areas.hints)];
                    let all: Vec<Rect> = panes.into_iter().chain(areas.dividers).flatten().chain(strip).collect();
                    let covered: u32 = all.iter().map(|area| area.area()).sum();
                    assert_eq!(covered, u32::from(width) * u32::from(height), "{width}x{height}: {all:?}");
                }
            }
        }
    }
}
