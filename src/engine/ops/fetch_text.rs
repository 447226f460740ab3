//! Fetches a small text of the account to be edited here, in a folder of its own that only its
//! owner can read.

use jiff::Timestamp;

use super::download;
use super::local_place::LocalPlace;
use super::perform::{OpContext, Perform};
use crate::api::ids::FileId;
use crate::api::{Client, Error, Kind};
use crate::engine::item::Item;
use crate::engine::job::Room;
use crate::engine::journal::Journal;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::question::{FetchText, FetchedText, ListUnsavedEdits, TakeText};
use crate::engine::text_file::{EditedText, LARGEST, UnsavedEdits, md5};

/// Fetches a text, which is kept until it is discarded. Refused if it is too large, or no text.
pub async fn fetch(
    client: &Client,
    journal: &Journal,
    id: &FileId,
    now: Timestamp,
    report: &ProgressSink,
) -> Result<EditedText, Error> {
    let file = client.files().get(id).await?;
    let refused = |why: &str| Error::new(Kind::Refused, format!("{} {why}", file.full_name()));
    if file.size.is_none_or(|size| size > LARGEST) {
        return Err(refused(
            "is larger than 1 MB, or its size is not known: download it and replace it with R",
        ));
    }
    let folder = journal.text_folder().await?;
    let place = LocalPlace {
        into: folder.path(),
        name: None,
        room: Room::Beside,
    };
    let mut arrived = download::download(client, &file, place, report).await?;
    arrived.keep_private();
    let path = arrived.put_in_place().await?.path;
    let bytes = tokio::fs::read(&path)
        .await
        .map_err(|error| Error::local("Cannot read the downloaded file", &error))?;
    if std::str::from_utf8(&bytes).is_err() || bytes.contains(&0) {
        return Err(refused("is not a text file"));
    }
    let text = EditedText {
        file: Item::of(&file),
        path,
        seen: md5(&bytes),
        at: now,
    };
    journal.keep_text(text.clone()).await?;
    let _ = folder.keep();
    Ok(text)
}

impl Perform for FetchText {
    async fn perform(self, context: &OpContext) -> Result<FetchedText, Error> {
        let OpContext {
            client,
            journal,
            report,
            ..
        } = context;
        let now = Timestamp::now();
        let unsaved = if self.anew {
            Vec::new()
        } else {
            journal.unsaved_edits(Some(&self.file), now).await?
        };
        if !unsaved.is_empty() {
            return Ok(FetchedText::Unsaved(unsaved));
        }
        fetch(client, journal, &self.file, now, report)
            .await
            .map(FetchedText::Fetched)
    }
}

impl Perform for ListUnsavedEdits {
    async fn perform(self, context: &OpContext) -> Result<UnsavedEdits, Error> {
        context.journal.sweep_texts(Timestamp::now()).await
    }
}

impl Perform for TakeText {
    async fn perform(self, context: &OpContext) -> Result<EditedText, Error> {
        context.journal.take_text(self.path, Timestamp::now()).await
    }
}
