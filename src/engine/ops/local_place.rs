//! The place of a download on this machine, and the folders above it. None of them is ever reached
//! through a link (`guarantees.md#names-from-the-service-stay-in-their-folder`).

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use super::remote_tree::below;
use crate::api::model::File;
use crate::api::{Error, Kind};
use crate::engine::disk_name::path_to_disk;
use crate::engine::job::Room;

#[derive(Debug, Clone, Copy)]
pub struct LocalPlace<'a> {
    /// An existing folder.
    pub into: &'a Path,
    /// A path on the disk from there, with slashes between names; `None` for the file's own name.
    pub name: Option<&'a str>,
    pub room: Room,
}

impl LocalPlace<'_> {
    pub(super) fn name_of(&self, file: &File) -> Result<String, Error> {
        let name = match self.name {
            Some(name) => Ok(name
                .rsplit_once('/')
                .map_or(name, |(_, last)| last)
                .to_owned()),
            None => path_to_disk(&below("", &file.full_name())),
        };
        let name = name.map_err(|why| {
            Error::new(
                Kind::Refused,
                format!("Cannot save {}: {why}", file.full_name()),
            )
        })?;
        check(&name)?;
        Ok(name)
    }

    pub fn folder(&self) -> PathBuf {
        folder_of(self.into, self.name)
    }

    pub(super) async fn make_folder(&self) -> Result<PathBuf, Error> {
        match self.name.and_then(|name| name.rsplit_once('/')) {
            Some((above, _)) => make_folder(self.into, above).await,
            None => Ok(self.into.to_owned()),
        }
    }
}

pub fn folder_of(into: &Path, name: Option<&str>) -> PathBuf {
    name.and_then(|name| name.rsplit_once('/'))
        .map_or_else(|| into.to_owned(), |(above, _)| joined(into, above))
}

pub(super) fn joined(into: &Path, path: &str) -> PathBuf {
    path.split('/')
        .filter(|name| !name.is_empty())
        .fold(into.to_owned(), |path, name| path.join(name))
}

/// Refuses what is not a single name: a path on the disk is made of names, and a journal may hold
/// anything.
fn check(name: &str) -> Result<(), Error> {
    let mut components = Path::new(name).components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(own)), None) if own == std::ffi::OsStr::new(name) => Ok(()),
        _ => Err(Error::new(
            Kind::Refused,
            format!("{name:?} is no name for a file of this machine"),
        )),
    }
}

/// Refuses what is not a folder.
pub async fn check_folder(folder: &Path) -> Result<(), Error> {
    let refused = |why| Error::new(Kind::Refused, format!("{} {why}.", folder.display()));
    match tokio::fs::metadata(folder).await {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(refused("is not a folder")),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(refused("does not exist")),
        Err(error) => Err(Error::local(
            &format!("Cannot read {}", folder.display()),
            &error,
        )),
    }
}

/// Returns the innermost folder of a path that exists.
pub(super) async fn existing_part(path: &Path) -> &Path {
    let mut there = path;
    while let Some(above) = there.parent() {
        match tokio::fs::try_exists(there).await {
            Ok(false) => there = above,
            // It would be inside a file.
            Err(error) if error.kind() == ErrorKind::NotADirectory => there = above,
            Ok(true) | Err(_) => break,
        }
    }
    there
}

/// Creates a folder and the missing ones above it, up to `into`. Fails at a link, and at what is no
/// folder.
pub async fn make_folder(into: &Path, path: &str) -> Result<PathBuf, Error> {
    let (into, path) = (into.to_owned(), path.to_owned());
    blocking(move || {
        let mut folder = into;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            check(name)?;
            folder.push(name);
            make(&folder).map_err(|error| {
                Error::local(&format!("Cannot create {}", folder.display()), &error)
            })?;
        }
        Ok(folder)
    })
    .await?
}

fn make(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        // Another download may have just created it.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            match fs::symlink_metadata(folder)?.file_type() {
                kind if kind.is_dir() => Ok(()),
                kind if kind.is_symlink() => Err(io::Error::other(
                    "a link has this name, and it is not followed",
                )),
                _ => Err(io::Error::other("a file has this name")),
            }
        }
        made => made,
    }
}

/// Runs work on the disk beside everything else.
pub(in crate::engine) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Error::new(Kind::Internal, "Work on the disk failed unexpectedly"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn folders_are_made_below_and_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let (into, outside) = (dir.path().join("in"), dir.path().join("out"));
        fs::create_dir(&into).unwrap();
        fs::create_dir(&outside).unwrap();
        for _ in 0..2 {
            assert_eq!(
                make_folder(&into, "a/c:/b").await.unwrap(),
                into.join("a/c:/b")
            );
        }
        let error = make_folder(&into, "a/../../out").await.unwrap_err();
        assert!(error.message.contains("\"..\" is no name"), "{error}");
        fs::write(into.join("file"), "").unwrap();
        let error = make_folder(&into, "file/c").await.unwrap_err();
        assert!(error.message.contains("a file has this name"), "{error}");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, into.join("link")).unwrap();
            let error = make_folder(&into, "link/c").await.unwrap_err();
            assert!(error.message.contains("not followed"), "{error}");
            assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        }
    }
}
