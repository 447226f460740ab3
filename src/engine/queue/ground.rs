//! What the uploads of a batch know of the folders that they go into: looked up once for each folder, before the first
//! upload into it, and shared by all.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::api::{Client, Error};
use crate::engine::batch::BatchId;
use crate::engine::job::Job;
use crate::engine::journal::Journal;
use crate::engine::message::Place;
use crate::engine::ops::held::Held;
use crate::engine::ops::list::ListMemory;
use crate::engine::ops::upload::own_name;

/// Of one batch. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Ground(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    sources: OnceCell<Sources>,
    folders: Mutex<HashMap<Place, Arc<OnceCell<Arc<Held>>>>>,
}

/// What a batch sends.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// In bytes, of all files.
    sizes: BTreeSet<u64>,
    /// The names that they are sent under.
    pub(super) names: HashSet<String>,
}

impl Ground {
    pub(super) async fn sources(&self, journal: &Journal, batch: BatchId) -> Result<&Sources, Error> {
        self.0
            .sources
            .get_or_try_init(async || {
                let mut sources = Sources::default();
                for (job, bytes) in journal.jobs(batch).await? {
                    let Job::Upload { local, name, .. } = &job else { continue };
                    sources.sizes.extend(bytes);
                    let name = name.as_deref().or_else(|| own_name(local).ok());
                    sources.names.extend(name.map(str::to_owned));
                }
                Ok(sources)
            })
            .await
    }

    /// What `place` held before the first upload into it, of files of the sizes that the batch sends.
    pub(super) async fn held(
        &self,
        client: &Client,
        lists: &ListMemory,
        place: &Place,
        sources: &Sources,
    ) -> Result<Arc<Held>, Error> {
        let folder = {
            let mut folders = self.0.folders.lock().unwrap_or_else(PoisonError::into_inner);
            folders.entry(place.clone()).or_default().clone()
        };
        let look = async || Held::look(client, lists, place, &sources.sizes).await.map(Arc::new);
        folder.get_or_try_init(look).await.cloned()
    }
}
