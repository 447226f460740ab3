//! One task or one of its jobs as a line: the action, its subject and its progress.

use std::borrow::Cow;

use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::engine::JobKind;
use crate::engine::batch::{Batch, BatchState, Hold};
use crate::engine::queue_view::{BatchJob, JobState};
use crate::tui::pane::glyph::spinner;
use crate::tui::state::{State, TaskRow};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::gauge;
use crate::tui::widget::text::{left, right, truncate, truncate_start, width};
use crate::tui::wording::progress::{self, TaskProgress, waiting};
use crate::tui::wording::task::{ARROW, title};

#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskColumns {
    pub(crate) label: usize,
    pub(crate) gauge: usize,
    pub(crate) done: usize,
    pub(crate) rate: usize,
    pub(crate) took: usize,
    pub(crate) left: usize,
}

impl TaskColumns {
    pub(crate) fn fit(cells: usize, needs: TaskNeeds) -> Self {
        let (gauge, done, rate, took, left) = match (cells, needs.has_rate) {
            // The name comes first, in full and with its target.
            (_, false) if needs.is_plain => {
                (needs.state.clamp(SHORT_STATE, SPOKEN_STATE), 0, 0, 0, 0)
            }
            (100.., true) => (16, 18, 12, 9, 9),
            (100.., false) => (28, 18, 0, 9, 9),
            (70.., _) => (10, 18, 0, 8, 8),
            (60.., _) => (10, 18, 0, 0, 8),
            (_, true) => (8, 17, 0, 0, 0),
            // The name includes the count of finished jobs.
            (_, false) => (needs.state.clamp(SHORT_STATE, LONG_STATE), 0, 0, 0, 0),
        };
        let left = if needs.has_left { left } else { 0 };
        let room = cells.saturating_sub(2 + GAP + gauge + done + rate + took + left);
        // The state gets the remaining space, so that the figures end at the right edge.
        let label = needs.label.clamp(LEAST_LABEL, MOST_LABEL).min(room);
        Self {
            label,
            gauge: gauge + room - label,
            done,
            rate,
            took,
            left,
        }
    }

    fn behind(self) -> usize {
        self.rate + self.took + self.left
    }

    fn rest(self) -> usize {
        self.gauge + self.done + self.behind()
    }
}

/// The widths that rows need, in cells.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TaskNeeds {
    label: usize,
    /// For the state of a row without a gauge.
    state: usize,
    has_left: bool,
    has_rate: bool,
    is_plain: bool,
}

/// Cells between the subject and the progress.
/// The spans before the gauge: the glyph and the label.
const LEAD: usize = 2;
const GAP: usize = 2;
const LEAST_LABEL: usize = 24;
/// Least width for a subject with its target.
const LEAST_BOTH: usize = 30;
const MOST_LABEL: usize = 70;
/// Narrower rows have no space for reasons.
const NARROW: u16 = 70;
/// Widths of a state without figures.
const SHORT_STATE: usize = 14;
const LONG_STATE: usize = 25;
const SPOKEN_STATE: usize = 18;
/// The least part of a reason that distinguishes it from others.
const LEAST_REASON: usize = 14;
const WIDEST_GAUGE: usize = 32;

/// The glyph and color of a batch: its state, or its action while it is queued or running.
pub(crate) fn glyph(batch: &Batch, theme: &Theme) -> (&'static str, Style) {
    match &batch.state {
        BatchState::Held(Hold::Paused) => (symbols::HELD, theme.dim),
        BatchState::Held(_) => (symbols::HELD, theme.warn),
        BatchState::Ended if batch.is_cancelled() => (symbols::CANCELED, theme.dim),
        BatchState::Ended if batch.has_failed() => (symbols::FAILED, theme.error),
        BatchState::Ended => (symbols::DONE, theme.ok),
        BatchState::Queued => (sign(batch.kind), theme.dim),
        BatchState::Running if batch.kind.is_remote() => (sign(batch.kind), theme.warn),
        BatchState::Running => (sign(batch.kind), theme.gauge),
    }
}

fn sign(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Upload | JobKind::Copy | JobKind::Replace => symbols::UP,
        JobKind::Download => symbols::DOWN,
        JobKind::Import => symbols::IMPORT,
        JobKind::UpdateFolder | JobKind::Move => symbols::MOVE,
        JobKind::CreateFolder | JobKind::CreateLocalFolder => symbols::MAKE,
        JobKind::Change | JobKind::Rename | JobKind::RenameFolder => symbols::CHANGE,
        JobKind::Delete | JobKind::DeleteLocal | JobKind::Purge => symbols::DELETE,
    }
}

/// The title with a word instead of the arrow.
pub(crate) fn spoken(batch: &Batch, state: &State) -> String {
    let label = title(TaskRow::Batch(batch), state);
    label.split_once(ARROW).map_or_else(
        || label.clone(),
        |(from, to)| symbols::towards(from, to, true),
    )
}

/// Leaves out the folders of a copy, first that of the source, if there is too little room for them
/// and the accounts.
fn with_accounts(label: &str, cells: usize) -> Cow<'_, str> {
    let parts = label.split_once(ARROW).filter(|_| width(label) > cells);
    let Some((from, to)) = parts.filter(|(_, to)| to.starts_with('@')) else {
        return label.into();
    };
    let account = |part: &str, at: usize| {
        let end = part.get(at..).and_then(|rest| rest.find(":/"));
        end.map_or(part.len(), |end| at + end)
    };
    let at = from.rfind(" in @").unwrap_or_default();
    let from = from.get(..account(from, at)).unwrap_or(from);
    let whole = format!("{from}{ARROW}{to}");
    if width(&whole) <= cells {
        return whole.into();
    }
    let to = to.get(..account(to, 0)).unwrap_or(to);
    format!("{from}{ARROW}{to}").into()
}

/// Truncates a label: first drops the parent folders of the target, then the end of the part before
/// the arrow.
pub(crate) fn cut(label: &str, cells: usize) -> String {
    let Some((from, to)) = label.split_once(ARROW).filter(|_| width(label) > cells) else {
        return label.to_owned();
    };
    let room = cells.saturating_sub(width(ARROW));
    // If the name stays the same, only the target folder is shown. Files in a folder have none.
    let keeps_name = to
        .rsplit('/')
        .next()
        .filter(|name| !from.contains(" in /") && Some(*name) == from.rsplit('/').next());
    let to = keeps_name
        .and_then(|name| to.strip_suffix(name))
        .filter(|to| *to != "/")
        .unwrap_or(to);
    let least = ends(to)
        .next_back()
        .map_or_else(|| width(to), |end| width(&end))
        .min(room / 2);
    let most = room.saturating_sub(width(from)).max(least);
    let whole = Some(to.to_owned()).filter(|to| width(to) <= most);
    let end = || ends(to).find(|end| width(end) <= most);
    let to = whole
        .or_else(end)
        .unwrap_or_else(|| truncate_start(to, most).into_owned());
    let room = room.saturating_sub(width(&to));
    // The folders above the subject, if it is a path, go before its end.
    let from = from
        .split_once(" /")
        .filter(|_| width(from) > room)
        .and_then(|(action, path)| {
            let mut ends = ends(path).map(|end| format!("{action} {end}"));
            let what = action.strip_suffix(" in").map(str::to_owned);
            ends.find(|from| width(from) <= room)
                .or_else(|| what.filter(|what| width(what) <= room))
        })
        .unwrap_or_else(|| truncate(from, room).into_owned());
    format!("{from}{ARROW}{to}")
}

/// The ends of a path, the longest first, with a sign for the folders above.
fn ends(path: &str) -> impl DoubleEndedIterator<Item = String> {
    path.match_indices('/')
        .filter_map(|(at, _)| path.get(at..))
        // A folder may end with a slash, which alone would name none.
        .filter(|end| *end != "/")
        .map(|end| format!("{}{end}", symbols::ELLIPSIS))
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskRows<'a> {
    pub(crate) columns: TaskColumns,
    pub(crate) state: &'a State,
    pub(crate) theme: &'a Theme,
}

impl<'a> TaskRows<'a> {
    pub(crate) fn new(
        cells: u16,
        rows: &[TaskRow<'_>],
        state: &'a State,
        theme: &'a Theme,
    ) -> Self {
        Self::with_indent(cells, 0, rows, state, theme)
    }

    /// Like `new`, if some rows are indented.
    pub(crate) fn with_indent(
        cells: u16,
        indent: u16,
        rows: &[TaskRow<'_>],
        state: &'a State,
        theme: &'a Theme,
    ) -> Self {
        let has_rate = state.session.tasks.is_at_work();
        let mut needs = TaskNeeds {
            has_rate,
            is_plain: state.panes.plain,
            ..TaskNeeds::default()
        };
        for row in rows {
            let (label, shown) = match row {
                // One more cell, for the word that replaces an arrow.
                TaskRow::Batch(batch) => (
                    1 + width(&title(*row, state)),
                    progress::progress(batch, state),
                ),
                TaskRow::Job(job) => (3 + width(&job.job.subject()), progress::of_job(job, state)),
                TaskRow::Older(_) => continue,
            };
            needs.label = needs.label.max(label);
            // A note without a time needs the column too.
            let is_alone = !shown.note.is_empty() && shown.took.is_empty();
            needs.has_left |= is_alone || !shown.left.is_empty();
            if shown.percent.is_none() {
                // Plus the two-cell sign of a waiting task, and the two-cell gap before a figure.
                let words = if cells < NARROW {
                    shown.state.clone()
                } else {
                    shown.state_and_reason()
                };
                needs.state = needs.state.max(4 + width(&words));
            }
        }
        needs.label += usize::from(indent);
        Self {
            columns: TaskColumns::fit(usize::from(cells), needs),
            state,
            theme,
        }
    }

    /// For rows that start further to the right but share the columns.
    pub(crate) fn indented(mut self, cells: usize) -> Self {
        self.columns.label = self.columns.label.saturating_sub(cells);
        self
    }

    pub(crate) fn draw(self, frame: &mut Frame<'_>, area: Rect, batch: &Batch) {
        let Self {
            columns,
            state,
            theme,
        } = self;
        let (glyph, style) = glyph(batch, theme);
        let glyph = self.shown_glyph(glyph, batch.has_failed());
        let label_style = if batch.is_live() || batch.has_failed() {
            theme.text
        } else {
            theme.dim
        };
        let label = self.fit_label(&title(TaskRow::Batch(batch), state), columns.label);
        let lead = [
            Span::styled(format!("{glyph} "), style),
            Span::styled(left(&label, columns.label), label_style),
        ];
        let shown = progress::progress(batch, state);
        let style = state_style(batch, state.now, theme);
        let sign = self.sign_of_waiting(&shown, waits(batch, state.now));
        let line = self.line(lead, &shown, &sign, style);
        self.render(frame, area, line, shown.percent);
    }

    /// Fits a label into `cells`; for screen readers, a word replaces its arrow.
    fn fit_label(self, label: &str, cells: usize) -> String {
        let label = &*with_accounts(label, cells);
        let Some((from, to)) = label.split_once(ARROW) else {
            return label.to_owned();
        };
        let spoken = symbols::towards(from, to, true);
        match () {
            () if self.state.panes.plain && width(&spoken) <= cells => spoken,
            // Two truncated names and two truncated folders would be unreadable; the details show
            // the target.
            () if cells < LEAST_BOTH && width(label) > cells => truncate(from, cells).into_owned(),
            () => cut(label, cells),
        }
    }

    /// A screen reader reads glyphs as words, so only a failure gets one.
    fn shown_glyph(self, glyph: &'static str, has_failed: bool) -> &'static str {
        if self.state.panes.plain && !has_failed {
            " "
        } else {
            glyph
        }
    }

    pub(crate) fn draw_job(self, frame: &mut Frame<'_>, area: Rect, job: &BatchJob) {
        let Self {
            columns,
            state,
            theme,
        } = self;
        let sign = sign(job.job.kind());
        let (glyph, glyph_style, style) = match &job.state {
            JobState::Running(_) => (sign, theme.gauge, theme.warn),
            JobState::Waiting => (sign, theme.dim, theme.dim),
            JobState::Failed(_) => (symbols::FAILED, theme.error, theme.error),
            JobState::Cancelled { .. } => (symbols::CANCELED, theme.dim, theme.dim),
            JobState::Done => (symbols::DONE, theme.ok, theme.ok),
        };
        let has_failed = matches!(job.state, JobState::Failed(_));
        let glyph = self.shown_glyph(glyph, has_failed);
        let label_style = if job.is_live() || has_failed {
            theme.text
        } else {
            theme.dim
        };
        let cells = columns.label.saturating_sub(2);
        let label = left(&self.fit_label(&job.job.subject(), cells), cells);
        let lead = [
            Span::styled(format!("  {glyph} "), glyph_style),
            Span::styled(label, label_style),
        ];
        let is_running = matches!(job.state, JobState::Running(_));
        let shown = progress::of_job(job, state);
        let sign = self.sign_of_waiting(&shown, is_running);
        let line = self.line(lead, &shown, &sign, style);
        self.render(frame, area, line, shown.percent);
    }

    fn sign_of_waiting(self, shown: &TaskProgress, waits: bool) -> String {
        let state = self.state;
        if waits && !shown.state.is_empty() && state.is_moving() && !state.panes.plain {
            format!("{} ", spinner(state.now))
        } else {
            String::new()
        }
    }

    fn render(self, frame: &mut Frame<'_>, area: Rect, line: Line<'_>, percent: Option<u8>) {
        let start = line.spans.iter().take(LEAD).map(Span::width).sum::<usize>() + GAP;
        frame.render_widget(line, area);
        if let Some(percent) = percent {
            let bar = Rect {
                x: area.x + u16::try_from(start).unwrap_or(0),
                width: u16::try_from(self.columns.gauge.min(WIDEST_GAUGE)).unwrap_or(0),
                ..area
            };
            let (bar, style) = (bar.intersection(area), self.theme.gauge);
            gauge::draw(frame.buffer_mut(), bar, percent.into(), style, self.theme);
        }
    }

    fn line<'l>(
        self,
        lead: [Span<'l>; LEAD],
        shown: &TaskProgress,
        sign: &str,
        style: Style,
    ) -> Line<'l> {
        let Self { columns, theme, .. } = self;
        let mut spans = Vec::from(lead);
        spans.push(Span::raw(" ".repeat(GAP)));
        let times = format!(
            "{}{}",
            right(&shown.took, columns.took),
            right(&shown.left, columns.left)
        );
        let behind = match shown.note.as_str() {
            "" => format!("{}{times}", right(&shown.rate, columns.rate)),
            note if times.trim().is_empty() => {
                format!(" {}", right(note, columns.behind().saturating_sub(1)))
            }
            // A note replaces figures and takes their space.
            note => format!("{}{times}", right(note, columns.rate + columns.done)),
        };
        if shown.percent.is_some() {
            spans.push(Span::raw(" ".repeat(columns.gauge)));
            spans.push(Span::styled(right(&shown.done, columns.done), theme.text));
            spans.push(Span::styled(behind, theme.dim));
            return Line::from(spans);
        }
        let words = format!("{sign}{}", shown.state_and_reason());
        let done = if columns.done > 0 {
            shown.done.as_str()
        } else {
            ""
        };
        if shown.note.is_empty()
            && width(&words) < columns.gauge + columns.done.saturating_sub(width(done))
        {
            let room = columns.gauge + columns.done.saturating_sub(width(done));
            spans.push(Span::styled(left(&words, room), style));
            spans.push(Span::styled(format!("{done}{behind}"), theme.dim));
            return Line::from(spans);
        }
        // Longer words extend into the space of missing figures.
        let done = if shown.note.is_empty() { done } else { "" };
        let figures = [done, behind.trim()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("  ");
        let gap = usize::from(!figures.is_empty());
        let room = columns.rest().saturating_sub(width(&figures) + gap);
        let has_reason =
            width(&words) <= room || width(sign) + width(&shown.state) + LEAST_REASON <= room;
        let words = if has_reason {
            words
        } else {
            format!("{sign}{}", shown.state)
        };
        spans.push(Span::styled(
            left(&truncate(&words, room), room + gap),
            style,
        ));
        spans.push(Span::styled(figures, theme.dim));
        Line::from(spans)
    }
}

/// Returns `true` if the batch waits for something external: the service, a limit or a time.
fn waits(batch: &Batch, now: Timestamp) -> bool {
    match &batch.state {
        BatchState::Running => waiting(batch, now).is_some() || batch.kind.is_remote(),
        BatchState::Held(hold) => *hold != Hold::Paused,
        BatchState::Queued | BatchState::Ended => false,
    }
}

fn state_style(batch: &Batch, now: Timestamp, theme: &Theme) -> Style {
    match &batch.state {
        _ if waits(batch, now) => theme.warn,
        BatchState::Running => theme.text,
        BatchState::Queued | BatchState::Held(_) => theme.dim,
        BatchState::Ended if batch.is_cancelled() => theme.dim,
        BatchState::Ended if batch.has_failed() => theme.error,
        BatchState::Ended => theme.ok,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::it_fits(60, "Copy 3 files in @box:/a/b → @live:/a/b")]
    #[case::no_source_folder(34, "Copy 3 files in @box → @live:/a/b")]
    #[case::no_folders(30, "Copy 3 files in @box → @live")]
    fn the_accounts_of_copies_stay_longer_than_their_folders(
        #[case] cells: usize,
        #[case] expected: &str,
    ) {
        let label = "Copy 3 files in @box:/a/b → @live:/a/b";
        assert_eq!(with_accounts(label, cells), expected);
    }

    #[rstest]
    #[case::it_fits("Import a.pdf → /in", 20, "Import a.pdf → /in")]
    #[case::folders_above_go_first(
        "Upload banner-07.png → /marketing/q3-launch",
        36,
        "Upload banner-07.png → …/q3-launch"
    )]
    #[case::as_few_as_possible("Upload a.png → /a/b/c/d", 22, "Upload a.png → …/b/c/d")]
    #[case::then_the_name_is_cut(
        "Import autumn poster.pdf → /marketing/q3-launch",
        28,
        "Import autumn… → …/q3-launch"
    )]
    #[case::the_destination_has_half_at_most(
        "Rename a-long-name → another-long-name",
        23,
        "Rename a-… → …long-name"
    )]
    #[case::what_keeps_its_name(
        "Move /q3-launch → /marketing/q3-launch",
        30,
        "Move /q3-launch → /marketing/"
    )]
    #[case::what_keeps_its_name_in_little_room(
        "Move /q3-launch → /sales/marketing/q3-launch",
        27,
        "Move /q3-la… → …/marketing/"
    )]
    #[case::folders_above_the_subject(
        "Download /marketing/q3-launch/banner-07.png → ~/work",
        40,
        "Download …/banner-07.png → ~/work"
    )]
    #[case::of_several(
        "Download 48 files in /many → ~/work",
        30,
        "Download 48 files → ~/work"
    )]
    #[case::of_several_into_a_folder_of_the_same_name(
        "Download 5 files in /web/assets → ~/work/web/assets",
        44,
        "Download 5 files in /web/assets → …/assets"
    )]
    #[case::no_destination("Delete 5 files", 8, "Delete 5 files")]
    fn a_label_that_is_cut_keeps_where_it_leads(
        #[case] label: &str,
        #[case] cells: usize,
        #[case] expected: &str,
    ) {
        assert_eq!(cut(label, cells), expected);
    }
}
