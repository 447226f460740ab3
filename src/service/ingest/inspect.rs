//! The properties of a file by its first bytes and its extension: kind, media type, encoding,
//! dimensions. Reads headers only; nothing is ever decoded
//! (`guarantees.md#pictures-are-decoded-within-bounds`,
//! `guarantees.md#headers-of-pictures-and-videos-are-not-believed`).

use super::charset::Charset;
use super::measure::Head;
use super::video;
use crate::api::model::FileKind;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inspection {
    pub(crate) kind: FileKind,
    pub(crate) media_type: String,
    pub(crate) encoding: Option<String>,
    /// Width and height in pixels, of images and of videos whose header comes first.
    pub(crate) dimensions: Option<(u32, u32)>,
    /// The extension for an unnamed file of this content; empty if the content is unknown.
    pub(crate) usual_extension: &'static str,
}

/// Goes by the content if it is recognized, else by the extension. `charset` is what the sender
/// gave for a text.
pub(super) fn inspect(head: &Head, extension: &str, charset: Option<Charset>) -> Inspection {
    let bytes = head.bytes.as_slice();
    let sniffed = infer::get(bytes);
    let by_name = mime_guess::from_ext(extension).first();
    let media_type = match (&sniffed, &by_name) {
        // Containers look alike inside: a .docx is a zip archive, but its extension says more.
        (Some(found), Some(named)) if found.mime_type() == "application/zip" => {
            named.essence_str().to_owned()
        }
        (Some(found), _) => found.mime_type().to_owned(),
        (None, Some(named)) => named.essence_str().to_owned(),
        (None, None) if is_text(bytes) => "text/plain".to_owned(),
        (None, None) => "application/octet-stream".to_owned(),
    };
    let kind = kind_of(&media_type);
    let dimensions = match kind {
        FileKind::Image => dimensions(bytes),
        FileKind::Movie => video::dimensions(bytes),
        _ => None,
    };
    let encoding = if is_textual(&media_type) {
        Some(
            charset
                .unwrap_or_else(|| Charset::of_text(head))
                .into_label(),
        )
    } else if extension.is_empty() {
        None
    } else {
        Some(extension.to_lowercase())
    };
    let usual_extension = sniffed.map_or(if is_text(bytes) { "txt" } else { "" }, |found| {
        found.extension()
    });
    Inspection {
        kind,
        media_type,
        encoding,
        dimensions,
        usual_extension,
    }
}

fn dimensions(head: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(head).ok()?;
    Some((
        u32::try_from(size.width).ok()?,
        u32::try_from(size.height).ok()?,
    ))
}

fn kind_of(media_type: &str) -> FileKind {
    let (family, subtype) = media_type.split_once('/').unwrap_or((media_type, ""));
    match family {
        "image" => FileKind::Image,
        "audio" => FileKind::Audio,
        "video" => FileKind::Movie,
        "text" => FileKind::Document,
        "application" if is_document(subtype) => FileKind::Document,
        _ => FileKind::Unspecified,
    }
}

fn is_document(subtype: &str) -> bool {
    matches!(
        subtype,
        "pdf" | "msword" | "rtf" | "json" | "xml" | "epub+zip" | "postscript" | "toml" | "x-yaml"
    ) || subtype.starts_with("vnd.openxmlformats-officedocument")
        || subtype.starts_with("vnd.oasis.opendocument")
        || subtype.starts_with("vnd.ms-")
}

fn is_textual(media_type: &str) -> bool {
    media_type.starts_with("text/")
        || matches!(
            media_type,
            "application/json"
                | "application/xml"
                | "application/xhtml+xml"
                | "application/javascript"
                | "application/toml"
        )
}

/// Returns `true` if these may be the first bytes of a text.
fn is_text(head: &[u8]) -> bool {
    !head.is_empty()
        && !head
            .iter()
            .any(|byte| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hostile;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";

    fn of(bytes: &[u8], extension: &str) -> Inspection {
        inspect(
            &Head {
                bytes: bytes.to_vec(),
                is_whole: true,
            },
            extension,
            None,
        )
    }

    #[test]
    fn an_image_is_known_by_its_bytes_even_under_another_name() {
        let found = of(PNG, "txt");
        assert_eq!(
            (found.kind, found.dimensions),
            (FileKind::Image, Some((3, 2)))
        );
        assert_eq!(found.media_type, "image/png");
    }

    #[test]
    fn a_broken_image_has_no_dimensions_but_is_taken() {
        let found = of(b"\x89PNG\r\n\x1a\nrubbish", "png");
        assert_eq!((found.kind, found.dimensions), (FileKind::Image, None));
        assert_eq!(found.encoding.as_deref(), Some("png"));
    }

    #[test]
    fn text_takes_the_charset_that_the_sender_hints_at() {
        let head = Head {
            bytes: b"plain".to_vec(),
            is_whole: true,
        };
        let hinted = Charset::of_hint("windows-1252").unwrap();
        assert_eq!(
            inspect(&head, "txt", hinted).encoding.as_deref(),
            Some("windows-1252")
        );
        assert_eq!(
            inspect(&head, "txt", None).encoding.as_deref(),
            Some("utf-8")
        );
        assert_eq!(of("Größe".as_bytes(), "").usual_extension, "txt");
    }

    #[test]
    fn documents_and_unknown_bytes_are_told_apart() {
        assert_eq!(of(b"%PDF-1.7\n", "pdf").kind, FileKind::Document);
        assert_eq!(of(&[0, 1, 2, 3], "bin").kind, FileKind::Unspecified);
    }

    proptest! {
        #[test]
        fn hostile_content_has_a_kind_and_a_media_type(
            bytes in hostile::bytes(vec![
                PNG.to_vec(),
                include_bytes!("../../../assets/sample/library/meadow.webp")[..64].to_vec(),
                include_bytes!("../../../assets/sample/library/aurora.jpg")[..512].to_vec(),
            ]),
            extension in prop::sample::select(vec!["png", "txt", "svg", ""]),
        ) {
            prop_assert!(of(&bytes, extension).media_type.contains('/'));
        }
    }
}
