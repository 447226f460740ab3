//! Changes that end with their answer: new folders, changes of files in place, deletion.

use tokio_util::sync::CancellationToken;

use super::lost_upload;
use crate::api::model::{CreateFolder, File, FileUpdate, Folder};
use crate::api::paths::{join, split};
use crate::api::{Client, Error, Kind};
use crate::engine::item::Item;
use crate::engine::journal::Journal;
use crate::engine::message::{Place, Progress, Target};
use crate::engine::report::Report;

/// Makes a folder under `parent`, and for `a/b/c` those above it that are missing. The innermost one is the answer;
/// it is an error if it is there already.
pub async fn create_folder(client: &Client, parent: &Place, name: &str) -> Result<Folder, Error> {
    let client = &client.for_change();
    let names: Vec<_> = split(name).collect();
    let Some((last, above)) = names.split_last() else {
        return Err(Error::new(Kind::Refused, "A folder needs a name"));
    };
    let mut place = parent.clone();
    for name in above {
        let path = join(&place.path, name);
        let folder = match client.folder_by_path(&path).await {
            Err(error) if error.kind == Kind::NotFound => match create(client, &place, name).await {
                // Somebody else made it in the meantime.
                Err(error) if error.kind == Kind::Conflict => client.folder_by_path(&path).await,
                made => made,
            },
            found => found,
        };
        place = Place { id: Some(folder?.id), path };
    }
    create(client, &place, last).await
}

/// Makes one folder. After a lost answer it looks for a while whether the folder is there before it tries again.
async fn create(client: &Client, parent: &Place, name: &str) -> Result<Folder, Error> {
    let folder = CreateFolder { name: name.to_owned(), parent_folder_id: parent.id.clone(), ..CreateFolder::default() };
    let error = match client.create_folder(&folder).await {
        Err(error) if error.in_doubt => error,
        answer => return answer,
    };
    let path = join(&parent.path, name);
    for wait in lost_upload::waits(client.timing().settle) {
        tokio::time::sleep(wait).await;
        match client.folder_by_path(&path).await {
            Err(missing) if missing.kind == Kind::NotFound => {}
            Err(_) => return Err(error.or_it(MAY_BE_MADE)),
            found => return found,
        }
    }
    match client.create_folder(&folder).await {
        // The first try came through in the meantime.
        Err(error) if error.kind == Kind::Conflict => client.folder_by_path(&path).await,
        answer => answer.map_err(|error| error.or_it(MAY_BE_MADE)),
    }
}

const MAY_BE_MADE: &str = "may have been made: look before making it again";

/// What came of the items of a job.
#[derive(Debug)]
pub struct Settled<T> {
    pub done: Vec<T>,
    pub failed: Vec<(Target, Error)>,
    /// Not begun, because the job was cancelled.
    pub left: Vec<Target>,
}

/// Changes files one after the other. A failure that would meet the rest too ends it, and counts for all of them. Once
/// `stop` is cancelled nothing more is begun; what is under way is waited for, so that it is known what came of it.
pub async fn update_files(
    client: &Client,
    changes: Vec<(Item, FileUpdate)>,
    stop: &CancellationToken,
    report: &Report,
) -> Settled<File> {
    let items = changes.into_iter().map(|(Item { target, .. }, update)| (target, update)).collect();
    let change = |target: Target, update: FileUpdate| async move {
        match target {
            Target::File(id) => client.update_file(&id, &update).await,
            Target::Folder(_) => Err(Error::new(Kind::Refused, "Folders have no such properties")),
        }
    };
    one_by_one(items, stop, report, change).await
}

/// Deletes one after the other. A permanent deletion is for files only, and a receipt of each goes into the journal once
/// the service has said that it is done. Ends early as `update_files` does.
pub async fn delete(
    client: &Client,
    journal: Option<&Journal>,
    items: Vec<Item>,
    permanent: bool,
    stop: &CancellationToken,
    report: &Report,
) -> Settled<Target> {
    let items = items.into_iter().map(|Item { target, path, .. }| (target, path)).collect();
    let delete = |target: Target, path: String| async move {
        delete_one(client, journal, &target, &path, permanent).await?;
        Ok(target)
    };
    one_by_one(items, stop, report, delete).await
}

const NOT_TRIED: &str = "Not tried: the one before it failed, and this one would have failed the same way";

async fn one_by_one<T, How, Work: Future<Output = Result<T, Error>>>(
    items: Vec<(Target, How)>,
    stop: &CancellationToken,
    report: &Report,
    work: impl Fn(Target, How) -> Work,
) -> Settled<T> {
    let total = items.len();
    let mut settled = Settled { done: Vec::new(), failed: Vec::new(), left: Vec::new() };
    let mut hopeless = None;
    for (number, (target, how)) in items.into_iter().enumerate() {
        if stop.is_cancelled() {
            settled.left.push(target);
            continue;
        }
        let result = match &hopeless {
            Some(error) => Err(Error::clone(error)),
            None => work(target.clone(), how).await,
        };
        match result {
            Ok(done) => settled.done.push(done),
            Err(error) => {
                // Nothing is sent of the rest, so nothing of it is in doubt.
                let meets_all = error.kind.meets_all();
                hopeless = meets_all.then(|| Error { in_doubt: false, message: NOT_TRIED.to_owned(), ..error.clone() });
                settled.failed.push((target, error));
            }
        }
        report.tell(Progress::Items { done: number + 1, total });
    }
    settled
}

async fn delete_one(
    client: &Client,
    journal: Option<&Journal>,
    target: &Target,
    path: &str,
    permanent: bool,
) -> Result<(), Error> {
    let result = match target {
        Target::Folder(_) if permanent => Err(Error::new(
            Kind::Refused,
            "Only files can be deleted permanently; delete the files in the folder first",
        )),
        Target::Folder(id) => client.delete_folder(id).await,
        Target::File(id) if permanent => client.gdpr_delete_file(id).await,
        Target::File(id) => client.delete_file(id).await,
    };
    result.map_err(|error| error.or_it("may be deleted: look before deleting it again"))?;
    if let (Target::File(id), Some(journal), true) = (target, journal, permanent) {
        Journal::log_failure(journal.add_receipt(id, path).await);
    }
    Ok(())
}
