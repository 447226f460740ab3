//! Finds files whose content exists more than once. No call does this: all files are listed, a few
//! bytes of each are kept, and each is returned as soon as its content appears again; the first of
//! each content follows at the end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::list::ListMemory;
use super::list_all;
use crate::api::ids::FileId;
use crate::api::search::{FileSearch, PAGE};
use crate::api::{Client, Error};
use crate::engine::message::{Collection, Entry, Progress};
use crate::engine::parts::Parts;
use crate::engine::progress_sink::ProgressSink;

#[derive(Debug, Default)]
struct Seen {
    /// The first file of each content; `None` once another has appeared.
    first: HashMap<[u8; 16], Option<FileId>>,
    /// The first files of contents that appeared again.
    repeated: Vec<FileId>,
    count: usize,
}

impl Seen {
    fn pick(&mut self, mut entries: Vec<Entry>) -> Vec<Entry> {
        self.count += entries.len();
        entries.retain(|entry| {
            let Entry::File(file) = entry else {
                return false;
            };
            let mut md5 = [0; 16];
            let decoded = file
                .file_md5
                .as_deref()
                .map(|text| hex::decode_to_slice(text, &mut md5));
            if !matches!(decoded, Some(Ok(()))) {
                return false;
            }
            let Some(first) = self.first.get_mut(&md5) else {
                self.first.insert(md5, Some(file.id.clone()));
                return false;
            };
            self.repeated.extend(first.take());
            true
        });
        entries
    }
}

/// Finds all duplicates, and reports how many files it has looked at. Leaves out files without an
/// MD5.
pub async fn read(
    client: &Client,
    memory: &ListMemory,
    of: &Collection,
    parts: &Parts,
    report: &ProgressSink,
) -> Result<(), Error> {
    let seen = Arc::new(Mutex::new(Seen::default()));
    let picking = {
        let (seen, report) = (Arc::clone(&seen), report.clone());
        parts.picking(move |entries| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            let picked = seen.pick(entries);
            report.report(Progress::Looked(seen.count));
            picked
        })
    };
    list_all::read(client, memory, of, &picking).await?;
    let first = std::mem::take(&mut seen.lock().unwrap_or_else(PoisonError::into_inner).repeated);
    for ids in first.chunks(PAGE as usize) {
        let search = FileSearch {
            ids: ids.to_vec(),
            ..FileSearch::default()
        };
        let mut files = client.files().search(&search).await?.results;
        // A service may ignore the filter.
        files.retain(|file| ids.contains(&file.id));
        parts
            .give(files.into_iter().map(Entry::File).collect())
            .await;
    }
    Ok(())
}
