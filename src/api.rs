//! The contract: wire types, ids, errors and the HTTP client, one file for each resource.
//! Never spawns tasks, never reads configuration, and sets nothing for the whole process.
//!
//! [`Client`] groups the calls by resource: [`FilesApi`], [`FoldersApi`], [`ImportsApi`] and
//! [`LimitsApi`], each with a method for each call in the table. `in_folder` and `all` stream lists,
//! even beyond 10,000 entries, on the pages of a [`Pager`]; `follow` and `follow_update` stream the
//! states of a task.
//!
//! | call | method and path (v3) | file |
//! |---|---|---|
//! | `files().get` `.update` `.delete` | GET, PATCH, DELETE `/files/v3/files/{id}` | `files` |
//! | `files().stat` | GET `/files/v3/files/stat/{path}` | `files` |
//! | `files().search` | GET `/files/v3/files/search` | `files` |
//! | `files().signed_url` | GET `/files/v3/files/{id}/signed-url` | `files` |
//! | `files().gdpr_delete` | DELETE `/files/v3/files/{id}/gdpr-delete` | `files` |
//! | `files().upload` | POST `/files/v3/files` | `upload` |
//! | `files().replace` | PUT `/files/v3/files/{id}` | `upload` |
//! | `files().download` | GET `/files/v3/files/{id}/download` | `download` |
//! | `files().fetch` | GET of a public or signed address, without the token | `download` |
//! | `imports().start` | POST `/files/v3/files/import-from-url/async` | `imports` |
//! | `imports().status` | GET `/files/v3/files/import-from-url/async/tasks/{taskId}/status` | `imports` |
//! | `folders().create` | POST `/files/v3/folders` | `folders` |
//! | `folders().get` `.get_by_path` | GET `/files/v3/folders/{id or path}` | `folders` |
//! | `folders().search` | GET `/files/v3/folders/search` | `folders` |
//! | `folders().update` | PATCH `/files/v3/folders/{id}` | `folders` |
//! | `folders().start_update` | POST `/files/v3/folders/update/async` | `folders` |
//! | `folders().update_status` | GET `/files/v3/folders/update/async/tasks/{taskId}/status` | `folders` |
//! | `folders().delete` `.delete_by_path` | DELETE `/files/v3/folders/{id or path}` | `folders` |
//! | `limits().custom_properties` | GET `/crm/v3/limits/custom-properties` | `limits` |
//! | `limits().calculated_properties` | GET `/crm/v3/limits/calculated-properties` | `limits` |
//! | `limits().custom_object_types` | GET `/crm/v3/limits/custom-object-types` | `limits` |
//! | `limits().records` `.pipelines` | GET `/crm/v3/limits/records`, `…/pipelines` | `limits` |
//! | `limits().association_labels` | GET `/crm/v3/limits/associations/labels` | `limits` |
//! | `limits().association_sources` | GET `/crm/v3/limits/associations/records/from` | `limits` |
//! | `limits().associations` | GET `/crm/v3/limits/associations/records/{from}/to` | `limits` |
//! | `limits().association_pair` | GET `/crm/v3/limits/associations/records/{from}/{to}` | `limits` |
//! | (any call of an OAuth account) | POST `/oauth/v1/token`, when the access token expires | `oauth` |
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
mod response_body;
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
mod transfer;
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
    download::{ByteStream, Download},
    files::{FilesApi, SignedUrlOptions},
    folders::FoldersApi,
    granted_scopes::GrantedScopes,
    imports::ImportsApi,
    limits::LimitsApi,
    listing::ListingStream,
    oauth::{OauthCredentials, OauthTokens, RenewalLock, TokenCache},
    observe::{Observation, Observer, WaitCause},
    pager::Pager,
    position::Position,
    retry_budget::Timing,
    secrecy::SecretString,
    tasks::TaskStream,
    transfer::Saved,
    upload::{BeforeEnd, NewContent, NewFile, Sent, Upload, UploadTarget},
    url::Url,
    version::{UnknownVersion, Version},
};
#[cfg(feature = "client")]
pub use {bytes::Bytes, reqwest::ClientBuilder};
#[cfg(feature = "client")]
#[doc(hidden)]
pub use {
    content::Fingerprint,
    deletion_answer::DeletionAnswer,
    local_file::{md5_of, sendable},
    proxies::is_proxy,
    retry_budget::RetryBudget,
    shared_budget::{BudgetLedger, EndedLease, LEASE_LASTS, Lease, LeaseRequest},
};
#[cfg(feature = "engine")]
pub(crate) use {
    failure::{Failure, Repeat},
    response_body::ResponseBody,
};
/// Types of other crates that the interface uses.
pub use {
    jiff::Timestamp,
    serde_json::{Map, Value},
};
