//! What a task is to do, as its row keeps it: checked when it was asked for, carried out later.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::names::{FolderPath, NameError};
use super::store::{DuplicateRule, FolderChange, FolderKey, Placement};
use crate::api::ids::TaskId;
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy};

/// An id that cannot be guessed, base64 as live ones are (`wire.md` §2.2).
pub(super) fn new_task_id() -> TaskId {
    TaskId::new(URL_SAFE_NO_PAD.encode(Uuid::new_v4().as_bytes()))
}

/// Whether a text could be a task's id.
pub(super) fn is_task_id(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 16)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ImportOrder {
    pub(super) url: String,
    pub(super) name: Option<String>,
    pub(super) target: Target,
    pub(super) access: Access,
    /// Counted from the moment at which the file is there.
    pub(super) ttl: Option<String>,
    pub(super) expires_at: Option<Timestamp>,
    pub(super) overwrite: bool,
    pub(super) scope: DuplicateScope,
    pub(super) strategy: DuplicateStrategy,
}

impl ImportOrder {
    pub(super) fn duplicates(&self) -> DuplicateRule {
        DuplicateRule { scope: self.scope.clone(), strategy: self.strategy.clone() }
    }
}

/// A folder to put something into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Target {
    Id(i64),
    Path(String),
}

impl From<&Placement> for Target {
    fn from(placement: &Placement) -> Self {
        match placement {
            Placement::Folder(key) => Self::Id(key.0),
            Placement::Path(path) => Self::Path(path.to_string()),
        }
    }
}

impl TryFrom<&Target> for Placement {
    type Error = NameError;

    fn try_from(target: &Target) -> Result<Self, NameError> {
        Ok(match target {
            Target::Id(id) => Self::Folder(FolderKey(*id)),
            Target::Path(path) => Self::Path(FolderPath::parse(path)?),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FolderOrder {
    pub(super) folder: i64,
    pub(super) name: Option<String>,
    /// Absent leaves it where it is.
    pub(super) parent: Option<Target>,
}

impl FolderOrder {
    pub(super) fn new(folder: FolderKey, change: &FolderChange) -> Self {
        Self { folder: folder.0, name: change.name.clone(), parent: change.parent.as_ref().map(Target::from) }
    }

    pub(super) fn change(&self) -> Result<FolderChange, NameError> {
        let parent = self.parent.as_ref().map(Placement::try_from).transpose()?;
        Ok(FolderChange { name: self.name.clone(), parent })
    }
}
