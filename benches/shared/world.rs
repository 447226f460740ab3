//! A screen on a terminal that counts its bytes, with one folder open and read whole.

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use filedeck::api::Position;
use filedeck::config::AccountSource;
use filedeck::engine::message::{Cursor, Entry, Stage};
use filedeck::engine::question::ListPage;
use filedeck::engine::{Answer, Event, Request, SessionId};
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
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use serde_json::json;

const SCREEN: (u16, u16) = (120, 40);
const PAGE: usize = 100;
const ROUNDS: u32 = 30;

/// The shortest of several rounds: anything above it is other work of the machine.
pub(crate) fn best(current: &mut World, work: &dyn Fn(&mut World) -> Duration) -> Duration {
    (0..ROUNDS).map(|_| work(current)).min().unwrap()
}

pub(crate) fn file(at: usize) -> Entry {
    let name = format!("product-{:06}", (at * 7_919) % 1_000_000);
    let path = format!("/{name}.png");
    Entry::File(
        serde_json::from_value(json!({
            "id": (214_000_000_000 + at).to_string(), "name": name, "extension": "png", "path": path, "type": "IMG",
            "parentFolderId": null, "size": at * 13 % 900_000, "access": "PUBLIC_NOT_INDEXABLE", "encoding": "png",
            "width": 640, "height": 480, "isUsableInContent": true, "fileMd5": "9f2c41c0e1b2a3948576d0c1b2a39485",
            "createdAt": "2026-08-01T08:00:00.000Z", "updatedAt": "2026-08-02T08:00:00.000Z",
            "url": format!("https://44012345.fs1.hubspotusercontent-na1.net/hubfs/44012345/library{path}"),
            "defaultHostingUrl": format!("https://44012345.fs1.hubspotusercontent-na1.net/hubfs/44012345/library{path}"),
        }))
        .unwrap(),
    )
}

pub(crate) struct World {
    pub(crate) state: State,
    theme: Theme,
    terminal: Terminal<Backend<Counter>>,
    written: Rc<Cell<usize>>,
    pub(crate) rows: usize,
}

impl World {
    pub(crate) fn open(rows: usize, depth: Depth) -> Self {
        let account = Account {
            journal_name: String::new(),
            source: AccountSource::Configured("acme".to_owned()),
            read_only: false,
            production: false,
            color: None,
            favorites: filedeck::config::favorites::Favorites::default(),
        };
        let written = Rc::new(Cell::new(0));
        let viewport = Viewport::Fixed(Rect::new(0, 0, SCREEN.0, SCREEN.1));
        let backend = Backend::new(Counter(written.clone()));
        let mut current = Self {
            state: State::new(Start {
                now: "2026-11-21T08:00:00Z".parse().unwrap(),
                size: SCREEN,
                account,
                accounts: Vec::new(),
                local: LocalPaths {
                    dir: "/tmp".into(),
                    home: None,
                },
                keymap: Keymap::defaults(),
            }),
            theme: Theme::named("dark", depth).unwrap(),
            terminal: Terminal::with_options(backend, TerminalOptions { viewport }).unwrap(),
            written,
            rows,
        };
        let effects = update(&mut current.state, Msg::Start);
        let op = asked(&effects, |request| matches!(request, Request::List(_)));
        let next = (rows > PAGE).then_some(Cursor {
            stage: Stage::Files,
            position: Position {
                offset: 100,
                from_id: None,
            },
        });
        let entries = (0..rows.min(PAGE)).map(file).collect();
        update(
            &mut current.state,
            Msg::Engine(
                SessionId::FIRST,
                Event::Done {
                    op,
                    result: Ok(Answer::List(ListPage { entries, next })),
                },
            ),
        );
        if rows > PAGE {
            current.read_whole();
        }
        current
    }

    fn read_whole(&mut self) {
        let effects = self.press("G");
        let op = asked(&effects, |request| matches!(request, Request::ListAll(_)));
        for from in (0..self.rows).step_by(PAGE) {
            let entries = (from..from + PAGE).map(file).collect();
            update(
                &mut self.state,
                Msg::Engine(SessionId::FIRST, Event::Part { op, entries }),
            );
        }
        update(
            &mut self.state,
            Msg::Engine(
                SessionId::FIRST,
                Event::Done {
                    op,
                    result: Ok(Answer::ListAll(())),
                },
            ),
        );
        assert_eq!(self.state.files.listing.len(), self.rows);
    }

    pub(crate) fn press(&mut self, keys: &str) -> Vec<Effect> {
        let press = |key: &str| update(&mut self.state, Msg::Key(key.parse().unwrap()));
        keys.split_whitespace().flat_map(press).collect()
    }

    pub(crate) fn pressed(&mut self, keys: &str) -> &mut Self {
        self.press(keys);
        self
    }

    pub(crate) fn middle(&mut self) -> &mut Self {
        self.state.files.listing.move_to(self.rows / 2);
        self
    }

    pub(crate) fn time(&mut self, keys: &str) -> Duration {
        let start = Instant::now();
        self.press(keys);
        start.elapsed()
    }

    pub(crate) fn frame(&mut self) -> Duration {
        let start = Instant::now();
        self.terminal
            .draw(|frame| _ = view(&mut self.state, &self.theme, Symbols::Unicode, frame))
            .unwrap();
        start.elapsed()
    }

    pub(crate) fn bytes(&mut self, keys: &str) -> usize {
        self.frame();
        let before = self.written.get();
        self.pressed(keys).frame();
        self.written.get() - before
    }
}

fn asked(effects: &[Effect], wanted: impl Fn(&Request) -> bool) -> filedeck::engine::OpId {
    let submitted = effects.iter().find_map(|effect| match effect {
        Effect::Submit(op, request) if wanted(request) => Some(*op),
        _ => None,
    });
    submitted.unwrap()
}

struct Counter(Rc<Cell<usize>>);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.set(self.0.get() + bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
