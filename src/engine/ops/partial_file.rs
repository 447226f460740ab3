//! The file that a download arrives in: beside its place, under a name that nobody else uses,
//! locked while its process lives. Those that a killed process left are recognized by that and
//! swept (`guarantees.md#a-download-is-whole-or-not-there`).

use std::fs::{self, File, Permissions};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, PathPersistError, TempPath};

use crate::engine::disk_name::{self, PART_END, PART_MARK, PART_RANDOM, is_part};
use crate::engine::job::Room;

/// The number of names to try when the file's own is taken.
const MOST_NUMBERED: u32 = 9_999;

/// The number of parts to create while sweeps of other processes remove them before they are
/// locked.
const MOST_TRIES: usize = 8;

/// Creates a locked, empty file that only its owner can read; also returns the mode that new files
/// have there.
pub(super) fn create(
    folder: &Path,
    name: &str,
) -> io::Result<(File, TempPath, Option<Permissions>)> {
    let prefix = disk_name::temporary_prefix(name) + PART_MARK;
    for _ in 0..MOST_TRIES {
        let mut builder = tempfile::Builder::new();
        builder
            .prefix(&prefix)
            .suffix(PART_END)
            .rand_bytes(PART_RANDOM);
        let (part, mode) = create_private(&mut builder, folder)?;
        // Where the file system has no locks, no sweep gets one either.
        let _ = part.as_file().lock();
        if part.path().try_exists()? {
            let (file, path) = NamedTempFile::into_parts(part);
            return Ok((file, path, mode));
        }
    }
    Err(io::Error::other(
        "temporary files are removed as soon as they are created",
    ))
}

/// Creates a file to see its mode: the system subtracts the umask, which a process can read only by
/// changing it.
#[cfg(unix)]
fn create_private(
    builder: &mut tempfile::Builder<'_, '_>,
    folder: &Path,
) -> io::Result<(NamedTempFile, Option<Permissions>)> {
    let part = builder
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    let mode = part.as_file().metadata()?.permissions();
    part.as_file()
        .set_permissions(Permissions::from_mode(0o600))?;
    Ok((part, Some(mode)))
}

#[cfg(not(unix))]
fn create_private(
    builder: &mut tempfile::Builder<'_, '_>,
    folder: &Path,
) -> io::Result<(NamedTempFile, Option<Permissions>)> {
    Ok((builder.tempfile_in(folder)?, None))
}

/// Renames the finished file to the name that `room` gives it, with the mode of the file that it
/// replaces, and syncs the folder. An existing file that `is_same` counts as this one; returns
/// `None` if other content has taken the room. Without a mode, the file stays private to its owner.
pub(super) fn put_in_place(
    mut part: TempPath,
    folder: &Path,
    name: &str,
    room: Room,
    mode: Option<Permissions>,
    is_same: impl Fn(&Path) -> bool,
) -> io::Result<Option<PathBuf>> {
    let own = folder.join(name);
    let replaced = if let Room::Over(_) = room {
        fs::symlink_metadata(&own).ok()
    } else {
        None
    };
    if let Some(mode) = mode {
        // Some disks have no modes.
        let _ = fs::set_permissions(
            &part,
            replaced.as_ref().map_or(mode, fs::Metadata::permissions),
        );
    }
    // A folder that cannot be opened for syncing is no reason to call the download lost.
    let sync = || drop(File::open(folder).and_then(|folder| folder.sync_all()));
    if let Room::Over(state) = room {
        if !state.is_at(&own) {
            return Ok(is_same(&own).then_some(own));
        }
        part.persist(&own)?;
        sync();
        return Ok(Some(own));
    }
    for target in places(folder, name, room) {
        match part.persist_noclobber(&target) {
            Ok(()) => {
                sync();
                return Ok(Some(target));
            }
            Err(PathPersistError { error, path })
                if error.kind() == io::ErrorKind::AlreadyExists =>
            {
                if room != Room::Beside && is_same(&target) {
                    return Ok(Some(target));
                }
                part = path;
            }
            Err(PathPersistError { error, .. }) => return Err(error),
        }
    }
    Ok(None)
}

/// Returns the places where a finished file may be, the first choice first: its own name, or one
/// with a number.
pub(super) fn places(folder: &Path, name: &str, room: Room) -> impl Iterator<Item = PathBuf> {
    let last = if matches!(room, Room::Numbered | Room::Beside) {
        MOST_NUMBERED
    } else {
        0
    };
    let numbered = (1..=last).map(|number| disk_name::numbered(name, number));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .map(|name| folder.join(name))
}

/// Removes the parts of ended processes from `folder`. Those that cannot be examined or removed
/// stay.
pub fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries
        .flatten()
        .filter(|entry| is_part(&entry.file_name().to_string_lossy()))
    {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let path = entry.path();
        // The lock is held until the file is gone, so that nobody takes it for their own in
        // between.
        if is_file
            && let Ok(part) = File::open(&path)
            && part.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::seen_state::LocalState;

    #[test]
    fn a_sweep_takes_what_was_left_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let (living, path, _) = create(dir.path(), "logo.png").unwrap();
        let (ended, left, _) = create(dir.path(), "logo.png").unwrap();
        drop(ended);
        let left = left.keep().unwrap();
        for other in [
            "logo.png",
            ".logo.png.part",
            ".a.filedeck-1234567.part",
            "a.filedeck-12345678.part",
        ] {
            fs::write(dir.path().join(other), b"of the user").unwrap();
        }
        sweep(dir.path());
        assert!(path.exists() && !left.exists());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 5);
        drop(living);
    }

    #[test]
    fn only_the_file_that_was_seen_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let logo = dir.path().join("logo.png");
        fs::write(&logo, b"old").unwrap();
        let state = LocalState::of(&fs::metadata(&logo).unwrap());
        let place = |name: &str, room| placed(dir.path(), name, room);
        for other in [
            Room::Over(LocalState { size: 2, ..state }),
            Room::Over(LocalState::default()),
            Room::Free,
        ] {
            assert_eq!(place("logo.png", other), None);
            assert_eq!(fs::read(&logo).unwrap(), b"old");
        }
        assert_eq!(place("logo.png", Room::Over(state)), Some(logo.clone()));
        assert_eq!(fs::read(&logo).unwrap(), b"");
        assert_eq!(place("missing.png", Room::Over(state)), None);
        fs::create_dir(dir.path().join("folder.png")).unwrap();
        let folder = LocalState::of(&fs::metadata(dir.path().join("folder.png")).unwrap());
        assert_eq!(place("folder.png", Room::Over(folder)), None);
    }

    fn placed(folder: &Path, name: &str, room: Room) -> Option<PathBuf> {
        put_in_place(
            create(folder, name).unwrap().1,
            folder,
            name,
            room,
            None,
            |_| false,
        )
        .unwrap()
    }

    #[test]
    fn names_that_are_taken_are_numbered() {
        let dir = tempfile::tempdir().unwrap();
        let placed = [(); 2].map(|()| placed(dir.path(), "logo.png", Room::Numbered).unwrap());
        assert_eq!(
            placed,
            [dir.path().join("logo.png"), dir.path().join("logo (1).png")]
        );
    }
}
