//! `--on-clash`: the rule for a name that is taken by other content, as the plan on the screen
//! offers it.

use clap::ValueEnum;

use crate::api::{Error, Kind};
use crate::engine::plan::{Direction, Existing, PlanChoice, PlanRow, PlanSource};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnClash {
    /// Put the new content in place of the old
    Replace,
    /// Add a number to the new name
    KeepBoth,
    /// Take the file with equal content, wherever it is; stop if there is none
    Existing,
    /// Leave the file out
    Skip,
    /// Do nothing at all, and exit with 7
    Stop,
}

impl OnClash {
    /// Returns the choice for a row of a plan. An error stops the whole command.
    pub fn choose(self, row: &PlanRow, direction: &Direction) -> Result<PlanChoice, Error> {
        let choices = row.choices(direction);
        let is_clash = matches!(
            row.there,
            Existing::Other(_) | Existing::UnderWay | Existing::Blocked(_)
        );
        if matches!(row.source, PlanSource::Unfit(_)) || !is_clash {
            let existing = (self == Self::Existing && choices.contains(&PlanChoice::UseExisting))
                .then_some(PlanChoice::UseExisting);
            return Ok(existing
                .or_else(|| choices.first().copied())
                .unwrap_or(PlanChoice::Skip));
        }
        let choice = match self {
            Self::Replace => PlanChoice::Replace,
            // An earlier download has already left both.
            Self::KeepBoth if choices.first() == Some(&PlanChoice::UseExisting) => {
                PlanChoice::UseExisting
            }
            Self::KeepBoth => PlanChoice::KeepBoth,
            Self::Existing => PlanChoice::UseExisting,
            Self::Skip => PlanChoice::Skip,
            Self::Stop => PlanChoice::Stop,
        };
        if choice != PlanChoice::Stop && choices.contains(&choice) {
            Ok(choice)
        } else {
            Err(taken(row))
        }
    }
}

/// Says that two new files would have one name.
pub fn twins(first: &str, second: &str) -> Error {
    let hint = "--on-clash keep-both adds a number";
    Error::new(
        Kind::Conflict,
        format!("{first} and {second} would have the same name; {hint}"),
    )
}

fn taken(row: &PlanRow) -> Error {
    let name = &row.name;
    let why = match &row.there {
        Existing::Blocked(why) => (*why).to_owned(),
        Existing::UnderWay => "another upload of this machine is to be stored there".to_owned(),
        _ => "the name is taken by other content".to_owned(),
    };
    let hint = match row.there {
        Existing::Blocked(_) => "--on-clash skip leaves it out",
        _ => "--on-clash says what to do",
    };
    Error::new(Kind::Conflict, format!("{name}: {why}; {hint}"))
}
