//! Measures the cost of a folder of a hundred thousand files on the screen, next to one of twenty:
//! the work for keys, marks and responses, drawing, bytes to the terminal, and memory per row:
//! `cargo bench --bench large_folder`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

use std::time::{Duration, Instant};

use filedeck::tui::style::theme::Depth;

use crate::world::{World, best, file};

#[path = "shared/world.rs"]
mod world;

/// The number of rows on the last page.
const LAST: usize = 100;

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    println!("{:<34}{:>14}{:>14}", "", "20 rows", "100,000 rows");
    let mut short = World::open(20, Depth::True);
    let before = resident();
    let mut long = World::open(100_000, Depth::True);
    let bytes = (resident() - before) / 100_000;
    let mut compare = |what: &str, work: &dyn Fn(&mut World) -> Duration| {
        let (short, long) = (best(&mut short, work), best(&mut long, work));
        println!("{what:<34}{short:>14.1?}{long:>14.1?}");
    };
    compare("a key in the middle", &|current| current.middle().time("j"));
    compare("a page down in the middle", &|current| {
        current.middle().time("ctrl-f")
    });
    compare("a frame", &World::frame);
    compare("first letter of a filter", &|current| {
        current.pressed("/").timed("1").then("esc")
    });
    compare("second letter", &|current| {
        current.pressed("/ 1").timed("2").then("esc")
    });
    compare("all marked", &|current| current.timed("ctrl-a").then("esc"));
    compare("a frame with all marked", &|current| {
        current.pressed("ctrl-a").framed().then("esc")
    });
    compare("a key in a short range", &|current| {
        current.middle().pressed("v j j").timed("j").then("esc esc")
    });
    compare("a range over all", &|current| {
        current.pressed("g g v").timed("G").then("esc esc")
    });
    compare("another order", &|current| current.timed("o s").then("o n"));
    compare("an answer about one row", &World::answer);
    compare("100 rows of a whole read", &World::part);
    println!(
        "{:<34}{:>14}{:>14}",
        "bytes to the terminal, a key",
        short.middle().bytes("j"),
        long.middle().bytes("j")
    );
    println!("{:<34}{:>14}{bytes:>14}", "resident bytes a row", "");
}

/// The bytes of anonymous memory of this process; 0 where the system does not report them.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok())
        .map_or(0, |kib| kib * 1024)
}

/// The measured time, with access to the world to restore its state afterwards.
struct Took<'a>(&'a mut World, Duration);

impl Took<'_> {
    fn then(self, keys: &str) -> Duration {
        self.0.press(keys);
        self.1
    }
}

impl World {
    fn timed(&mut self, keys: &str) -> Took<'_> {
        let took = self.time(keys);
        Took(self, took)
    }

    fn framed(&mut self) -> Took<'_> {
        let took = self.frame();
        Took(self, took)
    }

    fn answer(&mut self) -> Duration {
        let entry = file(self.rows / 2);
        let start = Instant::now();
        self.state.files.listing.upsert(entry);
        start.elapsed()
    }

    /// Adds the last page of a read to all the others.
    fn part(&mut self) -> Duration {
        let from = self.rows.saturating_sub(LAST);
        let targets = (from..self.rows).map(|at| file(at).target()).collect();
        self.state.files.listing.remove(&targets);
        self.state.files.listing.begin_whole();
        let entries = (from..self.rows).map(file).collect();
        let start = Instant::now();
        self.state.files.listing.take_part(entries, self.state.now);
        let took = start.elapsed();
        self.state.files.listing.stop_whole();
        took
    }
}
