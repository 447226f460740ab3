//! The screen layout: a pure function of the screen's size and the enabled panes. Views only fill
//! their rectangles.

pub mod grid;

use ratatui::layout::{Constraint, Layout, Position, Rect, Size};

use super::state::{
    Beside, Mode, Pane, Splitter, State, TREE_COLUMN_FROM, View, WIDE_DETAILS, WIDE_FROM,
    shows_limits_pane,
};

/// The rows of a list that its borders and its heading take.
pub const AROUND: u16 = 3;

/// The smallest supported screen; smaller ones only show a message.
pub const LEAST: Size = Size {
    width: 50,
    height: 12,
};

/// The box's two lines, the column headings and the fewest list rows.
const LEAST_BODY: u16 = 3 + 6;
/// Three lines about the file under the cursor and their box, on narrow screens.
const PEEK: u16 = 5;
const PEEK_FROM_ROWS: u16 = 22;
const NARROW_TREE: u16 = 32;
/// The least sizes that dragging leaves.
const LEAST_TREE: u16 = 12;
const LEAST_LIST: u16 = 40;
const LEAST_DETAILS: u16 = 24;
/// The width of a list with names of 24 cells, their access and size.
const LIST_WITH_SIZES: u16 = 52;
const LEAST_STRIP: u16 = 3;
/// The fewest columns of a dialog beside the panes.
const BESIDE: u16 = 30;

/// The rectangles of one frame. A part without one is not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    pub header: Rect,
    pub tree: Option<Rect>,
    /// The local list.
    pub local: Option<Rect>,
    /// The other account's list.
    pub other: Option<Rect>,
    pub list: Option<Rect>,
    pub details: Option<Rect>,
    /// A comparison of two folders, in place of all panes.
    pub comparison: Option<ComparisonAreas>,
    /// Set if the details are a few lines below the list instead of a column.
    pub details_is_peek: bool,
    /// The whole body, for the other views.
    pub body: Rect,
    /// The welcome box of the first run: below the body if that keeps enough rows, else over its
    /// foot.
    pub welcome: Option<Rect>,
    /// Running tasks and the fullest limits at the foot of the files view.
    pub strip: Option<Strip>,
    /// The room for a dialog beside the panes: the details column, or columns that the panes leave
    /// free.
    pub beside: Option<Rect>,
    /// The last message; without a strip, also the progress of tasks.
    pub status: Rect,
    pub hints: Rect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComparisonAreas {
    /// The local list, or both for screen readers.
    pub here: Rect,
    /// The signs between the lists.
    pub between: Rect,
    pub there: Rect,
    /// The facts about the row under the cursor, and counts.
    pub facts: Rect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strip {
    pub tasks: Rect,
    pub limits: Rect,
}

/// Lays out a frame; returns `None` if the screen is too small.
pub fn areas(size: Size, state: &State) -> Option<Areas> {
    if size.width < LEAST.width || size.height < LEAST.height {
        return None;
    }
    let is_files = state.view == View::Files;
    let strip_height = if is_files && !state.panes.are_one() {
        strip_height(size, state)
    } else {
        0
    };
    let screen = Rect::from((Position::ORIGIN, size));
    let [header, body, strip, status, hints] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(strip_height),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(screen);
    let mut areas = Areas {
        header,
        body,
        status,
        hints,
        ..Areas::default()
    };
    if state.is_first_run && state.dialogs.is_empty() {
        let height = welcome_height(size, state).min(body.height);
        areas.welcome = Some(Rect {
            y: body.bottom() - height,
            height,
            ..body
        });
        if body.height >= height + LEAST_BODY {
            areas.body.height -= height;
        }
    }
    areas.strip = (strip_height > 0).then(|| split_strip(strip));
    if is_files {
        split_body(&mut areas, size, state);
    }
    if !state.panes.plain
        && state
            .dialogs
            .last()
            .is_some_and(|dialog| dialog.is_beside())
    {
        make_room_beside(&mut areas, size, state);
    }
    Some(areas)
}

/// Places a dialog beside the panes, or over all of them if there is no room. No pane is cut.
fn make_room_beside(areas: &mut Areas, size: Size, state: &State) {
    let details = areas
        .details
        .filter(|details| !areas.details_is_peek && details.width >= BESIDE);
    areas.beside = details
        .filter(|details| *details != areas.body)
        .or(Some(areas.body));
    let width = size.width.saturating_sub(BESIDE);
    if areas.beside == Some(areas.body) && width >= LEAST.width {
        let [body, beside] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(BESIDE)]).areas(areas.body);
        (areas.body, areas.beside) = (body, Some(beside));
        if state.view == View::Files {
            split_body(areas, Size { width, ..size }, state);
        }
    }
}

/// The height of the strip. It is hidden if it would leave the list too little room. High screens
/// have a row for each task, and eight limits.
fn strip_height(size: Size, state: &State) -> u16 {
    const BODY: u16 = 12;
    let tasks = state.session.tasks.current().len() + state.background_work().count();
    let needed = u16::try_from(tasks)
        .unwrap_or(u16::MAX)
        .saturating_add(2)
        .clamp(10, 12);
    let wanted = state.panes.sizes().strip;
    let left = |strip: u16| size.height.saturating_sub(3 + strip);
    let usual = match size.width {
        WIDE_FROM.. if left(12) >= 2 * BODY => needed,
        TREE_COLUMN_FROM.. if left(6) >= BODY => 6,
        _ => return 0,
    };
    between(wanted, usual, LEAST_STRIP, left(BODY))
}

/// The height of the welcome box: two lines of text, keys, border. Screen readers get no tour, and
/// one key per line.
fn welcome_height(size: Size, state: &State) -> u16 {
    let offer = u16::from(state.offers_desktop_keys());
    match state.panes.plain {
        true => 2 + 3 + 2,
        false if size.width >= TREE_COLUMN_FROM => 2 + 2 + 2 + offer,
        false => 2 + 4 + 2 + offer,
    }
}

fn between(wanted: Option<u16>, usual: u16, least: u16, most: u16) -> u16 {
    wanted.unwrap_or(usual).min(most).max(least)
}

fn split_strip(area: Rect) -> Strip {
    let limits = if area.width >= WIDE_FROM {
        area.width * 9 / 20
    } else {
        46
    };
    let [tasks, limits] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(limits)]).areas(area);
    Strip { tasks, limits }
}

fn split_body(areas: &mut Areas, size: Size, state: &State) {
    let (body, panes) = (areas.body, state.panes);
    (
        areas.tree,
        areas.local,
        areas.list,
        areas.details,
        areas.details_is_peek,
    ) = (None, None, None, None, false);
    (areas.other, areas.comparison) = (None, None);
    if state.mode.comparing().is_some() {
        areas.comparison = Some(comparison(body, size, panes.plain));
        return;
    }
    if panes.are_one() {
        match state.focus {
            Pane::Tree => areas.tree = Some(body),
            Pane::Local => areas.local = Some(body),
            Pane::List => areas.list = Some(body),
            _ => areas.details = Some(body),
        }
        return;
    }
    match state.mode {
        Mode::Lists(beside) if beside != Beside::Nothing => {
            return split_two_lists(areas, size, state);
        }
        Mode::Choosing(_) => {
            areas.local = Some(body);
            return;
        }
        Mode::Lists(_) | Mode::Comparing(_) => {}
    }
    if size.width < TREE_COLUMN_FROM {
        let peek = peek_height(body, size, state);
        let [list, details] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(peek)]).areas(body);
        let usual = NARROW_TREE.min(size.width * 2 / 5);
        let most = size.width.saturating_sub(LEAST_LIST).max(usual);
        let tree = if panes.tree_overlay {
            between(panes.sizes().tree, usual, LEAST_TREE, most)
        } else {
            0
        };
        let [tree, list] =
            Layout::horizontal([Constraint::Length(tree), Constraint::Fill(1)]).areas(list);
        areas.tree = shown(tree);
        areas.list = Some(list);
        areas.details = (peek > 0).then_some(details);
        areas.details_is_peek = true;
        return;
    }
    // Below 112 columns, tree and details leave the list enough room for sizes.
    let spare = size.width.saturating_sub(LIST_WITH_SIZES);
    let tree = (spare * 5 / 12).min(24);
    let (tree, details) = if size.width >= WIDE_FROM {
        (32, WIDE_DETAILS)
    } else {
        (tree, (spare - tree).min(36))
    };
    let room = size.width.saturating_sub(LEAST_LIST);
    let least = if panes.details { LEAST_DETAILS } else { 0 };
    let has_tree = panes.tree_column && !state.copies_cover_tree();
    let tree = if has_tree {
        between(panes.sizes().tree, tree, LEAST_TREE, room - least)
    } else {
        0
    };
    let details = if panes.details {
        between(panes.sizes().details, details, LEAST_DETAILS, room - tree)
    } else {
        0
    };
    let [tree, list, details] = Layout::horizontal([
        Constraint::Length(tree),
        Constraint::Fill(1),
        Constraint::Length(details),
    ])
    .areas(body);
    areas.tree = shown(tree);
    areas.list = Some(list);
    areas.details = shown(details);
}

/// The height of the details below the lists. Focused ones are shown on low screens, too, if a list
/// keeps its rows.
fn peek_height(body: Rect, size: Size, state: &State) -> u16 {
    let has_room = size.height >= PEEK_FROM_ROWS || state.focus == Pane::Details;
    if state.panes.details && has_room && body.height >= LEAST_BODY + PEEK {
        PEEK
    } else {
        0
    }
}

/// Splits the body evenly between local list and account's; the details get a column if both keep
/// enough room.
fn split_two_lists(areas: &mut Areas, size: Size, state: &State) {
    let (body, panes) = (areas.body, state.panes);
    let lists = if state.has_details_column() {
        let most = size.width.saturating_sub(2 * LEAST_LIST);
        let usual = between(panes.sizes().details, WIDE_DETAILS, LEAST_DETAILS, most);
        let column = if panes.details { usual } else { 0 };
        let [lists, details] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(column)]).areas(body);
        areas.details = shown(details);
        lists
    } else {
        let peek = peek_height(body, size, state);
        let [lists, details] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(peek)]).areas(body);
        (areas.details, areas.details_is_peek) = ((peek > 0).then_some(details), true);
        lists
    };
    let [local, list] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(lists);
    match state.mode.other_account() {
        None => (areas.local, areas.list) = (Some(local), Some(list)),
        Some(other) if other.is_left => (areas.other, areas.list) = (Some(local), Some(list)),
        Some(_) => (areas.list, areas.other) = (Some(local), Some(list)),
    }
}

/// Splits the body evenly between both lists, with the signs between them and facts about the row
/// below.
fn comparison(body: Rect, size: Size, is_plain: bool) -> ComparisonAreas {
    /// Two lines of facts, one of counts, one between them, and the box.
    const FACTS: u16 = 6;
    if is_plain {
        let none = Rect::default();
        return ComparisonAreas {
            here: body,
            between: none,
            there: none,
            facts: none,
        };
    }
    let facts = if body.height >= LEAST_BODY + FACTS {
        FACTS
    } else {
        0
    };
    let [lists, facts] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(facts)]).areas(body);
    let between = if size.width >= TREE_COLUMN_FROM { 9 } else { 5 };
    let [here, between, there] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Length(between),
        Constraint::Fill(1),
    ])
    .areas(lists);
    ComparisonAreas {
        here,
        between,
        there,
        facts,
    }
}

/// The splitter at a cell: where the lines of two boxes touch.
pub fn splitter(areas: &Areas, at: Position) -> Option<Splitter> {
    let list = areas.list?;
    let touches = |edge: u16| at.x + 1 == edge || at.x == edge;
    if list.top() <= at.y && at.y < list.bottom() {
        if areas.tree.is_some_and(|tree| touches(tree.right())) {
            return Some(Splitter::Tree);
        }
        if areas
            .details
            .is_some_and(|details| !areas.details_is_peek && touches(details.left()))
        {
            return Some(Splitter::Details);
        }
    }
    areas
        .strip
        .filter(|strip| at.y + 1 == strip.tasks.top() || at.y == strip.tasks.top())
        .map(|_| Splitter::Strip)
}

/// The current size of the pane that a splitter bounds; `None` if nothing is beside the pane.
pub fn bounded(splitter: Splitter, areas: &Areas) -> Option<u16> {
    areas.list?;
    match splitter {
        Splitter::Tree => areas.tree.map(|tree| tree.width),
        Splitter::Details => areas
            .details
            .filter(|_| !areas.details_is_peek)
            .map(|details| details.width),
        Splitter::Strip => areas.strip.map(|strip| strip.tasks.height),
    }
}

/// The size of the pane that a splitter bounds, after a drag to `to` on a screen of this size.
pub fn dragged(splitter: Splitter, to: Position, size: Size) -> u16 {
    const BELOW: u16 = 2;
    match splitter {
        Splitter::Tree => to.x.saturating_add(1),
        Splitter::Details => size.width.saturating_sub(to.x),
        Splitter::Strip => size.height.saturating_sub(to.y).saturating_sub(BELOW),
    }
}

/// The tasks view: the list, and the details of the task under the cursor; on low screens, in what
/// the rows leave.
pub fn tasks(body: Rect, state: &State) -> [Rect; 2] {
    /// Two lines of text and the box.
    const LEAST: u16 = 4;
    /// The reason of a failure, the key that retries it, and the box; a row has no room for that on
    /// a low screen.
    const REASON: u16 = 6;
    /// Three rows, their heading and the box.
    const LIST: u16 = 6;
    const MOST: u16 = 13;
    let tasks = &state.session.tasks;
    let rows = u16::try_from(tasks.len() + state.background_work().count())
        .unwrap_or(u16::MAX)
        .saturating_add(3);
    let details = match body.height.saturating_sub(rows) {
        // For a screen reader they would change with each row.
        _ if tasks.listed().is_empty() || state.panes.plain => 0,
        left if body.height >= 20 => left.clamp((body.height / 3).clamp(7, MOST), MOST),
        left if left < REASON && tasks.failed() > 0 && body.height >= LIST + REASON => REASON,
        left @ LEAST.. => left.min(MOST),
        _ => 0,
    };
    Layout::vertical([Constraint::Fill(1), Constraint::Length(details)]).areas(body)
}

/// The rows of the details below the tasks; `None` without details.
pub fn task_details(state: &State) -> Option<u16> {
    let [_, details] = tasks(areas(state.size, state)?.body, state);
    details.height.checked_sub(2)
}

/// The limits view. An open topic takes the place of `table`, `others` and `aside`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The account's total use of custom properties.
    pub overall: Rect,
    /// The object types, followed by the other reports if `others` is `None`.
    pub table: Rect,
    pub others: Option<Rect>,
    /// Thirty days of the gauge under the cursor, if there is room below everything else.
    pub chart: Option<Rect>,
    /// The lines of the topic under the cursor.
    pub aside: Option<Rect>,
    /// Set if a topic is open: then `table` shows it.
    pub is_inside: bool,
}

/// Lays out the limits view: the object types, with the other reports below them at full width.
/// High screens have a chart at the foot, low ones a single list, and narrow ones no pane beside
/// it.
pub fn limits(body: Rect, state: &State) -> Limits {
    /// Six reports and their box.
    const OTHERS: u16 = 8;
    const LEAST_CHART: u16 = 14;
    /// The least height of the pane beside the object types that a chart must leave.
    const LEAST_ASIDE: u16 = 14;
    let is_inside = state.session.limits.inside.is_some();
    // A figure, a gauge, its levels, and the box.
    let overall = match body.height {
        // Plain lines have no gauge.
        12.. if state.panes.plain => 3,
        30.. => 5,
        20.. => 4,
        12.. => 3,
        _ => 0,
    };
    let others = if body.height >= 20 && !is_inside {
        OTHERS
    } else {
        0
    };
    let is_roomy = shows_limits_pane(body.width, state.panes.plain);
    let [overall, lists] =
        Layout::vertical([Constraint::Length(overall), Constraint::Fill(1)]).areas(body);
    let aside = if is_roomy && !is_inside {
        (body.width / 3).max(38)
    } else {
        0
    };
    // A chart needs a history.
    let (rows, has_past, least) = if is_inside {
        let lines = state.session.limits.lines();
        (
            lines.len(),
            lines.iter().any(|line| line.gauge.is_some()),
            0,
        )
    } else {
        let (types, _) = state.session.limits.counts();
        (types, types > 0, LEAST_ASIDE)
    };
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(3);
    let most = lists.height.saturating_sub(others);
    let has_chart = is_roomy && has_past && most.saturating_sub(rows) >= LEAST_CHART;
    let chart = if has_chart {
        most.saturating_sub(rows.max(least)).max(LEAST_CHART)
    } else {
        0
    };
    // Plain lines have no boxes that separate the lists.
    let gap = u16::from(state.panes.plain && others > 0);
    let [table, _, others, chart] =
        Layout::vertical([Constraint::Fill(1), gap.into(), others.into(), chart.into()])
            .areas(lists);
    let [table, aside] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(aside)]).areas(table);
    let (others, chart) = [others, chart]
        .map(|area| (area.height > 0).then_some(area))
        .into();
    Limits {
        overall,
        table,
        others,
        chart,
        aside: shown(aside),
        is_inside,
    }
}

/// The activity log, and a pane for `lines` lines of the entry under the cursor; no lines, no pane.
pub fn activity(body: Rect, lines: usize) -> [Rect; 2] {
    let lines = u16::try_from(lines).unwrap_or(u16::MAX);
    let entry = if lines == 0 {
        0
    } else {
        lines.saturating_add(2).min(body.height / 2)
    };
    Layout::vertical([Constraint::Fill(1), Constraint::Length(entry)]).areas(body)
}

fn shown(area: Rect) -> Option<Rect> {
    (area.width > 0).then_some(area)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rstest::rstest;

    use super::*;
    use crate::config::AccountSource;
    use crate::tui::input::local_paths::LocalPaths;
    use crate::tui::keymap::Keymap;
    use crate::tui::state::{Account, Start};

    fn state() -> State {
        State::new(Start {
            now: Timestamp::UNIX_EPOCH,
            size: (80, 24),
            account: Account {
                journal_name: String::new(),
                source: AccountSource::Configured(String::new()),
                read_only: false,
                production: false,
                color: None,
                favorites: crate::config::favorites::Favorites::default(),
            },
            accounts: Vec::new(),
            local: LocalPaths {
                dir: "/".into(),
                home: None,
            },
            keymap: Keymap::defaults(),
        })
    }

    /// The sizes of tree, list, details and tasks, as (width, height); `None` for absent panes.
    fn sizes(state: &State, width: u16, height: u16) -> [Option<(u16, u16)>; 4] {
        let areas = areas(Size { width, height }, state).unwrap();
        let size = |area: Rect| (area.width, area.height);
        let tasks = areas.strip.map(|strip| strip.tasks);
        [areas.tree, areas.list, areas.details, tasks].map(|area| area.map(size))
    }

    #[rstest]
    #[case::narrow(80, 24, [None, Some((80, 16)), Some((80, 5)), None])]
    #[case::medium(120, 40, [Some((24, 31)), Some((60, 31)), Some((36, 31)), Some((74, 6))])]
    #[case::wide(200, 60, [Some((32, 47)), Some((100, 47)), Some((68, 47)), Some((110, 10))])]
    #[case::no_peek_on_a_low_screen(80, 21, [None, Some((80, 18)), None, None])]
    #[case::least(50, 12, [None, Some((50, 9)), None, None])]
    #[case::medium_but_low(120, 18, [Some((24, 15)), Some((60, 15)), Some((36, 15)), None])]
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
        assert_eq!(sizes(&state, 120, 40), [None, Some((120, 37)), None, None]);
    }

    #[test]
    fn areas_never_overlap_and_the_list_keeps_six_rows() {
        let mut state = state();
        for overlay in [false, true] {
            state.panes.tree_overlay = overlay;
            for width in (50..260).step_by(29) {
                for height in (12..80).step_by(7) {
                    let areas = areas(Size { width, height }, &state).unwrap();
                    let list = areas.list.unwrap();
                    assert!(list.height >= 3 + 6, "{width}x{height}");
                    let strip = areas
                        .strip
                        .map(|Strip { tasks, limits }| [tasks, limits])
                        .into_iter()
                        .flatten();
                    let panes = [areas.tree, Some(list), areas.details]
                        .into_iter()
                        .flatten();
                    let all: Vec<Rect> = [areas.header, areas.status, areas.hints]
                        .into_iter()
                        .chain(panes)
                        .chain(strip)
                        .collect();
                    let covered: u32 = all.iter().map(|area| area.area()).sum();
                    assert_eq!(
                        covered,
                        u32::from(width) * u32::from(height),
                        "{width}x{height}: {all:?}"
                    );
                }
            }
        }
    }
}
