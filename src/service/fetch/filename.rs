//! The name of an imported file: the requested one, one from the `Content-Disposition` of the
//! response, or the end of the url's path. Any source is turned into a valid name; this never
//! fails. The crates that parse the header prefer `filename` to `filename*` (`mailparse`,
//! `content_disposition`), or refuse headers that servers do send (`parse-net`).

use percent_encoding::percent_decode_str;
use url::Url;

/// The maximum length of a name in bytes, extension included.
const MAX_BYTES: usize = 255;
/// The maximum length of an extension; longer text after the last dot is not one.
const MAX_EXTENSION: usize = 12;

pub(super) fn choose(
    wanted: Option<&str>,
    disposition: Option<&str>,
    url: &Url,
    media_type: Option<&str>,
) -> String {
    let from_url = url
        .path_segments()
        .and_then(|mut segments| segments.next_back());
    let from_url =
        from_url.map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned());
    let found = [disposition.and_then(from_disposition), from_url];
    let found = || found.iter().flatten().filter_map(|name| valid(name));
    let wanted = wanted.and_then(valid);
    let extension = || {
        found()
            .find_map(|name| extension_of(&name))
            .or_else(|| media_type.and_then(usual_extension))
    };
    let name = wanted
        .clone()
        .or_else(|| found().next())
        .unwrap_or_else(|| "import".to_owned());
    // A requested name is often a stem with a dot in it ("v1.2"), so only a known extension, or that
    // of the source, counts as one there.
    let complete = match extension_of(&name) {
        Some(own) if wanted.is_some() => {
            mime_guess::from_ext(&own).first().is_some()
                || found().any(|name| extension_of(&name).as_ref() == Some(&own))
        }
        Some(_) => true,
        None => false,
    };
    match extension() {
        Some(extension) if !complete => shortened(&name, &extension),
        _ => match name.rsplit_once('.') {
            Some((stem, extension)) if complete => shortened(stem, extension),
            _ => cut(&name, MAX_BYTES).to_owned(),
        },
    }
}

/// Returns the last part of a path without control characters, outer blanks and trailing dots, if
/// any is left.
fn valid(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name: String = last.chars().filter(|c| !c.is_control()).collect();
    let name = name.trim().trim_end_matches('.').trim_end();
    (!name.is_empty() && name.chars().any(|c| c != '.')).then(|| name.to_owned())
}

fn extension_of(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    let usable = !stem.is_empty()
        && (1..=MAX_EXTENSION).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    usable.then(|| extension.to_owned())
}

fn shortened(stem: &str, extension: &str) -> String {
    format!(
        "{}.{extension}",
        cut(stem, MAX_BYTES.saturating_sub(extension.len() + 1))
    )
}

/// Returns the longest prefix of at most `bytes` bytes that does not split a character.
fn cut(text: &str, bytes: usize) -> &str {
    text.split_at(text.floor_char_boundary(bytes)).0
}

/// Prefers `filename*=UTF-8''...` to `filename="..."` (RFC 6266).
fn from_disposition(header: &str) -> Option<String> {
    let mut plain = None;
    for parameter in parameters(header) {
        let Some((key, value)) = parameter.split_once('=') else {
            continue;
        };
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "filename*" => {
                let mut parts = value.splitn(3, '\'');
                let charset = parts.next().unwrap_or_default();
                if let (true, Some(text)) = (charset.eq_ignore_ascii_case("utf-8"), parts.nth(1)) {
                    return Some(percent_decode_str(text).decode_utf8_lossy().into_owned());
                }
            }
            "filename" => {
                let inner = value
                    .strip_prefix('"')
                    .and_then(|value| value.strip_suffix('"'));
                plain = Some(
                    inner.map_or_else(|| value.to_owned(), |inner| inner.replace("\\\"", "\"")),
                );
            }
            _ => {}
        }
    }
    plain
}

fn parameters(header: &str) -> Vec<&str> {
    let mut quoted = false;
    let mut escaped = false;
    header
        .split(|c| {
            quoted ^= c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            c == ';' && !quoted
        })
        .collect()
}

fn usual_extension(media_type: &str) -> Option<String> {
    let essence = media_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let extension = match essence.as_str() {
        "application/gzip" => "gz",
        "application/javascript" | "text/javascript" => "js",
        "application/json" => "json",
        "application/pdf" => "pdf",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => "pptx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "xlsx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        "application/xml" | "text/xml" => "xml",
        "application/zip" => "zip",
        "audio/mpeg" => "mp3",
        "audio/ogg" => "ogg",
        "audio/wav" | "audio/x-wav" => "wav",
        "image/avif" => "avif",
        "image/bmp" => "bmp",
        "image/gif" => "gif",
        "image/jpeg" => "jpg",
        "image/png" => "png",
        "image/svg+xml" => "svg",
        "image/tiff" => "tif",
        "image/webp" => "webp",
        "image/x-icon" | "image/vnd.microsoft.icon" => "ico",
        "text/css" => "css",
        "text/csv" => "csv",
        "text/html" => "html",
        "text/markdown" => "md",
        "text/plain" => "txt",
        "video/mp4" => "mp4",
        "video/quicktime" => "mov",
        "video/webm" => "webm",
        _ => return None,
    };
    Some(extension.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::hostile;

    #[rstest]
    #[case::from_the_path(None, None, "/a/logo.png", None, "logo.png")]
    #[case::percent_decoded(None, None, "/Gr%C3%B6%C3%9Fe%201.pdf", None, "Größe 1.pdf")]
    #[case::type_gives_the_extension(
        None,
        None,
        "/download",
        Some("image/jpeg; q=1"),
        "download.jpg"
    )]
    #[case::nothing_known(None, None, "/", None, "import")]
    #[case::root_of_a_typed_answer(None, None, "/", Some("text/html"), "import.html")]
    #[case::wanted_stem(Some("hero"), None, "/a/logo.png", None, "hero.png")]
    #[case::wanted_stem_with_a_dot(Some("plan v1.2"), None, "/a/x.pdf", None, "plan v1.2.pdf")]
    #[case::wanted_with_extension(Some("hero.jpg"), None, "/a/logo.png", None, "hero.jpg")]
    #[case::wanted_with_that_of_the_source(Some("b.v1"), None, "/a/a.v1", None, "b.v1")]
    #[case::disposition(None, Some("attachment; filename=\"a;b.csv\""), "/x", None, "a;b.csv")]
    #[case::disposition_star(
        None,
        Some("attachment; filename=\"x.csv\"; filename*=UTF-8''na%C3%AFve.csv"),
        "/x",
        None,
        "naïve.csv"
    )]
    #[case::traversal_in_disposition(
        None,
        Some("attachment; filename=\"../../etc/passwd\""),
        "/x",
        None,
        "passwd"
    )]
    #[case::traversal_in_path(None, None, "/a/..%2F..%2Fsecret.txt", None, "secret.txt")]
    #[case::backslashes(
        None,
        Some("attachment; filename=\"C:\\\\tmp\\\\a.txt\""),
        "/x",
        None,
        "a.txt"
    )]
    #[case::controls(None, None, "/a%00%1B%5B2Jb.txt", None, "a[2Jb.txt")]
    #[case::dots_only(None, Some("attachment; filename=\"..\""), "/ok.txt", None, "ok.txt")]
    fn names_come_from_the_best_source_and_are_valid(
        #[case] wanted: Option<&str>,
        #[case] disposition: Option<&str>,
        #[case] path: &str,
        #[case] media_type: Option<&str>,
        #[case] expected: &str,
    ) {
        let url = Url::parse("http://files.example.com")
            .unwrap()
            .join(path)
            .unwrap();
        assert_eq!(choose(wanted, disposition, &url, media_type), expected);
    }

    #[test]
    fn long_names_are_cut_before_their_extension() {
        let url = Url::parse(&format!("http://example.com/{}.png", "é".repeat(300))).unwrap();
        let name = choose(None, None, &url, None);
        assert!(name.len() <= MAX_BYTES && name.ends_with("é.png"), "{name}");
    }

    proptest! {
        #[test]
        fn hostile_headers_and_addresses_give_a_name_without_a_path(
            header in hostile::text(&["attachment; filename=\"a.csv\"; filename*=UTF-8''na%C3%AFve.csv", "inline; filename=..\\..\\x"]),
            path in hostile::text(&["/a/..%2F..%2Fsecret.txt", "/%00%1b[2J.png"]),
        ) {
            let base = Url::parse("http://files.example.com").unwrap();
            let url = base.join(&path).unwrap_or(base);
            let name = choose(None, Some(&header), &url, Some("text/csv"));
            prop_assert!((1..=MAX_BYTES).contains(&name.len()) && name != ".." && name != ".", "{name}");
            prop_assert!(!name.contains(['/', '\\']) && !name.chars().any(char::is_control), "{name:?}");
        }
    }
}
