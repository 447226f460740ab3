//! The values that the contract leaves open, each with its reason. They are lines with the source
//! "ours" in `docs/contract.md`, as are the rules that a comment in the code names.

use std::ops::RangeInclusive;
use std::time::Duration;

use axum::http::StatusCode;
use jiff::SignedDuration;

use crate::api::model::{DuplicateScope, DuplicateStrategy, ThumbnailSize};

// ── Responses (`contract.md#errors`)
// ────────────────────────────────────────────────────────────────────────────────

/// The status for a duplicate under REJECT: other resources use it for "already exists".
pub(crate) const DUPLICATE_REJECTED: StatusCode = StatusCode::CONFLICT;

/// The status for the existing file under `RETURN_EXISTING`: official clients drop the body of any
/// response but 201.
pub(crate) const DUPLICATE_RETURNED: StatusCode = StatusCode::CREATED;

/// The status for a taken name, on rename, move and folder creation.
pub(crate) const NAME_TAKEN: StatusCode = StatusCode::CONFLICT;

/// The status for a missing folder id, as the target of an upload or a move.
pub(crate) const MISSING_FOLDER: StatusCode = StatusCode::NOT_FOUND;

/// The status for an upload over the size limit. The service's documents name neither 400 nor 413.
pub(crate) const OVER_SIZE: StatusCode = StatusCode::BAD_REQUEST;

/// The only status that means a full disk.
pub(crate) const DISK_FULL: StatusCode = StatusCode::INSUFFICIENT_STORAGE;

/// The status once the database file was removed or replaced under the service.
pub(crate) const DATABASE_LOST: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

/// The status if the storage of the bytes does not respond or an upload took too long: a retry may
/// succeed.
pub(crate) const BYTES_OUT_OF_REACH: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
pub(crate) const BYTES_OUT_OF_REACH_RETRY: Duration = Duration::from_secs(5);

/// The status for an expired or altered signed address. 403 tells its holder that a retry will not
/// help.
pub(crate) const SIGNATURE_REFUSED: StatusCode = StatusCode::FORBIDDEN;

// ── Uploads (`contract.md#uploads`)
// ─────────────────────────────────────────────────────────────────────────────────

/// The maximum file size, unless the service is started with another limit: the paid tier's 2 GB.
pub(crate) const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024 * 1024;
/// One file and five fields are known; a higher limit would be of no use.
pub(crate) const MAX_PARTS: usize = 16;
pub(crate) const MAX_FIELD_BYTES: usize = 64 * 1024;
/// The maximum length of a boundary (RFC 2046 §5.1.1).
pub(crate) const MAX_BOUNDARY_BYTES: usize = 70;
/// The limit for the headers of a part: browsers send two or three short ones.
pub(crate) const MAX_PART_HEADER_BYTES: usize = 8 * 1024;
/// The limit for text before the first boundary, and roughly for text after the last one. Nobody
/// needs any.
pub(crate) const MAX_OUTSIDE_BYTES: usize = 4 * 1024;
/// The limit for unterminated headers of a part that the parser buffers; more than one read from
/// the network.
pub(crate) const MAX_UNPARSED_BYTES: usize = 256 * 1024;
/// JSON bodies of this API are a few hundred bytes.
pub(crate) const MAX_JSON_BYTES: usize = 256 * 1024;

/// The defaults of the options.
pub(crate) const DEFAULT_DUPLICATE_SCOPE: DuplicateScope = DuplicateScope::EntirePortal;
pub(crate) const DEFAULT_DUPLICATE_STRATEGY: DuplicateStrategy = DuplicateStrategy::None;

/// The first number of the suffix that distinguishes names: `logo-1.png`.
pub(crate) const FIRST_NAME_SUFFIX: u64 = 1;

/// The value of `sourceGroup` for files created through this API.
pub(crate) const SOURCE_GROUP: &str = "CONTENT";

/// A new file may be used in content at once. Not documented; `PATCH` can turn it off.
pub(crate) const USABLE_IN_CONTENT: bool = true;

// ── Names
// ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/// The limits of common file systems, so that a download keeps its name.
pub(crate) const MAX_NAME_BYTES: usize = 255;
pub(crate) const MAX_PATH_BYTES: usize = 4096;
pub(crate) const MAX_DEPTH: usize = 64;

// ── Search (`contract.md#search`)
// ───────────────────────────────────────────────────────────────────────────────────

pub(crate) const DEFAULT_PAGE: u32 = 10;
pub(crate) const MAX_PAGE: u32 = 100;
/// The largest offset; larger ones are refused with 400.
pub(crate) const MAX_OFFSET: u64 = 10_000;
/// A name filter of 20 characters was refused live, one of 19 worked.
pub(crate) const MAX_NAME_FILTER_CHARS: usize = 19;
/// The id of the root folder, where an id is needed.
pub(crate) const ROOT_FOLDER_ID: i64 = 0;
// ── Limits (`contract.md#crm-limits`)
// ───────────────────────────────────────────────────────────────────────────────

/// The status of a report on an object type that the account does not have.
pub(crate) const UNKNOWN_OBJECT_TYPE: StatusCode = StatusCode::BAD_REQUEST;
/// The percentage of a limit from which usage is near it.
pub(crate) const NEAR_PERCENT: u64 = 80;
/// The number of records at, and near, a limit that a report lists; the documents only say
/// "samples".
pub(crate) const RECORD_SAMPLES: usize = 10;
/// The default limit of associations of a record with records of a type: the guide's example.
pub(crate) const ASSOCIATIONS_PER_RECORD: u64 = 50_000;

// ── Addresses (`contract.md#signed-addresses`)
// ──────────────────────────────────────────────────────────────────────

/// The address of public bytes is `{base}/hubfs/{path}`, like the live hosts'
/// `/hubfs/{account}/{path}`.
pub(crate) const PUBLIC_PREFIX: &str = "hubfs";
/// The address of signed bytes is `{base}/signed/{id}/{name}?expires=…&signature=…`. Not
/// documented; our own form.
pub(crate) const SIGNED_PREFIX: &str = "signed";
/// The lifetime of signed addresses in seconds; a longer one than the maximum is refused with 400.
pub(crate) const DEFAULT_SIGNED_SECONDS: i64 = 3600;
pub(crate) const MAX_SIGNED_SECONDS: i64 = 21_600;

/// Returns the longest edge in pixels. The sizes have names only; these are usual for icons, tiles
/// and screens.
pub(crate) fn thumbnail_edge(size: &ThumbnailSize) -> Option<u32> {
    match size {
        ThumbnailSize::Icon => Some(32),
        ThumbnailSize::Thumb => Some(100),
        ThumbnailSize::Medium => Some(300),
        ThumbnailSize::Preview => Some(1280),
        ThumbnailSize::Other(_) => None,
    }
}

/// An image that is too large to be resized, or of a type that is not decoded, is served unchanged.
/// The file is in memory while it is decoded, so the limit keeps the service below 200 MiB.
pub(crate) const MAX_RESIZED_FILE_BYTES: u64 = 24 * 1024 * 1024;

/// The number of files older than block sums that are read in full concurrently, to compute the
/// sums.
pub(crate) const FIRST_READS_AT_ONCE: usize = 4;

// ── Access
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/// The interval at which tokens and the signing key are read again: the time within which a removed
/// token ends.
pub(crate) const CREDENTIALS_READ_EVERY: Duration = Duration::from_secs(5);

// ── Connections (`guarantees.md#slow-and-large-requests-have-bounds`)
// ────────────────────────────────────────────────

/// The time limit for a request head; it also ends idle connections.
pub(crate) const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The minimum rate of a request body and of a response, unless the service is started with others.
pub(crate) const MIN_BYTES_PER_SECOND: u64 = 1024;
/// The time over which the rate of a request body is averaged; so it may also pause that long.
pub(crate) const BODY_PATIENCE: Duration = Duration::from_secs(30);
/// The same for a response. Longer, since what a client takes shows only once the buffers of the
/// system are full.
pub(crate) const RESPONSE_PATIENCE: Duration = Duration::from_mins(1);
/// The time for which the rest of a refused request is read, so that no connection reset loses the
/// response.
pub(crate) const LINGER: Duration = Duration::from_secs(30);
/// The limit for a request's line and headers; larger heads are refused with 431.
pub(crate) const MAX_HEAD_BYTES: usize = 32 * 1024;
/// The part of a head that is read at most. A larger head is refused while it arrives, with a
/// status and no body; one between the two limits is refused with an API error.
pub(crate) const MAX_READ_HEAD_BYTES: usize = 2 * MAX_HEAD_BYTES;
/// The limit for path and query; longer ones get 414. Large networks pass on as much, and the
/// longest path fits with every byte percent-encoded. The service's documents name the status but
/// no length (`contract.md#errors`).
pub(crate) const MAX_TARGET_BYTES: usize = 16 * 1024;
/// The maximum number of connections; further ones get 503 and are closed.
pub(crate) const MAX_CONNECTIONS: usize = 1024;
/// The maximum number of connections of a client, unless the service is started with another one:
/// more than a browser or a sync opens, and few enough that eight clients are needed to take all.
pub(crate) const CONNECTIONS_PER_CLIENT: usize = 128;
/// The number of connections beyond the maximum that answer probes only.
pub(crate) const PROBE_CONNECTIONS: usize = 8;
/// The time that a shutdown waits for requests in progress, unless the service is started with
/// another one.
pub(crate) const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// The time that a shutdown waits for the first request of a new connection.
pub(crate) const FIRST_REQUEST_PATIENCE: Duration = Duration::from_millis(500);
/// The interval at which a start asks a database or a bucket that does not answer.
pub(crate) const START_RETRY: Duration = Duration::from_secs(1);

/// The time after which a probe reports that the store has not responded.
pub(crate) const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// The buckets for the durations of requests, in seconds: from a lookup to an upload of the largest
/// file.
pub(crate) const DURATION_BUCKETS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0, 120.0,
];

// ── Injected faults
// ─────────────────────────────────────────────────────────────────────────────────────────────────

/// `Retry-After` of a 477 whose fault rule has none: up to about a day is documented
/// (`contract.md#errors`). Long enough that a client must postpone its work.
pub(crate) const MIGRATION_TAKES: Duration = Duration::from_hours(1);

// ── Test API
// ────────────────────────────────────────────────────────────────────────────────────────────────────────

/// The prefix of the test API; no path of the real service starts with it.
pub const TEST_API_PREFIX: &str = "/__filedeck";
/// The number of latest requests that a test can read. With the longest paths they take 16 MiB.
pub(crate) const LOGGED_REQUESTS: usize = 1000;
/// The years into which a test may move the clock, so that computed times do not overflow.
pub(crate) const CLOCK_YEARS: RangeInclusive<i16> = 1970..=9000;

// ── The store
// ───────────────────────────────────────────────────────────────────────────────────────────────────────

/// The time for which blobs unknown at a start are kept aside, in case somebody misses them.
pub(crate) const ASIDE_KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);
/// The disk space reserved for deletions: enough for many of them and for the bookkeeping of the
/// database.
pub(crate) const RESERVE_BYTES: usize = 1024 * 1024;

// ── Background work
// ─────────────────────────────────────────────────────────────────────────────────────────────────

/// The time for which a task stays PENDING, so that a poller sees it (`contract.md#tasks`).
pub(crate) const TASK_PENDING_FOR: SignedDuration = SignedDuration::from_millis(200);
/// The time for which a folder update stays PROCESSING; imports take the time of their transfer.
pub(crate) const FOLDER_UPDATE_TAKES: SignedDuration = SignedDuration::from_millis(800);
/// The category of an error in a task's status, if there is no better one (`contract.md#tasks`).
pub(crate) const TASK_FAILED_CATEGORY: &str = "TASK_FAILED";
/// The status for an import without an address, which the description of 2026-03 does not rule out.
pub(crate) const IMPORT_WITHOUT_URL: StatusCode = StatusCode::BAD_REQUEST;
pub(crate) const IMPORTS_AT_ONCE: usize = 4;
/// The maximum number of unfinished tasks of a token; further ones get 429. More than a script
/// should start at once.
pub(crate) const MAX_TASKS_PER_TOKEN: i64 = 1000;
pub(crate) const TOO_MANY_TASKS_RETRY: Duration = Duration::from_secs(5);
/// The time for which a process holds an import before another one may take it over. Long enough
/// for two renewals to fail, and for clocks that differ by some seconds.
pub(crate) const IMPORT_LEASE: SignedDuration = SignedDuration::from_secs(20);
/// The time after which an import is tried again whose file could not be stored.
pub(crate) const IMPORT_RETRY: SignedDuration = SignedDuration::from_secs(15);
pub(crate) const IMPORT_LEASE_RENEWED: Duration = Duration::from_secs(5);
/// The time for which the status of a task is available after its end; then the task is deleted
/// with the address in it.
pub(crate) const TASK_KEPT_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A wall clock further ahead is distrusted before it deletes
/// (`guarantees.md#a-wrong-clock-deletes-nothing`).
pub(crate) const CLOCK_JUMP: SignedDuration = SignedDuration::from_hours(24);
/// The time after which a clock that jumped is trusted again. Short enough to delete within a
/// minute.
pub(crate) const CLOCK_CONFIRMATION: SignedDuration = SignedDuration::from_secs(30);
/// The maximum age of the stored trusted time.
pub(crate) const TRUSTED_TIME_AGE: SignedDuration = SignedDuration::from_hours(1);
/// The time for which a copy waits for a bucket that does not answer.
pub(crate) const COPY_WAIT: Duration = Duration::from_mins(10);
pub(crate) const COPY_ASKS_EVERY: Duration = Duration::from_secs(1);
/// The time for which bytes of an erased or replaced file stay, for requests that are about to open
/// them.
pub(crate) const BLOB_GRACE: SignedDuration = SignedDuration::from_secs(30);
/// The time after which unnamed bytes in a bucket count as a failed upload: longer than any should
/// take.
pub(crate) const PENDING_FOR: SignedDuration = SignedDuration::from_hours(24);
/// The time without progress after which a request to a bucket fails; a part of an upload needs
/// some time.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_PATIENCE: Duration = Duration::from_secs(30);
/// The interval at which probes may ask the bucket.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_ASKED_EVERY: Duration = Duration::from_secs(1);
#[cfg(feature = "s3")]
pub(crate) const BUCKET_CONNECT: Duration = Duration::from_secs(5);
/// The number of retries of a failed request, within the patience.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_RETRIES: usize = 3;
#[cfg(feature = "s3")]
pub(crate) const BUCKET_BACKOFF: Duration = Duration::from_secs(2);
/// The size of the parts in which a longer object is sent; servers require at least 5 MiB and allow
/// 10,000 parts.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_PART_BYTES: usize = 8 * 1024 * 1024;
/// The number of parts of an upload sent concurrently.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_PARTS_AT_ONCE: usize = 2;
/// The number of parts in memory of all uploads together: 96 MiB.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_PARTS_IN_MEMORY: usize = 12;
#[cfg(feature = "s3")]
pub(crate) const BUCKET_OBJECT_BYTES: u64 = BUCKET_PART_BYTES as u64 * 10_000;
/// The time for which erased rows stay in pages of the database, so that erasures shortly after
/// each other share the rewrite that removes them: nothing can be stored while it runs. The same as
/// for their bytes.
pub(crate) const REWRITE_GRACE: SignedDuration = BLOB_GRACE;
/// The time within which erased data is gone (`contract.md#deletion`); normally it takes less than
/// a minute.
pub(crate) const ERASURE_PROMISE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The time after which the log warns that the promise may be broken, and the interval of the
/// warnings.
pub(crate) const ERASURE_ALARM: SignedDuration = SignedDuration::from_hours(6 * 24);
pub(crate) const ERASURE_ALARM_EVERY: SignedDuration = SignedDuration::from_hours(1);
/// The time after which failed background work is retried.
pub(crate) const JOB_RETRY: SignedDuration = SignedDuration::from_secs(5);
/// The time after which emptying the log is retried, if a reader was in the way.
pub(crate) const LOG_RETRY: SignedDuration = SignedDuration::from_secs(1);
