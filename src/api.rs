//! The contract: wire types, ids, errors and the HTTP client, one file for each resource.
//! Never spawns tasks, never reads configuration, and sets nothing for the whole process.
//!
//! [`Client`] has a method for each call in the table. `files_in`, `folders_in`, `all_files` and
//! `all_folders` stream lists, even beyond 10,000 entries, on the pages of a [`Pager`];
//! `follow_import` and `follow_folder_update` stream the states of a task.
//!
//! | call | method and path (v3) | file |
//! |---|---|---|
//! | `file` `update_file` `delete_file` | GET, PATCH, DELETE `/files/v3/files/{id}` | `files` |
//! | `stat` | GET `/files/v3/files/stat/{path}` | `files` |
//! | `search_files` | GET `/files/v3/files/search` | `files` |
//! | `signed_url` | GET `/files/v3/files/{id}/signed-url` | `files` |
//! | `gdpr_delete_file` | DELETE `/files/v3/files/{id}/gdpr-delete` | `files` |
//! | `upload` | POST `/files/v3/files` | `upload` |
//! | `replace_file` | PUT `/files/v3/files/{id}` | `upload` |
//! | `download` | GET `/files/v3/files/{id}/download` | `download` |
//! | `fetch` | GET of a public or signed address, without the token | `download` |
//! | `start_import` | POST `/files/v3/files/import-from-url/async` | `imports` |
//! | `import_status` | GET `/files/v3/files/import-from-url/async/tasks/{taskId}/status` | `imports` |
//! | `create_folder` | POST `/files/v3/folders` | `folders` |
//! | `folder` `folder_by_path` | GET `/files/v3/folders/{id or path}` | `folders` |
//! | `search_folders` | GET `/files/v3/folders/search` | `folders` |
//! | `update_folder` | PATCH `/files/v3/folders/{id}` | `folders` |
//! | `start_folder_update` | POST `/files/v3/folders/update/async` | `folders` |
//! | `folder_update_status` | GET `/files/v3/folders/update/async/tasks/{taskId}/status` | `folders` |
//! | `delete_folder` `delete_folder_by_path` | DELETE `/files/v3/folders/{id or path}` | `folders` |
//! | `custom_property_limits` | GET `/crm/v3/limits/custom-properties` | `limits` |
//! | `calculated_property_limits` | GET `/crm/v3/limits/calculated-properties` | `limits` |
//! | `custom_object_type_limits` | GET `/crm/v3/limits/custom-object-types` | `limits` |
//! | `record_limits` `pipeline_limits` | GET `/crm/v3/limits/records`, `…/pipelines` | `limits` |
//! | `association_label_limits` | GET `/crm/v3/limits/associations/labels` | `limits` |
//! | `association_source_limits` | GET `/crm/v3/limits/associations/records/from` | `limits` |
//! | `association_limits` | GET `/crm/v3/limits/associations/records/{from}/to` | `limits` |
//! | (any call of an OAuth account) | POST `/oauth/v1/token`, when the access token expires | `oauth` |
//! | `association_pair_limits` | GET `/crm/v3/limits/associations/records/{from}/{to}` | `limits` |
//!
//! Dated versions replace `v3`; `paths` handles their other differences.

#[cfg(feature = "client")]
mod bandwidth;
#[cfg(feature = "client")]
mod bearer;
#[cfg(feature = "client")]
mod call;
#[cfg(feature = "client")]
mod captive_portal;
#[cfg(feature = "client")]
mod client;
#[cfg(feature = "client")]
mod clock;
#[cfg(feature = "client")]
mod content;
#[cfg(feature = "client")]
mod credentials;
#[cfg(feature = "client")]
mod deletion_answer;
#[cfg(feature = "client")]
mod download;
pub mod error;
#[cfg(feature = "client")]
mod failure;
#[cfg(feature = "client")]
mod files;
#[cfg(feature = "client")]
mod folders;
#[cfg(feature = "client")]
mod granted_scopes;
#[cfg(feature = "client")]
mod http;
pub mod ids;
#[cfg(feature = "client")]
mod imports;
#[cfg(feature = "client")]
mod json_call;
mod lenient;
#[cfg(feature = "client")]
mod limits;
#[cfg(feature = "client")]
mod listing;
#[cfg(feature = "client")]
mod local_file;
pub mod model;
#[cfg(feature = "client")]
mod oauth;
#[cfg(feature = "client")]
mod observe;
#[cfg(feature = "client")]
mod pager;
#[cfg(feature = "client")]
#[doc(hidden)]
pub mod paths;
#[cfg(feature = "client")]
pub(crate) mod position;
#[cfg(feature = "client")]
mod proxies;
#[cfg(feature = "client")]
mod rate_limit;
pub(crate) mod request_events;
#[cfg(feature = "client")]
mod retry;
#[cfg(feature = "client")]
mod retry_budget;
#[cfg(feature = "client")]
pub(crate) mod root_folder;
#[cfg(feature = "client")]
pub mod search;
#[cfg(feature = "client")]
mod shared_budget;
#[cfg(feature = "client")]
pub(crate) mod tasks;
#[doc(hidden)]
pub mod text;
#[cfg(feature = "client")]
mod upload;
#[cfg(feature = "client")]
mod version;

pub use error::{AdvicePlace, Error, Kind, NextStep};
#[cfg(feature = "client")]
pub use {
    crate::regular_file::Links,
    crate::tls::ExtraRoots,
    bandwidth::Bandwidth,
    client::{Client, Endpoint},
    clock::ServiceTime,
    content::{RemoteContent, UploadContent},
    credentials::Credentials,
    download::{Download, Resume},
    failure::{Failure, Verdict},
    files::Signing,
    granted_scopes::GrantedScopes,
    listing::ListingStream,
    oauth::{OauthCredentials, OauthTokens, RenewalLock, TokenCache},
    observe::{Observation, Observer, WaitCause},
    pager::Pager,
    position::Position,
    retry_budget::Timing,
    secrecy::SecretString,
    tasks::TaskStream,
    upload::{BeforeEnd, Destination, NewContent, NewFile, OnBytes, Sent},
    url::Url,
    version::{UnknownVersion, Version},
};
#[cfg(feature = "client")]
#[doc(hidden)]
pub use {
    content::Fingerprint,
    deletion_answer::DeletionAnswer,
    failure::Repeat,
    local_file::{md5_of, sendable},
    proxies::is_proxy,
    retry::Retries,
    retry_budget::RetryBudget,
    shared_budget::{BudgetLedger, EndedLease, LEASE_LASTS, Lease, LeaseRequest},
};
