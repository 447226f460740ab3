//! The folders that filedeck writes to on this machine, and the free space there.

use std::io::{self, Write as _};
use std::path::Path;

use tempfile::Builder;

use super::diagnosis::{Diagnosis, Health, finding, ok, warn};
use crate::cli::setup::Setup;
use crate::config::check_own_dir;
use crate::engine::ops::disk_room::disk_room;
use crate::tui::widget::figures;

/// The free space below which doctor warns: the journal and a few downloads take about as much.
const LITTLE: u64 = 100_000_000;

/// Writes into each folder, then checks the disks.
pub(super) fn checks(setup: &Setup) -> Vec<Diagnosis> {
    let (paths, store) = (&setup.paths, setup.paths.local_store());
    let folders = [
        (&paths.config, "settings and accounts are kept"),
        (&paths.data, "the built-in store is kept"),
        (&paths.state, "unfinished work and thumbnails are kept"),
    ];
    let places = [
        ("state", paths.state.as_path()),
        ("data", &store),
        ("here", Path::new(".")),
    ];
    let rooms = places
        .into_iter()
        .filter_map(|(name, place)| Some((name, disk_room(existing(place))?)));
    let rooms: Vec<_> = rooms.collect();
    folders
        .into_iter()
        .map(|(dir, what)| folder(dir, what))
        .chain(disk(&rooms))
        .collect()
}

/// Returns the path, or its nearest existing parent.
fn existing(place: &Path) -> &Path {
    let mut parents = place.ancestors();
    parents
        .find(|parent| parent.symlink_metadata().is_ok())
        .unwrap_or(Path::new("."))
}

fn folder(dir: &Path, what: &str) -> Diagnosis {
    let shown = dir.display();
    let (health, says) = match write_into(dir) {
        Ok(()) if dir.exists() => (Health::Ok, format!("{what} in {shown}")),
        Ok(()) => (Health::Ok, format!("{shown} is made when it is needed")),
        Err(error) => (
            Health::Fail,
            format!("{shown} cannot be written to, where {what}: {error}; make it writable"),
        ),
    };
    finding(health, "folder", says)
}

/// Writes a file into the folder, or where it would be made, and removes the file.
fn write_into(dir: &Path) -> io::Result<()> {
    check_own_dir(dir)?;
    let mut probe = Builder::new()
        .prefix(".filedeck-probe-")
        .tempfile_in(existing(dir))?;
    probe.write_all(b"probe")?;
    probe.as_file().sync_all()?;
    probe.close()
}

/// Reports the free space; `None` if the system does not tell it.
fn disk(rooms: &[(&str, u64)]) -> Option<Diagnosis> {
    let words = |(name, room): &(&str, u64)| match *name {
        "here" => format!("{} free in this folder", figures::size(*room)),
        name => format!("{} free for {name}", figures::size(*room)),
    };
    let says = rooms.iter().map(words).collect::<Vec<_>>().join(", ");
    match rooms.iter().map(|(_, room)| *room).min()? {
        room if room < LITTLE => Some(warn("disk", format!("{says}; make room"))),
        _ => Some(ok("disk", says)),
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
