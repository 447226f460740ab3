//! Records as the API shows them, with their addresses under the service's base URL.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;
use serde_json::Map;
use url::Url;

use crate::api::ids::{FileId, FolderId};
use crate::api::model::{Access, FileKind, Folder, SignedUrl, time};
use crate::service::access::signing::{Grant, Signer};
use crate::service::answer::error::ApiError;
use crate::service::content::resize::Resized;
use crate::service::policy;
use crate::service::store::{FileRecord, FolderRecord, ShownFile};

/// The file object as it is written (`wire.md` §1), with whatever text the record has; `model::File` is what it is read as.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileObject<T = String> {
    id: FileId,
    #[serde(with = "time::iso")]
    created_at: Option<Timestamp>,
    #[serde(with = "time::iso")]
    updated_at: Option<Timestamp>,
    #[serde(with = "time::iso", skip_serializing_if = "Option::is_none")]
    archived_at: Option<Timestamp>,
    archived: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_folder_id: Option<FolderId>,
    name: T,
    path: String,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<T>,
    #[serde(rename = "type")]
    kind: FileKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    extension: Option<T>,
    default_hosting_url: String,
    url: String,
    is_usable_in_content: bool,
    access: Access,
    file_md5: T,
    #[serde(with = "time::millis", skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    source_group: T,
}

/// Room for most file objects.
const OBJECT_BYTES: usize = 1 << 10;

impl<T: Serialize> IntoResponse for FileObject<T> {
    fn into_response(self) -> Response {
        let mut body = Vec::with_capacity(OBJECT_BYTES);
        match serde_json::to_writer(&mut body, &self) {
            Ok(()) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
            Err(error) => ApiError::internal("write JSON", &error).into_response(),
        }
    }
}

/// The file object.
pub(crate) fn file(record: FileRecord, base: &Url) -> FileObject {
    let archived_at = record.deleted_at;
    FileObject { archived_at, archived: archived_at.is_some(), ..shown_file(record.into(), base) }
}

/// The object of a file that is not deleted.
pub(crate) fn shown_file<T: AsRef<str>>(file: ShownFile<T>, base: &Url) -> FileObject<T> {
    let path = file.path();
    let url = public_url(&path, base);
    FileObject {
        id: file.key.into(),
        created_at: Some(file.created_at),
        updated_at: Some(file.updated_at),
        archived_at: None,
        archived: false,
        parent_folder_id: file.folder.map(Into::into),
        name: file.stem,
        path,
        size: file.size,
        height: file.height,
        width: file.width,
        encoding: file.encoding,
        kind: file.kind,
        extension: Some(file.extension).filter(|extension| !extension.as_ref().is_empty()),
        default_hosting_url: url.clone(),
        url,
        is_usable_in_content: file.usable,
        access: file.access,
        file_md5: file.md5,
        expires_at: file.expires_at,
        source_group: file.source_group,
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
    let mut url = String::with_capacity(base.len() + "/".len() + policy::PUBLIC_PREFIX.len() + path.len());
    url.extend([base, "/", policy::PUBLIC_PREFIX]);
    url.extend(utf8_percent_encode(path, PATH));
    url
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
    use crate::api::model::File;
    use crate::service::store::Text;

    #[test]
    fn a_file_is_written_with_the_fields_that_it_is_read_with() {
        let base = Url::parse("http://files.test").unwrap();
        let shown = r#"[7,3,"/a","lo\"go","png","lo\"go.png",5,"md5","IMG","UTF-8",2,1,
            "PRIVATE",1,"CONTENT",1700000000000,1700000000001,1800000000000]"#;
        let shown: ShownFile<Text<'_>> = serde_json::from_str(shown).unwrap();
        let record = r#"[7,3,"/a","lo\"go","png","lo\"go.png",["b",5,"md5","sha","IMG","image/png","UTF-8",2,1],
            "PRIVATE",1,"CONTENT",1700000000000,1700000000001,1800000000000,1700000000002]"#;
        let record: FileRecord = serde_json::from_str(record).unwrap();
        let kept = FileRecord { deleted_at: None, ..record.clone() };
        let listed = serde_json::to_value(shown_file(shown, &base)).unwrap();
        assert_eq!(serde_json::to_value(file(kept, &base)).unwrap(), listed);
        let written = serde_json::to_value(file(record, &base)).unwrap();
        let read: File = serde_json::from_value(written.clone()).unwrap();
        assert!(read.extra.is_empty(), "{:?}", read.extra);
        assert_eq!(serde_json::to_value(read).unwrap(), written);
        assert_eq!((&written["name"], &written["path"]), (&"lo\"go".into(), &"/a/lo\"go.png".into()));
    }

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
