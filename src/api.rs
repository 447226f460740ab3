//! The contract: wire types, ids, errors and the HTTP client, one file for each resource.
//! Never spawns tasks, never reads configuration.
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
//! | (every call of an OAuth account) | POST `/oauth/v1/token`, when the access token ends | `oauth` |
//! | `association_pair_limits` | GET `/crm/v3/limits/associations/records/{from}/{to}` | `limits` |
//!
//! Dated versions replace `v3`; `paths` knows where they differ otherwise.

mod bandwidth;
mod bearer;
mod call;
mod captive_portal;
mod client;
mod clock;
mod credentials;
mod download;
pub mod error;
mod failure;
mod files;
mod folders;
mod granted_scopes;
mod http;
pub mod ids;
mod imports;
mod json_call;
mod lenient;
mod limits;
pub mod model;
mod oauth;
mod observe;
pub mod paths;
mod rate_limit;
mod retry;
mod retry_budget;
pub mod search;
mod shared_budget;
pub mod text;
mod trust;
mod upload;
mod version;

pub use bandwidth::Bandwidth;
pub use client::{Client, Endpoint};
pub use clock::ServiceTime;
pub use credentials::Credentials;
pub use download::{Download, Resume};
pub use error::{Error, Kind};
pub use failure::{Failure, Repeat, Verdict};
pub use files::Signing;
pub use granted_scopes::GrantedScopes;
pub use oauth::{OauthCredentials, OauthTokens, RenewalLock, TokenCache};
pub use observe::{Observation, Observer, WaitCause};
pub use retry::Retries;
pub use retry_budget::{RetryBudget, Timing};
pub use shared_budget::{BudgetLedger, EndedLease, LEASE_LASTS, Lease, LeaseRequest};
pub use trust::ExtraRoots;
pub use upload::{Destination, NewFile, OnBytes, Sent, opened, sendable};
pub use version::{UnknownVersion, Version};
