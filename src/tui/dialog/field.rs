//! A field of a form: a label, and text, a secret, a local path or one of a few choices.

use std::borrow::Cow;

use ratatui::text::{Line, Span};

use crate::tui::input::secret_field::SecretField;
use crate::tui::input::text_field::TextField;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::wrap_without_widow;

#[derive(Debug, Clone)]
pub struct Field {
    pub label: &'static str,
    pub value: FieldValue,
    /// The kind of path that the text is; `None` for another text.
    pub path: Option<PathKind>,
    /// The initial text.
    pub given: String,
    pub help: &'static str,
    /// A warning about what is lost, shown below the help.
    pub warning: &'static str,
    pub placeholder: Cow<'static, str>,
    /// The text shown behind the value and completing it, safe to show.
    pub after: String,
    /// Set to show the field only among more options.
    pub is_rare: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldChoice {
    pub word: &'static str,
    /// The consequence as a sentence; may be empty.
    pub then: &'static str,
}

#[derive(Debug, Clone)]
pub enum FieldValue {
    Text(TextField),
    /// A value that is not shown.
    Secret(SecretField),
    Choice {
        options: &'static [FieldChoice],
        chosen: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// A path of this machine.
    Local,
    /// Several paths of this machine, written as for a shell.
    Locals,
    /// A path of the account.
    There,
    /// A path of a folder of the account.
    FolderThere,
}

impl PathKind {
    pub fn is_local(self) -> bool {
        matches!(self, Self::Local | Self::Locals)
    }
}

impl Field {
    pub fn text(label: &'static str, value: impl Into<String>, help: &'static str) -> Self {
        let given = value.into();
        let value = FieldValue::Text(TextField::new(given.clone()));
        Self {
            given,
            ..Self::new(label, value, help)
        }
    }

    pub fn path(
        label: &'static str,
        value: impl Into<String>,
        help: &'static str,
        of: PathKind,
    ) -> Self {
        Self {
            path: Some(of),
            ..Self::text(label, value, help)
        }
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
            path: None,
            given: String::new(),
            help,
            warning: "",
            placeholder: "".into(),
            after: String::new(),
            is_rare: false,
        }
    }

    pub fn is_local_path(&self) -> bool {
        self.path.is_some_and(PathKind::is_local)
    }

    /// Returns the help, or the consequence of the chosen option; may be empty.
    pub fn explanation(&self) -> &'static str {
        match &self.value {
            FieldValue::Choice { options, chosen } => {
                options.get(*chosen).map_or("", |choice| choice.then)
            }
            _ => self.help,
        }
    }

    pub fn lines(&self, cells: usize, theme: &Theme) -> Vec<Line<'static>> {
        let styled = |words, style| {
            wrap_without_widow(words, cells)
                .into_iter()
                .map(move |line| Span::styled(line, style).into())
        };
        styled(self.explanation(), theme.dim)
            .chain(styled(self.warning, theme.warn))
            .collect()
    }

    /// Returns the most lines that the explanation takes, whichever option is chosen.
    pub fn most_lines(&self, cells: usize) -> usize {
        let lines = |words| wrap_without_widow(words, cells).len();
        let explanation_lines = match &self.value {
            FieldValue::Choice { options, .. } => options
                .iter()
                .map(|choice| lines(choice.then))
                .max()
                .unwrap_or(0),
            _ => lines(self.help),
        };
        explanation_lines + lines(self.warning)
    }

    #[must_use]
    pub fn hinting(mut self, placeholder: impl Into<Cow<'static, str>>) -> Self {
        self.placeholder = placeholder.into();
        self
    }

    /// Sets the text behind the value, which completes it.
    #[must_use]
    pub fn before(mut self, after: String) -> Self {
        self.after = after;
        self
    }

    #[must_use]
    pub fn warning(mut self, words: &'static str) -> Self {
        self.warning = words;
        self
    }

    /// Moves the field to the "more" options.
    #[must_use]
    pub fn rarely(mut self) -> Self {
        self.is_rare = true;
        self
    }
}
