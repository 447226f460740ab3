//! Thumbnails: taken from the disk, or else fetched and kept there.

use std::io;

use crate::api::Error;
use crate::api::ids::FileId;
use crate::api::model::File;
use crate::drawing::Drawer;
use crate::engine::preview::{self, Picture, Preview};
use crate::engine::thumbnail_cache::{ThumbnailCache, ThumbnailKey};

/// Returns the picture of a file alone, scaled down to `room`; `fetch` requests it from the
/// service.
pub async fn thumbnail(
    kept: Option<&ThumbnailCache>,
    drawer: Option<&Drawer>,
    file: &File,
    room: (u32, u32),
    fetch: impl Future<Output = Result<Preview, Error>>,
) -> Result<Preview, Error> {
    let key = file.updated_at.map(|changed_at| ThumbnailKey {
        file: file.id.clone(),
        changed_at,
        room,
    });
    let place = kept.zip(key);
    if let Some((kept, key)) = &place
        && let Some(drawer) = drawer
        && let Some(found) = found(kept, drawer, key).await
    {
        return Ok(Preview::Picture(found));
    }
    let fetched = fetch.await?;
    let Some(picture) = fetched.picture().cloned() else {
        return Ok(fetched);
    };
    let shared = picture.clone();
    if let Some((kept, key)) = place
        && let Err(error) = on_disk(kept, move |kept| kept.keep(&key, &shared)).await
    {
        tracing::debug!(%error, "a thumbnail is not kept");
    }
    Ok(Preview::Picture(picture))
}

/// Returns a kept thumbnail; removes it if it does not decode.
async fn found(kept: &ThumbnailCache, drawer: &Drawer, key: &ThumbnailKey) -> Option<Picture> {
    let at = key.clone();
    let bytes = on_disk(kept, move |kept| Ok(kept.read(&at))).await.ok()??;
    let seen = preview::of_picture(drawer, bytes, None, key.room).await;
    if let Some(picture) = seen.picture() {
        return Some(picture.clone());
    }
    let at = key.clone();
    if let Err(error) = on_disk(kept, move |kept| kept.remove(&at)).await {
        tracing::debug!(%error, "a damaged thumbnail stays");
    }
    None
}

/// Removes the thumbnails of a file before it is deleted permanently, so that a run that ends in
/// between leaves none.
pub async fn forget(kept: &ThumbnailCache, file: &FileId) -> Result<(), Error> {
    let file = file.clone();
    let forgotten = on_disk(kept, move |kept| kept.forget(&file)).await;
    forgotten
        .map_err(|error| Error::local("Its thumbnails cannot be removed from this machine", &error))
}

async fn on_disk<T: Send + 'static>(
    kept: &ThumbnailCache,
    work: impl FnOnce(&ThumbnailCache) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let kept = kept.clone();
    tokio::task::spawn_blocking(move || work(&kept))
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
}
