-- Files and folders. Times are epoch milliseconds, ids come from one sequence, the root folder is NULL.
CREATE TABLE id_sequence (next BIGINT NOT NULL);
INSERT INTO id_sequence (next) VALUES (100000000001);

CREATE TABLE folders (
    id         BIGINT PRIMARY KEY NOT NULL,
    parent_id  BIGINT REFERENCES folders (id),
    name       TEXT   NOT NULL,
    -- case-folded, for "contains" searches
    name_folded TEXT  NOT NULL,
    path       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);
CREATE UNIQUE INDEX folders_by_path ON folders (path) WHERE deleted_at IS NULL;
CREATE INDEX folders_by_parent ON folders (parent_id, id);

CREATE TABLE files (
    id           BIGINT  PRIMARY KEY NOT NULL,
    folder_id    BIGINT  REFERENCES folders (id),
    stem         TEXT    NOT NULL,
    stem_folded  TEXT    NOT NULL,
    -- empty for none
    extension    TEXT    NOT NULL,
    full_name    TEXT    NOT NULL,
    -- names the bytes on disk; one blob for each version of a file, never shared
    blob         TEXT    NOT NULL,
    size         BIGINT  NOT NULL,
    md5          TEXT    NOT NULL,
    sha256       TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    media_type   TEXT    NOT NULL,
    encoding     TEXT,
    width        BIGINT,
    height       BIGINT,
    access       TEXT    NOT NULL,
    usable       BOOLEAN NOT NULL,
    source_group TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL,
    expires_at   BIGINT,
    deleted_at   BIGINT,
    -- set when content and metadata are to be removed for good
    erase_from   BIGINT
);
CREATE UNIQUE INDEX files_by_name ON files (COALESCE(folder_id, 0), full_name) WHERE deleted_at IS NULL;
CREATE INDEX files_by_folder ON files (folder_id, id);
CREATE INDEX files_by_content ON files (sha256) WHERE deleted_at IS NULL;
CREATE INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX files_by_erasure ON files (erase_from) WHERE erase_from IS NOT NULL;

-- Blobs that no row names any more, until their bytes are gone from the disk.
CREATE TABLE unused_blobs (
    blob  TEXT   PRIMARY KEY NOT NULL,
    since BIGINT NOT NULL
);
