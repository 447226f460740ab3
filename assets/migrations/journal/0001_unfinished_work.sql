-- What must outlive the process: tasks that the service still works on, transfers under way, proofs of permanent deletion.
CREATE TABLE task (
    account    TEXT    NOT NULL,
    kind       TEXT    NOT NULL, -- 'import' or 'folder'
    id         TEXT    NOT NULL, -- the service's, opaque
    folder     TEXT,             -- id of the folder that is renamed or moved
    source     TEXT    NOT NULL, -- an address without its query, or the folder's old path
    target     TEXT    NOT NULL, -- the folder's path: where the import goes, or the new path
    started_at INTEGER NOT NULL, -- epoch milliseconds
    PRIMARY KEY (account, kind, id)
) STRICT;

CREATE TABLE transfer (
    number     INTEGER PRIMARY KEY,
    account    TEXT    NOT NULL,
    run        TEXT    NOT NULL, -- names the process, so that it does not take its own transfers for lost ones
    what       TEXT    NOT NULL,
    started_at INTEGER NOT NULL
) STRICT;

CREATE TABLE receipt (
    number     INTEGER PRIMARY KEY,
    account    TEXT    NOT NULL,
    file       TEXT    NOT NULL, -- the file's id
    path       TEXT    NOT NULL,
    deleted_at INTEGER NOT NULL,
    gone_by    INTEGER NOT NULL  -- seven days later at the latest
) STRICT;
