//! Wire types: the JSON of the API, without I/O or policy. Every field that the contract does not
//! promise is optional; unknown fields and enum values are kept (`contract.md#conventions`).

pub(crate) mod access;
pub(crate) mod duplicates;
pub(crate) mod file;
pub(crate) mod folder;
pub(crate) mod import;
pub(crate) mod limits;
pub(crate) mod page;
pub(crate) mod problem;
pub(crate) mod signed;
pub(crate) mod stat;
pub(crate) mod task;
#[doc(hidden)]
pub mod time;
#[doc(hidden)]
pub mod ttl;
pub(crate) mod upload;

mod open_enum;

pub use access::Access;
pub use duplicates::{DuplicateScope, DuplicateStrategy};
pub use file::{File, FileKind, FileUpdate};
pub use folder::{CreateFolder, Folder, FolderUpdate, FolderUpdateTask};
pub use import::ImportRequest;
pub use limits::{
    AssociationFlags, AssociationLabelLimits, AssociationLabels, AssociationLimits,
    AssociationPairLimits, ByDefinition, CalculatedPropertyLimits, CustomObjectTypeLimits,
    CustomObjectTypesUsage, CustomPropertyLimits, ObjectTypeCount, ObjectTypeName, ObjectTypeUsage,
    RecordAtLimit, RecordNearLimit,
};
pub use page::{NextPage, Page, Paging};
pub use problem::{Problem, ProblemDetail};
pub use signed::{SignedUrl, ThumbnailSize};
pub use stat::Stat;
pub use task::{Task, TaskAccepted, TaskStatus};
pub use upload::{ReplaceOptions, UploadOptions};
