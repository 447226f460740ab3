//! The program as a recording drives it: its screen, its engine and its service with the sample
//! library, on a clock that stops between the steps. All effects of a key are complete before the
//! next frame.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use filedeck::api::Version;
use filedeck::config::favorites::Favorites;
use filedeck::config::{AccountColor, AccountSource};
use filedeck::engine::{Batch, BatchId, Event, OpId, Request, SessionId};
use filedeck::tui::input::local_paths::LocalPaths;
use filedeck::tui::keymap::Keymap;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{Account, Start, State};
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::{Depth, Theme};
use filedeck::tui::terminal::backend::Backend;
use filedeck::tui::update::update;
use filedeck::tui::view::view;
use jiff::{SignedDuration, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use unicode_width::UnicodeWidthStr as _;

use crate::support::account::{Engine, client_of};
use crate::support::service::{START, TestService};

pub(super) const SIZE: (u16, u16) = (100, 30);

pub(super) struct Shot {
    /// Milliseconds since the start.
    pub(super) at: u32,
    pub(super) buffer: Buffer,
    pub(super) written: String,
    pub(super) caption: &'static str,
}

impl Shot {
    pub(super) fn row(&self, y: u16) -> String {
        let (mut row, mut x) = (String::new(), 0);
        while x < SIZE.0 {
            let symbol = self.buffer[(x, y)].symbol();
            row.push_str(symbol);
            x += u16::try_from(symbol.width()).unwrap().max(1);
        }
        row
    }
}

pub(super) struct Program {
    state: State,
    service: TestService,
    engine: Engine,
    /// Requests without a response so far.
    open: HashSet<OpId>,
    /// The number of submitted batches that have not ended.
    batches: usize,
    /// The times when each batch was first seen, and when it was first seen to have ended.
    seen_at: BTreeMap<(BatchId, bool), Timestamp>,
    theme: Theme,
    terminal: Terminal<Backend<Written>>,
    written: Written,
    pub(super) shots: Vec<Shot>,
}

/// The terminal output since the last frame.
#[derive(Clone, Default)]
struct Written(Rc<RefCell<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Program {
    pub(super) async fn start(files: &[(&str, Vec<u8>)]) -> Self {
        let service = TestService::configured(|options| options.sample = true).await;
        let home = service.dir.path().join("home");
        let dir = home.join("launch");
        std::fs::create_dir_all(&dir).unwrap();
        for (name, bytes) in files {
            std::fs::write(dir.join(name), bytes).unwrap();
        }
        let engine = Engine::start(client_of(&service, Version::V3)).await;
        let written = Written::default();
        let viewport = Viewport::Fixed(Rect::new(0, 0, SIZE.0, SIZE.1));
        let backend = Backend::new(written.clone());
        Self {
            state: state(dir, home),
            service,
            engine,
            open: HashSet::new(),
            batches: 0,
            seen_at: BTreeMap::new(),
            theme: Theme::named("dark", Depth::True).unwrap(),
            terminal: Terminal::with_options(backend, TerminalOptions { viewport }).unwrap(),
            written,
            shots: Vec::new(),
        }
    }

    /// Sends a message to the screen once everything before it is complete, and draws the result.
    pub(super) async fn take(&mut self, msg: Msg, caption: &'static str) {
        self.send(msg);
        self.settle().await;
        self.draw(caption);
    }

    /// Advances the clock by this many milliseconds, with everything due meanwhile.
    pub(super) async fn wait(&mut self, millis: u32, caption: &'static str) {
        let end = self.state.now + SignedDuration::from_millis(millis.into());
        while let Some(due) = self.state.next_wake().filter(|due| *due < end) {
            // Without the advance, an overdue wake-up would repeat forever.
            self.be_at(
                due.max(self.state.now + SignedDuration::from_millis(10)),
                caption,
            )
            .await;
        }
        self.be_at(end, caption).await;
    }

    async fn be_at(&mut self, now: Timestamp, caption: &'static str) {
        self.service.clock.move_to(now);
        self.take(Msg::Clock(now), caption).await;
    }

    fn send(&mut self, msg: Msg) {
        for effect in update(&mut self.state, msg) {
            match effect {
                Effect::Submit(op, request) => {
                    self.batches += usize::from(matches!(request, Request::AddJobs(_)));
                    self.open.insert(op);
                    self.engine.handle.submit(op, request).unwrap();
                }
                Effect::Cancel(op) => self.engine.handle.cancel(op),
                // These have no effect on a recording.
                Effect::RememberAccount(_) | Effect::SaveFavorites(..) | Effect::Notify(_) => {}
                other => panic!("a recording has no {other:?}"),
            }
        }
    }

    async fn settle(&mut self) {
        while !self.open.is_empty() || self.batches > 0 || self.state.live_tasks() > 0 {
            let event = self.engine.next().await;
            self.hear(event);
        }
    }

    fn hear(&mut self, mut event: Event) {
        match &event {
            Event::Done { op, result } => {
                assert!(result.is_ok(), "{result:?}");
                self.open.remove(op);
            }
            Event::Cancelled { op } => {
                self.open.remove(op);
            }
            Event::Ended(_) => self.batches -= 1,
            // The service and the screen share one clock here.
            Event::Clock { .. } => return,
            _ => {}
        }
        self.set_times(&mut event);
        self.send(Msg::Engine(SessionId::FIRST, event));
    }

    /// Replaces the queue's times, which come from the machine's clock and would differ in every
    /// run.
    fn set_times(&mut self, event: &mut Event) {
        let now = self.state.now;
        let mut set = |batch: &mut Batch| {
            let mut at = |is_end| *self.seen_at.entry((batch.id, is_end)).or_insert(now);
            batch.asked_at = at(false);
            batch.started_at = batch.started_at.map(|_| at(false));
            batch.ended_at = batch.ended_at.map(|_| at(true));
        };
        match event {
            Event::Queue(view) => {
                view.batches.iter_mut().map(Arc::make_mut).for_each(set);
            }
            Event::Ended(batch) => set(Arc::make_mut(batch)),
            Event::Settled { settled, .. } => settled
                .iter_mut()
                .for_each(|settled| settled.asked_at = now),
            _ => {}
        }
    }

    fn draw(&mut self, caption: &'static str) {
        let visibility = self.terminal.backend().visibility();
        let Self {
            state,
            theme,
            terminal,
            ..
        } = self;
        let frame = terminal
            .draw(|frame| visibility.set(view(state, theme, Symbols::Unicode, frame)))
            .unwrap();
        let buffer = frame.buffer.clone();
        let written = String::from_utf8(self.written.0.take()).unwrap();
        let is_new = self
            .shots
            .last()
            .is_none_or(|last| last.buffer != buffer || last.caption != caption);
        match self.shots.last_mut() {
            Some(last) if !is_new => last.written += &written,
            _ => {
                let since = self.state.now.duration_since(START.parse().unwrap());
                let at = u32::try_from(since.as_millis()).unwrap();
                self.shots.push(Shot {
                    at,
                    buffer,
                    written,
                    caption,
                });
            }
        }
    }
}

fn state(dir: PathBuf, home: PathBuf) -> State {
    State::new(Start {
        now: START.parse().unwrap(),
        size: SIZE,
        account: Account {
            journal_name: String::new(),
            source: AccountSource::Configured("acme".to_owned()),
            read_only: false,
            production: false,
            color: Some(AccountColor::Green),
            favorites: Favorites::default(),
        },
        accounts: Vec::new(),
        local: LocalPaths {
            dir,
            home: Some(home),
        },
        keymap: Keymap::defaults(),
    })
}
