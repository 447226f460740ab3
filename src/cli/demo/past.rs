//! The demo's tasks of the last days, on files of the sample library. They have ended as real tasks
//! do: what failed can be retried.

use jiff::{SignedDuration, Timestamp};

use crate::api::ids::FileId;
use crate::api::model::{Access, File, ImportRequest, UploadOptions};
use crate::api::{Error, Kind};
use crate::engine::item::{FolderRef, Target};
use crate::engine::job::Room;
use crate::engine::source::FileSource;
use crate::engine::{Item, Job, PastBatches, PastJob};

/// Returns batches that have ended, on those files that exist. `now` is the start of the demo.
pub(super) fn past(files: &[File], now: Timestamp) -> Vec<PastBatches> {
    let days = Days { files, now };
    let batches = [
        days.receipts_uploaded(),
        days.folder_moved(),
        days.picture_imported(),
        Some(days.import_failed()),
        Some(days.photos_saved()),
        days.drafts_deleted(),
    ];
    batches.into_iter().flatten().collect()
}

struct Days<'a> {
    files: &'a [File],
    now: Timestamp,
}

impl Days<'_> {
    /// Returns a batch of many files, which ended when the last of them was created.
    fn receipts_uploaded(&self) -> Option<PastBatches> {
        let receipts = self.below("/archive/2025/receipts/");
        let (first, last) = (receipts.first()?.created_at?, receipts.last()?.created_at?);
        let into = FolderRef {
            id: receipts.first()?.parent_folder_id.clone(),
            path: "/archive/2025/receipts".to_owned(),
        };
        let upload = |file: &&File| Job::Upload {
            source: FileSource::Local(format!("/home/ada/receipts/{}", file.full_name()).into()),
            into: into.clone(),
            name: None,
            options: UploadOptions::new(file.access.clone().unwrap_or(Access::Private)).into(),
            present: false,
            free_at: None,
        };
        let jobs = receipts
            .iter()
            .map(|file| PastJob {
                bytes: file.size,
                ..done(upload(file))
            })
            .collect();
        Some(PastBatches {
            jobs,
            asked_at: before(first, SignedDuration::from_millis(240)),
            ended_at: last,
        })
    }

    fn folder_moved(&self) -> Option<PastBatches> {
        let plan = self.at("/marketing/q3-launch/launch plan.md")?;
        let parent = Some(FolderRef {
            id: None,
            path: "/marketing".to_owned(),
        });
        let folder = plan.parent_folder_id.clone()?;
        let job = Job::UpdateFolder {
            folder,
            from: "/q3-launch".to_owned(),
            name: None,
            parent,
            seen: None,
        };
        Some(self.ended(vec![done(job)], SignedDuration::from_hours(76), 1_430))
    }

    fn picture_imported(&self) -> Option<PastBatches> {
        let came = self
            .at("/marketing/social/Gdańsk harbour.jpg")?
            .created_at?;
        let jobs = vec![done(import(
            "https://photos.northwind.example/31.jpg",
            "Gdańsk harbour.jpg",
            "/marketing/social",
        ))];
        Some(PastBatches {
            jobs,
            asked_at: before(came, SignedDuration::from_millis(3_120)),
            ended_at: came,
        })
    }

    fn import_failed(&self) -> PastBatches {
        let reason = "Got status 404 instead of a file from the url.";
        let url = "https://press.northwind.example/autumn-poster.pdf";
        let job = import(url, "autumn poster.pdf", "/marketing/q3-launch");
        let failed = PastJob {
            error: Some(Error::new(Kind::TaskFailed, reason)),
            ..done(job)
        };
        self.ended(vec![failed], SignedDuration::from_mins(25 * 60 + 50), 2_380)
    }

    fn photos_saved(&self) -> PastBatches {
        let photos = self.below("/products/photos/");
        let save = |file: &&File| {
            let job = Job::Download {
                file: Item::of(file),
                into: "/home/ada/photos".into(),
                name: None,
                room: Room::Beside,
            };
            PastJob {
                bytes: file.size,
                ..done(job)
            }
        };
        self.ended(
            photos.iter().map(save).collect(),
            SignedDuration::from_mins(20 * 60 + 12),
            640,
        )
    }

    /// Returns a batch in which one file was refused, and still exists.
    fn drafts_deleted(&self) -> Option<PastBatches> {
        let locked = Error {
            status: Some(423),
            ..Error::new(Kind::Server, "The resource is locked")
        };
        let delete = |item: Item| Job::Delete {
            item,
            permanent: false,
            state: None,
        };
        let gone = |name: &str| {
            let item = Item {
                target: Target::File(FileId::new(name)),
                path: format!("/legal/{name}"),
                name: name.to_owned(),
                size: None,
                md5: None,
            };
            done(delete(item))
        };
        let refused = delete(Item::of(self.at("/legal/Supplier contract (draft 3).pdf")?));
        let mut jobs: Vec<PastJob> = [
            "Supplier contract (draft 1).pdf",
            "Supplier contract (draft 2).pdf",
            "Terms of 2023.pdf",
            "Terms of 2024.pdf",
        ]
        .map(gone)
        .into();
        jobs.push(PastJob {
            error: Some(locked),
            ..done(refused)
        });
        Some(self.ended(jobs, SignedDuration::from_mins(4 * 60 + 5), 8_900))
    }

    fn at(&self, path: &str) -> Option<&File> {
        self.files
            .iter()
            .find(|file| file.path.as_deref() == Some(path))
    }

    fn below(&self, folder: &str) -> Vec<&File> {
        let is_below = |file: &&File| {
            file.path
                .as_ref()
                .is_some_and(|path| path.starts_with(folder))
        };
        self.files.iter().filter(is_below).collect()
    }

    /// Returns a batch that ended `ago` before now, after `took` milliseconds.
    fn ended(&self, jobs: Vec<PastJob>, ago: SignedDuration, took: i64) -> PastBatches {
        let ended_at = before(self.now, ago);
        PastBatches {
            jobs,
            asked_at: before(ended_at, SignedDuration::from_millis(took)),
            ended_at,
        }
    }
}

fn before(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.saturating_sub(by).unwrap_or(at)
}

fn done(job: Job) -> PastJob {
    PastJob {
        job,
        bytes: None,
        error: None,
    }
}

fn import(url: &str, name: &str, folder: &str) -> Job {
    let request = ImportRequest {
        url: url.to_owned(),
        name: Some(name.to_owned()),
        folder_id: None,
        folder_path: Some(folder.to_owned()),
        options: UploadOptions::new(Access::PublicIndexable),
    };
    Job::Import {
        request: Box::new(request),
        folder: folder.to_owned(),
        free_name: None,
    }
}
