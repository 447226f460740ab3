//! The plan of an upload or a download: for each file, what would be done and what can be done
//! instead, and the options for all of them. Nothing is sent before it is accepted.

mod options;
mod rows;
mod selection;
mod sides;
mod title;

use crossterm::event::{KeyCode, KeyModifiers};
use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame::{self, DialogFrame, LineWriter};
use super::hit_target::{DialogTarget, Drawn};
use super::modal::Modal;
use super::reply::{Intent, PlannedJobs, Reply};
use crate::api::ServiceTime;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::plan::{Direction, PlanChoice, PlanRow};
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::{figures, text};
use options::{OptionGroup, PlanOptions};
use rows::{PlanRows, WidestTexts};
use selection::Sheet;
pub use sides::PlanSides;

#[derive(Debug, Clone)]
pub struct Plan {
    /// The operation that searches the account for the same content.
    pub op: OpId,
    /// Set if it was asked for in the two lists, to which its end leads back.
    pub is_of_lists: bool,
    direction: Direction,
    /// The folder that a whole plan brings the contents of, safe to show.
    from: Option<String>,
    /// The accounts, if files are copied from one to another.
    sides: Option<PlanSides>,
    selection: Sheet,
    options: PlanOptions,
    focus: Focus,
    /// The free bytes on this machine's disk, for a download.
    room: Option<u64>,
    problem: Option<String>,
    /// The state of the search for the same content elsewhere, while it matters.
    looking: Option<String>,
    /// The time for ages, by the clock of the side that has the files.
    now: Timestamp,
    widest: WidestTexts,
    /// The bytes of the folders that all names begin with: they are in the title, not in the rows.
    common: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    Rows,
    Options(OptionGroup),
    Go,
    Cancel,
}

impl Plan {
    pub fn new(
        op: OpId,
        rows: Vec<PlanRow>,
        direction: Direction,
        room: Option<u64>,
        now: Timestamp,
    ) -> Self {
        let selection = Sheet::new(rows, &direction);
        let has_taken = selection.tally().taken > 0;
        let (options, looking) = match &direction {
            Direction::Up { options, .. } => {
                let looking = (selection.tally().going > 0)
                    .then(|| "searching for the same content elsewhere".to_owned());
                (PlanOptions::of_upload(&options.options, has_taken), looking)
            }
            Direction::Down { .. } => (PlanOptions::of_save(has_taken), None),
        };
        let (widest, common) = (
            WidestTexts::default(),
            rows::common_folders(selection.rows()),
        );
        let (focus, problem) = (Focus::Rows, None);
        let mut plan = Self {
            op,
            is_of_lists: false,
            direction,
            from: None,
            sides: None,
            selection,
            options,
            focus,
            room,
            problem,
            looking,
            now,
            widest,
            common,
        };
        plan.measure();
        plan
    }

    pub fn rows(&self) -> &[PlanRow] {
        self.selection.rows()
    }

    /// Turns it into a plan that makes a folder like another, whose name is safe to show: what
    /// differs is replaced.
    #[must_use]
    pub fn like(mut self, from: String) -> Self {
        self.from = Some(from);
        self.selection
            .choose_for_taken(PlanChoice::Replace, &self.direction);
        self
    }

    /// Turns it into a plan of copies from one account to another.
    #[must_use]
    pub fn between(self, sides: PlanSides) -> Self {
        Self {
            from: Some(sides.folder.clone()),
            sides: Some(sides),
            ..self
        }
    }

    fn measure(&mut self) {
        self.widest = WidestTexts::of(
            self.selection.rows(),
            self.common,
            &self.direction,
            self.now,
        );
    }

    pub fn elsewhere(&mut self, found: Vec<(usize, String)>) {
        self.selection.elsewhere(found, &self.direction);
        self.measure();
    }

    /// Records the end of the search for the same content elsewhere and the rows left out; `None`
    /// if it failed.
    pub fn looked(&mut self, not_looked_for: Option<usize>) {
        self.looking = match not_looked_for {
            Some(0) => None,
            Some(count) => Some(format!(
                "{} not searched for elsewhere",
                figures::count(count, "file")
            )),
            None => Some("the search for the same content elsewhere failed".to_owned()),
        };
    }

    fn row_key(&mut self, key: Key) {
        if !matches!(key.modifiers, KeyModifiers::NONE | KeyModifiers::SHIFT) {
            return;
        }
        match key.code {
            KeyCode::Right | KeyCode::Char('l' | ' ') => self.selection.turn(1, &self.direction),
            KeyCode::Left | KeyCode::Char('h') => self.selection.turn(-1, &self.direction),
            KeyCode::Char('a') => self.selection.same_for_all(&self.direction),
            _ => {
                self.selection.cursor.on_key(key.code);
            }
        }
    }

    fn option_key(&mut self, group: OptionGroup, key: Key) {
        match key.code {
            KeyCode::Up if group != OptionGroup::Taken => self.step_focus(false),
            KeyCode::Down if group != OptionGroup::Taken => self.step_focus(true),
            _ => {
                let choice = self
                    .options
                    .on(group, key, self.selection.tally().taken_choice);
                self.take_options(choice);
            }
        }
    }

    fn take_options(&mut self, for_taken: Option<PlanChoice>) {
        if let Direction::Up { options, .. } = &mut self.direction {
            options.options.access = self.options.access();
        }
        self.selection.see_options(for_taken, &self.direction);
    }

    fn groups(&self) -> Vec<OptionGroup> {
        self.options.groups(self.selection.tally().has_new)
    }

    fn step_focus(&mut self, forth: bool) {
        let options = self.groups().into_iter().map(Focus::Options);
        let order: Vec<Focus> = std::iter::once(Focus::Rows)
            .chain(options)
            .chain([Focus::Go, Focus::Cancel])
            .collect();
        let at = order
            .iter()
            .position(|focus| *focus == self.focus)
            .unwrap_or(0);
        let next = if forth {
            (at + 1) % order.len()
        } else {
            at.checked_sub(1).unwrap_or(order.len() - 1)
        };
        self.focus = order.get(next).copied().unwrap_or(Focus::Rows);
    }

    fn accept(&mut self, now: ServiceTime) -> Reply {
        match self.intent(now) {
            Ok(intent) => Reply::Accepted(intent),
            Err(problem) => {
                self.problem = Some(problem);
                Reply::Open
            }
        }
    }

    fn intent(&mut self, now: ServiceTime) -> Result<Intent, String> {
        if let Some(row) = self.selection.stopped_at() {
            return Err(format!(
                "{} is set to stop: choose what to do with it.",
                visible(&row.name)
            ));
        }
        let tally = self.selection.tally();
        if let Some(room) = self.room.filter(|room| *room < tally.going_bytes) {
            let (needed, room) = (figures::size(tally.going_bytes), figures::size(room));
            return Err(format!("These need {needed}; the disk has {room} free."));
        }
        let mut direction = self.direction.clone();
        if let Direction::Up { options, .. } = &mut direction
            && tally.has_new
        {
            let chosen = self.options.apply(&options.options, now);
            options.options =
                chosen.inspect_err(|_| self.focus = Focus::Options(OptionGroup::Expiry))?;
        }
        let jobs = self.selection.jobs(&direction);
        if jobs.is_empty() {
            return Err("Nothing to do; esc goes back.".to_owned());
        }
        let deleted = self.selection.deleted().into_iter();
        let deleted = deleted.map(|row| visible(&row.name).into_owned());
        Ok(Intent::CarryOut(PlannedJobs {
            session: self.op.session,
            jobs,
            deleted: deleted.collect(),
            place: self.place(),
            source: match (&self.sides, self.is_upload()) {
                (Some(sides), _) => format!("@{}", sides.from),
                (None, true) => "This machine".to_owned(),
                (None, false) => "The account".to_owned(),
            },
        }))
    }

    /// Returns the folder that is changed, with its account if files come from another one; safe to
    /// show.
    fn place(&self) -> String {
        let folder = self.folder();
        match &self.sides {
            Some(sides) if sides.is_production => {
                format!("@{}:{folder} (production)", sides.to)
            }
            Some(sides) => format!("@{}:{folder}", sides.to),
            None => folder,
        }
    }

    /// Returns the folder that is changed, safe to show.
    fn folder(&self) -> String {
        match &self.direction {
            Direction::Up { into, .. } => visible(&into.path).into_owned(),
            Direction::Down { into, .. } => visible(&into.to_string_lossy()).into_owned(),
        }
    }

    /// Returns the whole text of a row that is cut, or the state of the search for the same content
    /// elsewhere.
    fn note(&self, rows: &PlanRows<'_>) -> String {
        let here = self
            .selection
            .at(self.selection.cursor.at())
            .filter(|_| self.focus == Focus::Rows);
        match here.filter(|(row, _)| rows.is_cut(row)) {
            Some((row, _)) => {
                let there = rows.there(row);
                let gap = if there.is_empty() { "" } else { ": " };
                format!(
                    "{}{gap}{there}",
                    visible(row.name.get(self.common..).unwrap_or_default())
                )
            }
            None => self.looking.clone().unwrap_or_default(),
        }
    }

    fn title(&self, cells: usize) -> String {
        let work = [false, true]
            .map(|with_bytes| title::work(self.selection.tally(), self.kind(), with_bytes));
        let [from, into] = self.folders();
        match &self.sides {
            // The accounts have a line of their own.
            Some(_) => work.into_iter().next_back().unwrap_or_default(),
            None => title::title(work, from.as_deref(), &into.unwrap_or_default(), cells),
        }
    }

    /// Returns the folders of both sides, with those below them that all names begin with; safe to
    /// show.
    fn folders(&self) -> [Option<String>; 2] {
        let first = self.selection.at(0);
        let common = first.and_then(|(row, _)| row.name.get(..self.common));
        let below = |folder| title::below(folder, common.unwrap_or_default());
        [self.from.clone(), Some(self.folder())].map(|folder| folder.map(below))
    }

    /// `@sandbox:/brand → @live:/brand  ▲ production`; `None` for a transfer with this machine.
    fn accounts(&self, cells: usize, theme: &Theme) -> Option<Line<'static>> {
        let sides = self.sides.as_ref()?;
        let [from, into] = self.folders().map(Option::unwrap_or_default);
        Some(sides.line([&from, &into], cells, theme))
    }

    fn sum(&self, cells: usize, theme: &Theme) -> Line<'static> {
        let (tally, copied) = (self.selection.tally(), self.selection.place_of_copies());
        rows::sum(tally, copied.as_deref(), self.is_upload(), cells, theme)
    }

    fn kind(&self) -> &'static str {
        match (&self.direction, &self.sides) {
            (_, Some(_)) => "Copy",
            (Direction::Up { .. }, None) => "Upload",
            (Direction::Down { .. }, None) => "Download",
        }
    }

    fn is_upload(&self) -> bool {
        matches!(self.direction, Direction::Up { .. })
    }

    fn buttons(&self, theme: &Theme) -> [(DialogTarget, Span<'static>, bool); 2] {
        // Enter presses the first button unless the other one has the focus.
        let (first, second) = match self.focus {
            Focus::Cancel => (theme.button, theme.button_focused),
            // Without colors, only the focused button is reversed.
            Focus::Rows | Focus::Options(_) if theme.is_mono() => (theme.button, theme.button),
            Focus::Rows | Focus::Options(_) | Focus::Go => (theme.button_focused, theme.button),
        };
        let go = title::work(self.selection.tally(), self.kind(), false);
        let (on_go, on_cancel) = (self.focus == Focus::Go, self.focus == Focus::Cancel);
        let go = frame::button(&go, on_go, first, theme);
        let cancel = frame::button("Cancel", on_cancel, second, theme);
        [
            (DialogTarget::Accept, go, on_go),
            (DialogTarget::Cancel, cancel, on_cancel),
        ]
    }

    fn keys(&self) -> Vec<(&'static str, &'static str)> {
        let (up_down, left_right) = ("↑↓", "←→");
        // The first keys stay if there is little room.
        let next = if self.groups().is_empty() {
            "buttons"
        } else {
            "options"
        };
        let mut keys = vec![("tab", next)];
        let is_idle = self.selection.tally().is_idle();
        if !is_idle {
            keys.insert(0, ("enter", "go"));
        }
        let here = self.selection.at(self.selection.cursor.at());
        let has_choice = here.is_some_and(|(row, _)| row.choices(&self.direction).len() > 1);
        match self.focus {
            Focus::Rows if has_choice || !is_idle => keys.extend([
                (left_right, "choose"),
                ("a", "same for all"),
                (up_down, "file"),
            ]),
            Focus::Rows => keys.push((up_down, "file")),
            Focus::Options(_) => keys.push((left_right, "choose")),
            Focus::Go | Focus::Cancel => {}
        }
        keys.push(("esc", "back"));
        keys
    }
}

impl Modal for Plan {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        self.problem = None;
        let plain = key.modifiers == KeyModifiers::NONE;
        let backwards = key.code == KeyCode::BackTab
            || (key.code == KeyCode::Tab && key.modifiers == KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Esc => return Reply::Closed,
            KeyCode::Enter if self.focus == Focus::Cancel => return Reply::Closed,
            KeyCode::Enter if plain => return self.accept(now.service),
            _ if backwards => self.step_focus(false),
            KeyCode::Tab if plain => self.step_focus(true),
            _ => match self.focus {
                Focus::Rows => self.row_key(key),
                Focus::Options(group) => self.option_key(group, key),
                Focus::Go | Focus::Cancel => match key.code {
                    KeyCode::Left | KeyCode::Up => self.step_focus(false),
                    KeyCode::Right | KeyCode::Down => self.step_focus(true),
                    _ => {}
                },
            },
        }
        Reply::Open
    }

    fn on_click(&mut self, target: DialogTarget, _: bool, now: Clocks) -> Reply {
        self.problem = None;
        match target {
            DialogTarget::Row(row) => {
                self.focus = Focus::Rows;
                self.selection.cursor.go_to(row);
            }
            DialogTarget::Choice { field, option } => {
                let mut groups = self.groups().into_iter();
                if let Some(group) = groups.find(|group| *group as usize == field) {
                    self.focus = Focus::Options(group);
                    let choice = self.options.choose(group, option);
                    self.take_options(choice);
                }
            }
            DialogTarget::Accept => return self.accept(now.service),
            DialogTarget::Cancel => return Reply::Closed,
            DialogTarget::Field(_) | DialogTarget::Key(_) => {}
        }
        Reply::Open
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.selection.cursor)
    }

    fn on_paste(&mut self, text: &str) {
        if let Focus::Options(group) = self.focus {
            self.options.paste(group, text);
        }
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let groups = self.groups();
        let all: usize = groups.iter().map(|group| self.options.height(*group)).sum();
        // The accounts, the sum, the note below the rows, the buttons and the keys.
        let most_blanks = LEAST_BLANKS + usize::from(groups.contains(&OptionGroup::Taken));
        let accounts = usize::from(self.sides.is_some());
        let lines = 4 + accounts + all + most_blanks + self.selection.len().max(FEWEST_ROWS);
        let most =
            usize::from(screen.height).saturating_sub(if screen.height > 30 { 8 } else { 2 });
        let most_wide = screen
            .width
            .saturating_sub(if screen.width > 100 { 24 } else { 0 })
            .min(WIDEST);
        let note = self.selection.place();
        let needed = self
            .widest
            .cells()
            .max(self.sum(usize::MAX, theme).width())
            .max(
                self.accounts(usize::MAX, theme)
                    .map_or(0, |line| line.width()),
            )
            .max(text::width(&self.title(usize::MAX)) + text::width(&note) + NOTE_EDGES);
        let needed = u16::try_from(needed + EDGES).unwrap_or(u16::MAX);
        let width = needed.max(LEAST_WIDE).min(most_wide);
        let room = usize::from(screen.width.min(width))
            .saturating_sub(EDGES + NOTE_EDGES + text::width(&note));
        let frame = DialogFrame {
            title: &self.title(room),
            note: &note,
            width,
            lines: lines.min(most),
            is_danger: false,
        };
        let mut pen = frame.open(screen, buf, theme);
        let cells = pen.width();
        let left = pen.left().saturating_sub(4 + accounts);
        let least = self.selection.len().clamp(FEWEST_ROWS, LEAST_ROWS);
        let blanks = if left >= all + most_blanks + least {
            most_blanks
        } else {
            0
        };
        // Without room for all options, only the focused ones are shown, or a summary in one line.
        let has_room = left >= all + self.selection.len().min(LEAST_ROWS);
        let is_at = |group: &OptionGroup| self.focus == Focus::Options(*group);
        let shown: Vec<OptionGroup> = if has_room {
            groups
        } else {
            groups.into_iter().filter(is_at).collect()
        };
        let is_summed_up = shown.is_empty() && all > 0;
        let options: usize = shown
            .iter()
            .map(|group| self.options.height(*group))
            .sum::<usize>()
            + usize::from(is_summed_up);
        let height = left.saturating_sub(options + blanks);
        // The blank line above the keys is the last to go.
        let spare = usize::from(blanks == 0 && height > self.selection.len());
        let height = height - spare;
        let blank = |pen: &mut LineWriter<'_>| {
            if blanks > 0 {
                pen.text("", theme.text);
            }
        };
        if let Some(accounts) = self.accounts(cells, theme) {
            pen.line(accounts);
        }
        pen.line(self.sum(cells, theme));
        blank(&mut pen);
        let window = self.selection.cursor.window(height);
        let drawn = window.len();
        pen.scrollbar(&window, self.selection.len());
        let rows = PlanRows {
            direction: &self.direction,
            now: self.now,
            common: self.common,
            columns: self.widest.columns(cells),
            theme,
        };
        let visible: Vec<_> = window
            .filter_map(|place| Some((place, self.selection.at(place)?)))
            .collect();
        let names = visible.iter().map(|(_, (row, _))| *row).collect::<Vec<_>>();
        let names = rows.names(&names);
        for ((place, (row, choice)), name) in visible.into_iter().zip(names) {
            let is_here = place == self.selection.cursor.at() && self.focus == Focus::Rows;
            pen.target(DialogTarget::Row(place));
            pen.row(rows.line(row, choice, &name, is_here), is_here);
        }
        // The note on a row is below the rows if there is room, so that the buttons have space
        // above them.
        let note = text::truncate_middle(&self.note(&rows), cells).into_owned();
        let is_noted = blanks == 0 && drawn + 1 < height;
        for at in drawn..height {
            pen.text(if is_noted && at == drawn { &note } else { "" }, theme.dim);
        }
        blank(&mut pen);
        if is_summed_up {
            let tally = self.selection.tally();
            let summary = self.options.summary(tally.taken_choice, tally.has_new);
            pen.text(&text::truncate(&summary, cells), theme.dim);
        }
        let mut cursor = None;
        for group in shown {
            let taken = self.selection.tally().taken_choice;
            cursor = self
                .options
                .draw(group, taken, is_at(&group), &mut pen)
                .or(cursor);
            if group == OptionGroup::Taken {
                blank(&mut pen);
            }
        }
        match &self.problem {
            Some(problem) => pen.text(problem, theme.error),
            None => pen.text(if is_noted { "" } else { &note }, theme.dim),
        }
        pen.buttons(self.buttons(theme));
        if blanks + spare > 0 {
            pen.text("", theme.text);
        }
        pen.keys(&self.keys());
        pen.done(cursor)
    }
}

const LEAST_BLANKS: usize = 3;
const FEWEST_ROWS: usize = 3;
/// The rows that options leave visible, if there are that many.
const LEAST_ROWS: usize = 5;
/// The minimum width, which options and messages need even if all names are short.
const LEAST_WIDE: u16 = 76;
const EDGES: usize = 6;
/// The cells beside the note in the line of the title.
const NOTE_EDGES: usize = 3;
const WIDEST: u16 = 130;
