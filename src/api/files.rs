//! File calls: details, search, update, signed addresses, deletion. Their content goes through
//! `upload` and `download`.

use super::client::Client;
use super::deletion_answer::DeletionAnswer;
use super::error::Error;
use super::ids::FileId;
use super::json_call::Call;
use super::model::{File, FileUpdate, Page, SignedUrl, Stat, ThumbnailSize};
use super::search::FileSearch;

/// The options of a signed address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignedUrlOptions {
    /// The validity in seconds; `None` is the service's default. Refused above six hours
    /// (`contract.md#signed-addresses`).
    pub seconds: Option<u64>,
    /// A resized copy, for images only.
    pub size: Option<ThumbnailSize>,
    /// Enlarges an image that is smaller than the copy.
    pub upscale: bool,
    /// The names of additional file properties to include in the answer.
    pub properties: Vec<String>,
}

/// The calls for files. Their content goes through uploads and downloads.
#[derive(Debug, Clone, Copy)]
pub struct FilesApi<'a> {
    pub(super) client: &'a Client,
}

impl Client {
    /// Returns the calls for files.
    pub fn files(&self) -> FilesApi<'_> {
        FilesApi { client: self }
    }
}

impl FilesApi<'_> {
    /// Fetches a file's details.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::api::Kind::NotFound) if there is no such file, or any other failure of
    /// the call.
    pub async fn get(self, id: &FileId) -> Result<File, Error> {
        self.client
            .json(Call::get(self.client.paths().file(id)?))
            .await
    }

    /// Looks up the file or folder at an absolute path. The root folder has no object and is
    /// refused.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::api::Kind::NotFound) if nothing is at the path, or any other failure of
    /// the call.
    pub async fn stat(self, path: &str) -> Result<Stat, Error> {
        self.client
            .json(Call::get(self.client.paths().stat(path)?))
            .await
    }

    /// Fetches one page of files. The service may ignore filters: check each result.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn search(self, search: &FileSearch) -> Result<Page<File>, Error> {
        let mut url = self.client.paths().file_search();
        search.apply(&mut url);
        self.client.json(Call::get(url)).await
    }

    /// Changes a file in place: name (without the extension), access, folder, expiry.
    ///
    /// # Errors
    ///
    /// [`Conflict`](crate::api::Kind::Conflict) if the name is taken, or any other failure of the
    /// call. If in doubt, the file may have been changed.
    pub async fn update(self, id: &FileId, update: &FileUpdate) -> Result<File, Error> {
        let mut update = update.clone();
        if self.client.version().is_dated() {
            update.clear_expires.get_or_insert(false);
        }
        self.client
            .json(Call::patch(self.client.paths().file(id)?, &update)?)
            .await
    }

    /// Fetches a temporary address for the file's content, whatever the access level.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::api::Kind::NotFound) if there is no such file, or any other failure of
    /// the call.
    pub async fn signed_url(
        self,
        id: &FileId,
        signing: &SignedUrlOptions,
    ) -> Result<SignedUrl, Error> {
        let mut url = self.client.paths().signed_url(id)?;
        if let Some(seconds) = signing.seconds {
            url.query_pairs_mut()
                .append_pair("expirationSeconds", &seconds.to_string());
        }
        if let Some(size) = &signing.size {
            url.query_pairs_mut().append_pair("size", size.as_str());
        }
        if signing.upscale {
            url.query_pairs_mut().append_pair("upscale", "true");
        }
        for property in &signing.properties {
            url.query_pairs_mut().append_pair("property", property);
        }
        self.client.json(Call::get(url)).await
    }

    /// Marks a file as deleted; its content can no longer be reached.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::api::Kind::NotFound) if there is no such file, or any other failure of
    /// the call.
    pub async fn delete(self, id: &FileId) -> Result<(), Error> {
        self.client
            .delete(self.client.paths().file(id)?)
            .await
            .map(drop)
    }

    /// Deletes a file permanently: content and metadata are gone within seven days.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::api::Kind::NotFound) if there is no such file, or any other failure of
    /// the call.
    pub async fn gdpr_delete(self, id: &FileId) -> Result<(), Error> {
        self.erase(id).await.map(drop)
    }

    /// Deletes a file permanently, and returns the answer, for a receipt.
    pub(crate) async fn erase(self, id: &FileId) -> Result<DeletionAnswer, Error> {
        self.client
            .delete(self.client.paths().gdpr_delete(id)?)
            .await
    }
}
