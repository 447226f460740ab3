//! A row of a list of limits: name, gauge and percentage; usage, rest, trend and forecast if there
//! is space.

use jiff::{SignedDuration, Timestamp};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::engine::limits::{LimitHistory, Share};
use crate::tui::keymap::Action;
use crate::tui::state::limits::{Forecast, forecast};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, right, truncate, width};
use crate::tui::widget::{figures, gauge, spark};

const PERCENT: usize = 8;
const LEFT: usize = 9;
const TREND: usize = 10;
const WIDE_TREND: usize = 14;
const FULL: usize = 12;
/// With a word instead of an arrow.
const SPOKEN_FULL: usize = 11;
const ID: usize = 11;
const LEAST_BAR: usize = 10;
const MOST_BAR: usize = 120;
/// The cursor, and padding.
const START: usize = 2;

/// Column widths including the padding before them; 0 for an omitted column.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LimitColumns {
    name: usize,
    bar: usize,
    used: usize,
    left: usize,
    trend: usize,
    full: usize,
    id: usize,
    /// Set if the usage is rounded: `6M of 15M`.
    is_rounded: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Gauge<'a> {
    /// Safe to display.
    pub(crate) name: &'a str,
    /// The style of the name.
    pub(crate) style: Style,
    /// Safe to display.
    pub(crate) id: &'a str,
    pub(crate) share: Share,
    pub(crate) past: Option<&'a LimitHistory>,
}

const LEAST_BAR_OF_USED: usize = 12;

impl LimitColumns {
    /// Fits the columns into `cells`; `name` and `used` are the preferred widths.
    pub(crate) fn fit(cells: usize, name: usize, used: usize) -> Self {
        let mut columns = Self {
            name: name.min(cells * 2 / 5),
            bar: LEAST_BAR + 1,
            ..Self::default()
        };
        let mut widen = |column: fn(&mut Self) -> &mut usize, wanted: usize| {
            let taken = columns.taken();
            let column = column(&mut columns);
            if taken - *column + wanted <= cells {
                *column = wanted;
            }
        };
        widen(|it| &mut it.left, LEFT);
        widen(|it| &mut it.full, FULL);
        widen(|it| &mut it.trend, TREND);
        widen(|it| &mut it.bar, 2 * LEAST_BAR + 1);
        widen(|it| &mut it.used, used + 2);
        widen(|it| &mut it.id, ID);
        widen(|it| &mut it.trend, WIDE_TREND);
        columns.bar = (columns.bar + cells.saturating_sub(columns.taken())).min(MOST_BAR + 1);
        columns
    }

    /// For a box that shows the usage instead of the rest.
    pub(crate) fn fit_used(cells: usize, name: usize, used: usize) -> Self {
        let with_left = Self::fit(cells.saturating_sub(used + 2), name, 0);
        let bar =
            (with_left.bar + with_left.left + with_left.used + with_left.id).min(MOST_BAR + 1);
        // The name is the last to be cut.
        let lacks = name
            .saturating_sub(with_left.name)
            .min(bar.saturating_sub(LEAST_BAR_OF_USED));
        Self {
            left: 0,
            id: 0,
            used: used + 2,
            bar: bar - lacks,
            name: with_left.name + lacks,
            ..with_left
        }
    }

    /// Uses rounded figures, to leave more space for gauges.
    pub(crate) fn rounded(self) -> Self {
        Self {
            is_rounded: true,
            ..self
        }
    }

    /// Gives the space of the trends to the gauges, because trends would dominate without colors.
    pub(crate) fn without_trend(self) -> Self {
        let bar = (self.bar + self.trend).min(MOST_BAR + 1);
        Self {
            trend: 0,
            bar,
            ..self
        }
    }

    /// For plain text, which has no gauges and trends.
    pub(crate) fn fit_plain(cells: usize, name: usize, used: usize) -> Self {
        let name = name.min(cells * 2 / 5);
        let columns = Self {
            name,
            bar: 1,
            used: used + 2,
            ..Self::default()
        };
        if columns.taken() + SPOKEN_FULL <= cells {
            Self {
                full: SPOKEN_FULL,
                ..columns
            }
        } else {
            columns
        }
    }

    fn taken(&self) -> usize {
        START
            + self.name
            + self.bar
            + PERCENT
            + self.used
            + self.left
            + self.trend
            + self.full
            + self.id
    }

    pub(crate) fn heading(&self, name: &str) -> String {
        let column = |cells: usize, word: &str| {
            if cells == 0 {
                String::new()
            } else {
                right(word, cells)
            }
        };
        let from_left = |cells: usize, word: &str| {
            if cells == 0 {
                String::new()
            } else {
                format!("  {}", left(word, cells - 2))
            }
        };
        let days = if self.trend > TREND {
            "30 days"
        } else {
            "30 d"
        };
        [
            " ".repeat(START),
            left(name, self.name),
            format!(" {}", self.bar_heading()),
            right("%", PERCENT),
            column(self.used, "Used"),
            column(self.left, "Left"),
            from_left(self.trend, days),
            from_left(self.full, "Full"),
            from_left(self.id, "Id"),
        ]
        .concat()
    }

    /// The action that sorts by the column whose heading is at a cell.
    pub(crate) fn sort_at(&self, cell: usize) -> Option<Action> {
        let columns = [
            (START + self.name, Action::SortName),
            (self.bar + PERCENT + self.used, Action::SortUsage),
            (self.left, Action::SortLeft),
            (self.trend, Action::SortGrowth),
        ];
        let mut end = 0;
        let mut ends = columns.into_iter().map(|(cells, action)| {
            end += cells;
            (end, action)
        });
        let column = ends.find(|(end, _)| cell < *end);
        column.map(|(_, action)| action)
    }

    /// Explains the ticks of the gauges if the heading has no space for it.
    pub(crate) fn legend(&self) -> Option<String> {
        let has_ticks = self.bar > 1 && !self.has_levels();
        has_ticks.then(|| "ticks at 75 and 90%".to_owned())
    }

    /// Returns `true` if there is space for the levels above the ticks of the gauges.
    pub(crate) fn has_levels(&self) -> bool {
        const LEAST_BAR_WITH_LEVELS: usize = 20;
        self.bar > LEAST_BAR_WITH_LEVELS
    }

    /// The heading of the gauges, with the levels above their ticks if there is space.
    fn bar_heading(&self) -> String {
        let cells = self.bar.saturating_sub(1);
        let name = if self.used == 0 { "Used" } else { "" };
        if !self.has_levels() {
            return left(name, cells);
        }
        let tick = |level| {
            usize::from(gauge::tick(u16::try_from(cells).unwrap_or(u16::MAX), level))
                .saturating_sub(1)
        };
        let (first, second) = (tick(75.0), tick(90.0));
        left(
            &format!(
                "{}75{}90",
                left(name, first),
                " ".repeat(second.saturating_sub(first + 2))
            ),
            cells,
        )
    }

    /// A row with a share; `draw_bar` fills the space for its gauge.
    pub(crate) fn line(&self, of: Gauge<'_>, now: Timestamp, theme: &Theme) -> Line<'static> {
        let share = of.share;
        let style = theme.level(share.percentage);
        // Screen readers read both signs as the same mark, so the more severe one is doubled.
        let sign = if theme.is_plain() && share.percentage >= 90.0 {
            "!!"
        } else {
            gauge::sign(share.percentage)
        };
        let cells = if theme.is_plain() { 3 } else { 2 };
        let percent = format!("{sign:<cells$}{:>5}", figures::percent(share.percentage));
        let mut spans = vec![
            Span::raw(" ".repeat(START)),
            Span::styled(left(of.name, self.name), of.style),
            Span::raw(" ".repeat(self.bar)),
            Span::styled(right(&percent, PERCENT), style),
        ];
        let mut add = |cells: usize, text: String, style: Style| {
            if cells > 0 {
                spans.push(Span::styled(text, style));
            }
        };
        let figure = if self.is_rounded {
            used_short(share)
        } else {
            used(share)
        };
        add(self.used, right(&figure, self.used), theme.dim);
        add(
            self.left,
            right(&figures::grouped(share.left()), self.left),
            theme.text,
        );
        let days = self.trend.saturating_sub(2);
        let trend = of
            .past
            .map(|past| trend(past, share, now, days))
            .unwrap_or_default();
        add(self.trend, format!("  {}", left(&trend, days)), theme.dim);
        let forecast = forecast(share, of.past, now);
        add(
            self.full,
            format!("  {}", left(&words(forecast), self.full.saturating_sub(2))),
            style_of(forecast, theme),
        );
        add(
            self.id,
            format!("  {}", left(of.id, self.id.saturating_sub(2))),
            theme.dim,
        );
        Line::from(spans)
    }

    /// The part of a row with a share that is highlighted. Without colors, the part before the
    /// gauge, which would be lost otherwise.
    pub(crate) fn highlighted(&self, row: Rect, theme: &Theme) -> Rect {
        let name = u16::try_from(START + self.name).unwrap_or(u16::MAX);
        let width = if theme.is_mono() && self.bar > 1 {
            name.min(row.width)
        } else {
            row.width
        };
        Rect { width, ..row }
    }

    pub(crate) fn draw_bar(&self, frame: &mut Frame<'_>, row: Rect, share: Share, theme: &Theme) {
        let cells = |cells: usize| u16::try_from(cells).unwrap_or(u16::MAX);
        let bar = Rect {
            x: row.x + cells(START + self.name + 1),
            width: cells(self.bar - 1),
            ..row
        };
        let bar = bar.intersection(row);
        gauge::draw_with_ticks(frame.buffer_mut(), bar, share.percentage, theme);
    }

    /// A row without a share: words in place of the gauge, or at the end without gauges, and a
    /// usage figure.
    pub(crate) fn figure_line<'a>(
        &self,
        name: &str,
        words: Vec<Span<'a>>,
        figure: &str,
        theme: &Theme,
    ) -> Line<'a> {
        let mut spans = vec![
            Span::raw(" ".repeat(START)),
            Span::styled(left(name, self.name), theme.text),
        ];
        let figure = Span::styled(right(figure, self.used), theme.dim);
        let room = self.bar + PERCENT;
        if self.bar > 1 {
            spans.push(Span::raw(" "));
            let rest = words_within(words, room - 1, &mut spans);
            spans.extend([Span::raw(" ".repeat(rest)), figure]);
        } else {
            spans.extend([Span::raw(" ".repeat(room)), figure, Span::raw("  ")]);
            spans.extend(words);
        }
        Line::from(spans)
    }

    /// A row of this width with only a name and words.
    pub(crate) fn words_line<'a>(&self, row: usize, name: &Span<'_>, words: Line<'a>) -> Line<'a> {
        // Without a gauge, the words need no alignment.
        let cells = self.name.max(name.width().min(row / 2));
        let mut spans = vec![
            Span::raw(" ".repeat(START)),
            Span::styled(left(&name.content, cells), name.style),
            Span::raw(" "),
        ];
        let room = row.saturating_sub(START + cells + 2);
        let style = words.style;
        let words = words.spans.into_iter().map(|span| Span {
            style: style.patch(span.style),
            ..span
        });
        words_within(words, room, &mut spans);
        Line::from(spans)
    }
}

/// Adds words, truncated to `room`, and returns the cells left.
fn words_within<'a>(
    words: impl IntoIterator<Item = Span<'a>>,
    mut room: usize,
    to: &mut Vec<Span<'a>>,
) -> usize {
    for span in words {
        let text = truncate(&span.content, room).into_owned();
        room = room.saturating_sub(width(&text));
        to.push(Span::styled(text, span.style));
    }
    room
}

/// `912 of 1,000`.
pub(crate) fn used(share: Share) -> String {
    format!(
        "{} of {}",
        figures::grouped(share.usage),
        figures::grouped(share.limit)
    )
}

/// `497K of 500K`, if space is short.
pub(crate) fn used_short(share: Share) -> String {
    format!(
        "{} of {}",
        figures::short(share.usage),
        figures::short(share.limit)
    )
}

pub(crate) fn style_of(forecast: Forecast, theme: &Theme) -> Style {
    match forecast {
        Forecast::Full | Forecast::Days(..=30) => theme.gauge_full,
        Forecast::Days(..=90) => theme.gauge_warn,
        Forecast::Days(_) => theme.text,
        Forecast::Steady | Forecast::Falling | Forecast::Unknown => theme.dim,
    }
}

/// `full`, `in ~9d`, `steady`; empty if unknown.
pub(crate) fn words(forecast: Forecast) -> String {
    match forecast {
        Forecast::Full => "full".to_owned(),
        Forecast::Days(days) => format!("in ~{days}d"),
        Forecast::Steady => "steady".to_owned(),
        Forecast::Falling => "falling".to_owned(),
        Forecast::Unknown => String::new(),
    }
}

/// Thirty days in `cells`, each as high as its share of the limit, so that all trends have the same
/// scale. Blank if unknown; a single reading is not a trend.
fn trend(past: &LimitHistory, share: Share, now: Timestamp, cells: usize) -> String {
    /// The height of a gauge, so that rows stay apart.
    const HIGHEST: u64 = 6;
    const FULL: u64 = 8;
    if past.days.len() < 2 {
        return String::new();
    }
    let level = |usage: u64| match usage
        .min(share.limit)
        .saturating_mul(HIGHEST)
        .checked_div(share.limit)
    {
        Some(level) => level.max(u64::from(usage > 0)),
        None => HIGHEST,
    };
    let levels: Vec<u64> = (0..cells)
        .map(|cell| usage_at(past, cell, cells, now).map_or(0, level))
        .collect();
    spark::levels(&levels, FULL)
}

/// The last known usage at the end of a cell, if `cells` show thirty days.
pub(crate) fn usage_at(
    past: &LimitHistory,
    cell: usize,
    cells: usize,
    now: Timestamp,
) -> Option<u64> {
    let span = SignedDuration::from_hours(30 * 24).as_secs();
    let left = i64::try_from(cells.saturating_sub(1 + cell)).unwrap_or(0) * span;
    let end = now.as_second() - left / i64::try_from(cells.max(1)).unwrap_or(1);
    past.days
        .iter()
        .rev()
        .find(|day| day.at.as_second() <= end)
        .map(|day| day.usage)
}
