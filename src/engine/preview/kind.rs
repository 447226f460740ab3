//! The kind of preview of a file, by its extension and by the kind that the service reports.

use crate::api::model::FileKind;
use crate::drawing::DrawKind;

/// The kind of preview that a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewKind {
    /// Text, unless the bytes turn out to be something else.
    Text,
    Markdown,
    Table,
    Picture,
    /// Drawn by a child process.
    Drawn(DrawKind),
    /// A ZIP, shown as a list of its entries.
    Archive,
    /// A ZIP with a document, a spreadsheet or slides in it; shown as a list if these cannot be
    /// read.
    Office(OfficeKind),
    /// A film or sound, shown as facts about it.
    Media,
    /// Never opened; holds the name of its type.
    Facts(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfficeKind {
    Document,
    Sheet,
    Slides,
}

const PICTURES: [&str; 9] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "tif", "tiff",
];
/// Source code whose extensions a service may take for those of films.
const CODE: [&str; 4] = ["ts", "mts", "cts", "tsx"];
const TABLES: [&str; 2] = ["csv", "tsv"];
const MARKDOWN: [&str; 2] = ["md", "markdown"];
const MEDIA: [&str; 14] = [
    "mp4", "m4v", "mov", "m4a", "m4b", "mp3", "flac", "wav", "aif", "aiff", "aac", "ogg", "oga",
    "opus",
];
const DRAWN: [(&str, DrawKind); 5] = [
    ("svg", DrawKind::Svg),
    ("pdf", DrawKind::Pdf),
    ("ttf", DrawKind::Font),
    ("otf", DrawKind::Font),
    ("ttc", DrawKind::Font),
];
const ARCHIVES: [&str; 7] = ["zip", "jar", "apk", "epub", "odt", "ods", "odp"];
const OFFICE: [(&str, OfficeKind); 6] = [
    ("docx", OfficeKind::Document),
    ("docm", OfficeKind::Document),
    ("xlsx", OfficeKind::Sheet),
    ("xlsm", OfficeKind::Sheet),
    ("pptx", OfficeKind::Slides),
    ("pptm", OfficeKind::Slides),
];
const NEVER_OPENED: [(&str, &[&str]); 10] = [
    ("PDF document", &["pdf"]),
    ("text document", &["doc", "rtf", "pages"]),
    ("spreadsheet", &["xls", "numbers"]),
    ("presentation", &["ppt", "key"]),
    (
        "archive",
        &[
            "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "tar", "iso", "dmg",
        ],
    ),
    ("film", &["avi", "mkv", "webm", "wmv", "mpg", "mpeg"]),
    ("sound", &["wma"]),
    (
        "picture",
        &[
            "heic", "heif", "avif", "psd", "ai", "eps", "jxl", "raw", "cr2", "nef",
        ],
    ),
    ("font", &["ttf", "otf", "ttc", "woff", "woff2", "eot"]),
    (
        "program",
        &["exe", "dll", "so", "dylib", "bin", "msi", "wasm", "class"],
    ),
];

impl PreviewKind {
    /// Returns the kind of preview. The extension takes precedence over the service's kind: an
    /// image made of text is text.
    pub fn of(extension: &str, kind: Option<&FileKind>) -> Self {
        let extension = extension.to_ascii_lowercase();
        let is = |known: &&str| **known == *extension;
        if PICTURES.iter().any(is) {
            return Self::Picture;
        }
        if TABLES.iter().any(is) {
            return Self::Table;
        }
        let drawn = DRAWN.iter().find(|(known, _)| *known == extension);
        if let Some((_, kind)) = drawn.filter(|_| cfg!(feature = "previews")) {
            return Self::Drawn(*kind);
        }
        if MARKDOWN.iter().any(is) {
            return Self::Markdown;
        }
        if MEDIA.iter().any(is) {
            return Self::Media;
        }
        if ARCHIVES.iter().any(is) {
            return Self::Archive;
        }
        if let Some((_, kind)) = OFFICE.iter().find(|(known, _)| *known == extension) {
            return Self::Office(*kind);
        }
        if CODE.iter().any(is) {
            return Self::Text;
        }
        let named = NEVER_OPENED
            .iter()
            .find(|(_, extensions)| extensions.iter().any(is));
        match (named, kind) {
            (Some((name, _)), _) => Self::Facts(name),
            (None, Some(FileKind::Movie)) => Self::Facts("film"),
            (None, Some(FileKind::Audio)) => Self::Facts("sound"),
            (None, _) => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("PNG", None, PreviewKind::Picture)]
    #[case("csv", Some(FileKind::Document), PreviewKind::Table)]
    #[cfg_attr(
        feature = "previews",
        case("pdf", Some(FileKind::Document), PreviewKind::Drawn(DrawKind::Pdf))
    )]
    #[cfg_attr(
        not(feature = "previews"),
        case("pdf", None, PreviewKind::Facts("PDF document"))
    )]
    #[case("doc", Some(FileKind::Document), PreviewKind::Facts("text document"))]
    #[case("zip", None, PreviewKind::Archive)]
    #[case(
        "XLSX",
        Some(FileKind::Document),
        PreviewKind::Office(OfficeKind::Sheet)
    )]
    #[case("xml", Some(FileKind::Image), PreviewKind::Text)]
    #[case("", Some(FileKind::Movie), PreviewKind::Facts("film"))]
    #[case("ts", Some(FileKind::Movie), PreviewKind::Text)]
    #[case("", None, PreviewKind::Text)]
    #[case("rs", Some(FileKind::Unspecified), PreviewKind::Text)]
    fn the_extension_decides_before_the_kind(
        #[case] extension: &str,
        #[case] kind: Option<FileKind>,
        #[case] expected: PreviewKind,
    ) {
        assert_eq!(PreviewKind::of(extension, kind.as_ref()), expected);
    }
}
