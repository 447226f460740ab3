-- Folders that were deleted, and the files that go with them, which are written down before, since the folder's deletion
-- tells nothing of them. Once that is certain the files are rows of `deletion`.
CREATE TABLE folder_deletion (
    account    TEXT    NOT NULL,
    folder     TEXT    NOT NULL, -- the folder's id
    path       TEXT    NOT NULL,
    deleted_at INTEGER NOT NULL, -- epoch milliseconds
    missing    TEXT,             -- why more files may have gone with it
    certain    INTEGER NOT NULL, -- 0 until the service has said that it is deleted
    PRIMARY KEY (account, folder)
) STRICT, WITHOUT ROWID;

CREATE TABLE noted_file (
    account  TEXT    NOT NULL,
    folder   TEXT    NOT NULL, -- the folder that it is to go with; it may lie in several of them
    file     TEXT    NOT NULL, -- the file's id
    path     TEXT    NOT NULL,
    noted_at INTEGER NOT NULL, -- epoch milliseconds
    PRIMARY KEY (account, folder, file)
) STRICT, WITHOUT ROWID;

ALTER TABLE deletion ADD COLUMN folder TEXT; -- the one that the file went with; none if it was deleted by itself

CREATE INDEX deletion_by_folder ON deletion (account, folder);
