//! Remote files and folders as arguments: an absolute path, or an id as in `id:123`.

use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteArgument {
    Path(RemotePath),
    Id(String),
}

/// An absolute path without empty, `.` or `..` segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemotePath {
    /// The path without a trailing slash, except for the root folder.
    text: String,
    /// Set if the path was written with a trailing slash, so that it can only mean a folder.
    means_folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    #[error("a remote path begins with '/', and an id with 'id:'")]
    NotAbsolute,
    #[error("a remote path has no '.' or '..' in it")]
    Dots,
    #[error("an id has letters and digits only, as in id:123")]
    BadId,
}

impl RemotePath {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn is_root(&self) -> bool {
        self.text == "/"
    }

    pub fn means_folder(&self) -> bool {
        self.means_folder
    }

    /// Returns the path of the parent folder and the last segment; `None` for the root folder.
    pub fn split(&self) -> Option<(&str, &str)> {
        let (parent, name) = self.text.rsplit_once('/')?;
        (!name.is_empty()).then_some((if parent.is_empty() { "/" } else { parent }, name))
    }
}

impl FromStr for RemotePath {
    type Err = RemoteError;

    fn from_str(text: &str) -> Result<Self, RemoteError> {
        let rest = text.strip_prefix('/').ok_or(RemoteError::NotAbsolute)?;
        let segments: Vec<&str> = rest
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        if segments
            .iter()
            .any(|segment| matches!(*segment, "." | ".."))
        {
            return Err(RemoteError::Dots);
        }
        Ok(Self {
            text: format!("/{}", segments.join("/")),
            means_folder: text.ends_with('/'),
        })
    }
}

impl FromStr for RemoteArgument {
    type Err = RemoteError;

    fn from_str(text: &str) -> Result<Self, RemoteError> {
        match text.strip_prefix("id:") {
            Some(id) if !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric()) => {
                Ok(Self::Id(id.to_owned()))
            }
            Some(_) => Err(RemoteError::BadId),
            None => text.parse().map(Self::Path),
        }
    }
}

impl fmt::Display for RemoteArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.write_str(path.as_str()),
            Self::Id(id) => write!(f, "id:{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::root("/", "/", true)]
    #[case::file("/a/b.png", "/a/b.png", false)]
    #[case::folder("/a/b/", "/a/b", true)]
    #[case::doubled("//a///b", "/a/b", false)]
    fn paths_are_brought_to_one_form(
        #[case] written: &str,
        #[case] form: &str,
        #[case] means_folder: bool,
    ) {
        let path: RemotePath = written.parse().unwrap();
        assert_eq!((path.as_str(), path.means_folder()), (form, means_folder));
    }

    #[rstest]
    #[case::relative("a/b", RemoteError::NotAbsolute)]
    #[case::empty("", RemoteError::NotAbsolute)]
    #[case::climbing("/a/../b", RemoteError::Dots)]
    #[case::no_id("id:", RemoteError::BadId)]
    #[case::id_with_a_path("id:1/../2", RemoteError::BadId)]
    fn what_names_nothing_is_refused(#[case] written: &str, #[case] error: RemoteError) {
        assert_eq!(written.parse::<RemoteArgument>(), Err(error));
    }

    #[rstest]
    #[case::top("/a.png", Some(("/", "a.png")))]
    #[case::deep("/a/b/c.png", Some(("/a/b", "c.png")))]
    #[case::root("/", None)]
    fn a_path_splits_into_parent_and_name(
        #[case] written: &str,
        #[case] parts: Option<(&str, &str)>,
    ) {
        assert_eq!(written.parse::<RemotePath>().unwrap().split(), parts);
    }
}
