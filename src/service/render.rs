//! Records as the API shows them, with their addresses under the service's base URL.

use serde_json::Map;
use url::Url;

use super::access::signing::{Grant, Signer};
use super::policy;
use super::resize::Resized;
use super::store::{FileRecord, FolderRecord};
use crate::api::model::{File, Folder, SignedUrl};

/// The file object (`wire.md` §1).
pub(crate) fn file(record: &FileRecord, base: &Url) -> File {
    let url = public_url(record, base).to_string();
    File {
        id: record.key.into(),
        created_at: Some(record.created_at),
        updated_at: Some(record.updated_at),
        archived_at: record.deleted_at,
        archived: record.deleted_at.is_some(),
        parent_folder_id: record.folder.map(Into::into),
        name: Some(record.stem.clone()),
        path: Some(record.path()),
        size: Some(record.content.size),
        height: record.content.height,
        width: record.content.width,
        encoding: record.content.encoding.clone(),
        kind: Some(record.content.kind.clone()),
        extension: some_text(&record.extension),
        default_hosting_url: Some(url.clone()),
        url: Some(url),
        is_usable_in_content: Some(record.usable),
        access: Some(record.access.clone()),
        file_md5: Some(record.content.md5.clone()),
        expires_at: record.expires_at,
        source_group: Some(record.source_group.clone()),
        extra: Map::new(),
    }
}

/// The folder object (`wire.md` §1).
pub(crate) fn folder(record: &FolderRecord) -> Folder {
    Folder {
        id: record.key.into(),
        created_at: Some(record.created_at),
        updated_at: Some(record.updated_at),
        archived_at: record.deleted_at,
        archived: record.deleted_at.is_some(),
        parent_folder_id: record.parent.map(Into::into),
        name: Some(record.name.clone()),
        path: Some(record.path.clone()),
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

/// The plain address of a file; 404 while the file is private.
fn public_url(record: &FileRecord, base: &Url) -> Url {
    let path = record.path();
    below(base, std::iter::once(policy::PUBLIC_PREFIX).chain(path.split('/').skip(1)))
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

fn some_text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
