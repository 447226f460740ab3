//! Records as the API shows them, with their addresses under the service's base URL.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::Map;
use url::Url;

use super::access::signing::{Grant, Signer};
use super::policy;
use super::resize::Resized;
use super::store::{FileRecord, FolderRecord};
use crate::api::model::{File, Folder, SignedUrl};

/// The file object (`wire.md` §1).
pub(crate) fn file(record: FileRecord, base: &Url) -> File {
    let path = record.path();
    let url = public_url(&path, base);
    File {
        id: record.key.into(),
        created_at: Some(record.created_at),
        updated_at: Some(record.updated_at),
        archived_at: record.deleted_at,
        archived: record.deleted_at.is_some(),
        parent_folder_id: record.folder.map(Into::into),
        name: Some(record.stem),
        path: Some(path),
        size: Some(record.content.size),
        height: record.content.height,
        width: record.content.width,
        encoding: record.content.encoding,
        kind: Some(record.content.kind),
        extension: Some(record.extension).filter(|extension| !extension.is_empty()),
        default_hosting_url: Some(url.clone()),
        url: Some(url),
        is_usable_in_content: Some(record.usable),
        access: Some(record.access),
        file_md5: Some(record.content.md5),
        expires_at: record.expires_at,
        source_group: Some(record.source_group),
        extra: Map::new(),
    }
}

/// The folder object (`wire.md` §1).
pub(crate) fn folder(record: FolderRecord) -> Folder {
    Folder {
        id: record.key.into(),
        created_at: Some(record.created_at),
        updated_at: Some(record.updated_at),
        archived_at: record.deleted_at,
        archived: record.deleted_at.is_some(),
        parent_folder_id: record.parent.map(Into::into),
        name: Some(record.name),
        path: Some(record.path),
        extra: Map::new(),
    }
}

/// The signed address of a file, with what is said beside it of the bytes that it leads to: the file's own, or those of a
/// copy (`wire.md` §4).
pub(crate) fn signed_url(
    record: &FileRecord,
    copy: Option<&Resized>,
    grant: &Grant,
    signer: &Signer,
    base: &Url,
) -> SignedUrl {
    let mut url = below(base, [policy::SIGNED_PREFIX, &record.key.0.to_string(), &grant.name]);
    {
        let mut query = url.query_pairs_mut();
        if let Some(size) = &grant.size {
            query.append_pair("size", size.as_str()).append_pair("upscale", &grant.upscale.to_string());
        }
        query.append_pair("expires", &grant.expires_at.as_millisecond().to_string());
        query.append_pair("signature", &signer.sign(grant));
    }
    SignedUrl {
        url: url.to_string(),
        expires_at: Some(grant.expires_at),
        name: Some(record.stem.clone()),
        extension: Some(copy.map_or_else(|| record.extension.clone(), |copy| copy.extension.to_owned())),
        kind: Some(record.content.kind.clone()),
        size: Some(copy.map_or(record.content.size, |copy| copy.bytes.len() as u64)),
        height: copy.map_or(record.content.height, |copy| Some(copy.height)),
        width: copy.map_or(record.content.width, |copy| Some(copy.width)),
    }
}

/// What the URL standard encodes in the segments of a path.
const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'`')
    .add(b'#')
    .add(b'?')
    .add(b'{')
    .add(b'}')
    .add(b'%')
    .add(b'\\');

/// The plain address of the file at a path; 404 while the file is private. Written, not put together: a page has many.
fn public_url(path: &str, base: &Url) -> String {
    let base = base.as_str().trim_end_matches('/');
    format!("{base}/{}{}", policy::PUBLIC_PREFIX, utf8_percent_encode(path, PATH))
}

fn below<'a>(base: &Url, segments: impl IntoIterator<Item = &'a str>) -> Url {
    let mut url = base.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

/// The path of the file that a plain address of this service names; none if it is another's.
pub(crate) fn path_of_public_url(text: &str, base: &Url) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let prefix = below(base, [policy::PUBLIC_PREFIX]);
    if url.origin() != base.origin() {
        return None;
    }
    let path = url.path().strip_prefix(prefix.path())?;
    percent_encoding::percent_decode_str(path).decode_utf8().ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("http://127.0.0.1:8787/")]
    #[case::below_a_path("http://files.test/store/")]
    fn a_plain_address_is_one_that_the_url_standard_would_make(#[case] base: &str) {
        let base = Url::parse(base).unwrap();
        let odd: String = (' '..='~').filter(|c| *c != '/').collect();
        let path = format!("/a b/{odd}/größe.png");
        let by_the_standard = below(&base, std::iter::once(policy::PUBLIC_PREFIX).chain(path.split('/').skip(1)));
        let written = public_url(&path, &base);
        assert_eq!(written, by_the_standard.as_str());
        assert_eq!(path_of_public_url(&written, &base), Some(path));
    }
}
