//! The first line: the program, the account, the views, the rest of the request budget or the lost
//! connection.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::pane::activity;
use crate::tui::pane::hit_target::HitTarget;
use crate::tui::pane::limits;
use crate::tui::pane::tasks;
use crate::tui::state::{PRODUCTION, State, View};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::gauge;
use crate::tui::widget::text::truncate_middle;

const WIDE_FROM: u16 = 100;
const HEADROOM: u16 = 8;

/// The tab at a column, or the account, whose name leads to the others.
pub(super) fn target_at(area: Rect, x: u16, state: &State, theme: &Theme) -> Option<HitTarget> {
    let (lead, tabs) = left(area, state, theme);
    let account = (HitTarget::Action(Action::Accounts), lead);
    let tabs = tabs.map(|(view, tab)| (HitTarget::Tab(view), tab));
    let mut end = area.x;
    let mut parts = [account].into_iter().chain(tabs);
    parts.find_map(|(target, part)| {
        end = end.saturating_add(u16::try_from(part.width()).unwrap_or(u16::MAX));
        (x < end).then_some(target)
    })
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    frame.buffer_mut().set_style(area, theme.header);
    let is_wide = area.width >= WIDE_FROM;
    let (lead, tabs) = left(area, state, theme);
    let left: Line<'_> = lead
        .into_iter()
        .chain(tabs.into_iter().flat_map(|(_, tab)| tab))
        .collect();
    let used = u16::try_from(left.width())
        .unwrap_or(area.width)
        .min(area.width);
    frame.render_widget(left, area);
    let rest = Rect {
        x: area.x + used,
        width: area.width - used,
        ..area
    };
    draw_right(frame, rest, is_wide, state, theme);
}

/// The part before the tabs, and the tabs. The program's name is dropped first, then the names of
/// inactive tabs.
fn left<'a>(area: Rect, state: &State, theme: &Theme) -> (Line<'a>, [(View, Line<'a>); 4]) {
    let whole = parts(area, true, true, state, theme);
    let fits = |(lead, tabs): &(Line<'a>, [(View, Line<'a>); 4])| {
        lead.width() + tabs.iter().map(|(_, tab)| tab.width()).sum::<usize>()
            <= usize::from(area.width)
    };
    if fits(&whole) {
        return whole;
    }
    let without_brand = parts(area, false, true, state, theme);
    if fits(&without_brand) {
        without_brand
    } else {
        parts(area, false, false, state, theme)
    }
}

fn parts<'a>(
    area: Rect,
    has_brand: bool,
    has_names: bool,
    state: &State,
    theme: &Theme,
) -> (Line<'a>, [(View, Line<'a>); 4]) {
    let mut lead: Vec<Span<'a>> = has_brand
        .then(|| Span::styled(" filedeck ", theme.brand))
        .into_iter()
        .collect();
    lead.extend(account(
        state,
        usize::from(area.width) / 4,
        area.width >= WIDE_FROM,
        theme,
    ));
    lead.push(Span::raw(" "));
    let tabs = [
        (View::Files, "1", "Files"),
        (View::Tasks, "2", "Tasks"),
        (View::Limits, "3", "Limits"),
        (View::Activity, "4", "Activity"),
    ];
    let tabs = tabs.map(|(view, at, name)| {
        let name = if has_names || state.view == view {
            name
        } else {
            ""
        };
        (view, tab(view, at, name, state, theme))
    });
    (Line::from(lead), tabs)
}

fn tab<'a>(view: View, at: &str, name: &'static str, state: &State, theme: &Theme) -> Line<'a> {
    let style = if state.view == view {
        theme.open_tab
    } else {
        theme.tab
    };
    let digit = theme.tab.patch(Style {
        add_modifier: style.add_modifier,
        ..style
    });
    let mut spans = vec![
        Span::styled(format!(" {at} "), digit),
        Span::styled(name, style),
    ];
    spans.extend(
        badge(view, state, theme)
            .map(|(badge, own)| Span::styled(format!(" {badge}"), style.patch(own))),
    );
    spans.push(Span::styled(" ", style));
    Line::from(spans)
}

/// The account's name, with the warnings to heed before any change.
fn account<'a>(state: &State, most: usize, is_wide: bool, theme: &Theme) -> Vec<Span<'a>> {
    let account = &state.session.account;
    let name = visible(account.name());
    let name = truncate_middle(&name, most.max(8)).into_owned();
    let mut spans = if account.production {
        let is_named = account.name() == PRODUCTION;
        let word = if is_wide && !is_named {
            format!("  {PRODUCTION}")
        } else {
            String::new()
        };
        vec![Span::styled(
            format!(" {} {name}{word} ", symbols::DANGER),
            theme.production,
        )]
    } else {
        let style = account
            .color
            .map_or(theme.account, |color| theme.account_in(color));
        vec![Span::styled(format!(" {name} "), style)]
    };
    if account.read_only {
        let word = if is_wide { " read-only" } else { " ro" };
        spans.push(Span::styled(word, theme.warn));
    }
    spans
}

fn badge(view: View, state: &State, theme: &Theme) -> Option<(String, Style)> {
    match view {
        View::Files => None,
        View::Tasks => tasks::draw::badge(state, theme),
        View::Limits => limits::draw::badge(state, theme),
        View::Activity => activity::draw::badge(state, theme),
    }
}

/// The rest of the request budget, or the reason there is none; omitted if there is no space.
fn draw_right(frame: &mut Frame<'_>, area: Rect, is_wide: bool, state: &State, theme: &Theme) {
    let put = |frame: &mut Frame<'_>, line: Line<'_>| {
        let cells = u16::try_from(line.width()).unwrap_or(u16::MAX);
        if cells <= area.width {
            frame.render_widget(line.right_aligned(), area);
        }
    };
    if let Some(loss) = state.session.connection.loss() {
        put(
            frame,
            Line::styled(
                format!("{} {} ", symbols::FAILED, loss.in_words()),
                theme.warn,
            ),
        );
    } else if let Some(budget) = state
        .session
        .budget
        .filter(|_| is_wide && !state.panes.plain)
    {
        let words = format!("   api {}/{} ", budget.remaining, budget.max);
        let cells = u16::try_from(words.len()).unwrap_or(u16::MAX);
        put(frame, Line::styled(words, theme.tab));
        if area.width > cells + HEADROOM + 1 {
            let bar = Rect {
                x: area.right() - cells - HEADROOM,
                width: HEADROOM,
                ..area
            };
            let left = f64::from(budget.remaining) * 100.0 / f64::from(budget.max.max(1));
            gauge::draw(
                frame.buffer_mut(),
                bar,
                left,
                theme.level(100.0 - left),
                theme,
            );
        }
    }
}
