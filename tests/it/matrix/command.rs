//! The commands of the matrix: their arguments, their main requests, and their effects.

use std::collections::BTreeMap;

use super::world::{STORED, in_folder};
use crate::support::proxy::Calls;

#[derive(Debug, Clone, Copy)]
pub(super) enum Command {
    Ls,
    Put(&'static [&'static str]),
    /// Into a new folder, whose creation is its main request.
    PutBelow(&'static [&'static str]),
    Get(&'static [&'static str]),
    Rm(&'static [&'static str]),
    Purge(&'static [&'static str]),
    Limits,
}

impl Command {
    pub(super) fn words(self) -> Vec<String> {
        let below = |folder: &str, names: &[&str]| {
            names.iter().map(|name| format!("{folder}{name}")).collect()
        };
        let words = |before: &[&str], names: Vec<String>, after: &[&str]| {
            let owned = |words: &[&str]| {
                words
                    .iter()
                    .map(|word| (*word).to_owned())
                    .collect::<Vec<_>>()
            };
            [owned(before), names, owned(after)].concat()
        };
        match self {
            Self::Ls => words(&["ls", "/box"], Vec::new(), &[]),
            Self::Put(names) => words(&["put"], below("", names), &["/box/"]),
            Self::PutBelow(names) => words(&["put"], below("", names), &["/new/"]),
            Self::Get(names) => words(&["get"], below("/box/", names), &["--output", "down"]),
            Self::Rm(names) => words(&["rm", "--yes"], below("/box/", names), &[]),
            Self::Purge(names) => {
                words(&["rm", "--yes", "--permanent"], below("/box/", names), &[])
            }
            Self::Limits => words(&["limits", "custom-properties"], Vec::new(), &[]),
        }
    }

    /// The command's main requests.
    pub(super) fn calls(self) -> Calls {
        match self {
            Self::Ls => Calls::to("GET", "/files/v3/files/search"),
            Self::Put(_) => Calls::to("POST", "/files/v3/files"),
            Self::PutBelow(_) => Calls::to("POST", "/files/v3/folders"),
            Self::Get(_) => Calls::to("GET", "/files/v3/files/").naming("/download"),
            Self::Rm(_) | Self::Purge(_) => Calls::to("DELETE", "/files/v3/files/"),
            Self::Limits => Calls::to("GET", "/crm/v3/limits/"),
        }
    }

    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Ls => &STORED,
            Self::Put(names)
            | Self::PutBelow(names)
            | Self::Get(names)
            | Self::Rm(names)
            | Self::Purge(names) => names,
            Self::Limits => &[],
        }
    }

    /// The line on standard output for a file; `None` if the output is not one file per line.
    pub(super) fn line(self, name: &str) -> Option<String> {
        match self {
            Self::Ls => Some(name.to_owned()),
            Self::Put(_) | Self::Rm(_) | Self::Purge(_) => Some(format!("/box/{name}")),
            Self::PutBelow(_) => Some(format!("/new/{name}")),
            Self::Get(_) => Some(format!("down/{name}")),
            Self::Limits => None,
        }
    }

    pub(super) fn stored(self, done: &[&'static str]) -> BTreeMap<String, String> {
        match self {
            Self::Put(_) => in_folder("/box", STORED.iter().chain(done).copied()),
            Self::PutBelow(_) => {
                let mut stored = in_folder("/box", STORED);
                stored.extend(in_folder("/new", done.iter().copied()));
                stored
            }
            Self::Rm(_) | Self::Purge(_) => in_folder(
                "/box",
                STORED.into_iter().filter(|name| !done.contains(name)),
            ),
            Self::Ls | Self::Get(_) | Self::Limits => in_folder("/box", STORED),
        }
    }
}
