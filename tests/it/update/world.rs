//! A state that tests send messages to, and the requests that it makes in return.

use std::collections::BTreeMap;

use filedeck::api::Position;
use filedeck::api::ids::{FileId, FolderId};
use filedeck::api::model::{File, Folder};
use filedeck::api::{Error, Kind};
use filedeck::config::favorites::Favorites;
use filedeck::config::{self, AccountSummary};
use filedeck::engine::limits::LimitHistory;
use filedeck::engine::message::{Cursor, Entry, FolderRef, Stage, Target};
use filedeck::engine::plan::{Existing, PlanEvent, PlanRow, PlanSource};
use filedeck::engine::text_file::UnsavedEdits;
use filedeck::engine::typed_paths::TypedPath;
use filedeck::engine::{Event, Item, OpId, Outcome, Progress, Request, SessionId};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::input::local_paths::LocalPaths;
use filedeck::tui::keymap::{Key, Keymap};
use filedeck::tui::message::{Connected, Msg};
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{Account, ActivityEntry, Message, Start, State};
use filedeck::tui::update::update;
use jiff::SignedDuration;
use serde_json::json;

use crate::support::changed::changed;
use crate::support::limits;
use filedeck::engine::Answer;
use filedeck::engine::local_entry::LocalEntry;
use filedeck::engine::question::{
    List, ListAll, ListPage, ListUnsavedEdits, PlanDownload, PlanUpload, Planned, ReadLimits,
};

pub(super) struct World {
    pub(super) state: State,
    open: Vec<(OpId, Request)>,
    pub(super) cancelled: Vec<OpId>,
    plans_by_hand: bool,
}

pub(super) fn acme() -> config::AccountSource {
    config::AccountSource::Configured("acme".to_owned())
}

fn account(source: config::AccountSource) -> Account {
    Account {
        journal_name: format!("{} https://api.example", source.name()),
        source,
        read_only: false,
        production: false,
        color: None,
        favorites: Favorites::default(),
    }
}

fn known(source: config::AccountSource) -> AccountSummary {
    let address = (source == acme()).then(|| "https://api.acme.example".parse().unwrap());
    AccountSummary {
        source,
        address,
        version: "v3".to_owned(),
        read_only: false,
        entry: None,
    }
}

/// `marketing/` and `sales/`, then three files: `a.txt` (public), `b.png` (private), `c.pdf`
/// (private).
pub(super) fn root_entries() -> Vec<Entry> {
    vec![
        Entry::Folder(folder("m", "/marketing")),
        Entry::Folder(folder("s", "/sales")),
        Entry::File(file("1", "/a.txt", "PUBLIC_INDEXABLE", None)),
        Entry::File(file("2", "/b.png", "PRIVATE", None)),
        Entry::File(file("3", "/c.pdf", "PRIVATE", None)),
    ]
}

pub(super) fn file(id: &str, path: &str, access: &str, parent: Option<&str>) -> File {
    let name = path.rsplit_once('/').unwrap().1;
    let (stem, extension) = name.rsplit_once('.').unwrap();
    serde_json::from_value(json!({
        "id": id, "name": stem, "extension": extension, "path": path, "size": 1024, "access": access,
        "parentFolderId": parent, "url": format!("https://acme.example/hubfs{path}"),
    }))
    .unwrap()
}

/// The item of a job; files have the size of those from `file`.
pub(super) fn item(target: Target, path: &str) -> Item {
    let size = matches!(target, Target::File(_)).then_some(1_024);
    Item {
        target,
        path: path.to_owned(),
        name: path.rsplit_once('/').unwrap().1.to_owned(),
        size,
        md5: None,
    }
}

pub(super) fn uploaded(file: File) -> Outcome {
    Outcome::Uploaded {
        file: Box::new(file),
        twins: Vec::new(),
    }
}

pub(super) fn folder(id: &str, path: &str) -> Folder {
    serde_json::from_value(
        json!({ "id": id, "name": path.rsplit_once('/').unwrap().1, "path": path }),
    )
    .unwrap()
}

/// Local entries without sizes and times; the names of folders end with a slash.
pub(super) fn local_entries(names: &[&str]) -> Vec<LocalEntry> {
    let entry = |name: &&str| {
        let is_folder = name.ends_with('/');
        LocalEntry {
            name: name.trim_end_matches('/').into(),
            is_folder,
            size: None,
            updated_at: None,
        }
    };
    names.iter().map(entry).collect()
}

pub(super) fn many(range: std::ops::Range<usize>) -> Vec<Entry> {
    range
        .map(|at| {
            Entry::File(file(
                &format!("f{at}"),
                &format!("/many/{at:04}.txt"),
                "PRIVATE",
                None,
            ))
        })
        .collect()
}

pub(super) fn after(offset: u32) -> Cursor {
    Cursor {
        stage: Stage::Files,
        position: Position {
            offset,
            from_id: None,
        },
    }
}

pub(super) fn place(id: &str, path: &str) -> FolderRef {
    FolderRef {
        id: Some(FolderId::new(id)),
        path: path.to_owned(),
    }
}

pub(super) fn file_target(id: &str) -> Target {
    Target::File(FileId::new(id))
}

pub(super) fn folder_target(id: &str) -> Target {
    Target::Folder(FolderId::new(id))
}

pub(super) fn not_found() -> Error {
    changed(
        Error::new(Kind::NotFound, "No file or folder exists at path"),
        |error| error.status = Some(404),
    )
}

impl World {
    /// A started world without any response of the service. Earlier runs left no texts.
    pub(super) fn started() -> Self {
        let mut world = Self::unanswered();
        let op = world.asked(|request| *request == Request::ListUnsavedEdits(ListUnsavedEdits));
        world.done(op, Answer::ListUnsavedEdits(UnsavedEdits::default()));
        world
    }

    /// A started world without any response.
    pub(super) fn unanswered() -> Self {
        let mut state = State::new(Start {
            now: "2026-11-21T08:00:00Z".parse().unwrap(),
            size: (120, 40),
            account: account(acme()),
            accounts: [
                acme(),
                config::AccountSource::LocalStore,
                config::AccountSource::Demo,
            ]
            .map(known)
            .into(),
            local: LocalPaths {
                dir: "/home/ada/work".into(),
                home: Some("/home/ada".into()),
            },
            keymap: Keymap::defaults(),
        });
        // Its requests would mix with others that wait for the cursor to rest.
        state.panes.preview = false;
        let mut world = Self {
            state,
            open: Vec::new(),
            cancelled: Vec::new(),
            plans_by_hand: false,
        };
        world.send(Msg::Start);
        world
    }

    /// A world where the root folder is listed and in the tree; other requests are still open.
    pub(super) fn new() -> Self {
        Self::with_root(root_entries())
    }

    pub(super) fn with_root(entries: Vec<Entry>) -> Self {
        let mut world = Self::started();
        let op = world.asked(|request| matches!(request, Request::List(_)));
        world.done(
            op,
            Answer::List(ListPage {
                entries,
                next: None,
            }),
        );
        let op = world.asked(|request| matches!(request, Request::ListFolders(_)));
        world.done(
            op,
            Answer::ListFolders(vec![folder("m", "/marketing"), folder("s", "/sales")]),
        );
        world
    }

    pub(super) fn send(&mut self, msg: Msg) -> Vec<Effect> {
        let mut effects = update(&mut self.state, msg);
        for effect in &effects {
            match effect {
                Effect::Submit(op, request) => self.open.push((*op, request.clone())),
                Effect::Cancel(op) => self.cancelled.push(*op),
                _ => {}
            }
        }
        if !self.plans_by_hand {
            effects.extend(self.clear_the_way());
        }
        effects
    }

    pub(super) fn connect(
        &mut self,
        session: SessionId,
        source: config::AccountSource,
    ) -> Vec<Effect> {
        self.send(Msg::Connected(
            session,
            Ok(Connected {
                account: account(source),
                warnings: Vec::new(),
            }),
        ))
    }

    pub(super) fn wait(&mut self, millis: i64) {
        let now = self.state.now + SignedDuration::from_millis(millis);
        self.send(Msg::Clock(now));
    }

    /// Presses keys, a second apart; returns the effects of the last one.
    pub(super) fn keys(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for key in keys.split_whitespace() {
            self.wait(1_000);
            effects = self.send(Msg::Key(key.parse().unwrap()));
        }
        effects
    }

    pub(super) fn text(&mut self, text: &str) {
        for c in text.chars() {
            self.send(Msg::Key(Key::char(c)));
        }
    }

    /// The newest open request that matches.
    pub(super) fn asked(&self, wanted: impl Fn(&Request) -> bool) -> OpId {
        self.asked_for(wanted)
            .unwrap_or_else(|| panic!("not among what is asked: {:#?}", self.open))
            .0
    }

    pub(super) fn asked_for(&self, wanted: impl Fn(&Request) -> bool) -> Option<(OpId, Request)> {
        self.open
            .iter()
            .rev()
            .find(|(_, request)| wanted(request))
            .cloned()
    }

    /// The open requests that were not cancelled.
    pub(super) fn under_way(&self) -> impl Iterator<Item = (OpId, &Request)> {
        self.open
            .iter()
            .filter(|(op, _)| !self.cancelled.contains(op))
            .map(|(op, request)| (*op, request))
    }

    pub(super) fn count(&self, wanted: impl Fn(&Request) -> bool) -> usize {
        self.open
            .iter()
            .filter(|(_, request)| wanted(request))
            .count()
    }

    /// The newest open listing of this folder or search.
    pub(super) fn listing_of(&self, path: &str) -> OpId {
        self.asked(
            |request| matches!(request, Request::List(List { of, .. }) if of.title() == path),
        )
    }

    pub(super) fn done(&mut self, op: OpId, answer: Answer) -> Vec<Effect> {
        self.open.retain(|(open, _)| *open != op);
        self.send(Msg::Engine(
            op.session,
            Event::Done {
                op,
                result: Ok(answer),
            },
        ))
    }

    pub(super) fn fail(&mut self, op: OpId, error: Error) -> Vec<Effect> {
        self.open.retain(|(open, _)| *open != op);
        self.send(Msg::Engine(
            op.session,
            Event::Done {
                op,
                result: Err(error),
            },
        ))
    }

    pub(super) fn tell_of(&mut self, op: OpId, progress: Progress) {
        self.send(Msg::Engine(op.session, Event::Progress { op, progress }));
    }

    pub(super) fn list(
        &mut self,
        path: &str,
        entries: Vec<Entry>,
        next: Option<Cursor>,
    ) -> Vec<Effect> {
        let op = self.listing_of(path);
        self.done(op, Answer::List(ListPage { entries, next }))
    }

    pub(super) fn list_all(&mut self, path: &str, entries: Vec<Entry>) -> Vec<Effect> {
        let op = self.asked(
            |request| matches!(request, Request::ListAll(ListAll { of }) if of.title() == path),
        );
        self.part(op, entries);
        self.done(op, Answer::ListAll(()))
    }

    pub(super) fn part(&mut self, op: OpId, entries: Vec<Entry>) {
        self.send(Msg::Engine(op.session, Event::Part { op, entries }));
    }

    /// Answers the reports on the account with those of `support::limits`, and the saved snapshot
    /// with `past`.
    pub(super) fn answer_limits_with(&mut self, past: BTreeMap<String, LimitHistory>) {
        for (report, entries) in limits::account() {
            if let Some((op, _)) = self
                .asked_for(|request| *request == Request::ReadLimits(ReadLimits(report.clone())))
            {
                self.done(op, Answer::ReadLimits(entries));
            }
        }
        let op = self.asked(|request| matches!(request, Request::SaveSnapshot(_)));
        self.done(op, Answer::SaveSnapshot(past));
    }

    pub(super) fn answer_limits(&mut self) {
        self.answer_limits_with(BTreeMap::new());
    }

    pub(super) fn fail_limits(&mut self, error: &Error) {
        while let Some((op, _)) =
            self.asked_for(|request| matches!(request, Request::ReadLimits(_)))
        {
            self.fail(op, error.clone());
        }
    }

    pub(super) fn rows(&self) -> Vec<&str> {
        self.state
            .files
            .listing
            .visible_rows()
            .map(|(_, row)| &*row.name)
            .collect()
    }

    pub(super) fn here(&self) -> &str {
        self.state
            .files
            .listing
            .current()
            .map_or("", |row| &*row.name)
    }

    pub(super) fn marked(&self) -> Vec<&str> {
        let listing = &self.state.files.listing;
        listing
            .visible_rows()
            .filter(|(slot, _)| listing.list.is_marked(slot))
            .map(|(_, row)| &*row.name)
            .collect()
    }

    pub(super) fn is_busy(&self, target: &Target) -> bool {
        assert!(
            self.state.files.listing.row(target).is_some(),
            "{target:?} is not in the list"
        );
        self.state.session.tasks.busy.holds(target)
    }

    pub(super) fn says(&self, words: &str) -> bool {
        self.said().iter().any(|said| said.contains(words))
    }

    pub(super) fn said(&self) -> Vec<String> {
        let news = self.state.now - SignedDuration::from_secs(4);
        let shown = self
            .state
            .status
            .message()
            .filter(|message| message.until > self.state.now);
        let is_shown = |text: &str| shown.is_some_and(|message| message.text.starts_with(text));
        // An error that its own pane shows is only in the log.
        let was_said = |entry: &&ActivityEntry| {
            entry.at > news && entry.error.is_none() && !is_shown(&entry.text)
        };
        let mut said: Vec<String> = self
            .state
            .activity
            .iter()
            .filter(was_said)
            .map(|entry| entry.text.clone())
            .collect();
        said.reverse();
        said.extend(shown.map(Message::whole));
        said
    }

    pub(super) fn drawn(&self) -> String {
        crate::screen::drawn(&self.state, self.state.size.width, self.state.size.height)
    }

    pub(super) fn shows(&self, words: &str) -> bool {
        self.drawn().contains(words)
    }

    pub(super) fn dialog(&self) -> &Dialog {
        self.state.dialogs.last().unwrap()
    }

    /// The names of the tree's rows, indented, with `>` before the one under the cursor and `~` for
    /// busy ones.
    pub(super) fn tree(&self) -> Vec<String> {
        let tree = &self.state.files.tree;
        let line = |index: usize| {
            let node = tree.nodes.get(index).unwrap();
            let cursor = if node.place.id == tree.cursor {
                ">"
            } else {
                ""
            };
            let is_busy = node
                .target()
                .is_some_and(|target| self.state.session.tasks.busy.holds(&target));
            let moving = if is_busy { "~" } else { "" };
            format!("{}{cursor}{moving}{}", " ".repeat(node.depth), node.name)
        };
        tree.rows().into_iter().map(line).collect()
    }
}

impl World {
    /// Answers any plans as if there were no conflicts, and accepts them.
    fn clear_the_way(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some((op, request)) = self.asked_for(is_plan) {
            self.open.retain(|(open, _)| *open != op);
            let rows: Vec<PlanRow> = match request {
                Request::PlanUpload(PlanUpload { typed, name, .. }) => {
                    let words = typed.iter().flat_map(|typed| &typed.words);
                    words.map(|word| sent(word, name.as_deref())).collect()
                }
                Request::PlanDownload(PlanDownload { items: files, .. }) => {
                    files.into_iter().map(saved).collect()
                }
                _ => panic!(),
            };
            effects.extend(self.planned(op, rows, None));
            if matches!(self.state.dialogs.last(), Some(Dialog::Plan(_))) {
                effects.extend(self.send(Msg::Key("enter".parse().unwrap())));
            }
        }
        effects
    }

    /// Makes plans wait for a test to answer them.
    pub(super) fn plans_by_hand(mut self) -> Self {
        self.plans_by_hand = true;
        self
    }

    pub(super) fn planned(
        &mut self,
        op: OpId,
        rows: Vec<PlanRow>,
        room: Option<u64>,
    ) -> Vec<Effect> {
        let mut effects = self.complete_plan(op, rows, room);
        if self.state.session.plans.contains_key(&op) {
            let not_looked_for = 0;
            let answer = Answer::PlanUpload(Planned { not_looked_for });
            effects.extend(self.done(op, answer));
        }
        effects
    }

    /// Delivers all rows of a plan, and nothing about the same content elsewhere.
    pub(super) fn complete_plan(
        &mut self,
        op: OpId,
        rows: Vec<PlanRow>,
        room: Option<u64>,
    ) -> Vec<Effect> {
        let news = [PlanEvent::Rows(rows), PlanEvent::Complete { room }];
        news.into_iter()
            .flat_map(|news| self.send(Msg::Engine(op.session, Event::Plan { op, news })))
            .collect()
    }
}

fn is_plan(request: &Request) -> bool {
    matches!(request, Request::PlanUpload(_) | Request::PlanDownload(_))
}

fn sent(word: &TypedPath, name: Option<&str>) -> PlanRow {
    let own = word.path.file_name().unwrap().to_str().unwrap();
    PlanRow {
        name: name.unwrap_or(own).to_owned(),
        source: PlanSource::Local(word.path.clone()),
        size: Some(100),
        there: Existing::Nothing { new_folder: None },
        elsewhere: None,
        warning: None,
        is_hidden: false,
    }
}

fn saved(file: Item) -> PlanRow {
    PlanRow {
        name: file.name.clone(),
        size: file.size,
        source: PlanSource::Remote(file),
        there: Existing::Nothing { new_folder: None },
        elsewhere: None,
        warning: None,
        is_hidden: false,
    }
}
