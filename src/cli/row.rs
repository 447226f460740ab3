//! Files and folders as lines of text, for a person: fixed columns with the name last, so that rows can be printed as
//! they arrive.

use bytesize::ByteSize;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::api::model::{Access, File, Folder};

pub fn header() -> String {
    line("ACCESS", "SIZE", "UPDATED", "EXPIRES", "NAME")
}

pub fn folder(folder: &Folder) -> String {
    line("dir", "-", &minute(folder.updated_at), "", &format!("{}/", folder.full_name()))
}

pub fn file(file: &File) -> String {
    let size = file.size.map(size).unwrap_or_default();
    let expires = file.expires_at.map_or_else(|| "never".to_owned(), |time| minute(Some(time)));
    line(access(file.access.as_ref()), &size, &minute(file.updated_at), &expires, &file.full_name())
}

/// A number of bytes, short.
pub fn size(bytes: u64) -> String {
    ByteSize::b(bytes).display().iec_short().to_string()
}

fn access(access: Option<&Access>) -> &str {
    match access {
        Some(Access::PublicIndexable) => "INDX",
        Some(Access::PublicNotIndexable) => "LINK",
        Some(Access::Private) => "PRIV",
        Some(other) => other.as_str(),
        None => "?",
    }
}

fn minute(time: Option<Timestamp>) -> String {
    time.map(|time| time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()
}

fn line(access: &str, size: &str, updated: &str, expires: &str, name: &str) -> String {
    format!("{access:<6}  {size:>7}  {updated:<16}  {expires:<16}  {name}")
}
