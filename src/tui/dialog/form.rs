//! Labeled fields, one below the other: text, a secret, a path with completion, or one of a few
//! choices, each with its consequence. Rarely used fields are hidden behind "more". Knows nothing
//! of what the fields mean.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::completion::Completion;
use super::field::{Field, FieldChoice, FieldValue, PathKind};
use super::frame::{self, DialogFrame, LineWriter, WIDTH};
use super::hit_target::{DialogTarget, Drawn};
use super::listed_line::{ListedLine, MOST_LISTED};
use super::reply::Reply;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::input::shell_words;
use crate::tui::input::text_field::TextField;
use crate::tui::keymap::Key;
use crate::tui::style::symbols::CLOSED;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text;

#[derive(Debug, Clone, Default)]
pub struct Form {
    pub title: String,
    pub fields: Vec<Field>,
    /// The index of the focused field; the row that shows the rarely used ones comes after the
    /// last.
    pub focus: usize,
    /// Set once the rarely used fields are shown.
    is_open: bool,
    pub submit: &'static str,
    pub problem: Option<String>,
    /// The progress of what was submitted, or another note.
    pub note: Option<String>,
    /// Suggestions for the text; `None` in a form that never has any.
    listed: Option<Vec<ListedLine>>,
    chosen_line: Option<usize>,
    /// The most suggestions listed at once: the box keeps room for them.
    most_listed: usize,
    /// Set if the action loses something.
    pub is_danger: bool,
    /// A remark at the right of the title; may be empty.
    pub aside: &'static str,
    pub keys: &'static [(&'static str, &'static str)],
    completion: Completion,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FormReply {
    Open,
    Cancelled,
    Submitted,
    /// A request for the focused path, for the dialog to pass on.
    Asked(Reply),
}

impl Form {
    pub fn new(title: impl Into<String>, submit: &'static str, fields: Vec<Field>) -> Self {
        Self {
            title: title.into(),
            submit,
            fields,
            ..Self::default()
        }
    }

    /// Returns the text of a field without surrounding spaces, unless it is still the initial one,
    /// because a name may end in a space.
    pub fn text(&self, index: usize) -> &str {
        let Some(field) = self.fields.get(index) else {
            return "";
        };
        match &field.value {
            FieldValue::Text(text) if text.text() == field.given => text.text(),
            FieldValue::Text(text) => text.text().trim(),
            FieldValue::Secret(text) => text.text(),
            FieldValue::Choice { options, chosen } => {
                options.get(*chosen).map_or("", |choice| choice.word)
            }
        }
    }

    /// Returns the text of a field, unless it is empty.
    pub fn filled(&self, index: usize) -> Option<String> {
        Some(self.text(index))
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    }

    /// Returns the text field at an index, if there is one.
    pub fn field_mut(&mut self, index: usize) -> Option<&mut TextField> {
        match self.fields.get_mut(index).map(|field| &mut field.value) {
            Some(FieldValue::Text(field)) => Some(field),
            _ => None,
        }
    }

    /// Sets the text of a field; the cursor goes to its end.
    pub fn set_text(&mut self, index: usize, text: String) {
        if let Some(field) = self.field_mut(index) {
            field.set(text);
            self.completion.forget();
        }
    }

    pub fn chosen(&self, index: usize) -> usize {
        match self.fields.get(index).map(|field| &field.value) {
            Some(FieldValue::Choice { chosen, .. }) => *chosen,
            _ => 0,
        }
    }

    /// Returns the number of options of a field; 0 for text.
    pub fn choices(&self, index: usize) -> usize {
        match self.fields.get(index).map(|field| &field.value) {
            Some(FieldValue::Choice { options, .. }) => options.len(),
            _ => 0,
        }
    }

    /// Lists suggestions for the text; enter takes the chosen one.
    pub fn list(&mut self, lines: Vec<ListedLine>, chosen: Option<usize>) {
        self.most_listed = self.most_listed.max(lines.len());
        (self.listed, self.chosen_line) = (Some(lines), chosen);
    }

    pub fn has_list(&self) -> bool {
        self.listed.as_ref().is_some_and(|lines| !lines.is_empty())
    }

    pub fn refuse(&mut self, index: usize, problem: impl Into<String>) {
        self.is_open |= self.fields.get(index).is_some_and(|field| field.is_rare);
        self.focus = index;
        self.problem = Some(problem.into());
    }

    pub fn on(&mut self, key: Key) -> FormReply {
        self.problem = None;
        let plain = key.modifiers.is_empty();
        let backwards = key.code == KeyCode::Tab && key.modifiers == KeyModifiers::SHIFT;
        let browses = key.code == KeyCode::Char('o') && key.modifiers == KeyModifiers::CONTROL;
        match key.code {
            KeyCode::Esc => return FormReply::Cancelled,
            KeyCode::Enter | KeyCode::Char(' ') if plain && self.is_on_more() => self.open(),
            KeyCode::Enter if plain => return FormReply::Submitted,
            KeyCode::Tab if plain => return self.tab(),
            KeyCode::Down if plain => self.step(true),
            KeyCode::Up if plain => self.step(false),
            _ if backwards => self.step(false),
            _ if browses => return self.browse(),
            _ => match self
                .fields
                .get_mut(self.focus)
                .map(|field| &mut field.value)
            {
                Some(FieldValue::Text(field)) => {
                    let is_edited = field.on(key);
                    if is_edited {
                        self.completion.forget();
                    }
                }
                Some(FieldValue::Secret(field)) => {
                    field.on(key);
                }
                Some(FieldValue::Choice { options, chosen }) => choose(options.len(), chosen, key),
                None => {}
            },
        }
        FormReply::Open
    }

    /// Focuses the clicked field, chooses an option, or shows the rarely used fields.
    pub fn click(&mut self, target: DialogTarget) {
        let (field, option) = match target {
            DialogTarget::Field(field) => (field, None),
            DialogTarget::Choice { field, option } => (field, Some(option)),
            _ => return,
        };
        self.problem = None;
        self.completion = Completion::default();
        self.focus = field;
        if self.is_on_more() {
            self.open();
        }
        if let (Some(FieldValue::Choice { chosen, .. }), Some(option)) = (
            self.fields.get_mut(field).map(|field| &mut field.value),
            option,
        ) {
            *chosen = option;
        }
    }

    pub fn paste(&mut self, pasted: &str) {
        match self
            .fields
            .get_mut(self.focus)
            .map(|field| &mut field.value)
        {
            Some(FieldValue::Text(field)) => field.insert(pasted),
            Some(FieldValue::Secret(field)) => field.insert(pasted),
            Some(FieldValue::Choice { .. }) | None => {}
        }
    }

    /// Takes requested names; responses to earlier requests are ignored.
    pub fn take_names(&mut self, names: &[String]) {
        if let Some(Field {
            value: FieldValue::Text(text),
            path: Some(of),
            ..
        }) = self.fields.get_mut(self.focus)
        {
            let fits = |name: &&String| *of != PathKind::FolderThere || name.ends_with('/');
            let is_over = self.completion.complete(
                text,
                &names.iter().filter(fits).cloned().collect::<Vec<_>>(),
            );
            if is_over {
                self.step(true);
            }
        }
    }

    /// Requests a choice of files for the focused path of this machine, or else the first one.
    fn browse(&mut self) -> FormReply {
        let focused = self.fields.get(self.focus);
        let at = if focused.is_some_and(Field::is_local_path) {
            Some(self.focus)
        } else {
            self.fields.iter().position(Field::is_local_path)
        };
        let field = at.and_then(|at| Some((at, self.fields.get(at)?)));
        let Some((at, Some(of), is_rare)) =
            field.map(|(at, field)| (at, field.path, field.is_rare))
        else {
            return FormReply::Open;
        };
        self.is_open |= is_rare;
        self.focus = at;
        let typed = self.text(at).to_owned();
        FormReply::Asked(Reply::Browse { typed, of })
    }

    /// Adds chosen paths of this machine to the focused field; the path of a field for one is
    /// replaced. A folder at the end of the typed text is where they were chosen.
    pub fn add_paths(&mut self, paths: &[PathBuf], local: &LocalPaths) {
        let typed = self.text(self.focus).to_owned();
        let Some(field) = self.fields.get_mut(self.focus) else {
            return;
        };
        let (FieldValue::Text(line), Some(of)) = (&mut field.value, field.path) else {
            return;
        };
        let text = if of == PathKind::Locals {
            let written: Vec<_> = paths.iter().map(|path| local.written(path)).collect();
            let last = shell_words::last(&typed);
            let start = if last.text().ends_with('/') {
                last.range.start
            } else {
                typed.len()
            };
            let before = typed.get(..start).unwrap_or(&typed).trim_end();
            let gap = if before.is_empty() { "" } else { " " };
            format!("{before}{gap}{}", written.join(" "))
        } else {
            let path = paths.first().map(|path| path.to_string_lossy());
            path.unwrap_or_default().into_owned()
        };
        // A name may end in a space.
        field.given.clone_from(&text);
        line.set(text);
        self.completion.forget();
    }

    fn tab(&mut self) -> FormReply {
        if let Some(Field {
            value: FieldValue::Text(text),
            path: Some(of),
            ..
        }) = self.fields.get(self.focus)
            && let Some(folder) = self.completion.ask(text, *of == PathKind::Locals)
        {
            return match of {
                PathKind::Local | PathKind::Locals => FormReply::Asked(Reply::Complete(folder)),
                PathKind::There | PathKind::FolderThere => {
                    FormReply::Asked(Reply::CompleteThere(folder))
                }
            };
        }
        self.step(true);
        FormReply::Open
    }

    fn step(&mut self, forth: bool) {
        self.completion.forget();
        let stops = self.stops();
        let at = stops
            .iter()
            .position(|stop| *stop == self.focus)
            .unwrap_or(0);
        let next = if forth {
            at + 1
        } else {
            at + stops.len().saturating_sub(1)
        };
        self.focus = stops.get(next % stops.len().max(1)).copied().unwrap_or(0);
    }

    fn stops(&self) -> Vec<usize> {
        let has_more = self.has_more();
        let is_shown = |index: &usize| {
            self.fields
                .get(*index)
                .is_some_and(|field| !has_more || !field.is_rare)
        };
        let more = has_more.then_some(self.fields.len());
        (0..self.fields.len())
            .filter(is_shown)
            .chain(more)
            .collect()
    }

    /// Returns `true` if fields are hidden behind a row, which is not worth it for a single one.
    fn has_more(&self) -> bool {
        !self.is_open && self.fields.iter().filter(|field| field.is_rare).count() > 1
    }

    fn is_on_more(&self) -> bool {
        self.has_more() && self.focus == self.fields.len()
    }

    fn open(&mut self) {
        self.is_open = true;
        self.focus = self
            .fields
            .iter()
            .position(|field| field.is_rare)
            .unwrap_or(0);
    }

    pub fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let labels = self
            .fields
            .iter()
            .map(|field| text::width(field.label))
            .max()
            .unwrap_or(0)
            + 2;
        let width = frame::inner_width(screen).saturating_sub(labels);
        let inset = self.fields.get(self.focus).map_or(0, inset);
        let (below, is_list) = self.below(width.saturating_sub(inset), theme);
        let stops = self.stops();
        // The box keeps its height as the focus moves, and as fewer suggestions are listed.
        let lines_of = |field: &Field| field.most_lines(width.saturating_sub(self::inset(field)));
        let tallest = self.fields.iter().map(lines_of).max().unwrap_or(0);
        // A blank line sets a list apart from the field.
        let list_gap = usize::from(is_list || self.most_listed > 0);
        let needed = below.len().max(tallest).max(self.most_listed) + list_gap;
        let lines = stops.len() + needed;
        // Blank lines between the fields and before the keys, if there is room for them.
        let gaps = usize::from(lines + stops.len() + 3 <= usize::from(screen.height));
        let gap_lines = gaps * stops.len().saturating_sub(1);
        let (title, note, lines) = (self.title.as_str(), self.aside, lines + gap_lines + 2);
        // A form that may list more is placed as if it were at its tallest, and grows downward.
        let growth = if self.listed.is_some() {
            (MOST_LISTED + 1).saturating_sub(needed)
        } else {
            0
        };
        let screen = frame::room_to_grow(screen, lines, growth);
        let frame = DialogFrame {
            title,
            note,
            width: WIDTH,
            lines,
            is_danger: self.is_danger,
        };
        let mut pen = frame.open(screen, buf, theme);
        let mut cursor = None;
        for (at, stop) in stops.iter().enumerate() {
            if at > 0 && gaps > 0 {
                pen.text("", theme.text);
            }
            cursor = self.draw_stop(*stop, labels, &mut pen).or(cursor);
            if *stop == self.focus {
                if is_list && list_gap > 0 && pen.left() > below.len() + 1 {
                    pen.text("", theme.text);
                }
                for (row, mut line) in below.iter().cloned().enumerate() {
                    line.spans.insert(0, Span::raw(" ".repeat(labels + inset)));
                    if is_list {
                        pen.target(DialogTarget::Row(row));
                    }
                    pen.row(line, is_list && self.chosen_line == Some(row));
                }
            }
        }
        pen.keys(&self.keys());
        pen.done(cursor)
    }

    /// Returns the lines under the focused field: a problem, a note, possible names or an
    /// explanation. Also `true` if these are the suggestions.
    fn below(&self, width: usize, theme: &Theme) -> (Vec<Line<'static>>, bool) {
        let field = self.fields.get(self.focus);
        let help = field.map_or("", Field::explanation);
        let is_choice = field.is_some_and(|field| matches!(field.value, FieldValue::Choice { .. }));
        let lines = match (&self.problem, &self.note, self.completion.candidates()) {
            (Some(problem), ..) => text::wrap_without_widow(problem, width),
            // The consequence of a choice stays visible beside its effect on these files.
            (_, Some(note), _) if is_choice => [
                text::wrap_without_widow(help, width),
                text::wrap_without_widow(note, width),
            ]
            .concat(),
            (_, Some(note), _) => note
                .lines()
                .flat_map(|line| text::wrap_without_widow(line, width))
                .collect(),
            (.., candidates @ [_, _, ..]) => {
                vec![text::truncate(&candidates.join("  "), width).into_owned()]
            }
            _ => match &self.listed {
                Some(listed) if !listed.is_empty() => {
                    let lines = listed.iter().enumerate();
                    return (
                        lines
                            .map(|(row, line)| {
                                line.line(self.chosen_line == Some(row), width, theme)
                            })
                            .collect(),
                        true,
                    );
                }
                _ => {
                    return (
                        field
                            .map(|field| field.lines(width, theme))
                            .unwrap_or_default(),
                        false,
                    );
                }
            },
        };
        let style = if self.problem.is_some() {
            theme.error
        } else {
            theme.dim
        };
        (
            lines
                .into_iter()
                .map(|line| Line::from(Span::styled(line, style)))
                .collect(),
            false,
        )
    }

    fn draw_stop(&self, stop: usize, labels: usize, pen: &mut LineWriter<'_>) -> Option<Position> {
        let (theme, focused) = (pen.theme, stop == self.focus);
        let label_style = if focused { theme.title } else { theme.dim };
        let Some(field) = self.fields.get(stop) else {
            let rare = self.fields.iter().filter(|field| field.is_rare).count();
            let words = format!("{CLOSED} More options ({rare})");
            pen.target(DialogTarget::Field(stop));
            pen.row(Line::styled(words, label_style), focused);
            return None;
        };
        let label = Span::styled(text::left(field.label, labels), label_style);
        match &field.value {
            FieldValue::Text(value) => {
                pen.target(DialogTarget::Field(stop));
                if pen.left() == 0 {
                    return None;
                }
                let width = pen.area.width;
                let room = pen.width().saturating_sub(label.width());
                let after = text::truncate(&field.after, room / 2);
                pen.area.width -= u16::try_from(text::width(&after)).unwrap_or(0);
                let cursor = pen.field(&Line::from(label), value, &field.placeholder, focused);
                pen.area.width = width;
                pen.end_line(&after);
                cursor
            }
            FieldValue::Secret(value) => {
                pen.target(DialogTarget::Field(stop));
                pen.field(
                    &Line::from(label),
                    &TextField::new(value.dots()),
                    &field.placeholder,
                    focused,
                )
            }
            FieldValue::Choice { options, chosen } => {
                pen.target(DialogTarget::Field(stop));
                let radio = |(option, choice): (usize, &FieldChoice)| {
                    frame::radio(choice.word, option == *chosen, focused, theme)
                };
                let radios = options.iter().enumerate().map(radio);
                let cells: usize = radios.clone().flatten().map(|span| span.width()).sum();
                let gaps = GAP.len() * options.len().saturating_sub(1);
                if labels + cells + gaps > pen.width() {
                    let word = options.get(*chosen).map_or("", |choice| choice.word);
                    let word = format!("‹ {word} ›");
                    if focused {
                        pen.mark(labels);
                    }
                    let option = (*chosen + 1) % options.len().max(1);
                    let target = DialogTarget::Choice {
                        field: stop,
                        option,
                    };
                    pen.target_at(labels..labels + text::width(&word), target);
                    pen.line(Line::from(vec![label, Span::styled(word, label_style)]));
                    return None;
                }
                let (mut spans, mut start) = (vec![label], labels);
                for (option, [sign, word]) in radios.enumerate() {
                    let end = start + sign.width() + word.width();
                    if focused && option == *chosen {
                        pen.mark(start);
                    }
                    pen.target_at(
                        start..end,
                        DialogTarget::Choice {
                            field: stop,
                            option,
                        },
                    );
                    spans.extend([sign, word, Span::raw(GAP)]);
                    start = end + GAP.len();
                }
                pen.line(Line::from(spans));
                None
            }
        }
    }

    fn keys(&self) -> Vec<(&'static str, &'static str)> {
        if self.is_on_more() {
            return vec![
                ("enter", "show them"),
                ("↑↓", "next field"),
                ("esc", "cancel"),
            ];
        }
        let mut keys = vec![("enter", self.submit)];
        if let Some(field) = self.fields.get(self.focus) {
            keys.extend(field.path.map(|_| ("tab", "complete")));
            keys.extend(field.is_local_path().then_some(("ctrl-o", "browse")));
            if matches!(field.value, FieldValue::Choice { .. }) {
                keys.push(("←→", "choose"));
            }
        }
        if self.stops().len() > 1 {
            keys.push(("↑↓", "next field"));
        }
        keys.extend(self.keys);
        keys.push(("esc", "cancel"));
        keys
    }
}

/// Returns the cells from the start of a field to its text, where the words below it begin, too.
fn inset(field: &Field) -> usize {
    usize::from(!matches!(field.value, FieldValue::Choice { .. }))
}

const GAP: &str = "   ";

fn choose(options: usize, chosen: &mut usize, key: Key) {
    let step = match key.code {
        KeyCode::Right | KeyCode::Char(' ' | 'l' | 'j') => 1,
        KeyCode::Left | KeyCode::Char('h' | 'k') => options.saturating_sub(1),
        _ => 0,
    };
    *chosen = (*chosen + step) % options.max(1);
}
