//! States to draw: a small library of files as an account would have it, at a fixed time.

use std::time::Duration;

use filedeck::api::ids::{FileId, FolderId, TaskId};
use filedeck::api::model::{
    Access, AssociationFlags, AssociationLimits, CustomPropertyLimits, File, Folder, ImportRequest, ObjectTypeUsage,
    TaskStatus, UploadOptions,
};
use filedeck::api::{Error, Kind};
use filedeck::engine::message::{Budget, Cursor, Entry, Place, Progress, Sort, Stage, Target};
use filedeck::engine::{Item, Job, OpId};
use filedeck::tui::keymap::Keymap;
use filedeck::tui::local_paths::LocalPaths;
use filedeck::tui::state::{Account, FromType, Listing, Start, State, Status};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

/// 21 November 2026, 09:30 UTC.
pub(super) fn now() -> Timestamp {
    "2026-11-21T09:30:00Z".parse().unwrap()
}

fn ago(hours: i64) -> Timestamp {
    now() - SignedDuration::from_hours(hours)
}

/// Nothing asked for and nothing known yet.
pub(super) fn blank() -> State {
    State::new(Start {
        now: now(),
        size: (80, 24),
        account: Account {
            name: "acme-prod".to_owned(),
            base_url: "https://api.example.com".to_owned(),
            read_only: false,
            local: false,
        },
        local: LocalPaths { dir: "/home/ada".into(), home: Some("/home/ada".into()) },
        keymap: Keymap::defaults().unwrap(),
    })
}

pub(super) fn place() -> Place {
    Place { id: Some(FolderId::new("412")), path: "/marketing/q3-launch".to_owned() }
}

/// A file of that folder; its id is its size, to keep rows short.
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

/// A full first page: sub-folder, three levels of access, one file that expires.
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
        entries.push(Entry::File(file(&name, &Access::Private, 900 + number, 200)));
    }
    entries
}

/// The open folder with those entries, and whether more are to come.
pub(super) fn listing(entries: Vec<Entry>, has_more: bool) -> Listing {
    let mut listing = Listing::new(place(), Sort::default());
    let next = has_more.then_some(Cursor { stage: Stage::Files, offset: 100, from_id: None });
    listing.take_first(entries, next, now() - SignedDuration::from_secs(2));
    listing
}

/// A folder that is open, read, with two marks; the tree, the limits and the budget known.
pub(super) fn browsing() -> State {
    let mut state = blank();
    state.desk.listing = listing(entries(), false);
    for at in [2, 3] {
        let target = state.desk.listing.at(at).unwrap().1.target.clone();
        state.desk.listing.mark(&target);
    }
    state.desk.listing.move_to(1);
    let tree = &mut state.desk.tree;
    tree.set_children(None, vec![folder("1", "/marketing"), folder("2", "/sales"), folder("3", "/legal")]);
    tree.set_children(
        Some(&FolderId::new("1")),
        vec![folder("11", "/marketing/banners"), folder("412", "/marketing/q3-launch")],
    );
    tree.set_children(Some(&FolderId::new("412")), vec![]);
    tree.find_mut(None).unwrap().open = true;
    tree.find_mut(Some(&FolderId::new("1"))).unwrap().open = true;
    tree.find_mut(Some(&FolderId::new("3"))).unwrap().moving = Some(OpId(900));
    tree.cursor = Some(FolderId::new("412"));
    state.desk.budget = Some(Budget { remaining: 96, max: 100 });
    with_limits(&mut state);
    state
}

fn usage(id: &str, label: &str, usage: u64, percentage: f64) -> ObjectTypeUsage {
    ObjectTypeUsage {
        object_type_id: id.to_owned(),
        singular_label: label.to_owned(),
        plural_label: plural(label),
        limit: 1_000,
        usage,
        percentage,
    }
}

pub(super) fn with_limits(state: &mut State) {
    state.desk.limits.properties.loaded_at = Some(now());
    state.desk.limits.properties.data = Some(CustomPropertyLimits {
        overall_limit: 8_000,
        overall_usage: 3_083,
        overall_percentage: 38.537,
        by_object_type: vec![
            usage("2-1", "Subscription", 1_000, 100.0),
            usage("0-1", "Contact", 872, 87.2),
            usage("0-3", "Deal", 701, 70.1),
            usage("0-2", "Company", 310, 31.0),
            usage("0-5", "Ticket", 200, 20.0),
        ],
    });
    state.desk.limits.from = Some(FromType { id: "0-1".to_owned(), label: "Contacts".to_owned() });
    state.desk.limits.associations.loaded_at = Some(now());
    state.desk.limits.associations.data = Some(AssociationLimits {
        results: vec![flags("0-2", "Company", true, true), flags("0-3", "Deal", false, true)],
    });
}

fn flags(id: &str, label: &str, at: bool, near: bool) -> AssociationFlags {
    AssociationFlags {
        object_type_id: id.to_owned(),
        singular_label: label.to_owned(),
        plural_label: plural(label),
        has_records_at_limit: at,
        has_records_near_limit: near,
    }
}

/// One task of most kinds and in every status.
pub(super) fn with_tasks(state: &mut State) {
    let start = now() - SignedDuration::from_secs(12);
    let upload = |name: &str| Job::Upload {
        local: format!("/home/ada/{name}").into(),
        into: place(),
        name: None,
        options: UploadOptions::new(Access::Private),
    };
    let ops = &mut state.desk.ops;
    let running = ops.start(upload("banner-07.png"), start);
    for (seconds, done) in [(0, 0), (12, 37_200_000)] {
        let progress = Progress::Bytes { done, total: Some(60_000_000) };
        ops.task_mut(running).unwrap().advance(progress, start + SignedDuration::from_secs(seconds));
    }
    let import = Job::Import {
        request: ImportRequest {
            url: "https://cdn.example/logo.svg".to_owned(),
            name: None,
            folder_id: None,
            folder_path: Some("/marketing".to_owned()),
            options: UploadOptions::new(Access::Private),
        },
        folder: "/marketing".to_owned(),
    };
    let importing = ops.start(import, start);
    let task = ops.task_mut(importing).unwrap();
    task.advance(Progress::Accepted { task: TaskId::new("57122e") }, start);
    task.advance(Progress::Task { status: TaskStatus::Processing, next_poll: Duration::from_secs(2) }, now());
    let item = |name: &str| Item {
        target: Target::File(FileId::new(name)),
        path: format!("/{name}"),
        name: name.to_owned(),
        size: None,
    };
    let delete = |names: &[&str]| Job::Delete { items: names.iter().copied().map(item).collect(), permanent: false };
    let waiting = ops.start(delete(&["a", "b", "c"]), start);
    let wait =
        Progress::Waiting { wait: Duration::from_secs(7), reason: filedeck::engine::message::WaitReason::RateLimit };
    ops.task_mut(waiting).unwrap().advance(wait, now());
    ops.start(upload("banner-08.png"), start);
    let done = ops.start(upload("banner-06.png"), start);
    ops.task_mut(done).unwrap().end(Status::Done, now());
    let failed = ops.start(delete(&["terms.pdf"]), start);
    ops.task_mut(failed).unwrap().end(Status::Failed(not_found()), now());
}

pub(super) fn not_found() -> Error {
    Error {
        status: Some(404),
        category: Some("OBJECT_NOT_FOUND".to_owned()),
        correlation_id: Some("5e1c7a90-0b1d-4c55-9a0e-3f2f8f1f7c11".to_owned()),
        ..Error::new(Kind::NotFound, "Folder 412 was not found")
    }
}

fn plural(label: &str) -> String {
    if label == "Company" { "Companies".to_owned() } else { format!("{label}s") }
}
