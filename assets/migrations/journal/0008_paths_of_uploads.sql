-- The path that an upload asks for, so that other tasks and processes know that its name is taken.
ALTER TABLE item ADD COLUMN path TEXT;
-- 1 if another upload had the name when this one was taken: it does not take the name from a third one then.
ALTER TABLE item ADD COLUMN yields INTEGER NOT NULL DEFAULT 0;

CREATE INDEX item_of_path ON item (path) WHERE path IS NOT NULL;

-- Paths that uploads have stored files at a short time ago; their items may be gone.
CREATE TABLE stored_path (
    account   TEXT    NOT NULL,
    path      TEXT    NOT NULL,
    batch     INTEGER NOT NULL, -- the last one that stored a file there
    stored_at INTEGER NOT NULL, -- epoch milliseconds
    PRIMARY KEY (account, path)
) STRICT, WITHOUT ROWID;
