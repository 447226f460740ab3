//! An upload whose response was lost: finds out its result, and how to send it again without a
//! second file as a result (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`).

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};

use super::md5_sum::Md5Sum;
use super::remote_index::RemoteIndex;
use crate::api::model::{DuplicateScope, DuplicateStrategy, File, UploadOptions};
use crate::api::search::{FileSearch, Filter};
use crate::api::{Client, Error, Kind, UploadContent};
use crate::engine::message::{FolderRef, Progress, WaitReason};
use crate::engine::progress_sink::ProgressSink;

/// The number of lookups within the time that the service gets to settle; the waits between them
/// double.
const LOOKS: u32 = 4;

#[derive(Debug, Clone, Copy)]
pub struct LostUpload<'a> {
    pub content: &'a UploadContent,
    pub into: &'a FolderRef,
    /// `None` if the service chooses it.
    pub name: Option<&'a str>,
    /// Files that are not of this upload.
    pub held: &'a RemoteIndex,
}

/// The result of a lost upload, as the service reports it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum LostUploadOutcome {
    Stored(Box<File>),
    /// Nothing came of it; `has_others` is set if the folder has the same content from somewhere
    /// else.
    NotThere {
        has_others: bool,
    },
    Unknown,
    /// The service could not be reached.
    Unreached(Error),
}

impl LostUpload<'_> {
    /// Looks until the file is there or the time to settle is over.
    pub(super) async fn settle(
        &self,
        client: &Client,
        report: &ProgressSink,
    ) -> Result<LostUploadOutcome, Error> {
        let md5 = Md5Sum::of(self.content).await?;
        let mut last = LostUploadOutcome::Unknown;
        for wait in waits(client.timing().settle) {
            report.report(Progress::Waiting {
                wait,
                reason: WaitReason::Settling,
            });
            tokio::time::sleep(wait).await;
            last = match self.look(client, md5).await {
                Ok(found) => match found.ours.into_iter().next() {
                    Some(file) => return Ok(LostUploadOutcome::Stored(Box::new(file))),
                    None if found.honored => LostUploadOutcome::NotThere {
                        has_others: !found.others.is_empty(),
                    },
                    None => LostUploadOutcome::Unknown,
                },
                // Silence, or earlier uploads, took all the time that there is.
                Err(error) if error.kind == Kind::Timeout => {
                    return Ok(LostUploadOutcome::Unreached(error));
                }
                Err(error)
                    if matches!(error.kind, Kind::Unreachable | Kind::Network | Kind::Portal) =>
                {
                    LostUploadOutcome::Unreached(error)
                }
                Err(error) => {
                    tracing::debug!(kind = ?error.kind, "a lost upload could not be looked up");
                    LostUploadOutcome::Unknown
                }
            };
        }
        Ok(last)
    }

    /// Returns other files that resulted from the same upload, once the service had the time to
    /// settle again.
    pub async fn twins(&self, client: &Client, stored: &File, report: &ProgressSink) -> Vec<File> {
        let wait = client.timing().settle;
        report.report(Progress::Waiting {
            wait,
            reason: WaitReason::Settling,
        });
        tokio::time::sleep(wait).await;
        let looked = async { self.look(client, Md5Sum::of(self.content).await?).await };
        let Lookup { ours, others, .. } = match looked.await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "the search for a second copy of an upload failed");
                return Vec::new();
            }
        };
        let later = others.into_iter().filter(|file| {
            let name = self.name.unwrap_or_default();
            self.held.is_later_copy(file, stored, name)
        });
        ours.into_iter()
            .chain(later)
            .filter(|file| file.id != stored.id)
            .collect()
    }

    async fn look(&self, client: &Client, md5: Md5Sum) -> Result<Lookup, Error> {
        let search = FileSearch {
            filter: Filter {
                parents: self.into.id.iter().cloned().collect(),
                ..Filter::default()
            },
            md5: Some(md5.to_string()),
            ..FileSearch::default()
        };
        let page = client.files().search(&search).await?;
        let is_whole = page.next_after().is_none();
        let found = page.results;
        let is_same = |file: &File| Md5Sum::told_of(file) == Some(md5);
        let honored = is_whole && found.iter().all(is_same);
        let here = found
            .into_iter()
            .filter(|file| is_same(file) && file.is_in(self.into.id.as_ref()));
        let is_ours = |file: &File| {
            !self.held.has(&file.id) && self.held.may_be(&file.full_name(), self.name)
        };
        let (ours, others): (Vec<_>, Vec<_>) = here.partition(is_ours);
        Ok(Lookup {
            ours,
            others,
            honored,
        })
    }
}

struct Lookup {
    /// Files that appeared since, under the right name.
    ours: Vec<File>,
    /// Files of the same content from somewhere else.
    others: Vec<File>,
    /// Set if the service returned everything that was requested and nothing else.
    honored: bool,
}

/// Returns the options to send the upload again with; `None` if a second file could result from it.
/// If the same folder has a file of the same content, the service returns that instead of storing
/// another one, which is right unless such a file comes from somewhere else.
pub(super) fn guarded(options: &UploadOptions, has_others: bool) -> Option<UploadOptions> {
    let guards_itself = options.overwrite == Some(true)
        || matches!(
            options.duplicate_validation_strategy,
            Some(DuplicateStrategy::ReturnExisting | DuplicateStrategy::Reject)
        );
    match (guards_itself, has_others) {
        (true, _) => Some(options.clone()),
        (false, true) => None,
        (false, false) => Some(UploadOptions {
            duplicate_validation_scope: Some(DuplicateScope::ExactFolder),
            duplicate_validation_strategy: Some(DuplicateStrategy::ReturnExisting),
            ..options.clone()
        }),
    }
}

/// Returns waits that fill the time to settle but for a little that the last response may take.
pub(super) fn waits(settle: Duration) -> impl Iterator<Item = Duration> {
    let parts = 1 << LOOKS;
    let times = usize::try_from(LOOKS).unwrap_or_default();
    ExponentialBuilder::new()
        .with_min_delay(settle / parts)
        .with_factor(2.0)
        .with_max_times(times)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::model::Access;

    #[test]
    fn looks_take_the_time_to_settle_and_no_more() {
        let settle = Duration::from_secs(30);
        let waits: Vec<_> = waits(settle).collect();
        assert!(waits[0] < Duration::from_secs(2), "{waits:?}");
        let all: Duration = waits.iter().sum();
        assert!(all < settle && all > settle * 9 / 10, "{waits:?}");
    }

    #[test]
    fn a_second_upload_is_guarded_unless_the_guard_would_answer_with_an_older_file() {
        let plain = UploadOptions::new(Access::Private);
        let guarded_once = guarded(&plain, false).unwrap();
        assert_eq!(
            guarded_once.duplicate_validation_strategy,
            Some(DuplicateStrategy::ReturnExisting)
        );
        assert_eq!(
            guarded_once.duplicate_validation_scope,
            Some(DuplicateScope::ExactFolder)
        );
        assert_eq!(guarded(&plain, true), None);
        let rejecting = UploadOptions {
            duplicate_validation_strategy: Some(DuplicateStrategy::Reject),
            ..plain.clone()
        };
        assert_eq!(guarded(&rejecting, true), Some(rejecting.clone()));
        let overwriting = UploadOptions {
            overwrite: Some(true),
            ..plain
        };
        assert_eq!(guarded(&overwriting, true), Some(overwriting.clone()));
    }
}
