//! What the contract leaves unknown, decided here and nowhere else: each choice is one named constant with its reason.
//! These are the lines with the source "ours" in `docs/contract.md`.

use std::ops::RangeInclusive;
use std::time::Duration;

use axum::http::StatusCode;
use jiff::SignedDuration;

use crate::api::model::{DuplicateScope, DuplicateStrategy, ThumbnailSize};

// ── Answers (`contract.md#errors`) ──────────────────────────────────────────────────────────────────────────────────

/// A duplicate under REJECT: the status that other resources use for "already exists".
pub(crate) const DUPLICATE_REJECTED: StatusCode = StatusCode::CONFLICT;

/// The existing file under `RETURN_EXISTING`: official clients drop the body of an upload answer other than 201.
pub(crate) const DUPLICATE_RETURNED: StatusCode = StatusCode::CREATED;

/// A name that is taken, on rename, move and folder creation.
pub(crate) const NAME_TAKEN: StatusCode = StatusCode::CONFLICT;

/// A folder id that is not there, as the target of an upload or a move.
pub(crate) const MISSING_FOLDER: StatusCode = StatusCode::NOT_FOUND;

/// An upload over the size limit. The service's documents name neither 400 nor 413.
pub(crate) const OVER_SIZE: StatusCode = StatusCode::BAD_REQUEST;

/// The disk is full: the one status that says so.
pub(crate) const DISK_FULL: StatusCode = StatusCode::INSUFFICIENT_STORAGE;

/// The database is gone from under the service.
pub(crate) const DATABASE_LOST: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

/// The place that the bytes lie in does not answer, or an upload took so long that its bytes were given up: sent again, the
/// request may succeed.
pub(crate) const BYTES_OUT_OF_REACH: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
pub(crate) const BYTES_OUT_OF_REACH_RETRY: Duration = Duration::from_secs(5);

/// A signed address that is past its time or altered. 403 tells its holder that asking again will not help.
pub(crate) const SIGNATURE_REFUSED: StatusCode = StatusCode::FORBIDDEN;

// ── Versions (`contract.md#versions`) ───────────────────────────────────────────────────────────────────────────────

/// The description of 2026-03 is that of v3 without the download; signed addresses lead to the bytes.
pub(crate) const MARCH_2026_HAS_DOWNLOAD: bool = false;

/// The live catalog of 2026-09 has no folder updates as tasks, nor their status: both are unknown routes.
pub(crate) const SEPTEMBER_2026_HAS_FOLDER_TASKS: bool = false;

/// Versions named by a date require `clearExpires` in an update.
pub(crate) const DATED_UPDATE_NEEDS_CLEAR_EXPIRES: bool = true;

/// The description of 2026-03 requires `overwrite` and both duplicate settings of an import; 2026-09 takes what v3 takes.
pub(crate) const MARCH_2026_IMPORT_SETTLES_CLASHES: bool = true;

// ── Uploads (`contract.md#uploads`) ─────────────────────────────────────────────────────────────────────────────────

/// The largest file, unless the service is started with another limit: the paid tier's 2 GB.
pub(crate) const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024 * 1024;
/// One file and five fields are known; more room than that serves nobody.
pub(crate) const MAX_PARTS: usize = 16;
pub(crate) const MAX_FIELD_BYTES: usize = 64 * 1024;
/// A boundary may not be longer (RFC 2046 §5.1.1).
pub(crate) const MAX_BOUNDARY_BYTES: usize = 70;
/// Headers of one part: browsers send two or three short ones.
pub(crate) const MAX_PART_HEADER_BYTES: usize = 8 * 1024;
/// Text before the first boundary, and about as much after the last one. Nobody needs it.
pub(crate) const MAX_OUTSIDE_BYTES: usize = 4 * 1024;
/// What the parser keeps in memory while the headers of a part do not end; more than one read from the network.
pub(crate) const MAX_UNPARSED_BYTES: usize = 256 * 1024;
/// JSON bodies of this API are a few hundred bytes.
pub(crate) const MAX_JSON_BYTES: usize = 256 * 1024;

/// When the options do not say.
pub(crate) const DEFAULT_DUPLICATE_SCOPE: DuplicateScope = DuplicateScope::EntirePortal;
pub(crate) const DEFAULT_DUPLICATE_STRATEGY: DuplicateStrategy = DuplicateStrategy::None;

/// A file without `fileName` takes the name of its part, as clients of the live service rely on; otherwise, as for a
/// part without a name, one is made of the content, which is all that the guide says.
pub(crate) const UNNAMED_FILE_TAKES_ITS_PARTS_NAME: bool = true;

/// First number of the suffix that keeps names apart: `logo-1.png`.
pub(crate) const FIRST_NAME_SUFFIX: u64 = 1;

/// The guide asks for an access level when a file is replaced; the model of newer versions does not.
pub(crate) const REPLACE_NEEDS_ACCESS: bool = true;

/// A replacement must have the extension of the file it replaces.
pub(crate) const REPLACE_KEEPS_EXTENSION: bool = true;

/// What `sourceGroup` says of files that came through this interface.
pub(crate) const SOURCE_GROUP: &str = "CONTENT";

/// Whether a new file may be used in content at once. Not documented; `PATCH` can turn it off.
pub(crate) const USABLE_IN_CONTENT: bool = true;

// ── Names ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/// What common file systems can hold, so that a download keeps its name.
pub(crate) const MAX_NAME_BYTES: usize = 255;
pub(crate) const MAX_PATH_BYTES: usize = 4096;
pub(crate) const MAX_DEPTH: usize = 64;

// ── Search (`contract.md#search`) ───────────────────────────────────────────────────────────────────────────────────

pub(crate) const DEFAULT_PAGE: u32 = 10;
pub(crate) const MAX_PAGE: u32 = 100;
/// Offsets beyond it are refused with 400.
pub(crate) const MAX_OFFSET: u64 = 10_000;
/// A name filter of 20 characters was refused live, one of 19 worked.
pub(crate) const MAX_NAME_FILTER_CHARS: usize = 19;
/// Of results that are otherwise equal the id decides, in the direction of the last order that was asked for, so that
/// one index serves an order and its reverse; otherwise always from low to high.
pub(crate) const TIES_FOLLOW_THE_ORDER: bool = true;
/// The id of the root folder, where an id is needed.
pub(crate) const ROOT_FOLDER_ID: i64 = 0;
/// A `path` filter matches the path itself and everything below it.
pub(crate) const PATH_FILTER_INCLUDES_DESCENDANTS: bool = true;

// ── Folders ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Deleting a folder takes everything in it, as the 2026-09 text says; otherwise a folder that is not empty is
/// refused with 400, as one third party's mock does (`contract.md#deletion`).
pub(crate) const FOLDER_DELETE_IS_RECURSIVE: bool = true;

// ── Limits (`contract.md#crm-limits`) ───────────────────────────────────────────────────────────────────────────────

/// A report on an object type that the account does not have.
pub(crate) const UNKNOWN_OBJECT_TYPE: StatusCode = StatusCode::BAD_REQUEST;
/// From this percentage of a limit on, usage is near it.
pub(crate) const NEAR_PERCENT: u64 = 80;
/// What is at its limit is not counted as near it as well.
pub(crate) const NEAR_EXCLUDES_AT: bool = true;
/// How many records a report names of those at, and of those near the limit: "samples" is all that is said.
pub(crate) const RECORD_SAMPLES: usize = 10;
/// Associations of one record with records of a type, where the usage says nothing of the pair: the guide's example.
pub(crate) const ASSOCIATIONS_PER_RECORD: u64 = 50_000;

// ── Addresses (`contract.md#signed-addresses`) ──────────────────────────────────────────────────────────────────────

/// Public bytes: `{base}/hubfs/{path}`, after the live hosts' `/hubfs/{account}/{path}`.
pub(crate) const PUBLIC_PREFIX: &str = "hubfs";
/// Signed bytes: `{base}/signed/{id}/{name}?expires=…&signature=…`. Not documented; ours alone.
pub(crate) const SIGNED_PREFIX: &str = "signed";
/// Lifetimes of signed addresses in seconds; over the longest answers 400.
pub(crate) const DEFAULT_SIGNED_SECONDS: i64 = 3600;
pub(crate) const MAX_SIGNED_SECONDS: i64 = 21_600;

/// Resized copies are of images: `size` with another file answers 400.
pub(crate) const SIZE_NEEDS_AN_IMAGE: bool = true;

/// Longest edge of each resized copy in pixels. The sizes have names only; these are usual for icons, tiles and screens.
pub(crate) fn thumbnail_edge(size: &ThumbnailSize) -> Option<u32> {
    match size {
        ThumbnailSize::Icon => Some(32),
        ThumbnailSize::Thumb => Some(100),
        ThumbnailSize::Medium => Some(300),
        ThumbnailSize::Preview => Some(1280),
        ThumbnailSize::Other(_) => None,
    }
}

/// An image that cannot be resized, too large or in a form that is not decoded, is served as it is. The file is in
/// memory while it is decoded.
pub(crate) const MAX_RESIZED_FILE_BYTES: u64 = 24 * 1024 * 1024;
/// What the file and its decoder may take together. With this the service stays below 200 MiB.
pub(crate) const MAX_RESIZE_BYTES: u64 = 48 * 1024 * 1024;
/// What all copies that are being sent may take together.
pub(crate) const COPIES_KIB: usize = 16 * 1024;

/// Files of before there were checksums by block that are read through at the same time, to have them from then on.
pub(crate) const FIRST_READS_AT_ONCE: usize = 4;

// ── Connections (`guarantees.md#slow-and-large-requests-have-bounds`) ────────────────────────────────────────────────

/// A request head must be complete within this time; it also ends idle connections.
pub(crate) const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// A request body must bring this much a second, averaged over the patience; so it may also pause that long.
pub(crate) const BODY_BYTES_PER_SECOND: u64 = 1024;
pub(crate) const BODY_PATIENCE: Duration = Duration::from_secs(30);
/// What a refused request still sends is read and dropped for this long, as other servers do, so that its answer is
/// not lost in a reset connection.
pub(crate) const LINGER: Duration = Duration::from_secs(30);
/// A request's line and headers, beyond which the answer is 431.
pub(crate) const MAX_HEAD_BYTES: usize = 32 * 1024;
/// What is read of a head at most. A longer one is refused while it comes, with a status and no body; one between the
/// two is refused in the API's words.
pub(crate) const MAX_READ_HEAD_BYTES: usize = 2 * MAX_HEAD_BYTES;
/// Path and query, beyond which the answer is 414: what large networks pass on, and room for the longest path with
/// every byte percent-encoded. The service's documents name the status and no length (`contract.md#errors`).
pub(crate) const MAX_TARGET_BYTES: usize = 16 * 1024;
/// A client that takes nothing of its answer for this long is cut off.
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_mins(1);
/// Further connections are answered 503 and closed.
pub(crate) const MAX_CONNECTIONS: usize = 1024;
/// How long a stop waits for the requests that are under way.
pub(crate) const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// A probe that the store has not answered by then says so.
pub(crate) const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Of the durations of requests, in seconds: from a lookup to an upload of the largest file.
pub(crate) const DURATION_BUCKETS: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0, 120.0];

// ── Faults to order ─────────────────────────────────────────────────────────────────────────────────────────────────

/// `Retry-After` of a 477 whose order names none: up to about a day is documented (`contract.md#errors`). Long enough
/// that a client must put its work off.
pub(crate) const MIGRATION_TAKES: Duration = Duration::from_hours(1);

// ── Calls for tests ─────────────────────────────────────────────────────────────────────────────────────────────────

/// Where the calls for tests are; no path of the real service begins so.
pub const TEST_API_PREFIX: &str = "/__filedeck";
/// A test reads so many of the last requests. With the longest paths they take 16 MiB.
pub(crate) const LOGGED_REQUESTS: usize = 1000;
/// A test may move the clock into these years: what adds to the time never reaches its end.
pub(crate) const CLOCK_YEARS: RangeInclusive<i16> = 1970..=9000;

// ── The store ───────────────────────────────────────────────────────────────────────────────────────────────────────

/// In a store of an earlier version, blobs that a crash may have left without a row. Where its first start finds more,
/// another database named them.
pub(crate) const UNKNOWN_BLOBS_OF_A_CRASH: usize = 32;
/// What a start did not know stays aside for so long, for somebody to miss it.
pub(crate) const ASIDE_KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);
/// Room on the disk that is kept for deletions: many of them, and the bookkeeping of the database.
pub(crate) const RESERVE_BYTES: usize = 1024 * 1024;

// ── Background work ─────────────────────────────────────────────────────────────────────────────────────────────────

/// A task stays PENDING this long, so that a poller sees it (`contract.md#tasks`).
pub(crate) const TASK_PENDING_FOR: SignedDuration = SignedDuration::from_millis(200);
/// A folder update stays PROCESSING this long; imports take the time of their transfer.
pub(crate) const FOLDER_UPDATE_TAKES: SignedDuration = SignedDuration::from_millis(800);
/// A folder update that could not be carried out now is refused when it is asked for; otherwise its task is canceled.
pub(crate) const FOLDER_UPDATE_IS_CHECKED_FIRST: bool = true;
/// Category of an error in a task's status where nothing better is known (`contract.md#tasks`).
pub(crate) const TASK_FAILED_CATEGORY: &str = "TASK_FAILED";
/// An import without an address, which the description of 2026-03 does not rule out: there is nothing to fetch.
pub(crate) const IMPORT_WITHOUT_URL: StatusCode = StatusCode::BAD_REQUEST;
pub(crate) const IMPORTS_AT_ONCE: usize = 4;
/// Of several processes, one has an import for this long, and another one takes it over then. Enough for two renewals to
/// fail, and for clocks that differ by some seconds.
pub(crate) const IMPORT_LEASE: SignedDuration = SignedDuration::from_secs(20);
pub(crate) const IMPORT_LEASE_RENEWED: Duration = Duration::from_secs(5);
/// The status of a task can be asked for this long after its end; then it is forgotten with the address in it.
pub(crate) const TASK_KEPT_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A wall clock that is further ahead is doubted before it deletes anything (`guarantees.md#a-wrong-clock-deletes-nothing`).
pub(crate) const CLOCK_JUMP: SignedDuration = SignedDuration::from_hours(24);
/// A clock that jumped is believed after it continued for this long. Short enough to delete within a minute.
pub(crate) const CLOCK_CONFIRMATION: SignedDuration = SignedDuration::from_secs(30);
/// How old the written record of the trusted time may become.
pub(crate) const TRUSTED_TIME_AGE: SignedDuration = SignedDuration::from_hours(1);
/// Bytes of an erased or replaced file stay this long, for requests that saw its row and are about to open them.
pub(crate) const BLOB_GRACE: SignedDuration = SignedDuration::from_secs(30);
/// Bytes that were sent to a bucket and that no row names are an upload that came to nothing after this time: longer than
/// any upload should take.
pub(crate) const PENDING_FOR: SignedDuration = SignedDuration::from_hours(24);
/// A request to a bucket may stand still for so long. A part of an upload is sent within it, so that it is longer than for
/// small requests.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_PATIENCE: Duration = Duration::from_secs(30);
#[cfg(feature = "s3")]
pub(crate) const BUCKET_CONNECT: Duration = Duration::from_secs(5);
/// A failed request is made again so often, within the patience.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_RETRIES: usize = 3;
#[cfg(feature = "s3")]
pub(crate) const BUCKET_BACKOFF: Duration = Duration::from_secs(2);
/// A longer object is sent in parts of this size; servers take 5 MiB at least, and 10,000 of them.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_PART_BYTES: usize = 8 * 1024 * 1024;
/// So many parts of an upload are on their way at once: what it may take of the memory, with one that is being gathered.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_PARTS_AT_ONCE: usize = 2;
/// The largest object.
#[cfg(feature = "s3")]
pub(crate) const BUCKET_OBJECT_BYTES: u64 = BUCKET_PART_BYTES as u64 * 10_000;
/// Rows that were erased stay in pages of the database this long, so that erasures that come together share the rewrite
/// that frees it of them: nothing can be stored while it runs. As long as their bytes stay.
pub(crate) const REWRITE_GRACE: SignedDuration = BLOB_GRACE;
/// What is erased is gone within this time (`contract.md#deletion`); normally it takes less than a minute.
pub(crate) const ERASURE_PROMISE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// When the log warns that the promise may be broken, and how often.
pub(crate) const ERASURE_ALARM: SignedDuration = SignedDuration::from_hours(6 * 24);
pub(crate) const ERASURE_ALARM_EVERY: SignedDuration = SignedDuration::from_hours(1);
/// Background work that failed is tried again after this time.
pub(crate) const JOB_RETRY: SignedDuration = SignedDuration::from_secs(5);
/// The log could not be emptied because somebody was reading.
pub(crate) const LOG_RETRY: SignedDuration = SignedDuration::from_secs(1);
