-- Blobs that no row names yet, where their own names cannot say so: noted before their first byte is sent, and taken off the
-- list by the transaction that makes a row name them.
CREATE TABLE pending_blobs (
    blob  TEXT   PRIMARY KEY NOT NULL,
    -- epoch milliseconds
    since BIGINT NOT NULL
);
CREATE INDEX pending_blobs_by_age ON pending_blobs (since, blob);

-- The address of the bucket that the bytes are in; no row where they are in the directory of the store.
CREATE TABLE buckets (
    address TEXT PRIMARY KEY NOT NULL
);
