//! Two compared folders: their entries side by side, with a sign in between, and the facts of the
//! row under the cursor below. Formats only the visible rows.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::summary::{LABEL, counted, counts, sign};
use crate::api::text::{visible, visible_local};
use crate::engine::folder_comparison::{ComparedEntry, EntryHere, Likeness, RemoteEntry};
use crate::engine::question::FolderHere;
use crate::tui::areas::ComparisonAreas;
use crate::tui::keymap::Action;
use crate::tui::pane::files::foot;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::pane::keys::key;
use crate::tui::pane::{frame, problem, reading};
use crate::tui::state::Pane;
use crate::tui::state::{Comparing, ComparingStage, Freshness, NewerSide, State};
use crate::tui::style::symbols::{BETWEEN, ELLIPSIS, MARKED};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, right, truncate, truncate_start_at, upper_first, width};
use crate::tui::widget::{distinct, figures};

/// Cursor, mark and a gap.
const SIGNS: usize = 4;
/// Width of a size, for `412 items`, with the gap before it.
const SIZE: usize = 10;
const WORD: usize = 14;

pub(crate) fn list_box(area: Rect, state: &State) -> ListBox {
    let rows = frame::below(frame::inner(area), 1);
    let list = state.mode.comparing().map(|comparing| &comparing.list);
    let height = usize::from(rows.height);
    ListBox {
        of: Pane::Comparison,
        area,
        rows,
        shown: list.map_or(0..0, |list| state.window(list.cursor(), height)),
        len: list.map_or(0, |list| list.rows().len()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Here,
    There,
}

pub(crate) fn draw(
    frame: &mut Frame<'_>,
    areas: ComparisonAreas,
    comparing: &Comparing,
    state: &State,
    theme: &Theme,
) {
    if state.panes.plain {
        draw_plain(frame, areas.here, comparing, state, theme);
        return;
    }
    let is_focused = state.dialogs.is_empty();
    let is_read = comparing.stage == ComparingStage::Read;
    let sum = |(files, bytes)| {
        format!(
            "{} {BETWEEN} {}",
            figures::count(files, "file"),
            figures::size(bytes)
        )
    };
    let [local_sum, remote_sum] = comparing
        .sizes
        .map(|sizes| if is_read { sum(sizes) } else { String::new() });
    // The mark of a production account needs two cells.
    let cells = |area: Rect| usize::from(area.width).saturating_sub(8);
    let sides = state.sides(Action::Compare);
    frame::PaneBox {
        title: &title_here(comparing, cells(areas.here), state),
        is_production: sides.is_some_and(|sides| sides.from.session.account.production),
        foot: foot_here(comparing, &local_sum, cells(areas.here), theme),
        is_focused,
        ..Default::default()
    }
    .draw(frame, areas.here, theme);
    frame::PaneBox {
        title: &title_there(comparing, cells(areas.there), state),
        is_production: sides.is_some_and(|sides| sides.to.session.account.production),
        foot: Line::styled(remote_sum, theme.dim),
        ..Default::default()
    }
    .draw(frame, areas.there, theme);
    for area in [areas.here, areas.there] {
        frame.render_widget(
            Line::styled(heading(usize::from(frame::inner(area).width)), theme.dim),
            frame::row(frame::inner(area), 0),
        );
    }
    let ListBox {
        rows: body, shown, ..
    } = list_box(areas.here, state);
    if comparing.list.rows().is_empty() {
        frame::say(frame, body, &words(comparing, state, theme));
        frame.set_cursor_position((body.x.saturating_add(1), body.y));
        draw_facts(frame, areas.facts, comparing, state, theme);
        return;
    }
    draw_side(frame, areas.there, Side::There, state, theme);
    draw_signs(frame, areas.between, comparing, state, theme);
    // Last, so that the terminal's cursor ends up there.
    draw_side(frame, areas.here, Side::Here, state, theme);
    frame::scrollbar(
        frame,
        areas.there,
        shown,
        comparing.list.rows().len(),
        theme,
    );
    draw_facts(frame, areas.facts, comparing, state, theme);
}

/// `5 of 12 · 9 files · 40 MB · 1 marked`, without the sizes if there is no space.
fn foot_here<'a>(comparing: &Comparing, sizes: &str, cells: usize, theme: &Theme) -> Line<'a> {
    if comparing.list.rows().is_empty() {
        return Line::styled(sizes.to_owned(), theme.dim);
    }
    let place = format!(
        "{} of {}",
        comparing.list.cursor().at() + 1,
        figures::number(comparing.list.rows().len())
    );
    let marked = match comparing.list.marks().len() {
        0 => String::new(),
        count => format!(" {BETWEEN} {} marked", figures::number(count)),
    };
    let with_sizes = format!("{place} {BETWEEN} {sizes}");
    let place = if width(&with_sizes) + width(&marked) <= cells {
        with_sizes
    } else {
        place
    };
    Line::from(vec![
        Span::styled(place, theme.dim),
        Span::styled(marked, theme.marked),
    ])
}

/// `this machine  ~/launch › banners`, or the account with its path.
fn title_here(comparing: &Comparing, cells: usize, state: &State) -> String {
    const NAME: &str = "this machine";
    let folder = match comparing.folder_here() {
        FolderHere::Disk(folder) => folder,
        FolderHere::Account(_, folder) => {
            let sides = state.sides(Action::Compare);
            let name = sides.map_or("", |sides| sides.from.session.account.name());
            return title_of(name, &folder.path, cells);
        }
    };
    let below = state
        .local
        .home
        .as_ref()
        .and_then(|home| folder.strip_prefix(home).ok());
    let folder = match below {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", visible_local(rest.as_os_str())),
        None => visible_local(folder.as_os_str()),
    };
    format!(
        "{NAME}  {}",
        truncate_start_at(&folder, "/", cells.saturating_sub(NAME.len() + 2))
    )
}

fn title_there(comparing: &Comparing, cells: usize, state: &State) -> String {
    let path = comparing.folder_there().path;
    title_of(state.session.account.name(), &path, cells)
}

/// `account  launch › banners`
fn title_of(account: &str, path: &str, cells: usize) -> String {
    let name = visible(account);
    let room = cells.saturating_sub(width(&name) + 2);
    let path = truncate_start_at(&foot::crumbs(path), &foot::between_crumbs(), room);
    format!("{name}  {path}")
}

fn heading(cells: usize) -> String {
    let name = cells.saturating_sub(SIGNS + SIZE + 1);
    format!("{:SIGNS$}{}{}", "", left("Name", name), right("Size", SIZE))
}

fn draw_side(frame: &mut Frame<'_>, area: Rect, side: Side, state: &State, theme: &Theme) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let ListBox {
        rows: body, shown, ..
    } = list_box(area, state);
    let cells = usize::from(body.width).saturating_sub(SIGNS + SIZE + 1);
    let rows: Vec<(&str, &ComparedEntry)> =
        shown.clone().filter_map(|at| comparing.at(at)).collect();
    let names: Vec<String> = rows.iter().map(|(path, entry)| name(path, entry)).collect();
    let cut = distinct::cut(&names, cells);
    let sides = state.sides(Action::Compare);
    for ((y, at), ((path, entry), name)) in (body.y..).zip(shown).zip(rows.into_iter().zip(cut)) {
        let line_area = Rect {
            y,
            height: 1,
            ..body
        };
        let is_cursor = at == comparing.list.cursor().at();
        let size_text = match side {
            Side::Here => entry
                .here
                .as_ref()
                .map(|here| size(entry, here.size(), here.items())),
            Side::There => entry
                .there
                .as_ref()
                .map(|there| size(entry, there.item.size, there.items)),
        };
        if let Some((size_text, size_style)) = size_text.map(|size_text| {
            (
                size_text,
                if entry.is_folder {
                    theme.dim
                } else {
                    theme.text
                },
            )
        }) {
            let is_marked = side == Side::Here && comparing.list.marks().contains(path);
            let style = name_style(
                entry,
                comparing.list.marks().contains(path),
                is_cursor,
                theme,
            );
            let sign = if is_marked {
                format!("  {MARKED} ")
            } else {
                " ".repeat(SIGNS)
            };
            let line = vec![
                Span::styled(sign, theme.marked),
                Span::styled(left(&name, cells), style),
                Span::styled(right(&size_text, SIZE), size_style),
            ];
            frame.render_widget(Line::from(line), line_area);
        } else {
            let is_marked = side == Side::Here && comparing.list.marks().contains(path);
            let sign = if is_marked {
                format!("  {MARKED} ")
            } else {
                " ".repeat(SIGNS)
            };
            let lack = match side {
                _ if !is_cursor => BETWEEN,
                _ if sides.is_some() => "missing",
                Side::Here => "not here",
                Side::There => "not there",
            };
            let line = vec![
                Span::styled(sign, theme.marked),
                Span::styled(lack, theme.dim),
            ];
            frame.render_widget(Line::from(line), line_area);
        }
        if is_cursor {
            let is_focused = side == Side::Here && state.dialogs.is_empty();
            frame::select(frame, line_area, is_focused, theme);
        }
    }
}

fn name(path: &str, entry: &ComparedEntry) -> String {
    let name = visible(path.rsplit_once('/').map_or(path, |(_, name)| name)).into_owned();
    if entry.is_folder {
        format!("{name}/")
    } else {
        name
    }
}

fn name_style(entry: &ComparedEntry, is_marked: bool, is_cursor: bool, theme: &Theme) -> Style {
    let style = match () {
        () if is_marked => theme.marked,
        () if entry.is_folder => theme.folder,
        () => theme.text,
    };
    // Without colors, entries that differ are bold.
    let differs = theme.is_mono() && entry.likeness == Likeness::Differs;
    if is_cursor || differs {
        style.add_modifier(Modifier::BOLD)
    } else {
        style
    }
}

fn size(entry: &ComparedEntry, size: Option<u64>, items: usize) -> String {
    if entry.is_folder {
        figures::count(items, "item")
    } else {
        size.map(figures::size).unwrap_or_default()
    }
}

fn draw_signs(
    frame: &mut Frame<'_>,
    area: Rect,
    comparing: &Comparing,
    state: &State,
    theme: &Theme,
) {
    // Aligned with the rows of the boxes on both sides.
    let ListBox {
        rows: body, shown, ..
    } = list_box(area, state);
    for (y, (_, entry)) in (body.y..).zip(shown.filter_map(|at| comparing.at(at))) {
        let (sign, style) = sign(&entry.likeness, theme);
        frame.render_widget(
            Line::styled(sign, style).centered(),
            Rect {
                y,
                height: 1,
                ..area
            },
        );
    }
}

/// `differs, newer here`
fn in_words(entry: &ComparedEntry, comparing: &Comparing) -> String {
    let word = word(entry, comparing);
    match &entry.likeness {
        Likeness::Differs if entry.is_folder => "what is in it differs".to_owned(),
        Likeness::Differs if comparing.newer(entry).is_some() => format!("differs, {word}"),
        Likeness::Refused(why) => format!("{word}: {}", visible(why)),
        _ => word,
    }
}

/// `newer here`
fn word(entry: &ComparedEntry, comparing: &Comparing) -> String {
    let [here, there] = comparing.sides();
    let newer = comparing.newer(entry).filter(|_| !entry.is_folder);
    match (&entry.likeness, newer) {
        (Likeness::Same, _) => "same".to_owned(),
        (Likeness::Differs, None) => "differs".to_owned(),
        (Likeness::Differs, Some(NewerSide::Here)) => format!("newer {here}"),
        (Likeness::Differs, Some(NewerSide::There)) => format!("newer {there}"),
        (Likeness::OnlyHere, _) => format!("only {here}"),
        (Likeness::OnlyThere, _) => format!("only {there}"),
        (Likeness::Refused(_), _) => "not compared".to_owned(),
    }
}

/// Draws the facts of the row under the cursor, and the number of files in each category.
fn draw_facts(
    frame: &mut Frame<'_>,
    area: Rect,
    comparing: &Comparing,
    state: &State,
    theme: &Theme,
) {
    if area.is_empty() {
        return;
    }
    let row = comparing.current();
    let title =
        row.map(|(path, entry)| format!("{}: {}", name(path, entry), in_words(entry, comparing)));
    let title = title.unwrap_or_default();
    let inside = frame::inside(area);
    frame::PaneBox {
        title: &title,
        ..Default::default()
    }
    .draw(frame, area, theme);
    let cells = usize::from(inside.width);
    let mut lines = Vec::new();
    if let Some((_, entry)) = row {
        let facts = [
            facts_here(entry, state),
            facts(entry, entry.there.as_ref(), state),
        ];
        let sides = comparing.sides().into_iter().zip(&facts);
        lines.extend(sides.map(|(side, facts)| facts_line(side, facts, cells, theme)));
    }
    let mut counted = counted(comparing, cells, theme);
    if comparing.freshness != Freshness::Current {
        let words = format!(
            "Changed since: {} compares again.",
            key(state, Action::Compare)
        );
        counted.push(Line::styled(words, theme.warn));
    }
    // The blank line gives way if the counts need more than one line.
    if counted.len() < 2 && !lines.is_empty() {
        lines.push(Line::default());
    }
    lines.extend(counted);
    for (at, line) in (0..inside.height).zip(lines) {
        frame.render_widget(line, frame::row(inside, at));
    }
}

fn facts_line<'a>(side: &'a str, facts: &[String], cells: usize, theme: &Theme) -> Line<'a> {
    let facts = facts.join(&format!(" {BETWEEN} "));
    let facts = truncate(&facts, cells.saturating_sub(LABEL)).into_owned();
    Line::from(vec![
        Span::styled(left(side, LABEL), theme.dim),
        Span::styled(facts, theme.text),
    ])
}

fn facts_here(entry: &ComparedEntry, state: &State) -> Vec<String> {
    let here = match &entry.here {
        Some(EntryHere::Account(here)) => return facts(entry, Some(here.as_ref()), state),
        Some(here) => here,
        None => return facts(entry, None, state),
    };
    let age = here.updated_at().map(|at| figures::ago(at, state.now));
    let md5 = here.md5().filter(|sum| !sum.is_empty()).map(short_md5);
    [bytes(entry, here.size(), here.items()), age, md5]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns the facts about a file or folder of an account; `None` if it does not exist.
fn facts(entry: &ComparedEntry, remote: Option<&RemoteEntry>, state: &State) -> Vec<String> {
    let Some(remote) = remote else {
        return vec!["nothing".to_owned()];
    };
    let age = remote
        .updated_at
        .map(|at| figures::ago(at, state.service_now().timestamp()));
    let access = remote
        .access
        .as_ref()
        .map(|access| access.word().to_owned());
    let md5 = remote.item.md5.as_deref().map(short_md5);
    [
        bytes(entry, remote.item.size, remote.items),
        age,
        access,
        md5,
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn bytes(entry: &ComparedEntry, size: Option<u64>, items: usize) -> Option<String> {
    if entry.is_folder {
        return Some(figures::count(items, "item"));
    }
    size.map(|size| {
        if size == 1 {
            "1 byte".to_owned()
        } else {
            format!("{} bytes", figures::grouped(size))
        }
    })
}

/// `77ab…90c2`
fn short_md5(sum: &str) -> String {
    let sum = visible(sum);
    let (start, end) = (
        sum.get(..4),
        sum.len().checked_sub(4).and_then(|at| sum.get(at..)),
    );
    start.zip(end).map_or_else(
        || sum.clone().into_owned(),
        |(start, end)| format!("{start}{ELLIPSIS}{end}"),
    )
}

fn words(comparing: &Comparing, state: &State, theme: &Theme) -> Vec<(String, Style)> {
    match &comparing.stage {
        ComparingStage::Reading(op) => {
            let cancels = format!("{} cancels.", key(state, Action::Back));
            vec![
                (reading::words("both folders", Some(*op), state), theme.dim),
                (cancels, theme.dim),
            ]
        }
        ComparingStage::Failed(error) => {
            let next = format!(
                "{} compares again, {} goes back.",
                key(state, Action::Compare),
                key(state, Action::Back)
            );
            problem::paragraphs(
                "The folders could not be compared.",
                error,
                &next,
                state,
                theme,
            )
        }
        ComparingStage::Read if comparing.hides_same => {
            let shows = key(state, Action::ToggleSame);
            vec![(
                format!("Both sides are the same here. {shows} shows what they have."),
                theme.text,
            )]
        }
        ComparingStage::Read => vec![("Both folders are empty.".to_owned(), theme.text)],
    }
}

/// Draws one list of both sides, whose rows describe the differences in words.
fn draw_plain(
    frame: &mut Frame<'_>,
    area: Rect,
    comparing: &Comparing,
    state: &State,
    theme: &Theme,
) {
    let is_focused = state.dialogs.is_empty();
    let [first, second] = comparing.sides().map(upper_first);
    let title = |here: &str, there: &str| format!("{first}: {here}. {second}: {there}");
    let cells = usize::from(area.width).saturating_sub(6);
    let foot = Line::styled(counts(comparing, cells), theme.dim);
    let room = cells.saturating_sub(width(&title("", "")));
    let rest = room.saturating_sub(width(&title_there(comparing, usize::MAX, state)));
    let here = title_here(comparing, rest.max(room / 2), state);
    let title = title(
        &here,
        &title_there(comparing, room.saturating_sub(width(&here)), state),
    );
    frame::PaneBox {
        title: &title,
        foot,
        is_focused,
        ..Default::default()
    }
    .draw(frame, area, theme);
    let ListBox {
        rows: body, shown, ..
    } = list_box(area, state);
    if comparing.list.rows().is_empty() {
        frame::say(frame, body, &words(comparing, state, theme));
        frame.set_cursor_position((body.x.saturating_add(1), body.y));
        return;
    }
    let names = usize::from(body.width).saturating_sub(SIGNS + WORD + 2 * SIZE + 1);
    let head = format!(
        "{:SIGNS$}{}{}{}{}",
        "",
        left("State", WORD),
        left("Name", names),
        right(&first, SIZE),
        right(&second, SIZE)
    );
    frame.render_widget(
        Line::styled(head, theme.dim),
        frame::row(frame::inner(area), 0),
    );
    for (y, at) in (body.y..).zip(shown) {
        let Some((path, entry)) = comparing.at(at) else {
            continue;
        };
        let line_area = Rect {
            y,
            height: 1,
            ..body
        };
        let word = word(entry, comparing);
        let local = entry
            .here
            .as_ref()
            .map(|here| size(entry, here.size(), here.items()))
            .unwrap_or_default();
        let remote = entry
            .there
            .as_ref()
            .map(|there| size(entry, there.item.size, there.items))
            .unwrap_or_default();
        let mark = if comparing.list.marks().contains(path) {
            format!("  {MARKED} ")
        } else {
            " ".repeat(SIGNS)
        };
        let line = format!(
            "{mark}{}{}{}{}",
            left(&word, WORD),
            left(&truncate(&name(path, entry), names), names),
            right(&local, SIZE),
            right(&remote, SIZE)
        );
        frame.render_widget(Line::styled(line, theme.text), line_area);
        if at == comparing.list.cursor().at() {
            frame::select(frame, line_area, is_focused, theme);
        }
    }
}
