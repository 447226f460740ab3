//! The glyph and color of a file, by its name's extension, or of a folder.

use ratatui::style::Style;

use super::symbols;
use super::theme::Theme;
use crate::api::model::FileKind;
use crate::engine::preview::PreviewKind;

const ARCHIVES: [&str; 9] = ["zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar", "zst"];

pub fn is_archive(extension: &str) -> bool {
    ARCHIVES
        .iter()
        .any(|archive| extension.eq_ignore_ascii_case(archive))
}

/// The glyph and style of a file of the account, which has a kind, or of a folder.
pub fn of(
    kind: Option<&FileKind>,
    extension: &str,
    is_folder: bool,
    theme: &Theme,
) -> (&'static str, Style) {
    match kind {
        Some(FileKind::Image) => (symbols::PICTURE, theme.picture),
        // A service takes TypeScript for a film.
        Some(FileKind::Movie) if PreviewKind::of(extension, kind) != PreviewKind::Text => {
            (symbols::FILM, theme.media)
        }
        Some(FileKind::Audio) => (symbols::SOUND, theme.media),
        Some(FileKind::Document) if !is_archive(extension) => (symbols::DOCUMENT, theme.document),
        _ => of_extension(extension, is_folder, theme),
    }
}

/// The glyph and style of a file without a kind, or of a folder.
pub fn of_extension(extension: &str, is_folder: bool, theme: &Theme) -> (&'static str, Style) {
    const SOUNDS: [&str; 9] = [
        "mp3", "m4a", "m4b", "flac", "wav", "aif", "aiff", "ogg", "opus",
    ];
    const FILMS: [&str; 8] = ["mp4", "m4v", "mov", "avi", "mkv", "webm", "mpg", "mpeg"];
    const DOCUMENTS: [&str; 16] = [
        "txt", "md", "markdown", "pdf", "csv", "tsv", "doc", "docx", "docm", "odt", "rtf", "xls",
        "xlsx", "xlsm", "ppt", "pptx",
    ];
    let is_one_of = |known: &[&str]| {
        known
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    };
    match () {
        // For screen readers, the slash after the name marks a folder.
        () if is_folder && theme.is_plain() => (" ", theme.dim),
        () if is_folder => (symbols::CLOSED, theme.dim),
        () if is_archive(extension) => (symbols::ARCHIVE, theme.archive),
        () if is_one_of(&SOUNDS) => (symbols::SOUND, theme.media),
        () if is_one_of(&FILMS) => (symbols::FILM, theme.media),
        () if is_one_of(&DOCUMENTS) => (symbols::DOCUMENT, theme.document),
        () if is_one_of(&["svg"]) => (symbols::PICTURE, theme.picture),
        () if PreviewKind::of(extension, None) == PreviewKind::Picture => {
            (symbols::PICTURE, theme.picture)
        }
        () => (symbols::OTHER, theme.dim),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typescript_is_no_film() {
        let sign = |name: &str| of(Some(&FileKind::Movie), name, false, &Theme::default()).0;
        assert_eq!((sign("ts"), sign("mp4")), (symbols::OTHER, symbols::FILM));
    }
}
