-- The store of the service. Times are epoch milliseconds, the root folder is NULL. Texts are compared byte by byte, as
-- names are elsewhere.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Files and folders share it, so that no id names two things.
CREATE SEQUENCE ids START 100000000001;

CREATE TABLE folders (
    id          BIGINT PRIMARY KEY,
    parent_id   BIGINT REFERENCES folders (id),
    name        TEXT COLLATE "C" NOT NULL,
    -- case-folded, for "contains" searches
    name_folded TEXT COLLATE "C" NOT NULL,
    path        TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    deleted_at  BIGINT
);
CREATE UNIQUE INDEX folders_by_path ON folders (path) WHERE deleted_at IS NULL;
CREATE INDEX folders_by_parent ON folders (parent_id);
CREATE INDEX folders_by_deletion ON folders (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX folders_in_folder_by_id ON folders (COALESCE(parent_id, 0), id) WHERE deleted_at IS NULL;
CREATE INDEX folders_in_folder_by_name ON folders (COALESCE(parent_id, 0), name_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_in_folder_by_creation ON folders (COALESCE(parent_id, 0), created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_in_folder_by_update ON folders (COALESCE(parent_id, 0), updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_anywhere_by_name ON folders (name_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_anywhere_by_creation ON folders (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_anywhere_by_update ON folders (updated_at, id) WHERE deleted_at IS NULL;

CREATE TABLE files (
    id           BIGINT PRIMARY KEY,
    folder_id    BIGINT REFERENCES folders (id),
    stem         TEXT COLLATE "C" NOT NULL,
    stem_folded  TEXT COLLATE "C" NOT NULL,
    -- empty for none
    extension    TEXT COLLATE "C" NOT NULL,
    full_name    TEXT COLLATE "C" NOT NULL,
    -- names the bytes; one blob for each version of a file, never shared
    blob         TEXT COLLATE "C" NOT NULL,
    size         BIGINT NOT NULL,
    md5          TEXT COLLATE "C" NOT NULL,
    digest       TEXT COLLATE "C" NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL,
    media_type   TEXT NOT NULL,
    encoding     TEXT COLLATE "C",
    width        BIGINT,
    height       BIGINT,
    access       TEXT COLLATE "C" NOT NULL,
    usable       BOOLEAN NOT NULL,
    source_group TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    deleted_at   BIGINT,
    -- set when content and row are to be removed for good
    erase_from   BIGINT
);
CREATE UNIQUE INDEX files_by_name ON files (COALESCE(folder_id, 0), full_name) WHERE deleted_at IS NULL;
CREATE INDEX files_by_folder ON files (folder_id);
CREATE INDEX files_by_md5 ON files (md5, id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL AND erase_from IS NULL;
CREATE INDEX files_by_erasure ON files (erase_from) WHERE erase_from IS NOT NULL;
-- Names that contain a part are found by its trigrams.
CREATE INDEX files_by_part_of_name ON files USING gin (stem_folded gin_trgm_ops);

-- A page of a folder, or of the account, costs the same however much there is: one index for each order, which holds what
-- decides whether a file is listed.
-- PostgreSQL counts the files before a page in the index alone only if the index has every column that the query names,
-- also those of its expressions.
CREATE INDEX files_in_folder_by_id ON files (COALESCE(folder_id, 0), id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_name ON files (COALESCE(folder_id, 0), stem_folded, id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_extension ON files (COALESCE(folder_id, 0), lower(extension), id, expires_at, folder_id, extension)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_kind ON files (COALESCE(folder_id, 0), kind, id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_access ON files (COALESCE(folder_id, 0), access, id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_size ON files (COALESCE(folder_id, 0), size, id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_height ON files (COALESCE(folder_id, 0), height NULLS FIRST, id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_width ON files (COALESCE(folder_id, 0), width NULLS FIRST, id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_creation ON files (COALESCE(folder_id, 0), created_at, id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_update ON files (COALESCE(folder_id, 0), updated_at, id, expires_at, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_expiry ON files (COALESCE(folder_id, 0), expires_at NULLS FIRST, id, folder_id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_name ON files (stem_folded, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_size ON files (size, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_update ON files (updated_at, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_creation ON files (created_at, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_access ON files (access, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_expiry ON files (expires_at NULLS FIRST, id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_extension ON files (lower(extension), id, expires_at, extension)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_kind ON files (kind, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_encoding ON files (encoding, id, expires_at)
    WHERE encoding IS NOT NULL AND deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_usability ON files (usable, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_height ON files (height NULLS FIRST, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_width ON files (width NULLS FIRST, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';

-- How many names have which trigram (`name_trigrams.rs`).
CREATE STATISTICS name_trigrams ON (show_trgm(stem_folded)) FROM files;

-- What the partial indexes know of these does not count for their tables: each folder was taken for one with a two-hundredth of all files.
CREATE STATISTICS files_in_folder ON (COALESCE(folder_id, 0)) FROM files;
CREATE STATISTICS folders_in_folder ON (COALESCE(parent_id, 0)) FROM folders;

-- Trigrams that nobody has counted count as rare.
ALTER TABLE files SET (autovacuum_analyze_scale_factor = 0.01);

CREATE STATISTICS files_of_extension ON (lower(extension)) FROM files;
-- Without it, two of three files count as expired.
CREATE STATISTICS files_by_end ON (COALESCE(expires_at, 9223372036854775807)) FROM files;

-- Files whose bytes a recovery found to be others than those that were stored.
CREATE TABLE recovered_files (
    file  BIGINT PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    -- 'damaged': the file keeps the checksums of what was stored; 'accepted': it has those of the bytes as they are
    state TEXT   NOT NULL,
    since BIGINT NOT NULL
);

-- Blobs that no row names anymore, until their bytes are gone.
CREATE TABLE unused_blobs (
    blob  TEXT COLLATE "C" PRIMARY KEY,
    since BIGINT NOT NULL
);
CREATE INDEX unused_blobs_by_age ON unused_blobs (since, blob);

-- Blobs that no row names yet: noted before their first byte is sent, and taken off the list by the transaction that makes a
-- row name them.
CREATE TABLE pending_blobs (
    blob  TEXT COLLATE "C" PRIMARY KEY,
    since BIGINT NOT NULL
);
CREATE INDEX pending_blobs_by_age ON pending_blobs (since, blob);

-- The address of the bucket that the bytes are in, or what identifies the directory. One row.
CREATE TABLE buckets (
    address TEXT PRIMARY KEY
);

-- The first 16 bytes of BLAKE3 of every 128 KiB of a blob, in their order. Blobs of one block have no row: the digest of
-- their file says as much.
CREATE TABLE block_sums (
    blob TEXT COLLATE "C" PRIMARY KEY,
    sums BYTEA NOT NULL
);

-- Imports and folder updates.
CREATE TABLE tasks (
    id           TEXT COLLATE "C" PRIMARY KEY,
    -- the order in which they were asked for
    position     BIGINT GENERATED ALWAYS AS IDENTITY,
    -- IMPORT or FOLDER_UPDATE
    kind         TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    -- JSON: what is to be done
    request      TEXT   NOT NULL,
    -- the address that an import fetches
    origin       TEXT,
    requested_at BIGINT NOT NULL,
    started_at   BIGINT,
    completed_at BIGINT,
    -- when there is something to do for it; none once it is over
    next_at      BIGINT,
    -- the file or folder that came of it
    result_id    BIGINT,
    -- the file because of which an import was refused; the error names it
    refused_for  BIGINT,
    -- JSON: why it was canceled
    error        TEXT,
    -- the name of the token that requested it, so that each gets its turn
    caller       TEXT
);
CREATE INDEX tasks_by_turn ON tasks (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX tasks_by_end ON tasks (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX tasks_by_result ON tasks (result_id) WHERE result_id IS NOT NULL;
CREATE INDEX tasks_by_refusal ON tasks (refused_for) WHERE refused_for IS NOT NULL;
CREATE INDEX tasks_by_origin ON tasks (origin) WHERE origin IS NOT NULL;
CREATE INDEX tasks_by_caller ON tasks (caller) WHERE next_at IS NOT NULL;

-- The key of signed addresses: one row.
CREATE TABLE signing_keys (
    key TEXT PRIMARY KEY NOT NULL
);

-- Times and steps that must survive a restart.
CREATE TABLE marks (
    name  TEXT   PRIMARY KEY,
    value BIGINT NOT NULL
);

-- What the account uses of its CRM limits, as a file of usage has it. One row at most.
CREATE TABLE crm_usage (usage JSONB NOT NULL);

-- Requests that are counted against the rate limits. Not logged: after a crash of the server all budgets are full.
CREATE UNLOGGED TABLE requests_of_tokens (
    -- its name
    token TEXT COLLATE "C" PRIMARY KEY,
    times BIGINT[] NOT NULL
);
CREATE UNLOGGED TABLE requests_of_days (
    -- as in 2026-03-01
    day      TEXT COLLATE "C" PRIMARY KEY,
    requests BIGINT NOT NULL
);
