//! Records as the API returns them, with addresses under the service's base URL.

use axum::Extension;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use url::Url;

use super::object::Object;
use crate::api::model::{Folder, SignedUrl};
use crate::service::access::signing::Grant;
use crate::service::access_log::AccessedObject;
use crate::service::answer::error::ApiError;
use crate::service::content::resize::Resized;
use crate::service::policy;
use crate::service::store::{FileRecord, FolderKey, FolderRecord};

/// The file object as it is written (`contract.md#files`); `model::File` is the type that reads it.
#[derive(Debug)]
pub(crate) struct FileObject {
    file: FileRecord,
    path: String,
    url: String,
}

const OBJECT_BYTES: usize = 1 << 10;

impl FileObject {
    pub(crate) fn write(&self, json: &mut Vec<u8>) -> serde_json::Result<()> {
        let file = &self.file;
        let mut object = Object::begin(json);
        object.id("id", file.key.0)?;
        object.iso("createdAt", file.created_at)?;
        object.iso("updatedAt", file.updated_at)?;
        if let Some(time) = file.deleted_at {
            object.iso("archivedAt", time)?;
        }
        object.value("archived", &file.deleted_at.is_some())?;
        if let Some(FolderKey(folder)) = file.folder {
            object.id("parentFolderId", folder)?;
        }
        object.value("name", &file.stem)?;
        object.value("path", &self.path)?;
        object.value("size", &file.content.size)?;
        for (key, pixels) in [
            ("height", file.content.height),
            ("width", file.content.width),
        ] {
            if let Some(pixels) = pixels {
                object.value(key, &pixels)?;
            }
        }
        if let Some(encoding) = &file.content.encoding {
            object.value("encoding", encoding)?;
        }
        object.value("type", &file.content.kind)?;
        if !file.extension.is_empty() {
            object.value("extension", &file.extension)?;
        }
        object.twice(["defaultHostingUrl", "url"], &self.url)?;
        object.value("isUsableInContent", &file.usable)?;
        object.value("access", &file.access)?;
        object.value("fileMd5", &file.content.md5)?;
        if let Some(time) = file.expires_at {
            object.value("expiresAt", &time.as_millisecond())?;
        }
        object.value("sourceGroup", &file.source_group)?;
        object.end();
        Ok(())
    }

    pub(crate) fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut json = Vec::with_capacity(OBJECT_BYTES);
        self.write(&mut json)?;
        Ok(json)
    }
}

/// Serializes the object as part of another one.
impl Serialize for FileObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = self.to_json().map_err(S::Error::custom)?;
        serde_json::from_slice::<Value>(&json)
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

impl IntoResponse for FileObject {
    fn into_response(self) -> Response {
        match self.to_json() {
            Ok(body) => {
                let object = accessed_file(&self.file);
                (
                    [(header::CONTENT_TYPE, "application/json")],
                    Extension(object),
                    body,
                )
                    .into_response()
            }
            Err(error) => ApiError::internal("write JSON", &error).into_response(),
        }
    }
}

/// Returns the file as the access log names it.
pub(crate) fn accessed_file(file: &FileRecord) -> AccessedObject {
    AccessedObject {
        kind: "file",
        id: file.key.0.to_string(),
        path: file.path(),
        deleted: false,
    }
}

pub(crate) fn file(file: FileRecord, base: &Url) -> FileObject {
    let path = file.path();
    let url = public_url(&path, base);
    FileObject { file, path, url }
}

/// Returns the folder object (`contract.md#folders`).
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

/// Returns the signed address of a file with the properties of the bytes behind it: those of the
/// file or of a resized copy (`contract.md#signed-addresses`).
pub(crate) fn signed_url(
    record: &FileRecord,
    copy: Option<&Resized>,
    grant: &Grant,
    signature: &str,
    base: &Url,
) -> SignedUrl {
    let mut url = below(
        base,
        [
            policy::SIGNED_PREFIX,
            &record.key.0.to_string(),
            &grant.name,
        ],
    );
    {
        let mut query = url.query_pairs_mut();
        if let Some(size) = &grant.size {
            query
                .append_pair("size", size.as_str())
                .append_pair("upscale", &grant.upscale.to_string());
        }
        query.append_pair("expires", &grant.expires_at.as_millisecond().to_string());
        query.append_pair("signature", signature);
    }
    SignedUrl {
        url: url.to_string(),
        expires_at: Some(grant.expires_at),
        name: Some(record.stem.clone()),
        extension: Some(copy.map_or_else(
            || record.extension.clone(),
            |copy| copy.extension.to_owned(),
        )),
        kind: Some(record.content.kind.clone()),
        size: Some(copy.map_or(record.content.size, |copy| copy.size)),
        height: copy.map_or(record.content.height, |copy| Some(copy.height)),
        width: copy.map_or(record.content.width, |copy| Some(copy.width)),
        others: Map::new(),
    }
}

/// The characters that the URL standard encodes in path segments.
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

/// Returns the plain address of a file, which gives 404 while the file is private. Built as text: a
/// page has many.
fn public_url(path: &str, base: &Url) -> String {
    let base = base.as_str().trim_end_matches('/');
    let mut url =
        String::with_capacity(base.len() + "/".len() + policy::PUBLIC_PREFIX.len() + path.len());
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

/// Returns the path of the file at a plain address; `None` for an address of another service.
pub(crate) fn path_of_public_url(text: &str, base: &Url) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let prefix = below(base, [policy::PUBLIC_PREFIX]);
    if url.origin() != base.origin() {
        return None;
    }
    let path = url.path().strip_prefix(prefix.path())?;
    percent_encoding::percent_decode_str(path)
        .decode_utf8()
        .ok()
        .map(Into::into)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rstest::rstest;

    use super::*;
    use crate::api::model::{Access, File, FileKind};
    use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};
    use crate::service::store::{FileKey, StoredContent};

    #[test]
    fn a_file_is_written_with_the_fields_that_it_is_read_with() {
        let base = Url::parse("http://files.test").unwrap();
        let time = |seconds| Timestamp::from_second(seconds).unwrap();
        let record = FileRecord {
            key: FileKey(7),
            folder: Some(FolderKey(3)),
            folder_path: "/a".to_owned(),
            stem: "lo\"go".to_owned(),
            extension: "png".to_owned(),
            full_name: "lo\"go.png".to_owned(),
            content: StoredContent {
                blob: BlobId::random(),
                size: 5,
                md5: "md5".to_owned(),
                digest: ContentDigest::from_stored("sum".to_owned()),
                kind: FileKind::from("IMG"),
                media_type: "image/png".to_owned(),
                encoding: Some("UTF-8".to_owned()),
                width: Some(2),
                height: Some(1),
                blocks: BlockSums::default(),
            },
            access: Access::Private,
            usable: true,
            source_group: "CONTENT".to_owned(),
            created_at: time(1_700_000_000),
            updated_at: time(1_700_000_001),
            expires_at: Some(time(1_800_000_000)),
            deleted_at: Some(time(1_700_000_002)),
        };
        let written = serde_json::to_value(file(record, &base)).unwrap();
        let read: File = serde_json::from_value(written.clone()).unwrap();
        assert!(read.extra.is_empty(), "{:?}", read.extra);
        assert_eq!(serde_json::to_value(read).unwrap(), written);
        assert_eq!(
            (&written["name"], &written["path"]),
            (&"lo\"go".into(), &"/a/lo\"go.png".into())
        );
    }

    #[rstest]
    #[case::plain("http://127.0.0.1:8787/")]
    #[case::below_a_path("http://files.test/store/")]
    fn a_plain_address_is_one_that_the_url_standard_would_make(#[case] base: &str) {
        let base = Url::parse(base).unwrap();
        let odd: String = (' '..='~').filter(|c| *c != '/').collect();
        let path = format!("/a b/{odd}/größe.png");
        let by_the_standard = below(
            &base,
            std::iter::once(policy::PUBLIC_PREFIX).chain(path.split('/').skip(1)),
        );
        let written = public_url(&path, &base);
        assert_eq!(written, by_the_standard.as_str());
        assert_eq!(path_of_public_url(&written, &base), Some(path));
    }
}
