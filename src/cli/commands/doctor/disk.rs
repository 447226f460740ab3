//! The places where filedeck writes on this machine, and the free space there.

use std::fs;
use std::io;
use std::path::Path;

use super::diagnosis::{Diagnosis, Health, finding};
use crate::cli::setup::Setup;
use crate::engine::ops::disk_room::disk_room;
use crate::tui::widget::figures;

/// The free space below which doctor warns: the journal and a few downloads take about as much.
const LITTLE: u64 = 100_000_000;

/// Checks the folder of unfinished work, then the disks.
pub(super) fn checks(setup: &Setup) -> Vec<Diagnosis> {
    let places = [
        ("state", setup.paths.state.as_path()),
        ("data", &setup.paths.local_store()),
        ("here", Path::new(".")),
    ];
    let rooms = places
        .into_iter()
        .filter_map(|(name, place)| Some((name, disk_room(existing(place)?)?)));
    std::iter::once(state_folder(&setup.paths.state))
        .chain(disk(&rooms.collect::<Vec<_>>()))
        .collect()
}

/// Returns the folder, or its nearest existing parent.
fn existing(place: &Path) -> Option<&Path> {
    place.ancestors().find(|place| place.is_dir())
}

fn state_folder(dir: &Path) -> Diagnosis {
    match fs::metadata(dir) {
        Ok(found) if found.permissions().readonly() => finding(
            Health::Fail,
            "state",
            format!(
                "{} cannot be written to, so unfinished work is lost: make it writable",
                dir.display()
            ),
        ),
        Ok(_) => finding(
            Health::Ok,
            "state",
            format!("unfinished work is kept in {}", dir.display()),
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => finding(
            Health::Ok,
            "state",
            format!("{} is made when it is needed", dir.display()),
        ),
        Err(error) => finding(Health::Fail, "state", format!("{}: {error}", dir.display())),
    }
}

/// Reports the free space; `None` if the system does not tell it.
fn disk(rooms: &[(&str, u64)]) -> Option<Diagnosis> {
    let words = |(name, room): &(&str, u64)| match *name {
        "here" => format!("{} free in this folder", figures::size(*room)),
        name => format!("{} free for {name}", figures::size(*room)),
    };
    let says = rooms.iter().map(words).collect::<Vec<_>>().join(", ");
    match rooms.iter().map(|(_, room)| *room).min()? {
        room if room < LITTLE => Some(finding(Health::Warn, "disk", format!("{says}; make room"))),
        _ => Some(finding(Health::Ok, "disk", says)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_nearly_full_is_warned_of() {
        let full = disk(&[("state", 9_000_000_000), ("here", 5_000_000)]).unwrap();
        assert_eq!(
            (full.state, full.says.as_str()),
            (
                Health::Warn,
                "9.0 GB free for state, 5.0 MB free in this folder; make room"
            )
        );
        assert_eq!(disk(&[("here", LITTLE)]).unwrap().state, Health::Ok);
        assert!(disk(&[]).is_none());
    }
}
