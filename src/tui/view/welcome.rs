//! A few lines at the first start on a machine, at the bottom of the body: the account, what it is
//! for, and a few keys. Any key does its usual action and removes them.

use ratatui::Frame;
use ratatui::layout::{Margin, Rect};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};

use crate::api::text::visible;
use crate::config::AccountSource;
use crate::tui::keymap::{Action, DESKTOP_KEYS};
use crate::tui::pane::keys::key;
use crate::tui::state::State;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, truncate, truncate_start, width};

/// The suggested first actions. The tour points at panes, and a screen reader reads one at a time.
const KEYS: [Action; 4] = [
    Action::Tour,
    Action::Help,
    Action::Palette,
    Action::Accounts,
];

/// Descriptions of the program, the longest first.
const WHAT: [&str; 2] = [
    "Browse, preview, upload, download, share and delete files; watch the limits.",
    "Browse, upload, share and delete files; watch limits.",
];
const DOWNLOADS: &str = "; downloads go to ";
/// The least number of cells in which the download folder is shown.
const LEAST_FOLDER: usize = 12;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    frame.render_widget(Clear, area);
    let block = Block::bordered()
        .border_set(border::ROUNDED)
        .style(theme.panel)
        .border_style(theme.focused_border);
    // A screen reader would read a title as an extra line.
    let block = if state.panes.plain {
        block
    } else {
        let goes_on = Line::styled(" any key closes this ", theme.dim).right_aligned();
        block
            .title(Span::styled(" Welcome to filedeck ", theme.title))
            .title_bottom(goes_on)
    };
    frame.render_widget(block, area);
    let content = area.inner(Margin::new(2, 1));
    let cells = usize::from(content.width);
    let fits = |text: &&&str| width(text) <= cells;
    let what = WHAT.iter().find(fits).copied().unwrap_or_default();
    let offer = format!("Keys: vim. Prefer Delete, F2, Ctrl-F? Press {DESKTOP_KEYS}.");
    let offer = state.offers_desktop_keys().then_some(offer);
    let words: Vec<_> = [place(state, cells), what.to_owned()]
        .into_iter()
        .chain(offer)
        .map(|words| Line::styled(words, theme.text))
        .collect();
    let above = u16::try_from(words.len()).unwrap_or(u16::MAX);
    for (y, line) in (content.y..content.bottom()).zip(words) {
        frame.render_widget(
            line,
            Rect {
                y,
                height: 1,
                ..content
            },
        );
    }
    let keys = KEYS
        .into_iter()
        .filter(|action| !state.panes.plain || *action != Action::Tour);
    let keys: Vec<_> = keys
        .map(|action| (key(state, action), word(action)))
        .collect();
    let rows = content.height.saturating_sub(above).max(1);
    let columns = u16::try_from(keys.len()).unwrap_or(1).div_ceil(rows).max(1);
    let widest = keys.iter().map(|(key, _)| width(key)).max().unwrap_or(0);
    let words = keys.iter().map(|(_, word)| width(word)).max().unwrap_or(0);
    let cells = u16::try_from(widest + words + 6)
        .unwrap_or(u16::MAX)
        .min(content.width / columns);
    for (at, (key, word)) in (0..).zip(keys) {
        let cell = Rect {
            x: content.x + at % columns * cells,
            y: content.y + above + at / columns,
            width: cells,
            height: 1,
        };
        let word = truncate(word, usize::from(cells).saturating_sub(widest + 2)).into_owned();
        let line = Line::from(vec![
            Span::styled(format!("{}  ", left(&key, widest)), theme.cursor),
            Span::styled(word, theme.text),
        ]);
        frame.render_widget(line, cell.intersection(content));
    }
}

/// Names the account, and the local folder for uploads and downloads.
fn place(state: &State, cells: usize) -> String {
    let here = state.local.dir.to_string_lossy();
    let whose = match &state.session.account.source {
        AccountSource::LocalStore => "the built-in store".to_owned(),
        AccountSource::Demo => "a demo that is deleted when you quit".to_owned(),
        AccountSource::Environment => "the account of FILEDECK_TOKEN".to_owned(),
        AccountSource::Configured(name) => format!("the account {}", visible(name)),
    };
    let start = format!("This is {whose}");
    let room = cells.saturating_sub(width(&start) + width(DOWNLOADS));
    if room < LEAST_FOLDER {
        return format!("{start}.");
    }
    format!(
        "{start}{DOWNLOADS}{}",
        truncate_start(&visible(&here), room)
    )
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Tour => "a tour of the screen, in six steps",
        Action::Help => "the most used keys here, and all keys",
        Action::Palette => "search actions, folders and the files here",
        _ => "switch or add accounts",
    }
}
