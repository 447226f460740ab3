//! One cell: a command, a fault, and the required result.

use std::time::{Duration, Instant};

use super::command::Command;
use super::world::{LOCAL, Patience, World, content};
use crate::cli::binary::{Run, names};
use crate::support::proxy::{Calls, Fault, Rule, Which};

/// Seconds after which a running command counts as hung.
const LONGEST: u64 = 60;

/// Longer than any pause of a fault that the command must survive.
const PATIENT: Patience = Patience {
    stall: 8,
    settle: 4,
};

/// For faults without an end.
const IMPATIENT: Patience = Patience {
    stall: 2,
    settle: 1,
};

pub(super) struct Cell {
    command: Command,
    fault: &'static str,
    rules: Vec<Rule>,
    options: &'static [&'static str],
    patience: Patience,
    codes: &'static [i32],
    /// `true` if the command's work is done on the service; `only` restricts it to these files.
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
    /// A cell whose fault has no effect: the command does its work and exits with 0.
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

    /// Applies a fault to the command's main requests.
    pub(super) fn of(command: Command, fault: &'static str, which: Which, what: Fault) -> Self {
        Self::new(
            command,
            fault,
            vec![Rule::new(command.calls(), which, what)],
        )
    }

    /// Applies a fault to every request.
    pub(super) fn total(command: Command, fault: &'static str, what: Fault) -> Self {
        Self::new(
            command,
            fault,
            vec![Rule::new(Calls::all(), Which::All, what)],
        )
    }

    /// Applies one fault to the first of the command's main requests, and another to the rest.
    pub(super) fn then(command: Command, fault: &'static str, first: Fault, rest: Fault) -> Self {
        let (first, rest) = (
            Rule::new(command.calls(), Which::First(1), first),
            Rule::new(command.calls(), Which::All, rest),
        );
        Self::new(command, fault, vec![first, rest])
    }

    /// Expects one of these exit codes, and no effect.
    pub(super) fn fails(self, codes: &'static [i32]) -> Self {
        Self {
            codes,
            happens: false,
            ..self
        }
    }

    /// Expects one of these exit codes, although the work is done.
    pub(super) fn happens_but_exits(self, codes: &'static [i32]) -> Self {
        Self { codes, ..self }
    }

    /// Expects the work to be done for these files only.
    pub(super) fn only(self, names: &'static [&'static str]) -> Self {
        Self {
            only: Some(names),
            ..self
        }
    }

    pub(super) fn options(self, options: &'static [&'static str]) -> Self {
        Self { options, ..self }
    }

    /// Expects this on standard error, or one of several texts separated by `|`.
    pub(super) fn says(mut self, text: &'static str) -> Self {
        self.says.push(text);
        self
    }

    /// Expects standard error not to contain this.
    pub(super) fn hides(mut self, text: &'static str) -> Self {
        self.hides.push(text);
        self
    }

    /// Expects at most this many of the command's main requests.
    pub(super) fn sends_at_most(self, at_most: usize) -> Self {
        Self { at_most, ..self }
    }

    /// Expects the command to take at least this many seconds.
    pub(super) fn takes(self, from: u64) -> Self {
        Self { from, ..self }
    }

    /// Looks for uploads that may have been stored for no longer than a second each.
    pub(super) fn settles_early(self) -> Self {
        Self {
            patience: Patience {
                settle: IMPATIENT.settle,
                ..PATIENT
            },
            ..self
        }
    }

    /// Makes the command give up early, and expects it to end not much later.
    pub(super) fn impatient(self) -> Self {
        Self {
            patience: IMPATIENT,
            within: IMPATIENT.stall + IMPATIENT.settle + 8,
            ..self
        }
    }

    pub(super) fn check(self, check: fn(&World) -> bool) -> Self {
        Self {
            check: Some(check),
            ..self
        }
    }

    pub(super) fn name(&self) -> String {
        format!(
            "{} x {}",
            [self.command.words().join(" "), self.options.join(" ")]
                .join(" ")
                .trim(),
            self.fault
        )
    }

    /// Runs the cell; the error lists everything that is wrong.
    pub(super) fn run(mut self) -> Result<(), String> {
        let world = World::new(self.patience, std::mem::take(&mut self.rules));
        let words = self.command.words();
        let words: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .chain(self.options.iter().copied())
            .collect();
        let start = Instant::now();
        let run = world
            .binary
            .run_within(Duration::from_secs(self.within), &words);
        let took = start.elapsed();
        world.service.block_on(world.proxy.settled());
        let mut wrong = self.wrong(&world, &run);
        if took < Duration::from_secs(self.from) {
            wrong.push(format!("took no more than {took:.1?}"));
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(format!("{}\n{run:#?}", wrong.join("; ")))
        }
    }

    fn wrong(&self, world: &World, run: &Run) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut demand = |holds: bool, what: String| {
            if !holds {
                wrong.push(what);
            }
        };
        let ended = if run.code == -1 {
            format!("still running after {} s", self.within)
        } else {
            String::new()
        };
        demand(
            self.codes.contains(&run.code),
            format!("{ended} exit {}, not {:?}", run.code, self.codes),
        );
        let said = run.stderr.to_lowercase();
        for text in &self.says {
            demand(
                text.split('|').any(|text| said.contains(text)),
                format!("does not say '{text}'"),
            );
        }
        for text in &self.hides {
            demand(!said.contains(text), format!("says '{text}'"));
        }
        let names_meant = self.only.unwrap_or(self.command.names());
        let acknowledged = if matches!(run.code, 0 | 5) {
            names_meant
        } else {
            &[]
        };
        demand(
            self.printed(run, acknowledged),
            "printed otherwise".to_owned(),
        );
        let happened = if self.happens { names_meant } else { &[] };
        let stored = world.stored();
        demand(
            stored == self.command.stored(happened),
            format!("the service holds {:?}", stored.keys()),
        );
        let fetched = if matches!(self.command, Command::Get(_)) {
            acknowledged
        } else {
            &[]
        };
        let down = world.binary.work().join("down");
        demand(
            names(&down) == fetched,
            format!("down/ holds {:?}", names(&down)),
        );
        for name in fetched {
            let same = std::fs::read(down.join(name)).is_ok_and(|bytes| bytes == content(name));
            demand(same, format!("down/{name} has other bytes"));
        }
        let beside: Vec<String> = names(&world.binary.work())
            .into_iter()
            .filter(|name| name != "down")
            .collect();
        demand(
            beside == LOCAL,
            format!("the working folder holds {beside:?}"),
        );
        let purged = if matches!(self.command, Command::Purge(_)) {
            acknowledged.len()
        } else {
            0
        };
        demand(
            usize::try_from(world.receipts()) == Ok(purged),
            format!("{} receipts", world.receipts()),
        );
        let sent = world.proxy.count(self.command.calls());
        demand(sent <= self.at_most, format!("sent {sent} times"));
        demand(
            self.check.is_none_or(|check| check(world)),
            "the proxy saw otherwise".to_owned(),
        );
        wrong
    }

    /// A listing that fails may have printed rows; everything else is printed once it is done.
    fn printed(&self, run: &Run, acknowledged: &[&str]) -> bool {
        let mut lines: Vec<&str> = run.stdout.lines().collect();
        let mut expected: Option<Vec<String>> = acknowledged
            .iter()
            .map(|name| self.command.line(name))
            .collect();
        if matches!(
            self.command,
            Command::Put(_) | Command::PutBelow(_) | Command::Get(_)
        ) {
            // Parallel transfers are printed in the order in which they end.
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
