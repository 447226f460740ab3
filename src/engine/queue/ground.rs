//! What the uploads of a batch know of the folders that they go into: looked up once for each folder, before the first
//! upload into it, and shared by all; and which file answers for which of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::api::Error;
use crate::api::ids::FileId;
use crate::engine::batch::BatchId;
use crate::engine::job::Job;
use crate::engine::journal::Journal;
use crate::engine::message::Place;
use crate::engine::ops::held::{Held, Sources};
use crate::engine::ops::upload::own_name;
use crate::engine::perform::Tools;

/// Of one batch. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Ground(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    sources: OnceCell<Arc<Sources>>,
    folders: Mutex<HashMap<Place, Arc<OnceCell<Arc<Held>>>>>,
    claims: Mutex<HashMap<FileId, u32>>,
}

impl Ground {
    async fn sources(&self, journal: &Journal, batch: BatchId) -> Result<Arc<Sources>, Error> {
        let sources = self
            .0
            .sources
            .get_or_try_init(async || {
                let mut sources = Sources::default();
                for (job, bytes) in journal.jobs(batch).await? {
                    let Job::Upload { local, name, .. } = &job else { continue };
                    sources.sizes.extend(bytes);
                    let name = name.as_deref().or_else(|| own_name(local).ok());
                    sources.names.extend(name.map(str::to_owned));
                }
                Ok(Arc::new(sources))
            })
            .await;
        sources.cloned()
    }

    /// What `place` held before the first upload into it, of files of the sizes that the batch sends.
    pub(super) async fn held(
        &self,
        Tools { client, journal, lists, .. }: &Tools,
        batch: BatchId,
        place: &Place,
    ) -> Result<Arc<Held>, Error> {
        let folder = {
            let mut folders = self.0.folders.lock().unwrap_or_else(PoisonError::into_inner);
            folders.entry(place.clone()).or_default().clone()
        };
        let look = async || {
            let sources = self.sources(journal, batch).await?;
            Held::look(client, lists, place, sources).await.map(Arc::new)
        };
        folder.get_or_try_init(look).await.cloned()
    }

    /// Whether this file answers for the upload with this number, as it does from now on unless it does for another one.
    pub(super) fn claim(&self, file: &FileId, number: u32) -> bool {
        let mut claims = self.0.claims.lock().unwrap_or_else(PoisonError::into_inner);
        *claims.entry(file.clone()).or_insert(number) == number
    }

    /// What folders hold is looked up anew from now on.
    pub(super) fn look_again(&self) {
        self.0.folders.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
