//! What a dialog does with a key, a click, the wheel, a paste and a frame. Each dialog implements it in its own file.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::form::Form;
use super::hit_target::{DialogTarget, Drawn};
use super::list_cursor::ListCursor;
use super::reply::Reply;
use crate::engine::local_entry::LocalEntry;
use crate::engine::message::FolderRef;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;

pub trait Modal {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply;

    /// Draws over the middle of the screen, or into all of the part that it has beside the panes.
    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn;

    /// A click on a part of it, which is never a `DialogTarget::Key`. In a list the first click puts the cursor on a row,
    /// the second one is as enter.
    fn on_click(&mut self, target: DialogTarget, is_double: bool, now: Clocks) -> Reply {
        if let (Some(cursor), DialogTarget::Row(row)) = (self.cursor_mut(), target) {
            cursor.go_to(row);
            return if is_double { self.on_key(Key::plain(KeyCode::Enter), now) } else { Reply::Open };
        }
        if let Some(form) = self.form_mut() {
            form.click(target);
        }
        Reply::Open
    }

    /// The wheel moves what a list or a text shows by so many rows.
    fn on_wheel(&mut self, by: isize) {
        if let Some(cursor) = self.cursor_mut() {
            cursor.step(by);
        }
    }

    /// Pasted text goes into the text field.
    fn on_paste(&mut self, text: &str) {
        if let Some(form) = self.form_mut() {
            form.paste(text);
        }
    }

    /// Whether it lies beside the panes, which are to be seen as they are.
    fn is_beside(&self) -> bool {
        false
    }

    /// The keys that the last line of the screen names for a dialog beside the panes.
    fn foot_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The part of the screen behind it that is to be seen as it is.
    fn shown_part(&self) -> Option<Rect> {
        None
    }

    /// The cursor of its list, where it has one.
    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        None
    }

    /// Its form, where it has one.
    fn form_mut(&mut self) -> Option<&mut Form> {
        None
    }

    /// The names in a folder that it asked for.
    fn take_names(&mut self, names: &[String]) {
        if let Some(form) = self.form_mut() {
            form.take_names(names);
        }
    }

    /// Folders of the account that have become known, and what there is to say of the others.
    fn take_folders(&mut self, _new: &[FolderRef], _lack: &'static str) {}

    /// What is in the local folder that it asked for.
    fn take_entries(&mut self, _folder: &Path, entries: Vec<LocalEntry>) {
        let names: Vec<String> = entries.iter().filter_map(LocalEntry::typed).collect();
        self.take_names(&names);
    }

    /// Says what is wrong with what was typed; whether there is a place for that.
    fn say_wrong(&mut self, problem: String) -> bool {
        let Some(form) = self.form_mut() else { return false };
        (form.problem, form.note) = (Some(problem), None);
        true
    }
}
