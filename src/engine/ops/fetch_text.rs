//! A small text of the service on this machine, to be edited: in a folder of its own that only its owner can read.

use std::path::PathBuf;

use super::download;
use crate::api::ids::FileId;
use crate::api::model::File;
use crate::api::{Client, Error, Kind};
use crate::engine::report::Report;
use crate::engine::text_file::{LARGEST, md5, private_folder};

/// A text as it was fetched.
#[derive(Debug)]
pub struct Fetched {
    pub file: File,
    pub path: PathBuf,
    /// MD5 of its bytes, lower-case hex.
    pub md5: String,
}

/// Fetches a text. Refused where it is too large, or no text.
pub async fn fetch(client: &Client, id: &FileId, report: &Report) -> Result<Fetched, Error> {
    let file = client.file(id).await?;
    let refused = |why: &str| Error::new(Kind::Refused, format!("{} {why}", file.full_name()));
    if file.size.is_none_or(|size| size > LARGEST) {
        return Err(refused("is larger than 1 MB, or its size is not known: save it and replace it with R"));
    }
    let folder = private_folder().map_err(|error| Error::local("Cannot make a temporary folder", &error))?;
    let arrived = download::download(client, &file, folder.path(), report).await?;
    let path = arrived.put_in_place(false).await?.path;
    let bytes = tokio::fs::read(&path).await.map_err(|error| Error::local("Cannot read what arrived", &error))?;
    if std::str::from_utf8(&bytes).is_err() || bytes.contains(&0) {
        return Err(refused("is no text"));
    }
    let md5 = md5(&bytes);
    // From here on it is kept until it is discarded.
    let _ = folder.keep();
    Ok(Fetched { file, path, md5 })
}
