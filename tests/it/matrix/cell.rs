//! One cell: a command, a fault, and what must result from it.

use std::time::{Duration, Instant};

use super::command::Command;
use super::world::{LOCAL, Patience, World, content};
use crate::cli::binary::{Run, names};
use crate::support::proxy::{Calls, Fault, Rule, Which};

/// Seconds after which a command has hung that is still running.
const LONGEST: u64 = 60;

/// Longer than any pause of a fault that is to be sat through.
const PATIENT: Patience = Patience { stall: 8, settle: 4 };

/// For faults without an end.
const IMPATIENT: Patience = Patience { stall: 2, settle: 1 };

pub(super) struct Cell {
    command: Command,
    fault: &'static str,
    rules: Vec<Rule>,
    options: &'static [&'static str],
    patience: Patience,
    codes: &'static [i32],
    /// Whether what the command is for happens on the service, and to which files.
    happens: bool,
    only: Option<&'static [&'static str]>,
    says: Vec<&'static str>,
    hides: Vec<&'static str>,
    at_most: usize,
    from: u64,
    within: u64,
    check: Option<fn(&World) -> bool>,
}

impl Cell {
    /// A cell in which the fault does not matter: the command does its work and exits with 0.
    pub(super) fn new(command: Command, fault: &'static str, rules: Vec<Rule>) -> Self {
        Self {
            command,
            fault,
            rules,
            options: &[],
            patience: PATIENT,
            codes: &[0],
            happens: true,
            only: None,
            says: Vec::new(),
            hides: Vec::new(),
            at_most: usize::MAX,
            from: 0,
            within: LONGEST,
            check: None,
        }
    }

    /// A fault of the requests that the command is about.
    pub(super) fn of(command: Command, fault: &'static str, which: Which, what: Fault) -> Self {
        Self::new(command, fault, vec![Rule::new(command.calls(), which, what)])
    }

    /// A fault of every request.
    pub(super) fn total(command: Command, fault: &'static str, what: Fault) -> Self {
        Self::new(command, fault, vec![Rule::new(Calls::all(), Which::All, what)])
    }

    /// A fault of the first of the requests that the command is about, and another of those after it.
    pub(super) fn then(command: Command, fault: &'static str, first: Fault, rest: Fault) -> Self {
        let (first, rest) =
            (Rule::new(command.calls(), Which::First(1), first), Rule::new(command.calls(), Which::All, rest));
        Self::new(command, fault, vec![first, rest])
    }

    /// The command ends with one of these codes, and nothing happens.
    pub(super) fn fails(self, codes: &'static [i32]) -> Self {
        Self { codes, happens: false, ..self }
    }

    /// The command ends with one of these codes, and it happens all the same.
    pub(super) fn happens_but_exits(self, codes: &'static [i32]) -> Self {
        Self { codes, ..self }
    }

    /// It is done to these alone.
    pub(super) fn only(self, names: &'static [&'static str]) -> Self {
        Self { only: Some(names), ..self }
    }

    pub(super) fn options(self, options: &'static [&'static str]) -> Self {
        Self { options, ..self }
    }

    /// Standard error has this, or one of several with a `|` between them.
    pub(super) fn says(mut self, text: &'static str) -> Self {
        self.says.push(text);
        self
    }

    /// Standard error has nothing of this.
    pub(super) fn hides(mut self, text: &'static str) -> Self {
        self.hides.push(text);
        self
    }

    /// The requests that the command is about are sent so many times, at most.
    pub(super) fn sends_at_most(self, at_most: usize) -> Self {
        Self { at_most, ..self }
    }

    /// Seconds that the command takes at least.
    pub(super) fn takes(self, from: u64) -> Self {
        Self { from, ..self }
    }

    /// What may have been stored is looked for no longer than a second, each time.
    pub(super) fn settles_early(self) -> Self {
        Self { patience: Patience { settle: IMPATIENT.settle, ..PATIENT }, ..self }
    }

    /// The command gives up early, and must have ended not much later.
    pub(super) fn impatient(self) -> Self {
        Self { patience: IMPATIENT, within: IMPATIENT.stall + IMPATIENT.settle + 8, ..self }
    }

    pub(super) fn check(self, check: fn(&World) -> bool) -> Self {
        Self { check: Some(check), ..self }
    }

    pub(super) fn name(&self) -> String {
        format!("{} x {}", [self.command.words().join(" "), self.options.join(" ")].join(" ").trim(), self.fault)
    }

    /// Plays it; all that is wrong.
    pub(super) fn run(mut self) -> Result<(), String> {
        let world = World::new(self.patience, std::mem::take(&mut self.rules));
        let words = self.command.words();
        let words: Vec<&str> = words.iter().map(String::as_str).chain(self.options.iter().copied()).collect();
        let start = Instant::now();
        let run = world.binary.run_within(Duration::from_secs(self.within), &words);
        let took = start.elapsed();
        world.service.block_on(world.proxy.settled());
        let mut wrong = self.wrong(&world, &run);
        if took < Duration::from_secs(self.from) {
            wrong.push(format!("took no more than {took:.1?}"));
        }
        if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{run:#?}", wrong.join("; "))) }
    }

    fn wrong(&self, world: &World, run: &Run) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut demand = |holds: bool, what: String| {
            if !holds {
                wrong.push(what);
            }
        };
        let ended = if run.code == -1 { format!("still running after {} s", self.within) } else { String::new() };
        demand(self.codes.contains(&run.code), format!("{ended} exit {}, not {:?}", run.code, self.codes));
        let said = run.stderr.to_lowercase();
        for text in &self.says {
            demand(text.split('|').any(|text| said.contains(text)), format!("does not say '{text}'"));
        }
        for text in &self.hides {
            demand(!said.contains(text), format!("says '{text}'"));
        }
        let names_meant = self.only.unwrap_or(self.command.names());
        let acknowledged = if matches!(run.code, 0 | 5) { names_meant } else { &[] };
        demand(self.printed(run, acknowledged), "printed otherwise".to_owned());
        let happened = if self.happens { names_meant } else { &[] };
        let stored = world.stored();
        demand(stored == self.command.stored(happened), format!("the service holds {:?}", stored.keys()));
        let fetched = if matches!(self.command, Command::Get(_)) { acknowledged } else { &[] };
        let down = world.binary.work().join("down");
        demand(names(&down) == fetched, format!("down/ holds {:?}", names(&down)));
        for name in fetched {
            let same = std::fs::read(down.join(name)).is_ok_and(|bytes| bytes == content(name));
            demand(same, format!("down/{name} has other bytes"));
        }
        let beside: Vec<String> = names(&world.binary.work()).into_iter().filter(|name| name != "down").collect();
        demand(beside == LOCAL, format!("the working folder holds {beside:?}"));
        let purged = if matches!(self.command, Command::Purge(_)) { acknowledged.len() } else { 0 };
        demand(usize::try_from(world.receipts()) == Ok(purged), format!("{} receipts", world.receipts()));
        let sent = world.proxy.count(self.command.calls());
        demand(sent <= self.at_most, format!("sent {sent} times"));
        demand(self.check.is_none_or(|check| check(world)), "the proxy saw otherwise".to_owned());
        wrong
    }

    /// A listing that fails may have begun; everything else is printed when it is done.
    fn printed(&self, run: &Run, acknowledged: &[&str]) -> bool {
        let mut lines: Vec<&str> = run.stdout.lines().collect();
        let mut expected: Option<Vec<String>> = acknowledged.iter().map(|name| self.command.line(name)).collect();
        if matches!(self.command, Command::Put(_) | Command::PutBelow(_) | Command::Get(_)) {
            // Several at once, in the order in which they end.
            lines.sort_unstable();
            if let Some(expected) = &mut expected {
                expected.sort_unstable();
            }
        }
        match (self.command, run.code) {
            (Command::Limits, code) => lines.is_empty() == (code != 0),
            (Command::Ls, code) if code != 0 => true,
            _ => expected.is_some_and(|expected| lines == expected),
        }
    }
}
