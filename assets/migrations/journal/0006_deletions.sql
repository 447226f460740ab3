-- Files that were deleted and can be deleted for good by their ids. What is has a receipt instead.
CREATE TABLE deletion (
    account    TEXT    NOT NULL,
    file       TEXT    NOT NULL, -- the file's id
    path       TEXT    NOT NULL,
    deleted_at INTEGER NOT NULL, -- epoch milliseconds
    PRIMARY KEY (account, file)
) STRICT, WITHOUT ROWID;
