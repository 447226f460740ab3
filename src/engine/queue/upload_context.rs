//! The shared knowledge of a batch's transfers about the folders that they go into. A folder of the
//! account is found or created once, before the first upload into it; what it held before, by the
//! plan or by a listing, and which file counts for which upload. A local folder is swept once.
//! Nothing of this is recorded: a batch that is taken up again finds the folders that it has created.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use tokio::sync::OnceCell;

use crate::api::ids::FileId;
use crate::api::paths::{join, split};
use crate::api::{Client, Error};
use crate::engine::batch::BatchId;
use crate::engine::job::Job;
use crate::engine::journal::Journal;
use crate::engine::message::FolderRef;
use crate::engine::ops::edit::{Ensured, ensure_folder};
use crate::engine::ops::local_place::blocking;
use crate::engine::ops::partial_file;
use crate::engine::ops::remote_index::{RemoteIndex, Sources};
use crate::engine::ops::upload::last_name;
use crate::engine::tools::Tools;

/// Values that are found out once by whoever needs them first, while the others wait.
type Cells<K, V> = Mutex<HashMap<K, Arc<OnceCell<V>>>>;

/// The context of one batch. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct UploadContext(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Set if nothing of the batch was sent before it was planned.
    is_planned: bool,
    sources: OnceCell<Arc<Sources>>,
    /// By the chosen folder and the path below it.
    places: Cells<(FolderRef, String), Ensured>,
    folders: Cells<FolderRef, Arc<RemoteIndex>>,
    claims: Arc<Mutex<HashMap<FileId, u32>>>,
    swept: Cells<PathBuf, ()>,
}

/// The time for which a name that a plan found free counts as free without another listing.
const PLAN_COUNTS: SignedDuration = SignedDuration::from_secs(60);

impl UploadContext {
    /// Creates the context of a batch whose names a plan may just have found free.
    pub(super) fn planned() -> Self {
        Self(Arc::new(Inner {
            is_planned: true,
            ..Inner::default()
        }))
    }

    /// Creates the context of another try, which looks up again what folders hold.
    pub(super) fn again(&self) -> Self {
        Self(Arc::new(Inner {
            claims: self.0.claims.clone(),
            ..Inner::default()
        }))
    }

    async fn sources(&self, journal: &Journal, batch: BatchId) -> Result<Arc<Sources>, Error> {
        let sources = self
            .0
            .sources
            .get_or_try_init(async || {
                let now = Timestamp::now();
                let is_recent = |at: Timestamp| {
                    (SignedDuration::ZERO..PLAN_COUNTS).contains(&now.duration_since(at))
                };
                let mut sources = Sources {
                    free_since: self.0.is_planned.then_some(now),
                    ..Sources::default()
                };
                for (job, bytes) in journal.jobs(batch).await? {
                    let Job::Upload { source, name, .. } = &job else {
                        continue;
                    };
                    sources.sizes.extend(bytes);
                    let free_at = job.fixed_at().filter(|at| is_recent(*at));
                    sources.free_since = sources.free_since.min(free_at);
                    let name = name.as_deref().map(last_name).or_else(|| source.name());
                    sources.names.extend(name.map(str::to_owned));
                }
                Ok(Arc::new(sources))
            })
            .await;
        sources.cloned()
    }

    /// Returns the folder at `below`, a path without a first slash, in `into`; creates it and those
    /// above if missing.
    pub(super) async fn folder(
        &self,
        client: &Client,
        into: &FolderRef,
        below: &str,
    ) -> Result<Ensured, Error> {
        let mut folder = Ensured {
            place: into.clone(),
            is_new: false,
        };
        let mut path = String::new();
        for name in split(below) {
            path = join(&path, name);
            let cell = cell(&self.0.places, (into.clone(), path.clone()));
            folder = cell
                .get_or_try_init(|| ensure_folder(client, &folder, name))
                .await?
                .clone();
        }
        Ok(folder)
    }

    /// Returns the files that a folder held before the first upload into it, of the sizes that the
    /// batch sends.
    pub(super) async fn held(
        &self,
        Tools {
            client,
            journal,
            lists,
            ..
        }: &Tools,
        batch: BatchId,
        Ensured { place, is_new }: &Ensured,
    ) -> Result<Arc<RemoteIndex>, Error> {
        let read_index = async || {
            let sources = self.sources(journal, batch).await?;
            let held = if *is_new {
                RemoteIndex::nothing(sources)
            } else {
                RemoteIndex::look(client, lists, place, sources).await?
            };
            Ok(Arc::new(held))
        };
        cell(&self.0.folders, place.clone())
            .get_or_try_init(read_index)
            .await
            .cloned()
    }

    /// Returns `true` if this file counts for this upload, as it does from now on unless it does
    /// for another one.
    pub(super) fn claim(&self, file: &FileId, number: u32) -> bool {
        let mut claims = self.0.claims.lock().unwrap_or_else(PoisonError::into_inner);
        *claims.entry(file.clone()).or_insert(number) == number
    }

    /// Removes what killed downloads left in a local folder, before the first download into it.
    pub(super) async fn sweep(&self, folder: PathBuf) {
        let swept = cell(&self.0.swept, folder.clone());
        let sweep = async || {
            // What stays is removed by the next batch.
            let _ = blocking(move || partial_file::sweep(&folder)).await;
        };
        swept.get_or_init(sweep).await;
    }
}

fn cell<K: Eq + Hash, V>(cells: &Cells<K, V>, key: K) -> Arc<OnceCell<V>> {
    cells
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .entry(key)
        .or_default()
        .clone()
}
