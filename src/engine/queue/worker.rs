//! Carries out one job: from the job to the operation, and from its result to an outcome.

use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;

use super::source_path;
use super::upload_context::UploadContext;
use crate::api::ids::{FileId, TaskId};
use crate::api::model::{File, FileUpdate, Folder, ImportRequest, Stat};
use crate::api::paths::join;
use crate::api::{Error, Kind, Links, UploadContent};
use crate::engine::batch::{BatchId, JobId};
use crate::engine::deletion::Deletion;
use crate::engine::item::Item;
use crate::engine::job::{Job, Room};
use crate::engine::journal::{Journal, NameClaim, PendingJob};
use crate::engine::message::{FolderRef, Outcome, Progress, Target};
use crate::engine::ops::deletion_record::FolderDeletion;
use crate::engine::ops::download::{Downloaded, ReceivedFile};
use crate::engine::ops::folder_update::{self, FolderEdit, Started};
use crate::engine::ops::local_place::{self, LocalPlace};
use crate::engine::ops::lost_upload::LostUpload;
use crate::engine::ops::remote_index::RemoteIndex;
use crate::engine::ops::replace::Replacement;
use crate::engine::ops::upload::Uploaded;
use crate::engine::ops::{
    delete_local, deletion_record, download, edit, file_update, imports, replace, thumbnail, upload,
};
use crate::engine::progress_sink::ProgressSink;
use crate::engine::seen_state::{changed_since, file_state};
use crate::engine::sending::Sending;
use crate::engine::source::FileSource;
use crate::engine::text_file::is_edited_text;
use crate::engine::tools::Tools;

/// A job that runs, with all that it needs.
pub(super) struct WorkItem {
    pub(super) tools: Tools,
    pub(super) cancelled: CancellationToken,
    pub(super) batch: BatchId,
    pub(super) entry: PendingJob,
    pub(super) context: UploadContext,
    pub(super) report: ProgressSink,
}

enum DownloadEnd {
    /// An earlier run has downloaded it.
    Before(Downloaded),
    Now(ReceivedFile),
}

/// The result of sending a file.
enum SentState {
    /// The folder already had it.
    Before(File),
    Now {
        file: File,
        content: UploadContent,
        folder: FolderRef,
        /// `None` if the service chose it.
        name: Option<String>,
        held: Arc<RemoteIndex>,
        was_repeated: bool,
    },
}

/// Carries out the job in its place of the pool; returns `None` if it was given up. A change that
/// was sent is never given up, so that its result is known.
pub(super) async fn carry_out(
    work: WorkItem,
    place: &mut Option<OwnedSemaphorePermit>,
) -> Option<Result<Outcome, Error>> {
    if let Err(error) = source_path::check(&work.entry.job).await {
        return Some(Err(Error {
            in_doubt: work.entry.in_doubt,
            ..error
        }));
    }
    let result = work.outcome(place).await;
    // A job that was given up may have changed something, too.
    if work.entry.job.kind().is_change()
        && let Err(error) = work.tools.journal.forget_names()
    {
        tracing::warn!(%error, "names of folders stay for a minute");
    }
    let result = result.transpose()?;
    Some(result.map_err(|error| work.entry.job.hide_secrets(error)))
}

impl WorkItem {
    /// Returns the result of `work`; `None` if the job was given up before.
    async fn unless_given_up<T>(
        &self,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<Option<T>, Error> {
        let work = self.cancelled.run_until_cancelled(Box::pin(work));
        work.await.transpose()
    }

    /// Does the job; returns `None` if it was given up.
    async fn outcome(
        &self,
        place: &mut Option<OwnedSemaphorePermit>,
    ) -> Result<Option<Outcome>, Error> {
        let (client, report, in_doubt) = (&self.tools.client, &self.report, self.entry.in_doubt);
        Ok(Some(match &self.entry.job {
            Job::Upload {
                source,
                into,
                name,
                options,
                ..
            } => {
                let sent = self.send(source, into, name.as_deref(), options);
                let Some(sent) = self.unless_given_up(sent).await? else {
                    return Ok(None);
                };
                self.sent(sent, place).await
            }
            Job::Download {
                file,
                into,
                name,
                room,
            } => {
                let place = LocalPlace {
                    into,
                    name: name.as_deref(),
                    room: *room,
                };
                let fetched = self.fetch(&file.target, place);
                let Some((file, end)) = self.unless_given_up(fetched).await? else {
                    return Ok(None);
                };
                // Once all bytes are there, cancelled or not: what is saved counts as saved.
                let Downloaded { path, bytes } = match end {
                    DownloadEnd::Before(downloaded) => downloaded,
                    DownloadEnd::Now(arrived) => arrived.put_in_place().await?,
                };
                Outcome::Downloaded {
                    file: Box::new(file),
                    path,
                    bytes,
                }
            }
            Job::Delete {
                item,
                permanent,
                state,
            } => {
                return self.delete(item, *permanent, state.as_deref()).await;
            }
            Job::Replace {
                source,
                file,
                seen,
                charset,
                access,
            } => {
                let is_edit = source
                    .local()
                    .is_some_and(|local| is_edited_text(local, seen.as_deref()));
                let changes = Replacement {
                    seen: seen.as_deref(),
                    charset: charset.as_deref(),
                    access: access.as_ref(),
                    is_edit,
                };
                let replaced = async {
                    let links = if is_edit {
                        Links::Refused
                    } else {
                        Links::Followed
                    };
                    let content = self.content(source, links).await?;
                    replace::replace(client, &content, file, changes, report).await
                };
                let replaced = self.unless_given_up(replaced).await?;
                return Ok(replaced.map(|file| Outcome::Replaced(Box::new(file))));
            }
            Job::Import {
                request,
                folder,
                free_name,
            } => {
                let imported = self.import(request, folder, free_name.as_deref());
                let imported = self.unless_given_up(imported).await?;
                return Ok(imported.map(|file| Outcome::Imported(Box::new(file))));
            }
            Job::CreateLocalFolder { into, name } => {
                Outcome::LocalFolderCreated(local_place::make_folder(into, name).await?)
            }
            Job::DeleteLocal { path, state, up_to } => {
                let is_gone = path
                    .symlink_metadata()
                    .is_err_and(|error| error.kind() == ErrorKind::NotFound);
                // An earlier run may have deleted it.
                if !(in_doubt && is_gone) {
                    delete_local::delete_local(path, *state, up_to.as_deref()).await?;
                }
                Outcome::LocalFileDeleted(path.clone())
            }
            Job::CreateFolder { parent, name } => {
                let (above, name) = name.rsplit_once('/').unwrap_or(("", name));
                let parent = self.context.folder(client, parent, above).await?.place;
                Outcome::FolderCreated(edit::create_folder(client, &parent, name, in_doubt).await?)
            }
            Job::UpdateFolder {
                folder,
                from,
                name,
                parent,
                seen,
            } => {
                let change = FolderEdit {
                    folder,
                    name: name.as_deref(),
                    parent: parent.as_ref(),
                };
                let updated = self.update_folder(change, from, *seen);
                let updated = self.unless_given_up(updated).await?;
                return Ok(updated.map(Outcome::FolderUpdated));
            }
            Job::Change { file, update, seen } => Outcome::FileUpdated(Box::new(
                file_update::update(client, file, update, *seen).await?,
            )),
            Job::Move { file, into, seen } => {
                let update = FileUpdate {
                    parent_folder_id: into.id.clone(),
                    parent_folder_path: into.is_root().then(|| "/".to_owned()),
                    ..FileUpdate::default()
                };
                Outcome::FileUpdated(Box::new(
                    file_update::update(client, file, &update, *seen).await?,
                ))
            }
        }))
    }

    async fn import(
        &self,
        request: &ImportRequest,
        folder: &str,
        free_name: Option<&str>,
    ) -> Result<File, Error> {
        let client = &self.tools.client;
        let task = match &self.entry.task {
            Some(task) => task.clone(),
            None if self.entry.in_doubt => return Err(may_have_started()),
            None if self.entry.partly => return Err(not_kept()),
            None => self.accepted(imports::start(client, request).await?).await,
        };
        let file = imports::watch(client, &task, &self.report).await?;
        match free_name {
            Some(name) => upload::not_second(client, file, &join(folder, name)).await,
            None => Ok(file),
        }
    }

    async fn update_folder(
        &self,
        change: FolderEdit<'_>,
        from: &str,
        seen: Option<Timestamp>,
    ) -> Result<Folder, Error> {
        let (client, folder) = (&self.tools.client, change.folder);
        let to_root = change.parent.is_some_and(FolderRef::is_root);
        let started = match &self.entry.task {
            Some(task) => Started::Task(task.clone()),
            None if seen.is_some() && client.folders().get(folder).await?.updated_at != seen => {
                return Err(changed_since(from));
            }
            None => folder_update::start(client, change).await?,
        };
        match started {
            Started::Done(folder) => Ok(*folder),
            Started::Task(task) => {
                let task = self.accepted(task).await;
                folder_update::watch(client, &task, folder, to_root, &self.report).await
            }
        }
    }

    /// Deletes something. For a folder, first notes the files in it; until that is done, the job
    /// can be given up.
    async fn delete(
        &self,
        item: &Item,
        permanent: bool,
        state: Option<&str>,
    ) -> Result<Option<Outcome>, Error> {
        let (in_doubt, client, journal) =
            (self.entry.in_doubt, &self.tools.client, &self.tools.journal);
        let noted = match &item.target {
            Target::Folder(id) if !permanent => {
                let deletion = FolderDeletion {
                    folder: id,
                    path: &item.path,
                    state,
                    in_doubt,
                };
                let note = deletion_record::note(client, journal, deletion);
                let Some(noted) = self.unless_given_up(note).await? else {
                    return Ok(None);
                };
                Some(noted)
            }
            _ => None,
        };
        if let (Some(state), Some(file)) = (state, item.target.file()) {
            let is_seen = match client.files().get(file).await {
                Err(error) if in_doubt && error.kind == Kind::NotFound => true,
                now => file_state(&now?) == state,
            };
            if !is_seen {
                return Err(changed_since(&item.path));
            }
        }
        if permanent && let Some(file) = item.target.file() {
            deletion_record::check_gone(client, journal, file).await?;
            if let Some(thumbnails) = &self.tools.thumbnails {
                thumbnail::forget(thumbnails, file).await?;
            }
            journal
                .forget_names()
                .map_err(|error| Error::local("Cannot remove the kept names", &error))?;
        }
        let answer = edit::delete(client, item, permanent, in_doubt).await?;
        let target = item.target.clone();
        let deletion = match target.file() {
            Some(file) => {
                let item = deletion_record::with_content(journal, item, file).await;
                Some(Deletion::of_file(file, &item, Timestamp::now(), answer))
            }
            None => noted,
        };
        if let Some(deletion) = &deletion {
            Journal::log_failure(journal.add_deletion(deletion).await);
        }
        Ok(Some(Outcome::Deleted { target, deletion }))
    }

    async fn fetch(
        &self,
        target: &Target,
        place: LocalPlace<'_>,
    ) -> Result<(File, DownloadEnd), Error> {
        let client = &self.tools.client;
        let file = client.files().get(file_id(target)?).await?;
        let may_be_there = self.entry.in_doubt || place.room != Room::Beside;
        let found = if may_be_there {
            download::found(&file, place).await?
        } else {
            None
        };
        if let Some(found) = found {
            return Ok((file, DownloadEnd::Before(found)));
        }
        self.context.sweep(place.folder()).await;
        let received = download::download(client, &file, place, &self.report).await?;
        Ok((file, DownloadEnd::Now(received)))
    }

    /// Returns the result of an upload. One that was sent twice is looked for once more, without a
    /// place in the pool.
    async fn sent(&self, sent: SentState, place: &mut Option<OwnedSemaphorePermit>) -> Outcome {
        match sent {
            SentState::Before(file) => Outcome::Present(Box::new(file)),
            SentState::Now {
                file,
                content,
                folder,
                name,
                held,
                was_repeated,
            } => {
                let twins = if was_repeated {
                    *place = None;
                    let lost = LostUpload {
                        content: &content,
                        into: &folder,
                        name: name.as_deref(),
                        held: &held,
                    };
                    let twins = lost.twins(&self.tools.client, &file, &self.report);
                    self.cancelled
                        .run_until_cancelled(Box::pin(twins))
                        .await
                        .unwrap_or_default()
                } else {
                    Vec::new()
                };
                Outcome::Uploaded {
                    file: Box::new(file),
                    twins,
                }
            }
        }
    }

    /// Returns the bytes of a source; one of an account is opened for it.
    async fn content(&self, source: &FileSource, links: Links) -> Result<UploadContent, Error> {
        match source {
            FileSource::Local(path) => Ok(UploadContent::Local {
                path: path.clone(),
                links,
            }),
            FileSource::Remote(remote) => self.tools.sources.content(remote).await,
        }
    }

    async fn send(
        &self,
        source: &FileSource,
        into: &FolderRef,
        name: Option<&str>,
        options: &Sending,
    ) -> Result<SentState, Error> {
        let content = &self.content(source, Links::Followed).await?;
        let (client, job) = (&self.tools.client, &self.entry.job);
        let present = matches!(job, Job::Upload { present: true, .. });
        let (below, name) = match name.and_then(|name| name.rsplit_once('/')) {
            Some((below, last)) => (below, Some(last)),
            None => ("", name),
        };
        let folder = self.context.folder(client, into, below).await?;
        let held = self.context.held(&self.tools, self.batch, &folder).await?;
        let into = &folder.place;
        let claim = |file: &FileId| self.context.claim(file, self.entry.number);
        let name = match name {
            _ if options.unnamed => None,
            Some(name) => Some(name),
            None => Some(source.name().ok_or_else(|| not_sendable(source))?),
        };
        let path = join(&into.path, name.unwrap_or_default());
        // No other name will do: the plan found this one free, and nobody chose to keep both.
        let is_fixed = job.fixed_at().is_some();
        let checked = async |file: File| {
            if is_fixed {
                upload::at_its_path(client, file, &path).await
            } else {
                Ok(file)
            }
        };
        let now = |file, was_repeated| SentState::Now {
            file,
            content: content.clone(),
            folder: into.clone(),
            name: name.map(str::to_owned),
            held: held.clone(),
            was_repeated,
        };
        if present || is_fixed || self.entry.in_doubt {
            let found = held.same(client, into, content, name, claim).await?;
            if let Some(id) = found {
                let file = checked(client.files().get(&id).await?).await?;
                if !self.entry.in_doubt {
                    return Ok(SentState::Before(file));
                }
                // What an earlier attempt of this job has sent is not somebody else's file.
                let file = file_update::complete(client, file, options).await?;
                return Ok(if present {
                    SentState::Before(file)
                } else {
                    now(file, false)
                });
            }
        }
        if let Some(file) = self.stored_meanwhile(content, &path).await? {
            return Ok(SentState::Before(file));
        }
        let to = LostUpload {
            content,
            into,
            name,
            held: &held,
        };
        let imported = Box::pin(self.import_copy(source, to, options)).await?;
        let Uploaded { file, was_repeated } = match imported {
            ControlFlow::Break(imported) => imported,
            ControlFlow::Continue(earlier) => {
                upload::upload(client, to, options, earlier, &self.report).await?
            }
        };
        held.add(&file);
        claim(&file.id);
        let file = file_update::complete(client, checked(file).await?, options).await?;
        Ok(now(file, was_repeated))
    }

    /// Returns the file that another upload has stored under the name of this one. Fails if that is
    /// still running or has other content: the service would give this one a number, which nobody
    /// asked for.
    async fn stored_meanwhile(
        &self,
        content: &UploadContent,
        path: &str,
    ) -> Result<Option<File>, Error> {
        let Some(free_at) = self
            .entry
            .job
            .free_at()
            .filter(|_| self.entry.rivals.have_name)
        else {
            return Ok(None);
        };
        let id = JobId {
            batch: self.batch,
            number: self.entry.number,
        };
        match self.tools.journal.claim(id, free_at).await? {
            None => Ok(None),
            Some(NameClaim::UnderWay) => {
                let message = format!(
                    "{path} is being uploaded by another task of this machine; start this one again when that has ended"
                );
                Err(Error::new(Kind::Conflict, message))
            }
            Some(NameClaim::Stored) => match self.tools.client.files().stat(path).await {
                Ok(Stat {
                    file: Some(file), ..
                }) if upload::has_content_of(&file, content).await? => Ok(Some(file)),
                Ok(_) => {
                    let message = format!(
                        "{path} was stored by another task of this machine in the meantime, with different content"
                    );
                    Err(Error::new(Kind::Conflict, message))
                }
                Err(error) if error.kind == Kind::NotFound => Ok(None),
                Err(error) => Err(error),
            },
        }
    }

    /// Records the task before anything waits for it.
    pub(super) async fn accepted(&self, task: TaskId) -> TaskId {
        let journal = &self.tools.journal;
        Journal::log_failure(journal.accept(self.batch, self.entry.number, &task).await);
        self.report
            .report(Progress::Accepted { task: task.clone() });
        if self.tools.leaves_tasks {
            std::future::pending::<()>().await;
        }
        task
    }
}

fn file_id(target: &Target) -> Result<&FileId, Error> {
    target
        .file()
        .ok_or_else(|| Error::new(Kind::Refused, "It is a folder; this works for files only"))
}

fn not_sendable(source: &FileSource) -> Error {
    let message = format!(
        "{} has a name that cannot be sent; rename it",
        source.shown()
    );
    Error::new(Kind::Refused, message)
}

fn may_have_started() -> Error {
    Error {
        in_doubt: true,
        ..Error::new(
            Kind::Network,
            "An earlier session was interrupted: it may have started; check before you start it again",
        )
    }
}

fn not_kept() -> Error {
    Error::new(
        Kind::Refused,
        "Its address was not saved because it may contain a signature; start the import again",
    )
}
