//! Folders: creation, lookup, search, both roads of a rename or move, deletion.

use super::client::Client;
use super::error::{Error, Kind};
use super::ids::{FolderId, TaskId};
use super::json_call::Call;
use super::model::{CreateFolder, Folder, FolderUpdate, FolderUpdateTask, Page, Task, TaskAccepted};
use super::search::FolderSearch;

impl Client {
    /// Makes a folder. Not repeated after a lost answer: look it up before trying again.
    ///
    /// # Errors
    ///
    /// [`Kind::Conflict`] if the name is taken, or else why the call failed. In doubt, it may have been created.
    pub async fn create_folder(&self, folder: &CreateFolder) -> Result<Folder, Error> {
        self.json(Call::create(self.paths().folders(), folder)?).await
    }

    /// A folder by id.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such folder, or else why the call failed.
    pub async fn folder(&self, id: &FolderId) -> Result<Folder, Error> {
        self.json(Call::get(self.paths().folder(id)?)).await
    }

    /// A folder by its absolute path. The root folder has no object and is refused.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such folder, or else why the call failed.
    pub async fn folder_by_path(&self, path: &str) -> Result<Folder, Error> {
        self.json(Call::get(self.paths().folder_by_path(path)?)).await
    }

    /// One page of folders. Filters may be ignored by the service: check what matters in each result.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn search_folders(&self, search: &FolderSearch) -> Result<Page<Folder>, Error> {
        let mut url = self.paths().folder_search();
        search.apply(&mut url);
        self.json(Call::get(url)).await
    }

    /// Renames or moves a folder at once.
    ///
    /// # Errors
    ///
    /// [`Kind::Conflict`] if the name is taken, or else why the call failed.
    pub async fn update_folder(&self, id: &FolderId, update: &FolderUpdate) -> Result<Folder, Error> {
        self.json(Call::patch(self.paths().folder(id)?, update)?).await
    }

    /// Starts a rename or move. Refused where the version has only the synchronous road
    /// (`Version::has_folder_tasks`). Not repeated after a lost answer.
    ///
    /// # Errors
    ///
    /// [`Kind::Refused`] if this version has no such tasks, or else why the call failed.
    pub async fn start_folder_update(&self, update: &FolderUpdateTask) -> Result<TaskAccepted, Error> {
        let url = self.paths().folder_update().ok_or_else(no_folder_tasks)?;
        self.json(Call::start(url, update)?).await
    }

    /// How a rename or move goes.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such task, or else why the call failed.
    pub async fn folder_update_status(&self, task: &TaskId) -> Result<Task<Folder>, Error> {
        let url = self.paths().folder_update_status(task)?.ok_or_else(no_folder_tasks)?;
        self.json(Call::get(url).in_background()).await
    }

    /// Deletes a folder and all that is in it.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such folder, or else why the call failed.
    pub async fn delete_folder(&self, id: &FolderId) -> Result<(), Error> {
        self.delete(self.paths().folder(id)?).await
    }

    /// Deletes a folder and all that is in it, by its absolute path.
    ///
    /// # Errors
    ///
    /// [`Kind::NotFound`] if there is no such folder, or else why the call failed.
    pub async fn delete_folder_by_path(&self, path: &str) -> Result<(), Error> {
        self.delete(self.paths().folder_by_path(path)?).await
    }
}

fn no_folder_tasks() -> Error {
    Error::new(Kind::Refused, "This version of the API has no asynchronous folder update")
}
