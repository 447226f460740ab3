//! The list of deletions, newest first: recently deleted files, which can be deleted permanently by
//! their ids, folders, which lead to the files deleted with them, and the receipts of permanent
//! deletions.

use crossterm::event::KeyCode;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::frame;
use super::hit_target::{DialogTarget, Drawn};
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::text::visible;
use crate::engine::deletion::{DeletedContents, Deletion, Receipt};
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::{figures, text};

#[derive(Debug, Clone, PartialEq)]
pub struct Deletions {
    title: String,
    rows: Vec<Deletion>,
    cursor: ListCursor,
    /// The name of the account, for receipts.
    account: String,
    zone: TimeZone,
    /// Set if these are the files that were deleted with one folder.
    of_folder: bool,
    /// The address where the web application restores them.
    trash: Option<&'static str>,
    /// The result of the last key.
    message: Option<String>,
}

/// The cells for the state of a row.
const STATE: usize = 12;

const NONE_LEFT: &str = "No file of this folder is known that could be deleted permanently.";

impl Deletions {
    /// Creates a list of all deletions from an account. `trash` is the address where the web
    /// application restores them, if it does.
    pub fn new(
        rows: Vec<Deletion>,
        account: &str,
        zone: TimeZone,
        trash: Option<&'static str>,
    ) -> Self {
        let cursor = ListCursor::new(rows.len());
        Self {
            title: "Deleted files and folders".to_owned(),
            rows,
            cursor,
            account: account.to_owned(),
            zone,
            of_folder: false,
            trash,
            message: None,
        }
    }

    /// Makes it the list of the files that were deleted with a folder.
    #[must_use]
    pub fn of(self, folder: &Deletion) -> Self {
        Self {
            title: format!("Deleted with {}", visible(&folder.path)),
            of_folder: true,
            ..self
        }
    }

    pub fn is_of_folder(&self) -> bool {
        self.of_folder
    }

    fn receipt<'a>(&'a self, row: &'a Deletion) -> Receipt<'a> {
        Receipt {
            account: &self.account,
            deletion: row,
        }
    }

    fn note(&self) -> String {
        let about = |row: &Deletion| {
            let id = visible(row.target.id());
            match (&row.contents, row.gone_by) {
                (Some(_), _) if self.is_emptied(row) => {
                    format!("Id {id}. Its files are deleted permanently: nothing is left.")
                }
                (Some(contents), _) => format!("Id {id}. {}", went_with(contents)),
                (None, Some(by)) => {
                    format!(
                        "Id {id}. Content and metadata are erased by {}.",
                        figures::date_time(by, &self.zone)
                    )
                }
                (None, None) => match self.trash {
                    Some(address) => {
                        format!(
                            "Id {id}. For 30 days the web application restores it: Files, then Trash. b opens {address}"
                        )
                    }
                    None => {
                        format!(
                            "Id {id}. The service keeps a private copy, but its API cannot restore it: upload the file again."
                        )
                    }
                },
            }
        };
        self.message
            .clone()
            .or_else(|| self.rows.get(self.cursor.at()).map(about))
            .unwrap_or_default()
    }

    /// Returns `true` if a folder contained files, as receipts show, of which none is left.
    fn is_emptied(&self, folder: &Deletion) -> bool {
        let is_below = |row: &Deletion| {
            let below = row.path.strip_prefix(folder.path.trim_end_matches('/'));
            row.gone_by.is_some() && below.is_some_and(|below| below.starts_with('/'))
        };
        matches!(
            folder.contents,
            Some(DeletedContents {
                files: 0,
                missing: None
            })
        ) && self.rows.iter().any(is_below)
    }

    fn state(&self, row: &Deletion) -> String {
        let Some(DeletedContents { files, missing }) = &row.contents else {
            let state = row.gone_by.map_or("", |_| "permanent");
            return state.to_owned();
        };
        match (files, missing) {
            _ if self.is_emptied(row) => "none left".to_owned(),
            (0, None) => "no files".to_owned(),
            (0, Some(_)) => "not known".to_owned(),
            (files, None) => figures::count(*files, "file"),
            (files, Some(_)) => format!("{}+ files", figures::number(*files)),
        }
    }

    fn keys(&self) -> Vec<(&'static str, &'static str)> {
        let here = self.rows.get(self.cursor.at());
        let mut keys = vec![
            ("y", "copy"),
            ("s", "save"),
            ("Y", "copy all receipts"),
            ("esc", "close"),
        ];
        if self.of_folder {
            keys.retain(|(key, _)| *key != "Y");
        }
        if self.trash.is_some() {
            keys.insert(0, ("b", "restore"));
        }
        if here.is_some_and(can_purge) {
            keys.insert(0, ("D", "delete permanently"));
        }
        match here.map(|row| (&row.contents, row.gone_by)) {
            Some((None, Some(_))) => keys.insert(0, ("enter", "receipt")),
            Some((None, None)) => keys.insert(0, ("enter", "record")),
            Some((Some(contents), _)) if contents.files > 0 => {
                keys.insert(0, ("enter", "its files"));
            }
            _ => {}
        }
        keys
    }
}

impl Modal for Deletions {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        self.message = None;
        let row = self.rows.get(self.cursor.at());
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return Reply::Closed,
            KeyCode::Enter => match row.map(|row| (row, &row.contents)) {
                Some((row, Some(contents))) if contents.files > 0 => {
                    return Reply::DeletedWith(Box::new(row.clone()));
                }
                Some((_, Some(_))) => self.message = Some(NONE_LEFT.to_owned()),
                Some((row, None)) => return Reply::ShowReceipt(Box::new(row.clone())),
                None => {}
            },
            KeyCode::Char('D') => match row {
                Some(row) if can_purge(row) => {
                    return Reply::Accepted(Intent::Purge(Box::new(row.clone())));
                }
                Some(row) if row.contents.is_some() => self.message = Some(NONE_LEFT.to_owned()),
                _ => self.message = Some("It is permanently deleted already.".to_owned()),
            },
            KeyCode::Char('y') => {
                if let Some(row) = row {
                    return Reply::Copy(self.receipt(row).text());
                }
            }
            KeyCode::Char('s') => {
                if let Some(row) = row {
                    let receipt = self.receipt(row);
                    return Reply::Save {
                        name: receipt.file_name(),
                        text: receipt.text(),
                    };
                }
            }
            KeyCode::Char('?') => {
                let keys = self.keys().into_iter();
                let keys: Vec<String> = keys.map(|(key, does)| format!("{key} {does}")).collect();
                self.message = Some(format!("{}.", keys.join(", ")));
            }
            KeyCode::Char('b') => {
                if let Some(address) = self.trash {
                    return Reply::OpenBrowser(address.to_owned());
                }
            }
            KeyCode::Char('Y') => {
                let receipts = self.rows.iter().filter(|row| row.gone_by.is_some());
                let texts: Vec<String> = receipts.map(|row| self.receipt(row).text()).collect();
                if texts.is_empty() {
                    self.message = Some(
                        "None of these is permanently deleted, so there is no receipt.".to_owned(),
                    );
                    return Reply::Open;
                }
                return Reply::Copy(texts.join("\n"));
            }
            _ => {
                self.cursor.on_key(key.code);
            }
        }
        Reply::Open
    }

    /// Moves the cursor to the clicked row; a double click acts like enter.
    fn on_click(&mut self, target: DialogTarget, is_double: bool, now: Clocks) -> Reply {
        let DialogTarget::Row(row) = target else {
            return Reply::Open;
        };
        self.cursor.go_to(row);
        self.message = None;
        if is_double {
            self.on_key(Key::plain(KeyCode::Enter), now)
        } else {
            Reply::Open
        }
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let note = text::wrap_without_widow(&self.note(), frame::inner_width(screen));
        let mut pen = frame::open(
            &self.title,
            self.rows.len() + note.len() + 3,
            screen,
            buf,
            theme,
        );
        let room = pen.left().saturating_sub(note.len() + 3);
        let window = self.cursor.window(room);
        pen.scrollbar(&window, self.rows.len());
        // Files of one folder have no state to show.
        let column = if self.of_folder { 0 } else { 2 + STATE };
        for (at, row) in self
            .rows
            .iter()
            .enumerate()
            .skip(window.start)
            .take(window.len())
        {
            let time = figures::date_time(row.deleted_at, &self.zone);
            let room = pen.width().saturating_sub(text::width(&time) + 2 + column);
            let path = visible(&row.path) + if row.contents.is_some() { "/" } else { "" };
            pen.target(DialogTarget::Row(at));
            pen.row(
                Line::from(vec![
                    Span::styled(format!("{time}  "), theme.dim),
                    Span::styled(text::left(&path, room), theme.text),
                    Span::styled(text::right(&self.state(row), column), theme.dim),
                ]),
                at == self.cursor.at(),
            );
        }
        pen.text("", theme.text);
        for line in &note {
            pen.text(line, theme.dim);
        }
        pen.keys(&self.keys());
        pen.done(None)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.cursor)
    }
}

/// Returns `true` if anything of a row can still be deleted permanently.
fn can_purge(row: &Deletion) -> bool {
    row.gone_by.is_none()
        && row
            .contents
            .as_ref()
            .is_none_or(|contents| contents.files > 0)
}

/// Describes what is known of the files that were deleted with a folder.
fn went_with(DeletedContents { files, missing }: &DeletedContents) -> String {
    let known = figures::count(*files, "file");
    match (files, missing.as_deref().map(visible)) {
        (0, None) => "It held no files: there is nothing left to erase.".to_owned(),
        (0, Some(why)) => format!("The files deleted with it are not known: {why}"),
        (_, None) => format!("{known} deleted with it can be deleted permanently."),
        (_, Some(why)) => format!(
            "{known} deleted with it can be deleted permanently; others are not known: {why}"
        ),
    }
}
