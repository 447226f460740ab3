//! The dialogs, one file each, and the one type that holds any of them. Knows nothing of what is behind them.

mod access;
mod account;
mod accounts;
mod completion;
mod confirm;
mod creation;
mod deletions;
mod edited_names;
mod field;
mod filtered_list;
mod form;
mod frame;
mod help;
mod hit_target;
mod import;
mod notice;
mod palette;
mod path_matches;
mod picker;
mod plan;
mod prompt;
mod renames;
mod reply;
mod saved_list;
mod settings;
mod sign;
mod unsaved_edits;
mod upload;

#[cfg(test)]
mod tests;

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::clocks::Clocks;
use super::keymap::Key;
use super::style::theme::Theme;

pub use access::Access;
pub use account::AccountForm;
pub use accounts::{AccountRow, AccountsDialog};
pub use confirm::{Button, Confirm, SizeCount, TypedConfirmation};
pub use deletions::Deletions;
pub use edited_names::{Named, Names};
pub use field::{Field, FieldValue};
pub use form::{Form, FormReply};
pub use help::Help;
pub use hit_target::{DialogTarget, Drawn};
pub use import::ImportDialog;
pub use notice::{Followed, Notice};
pub use palette::{CommandPalette, PaletteItem};
pub use picker::Picker;
pub use plan::Plan;
pub use prompt::{Prompt, PromptPurpose};
pub use renames::Renames;
pub use reply::{Intent, Reply};
pub use saved_list::{KeptRow, SavedList};
pub use settings::Settings;
pub use sign::Sign;
pub use unsaved_edits::UnsavedEditsDialog;
pub use upload::UploadDialog;

/// A dialog on the stack; the last one is on top and has the keys.
#[derive(Debug, Clone)]
pub enum Dialog {
    Confirm(Confirm),
    Upload(UploadDialog),
    Picker(Picker),
    Plan(Plan),
    Import(ImportDialog),
    Access(Access),
    Accounts(AccountsDialog),
    Account(AccountForm),
    Prompt(Prompt),
    Sign(Sign),
    Notice(Notice),
    Help(Help),
    Palette(CommandPalette),
    Settings(Settings),
    Kept(SavedList),
    Renames(Renames),
    Deletions(Deletions),
    UnsavedEdits(UnsavedEditsDialog),
}

impl Dialog {
    pub fn on(&mut self, key: Key, now: Clocks) -> Reply {
        match self {
            Self::Confirm(dialog) => dialog.on(key, now.here),
            Self::Upload(dialog) => dialog.on(key, now.service),
            Self::Picker(dialog) => dialog.on(key),
            Self::Plan(dialog) => dialog.on(key, now.service),
            Self::Import(dialog) => dialog.on(key, now.service),
            Self::Access(dialog) => dialog.on(key, now.service),
            Self::Accounts(dialog) => dialog.on(key),
            Self::Account(dialog) => dialog.on(key),
            Self::Prompt(dialog) => dialog.on(key),
            Self::Sign(dialog) => dialog.on(key),
            Self::Notice(dialog) => dialog.on(key),
            Self::Help(dialog) => dialog.on(key),
            Self::Palette(dialog) => dialog.on(key),
            Self::Settings(dialog) => dialog.on(key),
            Self::Kept(dialog) => dialog.on(key),
            Self::Renames(dialog) => dialog.on(key),
            Self::Deletions(dialog) => dialog.on(key),
            Self::UnsavedEdits(dialog) => dialog.on(key),
        }
    }

    /// A click on something of it.
    pub fn click(&mut self, target: DialogTarget, is_double: bool, now: Clocks) -> Reply {
        match (target, self) {
            (DialogTarget::Key(key), dialog) => dialog.on(key, now),
            (target, Self::Confirm(dialog)) => dialog.click(target, now.here),
            (target, Self::Plan(dialog)) => dialog.click(target, now.service),
            (target, Self::Access(dialog)) => {
                dialog.click(target);
                Reply::Open
            }
            (DialogTarget::Row(row), Self::Accounts(dialog)) => dialog.click(row, is_double),
            (target, Self::Account(dialog)) => dialog.click(target),
            (DialogTarget::Row(row), Self::Help(dialog)) => dialog.click(row, is_double),
            (DialogTarget::Row(row), Self::Kept(dialog)) => dialog.click(row, is_double),
            (DialogTarget::Row(row), Self::Palette(dialog)) => dialog.click(row),
            (DialogTarget::Row(row), Self::Settings(dialog)) => dialog.click(row, is_double),
            (DialogTarget::Row(row), Self::Deletions(dialog)) => dialog.click(row, is_double),
            (DialogTarget::Row(row), Self::UnsavedEdits(dialog)) => dialog.click(row, is_double),
            (DialogTarget::Row(row), Self::Picker(dialog)) => dialog.click(row, is_double),
            (target, dialog) => {
                if let Some(form) = dialog.form_mut() {
                    form.click(target);
                }
                Reply::Open
            }
        }
    }

    /// A turn of the wheel moves what a list or a text shows.
    pub fn wheel(&mut self, code: KeyCode, now: Clocks) {
        match self {
            Self::Accounts(_)
            | Self::Notice(_)
            | Self::Help(_)
            | Self::Palette(_)
            | Self::Settings(_)
            | Self::Kept(_)
            | Self::Renames(_)
            | Self::Deletions(_)
            | Self::UnsavedEdits(_)
            | Self::Picker(_) => {
                self.on(Key::plain(code), now);
            }
            Self::Plan(dialog) => dialog.wheel(if code == KeyCode::Down { 1 } else { -1 }),
            _ => {}
        }
    }

    /// Text pasted while the dialog is on top goes into its text field.
    pub fn paste(&mut self, text: &str) {
        match self {
            Self::Confirm(dialog) => dialog.paste(text),
            Self::Help(dialog) => dialog.paste(text),
            Self::Palette(dialog) => dialog.paste(text),
            Self::Settings(dialog) => dialog.paste(text),
            Self::Upload(dialog) => dialog.paste(text),
            Self::Picker(dialog) => dialog.paste(text),
            Self::Plan(dialog) => dialog.paste(text),
            Self::Prompt(dialog) => dialog.paste(text),
            Self::Account(dialog) => dialog.paste(text),
            Self::Access(dialog) => dialog.paste(text),
            Self::Notice(_)
            | Self::Accounts(_)
            | Self::Kept(_)
            | Self::Renames(_)
            | Self::Deletions(_)
            | Self::UnsavedEdits(_) => {}
            Self::Import(dialog) => dialog.form.paste(text),
            Self::Sign(dialog) => dialog.form.paste(text),
        }
    }

    /// The names of a local folder that it asked for.
    pub fn take_names(&mut self, folder: &Path, names: Vec<String>) {
        if let Self::Picker(dialog) = self {
            dialog.take_names(folder, names);
        } else if let Some(form) = self.form_mut() {
            form.take_names(&names);
        }
    }

    /// Says what is wrong with what was typed; whether there is a place for that.
    pub fn say_wrong(&mut self, problem: String) -> bool {
        if let Self::Picker(dialog) = self {
            dialog.problem = Some(problem);
        } else if let Some(form) = self.form_mut() {
            (form.problem, form.note) = (Some(problem), None);
        } else {
            return false;
        }
        true
    }

    /// Its form, where it has one.
    pub fn form_mut(&mut self) -> Option<&mut Form> {
        match self {
            Self::Upload(dialog) => Some(&mut dialog.form),
            Self::Import(dialog) => Some(&mut dialog.form),
            Self::Access(dialog) => Some(&mut dialog.form),
            Self::Prompt(dialog) => Some(&mut dialog.form),
            Self::Sign(dialog) => Some(&mut dialog.form),
            Self::Account(dialog) => Some(&mut dialog.form),
            Self::Confirm(_)
            | Self::Picker(_)
            | Self::Plan(_)
            | Self::Accounts(_)
            | Self::Notice(_)
            | Self::Help(_)
            | Self::Kept(_)
            | Self::Renames(_)
            | Self::Deletions(_)
            | Self::UnsavedEdits(_)
            | Self::Settings(_)
            | Self::Palette(_) => None,
        }
    }
}

/// What can be clicked, on a screen of that size.
pub fn targets(dialog: &Dialog, screen: Rect) -> Vec<(Rect, Option<DialogTarget>)> {
    draw(dialog, screen, &mut Buffer::empty(screen), &Theme::default()).targets
}

/// Draws a dialog over the middle of the screen.
pub fn draw(dialog: &Dialog, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
    match dialog {
        Dialog::Confirm(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Upload(dialog) => dialog.form.draw(screen, buf, theme),
        Dialog::Picker(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Plan(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Import(dialog) => dialog.form.draw(screen, buf, theme),
        Dialog::Access(dialog) => dialog.form.draw(screen, buf, theme),
        Dialog::Prompt(dialog) => dialog.form.draw(screen, buf, theme),
        Dialog::Sign(dialog) => dialog.form.draw(screen, buf, theme),
        Dialog::Account(dialog) => dialog.form.draw(screen, buf, theme),
        Dialog::Help(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Palette(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Settings(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Kept(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Accounts(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Renames(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Deletions(dialog) => dialog.draw(screen, buf, theme),
        Dialog::UnsavedEdits(dialog) => dialog.draw(screen, buf, theme),
        Dialog::Notice(dialog) => dialog.draw(screen, buf, theme),
    }
}
