//! What a folder of a hundred thousand files costs the screen, beside one of twenty: the work of keys, marks and answers,
//! drawing, bytes to the terminal, and memory a row: `cargo bench --bench catalogue`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on should panic; it prints")]

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use filedeck::config::Source;
use filedeck::engine::message::{Cursor, Entry, Stage};
use filedeck::engine::{Event, Outcome, Request, SessionId};
use filedeck::tui::keymap::Keymap;
use filedeck::tui::local_paths::LocalPaths;
use filedeck::tui::message::{Effect, Msg};
use filedeck::tui::state::{Account, Start, State};
use filedeck::tui::symbols::Symbols;
use filedeck::tui::theme::{Depth, Theme};
use filedeck::tui::update::update;
use filedeck::tui::view::view;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use serde_json::json;

const SCREEN: (u16, u16) = (120, 40);
const PAGE: usize = 100;
const ROUNDS: u32 = 30;

fn main() {
    // `cargo test` passes over benchmarks unless it is told to run them.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    println!("{:<34}{:>14}{:>14}", "", "20 rows", "100,000 rows");
    let mut short = Desk::open(20);
    let before = resident();
    let mut long = Desk::open(100_000);
    let bytes = (resident() - before) / 100_000;
    let mut compare = |what: &str, work: &dyn Fn(&mut Desk) -> Duration| {
        let (short, long) = (best(&mut short, work), best(&mut long, work));
        println!("{what:<34}{short:>14.1?}{long:>14.1?}");
    };
    compare("a key in the middle", &|desk| desk.middle().time("j"));
    compare("a page down in the middle", &|desk| desk.middle().time("ctrl-f"));
    compare("a frame", &Desk::frame);
    compare("first letter of a filter", &|desk| desk.pressed("/").timed("1").then("esc"));
    compare("second letter", &|desk| desk.pressed("/ 1").timed("2").then("esc"));
    compare("all marked", &|desk| desk.timed("ctrl-a").then("esc"));
    compare("a frame with all marked", &|desk| desk.pressed("ctrl-a").framed().then("esc"));
    compare("a key in a short range", &|desk| desk.middle().pressed("v j j").timed("j").then("esc esc"));
    compare("a range over all", &|desk| desk.pressed("g g v").timed("G").then("esc esc"));
    compare("another order", &|desk| desk.timed("o s").then("o n"));
    compare("an answer about one row", &Desk::answer);
    compare("100 rows of a whole read", &Desk::part);
    println!("{:<34}{:>14}{:>14}", "bytes to the terminal, a key", short.bytes(), long.bytes());
    println!("{:<34}{:>14}{bytes:>14}", "resident bytes a row", "");
}

/// The shortest of some rounds: the rest is what the machine does besides.
fn best(desk: &mut Desk, work: &dyn Fn(&mut Desk) -> Duration) -> Duration {
    (0..ROUNDS).map(|_| work(desk)).min().unwrap()
}

/// What this process has of its own in memory, in bytes; 0 where the system does not say.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).map_or(0, |kib| kib * 1024)
}

fn file(at: usize) -> Entry {
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

/// The screen with one folder open and read whole.
struct Desk {
    state: State,
    theme: Theme,
    terminal: Terminal<CrosstermBackend<Counter>>,
    written: Rc<Cell<usize>>,
    rows: usize,
}

/// Time that was taken, while the desk is put back in order.
struct Took<'a>(&'a mut Desk, Duration);

impl Took<'_> {
    fn then(self, keys: &str) -> Duration {
        self.0.press(keys);
        self.1
    }
}

impl Desk {
    fn open(rows: usize) -> Self {
        let account = Account { source: Source::Configured("acme".to_owned()), read_only: false, production: false };
        let written = Rc::new(Cell::new(0));
        let viewport = Viewport::Fixed(Rect::new(0, 0, SCREEN.0, SCREEN.1));
        let backend = CrosstermBackend::new(Counter(written.clone()));
        let mut desk = Self {
            state: State::new(Start {
                now: "2026-11-21T08:00:00Z".parse().unwrap(),
                size: SCREEN,
                account,
                accounts: Vec::new(),
                local: LocalPaths { dir: "/tmp".into(), home: None },
                keymap: Keymap::defaults().unwrap(),
            }),
            theme: Theme::named("dark", Depth::True).unwrap(),
            terminal: Terminal::with_options(backend, TerminalOptions { viewport }).unwrap(),
            written,
            rows,
        };
        let effects = update(&mut desk.state, Msg::Start);
        let op = asked(&effects, |request| matches!(request, Request::List { .. }));
        let next = (rows > PAGE).then_some(Cursor { stage: Stage::Files, offset: 100, from_id: None });
        let entries = (0..rows.min(PAGE)).map(file).collect();
        update(
            &mut desk.state,
            Msg::Engine(SessionId::FIRST, Event::Done { op, result: Ok(Outcome::Listed { entries, next }) }),
        );
        if rows > PAGE {
            desk.read_whole();
        }
        desk
    }

    fn read_whole(&mut self) {
        let effects = self.press("G");
        let op = asked(&effects, |request| matches!(request, Request::ListAll { .. }));
        for from in (0..self.rows).step_by(PAGE) {
            let entries = (from..from + PAGE).map(file).collect();
            update(&mut self.state, Msg::Engine(SessionId::FIRST, Event::Part { op, entries }));
        }
        update(&mut self.state, Msg::Engine(SessionId::FIRST, Event::Done { op, result: Ok(Outcome::AllListed) }));
        assert_eq!(self.state.desk.listing.len(), self.rows);
    }

    fn press(&mut self, keys: &str) -> Vec<Effect> {
        let press = |key: &str| update(&mut self.state, Msg::Key(key.parse().unwrap()));
        keys.split_whitespace().flat_map(press).collect()
    }

    fn pressed(&mut self, keys: &str) -> &mut Self {
        self.press(keys);
        self
    }

    fn middle(&mut self) -> &mut Self {
        self.state.desk.listing.move_to(self.rows / 2);
        self
    }

    fn time(&mut self, keys: &str) -> Duration {
        let start = Instant::now();
        self.press(keys);
        start.elapsed()
    }

    fn timed(&mut self, keys: &str) -> Took<'_> {
        let took = self.time(keys);
        Took(self, took)
    }

    fn frame(&mut self) -> Duration {
        let start = Instant::now();
        self.terminal.draw(|frame| view(&self.state, &self.theme, Symbols::Unicode, frame)).unwrap();
        start.elapsed()
    }

    fn framed(&mut self) -> Took<'_> {
        let took = self.frame();
        Took(self, took)
    }

    fn answer(&mut self) -> Duration {
        let entry = file(self.rows / 2);
        let start = Instant::now();
        self.state.desk.listing.upsert(entry);
        start.elapsed()
    }

    /// The last page of a read, onto all the others.
    fn part(&mut self) -> Duration {
        let from = self.rows.saturating_sub(PAGE);
        let targets = (from..self.rows).map(|at| file(at).target()).collect();
        self.state.desk.listing.remove(&targets);
        self.state.desk.listing.begin_whole();
        let entries = (from..self.rows).map(file).collect();
        let start = Instant::now();
        self.state.desk.listing.take_part(entries, self.state.now);
        let took = start.elapsed();
        self.state.desk.listing.stop_whole();
        took
    }

    fn bytes(&mut self) -> usize {
        self.middle().frame();
        let before = self.written.get();
        self.pressed("j").frame();
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

/// Counts what a terminal would get.
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
