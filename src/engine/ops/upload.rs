//! Uploads one file. After a lost response it looks for the file before it sends it again, so
//! that no second copy results (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`).

use std::borrow::Cow;
use std::time::Duration;

use super::lost_upload::{self, LostUpload, LostUploadOutcome};
use super::md5_sum::Md5Sum;
use crate::api::model::{File, Stat};
use crate::api::{Client, Error, Fingerprint, Kind, Sent, UploadContent};
use crate::engine::meter;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::sending::Sending;

#[derive(Debug, Clone, PartialEq)]
pub struct Uploaded {
    pub file: File,
    /// Set if it was sent more than once: an earlier copy may still be stored.
    pub was_repeated: bool,
}

/// The fate of an earlier attempt to store the same content.
#[derive(Debug, Clone, PartialEq)]
pub enum Earlier {
    /// It stored nothing, or there was none.
    Nothing,
    /// It may have stored it.
    Unknown,
    /// A task that was cut short may store it yet, or have stored it: an import goes on without it.
    CutShort,
    /// Its response was lost just now, with this error.
    Lost(Error),
}

/// Sends `content` into a folder, as `name` or under one that the service chooses. `held` is what the
/// folder held before, of files of this size at least. An error that is in doubt means that nobody
/// knows if it was stored.
pub async fn upload(
    client: &Client,
    lost: LostUpload<'_>,
    sending: &Sending,
    earlier: Earlier,
    report: &ProgressSink,
) -> Result<Uploaded, Error> {
    let client = &client.with_transfer_budget();
    let LostUpload {
        content,
        into,
        name,
        held,
    } = lost;
    let before = Fingerprint::take(content).await?;
    let (mut options, mut in_doubt, mut refusals) = (Cow::Borrowed(&sending.options), false, 0);
    let mut was_repeated = earlier == Earlier::Unknown;
    if (was_repeated || earlier == Earlier::CutShort)
        && let Some(again) =
            lost_upload::guarded(&options, held.has_content_of(content, before.length).await?)
    {
        options = Cow::Owned(again);
    }
    let mut lost_now = match earlier {
        Earlier::Lost(error) => Some(error),
        Earlier::Nothing | Earlier::Unknown | Earlier::CutShort => None,
    };
    loop {
        let sent = match lost_now.take() {
            Some(error) => Err(error),
            None => {
                client
                    .files()
                    .upload("/")
                    .from_content(content.clone())
                    .folder(into.id.as_ref())
                    .name(name)
                    .options(options.as_ref().clone())
                    .charset(sending.charset.as_deref())
                    .on_progress(meter::bytes(report, Some(before.length)))
                    .send()
                    .await
            }
        };
        let error = match sent {
            Ok(sent) => {
                let file = verified(sent)?;
                // The guard was answered with a file of another upload that has the same content.
                if matches!(options, Cow::Owned(_)) && !held.may_be(&file.full_name(), name) {
                    options = Cow::Borrowed(&sending.options);
                    continue;
                }
                return Ok(Uploaded { file, was_repeated });
            }
            Err(error) => Error {
                in_doubt: error.in_doubt || in_doubt,
                ..error
            },
        };
        if !error.in_doubt {
            return Err(error);
        }
        in_doubt = true;
        refusals += usize::from(error.kind != Kind::Network);
        // Silence has taken all the time that there is.
        let may_try_again = error.kind.passes()
            && error.kind != Kind::Timeout
            && refusals <= MOST_REFUSALS
            && client
                .retry_budget()
                .next_try(None, Duration::ZERO)
                .is_some();
        let outcome = if before.is_of(content).await {
            lost.settle(client, report)
                .await
                .unwrap_or(LostUploadOutcome::Unknown)
        } else {
            // The local file has changed since it was sent, so that it cannot be looked for.
            LostUploadOutcome::Unknown
        };
        match outcome {
            LostUploadOutcome::Stored(file) => {
                return Ok(Uploaded {
                    file: *file,
                    was_repeated,
                });
            }
            LostUploadOutcome::NotThere { has_others } if may_try_again => {
                match lost_upload::guarded(&options, has_others) {
                    Some(again) => (options, was_repeated) = (Cow::Owned(again), true),
                    None => return Err(error.or_it(MAY_BE_STORED)),
                }
            }
            // The connection is shared by all jobs, and the result of this upload can be looked up
            // when it is back.
            LostUploadOutcome::Unreached(why) => {
                let kind = if why.kind == Kind::Portal {
                    Kind::Portal
                } else {
                    Kind::Unreachable
                };
                return Err(Error {
                    kind,
                    in_doubt: true,
                    ..why
                });
            }
            LostUploadOutcome::NotThere { .. } | LostUploadOutcome::Unknown => {
                return Err(error.or_it(MAY_BE_STORED));
            }
        }
    }
}

/// A service that responds so often with an error, or not validly, will keep doing so, unlike a cut
/// connection.
const MOST_REFUSALS: usize = 3;

pub(crate) const MAY_BE_STORED: &str = "may have been stored: check before you upload it again";

pub fn last_name(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}

/// Fails if a file is stored elsewhere than requested: somebody else took the path. Names both,
/// deletes nothing.
pub async fn at_its_path(client: &Client, file: File, path: &str) -> Result<File, Error> {
    if file.full_name() == last_name(path) {
        return Ok(file);
    }
    let first = match client.files().stat(path).await {
        Ok(Stat {
            file: Some(first), ..
        }) => format!("{path} (id {})", first.id),
        _ => path.to_owned(),
    };
    let now = file.path.clone().unwrap_or_else(|| file.full_name());
    let message = format!(
        "{first} was taken by somebody else in the meantime: this file is {now} (id {}) now, and nothing was deleted",
        file.id
    );
    Err(Error::new(Kind::Conflict, message))
}

/// Does the same as `at_its_path` for a name that the service may complete: fails only if another
/// file has the path.
pub async fn not_second(client: &Client, file: File, path: &str) -> Result<File, Error> {
    if file.full_name() == last_name(path) {
        return Ok(file);
    }
    match client.files().stat(path).await {
        Ok(Stat {
            file: Some(first), ..
        }) if first.id != file.id => at_its_path(client, file, path).await,
        _ => Ok(file),
    }
}

pub async fn has_content_of(file: &File, content: &UploadContent) -> Result<bool, Error> {
    match Md5Sum::told_of(file) {
        Some(remote_md5) => Ok(remote_md5 == Md5Sum::of(content).await?),
        None => Ok(false),
    }
}

/// Fails unless the service stored the bytes that were sent.
pub(super) fn verified(sent: Sent) -> Result<File, Error> {
    match &sent.file.file_md5 {
        Some(stored) if !stored.eq_ignore_ascii_case(&sent.md5) => Err(differs("MD5")),
        _ => Ok(sent.file),
    }
}

/// Fails unless an imported file has the bytes of its source: by MD5 if both accounts give one,
/// otherwise by size.
pub fn same_bytes(imported: File, source: &File) -> Result<File, Error> {
    let (is_same, by) = match (Md5Sum::told_of(&imported), Md5Sum::told_of(source)) {
        (Some(stored), Some(own)) => (stored == own, "MD5"),
        _ => (imported.size == source.size, "size"),
    };
    if is_same {
        Ok(imported)
    } else {
        Err(differs(by))
    }
}

fn differs(by: &str) -> Error {
    let message = format!(
        "The stored file differs from the one that was sent (by {by}); delete it and upload it again"
    );
    Error::new(Kind::Decode, message)
}
