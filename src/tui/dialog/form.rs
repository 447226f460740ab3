//! Labelled fields, one below the other: text, a local path with completion, or one of a few choices.
//! Knows nothing of what the fields mean.

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::completion::Completion;
use super::frame;
use crate::tui::keymap::Key;
use crate::tui::text_field::TextField;
use crate::tui::theme::Theme;
use crate::tui::widget::text;

/// Fields under a title.
#[derive(Debug, Clone)]
pub struct Form {
    pub title: String,
    pub fields: Vec<Field>,
    pub focus: usize,
    /// What Enter does, for the line of keys.
    pub submit: &'static str,
    /// What is wrong with what was typed.
    pub problem: Option<String>,
    completion: Completion,
}

#[derive(Debug, Clone)]
pub struct Field {
    pub label: &'static str,
    pub value: Value,
    /// Shown while the field has the focus.
    pub help: &'static str,
}

#[derive(Debug, Clone)]
pub enum Value {
    Text(TextField),
    /// A path of this machine.
    Path(TextField),
    Choice {
        options: &'static [&'static str],
        chosen: usize,
    },
}

/// What a key did to a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormReply {
    Open,
    Cancelled,
    Submitted,
    /// The names in this folder, written as typed, are wanted.
    Complete(String),
}

impl Field {
    pub fn text(label: &'static str, value: impl Into<String>, help: &'static str) -> Self {
        Self { label, value: Value::Text(TextField::new(value)), help }
    }

    pub fn path(label: &'static str, value: impl Into<String>, help: &'static str) -> Self {
        Self { label, value: Value::Path(TextField::new(value)), help }
    }

    pub fn choice(label: &'static str, options: &'static [&'static str], chosen: usize, help: &'static str) -> Self {
        Self { label, value: Value::Choice { options, chosen }, help }
    }
}

impl Form {
    pub fn new(title: impl Into<String>, submit: &'static str, fields: Vec<Field>) -> Self {
        Self { title: title.into(), fields, focus: 0, submit, problem: None, completion: Completion::default() }
    }

    /// The text of a field, without the spaces around it.
    pub fn text(&self, index: usize) -> &str {
        match self.fields.get(index).map(|field| &field.value) {
            Some(Value::Text(field) | Value::Path(field)) => field.text().trim(),
            Some(Value::Choice { options, chosen }) => options.get(*chosen).copied().unwrap_or_default(),
            None => "",
        }
    }

    /// The text of a field, unless it is empty.
    pub fn filled(&self, index: usize) -> Option<String> {
        Some(self.text(index)).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// Which option of a field is chosen.
    pub fn chosen(&self, index: usize) -> usize {
        match self.fields.get(index).map(|field| &field.value) {
            Some(Value::Choice { chosen, .. }) => *chosen,
            _ => 0,
        }
    }

    /// Says what is wrong and puts the focus on the field.
    pub fn refuse(&mut self, index: usize, problem: impl Into<String>) {
        self.focus = index;
        self.problem = Some(problem.into());
    }

    pub fn on(&mut self, key: Key) -> FormReply {
        self.problem = None;
        let plain = key.modifiers.is_empty();
        let backwards = key.code == KeyCode::Tab && key.modifiers == KeyModifiers::SHIFT;
        match key.code {
            KeyCode::Esc => return FormReply::Cancelled,
            KeyCode::Enter if plain => return FormReply::Submitted,
            KeyCode::Tab if plain => return self.tab(),
            KeyCode::Down if plain => self.step(1),
            KeyCode::Up if plain => self.step(self.fields.len().saturating_sub(1)),
            _ if backwards => self.step(self.fields.len().saturating_sub(1)),
            _ => match self.fields.get_mut(self.focus).map(|field| &mut field.value) {
                Some(Value::Text(field)) => {
                    field.on(key);
                }
                Some(Value::Path(field)) => {
                    let edited = field.on(key);
                    if edited {
                        self.completion = Completion::default();
                    }
                }
                Some(Value::Choice { options, chosen }) => choose(options.len(), chosen, key),
                None => {}
            },
        }
        FormReply::Open
    }

    pub fn paste(&mut self, pasted: &str) {
        if let Some(Value::Text(field) | Value::Path(field)) =
            self.fields.get_mut(self.focus).map(|field| &mut field.value)
        {
            field.insert(pasted);
        }
    }

    /// Takes the names that were asked for; other answers than the last one's are ignored.
    pub fn take_names(&mut self, names: &[String]) {
        if let Some(Value::Path(field)) = self.fields.get_mut(self.focus).map(|field| &mut field.value) {
            self.completion.take(field, names);
        }
    }

    fn tab(&mut self) -> FormReply {
        if let Some(Value::Path(field)) = self.fields.get(self.focus).map(|field| &field.value)
            && let Some(folder) = self.completion.ask(field.text())
        {
            return FormReply::Complete(folder);
        }
        self.step(1);
        FormReply::Open
    }

    fn step(&mut self, by: usize) {
        self.completion = Completion::default();
        self.focus = (self.focus + by) % self.fields.len().max(1);
    }

    pub fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Option<Position> {
        let width = frame::inner_width(screen);
        let help = self.fields.get(self.focus).map_or("", |field| field.help);
        let below = match (&self.problem, self.completion.candidates()) {
            (Some(problem), _) => text::wrap(problem, width),
            (None, [_, _, ..]) => vec![text::truncate(&self.completion.candidates().join("  "), width).into_owned()],
            (None, _) => text::wrap(help, width),
        };
        let mut pen = frame::open(&self.title, self.fields.len() + below.len().max(1) + 3, screen, buf, theme);
        let labels = self.fields.iter().map(|field| text::width(field.label)).max().unwrap_or(0);
        let mut cursor = None;
        for (index, field) in self.fields.iter().enumerate() {
            let focused = index == self.focus;
            let label = format!("{} {}  ", if focused { ">" } else { " " }, text::left(field.label, labels));
            let label = Span::styled(label, if focused { theme.title } else { theme.dim });
            match &field.value {
                Value::Text(value) | Value::Path(value) => {
                    cursor = pen.field(&Line::from(label), value, focused).or(cursor);
                }
                Value::Choice { options, chosen } => {
                    let option = options.get(*chosen).copied().unwrap_or_default();
                    let style = if focused { theme.input_focused } else { theme.text };
                    pen.line(Line::from(vec![label, Span::styled(format!("< {option} >"), style)]));
                }
            }
        }
        if pen.left() > below.len() + 1 {
            pen.text("", theme.text);
        }
        let style = if self.problem.is_some() { theme.error } else { theme.dim };
        for line in &below {
            pen.text(line, style);
        }
        pen.keys(&self.keys());
        cursor
    }

    fn keys(&self) -> Vec<(&'static str, &'static str)> {
        let mut keys = vec![("enter", self.submit), ("esc", "cancel")];
        match self.fields.get(self.focus).map(|field| &field.value) {
            Some(Value::Path(_)) => keys.push(("tab", "complete")),
            Some(Value::Choice { .. }) => keys.push(("left right", "choose")),
            _ => {}
        }
        if self.fields.len() > 1 {
            keys.push(("up down", "other field"));
        }
        keys
    }
}

fn choose(options: usize, chosen: &mut usize, key: Key) {
    let step = match key.code {
        KeyCode::Right | KeyCode::Char(' ' | 'l' | 'j') => 1,
        KeyCode::Left | KeyCode::Char('h' | 'k') => options.saturating_sub(1),
        _ => 0,
    };
    *chosen = (*chosen + step) % options.max(1);
}
