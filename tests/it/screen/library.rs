//! States to draw: a small library of files as an account would have it, at a fixed time.

use filedeck::api::Position;
use filedeck::api::ids::{FileId, FolderId, TaskId};
use filedeck::api::model::{Access, File, Folder, ImportRequest, TaskStatus, UploadOptions};
use filedeck::api::{Error, Kind};
use filedeck::config::{AccountSource, AccountSummary};
use filedeck::engine::batch::{Batch, Bytes, Counts, Hold, RemoteTarget, RunningJob};
use filedeck::engine::message::{
    Cursor, Entry, FolderRef, RequestBudget, Sort, Stage, Target, WaitReason,
};
use filedeck::engine::queue_view::{BatchJob, JobState};
use filedeck::engine::source::FileSource;
use filedeck::engine::{Item, Job, OpId, SessionId};
use filedeck::tui::input::local_paths::LocalPaths;
use filedeck::tui::keymap::Keymap;
use filedeck::tui::state::{
    Account, AccountSession, BackgroundAccount, FilesPane, Listing, NameOrder, Start, State,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::support::changed::changed;
use crate::support::limits;
use crate::support::queue::{ended, held, job, queued, running, under_way, unfold, view};

pub(super) fn now() -> Timestamp {
    "2026-11-21T09:30:00Z".parse().unwrap()
}

pub(super) fn op(number: u64) -> OpId {
    OpId {
        session: SessionId::FIRST,
        number,
    }
}

fn ago(hours: i64) -> Timestamp {
    now() - SignedDuration::from_hours(hours)
}

fn accounts() -> Vec<AccountSummary> {
    let known = |source, address: Option<&str>, read_only| AccountSummary {
        source,
        address: address.map(|address| address.parse().unwrap()),
        version: "v3".to_owned(),
        read_only,
        entry: None,
    };
    vec![
        known(
            AccountSource::Configured("acme-archive".to_owned()),
            Some("https://archive.example.com"),
            true,
        ),
        known(
            AccountSource::Configured("acme-prod".to_owned()),
            Some("https://api.example.com"),
            false,
        ),
        known(AccountSource::Environment, None, false),
        known(AccountSource::LocalStore, None, false),
        known(AccountSource::Demo, None, false),
    ]
}

/// The state before any request.
pub(super) fn blank() -> State {
    State::new(Start {
        now: now(),
        size: (80, 24),
        account: Account {
            journal_name: String::new(),
            source: AccountSource::Configured("acme-prod".to_owned()),
            read_only: false,
            production: false,
            color: None,
            favorites: filedeck::config::favorites::Favorites::default(),
        },
        accounts: accounts(),
        local: LocalPaths {
            dir: "/home/ada".into(),
            home: Some("/home/ada".into()),
        },
        keymap: Keymap::defaults(),
    })
}

pub(super) fn place() -> FolderRef {
    FolderRef {
        id: Some(FolderId::new("412")),
        path: "/marketing/q3-launch".to_owned(),
    }
}

/// A file of that folder; its id is derived from its size, to keep calls short.
pub(super) fn file(name: &str, access: &Access, size: u64, hours: i64) -> File {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    serde_json::from_value(json!({
        "id": (8_000 + size % 1_000).to_string(),
        "createdAt": "2026-08-01T08:00:00.000Z",
        "updatedAt": ago(hours).to_string(),
        "parentFolderId": "412",
        "name": stem,
        "extension": extension,
        "path": format!("/marketing/q3-launch/{name}"),
        "size": size,
        "type": if extension == "png" { "IMG" } else { "DOCUMENT" },
        "encoding": extension,
        "access": access.as_str(),
        "url": format!("https://acme.example/hubfs/marketing/q3-launch/{name}"),
        "defaultHostingUrl": format!("https://acme.example/hubfs/marketing/q3-launch/{name}"),
        "isUsableInContent": true,
        "fileMd5": "9f2c41c0e1b2a3948576d0c1b2a39485",
    }))
    .unwrap()
}

pub(super) fn folder(id: &str, path: &str) -> Folder {
    let (_, name) = path.rsplit_once('/').unwrap();
    serde_json::from_value(json!({
        "id": id, "name": name, "path": path,
        "createdAt": "2026-08-01T08:00:00.000Z", "updatedAt": ago(48).to_string(),
    }))
    .unwrap()
}

/// A full first page: a sub-folder, three levels of access, one file that expires.
pub(super) fn entries() -> Vec<Entry> {
    let mut image = file("banner-01.png", &Access::PublicIndexable, 412_338, 3);
    (image.width, image.height) = (Some(1600), Some(900));
    let mut expiring = file("banner-02.png", &Access::PublicNotIndexable, 398_001, 3);
    expiring.expires_at = Some(now() + SignedDuration::from_hours(6 * 24 + 1));
    let mut entries = vec![
        Entry::Folder(folder("901", "/marketing/q3-launch/banners")),
        Entry::File(image),
        Entry::File(expiring),
        Entry::File(file("contract-draft.pdf", &Access::Private, 1_258_291, 30)),
    ];
    for number in 1..=30 {
        let name = format!("notes-{number:02}.txt");
        entries.push(Entry::File(file(
            &name,
            &Access::Private,
            900 + number,
            200,
        )));
    }
    entries
}

pub(super) fn listing(entries: Vec<Entry>, has_more: bool) -> Listing {
    let mut listing = Listing::new(place().into(), Sort::default());
    // The rows stay as they are given.
    listing.names = NameOrder::ByCharacter;
    let next = has_more.then_some(Cursor {
        stage: Stage::Files,
        position: Position {
            offset: 100,
            from_id: None,
        },
    });
    listing.take_first(entries, next, now() - SignedDuration::from_secs(2));
    listing
}

/// An open, fully read folder with two marks; the tree, the limits and the budget are known.
pub(super) fn browsing() -> State {
    let mut state = blank();
    state.files.listing = listing(entries(), false);
    for at in [2, 3] {
        let target = state.files.listing.at(at).unwrap().1.target.clone();
        state.files.listing.mark(&target);
    }
    state.files.listing.move_to(1);
    state.set_subfolders(
        None,
        vec![
            folder("1", "/marketing"),
            folder("2", "/sales"),
            folder("3", "/legal"),
        ],
    );
    state.set_subfolders(
        Some(&FolderId::new("1")),
        vec![
            folder("11", "/marketing/banners"),
            folder("412", "/marketing/q3-launch"),
        ],
    );
    state.set_subfolders(Some(&FolderId::new("412")), vec![]);
    let tree = &mut state.files.tree;
    tree.find_mut(None).unwrap().open = true;
    tree.find_mut(Some(&FolderId::new("1"))).unwrap().open = true;
    tree.cursor = Some(FolderId::new("412"));
    state
        .session
        .tasks
        .busy
        .ask(op(900), [Target::Folder(FolderId::new("3"))]);
    state.session.budget = Some(RequestBudget {
        remaining: 96,
        max: 100,
    });
    with_limits(&mut state);
    state
}

/// Adds all reports, the associations of Subscriptions, and thirty days of history.
pub(super) fn with_limits(state: &mut State) {
    let now = now();
    state.session.limits.change(|panel| {
        let book = &mut panel.book;
        book.asked_at = Some(now);
        for (report, entries) in limits::account().into_iter().chain(limits::associations()) {
            book.ask(report.clone(), op(0), now);
            book.store_answer(&report, entries, now);
        }
        book.remember(limits::past(now));
    });
}

/// Adds a task of most kinds and in every status.
pub(super) fn with_tasks(state: &mut State) {
    let start = now() - SignedDuration::from_secs(12);
    let upload = |name: &str| Job::Upload {
        source: FileSource::Local(format!("/home/ada/{name}").into()),
        into: place(),
        name: None,
        options: UploadOptions::new(Access::Private).into(),
        present: false,
        free_at: None,
    };
    let item = |name: &str| Item {
        target: Target::File(FileId::new(name)),
        path: format!("/{name}"),
        name: name.to_owned(),
        size: None,
        md5: None,
    };
    let delete = |names: &[&str]| -> Vec<Job> {
        names
            .iter()
            .copied()
            .map(|name| Job::Delete {
                item: item(name),
                permanent: false,
                state: None,
            })
            .collect()
    };
    let uploading = |done: u64| {
        let bytes = Bytes {
            done,
            total: Some(60_000_000),
        };
        let job = RunningJob {
            bytes: Some((done, bytes.total)),
            ..under_way("banner-07.png")
        };
        Batch {
            bytes,
            ..running(queued(1, &[upload("banner-07.png")], start), vec![job])
        }
    };
    let url = "https://cdn.example/logo.svg".to_owned();
    let request = changed(
        ImportRequest::new(url, UploadOptions::new(Access::Private)),
        |request| {
            request.folder_path = Some("/marketing".to_owned());
        },
    );
    let import = Job::Import {
        request: Box::new(request),
        folder: "/marketing".to_owned(),
        free_name: None,
    };
    let next_poll = Some(now() + SignedDuration::from_secs(2));
    let remote = RemoteTarget {
        id: TaskId::new("57122e"),
        status: Some(TaskStatus::Processing),
        next_poll,
    };
    let importing = running(
        queued(2, &[import], start),
        vec![RunningJob {
            remote: Some(remote),
            ..under_way("logo.svg")
        }],
    );
    let waiting = Some((now() + SignedDuration::from_secs(7), WaitReason::RateLimit));
    let waiting = running(
        queued(3, &delete(&["a", "b", "c"]), start),
        vec![RunningJob {
            waiting,
            ..under_way("/a")
        }],
    );
    let paused = queued(
        4,
        &(0..48)
            .map(|at| upload(&format!("{at}.png")))
            .collect::<Vec<_>>(),
        start,
    );
    let counts = Counts {
        done: 12,
        failed: 3,
        ..paused.counts
    };
    let paused = held(Batch { counts, ..paused }, Hold::Paused);
    let spent = Error::new(Kind::RateLimited, "The daily budget is spent");
    let until = Some(now() + SignedDuration::from_mins(300));
    let spent = held(
        queued(5, &delete(&["d", "e"]), start),
        Hold::Cause {
            error: spent,
            until,
        },
    );
    let failed = ended(queued(6, &delete(&["terms.pdf"]), start), 0, 1, now());
    let failed = Batch {
        failure: Some(("/terms.pdf".to_owned(), not_found())),
        ..failed
    };
    let waits = queued(7, &[upload("banner-08.png")], start);
    let done = ended(queued(8, &[upload("banner-06.png")], start), 1, 0, now());
    let cancelled = ended(queued(9, &delete(&["f", "g", "h"]), start), 1, 0, now());
    let batches = |first: Batch| {
        [
            first,
            importing.clone(),
            waiting.clone(),
            paused.clone(),
            spent.clone(),
            failed.clone(),
            waits.clone(),
            done.clone(),
            cancelled.clone(),
        ]
    };
    for (seconds, bytes) in [(0, 0), (12, 37_200_000)] {
        state.session.tasks.set_view(
            view(&batches(uploading(bytes))),
            start + SignedDuration::from_secs(seconds),
        );
    }
}

/// Adds a task that lists an item in every status, above another task.
pub(super) fn with_items(state: &mut State) {
    let upload = |name: &str| Job::Upload {
        source: FileSource::Local(format!("/home/ada/launch/{name}").into()),
        into: place(),
        name: None,
        options: UploadOptions::new(Access::Private).into(),
        present: false,
        free_at: None,
    };
    let names = [
        "teaser.mp4",
        "07.png",
        "prices.csv",
        "08.png",
        "09.png",
        "10.png",
        "01.png",
    ];
    let jobs = names.map(upload);
    let ago = |seconds| now() - SignedDuration::from_secs(seconds);
    let direction = |name: &str, done, total| {
        JobState::Running(RunningJob {
            bytes: Some((done, Some(total))),
            ..under_way(name)
        })
    };
    let failed = changed(Error::new(Kind::Server, "The service is busy"), |error| {
        error.status = Some(503);
        error.correlation_id = Some("5e1c7a90-0b1d-4c55-9a0e-3f2f8f1f7c11".to_owned());
    });
    let states = [
        (
            direction("teaser.mp4", 24_000_000, 38_000_000),
            Some(38_000_000),
            Some(ago(9)),
            None,
        ),
        (
            direction("07.png", 310_000, 310_000),
            Some(310_000),
            Some(ago(2)),
            None,
        ),
        (
            JobState::Failed(failed),
            Some(3_012),
            Some(ago(31)),
            Some(now()),
        ),
        (JobState::Waiting, Some(512_000), None, None),
        (JobState::Waiting, None, None, None),
        (
            JobState::Cancelled { in_doubt: true },
            Some(99_000),
            Some(ago(4)),
            Some(ago(1)),
        ),
        (JobState::Done, Some(704_000), Some(ago(30)), Some(ago(28))),
    ];
    let rows = jobs.iter().zip(states).zip(1..).map(
        |((one, (state, bytes, started_at, ended_at)), below)| BatchJob {
            bytes,
            started_at,
            ended_at,
            stored: None,
            ..job(1, below, one.clone(), state)
        },
    );
    let batch = running(
        queued(1, &jobs, ago(31)),
        vec![under_way("teaser.mp4"), under_way("07.png")],
    );
    let batch = Batch {
        counts: Counts {
            done: 1,
            failed: 1,
            cancelled: 1,
            ..batch.counts
        },
        ..batch
    };
    let other = queued(2, &[upload("a.png"), upload("b.png")], ago(3));
    let tasks = &mut state.session.tasks;
    tasks.set_view(view(&[batch, other]), now());
    unfold(tasks, &rows.collect::<Vec<_>>());
}

/// Leaves the demo while an upload continues there.
pub(super) fn upload_on_the_demo(state: &mut State) {
    let upload = Job::Upload {
        source: FileSource::Local("/home/ada/banner-09.png".into()),
        into: FolderRef::root(),
        name: None,
        options: UploadOptions::new(Access::Private).into(),
        present: false,
        free_at: None,
    };
    let bytes = Bytes {
        done: 3_000_000,
        total: Some(4_000_000),
    };
    let job = RunningJob {
        bytes: Some((bytes.done, bytes.total)),
        ..under_way("banner-09.png")
    };
    let batch = Batch {
        bytes,
        ..running(queued(1, &[upload], now()), vec![job])
    };
    let account = Account {
        journal_name: String::new(),
        source: AccountSource::Demo,
        read_only: false,
        production: false,
        color: None,
        favorites: filedeck::config::favorites::Favorites::default(),
    };
    let mut session = AccountSession::new(account, state.mint_session());
    session.tasks.set_view(view(&[batch]), now());
    let files = FilesPane::default();
    state
        .background_accounts
        .push(BackgroundAccount { session, files });
}

pub(super) fn not_found() -> Error {
    changed(
        Error::new(Kind::NotFound, "Folder 412 was not found"),
        |error| {
            error.status = Some(404);
            error.category = Some("OBJECT_NOT_FOUND".to_owned());
            error.correlation_id = Some("5e1c7a90-0b1d-4c55-9a0e-3f2f8f1f7c11".to_owned());
        },
    )
}
