//! Items that a user saves for an account: named searches, bookmarks, and lines typed before. One
//! small file in the state directory holds those of all accounts. Each change rereads the file and
//! replaces it as a whole.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::file_lock::alone;
use super::private_file;

const NAME: &str = "favorites.toml";

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Favorites {
    /// By name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub views: BTreeMap<String, String>,
    /// By key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bookmarks: BTreeMap<char, Bookmark>,
    #[serde(default, skip_serializing_if = "TypedLines::is_empty")]
    pub typed: TypedLines,
    /// The paths of folders shown as grids, the newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grids: Vec<String>,
}

/// The typed lines, the newest last, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedLines {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// List filters, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// Actions of the palette, by name: chosen, not typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypedLine {
    Search(String),
    Path(String),
    Id(String),
    Filter(String),
    Action(String),
}

const MOST_GRIDS: usize = 500;
/// Per kind of line.
const MOST_LINES: usize = 100;
/// In bytes. A longer line was pasted and is not worth keeping.
const LONGEST_LINE: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Bookmark {
    Search {
        search: String,
    },
    Folder {
        /// Absolute, at the time the bookmark was set.
        path: String,
        /// `None` for the root folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
}

/// A change; `None` in place of a value removes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FavoritesChange {
    View {
        name: String,
        search: Option<String>,
    },
    Bookmark {
        key: char,
        to: Option<Bookmark>,
    },
    Typed(TypedLine),
    /// Shows a folder as a grid of images, or as a list again.
    Grid {
        folder: String,
        is_grid: bool,
    },
}

/// The file, and the account whose items are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FavoritesFile {
    path: PathBuf,
    account: String,
}

#[derive(Debug, thiserror::Error)]
pub enum FavoritesError {
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    #[error("{path} was not written by filedeck: {error}")]
    Invalid {
        path: PathBuf,
        error: toml::de::Error,
    },
    #[error("{path}: {error}")]
    Unwritable {
        path: PathBuf,
        error: toml::ser::Error,
    },
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct FavoritesByAccount {
    #[serde(default)]
    account: BTreeMap<String, Favorites>,
}

impl Favorites {
    pub fn apply(&mut self, change: &FavoritesChange) {
        match change.clone() {
            FavoritesChange::View {
                name,
                search: Some(search),
            } => drop(self.views.insert(name, search)),
            FavoritesChange::View { name, search: None } => drop(self.views.remove(&name)),
            FavoritesChange::Bookmark { key, to: Some(to) } => drop(self.bookmarks.insert(key, to)),
            FavoritesChange::Bookmark { key, to: None } => drop(self.bookmarks.remove(&key)),
            FavoritesChange::Typed(line) => self.typed.add(line),
            FavoritesChange::Grid { folder, is_grid } => {
                self.grids.retain(|known| *known != folder);
                self.grids.extend(is_grid.then_some(folder));
                self.grids
                    .drain(..self.grids.len().saturating_sub(MOST_GRIDS));
            }
        }
    }
}

impl TypedLines {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn add(&mut self, line: TypedLine) {
        let (lines, text) = match line {
            TypedLine::Search(text) => (&mut self.searches, text),
            TypedLine::Path(text) => (&mut self.paths, text),
            TypedLine::Id(text) => (&mut self.ids, text),
            TypedLine::Filter(text) => (&mut self.filters, text),
            TypedLine::Action(name) => (&mut self.actions, name),
        };
        if text.len() > LONGEST_LINE || looks_like_a_secret(&text) {
            return;
        }
        lines.retain(|known| *known != text);
        lines.push(text);
        lines.drain(..lines.len().saturating_sub(MOST_LINES));
    }
}

/// Detects a token pasted into the wrong field: those of the service start a word like this.
pub(super) fn looks_like_a_secret(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let begins_a_word = |at| {
        !text
            .get(..at)
            .unwrap_or_default()
            .ends_with(char::is_alphanumeric)
    };
    ["pat-", "bearer "]
        .iter()
        .any(|start| text.match_indices(start).any(|(at, _)| begins_a_word(at)))
}

impl FavoritesFile {
    /// The file in the state directory `dir`; `account` is a permanent name of the account.
    pub fn new(dir: &Path, account: &str) -> Self {
        Self {
            path: dir.join(NAME),
            account: account.to_owned(),
        }
    }

    pub fn read(&self) -> Result<Favorites, FavoritesError> {
        Ok(self
            .read_all()?
            .account
            .remove(&self.account)
            .unwrap_or_default())
    }

    /// Makes a change. Leaves a file that cannot be read unchanged.
    pub fn change(&self, change: &FavoritesChange) -> Result<(), FavoritesError> {
        let io_error = |error| FavoritesError::Io {
            path: self.path.clone(),
            error,
        };
        let _alone = alone(&self.path).map_err(io_error)?;
        let mut all = self.read_all()?;
        all.account
            .entry(self.account.clone())
            .or_default()
            .apply(change);
        let text = toml::to_string(&all).map_err(|error| FavoritesError::Unwritable {
            path: self.path.clone(),
            error,
        })?;
        private_file::write(&self.path, text.as_bytes()).map_err(io_error)
    }

    fn read_all(&self) -> Result<FavoritesByAccount, FavoritesError> {
        match std::fs::read_to_string(&self.path) {
            Ok(text) => toml::from_str(&text).map_err(|error| FavoritesError::Invalid {
                path: self.path.clone(),
                error,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(FavoritesByAccount::default())
            }
            Err(error) => Err(FavoritesError::Io {
                path: self.path.clone(),
                error,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str, search: Option<&str>) -> FavoritesChange {
        FavoritesChange::View {
            name: name.to_owned(),
            search: search.map(str::to_owned),
        }
    }

    #[test]
    fn accounts_keep_their_own_and_changes_of_two_programs_add_up() {
        let dir = tempfile::tempdir().unwrap();
        let (acme, other) = (
            FavoritesFile::new(dir.path(), "acme https://h/"),
            FavoritesFile::new(dir.path(), "b"),
        );
        let folder = Bookmark::Folder {
            path: "/a \"b\"".to_owned(),
            id: Some("7".to_owned()),
        };
        let search = Bookmark::Search {
            search: "type:image".to_owned(),
        };
        acme.change(&view("big", Some("size:>1G"))).unwrap();
        acme.clone()
            .change(&FavoritesChange::Bookmark {
                key: '"',
                to: Some(folder.clone()),
            })
            .unwrap();
        acme.change(&FavoritesChange::Bookmark {
            key: 'é',
            to: Some(search.clone()),
        })
        .unwrap();
        other.change(&view("big", Some("size:>1M"))).unwrap();
        acme.change(&view("gone", Some("x"))).unwrap();
        acme.change(&view("gone", None)).unwrap();
        let kept = acme.read().unwrap();
        assert_eq!(
            kept.views,
            BTreeMap::from([("big".to_owned(), "size:>1G".to_owned())])
        );
        assert_eq!(
            kept.bookmarks,
            BTreeMap::from([('"', folder), ('é', search)])
        );
        assert_eq!(other.read().unwrap().views["big"], "size:>1M");
        assert_eq!(
            std::fs::read_dir(dir.path()).unwrap().count(),
            2,
            "nothing else is left there but the gate"
        );
    }

    #[test]
    fn changes_that_come_at_once_add_up() {
        let dir = tempfile::tempdir().unwrap();
        let writer = |number: usize| {
            let file = FavoritesFile::new(dir.path(), &format!("account {}", number % 2));
            move || file.change(&view(&number.to_string(), Some("x"))).unwrap()
        };
        std::thread::scope(|scope| (0..16).for_each(|number| drop(scope.spawn(writer(number)))));
        for name in ["account 0", "account 1"] {
            assert_eq!(
                FavoritesFile::new(dir.path(), name)
                    .read()
                    .unwrap()
                    .views
                    .len(),
                8
            );
        }
    }

    #[test]
    fn the_last_hundred_lines_are_kept_each_once_and_none_that_holds_a_token() {
        let mut kept = Favorites::default();
        let mut search =
            |text: &str| kept.apply(&FavoritesChange::Typed(TypedLine::Search(text.to_owned())));
        (0..120).for_each(|number| search(&format!("size:>{number}")));
        search("size:>50");
        for token in [
            "pat-na1-1234",
            "Bearer x",
            "name:PAT-na1-1234",
            "/a/pat-na1-1234",
        ] {
            search(token);
        }
        search(&"x".repeat(501));
        let searches = &kept.typed.searches;
        assert_eq!(
            (searches.len(), searches[0].as_str(), searches[99].as_str()),
            (100, "size:>20", "size:>50")
        );
        assert_eq!(
            searches.iter().filter(|line| *line == "size:>50").count(),
            1
        );
        kept.apply(&FavoritesChange::Typed(TypedLine::Path(
            "/compat-layer".to_owned(),
        )));
        assert_eq!(kept.typed.paths, ["/compat-layer"]);
        let dir = tempfile::tempdir().unwrap();
        let file = FavoritesFile::new(dir.path(), "acme");
        file.change(&FavoritesChange::Typed(TypedLine::Path(
            "/a \"b\"".to_owned(),
        )))
        .unwrap();
        assert_eq!(file.read().unwrap().typed.paths, ["/a \"b\""]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("favorites.toml");
        std::fs::write(&path, "not = [toml").unwrap();
        let file = FavoritesFile::new(dir.path(), "acme");
        assert!(file.read().is_err());
        assert!(file.change(&view("big", Some("size:>1G"))).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "not = [toml");
    }
}
