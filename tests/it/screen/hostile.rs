//! Names with terminal control characters, in every place that a service, a disk or a configuration
//! can put them, over every view and dialog: no such character reaches a frame unchanged.

use filedeck::api::ids::{FileId, FolderId, TaskId};
use filedeck::api::model::{Access, ImportRequest, ObjectTypeName, TaskStatus, UploadOptions};
use filedeck::api::text::is_unsafe;
use filedeck::api::{Error, Kind};
use filedeck::config::favorites::{Bookmark, Favorites, FavoritesChange};
use filedeck::config::{AccountSource, AccountSummary};
use filedeck::engine::batch::{Batch, Hold, RemoteTarget, RunningJob};
use filedeck::engine::folder_comparison::RemoteEntry;
use filedeck::engine::job::Room;
use filedeck::engine::limits::{EntrySubject, Report};
use filedeck::engine::local_entry::LocalEntry;
use filedeck::engine::message::{Collection, Entry, FolderRef, Sort, Target};
use filedeck::engine::plan::{self, Direction, Existing, ExistingFile, PlanRow};
use filedeck::engine::queue_view::{BatchJob, JobState};
use filedeck::engine::source::FileSource;
use filedeck::engine::text_file::EditedText;
use filedeck::engine::{Item, Job, JobKind, Query};
use filedeck::tui::dialog::{Dialog, Plan, UnsavedEditsDialog};
use filedeck::tui::message::Msg;
use filedeck::tui::state::{
    AccountSession, BackgroundAccount, FilesPane, LimitsPanel, Listing, State, Switch, Tasks, View,
};
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::Theme;
use filedeck::tui::update::update;
use jiff::tz::TimeZone;
use rstest::rstest;

use super::library::{browsing, file, folder, listing, now, op, place};
use super::sets::{SIZES, frame};
use crate::support::changed::changed;
use crate::support::limits;
use crate::support::queue::{ended, held, job, queued, running, under_way, unfold, view};

fn error(name: &str) -> Error {
    changed(
        Error::new(Kind::Conflict, format!("{name} is taken")),
        |error| {
            error.status = Some(409);
            error.category = Some(name.to_owned());
            error.correlation_id = Some(name.to_owned());
            error.details = vec![name.to_owned()];
        },
    )
}

fn item(name: &str) -> Item {
    let target = Target::File(FileId::new(name));
    Item {
        target,
        path: format!("/in/{name}"),
        name: name.to_owned(),
        size: Some(9),
        md5: None,
    }
}

fn jobs(name: &str) -> Vec<Job> {
    let into = FolderRef {
        id: Some(FolderId::new("9")),
        path: format!("/in/{name}"),
    };
    let options = UploadOptions::new(Access::Private);
    let local = std::path::PathBuf::from(format!("/home/{name}/{name}"));
    let request = changed(
        ImportRequest::new(format!("https://example.com/{name}"), options.clone()),
        |request| {
            request.name = Some(name.to_owned());
            request.folder_path = Some(into.path.clone());
        },
    );
    vec![
        Job::Upload {
            source: FileSource::Local(local.clone()),
            into: into.clone(),
            name: Some(name.to_owned()),
            options: options.into(),
            present: false,
            free_at: None,
        },
        Job::Replace {
            source: FileSource::Local(local.clone()),
            file: item(name),
            seen: None,
            charset: None,
            access: None,
        },
        Job::Download {
            file: item(name),
            into: local,
            name: None,
            room: Room::Beside,
        },
        Job::Import {
            request: Box::new(request),
            folder: into.path.clone(),
            free_name: None,
        },
        Job::CreateFolder {
            parent: into.clone(),
            name: name.to_owned(),
        },
        Job::UpdateFolder {
            folder: FolderId::new("8"),
            from: format!("/{name}"),
            name: Some(name.to_owned()),
            parent: Some(into.clone()),
            seen: None,
        },
        Job::Move {
            file: item(name),
            into,
            seen: None,
        },
        Job::Delete {
            item: item(name),
            permanent: false,
            state: None,
        },
        Job::Delete {
            item: item(name),
            permanent: true,
            state: None,
        },
    ]
}

/// A task of every kind with all messages that the service may send about it, the first one
/// unfolded.
fn tasks(name: &str) -> Tasks {
    let jobs = jobs(name);
    let mut batches: Vec<Batch> = (2..)
        .zip(&jobs)
        .map(|(id, job)| queued(id, std::slice::from_ref(job), now()))
        .collect();
    let remote = RemoteTarget {
        id: TaskId::new(name),
        status: Some(TaskStatus::Other(name.to_owned())),
        next_poll: None,
    };
    let direction = RunningJob {
        remote: Some(remote),
        ..under_way(&jobs[3].subject())
    };
    batches[3] = running(batches[3].clone(), vec![direction.clone()]);
    batches[5] = held(
        batches[5].clone(),
        Hold::Cause {
            error: error(name),
            until: None,
        },
    );
    let failure = Some((jobs[8].subject(), error(name)));
    batches[8] = Batch {
        failure,
        ..ended(batches[8].clone(), 0, 1, now())
    };
    batches.insert(0, queued(1, &jobs, now()));
    let states = [
        JobState::Running(direction),
        JobState::Failed(error(name)),
        JobState::Done,
    ];
    let states = states
        .into_iter()
        .chain(std::iter::repeat(JobState::Waiting));
    let rows = jobs
        .iter()
        .zip(states)
        .zip(1..)
        .map(|((one, state), below)| BatchJob {
            ended_at: Some(now()),
            stored: None,
            ..job(1, below, one.clone(), state)
        });
    let mut tasks = Tasks::default();
    tasks.set_view(view(&batches), now());
    unfold(&mut tasks, &rows.collect::<Vec<_>>());
    tasks
}

/// A state with the name in every place.
fn world(name: &str) -> State {
    let mut state = browsing();
    let rare = changed(file(name, &Access::PublicIndexable, 1_000, 3), |file| {
        file.id = FileId::new("8001");
        file.extension = Some(name.to_owned());
        file.encoding = Some(name.to_owned());
        file.url = Some(format!("https://example.com/{name}"));
        file.default_hosting_url = Some(format!("https://example.com/{name}"));
    });
    let entries = vec![
        Entry::Folder(folder("901", &format!("/in/{name}"))),
        Entry::File(rare),
        Entry::File(changed(file(name, &Access::Private, 2_000, 3), |file| {
            file.id = FileId::new("8002");
        })),
    ];
    state.files.listing = listing(entries, false);
    state.files.listing.of = FolderRef {
        path: format!("/in/{name}"),
        ..state.files.listing.of.base().clone()
    }
    .into();
    state.set_subfolders(None, vec![folder("1", &format!("/{name}"))]);
    let favorites = &mut state.session.account.favorites;
    let search = format!("\"{name}\"");
    favorites.apply(&FavoritesChange::View {
        name: name.to_owned(),
        search: Some(search.clone()),
    });
    favorites.apply(&FavoritesChange::Bookmark {
        key: 'a',
        to: Some(Bookmark::Search { search }),
    });
    let folder = Bookmark::Folder {
        path: format!("/{name}"),
        id: Some("1".to_owned()),
    };
    favorites.apply(&FavoritesChange::Bookmark {
        key: name.chars().nth(1).unwrap(),
        to: Some(folder),
    });
    let known = |source| AccountSummary {
        source,
        address: None,
        version: "v3".to_owned(),
        read_only: true,
        entry: None,
    };
    state.accounts = vec![
        known(AccountSource::Configured(name.to_owned())),
        known(AccountSource::Demo),
    ];
    state.session.account.source = AccountSource::Configured(name.to_owned());
    let hostile = ObjectTypeName::new(name.to_owned(), name.to_owned(), name.to_owned());
    for (report, mut entries) in limits::account().into_iter().chain(limits::associations()) {
        for entry in &mut entries {
            match &mut entry.subject {
                EntrySubject::Type(of) => of.clone_from(&hostile),
                EntrySubject::Pair(from, to) => (*from, *to) = (hostile.clone(), hostile.clone()),
                EntrySubject::Record { label, .. } => name.clone_into(label),
                EntrySubject::All | EntrySubject::Custom => {}
            }
            entry.labels.fill(name.to_owned());
        }
        let report = match report {
            Report::Targets { .. } => Report::Targets {
                from: name.to_owned(),
            },
            Report::Pair { .. } => Report::Pair {
                from: name.to_owned(),
                to: name.to_owned(),
            },
            other => other,
        };
        state
            .session
            .limits
            .change(|limits| limits.book.store_answer(&report, entries, now()));
    }
    state.session.tasks = tasks(name);
    let account = filedeck::tui::state::Account {
        journal_name: String::new(),
        source: AccountSource::Configured(name.to_owned()),
        read_only: false,
        production: false,
        color: None,
        favorites: Favorites::default(),
    };
    let mut session = AccountSession::new(account, state.mint_session());
    let view = view(&[queued(1, &jobs(name)[..1], now())]);
    session.tasks.set_view(view, now());
    let files = FilesPane::default();
    state
        .background_accounts
        .push(BackgroundAccount { session, files });
    state.say_failed("Delete failed", &error(name));
    state
}

/// Each from a fresh state.
const KEYS: [&str; 60] = [
    "T",
    "i",
    "+",
    "j +",
    "T + tab",
    "j enter",
    "j j",
    "/ x",
    "space j space",
    "2",
    "2 j",
    "2 j j",
    "2 j j enter",
    "2 enter",
    "2 j enter",
    "2 G enter",
    "3",
    "3 enter",
    "4",
    "4 enter",
    "d",
    "j d",
    "j D",
    "u",
    "I",
    "a",
    "j r",
    "j e",
    "j S",
    "j R",
    "j x",
    "x G p",
    "j y u",
    "j y S",
    "y p",
    "g p",
    "g p tab",
    "g i",
    "f",
    "F o",
    "F o 1",
    "F o 1 F s",
    "F o 1 m",
    "m",
    "m b",
    "'",
    "' a",
    "g",
    "g t",
    "g t enter enter enter enter",
    "@",
    "?",
    "q",
    "ctrl-p",
    "ctrl-p x",
    "j y m",
    "j y h",
    "j y j",
    "j y c",
    "ctrl-c",
];

/// Every view, and every dialog that keys open from it.
pub(super) fn screens(name: &str) -> Vec<(String, State)> {
    let mut all = vec![("as it opens".to_owned(), world(name))];
    let with_keys = |keys: &str, mut state: State| {
        update(&mut state, Msg::Clock(now()));
        for key in keys.split_whitespace() {
            update(&mut state, Msg::Key(key.parse().unwrap()));
        }
        (keys.to_owned(), state)
    };
    for keys in KEYS {
        all.push(with_keys(keys, world(name)));
        let mut plain = world(name);
        plain.panes.plain = true;
        all.push(with_keys(keys, plain));
    }
    let mut reading = world(name);
    reading.files.listing.fail(error(name));
    reading.session.limits = LimitsPanel::default();
    reading
        .session
        .limits
        .book
        .fail(&Report::CustomProperties, error(name));
    reading.view = View::Limits;
    all.push(("limits that failed".to_owned(), reading.clone()));
    reading.view = View::Files;
    all.push(("a folder that failed".to_owned(), reading));
    let mut switching = world(name);
    let session = switching.mint_session();
    switching.switch = Some(Switch {
        is_beside: false,
        session,
        source: AccountSource::Configured(name.to_owned()),
        view: View::Files,
        path: None,
        open: None,
        message: None,
    });
    all.push(("another account".to_owned(), switching));
    let mut found = world(name);
    let entries = found
        .files
        .listing
        .visible_rows()
        .map(|(_, row)| found.files.listing.entry(row))
        .collect();
    let query = Query::read(&format!("\"{name}\""), found.service_now(), &TimeZone::UTC).unwrap();
    found.files.listing = Listing::new(Collection::Found(query), Sort::default());
    all.push(("a search that finds nothing".to_owned(), {
        let mut nothing = found.clone();
        nothing.files.listing.take_first(Vec::new(), None, now());
        nothing
    }));
    found.files.listing.take_first(entries, None, now());
    all.push(("the first start".to_owned(), {
        let mut first = world(name);
        (first.is_first_run, first.local.dir) = (true, format!("/home/{name}").into());
        first
    }));
    let mut denied = world(name);
    let error = changed(Error::new(Kind::Forbidden, name), |error| {
        error.category = Some("MISSING_SCOPES".to_owned());
        error.details = vec![format!("requiredScopes: {name}")];
    });
    for kind in [JobKind::Upload, JobKind::Delete] {
        denied.session.denied_actions.record(kind, Some(&error));
    }
    for keys in ["d", "?", "ctrl-p"] {
        all.push(with_keys(keys, denied.clone()));
    }
    all.push(("a search".to_owned(), found.clone()));
    all.push(with_keys("f", found));
    all.push(("a plan".to_owned(), with_plan(name)));
    for keys in ["t", "u ctrl-o"] {
        let (_, mut local) = with_keys(keys, world(name));
        let entry = |is_folder| LocalEntry {
            name: name.into(),
            is_folder,
            size: None,
            updated_at: None,
        };
        local.local_side.folder = format!("/home/{name}").into();
        local
            .local_side
            .store_entries(vec![entry(false), entry(true)]);
        all.push((format!("local files after {keys}"), local.clone()));
        all.push(with_keys("tab", local.clone()));
        local.local_side.fail(error.clone());
        all.push((format!("no local files after {keys}"), local));
    }
    let mut edited = world(name);
    let file = Item {
        target: Target::File(FileId::new(name)),
        path: format!("/{name}"),
        name: name.to_owned(),
        size: None,
        md5: None,
    };
    let text = EditedText {
        file,
        path: format!("/home/{name}").into(),
        seen: String::new(),
        at: now(),
    };
    edited
        .dialogs
        .push(Dialog::UnsavedEdits(UnsavedEditsDialog::new(
            vec![text],
            TimeZone::UTC,
        )));
    all.push(("edited texts".to_owned(), edited.clone()));
    all.push(with_keys("D", edited));
    for what in [name.to_owned(), format!("/home/{name}")] {
        let mut pasted = world(name);
        for keys in ["u", "I", "a", "g p", "f", "'", "m", "?", "/"] {
            let (_, mut state) = with_keys(keys, pasted.clone());
            update(&mut state, Msg::Paste(what.clone()));
            all.push((format!("pasted after {keys}"), state));
        }
        update(&mut pasted, Msg::Paste(what));
        all.push(("pasted".to_owned(), pasted));
    }
    all
}

fn with_plan(name: &str) -> State {
    let mut state = world(name);
    let existing = ExistingFile::Remote(Box::new(RemoteEntry {
        expires_at: None,
        is_usable_in_content: None,
        item: item(name),
        state: None,
        items: 0,
        updated_at: Some(now()),
        access: Some(Access::Private),
    }));
    let row = |source, there| PlanRow {
        source,
        name: format!("{name}/{name}"),
        size: Some(9),
        there,
        elsewhere: Some(format!("/{name}")),
        warning: None,
        is_hidden: false,
    };
    let local = || plan::PlanSource::Local(format!("/x/{name}").into());
    let rows = vec![
        row(local(), Existing::Other(existing.clone())),
        row(local(), Existing::Same(existing)),
        row(
            local(),
            Existing::Nothing {
                new_folder: Some(name.to_owned()),
            },
        ),
        row(
            plan::PlanSource::Remote(item(name)),
            Existing::Blocked("a folder has this name"),
        ),
    ];
    let direction = Direction::Up {
        into: FolderRef {
            path: format!("/{name}"),
            ..place()
        },
        options: Box::new(UploadOptions::new(Access::Private).into()),
        asked_at: now(),
    };
    let mut plan = Plan::new(op(1), rows, direction, None, now());
    plan.looked(Some(0));
    state.dialogs.push(Dialog::Plan(plan));
    state
}

#[rstest]
#[case::escape_sequence("a\u{1b}[2Jb.txt")]
#[case::title_of_the_window("a\u{1b}]0;owned\u{7}.png")]
#[case::eight_bit_controls("a\u{9b}2J\u{9d}0;x\u{9c}.txt")]
#[case::lines_and_tabs("a\nb\r\tc\u{b}.txt")]
#[case::bidirectional("gpj\u{202e}exe\u{2066}.png")]
#[case::invisible("a\u{200b}\u{feff}\u{ad}\u{2060}b\u{e0041}.txt")]
#[case::line_separators("a\u{2028}b\u{2029}\u{85}.txt")]
#[case::backspace_and_delete("a\u{8}\u{7f}b.txt")]
fn no_name_acts_on_the_terminal(#[case] name: &str) {
    let screens = screens(name);
    let with_dialogs = screens
        .iter()
        .filter(|(_, state)| !state.dialogs.is_empty())
        .count();
    assert!(
        with_dialogs > 50,
        "only {with_dialogs} of {} open a dialog",
        screens.len()
    );
    for (what, state) in screens {
        for size in SIZES {
            let drawn = frame(&state, size, &Theme::default(), Symbols::Unicode);
            let acts = drawn
                .content()
                .iter()
                .find(|cell| cell.symbol().contains(is_unsafe));
            assert_eq!(acts, None, "{what} at {size:?}");
        }
    }
}
