//! One glyph for the kind of a row, or a circle that turns while something is done with it.

use jiff::Timestamp;
use ratatui::style::Style;

use crate::api::model::FileKind;
use crate::engine::preview::PreviewKind;
use crate::tui::state::Row;
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;

const ARCHIVES: [&str; 9] = ["zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar", "zst"];

pub(super) fn of(row: &Row, now: Timestamp, is_busy: bool, theme: &Theme) -> (&'static str, Style) {
    if is_busy {
        return (spinner(now), theme.busy);
    }
    if !row.is_file() {
        return (symbols::CLOSED, theme.dim);
    }
    let extension = row.extension();
    match &row.kind {
        Some(FileKind::Image) => (symbols::PICTURE, theme.picture),
        Some(FileKind::Movie) => (symbols::FILM, theme.media),
        Some(FileKind::Audio) => (symbols::SOUND, theme.media),
        _ if ARCHIVES.iter().any(|archive| extension.eq_ignore_ascii_case(archive)) => {
            (symbols::ARCHIVE, theme.archive)
        }
        Some(FileKind::Document) => (symbols::DOCUMENT, theme.document),
        _ => (symbols::OTHER, theme.dim),
    }
}

/// The same of a file or folder of this machine, which nobody has given a kind.
pub(super) fn of_local(extension: &str, is_folder: bool, theme: &Theme) -> (&'static str, Style) {
    const SOUNDS: [&str; 9] = ["mp3", "m4a", "m4b", "flac", "wav", "aif", "aiff", "ogg", "opus"];
    const FILMS: [&str; 8] = ["mp4", "m4v", "mov", "avi", "mkv", "webm", "mpg", "mpeg"];
    const DOCUMENTS: [&str; 16] = [
        "txt", "md", "markdown", "pdf", "csv", "tsv", "doc", "docx", "docm", "odt", "rtf", "xls", "xlsx", "xlsm",
        "ppt", "pptx",
    ];
    let is_one_of = |known: &[&str]| known.iter().any(|known| extension.eq_ignore_ascii_case(known));
    match () {
        () if is_folder => (symbols::CLOSED, theme.dim),
        () if is_one_of(&ARCHIVES) => (symbols::ARCHIVE, theme.archive),
        () if is_one_of(&SOUNDS) => (symbols::SOUND, theme.media),
        () if is_one_of(&FILMS) => (symbols::FILM, theme.media),
        () if is_one_of(&DOCUMENTS) => (symbols::DOCUMENT, theme.document),
        () if is_one_of(&["svg"]) => (symbols::PICTURE, theme.picture),
        () if PreviewKind::of(extension, None) == PreviewKind::Picture => (symbols::PICTURE, theme.picture),
        () => (symbols::OTHER, theme.dim),
    }
}

/// A quarter circle that turns four times a second.
pub(super) fn spinner(now: Timestamp) -> &'static str {
    let quarter = now.as_millisecond().div_euclid(250).rem_euclid(4);
    usize::try_from(quarter).ok().and_then(|at| symbols::SPINNER.get(at)).copied().unwrap_or(symbols::WAITS)
}
