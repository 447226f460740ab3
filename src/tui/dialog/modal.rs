//! The handling of keys, clicks, the wheel, pastes and frames. Each dialog implements it in its own
//! file.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::form::{Form, FormReply};
use super::hit_target::{DialogTarget, Drawn};
use super::reply::Reply;
use crate::engine::local_entry::LocalEntry;
use crate::engine::message::FolderRef;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;

pub trait Modal {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        self.on_form_key(key, now)
    }

    /// Passes a key to the form of the dialog, and handles what it submits.
    fn on_form_key(&mut self, key: Key, now: Clocks) -> Reply {
        let Some(form) = self.form_mut() else {
            return Reply::Open;
        };
        match form.on(key) {
            FormReply::Open => self.edited(),
            FormReply::Cancelled => return Reply::Closed,
            FormReply::Asked(reply) => return reply,
            FormReply::Submitted => match (self.submitted(now), self.form_mut()) {
                (Ok(reply), _) => return reply,
                (Err((field, problem)), Some(form)) => form.refuse(field, problem),
                (Err(_), None) => {}
            },
        }
        Reply::Open
    }

    /// Returns the reply to a submitted form, or the field with a problem.
    fn submitted(&mut self, _now: Clocks) -> Result<Reply, (usize, String)> {
        Ok(Reply::Open)
    }

    /// Updates what the form says about its fields.
    fn edited(&mut self) {}

    /// Draws over the middle of the screen, or over the whole part beside the panes.
    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        self.form()
            .map(|form| form.draw(screen, buf, theme))
            .unwrap_or_default()
    }

    /// Handles a click on a part of the dialog, never a `DialogTarget::Key`. In a list, a click
    /// moves the cursor to a row, and a double click acts like enter.
    fn on_click(&mut self, target: DialogTarget, is_double: bool, now: Clocks) -> Reply {
        if let (Some(cursor), DialogTarget::Row(row)) = (self.cursor_mut(), target) {
            cursor.go_to(row);
            return if is_double {
                self.on_key(Key::plain(KeyCode::Enter), now)
            } else {
                Reply::Open
            };
        }
        if let Some(form) = self.form_mut() {
            form.click(target);
            self.edited();
        }
        Reply::Open
    }

    fn on_wheel(&mut self, by: isize) {
        if let Some(cursor) = self.cursor_mut() {
            cursor.step(by);
        }
    }

    fn on_paste(&mut self, text: &str) {
        if let Some(form) = self.form_mut() {
            form.paste(text);
            self.edited();
        }
    }

    /// Returns `true` if the dialog lies beside the panes, which stay visible.
    fn is_beside(&self) -> bool {
        false
    }

    /// Returns the keys for the last line of the screen, for a dialog beside the panes.
    fn foot_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the part of the screen behind the dialog that stays visible.
    fn shown_part(&self) -> Option<Rect> {
        None
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        None
    }

    /// The form that the dialog consists of.
    fn form(&self) -> Option<&Form> {
        None
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        None
    }

    /// Takes the names in a folder that the dialog requested.
    fn take_names(&mut self, names: &[String]) {
        if let Some(form) = self.form_mut() {
            form.take_names(names);
        }
    }

    /// Takes newly known folders of the account, and a remark on the unknown ones.
    fn take_folders(&mut self, _new: &[FolderRef], _lack: &'static str) {}

    /// Takes the entries of the local folder that the dialog requested.
    fn take_entries(&mut self, _folder: &Path, entries: Vec<LocalEntry>) {
        let names: Vec<String> = entries.iter().filter_map(LocalEntry::typed).collect();
        self.take_names(&names);
    }

    /// Shows a problem with what was typed; returns `true` if the dialog has a place for it.
    fn say_wrong(&mut self, problem: String) -> bool {
        let Some(form) = self.form_mut() else {
            return false;
        };
        (form.problem, form.note) = (Some(problem), None);
        true
    }
}
