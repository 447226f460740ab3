//! The three folders of filedeck: XDG on every system, each overridden by its environment variable.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use etcetera::base_strategy::Xdg;

use super::environment::Environment;

/// Absolute paths; the folders need not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// Holds `config.toml`, `keys.toml` and token files.
    pub config: PathBuf,
    pub data: PathBuf,
    /// Holds the journal, edited texts, favorites, names for completion, thumbnails, pane sizes,
    /// settings chosen on the screen, the name of the last account and logs.
    pub state: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum PathsError {
    #[error(
        "no home directory is known; set HOME, or FILEDECK_CONFIG_DIR, FILEDECK_DATA_DIR and FILEDECK_STATE_DIR: {0}"
    )]
    NoHome(#[from] etcetera::HomeDirError),
    #[error("the folder that {name} names cannot be resolved: {error}")]
    Unresolvable {
        name: &'static str,
        error: io::Error,
    },
}

impl Paths {
    /// Determines the folders; a relative path in `environment` is resolved against the current
    /// folder.
    pub fn resolve(environment: &Environment) -> Result<Self, PathsError> {
        Ok(Self {
            config: or_xdg(
                "FILEDECK_CONFIG_DIR",
                environment.config_dir.as_ref(),
                BaseStrategy::config_dir,
            )?,
            data: or_xdg(
                "FILEDECK_DATA_DIR",
                environment.data_dir.as_ref(),
                BaseStrategy::data_dir,
            )?,
            state: or_xdg(
                "FILEDECK_STATE_DIR",
                environment.state_dir.as_ref(),
                |xdg| xdg.state_dir().unwrap_or_else(|| xdg.data_dir()),
            )?,
        })
    }

    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The key bindings that override the defaults, unless the configuration names another file.
    pub fn keys_file(&self) -> PathBuf {
        self.config.join("keys.toml")
    }

    /// The store that is used if no account is configured.
    pub fn local_store(&self) -> PathBuf {
        self.data.join("store")
    }

    pub fn logs(&self) -> PathBuf {
        self.state.join("log")
    }
}

/// Creates a folder and its missing parents, accessible to their owner only. Refuses a folder that
/// others can write to.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    check_own_dir(path)
}

/// Refuses one of our folders if others could replace files in it.
pub fn check_own_dir(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(found) = path.metadata()
        && std::os::unix::fs::MetadataExt::mode(&found) & 0o022 != 0
    {
        let path = path.display();
        return Err(io::Error::other(format!(
            "others can write to {path}; run: chmod go-w '{path}'"
        )));
    }
    Ok(())
}

fn or_xdg(
    name: &'static str,
    given: Option<&OsString>,
    base: impl FnOnce(&Xdg) -> PathBuf,
) -> Result<PathBuf, PathsError> {
    match given {
        Some(path) => {
            std::path::absolute(path).map_err(|error| PathsError::Unresolvable { name, error })
        }
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
        assert_eq!(
            paths,
            Paths {
                config: "/c".into(),
                data: "/d".into(),
                state: "/s".into()
            }
        );
    }

    #[test]
    fn an_empty_variable_counts_as_unset() {
        let environment = Environment::from_lookup(|_| Some("".into()));
        assert!(environment.config_dir.is_none());
        assert!(environment.token.is_none());
    }
}
