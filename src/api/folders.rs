//! Folder calls: creation, lookup, search, synchronous and asynchronous rename or move, deletion.

use super::client::Client;
use super::error::{Error, Kind};
use super::ids::{FolderId, TaskId};
use super::json_call::Call;
use super::model::{
    CreateFolder, Folder, FolderUpdate, FolderUpdateTask, Page, Task, TaskAccepted,
};
use super::search::FolderSearch;

/// The calls for folders.
#[derive(Debug, Clone, Copy)]
pub struct FoldersApi<'a> {
    pub(super) client: &'a Client,
}

impl Client {
    /// Returns the calls for folders.
    pub fn folders(&self) -> FoldersApi<'_> {
        FoldersApi { client: self }
    }
}

impl FoldersApi<'_> {
    /// Creates a folder. Not retried after a lost response: look the folder up before trying again.
    ///
    /// # Errors
    ///
    /// [`Kind::Conflict`] if the name is taken, or any other failure. If in doubt, it may have been
    /// created.
    pub async fn create(self, folder: &CreateFolder) -> Result<Folder, Error> {
        self.client
            .json(Call::create(self.client.paths().folders(), folder)?)
            .await
    }

    /// Fetches a folder by id.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such folder, or any other failure of the call.
    pub async fn get(self, id: &FolderId) -> Result<Folder, Error> {
        self.client
            .json(Call::get(self.client.paths().folder(id)?))
            .await
    }

    /// Fetches a folder by its absolute path. The root folder has no object and is refused.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such folder, or any other failure of the call.
    pub async fn get_by_path(self, path: &str) -> Result<Folder, Error> {
        self.client
            .json(Call::get(self.client.paths().folder_by_path(path)?))
            .await
    }

    /// Fetches one page of folders. The service may ignore filters: check each result.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn search(self, search: &FolderSearch) -> Result<Page<Folder>, Error> {
        let mut url = self.client.paths().folder_search();
        search.apply(&mut url);
        self.client.json(Call::get(url)).await
    }

    /// Renames or moves a folder synchronously.
    ///
    /// # Errors
    ///
    /// [`Kind::Conflict`] if the name is taken, or any other failure of the call.
    pub async fn update(self, id: &FolderId, update: &FolderUpdate) -> Result<Folder, Error> {
        self.client
            .json(Call::patch(self.client.paths().folder(id)?, update)?)
            .await
    }

    /// Starts a rename or move. Refused if the version has only synchronous updates
    /// (`Version::has_folder_tasks`). Not retried after a lost response.
    ///
    /// # Errors
    ///
    /// [`Kind::Refused`] if this version has no such tasks, or any other failure of the call.
    pub async fn start_update(self, update: &FolderUpdateTask) -> Result<TaskAccepted, Error> {
        let url = self
            .client
            .paths()
            .folder_update()
            .ok_or_else(no_folder_tasks)?;
        self.client.json(Call::start(url, update)?).await
    }

    /// Fetches the status of a rename or move.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such task, or any other failure of the call.
    pub async fn update_status(self, task: &TaskId) -> Result<Task<Folder>, Error> {
        let url = self
            .client
            .paths()
            .folder_update_status(task)?
            .ok_or_else(no_folder_tasks)?;
        self.client.json(Call::get(url).in_background()).await
    }

    /// Deletes a folder with everything in it.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such folder, or any other failure of the call.
    pub async fn delete(self, id: &FolderId) -> Result<(), Error> {
        self.client
            .delete(self.client.paths().folder(id)?)
            .await
            .map(drop)
    }

    /// Deletes a folder with everything in it, by its absolute path.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such folder, or any other failure of the call.
    pub async fn delete_by_path(self, path: &str) -> Result<(), Error> {
        self.client
            .delete(self.client.paths().folder_by_path(path)?)
            .await
            .map(drop)
    }
}

fn no_folder_tasks() -> Error {
    Error::new(
        Kind::Refused,
        "This version of the API has no asynchronous folder update",
    )
}
