//! Rescue of a database whose file was removed or replaced: the open connections still see all of
//! it.

use std::path::PathBuf;

use super::connections::utf8;
use super::database::EmbeddedDatabase;
use super::sibling_paths::free_name;
use crate::service::content::private;
use crate::service::store::error::StoreError;

impl EmbeddedDatabase {
    /// Returns `true` if the database is no longer at its own path.
    pub(crate) fn needs_rescue(&self) -> bool {
        !self.presence.holds() && !self.presence.is_refused()
    }

    /// Writes the whole database to a new file beside its old path, and moves the log away from
    /// there, since it would damage another database that is opened at that path. Returns the new
    /// file.
    pub(crate) async fn rescue(&self) -> Result<PathBuf, StoreError> {
        let copy = free_name(self.presence.file(), "rescued");
        private::file_options()
            .create_new(true)
            .write(true)
            .open(&copy)?;
        let name = utf8(&copy)?.to_owned();
        let saved = self
            .read(move |tables| tables.execute("VACUUM INTO ?1", [name]))
            .await;
        let saved = saved.inspect_err(|_| drop(std::fs::remove_file(&copy)));
        let moved = self
            .presence
            .move_log(&free_name(self.presence.file(), "lost"));
        saved?;
        moved?;
        Ok(copy)
    }
}
