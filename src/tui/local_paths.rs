//! Local paths as a person types them.

use std::path::{Path, PathBuf};

/// Where relative paths start, and what `~` stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalPaths {
    /// Where `save` puts files, too.
    pub dir: PathBuf,
    pub home: Option<PathBuf>,
}

impl LocalPaths {
    /// The path that was meant. The disk is not asked.
    pub fn resolve(&self, typed: &str) -> PathBuf {
        match (typed.strip_prefix('~'), &self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                home.join(rest.trim_start_matches('/'))
            }
            _ => self.dir.join(Path::new(typed)),
        }
    }
}
