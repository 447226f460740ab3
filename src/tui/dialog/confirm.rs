//! A question before something that cannot be taken back. The focus starts on Cancel, arrows only move it, and keys
//! typed ahead are not taken for an answer.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyModifiers};
use jiff::{SignedDuration, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame::{self, DialogFrame, WIDTH};
use super::hit_target::{DialogTarget, Drawn};
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::engine::OpId;
use crate::engine::folder_size::FolderSizes;
use crate::tui::clocks::Clocks;
use crate::tui::input::text_field::TextField;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text;

/// A question with two buttons.
#[derive(Debug, Clone)]
pub struct Confirm {
    /// What is done, how many, bytes and folder.
    pub title: String,
    /// What will happen; each is one paragraph.
    pub body: Vec<String>,
    /// What it happens to, safe to show; the first ten are listed.
    pub names: Vec<String>,
    /// What is known of each of them, for the right side; fewer or none.
    pub notes: Vec<String>,
    /// The words on the button that does it.
    pub accept: String,
    /// Something is lost, or seen by others.
    pub is_danger: bool,
    /// For what is permanent: one of these must be typed.
    pub typed: Option<TypedConfirmation>,
    pub focus: Button,
    pub opened_at: Timestamp,
    pub intent: Intent,
    /// Behind it is counted what lies in folders.
    pub size_count: Option<SizeCount>,
    problem: Option<String>,
}

/// A count of what lies in folders, and what it has told.
#[derive(Debug, Clone)]
pub struct SizeCount {
    pub op: OpId,
    pub sizes: FolderSizes,
}

/// Words of which one must be typed before the button works.
#[derive(Debug, Clone)]
pub struct TypedConfirmation {
    pub words: Vec<String>,
    pub field: TextField,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    Cancel,
    Accept,
}

/// Keys that come sooner were typed before the dialog could be seen.
const DEAF: SignedDuration = SignedDuration::from_millis(150);
const NAMES_SHOWN: usize = 10;

impl Confirm {
    pub fn new(title: impl Into<String>, accept: impl Into<String>, intent: Intent, now: Timestamp) -> Self {
        Self {
            title: title.into(),
            body: Vec::new(),
            names: Vec::new(),
            notes: Vec::new(),
            accept: accept.into(),
            is_danger: true,
            typed: None,
            focus: Button::Cancel,
            opened_at: now,
            intent,
            size_count: None,
            problem: None,
        }
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn saying(mut self, paragraph: impl Into<String>) -> Self {
        self.body.push(paragraph.into());
        self
    }

    /// Sets what it happens to.
    #[must_use]
    pub fn naming(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }

    /// Says something of each of them.
    #[must_use]
    pub fn noting(mut self, notes: Vec<String>) -> Self {
        self.notes = notes;
        self
    }

    /// Nothing is lost by it.
    #[must_use]
    pub fn harmless(mut self) -> Self {
        self.is_danger = false;
        self
    }

    /// Asks for one of these words to be typed.
    #[must_use]
    pub fn typing(mut self, words: Vec<String>) -> Self {
        self.typed = Some(TypedConfirmation { words, field: TextField::default() });
        self
    }

    fn letter(&mut self, key: Key) -> Reply {
        if key == Key::char('n') {
            Reply::Closed
        } else if key == Key::char('y') {
            Reply::Accepted(self.intent.clone())
        } else {
            if [Key::char('h'), Key::char('l'), Key::char('j'), Key::char('k')].contains(&key) {
                self.turn();
            }
            Reply::Open
        }
    }

    fn turn(&mut self) {
        self.focus = match self.focus {
            Button::Cancel => Button::Accept,
            Button::Accept => Button::Cancel,
        };
    }

    fn press(&mut self) -> Reply {
        let is_typed = |typed: &TypedConfirmation| typed.words.iter().any(|word| word == typed.field.text().trim());
        match (self.focus, &self.typed) {
            // Whoever has typed the word means it: closing without a word would look like done.
            (Button::Cancel, Some(typed)) if is_typed(typed) => {
                self.problem = Some(format!("Cancel is selected: tab selects {}, esc cancels.", self.accept));
                Reply::Open
            }
            (Button::Cancel, _) => Reply::Closed,
            (Button::Accept, Some(typed)) if !is_typed(typed) => {
                self.problem = Some(format!("Type {} first.", typed.words.join(" or ")));
                Reply::Open
            }
            (Button::Accept, _) => Reply::Accepted(self.intent.clone()),
        }
    }

    /// The names as listed, in at most `room` lines, with a count for those that are left out.
    fn shown(&self, room: usize) -> Vec<String> {
        if room == 0 || self.names.is_empty() {
            return Vec::new();
        }
        if self.names.len() <= NAMES_SHOWN.min(room) {
            return self.names.clone();
        }
        let listed = NAMES_SHOWN.min(room - 1);
        let mut shown: Vec<String> = self.names.iter().take(listed).cloned().collect();
        shown.push(format!("… and {} more", self.names.len() - listed));
        shown
    }

    /// The buttons and their cells.
    fn buttons(&self, theme: &Theme) -> (Line<'static>, [(DialogTarget, Range<usize>); 2]) {
        const GAP: &str = "   ";
        let button = |label: &str, which: Button| {
            let style = match (which, self.focus == which, self.is_danger) {
                (Button::Accept, true, true) => theme.danger_focused,
                (Button::Accept, false, true) => theme.danger,
                (_, true, _) => theme.button_focused,
                (_, false, _) => theme.button,
            };
            // Without colors the brackets tell which one is meant.
            let (open, close) = if theme.is_mono() && self.focus == which { (">", "<") } else { (" ", " ") };
            Span::styled(format!("{open} {label} {close}"), style)
        };
        let (cancel, accept) = (button("Cancel", Button::Cancel), button(&self.accept, Button::Accept));
        let start = cancel.width() + GAP.len();
        let cells = [(DialogTarget::Cancel, 0..cancel.width()), (DialogTarget::Accept, start..start + accept.width())];
        (Line::from(vec![cancel, Span::raw(GAP), accept]), cells)
    }
}

impl Modal for Confirm {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        if now.here.duration_since(self.opened_at) < DEAF {
            return Reply::Open;
        }
        let plain = key.modifiers.is_empty();
        match key.code {
            KeyCode::Esc => return Reply::Closed,
            KeyCode::Enter if plain => return self.press(),
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down if plain => self.turn(),
            KeyCode::Tab if plain || key.modifiers == KeyModifiers::SHIFT => self.turn(),
            _ => match &mut self.typed {
                Some(typed) => {
                    typed.field.on(key);
                    self.problem = None;
                }
                None => return self.letter(key),
            },
        }
        Reply::Open
    }

    fn on_click(&mut self, target: DialogTarget, _: bool, now: Clocks) -> Reply {
        self.focus = match target {
            _ if now.here.duration_since(self.opened_at) < DEAF => return Reply::Open,
            DialogTarget::Cancel => return Reply::Closed,
            DialogTarget::Accept => Button::Accept,
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
        // The field and the buttons are never left out; paragraphs come before names, for the title counts those.
        let foot = if self.typed.is_some() { 6 } else { 4 };
        let room = usize::from(screen.height.saturating_sub(2)).saturating_sub(foot);
        let mut body: Vec<String> = self.body.iter().flat_map(|paragraph| text::wrap(paragraph, width)).collect();
        body.truncate(room);
        let mut head = self.shown(room.saturating_sub(body.len() + 1));
        if !head.is_empty() && !body.is_empty() {
            head.push(String::new());
        }
        let lines = head.len() + body.len() + foot;
        let frame = DialogFrame { title: &self.title, note: "", width: WIDTH, lines, is_danger: self.is_danger };
        let mut pen = frame.open(screen, buf, theme);
        for (line, note) in head.iter().zip(self.notes.iter().map(String::as_str).chain(std::iter::repeat(""))) {
            // The name is cut to half of the line, and no further.
            let name = text::width(line).min(pen.width() / 2);
            let note = text::truncate(note, pen.width().saturating_sub(name + 2));
            let gap = if note.is_empty() { "" } else { "  " };
            let room = pen.width().saturating_sub(text::width(&note) + gap.len());
            pen.line(Line::from(vec![
                Span::styled(text::left(line, room), theme.text),
                Span::raw(gap),
                Span::styled(note.into_owned(), theme.dim),
            ]));
        }
        for line in &body {
            pen.text(line, theme.text);
        }
        pen.text(self.problem.as_deref().unwrap_or_default(), theme.error);
        let mut cursor = None;
        if let Some(typed) = &self.typed {
            let label = Line::from(format!("Type {} to confirm  ", typed.words.join(" or ")));
            cursor = pen.field(&label, &typed.field, "", true);
            pen.text("", theme.text);
        }
        let (buttons, cells) = self.buttons(theme);
        for (target, cells) in cells {
            // For screen readers, too: on the button that enter presses.
            if (target == DialogTarget::Accept) == (self.focus == Button::Accept) {
                pen.mark(cells.start + 2);
            }
            pen.target_at(cells, target);
        }
        pen.line(buttons);
        pen.text("", theme.text);
        let hint = if self.typed.is_some() { "press the button" } else { "press the selected button" };
        pen.keys(&[("tab", "other button"), ("enter", hint), ("esc", "cancel")]);
        pen.done(cursor)
    }
}
