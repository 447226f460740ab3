//! A question before something that cannot be undone. The focus starts on Cancel, arrows only move
//! it, and keys typed ahead are not taken for an answer.

use std::fmt;

use crossterm::event::{KeyCode, KeyModifiers};
use jiff::{SignedDuration, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::frame::{self, DialogFrame, WIDTH};
use super::hit_target::{DialogTarget, Drawn};
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::model::{Access, FileKind};
use crate::engine::OpId;
use crate::engine::folder_size::FolderSizes;
use crate::tui::clocks::Clocks;
use crate::tui::input::text_field::TextField;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::style::{access, kind};
use crate::tui::widget::text;

#[derive(Debug, Clone)]
pub struct Confirm {
    /// The action, with the number of items, bytes and folder.
    pub title: String,
    /// A title for a box that is too narrow for the other one.
    pub short_title: Option<String>,
    /// The consequences, one per paragraph.
    pub body: Vec<String>,
    /// The affected names, safe to show; the first ten are listed.
    pub names: Vec<String>,
    /// Notes on the names, for the right side; may be fewer.
    pub notes: Vec<ConfirmNote>,
    pub accept: String,
    /// Set if something is lost, or becomes visible to others.
    pub is_danger: bool,
    /// A word to type first, for permanent changes.
    pub typed: Option<TypedConfirmation>,
    pub focus: ConfirmFocus,
    pub opened_at: Timestamp,
    pub intent: Intent,
    /// The count of what is in the folders, if there are any.
    pub size_count: Option<SizeCount>,
    problem: Option<String>,
    scroll: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmNote {
    /// The kind, shown as a glyph.
    pub kind: Option<FileKind>,
    pub access: Option<Access>,
    /// The size, or why it is unknown.
    pub rest: String,
}

impl fmt::Display for ConfirmNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.access {
            Some(access) => write!(f, "{:9}  {:>8}", access.word(), self.rest),
            None => f.write_str(&self.rest),
        }
    }
}

#[derive(Debug, Clone)]
pub struct SizeCount {
    pub op: OpId,
    pub sizes: FolderSizes,
}

/// Words of which one must be typed before the button works; the dialog asks for the first one.
#[derive(Debug, Clone)]
pub struct TypedConfirmation {
    pub words: Vec<String>,
    pub field: TextField,
}

impl TypedConfirmation {
    fn wanted(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    fn is_done(&self) -> bool {
        self.words
            .iter()
            .any(|word| word == self.field.text().trim())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmFocus {
    /// The field for the word to type.
    Field,
    Cancel,
    Accept,
}

/// The time for which keys are ignored: they were typed before the dialog could be seen.
const DEAF: SignedDuration = SignedDuration::from_millis(150);
const NAMES_SHOWN: usize = 10;

impl Confirm {
    pub fn new(
        title: impl Into<String>,
        accept: impl Into<String>,
        intent: Intent,
        now: Timestamp,
    ) -> Self {
        Self {
            title: title.into(),
            short_title: None,
            body: Vec::new(),
            names: Vec::new(),
            notes: Vec::new(),
            accept: accept.into(),
            is_danger: true,
            typed: None,
            focus: ConfirmFocus::Cancel,
            opened_at: now,
            intent,
            size_count: None,
            problem: None,
            scroll: 0,
        }
    }

    #[must_use]
    pub fn or_titled(mut self, short: impl Into<String>) -> Self {
        self.short_title = Some(short.into());
        self
    }

    #[must_use]
    pub fn saying(mut self, paragraph: impl Into<String>) -> Self {
        self.body.push(paragraph.into());
        self
    }

    #[must_use]
    pub fn naming(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }

    /// Sets notes on the names, which are files and folders.
    #[must_use]
    pub fn noting(mut self, notes: Vec<ConfirmNote>) -> Self {
        self.notes = notes;
        self
    }

    /// Marks the action as one that loses nothing.
    #[must_use]
    pub fn harmless(mut self) -> Self {
        self.is_danger = false;
        self
    }

    /// Requires one of these words to be typed; the dialog asks for the first one.
    #[must_use]
    pub fn typing(mut self, words: Vec<String>) -> Self {
        self.typed = Some(TypedConfirmation {
            words,
            field: TextField::default(),
        });
        self.focus = ConfirmFocus::Field;
        self
    }

    fn letter(&mut self, key: Key) -> Reply {
        match key.code {
            KeyCode::Char('n') => return Reply::Closed,
            KeyCode::Char('y') => return Reply::Accepted(self.intent.clone()),
            KeyCode::Char('h') => self.focus = ConfirmFocus::Cancel,
            KeyCode::Char('l') => self.focus = ConfirmFocus::Accept,
            KeyCode::Char('j') => self.scroll_names(1),
            KeyCode::Char('k') => self.scroll_names(-1),
            _ => {}
        }
        Reply::Open
    }

    /// Moves the focus to the next part, or the one before, in a circle.
    fn turn(&mut self, is_forward: bool) {
        let all = [
            ConfirmFocus::Field,
            ConfirmFocus::Cancel,
            ConfirmFocus::Accept,
        ];
        let stops = if self.typed.is_some() {
            &all[..]
        } else {
            &all[1..]
        };
        let at = stops
            .iter()
            .position(|stop| *stop == self.focus)
            .unwrap_or(0);
        let next = at + if is_forward { 1 } else { stops.len() - 1 };
        self.focus = stops.get(next % stops.len()).copied().unwrap_or(self.focus);
    }

    fn scroll_names(&mut self, by: isize) {
        let last = self.names.len().saturating_sub(NAMES_SHOWN);
        self.scroll = self.scroll.saturating_add_signed(by).min(last);
    }

    fn press(&mut self) -> Reply {
        let problem =
            |typed: &TypedConfirmation| Some(format!("Type \"{}\" first.", typed.wanted()));
        match (self.focus, &self.typed) {
            (ConfirmFocus::Cancel, _) => return Reply::Closed,
            (_, Some(typed)) if !typed.is_done() => self.problem = problem(typed),
            (ConfirmFocus::Accept, _) => return Reply::Accepted(self.intent.clone()),
            (ConfirmFocus::Field, _) => self.focus = ConfirmFocus::Accept,
        }
        Reply::Open
    }

    /// Returns the names for at most `room` lines, with a count of those above and below, and the
    /// index of the first.
    fn shown(&self, room: usize) -> (Vec<String>, usize) {
        let room = room.min(NAMES_SHOWN + 1);
        if room == 0 || self.names.is_empty() {
            return (Vec::new(), 0);
        }
        if self.names.len() <= room {
            return (self.names.clone(), 0);
        }
        let listed = room - 1;
        let first = self.scroll.min(self.names.len() - listed);
        let mut shown: Vec<String> = self
            .names
            .iter()
            .skip(first)
            .take(listed)
            .cloned()
            .collect();
        let (above, below) = (first, self.names.len() - first - listed);
        let counts = [(above, "above"), (below, "more")];
        let counts = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"));
        let levels = Self::levels(self.notes.get(first + listed..).unwrap_or_default());
        shown.push(format!(
            "… {}{levels}",
            counts.collect::<Vec<_>>().join(", ")
        ));
        (shown, first)
    }

    /// Counts the access levels of names that are not listed: `, public`, or `, 1 public, 2
    /// private`.
    fn levels(hidden: &[ConfirmNote]) -> String {
        let mut levels: Vec<(&str, usize)> = Vec::new();
        for word in hidden
            .iter()
            .filter_map(|note| Some(note.access.as_ref()?.word()))
        {
            match levels.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => levels.push((word, 1)),
            }
        }
        match levels.as_slice() {
            [(word, count)] if *count == hidden.len() => format!(", {word}"),
            levels => levels.iter().fold(String::new(), |listed, (word, count)| {
                format!("{listed}, {count} {word}")
            }),
        }
    }

    /// Returns the paragraphs, the consequence first; with blank lines in between if the names
    /// still have room.
    fn paragraphs(&self, width: usize, room: usize, theme: &Theme) -> Vec<Line<'static>> {
        let lines: Vec<Vec<String>> = self
            .body
            .iter()
            .map(|paragraph| text::wrap_without_widow(paragraph, width))
            .collect();
        let gaps = lines.len().saturating_sub(1);
        let names = self.names.len().min(NAMES_SHOWN + 1);
        let needed = lines.iter().map(Vec::len).sum::<usize>() + gaps + names + 1;
        let has_gaps = needed <= room;
        let first = if self.is_danger {
            theme.warn
        } else {
            theme.text
        };
        let mut styled = Vec::new();
        for (at, paragraph) in lines.into_iter().enumerate() {
            if at > 0 && has_gaps {
                styled.push(Line::default());
            }
            let style = if at == 0 { first } else { theme.text };
            styled.extend(
                paragraph
                    .into_iter()
                    .map(|line| Line::from(Span::styled(line, style))),
            );
        }
        styled
    }

    /// Returns a line of the list: a glyph and a name, with a note at the right. Only names have
    /// glyphs and notes.
    fn row(&self, line: &str, listed: Option<usize>, cells: usize, theme: &Theme) -> Line<'static> {
        let known = listed.and_then(|at| self.notes.get(at));
        let glyph = known.map(|known| {
            let extension = line.rsplit_once('.').map_or("", |(_, extension)| extension);
            let (glyph, style) =
                kind::of(known.kind.as_ref(), extension, line.ends_with('/'), theme);
            Span::styled(format!("{glyph} "), style)
        });
        let cells = cells.saturating_sub(glyph.as_ref().map_or(0, Span::width));
        let note = known.map(ConfirmNote::to_string).unwrap_or_default();
        // The name is cut to no less than half of the line.
        let name = text::width(line).min(cells / 2);
        let note = text::truncate(&note, cells.saturating_sub(name + 2)).into_owned();
        let gap = if note.is_empty() { "" } else { "  " };
        let room = cells.saturating_sub(text::width(&note) + gap.len());
        let mut spans: Vec<Span<'static>> = glyph.into_iter().collect();
        spans.extend([
            Span::styled(text::left(line, room), theme.text),
            Span::raw(gap),
        ]);
        let level = known.and_then(|known| known.access.as_ref());
        let (word, rest) = note
            .split_at_checked(level.map_or(0, |level| level.word().len()))
            .unwrap_or((&note, ""));
        spans.push(Span::styled(word.to_owned(), access::style(level, theme)));
        spans.push(Span::styled(rest.to_owned(), theme.dim));
        Line::from(spans)
    }

    fn buttons(&self, theme: &Theme) -> [(DialogTarget, Span<'static>, bool); 2] {
        let is_ready = self.typed.as_ref().is_none_or(TypedConfirmation::is_done);
        let button = |target, label: &str, which: ConfirmFocus| {
            let has_focus = self.focus == which;
            let style = match (which, has_focus, self.is_danger) {
                (ConfirmFocus::Accept, false, _) if !is_ready => theme.button.patch(theme.dim),
                (ConfirmFocus::Accept, true, true) => theme.danger_focused,
                (ConfirmFocus::Accept, false, true) => theme.danger,
                (_, true, _) => theme.button_focused,
                (_, false, _) => theme.button,
            };
            let button = frame::button(label, has_focus, style, theme);
            (target, button, has_focus)
        };
        [
            button(DialogTarget::Cancel, "Cancel", ConfirmFocus::Cancel),
            button(DialogTarget::Accept, &self.accept, ConfirmFocus::Accept),
        ]
    }
}

impl Modal for Confirm {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        if now.here.duration_since(self.opened_at) < DEAF {
            return Reply::Open;
        }
        let plain = key.modifiers.is_empty();
        let is_field = self.focus == ConfirmFocus::Field;
        match key.code {
            KeyCode::Esc => return Reply::Closed,
            KeyCode::Enter if plain => return self.press(),
            KeyCode::Tab | KeyCode::BackTab => {
                self.turn(key.code == KeyCode::Tab && !key.modifiers.contains(KeyModifiers::SHIFT));
            }
            KeyCode::Up if plain => self.scroll_names(-1),
            KeyCode::Down if plain => self.scroll_names(1),
            // There is nothing left of Cancel or right of the other button.
            KeyCode::Left if plain && !is_field => self.focus = ConfirmFocus::Cancel,
            KeyCode::Right if plain && !is_field => self.focus = ConfirmFocus::Accept,
            _ => match &mut self.typed {
                Some(typed) => {
                    typed.field.on(key);
                    self.problem = None;
                    self.focus = ConfirmFocus::Field;
                }
                None if plain => return self.letter(key),
                None => {}
            },
        }
        Reply::Open
    }

    fn on_click(&mut self, target: DialogTarget, _: bool, now: Clocks) -> Reply {
        self.focus = match target {
            _ if now.here.duration_since(self.opened_at) < DEAF => return Reply::Open,
            DialogTarget::Cancel => return Reply::Closed,
            DialogTarget::Accept => ConfirmFocus::Accept,
            _ => return Reply::Open,
        };
        self.press()
    }

    fn on_paste(&mut self, text: &str) {
        if let Some(typed) = &mut self.typed {
            typed.field.insert(text);
        }
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let width = frame::inner_width(screen);
        // The field and the buttons are always shown; paragraphs come before names, because the
        // title counts those.
        let foot = if self.typed.is_some() { 6 } else { 4 };
        let room = usize::from(screen.height.saturating_sub(2)).saturating_sub(foot);
        let mut body = self.paragraphs(width, room, theme);
        body.truncate(room);
        let (mut head, first) = self.shown(room.saturating_sub(body.len() + 1));
        let is_cut = head.len() < self.names.len() || first > 0;
        let listed = head.len() - usize::from(is_cut && !head.is_empty());
        if !head.is_empty() && !body.is_empty() {
            head.push(String::new());
        }
        let lines = head.len() + body.len() + foot;
        let frame = DialogFrame {
            title: &self.title,
            note: "",
            width: WIDTH,
            lines,
            is_danger: self.is_danger,
        };
        let short = self.short_title.as_deref().unwrap_or(&self.title);
        let mut pen = frame
            .or_titled(short, screen, theme)
            .open(screen, buf, theme);
        for (at, line) in head.iter().enumerate() {
            let listed = Some(first + at).filter(|_| at < listed);
            pen.line(self.row(line, listed, pen.width(), theme));
        }
        for line in body {
            pen.line(line);
        }
        pen.text(self.problem.as_deref().unwrap_or_default(), theme.error);
        let mut cursor = None;
        if let Some(typed) = &self.typed {
            let word = Span::styled(
                typed.wanted().to_owned(),
                theme.error.add_modifier(Modifier::BOLD),
            );
            let label = Line::from(vec![Span::raw("Type "), word, Span::raw(" to confirm  ")]);
            cursor = pen.field(&label, &typed.field, "", self.focus == ConfirmFocus::Field);
            pen.text("", theme.text);
        }
        // Screen readers need the mark, too: it is on the button that enter presses.
        pen.buttons(self.buttons(theme));
        pen.text("", theme.text);
        let enter = if self.focus == ConfirmFocus::Field {
            "continue"
        } else {
            "press"
        };
        let yes = self.typed.is_none().then_some(("y", "yes"));
        let names = (self.names.len() > NAMES_SHOWN).then_some(("↓", "more names"));
        let keys: Vec<_> = yes
            .into_iter()
            .chain([("tab", "next"), ("enter", enter), ("esc", "cancel")])
            .chain(names)
            .collect();
        pen.keys(&keys);
        pen.done(cursor)
    }
}
