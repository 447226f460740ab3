-- Work that must outlive the process. Times are epoch milliseconds.

-- What was asked for at once, and its jobs one by one.
CREATE TABLE batch (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    account    TEXT    NOT NULL,
    run        TEXT    NOT NULL, -- the process that it belongs to
    script     INTEGER NOT NULL, -- 1 if no screen asked for it: no screen goes on with it by itself
    verb       TEXT    NOT NULL, -- of its first job
    label      TEXT    NOT NULL, -- safe to show
    rank       INTEGER NOT NULL, -- what has less comes first
    held       TEXT,             -- 'paused' or 'restarted': waits for a key
    done       INTEGER NOT NULL DEFAULT 0, -- jobs that are done and whose rows are gone
    moved      INTEGER NOT NULL DEFAULT 0, -- and their bytes
    asked_at   INTEGER NOT NULL,
    started_at INTEGER,
    ended_at   INTEGER,
    -- A sum of the command line that asked for it, which tells one from another: a later run of the same one that ends well
    -- makes superfluous what an earlier one left.
    command    TEXT
) STRICT;

CREATE INDEX batch_of_account ON batch (account, run);

CREATE TABLE item (
    batch  INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
    number INTEGER NOT NULL, -- its place in the batch
    job    TEXT    NOT NULL, -- JSON
    partly INTEGER NOT NULL, -- 1 if the job lacks what must not be written down
    bytes  INTEGER,          -- how many it moves, if that is known
    state  TEXT    NOT NULL, -- 'waiting', 'sent', 'doubt', 'done', 'failed' or 'cancelled'
    task   TEXT,             -- the service's own task behind it
    error  TEXT,             -- JSON
    began  INTEGER,
    ended  INTEGER,
    path   TEXT,             -- the one that an upload asks for, so that its name counts as taken
    yields INTEGER NOT NULL DEFAULT 0, -- 1 if another upload had the name: it does not take it from a third one then
    PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX item_of_state ON item (batch, state, number);
CREATE INDEX item_of_path ON item (path) WHERE path IS NOT NULL;

-- The ids of the service's own tasks. item.task is the one to watch, and is forgotten when it has failed; these stay as long as the batch.
CREATE TABLE service_task (
    batch  INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
    number INTEGER NOT NULL, -- of the item, which may be forgotten before
    id     TEXT    NOT NULL,
    PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

-- Paths that uploads have stored files at a short time ago; their items may be gone.
CREATE TABLE stored_path (
    account   TEXT    NOT NULL,
    path      TEXT    NOT NULL,
    batch     INTEGER NOT NULL, -- the last one that stored a file there
    stored_at INTEGER NOT NULL,
    PRIMARY KEY (account, path)
) STRICT, WITHOUT ROWID;

-- Proofs of permanent deletion.
CREATE TABLE receipt (
    number     INTEGER PRIMARY KEY,
    account    TEXT    NOT NULL,
    file       TEXT    NOT NULL, -- the file's id
    path       TEXT    NOT NULL,
    deleted_at INTEGER NOT NULL,
    gone_by    INTEGER NOT NULL, -- seven days later at the latest
    -- The content as it was last seen, and the answer of the service; NULL if it is not known.
    size           INTEGER, -- bytes
    md5            TEXT,    -- lowercase hex
    status         INTEGER, -- of HTTP
    correlation_id TEXT
) STRICT;

-- Files that were deleted and can be deleted for good by their ids. What is has a receipt instead.
CREATE TABLE deletion (
    account    TEXT    NOT NULL,
    file       TEXT    NOT NULL, -- the file's id
    path       TEXT    NOT NULL,
    deleted_at INTEGER NOT NULL,
    folder     TEXT,             -- the one that the file went with; none if it was deleted by itself
    size       INTEGER,
    md5        TEXT,
    PRIMARY KEY (account, file)
) STRICT, WITHOUT ROWID;

CREATE INDEX deletion_by_folder ON deletion (account, folder);

-- Folders that were deleted, and the files that go with them, which are written down before, since the folder's deletion
-- tells nothing of them. Once that is certain the files are rows of `deletion`.
CREATE TABLE folder_deletion (
    account    TEXT    NOT NULL,
    folder     TEXT    NOT NULL, -- the folder's id
    path       TEXT    NOT NULL,
    deleted_at INTEGER NOT NULL,
    missing    TEXT,             -- why more files may have gone with it
    certain    INTEGER NOT NULL, -- 0 until the service has said that it is deleted
    PRIMARY KEY (account, folder)
) STRICT, WITHOUT ROWID;

CREATE TABLE noted_file (
    account  TEXT    NOT NULL,
    folder   TEXT    NOT NULL, -- the folder that it is to go with; it may lie in several of them
    file     TEXT    NOT NULL, -- the file's id
    path     TEXT    NOT NULL,
    noted_at INTEGER NOT NULL,
    size     INTEGER,
    md5      TEXT,
    PRIMARY KEY (account, folder, file)
) STRICT, WITHOUT ROWID;

-- How much of the account's limits was used, hour by hour.
CREATE TABLE gauge (
    number  INTEGER PRIMARY KEY,
    account TEXT    NOT NULL,
    name    TEXT    NOT NULL, -- of its report, and of what it is about
    UNIQUE (account, name)
) STRICT;

CREATE TABLE reading (
    gauge INTEGER NOT NULL REFERENCES gauge ON DELETE CASCADE,
    hour  INTEGER NOT NULL, -- since the epoch; the last reading in it is kept
    used  INTEGER NOT NULL,
    most  INTEGER NOT NULL, -- the limit at that time
    PRIMARY KEY (gauge, hour)
) STRICT, WITHOUT ROWID;

-- How often what is to be done was changed. The file beside the journal knows it, too, as long as something is unfinished.
CREATE TABLE changes (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    count INTEGER NOT NULL
) STRICT;

INSERT INTO changes VALUES (1, 0);

-- What processes took of the account's budget of requests, until it is available again.
CREATE TABLE request_lease (
    id          INTEGER PRIMARY KEY,
    account     TEXT NOT NULL,
    requests    INTEGER NOT NULL,
    is_transfer INTEGER NOT NULL,
    until       INTEGER NOT NULL
) STRICT;

CREATE INDEX request_lease_by_account ON request_lease (account);
