//! The three folders of filedeck: XDG on every system, each replaced by its environment variable.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use etcetera::base_strategy::Xdg;

use super::environment::Environment;

/// Absolute folders; they need not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// `config.toml`, `keys.toml`, token files.
    pub config: PathBuf,
    /// The local store.
    pub data: PathBuf,
    /// The journal, edited texts, the favorites, names for completion, thumbnails, the sizes of panes, the settings chosen on the screen, the name of the last account and the logs.
    pub state: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum PathsError {
    #[error(
        "no home directory is known; set HOME, or FILEDECK_CONFIG_DIR, FILEDECK_DATA_DIR and FILEDECK_STATE_DIR: {0}"
    )]
    NoHome(#[from] etcetera::HomeDirError),
    #[error("the folder that {name} names cannot be resolved: {error}")]
    Unresolvable { name: &'static str, error: io::Error },
}

impl Paths {
    /// The folders under `environment`; a relative path there starts at the current folder.
    pub fn resolve(environment: &Environment) -> Result<Self, PathsError> {
        Ok(Self {
            config: or_xdg("FILEDECK_CONFIG_DIR", environment.config_dir.as_ref(), BaseStrategy::config_dir)?,
            data: or_xdg("FILEDECK_DATA_DIR", environment.data_dir.as_ref(), BaseStrategy::data_dir)?,
            state: or_xdg("FILEDECK_STATE_DIR", environment.state_dir.as_ref(), |xdg| {
                xdg.state_dir().unwrap_or_else(|| xdg.data_dir())
            })?,
        })
    }

    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// Key bindings over the defaults, where the configuration names no other file.
    pub fn keys_file(&self) -> PathBuf {
        self.config.join("keys.toml")
    }

    /// The store that serves when no account is configured.
    pub fn local_store(&self) -> PathBuf {
        self.data.join("store")
    }

    pub fn logs(&self) -> PathBuf {
        self.state.join("log")
    }
}

/// Makes a folder and the ones above it that are missing, all of them for their owner only. Refuses one that others can
/// write to.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    check_own_dir(path)
}

/// Refuses a folder of ours in which others could put something in the place of a file.
pub fn check_own_dir(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(found) = path.metadata()
        && std::os::unix::fs::MetadataExt::mode(&found) & 0o022 != 0
    {
        let path = path.display();
        return Err(io::Error::other(format!("others can write to {path}; run: chmod go-w '{path}'")));
    }
    Ok(())
}

fn or_xdg(
    name: &'static str,
    given: Option<&OsString>,
    base: impl FnOnce(&Xdg) -> PathBuf,
) -> Result<PathBuf, PathsError> {
    match given {
        Some(path) => std::path::absolute(path).map_err(|error| PathsError::Unresolvable { name, error }),
        None => Ok(base(&Xdg::new()?).join("filedeck")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_replaces_each_folder_as_it_is() {
        let environment = Environment::from_lookup(|name| match name {
            "FILEDECK_CONFIG_DIR" => Some("/c".into()),
            "FILEDECK_DATA_DIR" => Some("/d".into()),
            "FILEDECK_STATE_DIR" => Some("/s".into()),
            _ => None,
        });
        let paths = Paths::resolve(&environment).unwrap();
        assert_eq!(paths, Paths { config: "/c".into(), data: "/d".into(), state: "/s".into() });
    }

    #[test]
    fn an_empty_variable_counts_as_unset() {
        let environment = Environment::from_lookup(|_| Some("".into()));
        assert!(environment.config_dir.is_none());
        assert!(environment.token.is_none());
    }
}
