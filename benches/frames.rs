//! Measures the cost of a key in every view and long dialog, over twenty rows and over a hundred
//! thousand: the work for the key and for the frame, the bytes to the terminal; a grid of pictures
//! next to the list; and the work of an idle screen: `cargo bench --bench frames`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use filedeck::api::ids::FileId;
use filedeck::api::model::{Access, Folder, ObjectTypeName, UploadOptions};
use filedeck::engine::batch::{Batch, BatchId, BatchState, Bytes, Counts, JobId, label};
use filedeck::engine::limits::{EntrySubject, LimitEntry, Measure, Report, Share};
use filedeck::engine::local_entry::LocalEntry;
use filedeck::engine::message::{FolderRef, Target};
use filedeck::engine::plan::{Direction, Existing, PlanRow, PlanSource};
use filedeck::engine::preview::{Class, CutAt, Picture, Preview, PreviewText};
use filedeck::engine::queue_view::{BatchJob, JobState, QueueView};
use filedeck::engine::source::FileSource;
use filedeck::engine::{Item, Job, OpId, SessionId};
use filedeck::tui::dialog::{Dialog, Help, Named, Names, Plan, Renames, UsefulKeys};
use filedeck::tui::message::Msg;
use filedeck::tui::state::{
    Beside, ListShape, MessageLevel, Mode, Pane, PreviewKey, PreviewState, View,
};
use filedeck::tui::style::theme::Depth;
use filedeck::tui::update::update;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::world::{World, best};

#[path = "shared/world.rs"]
mod world;

const FEW: usize = 20;
const MANY: usize = 100_000;
/// The number of pictures in the grid, and in the list next to it.
const PICTURES: usize = 1_000;
/// The number of rows before and after the cursor that have their pictures: more than a screen
/// shows.
const AROUND: usize = 24;
/// The highest cost of a key and its frame in the grid, as a multiple of that in the list.
const MOST_TIMES: f64 = 1.5;
/// The most bytes of a key press without a preview on sixteen colors, which the program that the
/// goal comes from uses; and the longest duration of its work.
const MOST_BYTES: usize = 336;
const MOST_WORK: Duration = Duration::from_millis(1);

/// A view or a dialog: its name, the function that opens it on an account's screen, and the key
/// that is pressed there.
type Scene = (&'static str, fn(&mut World), &'static str);

const SCENES: [Scene; 11] = [
    (
        "files, no preview",
        |current| current.state.panes.preview = false,
        "j",
    ),
    ("files, with a preview", preview, "j"),
    ("tree", tree, "j"),
    ("tasks", |current| tasks(current, false), "j"),
    ("tasks, unfolded", |current| tasks(current, true), "j"),
    ("limits", limits, "j"),
    ("activity", activity, "j"),
    ("help", help, "down"),
    ("plan", plan, "down"),
    ("local files", local_files, "down"),
    ("renames", renames, "down"),
];

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let heads = |key| format!("{key:>14}{:>10}{:>7}{:>12}", "frame", "bytes", "true color");
    println!("{:24}{}{}", "", heads("key"), heads("100,000: key"));
    for (name, open, key) in SCENES {
        let [few, many] = [FEW, MANY].map(|rows| measure(rows, open, key));
        let (few, many) = (few.in_columns(), many.in_columns());
        println!("{name:<24}{few}{many}");
    }
    let cost = |open| {
        let Cost { key, frame, .. } = measure(PICTURES, open, "j");
        key + frame
    };
    let (in_list, in_grid) = (cost(SCENES[0].1), cost(grid));
    let times = in_grid.as_secs_f64() / in_list.as_secs_f64();
    let mark = if times > MOST_TIMES { "!" } else { "" };
    println!(
        "{PICTURES} pictures, key and frame: list {in_list:.1?}, grid {in_grid:.1?}, {mark}{times:.2} times"
    );
    let mut idle = World::open(FEW, Depth::True);
    // Until it has sent all its requests.
    for _ in 0..FEW {
        let later = idle.state.now + SignedDuration::from_secs(10);
        update(&mut idle.state, Msg::Clock(later));
        for op in idle.state.session.ops.reads(|_| true) {
            update(&mut idle.state, Msg::Refused(op));
        }
    }
    idle.state.status.clear();
    let wake = idle
        .state
        .next_wake()
        .map(|wake| wake.duration_since(idle.state.now));
    println!("idle: the next frame in {wake:?}");
}

struct Cost {
    key: Duration,
    frame: Duration,
    bytes: usize,
    /// The bytes in true color.
    colored: usize,
}

impl Cost {
    /// Marks each figure above its goal with `!`.
    fn in_columns(&self) -> String {
        let mark = |is_too_much| if is_too_much { "!" } else { "" };
        let key = format!("{}{:.1?}", mark(self.key > MOST_WORK), self.key);
        let bytes = format!("{}{}", mark(self.bytes > MOST_BYTES), self.bytes);
        format!(
            "{key:>14}{:>10}{bytes:>7}{:>12}",
            format!("{:.1?}", self.frame),
            self.colored
        )
    }
}

fn measure(rows: usize, open: fn(&mut World), key: &str) -> Cost {
    let opened = |depth| {
        let mut current = World::open(rows, depth);
        current.middle();
        open(&mut current);
        current.pressed(key).frame();
        current
    };
    let colored = opened(Depth::True).bytes(key);
    let mut current = opened(Depth::Ansi);
    let bytes = current.bytes(key);
    Cost {
        bytes,
        colored,
        // Measured before the keys, which leave the pictures of a grid behind.
        frame: best(&mut current, &World::frame),
        key: best(&mut current, &|current| current.time(key)),
    }
}

fn preview(current: &mut World) {
    let words =
        "    let unit = rows.iter().map(|row| row.size).sum::<u64>(); // of what was asked for"
            .to_owned();
    let lines = vec![vec![(Class::Keyword, "let".to_owned()), (Class::Plain, words)]; 200];
    let text = PreviewText {
        lines,
        is_prose: false,
        cut: Some(CutAt::Bytes(64 * 1024)),
    };
    let at = current.state.files.listing.list.cursor().at();
    for around in 0..3 {
        current.state.files.listing.move_to(at + around);
        if let Some(row) = current.state.files.listing.current() {
            let (key, now) = (PreviewKey::of(row), current.state.now);
            current.state.files.previews.keep(
                key,
                PreviewState::Seen(Preview::Text(text.clone())),
                now,
            );
        }
    }
    current.state.files.listing.move_to(at);
}

/// Opens a grid where all pictures around the cursor have arrived, each in its own colors.
fn grid(current: &mut World) {
    current.state.panes.preview = false;
    current.state.files.listing.shape = ListShape::Grid;
    let (width, height) = current.state.picture_support.grid_dots();
    let cursor = current.state.files.listing.list.cursor().at();
    for at in cursor.saturating_sub(AROUND)..(cursor + AROUND).min(current.rows) {
        let Some((_, row)) = current.state.files.listing.at(at) else {
            continue;
        };
        let (key, now) = (PreviewKey::grid(row), current.state.now);
        let dots = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rgba = dots.flat_map(|(x, y)| [x * 2, y * 2, u32::try_from(at % 256).unwrap(), 255]);
        let rgba = rgba
            .map(|channel| u8::try_from(channel).unwrap_or(u8::MAX))
            .collect();
        let seen = PreviewState::Seen(Preview::Picture(Picture {
            width,
            height,
            rgba,
        }));
        current.state.files.previews.keep(key, seen, now);
    }
}

fn tree(current: &mut World) {
    let folder = |at: usize| -> Folder {
        serde_json::from_value(
            json!({ "id": format!("f{at}"), "name": format!("folder-{at:06}"), "path": format!("/folder-{at:06}") }),
        )
        .unwrap()
    };
    let tree = &mut current.state.files.tree;
    tree.set_children(None, (0..current.rows).map(folder).collect());
    tree.find_mut(None).unwrap().open = true;
    tree.move_cursor(|cursor| cursor.go_to(current.rows / 2));
    current.state.focus = Pane::Tree;
}

fn upload(at: usize) -> Job {
    Job::Upload {
        source: FileSource::Local(format!("/home/ada/photos/{at:06}.jpg").into()),
        into: FolderRef::root(),
        name: None,
        options: UploadOptions::new(Access::Private).into(),
        present: false,
        free_at: None,
    }
}

/// Opens a queue with this many tasks of two files each, or with one task of this many files, with
/// the cursor in the middle.
fn tasks(current: &mut World, unfolded: bool) {
    const SHOWN: usize = 60;
    let (rows, now) = (current.rows, current.state.now);
    let batch = |at: usize, total: usize| {
        Arc::new(Batch {
            id: BatchId(i64::try_from(at).unwrap()),
            kind: upload(0).kind(),
            label: label(&[upload(at), upload(at + 1)], "acme"),
            state: BatchState::Queued,
            counts: Counts {
                total,
                ..Counts::default()
            },
            listed: total,
            bytes: Bytes::default(),
            running: Vec::new(),
            failure: None,
            asked_at: now,
            started_at: None,
            ended_at: None,
        })
    };
    let batches = if unfolded {
        vec![batch(0, rows)]
    } else {
        (0..rows).map(|at| batch(at, 2)).collect()
    };
    let job = |at: usize| BatchJob {
        id: JobId {
            batch: BatchId(0),
            number: u32::try_from(at).unwrap(),
        },
        job: upload(at),
        state: JobState::Waiting,
        bytes: Some(9_000),
        started_at: None,
        ended_at: None,
        stored: None,
    };
    current.state.view = View::Tasks;
    let tasks = &mut current.state.session.tasks;
    tasks.set_view(QueueView::new(batches, 0, false), now);
    if unfolded {
        tasks.turn();
    }
    tasks.move_cursor(|cursor| cursor.go_to(rows / 2));
    let middle = rows / 2;
    for question in tasks.questions(middle.saturating_sub(SHOWN / 2)..middle + SHOWN / 2) {
        let jobs = question.range.clone().map(job).collect();
        tasks.set_jobs(&question, jobs);
    }
}

fn limits(current: &mut World) {
    let usage = |at: usize| {
        let of = ObjectTypeName::new(
            format!("2-{at}"),
            format!("Object {at}"),
            format!("Objects {at}"),
        );
        LimitEntry::new(
            EntrySubject::Type(of),
            Measure::Share(Share {
                usage: 500,
                limit: 1_000,
                percentage: 50.0,
            }),
        )
    };
    let (panel, now) = (&mut current.state.session.limits, current.state.now);
    let types = (0..current.rows).map(usage).collect();
    panel.change(|panel| {
        panel
            .book
            .store_answer(&Report::CustomProperties, types, now);
    });
    panel.move_cursor(|cursor| cursor.go_to(current.rows / 2));
    current.state.view = View::Limits;
}

/// Fills the activity log to its limit.
fn activity(current: &mut World) {
    for at in 0..current.rows {
        current.state.say(
            MessageLevel::Info,
            format!("Upload done: /photos/{at:06}.jpg"),
        );
    }
    current.state.status.clear();
    current.state.view = View::Activity;
    let log = &mut current.state.activity;
    log.move_cursor(|cursor| cursor.go_to(cursor.count() / 2));
}

fn help(current: &mut World) {
    let keymap = &current.state.keymap;
    let help = Help::new(keymap, current.state.context(), &UsefulKeys::default());
    current.state.dialogs.push(Dialog::Help(help));
}

fn plan(current: &mut World) {
    let row = |at: usize| PlanRow {
        source: PlanSource::Local(format!("/home/ada/photos/{at:06}.jpg").into()),
        name: format!("photos/{at:06}.jpg"),
        size: Some(600_000),
        there: Existing::Nothing { new_folder: None },
        elsewhere: None,
        warning: None,
        is_hidden: false,
    };
    let direction = Direction::Up {
        into: FolderRef::root(),
        options: Box::new(UploadOptions::new(Access::Private).into()),
        asked_at: Timestamp::UNIX_EPOCH,
    };
    let op = OpId {
        session: SessionId::FIRST,
        number: 1,
    };
    let plan = Plan::new(
        op,
        (0..current.rows).map(row).collect(),
        direction,
        None,
        current.state.now,
    );
    current.state.dialogs.push(Dialog::Plan(plan));
}

fn local_files(current: &mut World) {
    let entry = |at| LocalEntry {
        name: format!("{at:06}.jpg").into(),
        is_folder: false,
        size: Some(1),
        updated_at: Some(Timestamp::UNIX_EPOCH),
    };
    current.state.mode = Mode::Lists(Beside::ThisMachine);
    current.state.focus = Pane::Local;
    current
        .state
        .local_side
        .store_entries((0..current.rows).map(entry).collect());
    current.state.local_side.is_stale = false;
}

fn renames(current: &mut World) {
    let named = |at: usize| {
        let name = format!("{at:06}.jpg");
        let target = Target::File(FileId::new(at.to_string()));
        let item = Item {
            target,
            path: format!("/photos/{name}"),
            name,
            size: None,
            md5: None,
        };
        Named {
            item,
            extension: "jpg".to_owned(),
        }
    };
    let mut typed = Names::new(SessionId::FIRST, (0..current.rows).map(named).collect());
    typed.text = typed.text.replace(".jpg", "-web.jpg");
    let renames = Renames::new(typed, &BTreeSet::new(), true);
    current.state.dialogs.push(Dialog::Renames(renames));
}
