//! Resolves remote paths, ids and patterns.

use std::fmt;

use super::matches::Matches;
use super::pattern::{PatternOptions, RemoteGlob, RemoteMeaning, RemotePattern};
use super::place;
use super::remote::{RemoteArgument, RemotePath};
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{File, Folder};
use crate::api::paths::join;
use crate::api::{Client, Error, Kind};
use crate::engine::Item;
use crate::engine::message::{Entry, FolderRef, Target};
use crate::engine::ops::list::ListMemory;
use crate::engine::ops::locate::{folder_at, names, stat};
pub use crate::engine::question::Located;

/// Looks up a path or id. An id is tried as a file's, then as a folder's.
pub async fn locate(client: &Client, remote: &RemoteArgument) -> Result<Located, Error> {
    match remote {
        RemoteArgument::Path(path) if path.is_root() => Ok(Located::Root),
        RemoteArgument::Path(path) => {
            let found = stat(client, path.as_str()).await?;
            match (found.file, found.folder) {
                (Some(file), _) if !path.means_folder() => Ok(file.into()),
                (_, Some(folder)) => Ok(folder.into()),
                // A file and a folder may have the same path, and then the service describes the
                // file.
                (Some(_), None) => match folder_at(client, path.as_str()).await {
                    Err(error) if error.kind == Kind::NotFound => {
                        Err(Error::new(Kind::NotFound, "it is a file, not a folder"))
                    }
                    folder => folder.map(Located::from),
                },
                (None, None) => Err(Error::new(
                    Kind::Decode,
                    "the service found neither a file nor a folder",
                )),
            }
        }
        RemoteArgument::Id(id) => match client.files().get(&FileId::new(id)).await {
            Ok(file) => Ok(file.into()),
            Err(error) if error.kind == Kind::NotFound => {
                // The folder's own error names the id as well, and the file's adds nothing.
                client
                    .folders()
                    .get(&FolderId::new(id))
                    .await
                    .map(Located::from)
            }
            Err(error) => Err(error),
        },
    }
}

#[derive(Debug)]
pub struct Found<T> {
    pub all: Vec<T>,
    /// Set for a pattern, whose matches were not named literally.
    pub is_pattern: bool,
}

impl<T> Found<T> {
    pub fn try_map<U>(self, to: impl FnMut(T) -> Result<U, Error>) -> Result<Found<U>, Error> {
        let all = self.all.into_iter().map(to).collect::<Result<_, _>>()?;
        Ok(Found {
            all,
            is_pattern: self.is_pattern,
        })
    }
}

impl Found<Located> {
    /// Drops the folders that a pattern matches; fails if no file is left.
    pub fn files_of_a_pattern(mut self) -> Result<Self, Error> {
        if self.is_pattern {
            self.all
                .retain(|located| matches!(located, Located::Entry(Entry::File(_))));
            if self.all.is_empty() {
                return Err(Error::new(
                    Kind::NotFound,
                    "the pattern matches folders only",
                ));
            }
        }
        Ok(self)
    }
}

/// Determines the meaning of an argument: an existing item with the literal name takes precedence
/// over escapes, and escapes over patterns.
pub async fn read(
    client: &Client,
    remote: &RemotePattern,
    options: PatternOptions,
) -> Result<RemoteMeaning, Error> {
    let exact = || Ok(RemoteMeaning::One(remote.exact().clone()));
    let (RemoteArgument::Path(path), Some(meant)) = (remote.exact(), remote.meant()) else {
        return exact();
    };
    if options.literal {
        return exact();
    }
    match stat(client, path.as_str()).await {
        Ok(_) => exact(),
        // A path that the service rejects as invalid has nothing at it, either.
        Err(error) if matches!(error.kind, Kind::NotFound | Kind::Invalid) => meant
            .map_err(|why| Error::new(Kind::NotFound, format!("nothing has this path, and {why}"))),
        Err(error) => Err(error),
    }
}

/// Looks up what must exist: one item, or everything that a pattern matches, at least one. The
/// error for a missing path suggests the most similar name, if there is one.
pub async fn locate_all(
    client: &Client,
    remote: &RemotePattern,
    options: PatternOptions,
) -> Result<Found<Located>, Error> {
    match read(client, remote, options).await? {
        RemoteMeaning::One(argument) => {
            match (exactly(client, &argument, options).await, &argument) {
                (Err(error), RemoteArgument::Path(path)) if error.kind == Kind::NotFound => {
                    Err(suggesting(client, path, error).await)
                }
                (located, _) => located.map(|located| Found {
                    all: vec![located],
                    is_pattern: false,
                }),
            }
        }
        RemoteMeaning::Many(glob) => match matched(client, &glob).await? {
            all if all.is_empty() => Err(no_match()),
            all => Ok(Found {
                all,
                is_pattern: true,
            }),
        },
    }
}

/// Looks up one item; with `--literal` letter by letter, so that accents in another form are
/// another name.
async fn exactly(
    client: &Client,
    remote: &RemoteArgument,
    options: PatternOptions,
) -> Result<Located, Error> {
    if let RemoteArgument::Path(path) = remote
        && options.literal
        && !path.is_root()
    {
        client.files().stat(path.as_str()).await?;
    }
    locate(client, remote).await
}

/// Returns the items; the root folder alone stands for everything in it.
pub async fn everything(client: &Client, items: Vec<Located>) -> Result<Vec<Located>, Error> {
    match ("/*".parse(), items.as_slice()) {
        (Ok(everything), [Located::Root]) => matched(client, &everything).await,
        _ => Ok(items),
    }
}

async fn matched(client: &Client, glob: &RemoteGlob) -> Result<Vec<Located>, Error> {
    let (mut matches, mut found) = (Matches::begin(client, glob).await?, Vec::new());
    while let Some(page) = matches.next().await? {
        found.extend(page.into_iter().map(Located::Entry));
    }
    Ok(found)
}

/// Looks up files only: a pattern matches only those, and a folder is refused with the reason
/// `why`.
pub async fn locate_files(
    client: &Client,
    remote: &RemotePattern,
    options: PatternOptions,
    why: &str,
) -> Result<Found<File>, Error> {
    remote.refuse_empty_name()?;
    locate_all(client, remote, options)
        .await?
        .files_of_a_pattern()?
        .try_map(|located| match located {
            Located::Entry(Entry::File(file)) => Ok(file),
            _ => Err(Error::new(Kind::Refused, why)),
        })
}

pub fn no_match() -> Error {
    Error::new(
        Kind::NotFound,
        "the pattern matches nothing; a backslash before *, ?, [ or { takes the letter as it is",
    )
}

/// A name is suggested if at most one letter in this many differs.
const LETTERS_EACH: usize = 3;

/// Adds the most similar name in the same folder to the error.
async fn suggesting(client: &Client, path: &RemotePath, error: Error) -> Error {
    let Some((parent, name)) = path.split() else {
        return error;
    };
    let Ok(there) = Box::pin(names(client, &ListMemory::default(), parent)).await else {
        return error;
    };
    let most = (name.chars().count() / LETTERS_EACH).max(1);
    let distance = |there: &str| {
        strsim::osa_distance(
            &name.to_lowercase(),
            &there.trim_end_matches('/').to_lowercase(),
        )
    };
    let like = there
        .iter()
        .map(|there| (distance(there), there))
        .filter(|(distance, _)| *distance <= most);
    match like.min_by_key(|(distance, _)| *distance) {
        Some((_, nearest)) => {
            let nearest = format!("did you mean {}?", join(parent, nearest));
            Error {
                details: [vec![nearest], error.details].concat(),
                ..error
            }
        }
        None => error,
    }
}

impl Located {
    /// Returns the folder as a place to list or to put items into; `None` for a file.
    pub fn into_place(self) -> Option<FolderRef> {
        match self {
            Self::Root => Some(FolderRef::root()),
            Self::Entry(Entry::Folder(folder)) => Some(place::of(folder, "")),
            Self::Entry(Entry::File(_)) => None,
        }
    }

    /// Returns the entry; `None` for the root folder.
    pub fn entry(&self) -> Option<&Entry> {
        match self {
            Self::Root => None,
            Self::Entry(entry) => Some(entry),
        }
    }

    pub fn target(&self) -> Option<Target> {
        self.entry().map(Entry::target)
    }

    /// Returns the item to change; `None` for the root folder.
    pub fn item(&self) -> Option<Item> {
        Some(match self.entry()? {
            Entry::Folder(folder) => Item::of_folder(folder.clone()),
            Entry::File(file) => Item::of(file),
        })
    }
}

impl From<File> for Located {
    fn from(file: File) -> Self {
        Self::Entry(Entry::File(file))
    }
}

impl From<Folder> for Located {
    fn from(folder: Folder) -> Self {
        Self::Entry(Entry::Folder(folder))
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.entry().map_or_else(|| "/".to_owned(), entry_path))
    }
}

/// Returns the path of an entry; a folder's ends with a slash.
pub fn entry_path(entry: &Entry) -> String {
    match entry {
        Entry::Folder(folder) => folder_path(folder) + "/",
        Entry::File(file) => file_path(file),
    }
}

/// Returns the path of a folder, or its name if the service gave no path.
pub fn folder_path(folder: &Folder) -> String {
    folder.path.clone().unwrap_or_else(|| folder.full_name())
}

/// Returns the path of a file, or its name if the service gave no path.
pub fn file_path(file: &File) -> String {
    file.path.clone().unwrap_or_else(|| file.full_name())
}
