//! A field of a form: a label, and text, a secret, a local path or one of a few choices.

use std::borrow::Cow;

use ratatui::text::{Line, Span};

use crate::tui::input::secret_field::SecretField;
use crate::tui::input::text_field::TextField;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::wrap_without_widow;

/// A labeled value.
#[derive(Debug, Clone)]
pub struct Field {
    pub label: &'static str,
    pub value: FieldValue,
    /// The text that it came with.
    pub given: String,
    /// Shown while the field has the focus.
    pub help: &'static str,
    /// Shown below the help: what is lost.
    pub warning: &'static str,
    /// Shown where nothing is typed.
    pub placeholder: Cow<'static, str>,
    /// Shown behind it, safe to show: what the text goes on with.
    pub after: String,
    /// Shown once more is asked for.
    pub is_rare: bool,
}

/// One of a few things to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldChoice {
    pub word: &'static str,
    /// The result of it, as a sentence; may be empty.
    pub then: &'static str,
}

#[derive(Debug, Clone)]
pub enum FieldValue {
    Text(TextField),
    /// A path, or several.
    Path {
        text: TextField,
        of: PathKind,
    },
    /// Typed unseen.
    Secret(SecretField),
    Choice {
        options: &'static [FieldChoice],
        chosen: usize,
    },
}

/// What paths a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// One of this machine.
    Local,
    /// Several of this machine, as a shell has them.
    Locals,
    /// One of the account.
    There,
    /// That of a folder of the account.
    FolderThere,
}

impl Field {
    pub fn text(label: &'static str, value: impl Into<String>, help: &'static str) -> Self {
        let given = value.into();
        let value = FieldValue::Text(TextField::new(given.clone()));
        Self { given, ..Self::new(label, value, help) }
    }

    pub fn path(label: &'static str, value: impl Into<String>, help: &'static str, of: PathKind) -> Self {
        let given = value.into();
        let value = FieldValue::Path { text: TextField::new(given.clone()), of };
        Self { given, ..Self::new(label, value, help) }
    }

    pub fn secret(label: &'static str, help: &'static str) -> Self {
        Self::new(label, FieldValue::Secret(SecretField::default()), help)
    }

    pub fn choice(label: &'static str, options: &'static [FieldChoice], chosen: usize) -> Self {
        Self::new(label, FieldValue::Choice { options, chosen }, "")
    }

    fn new(label: &'static str, value: FieldValue, help: &'static str) -> Self {
        Self {
            label,
            value,
            given: String::new(),
            help,
            warning: "",
            placeholder: "".into(),
            after: String::new(),
            is_rare: false,
        }
    }

    /// What it is, or what the option that is chosen leads to; may be empty.
    pub fn explanation(&self) -> &'static str {
        match &self.value {
            FieldValue::Choice { options, chosen } => options.get(*chosen).map_or("", |choice| choice.then),
            _ => self.help,
        }
    }

    /// What it is and what is lost, in lines of so many cells.
    pub fn lines(&self, cells: usize, theme: &Theme) -> Vec<Line<'static>> {
        let styled = |words, style| {
            wrap_without_widow(words, cells).into_iter().map(move |line| Span::styled(line, style).into())
        };
        styled(self.explanation(), theme.dim).chain(styled(self.warning, theme.warn)).collect()
    }

    /// The most lines that takes, whichever option is chosen.
    pub fn most_lines(&self, cells: usize) -> usize {
        let lines = |words| wrap_without_widow(words, cells).len();
        let said = match &self.value {
            FieldValue::Choice { options, .. } => options.iter().map(|choice| lines(choice.then)).max().unwrap_or(0),
            _ => lines(self.help),
        };
        said + lines(self.warning)
    }

    /// Shows these words while it is empty.
    #[must_use]
    pub fn hinting(mut self, placeholder: impl Into<Cow<'static, str>>) -> Self {
        self.placeholder = placeholder.into();
        self
    }

    /// Shows this behind it, which goes on what is typed.
    #[must_use]
    pub fn before(mut self, after: String) -> Self {
        self.after = after;
        self
    }

    /// Says below its help what is lost.
    #[must_use]
    pub fn warning(mut self, words: &'static str) -> Self {
        self.warning = words;
        self
    }

    /// Waits behind "more".
    #[must_use]
    pub fn rarely(mut self) -> Self {
        self.is_rare = true;
        self
    }
}
