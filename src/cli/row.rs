//! Files and folders as lines of text: fixed columns with the name last, so that rows can be
//! printed as they arrive.

use std::io::{self, IsTerminal as _};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::locate::{file_path, folder_path};
use super::output::size;
use crate::api::model::{Access, File, Folder};
use crate::engine::message::Entry;

pub fn header() -> String {
    line("ACCESS", "SIZE", "UPDATED", "EXPIRES", "NAME")
}

pub fn folder(folder: &Folder) -> String {
    folder_named(folder, &format!("{}/", folder.full_name()))
}

fn folder_named(folder: &Folder, name: &str) -> String {
    line("dir", "-", &minute(folder.updated_at), "", name)
}

pub fn file(file: &File) -> String {
    file_named(file, &file.full_name())
}

/// Formats a file or folder with its path instead of its name.
pub fn found(entry: &Entry) -> String {
    match entry {
        Entry::Folder(folder) => folder_named(folder, &path(entry)),
        Entry::File(file) => file_named(file, &path(entry)),
    }
}

/// Returns the path alone; a folder's ends with a slash.
pub fn path(entry: &Entry) -> String {
    match entry {
        Entry::Folder(folder) => folder_path(folder) + "/",
        Entry::File(file) => file_path(file),
    }
}

fn file_named(file: &File, name: &str) -> String {
    let size = file.size.map(size).unwrap_or_default();
    let expires = file
        .expires_at
        .map_or_else(|| "never".to_owned(), |time| minute(Some(time)));
    line(
        access(file.access.as_ref()),
        &size,
        &minute(file.updated_at),
        &expires,
        name,
    )
}

fn access(access: Option<&Access>) -> &str {
    match access {
        // An unknown level is shown as the service sent it.
        Some(Access::Other(level)) => level,
        Some(level) => level.word(),
        None => "?",
    }
}

fn minute(time: Option<Timestamp>) -> String {
    time.map(|time| {
        time.to_zoned(TimeZone::system())
            .strftime("%Y-%m-%d %H:%M")
            .to_string()
    })
    .unwrap_or_default()
}

/// The least width of a terminal for the expiry, and for the time of the last change: a narrower
/// one keeps the name whole.
const LEAST_WIDTHS: [u16; 2] = [80, 64];

fn line(access: &str, size: &str, updated: &str, expires: &str, name: &str) -> String {
    let width = terminal_width();
    let [has_expiry, has_time] = LEAST_WIDTHS.map(|least| width.is_none_or(|width| width >= least));
    let expires = if has_expiry {
        format!("{expires:<16}  ")
    } else {
        String::new()
    };
    let updated = if has_time {
        format!("{updated:<16}  ")
    } else {
        String::new()
    };
    format!("{access:<9}  {size:>7}  {updated}{expires}{name}")
}

/// Returns the columns of the terminal that standard output is, if it is one.
fn terminal_width() -> Option<u16> {
    let is_terminal = io::stdout().is_terminal();
    is_terminal
        .then(|| crossterm::terminal::size().ok())
        .flatten()
        .map(|(columns, _)| columns)
}
