//! A copy for which the service does the work: it fetches the file from a signed address of the
//! other account. What it cannot fetch is streamed through this machine.

use std::ops::ControlFlow;

use super::worker::WorkItem;
use crate::api::{Error, Kind, UploadContent};
use crate::engine::ops::lost_upload::LostUpload;
use crate::engine::ops::upload::{Earlier, Uploaded};
use crate::engine::ops::{imports, upload};
use crate::engine::sending::Sending;
use crate::engine::source::FileSource;

impl WorkItem {
    /// Has the service fetch the file of another account, if it can. Otherwise returns the fate of
    /// that attempt, and this machine sends the file.
    pub(super) async fn import_copy(
        &self,
        source: &FileSource,
        to: LostUpload<'_>,
        options: &Sending,
    ) -> Result<ControlFlow<Uploaded, Earlier>, Error> {
        let was_sent = self.entry.in_doubt;
        let earlier = if was_sent {
            Earlier::Unknown
        } else if self.entry.rivals.may_store {
            Earlier::CutShort
        } else {
            Earlier::Nothing
        };
        let stream = Ok(ControlFlow::Continue(earlier));
        let (FileSource::Remote(source), UploadContent::Remote(content)) = (source, to.content)
        else {
            return stream;
        };
        let client = &self.tools.client;
        let places = self.tools.sources.import_places(&source.account);
        let failed = |error: &Error| {
            tracing::info!(kind = ?error.kind, "an import failed: copies of that account are streamed");
            places.close();
        };
        let _place;
        let task = match &self.entry.task {
            Some(task) => task.clone(),
            None if places.is_closed() => return stream,
            None => {
                let Some(request) = imports::request_for_copy(to, options).await? else {
                    return stream;
                };
                let Ok(place) = places.try_acquire() else {
                    return stream;
                };
                _place = place;
                match imports::start_copy(client, content, request).await {
                    Ok(task) => self.accepted(task).await,
                    Err(error) if error.in_doubt => {
                        return Ok(ControlFlow::Continue(Earlier::Lost(error)));
                    }
                    // Another scope may do for an upload.
                    Err(error) if error.meets_all() && error.kind != Kind::Forbidden => {
                        return Err(error);
                    }
                    Err(error) => {
                        failed(&error);
                        return stream;
                    }
                }
            }
        };
        match imports::watch(client, &task, &self.report).await {
            // The same bytes, which another upload of this batch has stored under its own name.
            Ok(file) if to.held.is_of_another(&file, to.name) => stream,
            Ok(file) => {
                places.add_permits(1);
                Ok(ControlFlow::Break(Uploaded {
                    file: upload::same_bytes(file, content.file())?,
                    was_repeated: was_sent && self.entry.task.is_none(),
                }))
            }
            Err(error) if error.kind == Kind::TaskFailed => {
                failed(&error);
                stream
            }
            Err(error) if error.kind.ends_task() => Ok(ControlFlow::Continue(Earlier::Unknown)),
            Err(error) => Err(Error {
                in_doubt: true,
                ..error
            }),
        }
    }
}
