//! The limits view: reads the reports, requests those of the selected type, sorts, copies and
//! exports.

use jiff::Timestamp;

use crate::api::text::visible;
use crate::engine::limits::Report;
use crate::engine::question::ReadLimits;
use crate::tui::dialog::{Dialog, Prompt};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::ask;
use crate::tui::pane::component::Due;
use crate::tui::pane::cursor::stepped;
use crate::tui::pane::{copy, export, focus};
use crate::tui::state::effect::Effect;
use crate::tui::state::limits::{
    self, LimitOrder, LimitRow, LimitSortKey, LimitTable, LineValue, OpenTopic, Topic,
};
use crate::tui::state::shows_limits_pane;
use crate::tui::state::{LimitsRead, MessageLevel, State, View};
use crate::tui::widget::figures;
use crate::tui::widget::scroll::ListCursor;

/// The number of lines scrolled per key press.
const STEP: usize = 5;

/// Requests the reports on the account, except those already on their way.
pub(crate) fn account(state: &mut State) {
    state.session.limits.book.asked_at = Some(state.now);
    let idle = Report::OF_ACCOUNT
        .iter()
        .filter(|report| state.session.limits.book.answer(report).loading.is_none());
    let idle: Vec<Report> = idle.cloned().collect();
    for report in idle {
        read(state, report);
    }
}

fn read(state: &mut State, report: Report) {
    let op = ask(
        state,
        LimitsRead(report.clone()),
        ReadLimits(report.clone()),
    );
    state.session.limits.book.ask(report, op, state.now);
}

pub(crate) fn follow(state: &mut State) {
    let topic = (state.view == View::Limits)
        .then(|| state.session.limits.topic())
        .flatten();
    state.session.limits.rest.at(topic.as_ref(), state.now);
}

/// The automatic read of the account's reports, and the missing reports of the type that the cursor
/// rests on, one at a time.
pub(crate) fn due(state: &State) -> Vec<Due> {
    let at_rest = state.session.limits.rest.at_rest();
    [
        Due::new(state.limits_due(), account),
        Due::new(at_rest.filter(|_| lacking(state).is_some()), |state| {
            if let Some(report) = lacking(state) {
                read(state, report);
            }
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The next report missing for the associations on the screen.
fn lacking(state: &State) -> Option<Report> {
    let is_shown = state.session.limits.inside.is_some()
        || shows_limits_pane(state.size.width, state.panes.plain);
    let is_wanted = state.view == View::Limits && is_shown && !state.session.connection.is_lost();
    is_wanted.then(|| state.session.limits.lacks()).flatten()
}

impl State {
    /// The time of the next automatic read of the limits; seldom off the screen, `None` while the
    /// connection is lost.
    pub fn limits_due(&self) -> Option<Timestamp> {
        let every = if self.view == View::Limits {
            self.limits_every
        } else {
            limits::IN_BACKGROUND
        };
        self.session
            .limits
            .due(every)
            .filter(|_| !self.session.connection.is_lost())
    }
}

/// Opens the topic under the cursor; from the list of starting types, the type under the cursor.
pub(crate) fn open(state: &mut State) {
    let limits = &state.session.limits;
    let topic = match &limits.inside {
        None => limits.topic(),
        Some(inside) if inside.topic == Topic::Report(Report::Sources) => {
            let id = limits
                .lines()
                .get(inside.cursor.at())
                .and_then(|line| line.id.clone());
            id.map(|id| Topic::Type(limits.book.object_type(&id)))
        }
        Some(_) => None,
    };
    if let Some(topic) = topic {
        look_into(state, topic);
    }
}

fn look_into(state: &mut State, topic: Topic) {
    let limits = &mut state.session.limits;
    // Going back must lead to the row of the topic.
    let rows = limits.rows();
    if let Some(at) = rows
        .iter()
        .position(|row| row.topic().as_ref() == Some(&topic))
    {
        limits.cursor = limits.cursor.on(at, rows.len());
    }
    limits.inside = Some(OpenTopic {
        topic,
        cursor: ListCursor::default(),
    });
}

/// Goes back to the lists. Returns `true` if there was something to leave.
pub(crate) fn leave(state: &mut State) -> bool {
    let limits = &mut state.session.limits;
    std::mem::take(&mut limits.is_scrolling) || limits.inside.take().is_some()
}

/// Moves the focus from the object types to the other reports, to the pane beside them, and around.
pub(crate) fn next_pane(state: &mut State, action: Action) {
    const PANES: [usize; 3] = [0, 1, 2];
    let is_forward = action == Action::NextPane;
    let [types_pane, others_pane, aside_pane] = PANES;
    let panes = if focus::aside_rows(state).is_some() {
        PANES.len()
    } else {
        PANES.len() - 1
    };
    let limits = &mut state.session.limits;
    if limits.inside.is_some() {
        return;
    }
    let types = limits.counts().0;
    let at = match limits.cursor.at() < types {
        _ if limits.is_scrolling => aside_pane,
        true => types_pane,
        false => others_pane,
    };
    let to = (at + if is_forward { 1 } else { panes - 1 }) % panes;
    limits.is_scrolling = to == aside_pane;
    if to == types_pane && limits.cursor.at() >= types {
        let last_type = limits.last_type.min(types.saturating_sub(1));
        limits.move_cursor(|cursor| cursor.go_to(last_type));
    } else if to == others_pane && limits.cursor.at() < types {
        limits.move_cursor(|cursor| cursor.go_to(types));
    }
}

/// Scrolls the pane beside the lists: `step` takes the first visible line and the number of lines
/// that can be first, and returns the new first line.
pub(crate) fn scroll_aside(state: &mut State, step: impl FnOnce(usize, usize) -> usize) {
    let rows = focus::aside_rows(state).unwrap_or(0);
    let limits = &mut state.session.limits;
    let last = limits.lines_aside().len().saturating_sub(rows);
    limits.scroll = step(limits.scroll.min(last), last + 1);
}

/// Asks for the type whose associations are to be shown.
pub(crate) fn ask_type(state: &mut State) {
    state.dialogs.push(Dialog::Prompt(Prompt::from_type()));
}

/// Scrolls the pane beside the lists as the cursor keys do.
pub(crate) fn step_aside(state: &mut State, action: Action) {
    let page = focus::aside_rows(state).unwrap_or(1);
    scroll_aside(state, |at, len| stepped(action, at, len, page));
}

/// Opens the associations from the type with this id; they come below the other lines of the type.
pub(crate) fn from(state: &mut State, id: &str) {
    let name = state.session.limits.book.object_type(id);
    look_into(state, Topic::Type(name));
    let limits = &mut state.session.limits;
    let lines = limits.lines();
    let mut lines = lines.iter();
    let heading = lines.position(|line| line.what == LineValue::Heading);
    if let Some(heading) = heading {
        limits.move_cursor(|cursor| cursor.go_to(heading + 1));
    }
}

pub(crate) fn sort_key(action: Action) -> Option<LimitSortKey> {
    Some(match action {
        Action::SortUsage => LimitSortKey::Pressure,
        Action::SortLeft => LimitSortKey::Left,
        Action::SortName => LimitSortKey::Name,
        Action::SortGrowth => LimitSortKey::Growth,
        _ => return None,
    })
}

pub(crate) fn sort(state: &mut State, action: Action) {
    let order = state.session.limits.order;
    let key = sort_key(action).unwrap_or(order.key);
    let is_reversed = action == Action::SortReverse && !order.is_reversed;
    state
        .session
        .limits
        .change(|limits| limits.order = LimitOrder { key, is_reversed });
}

/// Scrolls the pane beside the lists, or moves the cursor of the open topic.
pub(crate) fn scroll(state: &mut State, action: Action) {
    let is_down = action == Action::ScrollDown;
    let step = |at: usize, len: usize| {
        if is_down {
            at.saturating_add(STEP).min(len.saturating_sub(1))
        } else {
            at.saturating_sub(STEP)
        }
    };
    let limits = &mut state.session.limits;
    if limits.inside.is_some() {
        limits.move_cursor(|cursor| cursor.go_to(step(cursor.at(), cursor.count())));
    } else {
        scroll_aside(state, step);
    }
}

pub(crate) fn copy_table(state: &mut State) {
    let Some(table) = table(state) else { return };
    let text = table.tabbed();
    state.say(
        MessageLevel::Info,
        format!(
            "{} {}, with tabs between columns.",
            figures::count(table.len(), "row"),
            state.settings.copied()
        ),
    );
    state.effects.push(Effect::Copy(text));
}

/// Writes the table to a new file in the download folder.
pub(crate) fn export(state: &mut State) {
    let Some(table) = table(state) else { return };
    let account = state.session.account.name();
    let topic = state.session.limits.inside.as_ref().map(|it| &it.topic);
    let report = topic.map_or(String::new(), |topic| format!("-{}", in_a_file_name(topic)));
    let name = format!(
        "limits{report}-{account}-{}.csv",
        figures::date(state.now, &state.zone)
    );
    export::write(state, name, table.csv());
}

/// The words of a report or object type, such as `custom-object-types`.
fn in_a_file_name(topic: &Topic) -> String {
    let title = match topic {
        Topic::Type(object_type) => limits::label(object_type),
        Topic::Report(report) => limits::title(report).to_owned(),
    };
    let words = title.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.collect::<Vec<_>>().join("-")
}

fn table(state: &mut State) -> Option<LimitTable> {
    let limits = &state.session.limits;
    let table = match &limits.inside {
        Some(OpenTopic { topic, .. }) => {
            let report = match topic {
                Topic::Type(_) => &Report::CustomProperties,
                Topic::Report(report) => report,
            };
            let read_at = limits.book.answer(report).loaded_at;
            LimitTable::of_lines(topic, &limits.lines(), read_at)
        }
        None => {
            LimitTable::of_account(&limits.book, &limits.types().collect::<Vec<_>>(), state.now)
        }
    };
    if table.is_empty() {
        state.say(MessageLevel::Hint, "There is nothing to copy yet.");
        return None;
    }
    Some(table)
}

pub(crate) fn copy_id(state: &mut State) {
    let limits = &state.session.limits;
    let id = match &limits.inside {
        Some(inside) => {
            let lines = limits.lines();
            let own = lines
                .get(inside.cursor.at())
                .and_then(|line| line.id.clone());
            own.or_else(|| match &inside.topic {
                Topic::Type(name) => Some(name.object_type_id.clone()),
                Topic::Report(_) => None,
            })
        }
        None => match limits.row(limits.cursor.at()) {
            Some(LimitRow::Type(entry)) => entry.id(),
            Some(LimitRow::Report(report)) => worst_id(state, report),
            None => None,
        },
    };
    let Some(id) = id else {
        return state.say(MessageLevel::Hint, "This has no id.");
    };
    copy::copied(state, Action::LinkId, &[visible(&id).into_owned()]);
}

fn worst_id(state: &State, report: &Report) -> Option<String> {
    let book = &state.session.limits.book;
    match report {
        Report::Sources => {
            let lines = state
                .session
                .limits
                .lines_of(&Topic::Report(Report::Sources));
            lines
                .into_iter()
                .find(|line| matches!(line.what, LineValue::Flags(..)))?
                .id
        }
        report => book.worst(report)?.0.id(),
    }
}
