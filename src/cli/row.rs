//! Files and folders as lines of text: fixed columns with the name last, so that rows can be
//! printed as they arrive.

use std::io::{self, IsTerminal as _};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::locate::entry_path;
use super::output::size;
use crate::api::model::Access;
use crate::engine::message::Entry;

pub fn header() -> String {
    line("ACCESS", "SIZE", "UPDATED", "EXPIRES", "NAME")
}

/// Formats a file or folder with its path instead of its name.
pub fn found(entry: &Entry) -> String {
    named(entry, &entry_path(entry))
}

/// Formats a file or folder under this name.
pub fn named(entry: &Entry, name: &str) -> String {
    let file = match entry {
        Entry::Folder(folder) => return line("dir", "-", &minute(folder.updated_at), "", name),
        Entry::File(file) => file,
    };
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
