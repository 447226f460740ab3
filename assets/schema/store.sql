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
CREATE INDEX folders_by_deletion ON folders (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX folders_by_place ON folders (COALESCE(parent_id, 0), id) WHERE deleted_at IS NULL;

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
    digest       TEXT    NOT NULL,
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
CREATE INDEX files_by_md5 ON files (md5, id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX files_by_erasure ON files (erase_from) WHERE erase_from IS NOT NULL;

-- Blobs that no row names anymore, until their bytes are gone from the disk.
CREATE TABLE unused_blobs (
    blob  TEXT   PRIMARY KEY NOT NULL,
    since BIGINT NOT NULL
);
CREATE INDEX unused_blobs_by_age ON unused_blobs (since, blob);

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

-- The first 16 bytes of BLAKE3 of every 128 KiB of a blob, in their order, so that a part of it is checked as it goes out
-- and the whole need not be read first. Blobs of one block have no row: the digest of their file says as much.
CREATE TABLE block_sums (
    blob TEXT PRIMARY KEY NOT NULL,
    sums BLOB NOT NULL
);

-- Files whose bytes a recovery found to be others than those that were stored. A row goes with its file, and with the
-- bytes that it is about.
CREATE TABLE recovered_files (
    file  BIGINT PRIMARY KEY NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    -- 'damaged': the file keeps the checksums of what was stored; 'accepted': it has those of the bytes as they are
    state TEXT   NOT NULL,
    -- epoch milliseconds
    since BIGINT NOT NULL
);
CREATE TRIGGER recovered_files_replaced AFTER UPDATE OF blob ON files BEGIN
    DELETE FROM recovered_files WHERE file = OLD.id;
END;

-- Imports and folder updates, and what the background work must remember.
CREATE TABLE tasks (
    id           TEXT   PRIMARY KEY NOT NULL,
    -- IMPORT or FOLDER_UPDATE
    kind         TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    -- JSON: what is to be done
    request      TEXT   NOT NULL,
    requested_at BIGINT NOT NULL,
    started_at   BIGINT,
    completed_at BIGINT,
    -- when there is something to do for it; none once it is over
    next_at      BIGINT,
    -- the file or folder that came of it
    result_id    BIGINT,
    -- JSON: why it was canceled
    error        TEXT,
    -- the address that an import fetches
    origin       TEXT,
    -- the file because of which an import was refused; the error names it
    refused_for  BIGINT,
    -- the name of the token that requested it, so that each gets its turn
    caller       TEXT
);
CREATE INDEX tasks_by_turn ON tasks (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX tasks_by_end ON tasks (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX tasks_by_result ON tasks (result_id) WHERE result_id IS NOT NULL;
CREATE INDEX tasks_by_refusal ON tasks (refused_for) WHERE refused_for IS NOT NULL;
CREATE INDEX tasks_by_origin ON tasks (origin) WHERE origin IS NOT NULL;
CREATE INDEX tasks_by_caller ON tasks (caller) WHERE next_at IS NOT NULL;

-- Times and steps that must survive a restart: the last trusted time, whether the sample library is complete.
CREATE TABLE marks (
    name  TEXT   PRIMARY KEY NOT NULL,
    value BIGINT NOT NULL
);

-- The key of signed addresses: one row.
CREATE TABLE signing_keys (
    key TEXT PRIMARY KEY NOT NULL
);

-- What the account uses of its CRM limits; a file of usage fills all of it.
CREATE TABLE crm_limits (
    custom_properties       BIGINT NOT NULL,
    calculated_properties   BIGINT NOT NULL,
    custom_object_types     BIGINT NOT NULL,
    custom_object_records   BIGINT NOT NULL,
    custom_object_pipelines BIGINT NOT NULL
);

CREATE TABLE crm_object_types (
    id                    TEXT   PRIMARY KEY NOT NULL,
    -- order in which reports list the types
    position              BIGINT NOT NULL,
    singular_label        TEXT   NOT NULL,
    plural_label          TEXT   NOT NULL,
    property_limit        BIGINT NOT NULL,
    property_usage        BIGINT NOT NULL,
    calculated_properties BIGINT NOT NULL,
    record_usage          BIGINT NOT NULL,
    -- none for a custom type: these share limits of the account
    record_limit          BIGINT,
    -- none for a type without pipelines
    pipeline_usage        BIGINT,
    pipeline_limit        BIGINT
);

CREATE TABLE crm_associations (
    from_type    TEXT   NOT NULL REFERENCES crm_object_types (id),
    to_type      TEXT   NOT NULL REFERENCES crm_object_types (id),
    position     BIGINT NOT NULL,
    label_limit  BIGINT NOT NULL,
    record_limit BIGINT NOT NULL,
    PRIMARY KEY (from_type, to_type)
);

CREATE TABLE crm_association_labels (
    from_type TEXT   NOT NULL,
    to_type   TEXT   NOT NULL,
    position  BIGINT NOT NULL,
    label     TEXT   NOT NULL,
    PRIMARY KEY (from_type, to_type, position),
    FOREIGN KEY (from_type, to_type) REFERENCES crm_associations (from_type, to_type)
);

CREATE TABLE crm_association_records (
    from_type TEXT   NOT NULL,
    to_type   TEXT   NOT NULL,
    object_id BIGINT NOT NULL,
    label     TEXT   NOT NULL,
    usage     BIGINT NOT NULL,
    PRIMARY KEY (from_type, to_type, object_id),
    FOREIGN KEY (from_type, to_type) REFERENCES crm_associations (from_type, to_type)
);

-- A page of a folder costs the same however large the folder is: one index for each order, read in both directions. It
-- holds what decides whether a file is listed at all, so that the files before the page are counted and not read.
CREATE INDEX files_in_folder_by_id ON files (COALESCE(folder_id, 0), id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_name ON files (COALESCE(folder_id, 0), stem_folded, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_extension ON files (COALESCE(folder_id, 0), lower(extension), id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_kind ON files (COALESCE(folder_id, 0), kind, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_access ON files (COALESCE(folder_id, 0), access, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_size ON files (COALESCE(folder_id, 0), size, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_height ON files (COALESCE(folder_id, 0), height, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_width ON files (COALESCE(folder_id, 0), width, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_creation ON files (COALESCE(folder_id, 0), created_at, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_update ON files (COALESCE(folder_id, 0), updated_at, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_expiry ON files (COALESCE(folder_id, 0), expires_at, id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';

-- folders_by_place serves the order by id.
CREATE INDEX folders_in_folder_by_name ON folders (COALESCE(parent_id, 0), name_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_in_folder_by_creation ON folders (COALESCE(parent_id, 0), created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_in_folder_by_update ON folders (COALESCE(parent_id, 0), updated_at, id) WHERE deleted_at IS NULL;

-- Searches over the whole account, in the orders that the screen asks for: one index for each, read in both directions.
-- The one by name holds what most searches filter by, so that files that are left out are not read.
CREATE INDEX files_anywhere_by_name ON files (stem_folded, id, expires_at, access, kind, extension, size, updated_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_size ON files (size, id, expires_at, access)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_update ON files (updated_at, id, expires_at, access)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_creation ON files (created_at, id, expires_at, access)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX folders_anywhere_by_name ON folders (name_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX files_anywhere_by_access ON files (access, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_expiry ON files (expires_at, id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX folders_anywhere_by_creation ON folders (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_anywhere_by_update ON folders (updated_at, id) WHERE deleted_at IS NULL;

-- Searches over the account by what a file is. What is equal in one of these is read
-- in the order of ids; what few files have leads to them, in any order.
CREATE INDEX files_anywhere_by_extension ON files (lower(extension), id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_kind ON files (kind, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_encoding ON files (encoding, id, expires_at)
    WHERE encoding IS NOT NULL AND deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_usability ON files (usable, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_height ON files (height, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_width ON files (width, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';

-- Which files have which three characters in a row in their names, so that a part that few names have leads to them. The
-- index is filled behind the changes, in lots: `names_indexed` says up to which id, `names_changed` which names below that
-- are new. What it names is only likely to match, since it keeps old names until it is emptied.
CREATE VIRTUAL TABLE name_index USING fts5(
    stem_folded, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
);
-- Two segments of one size are merged: a search reads few of them.
INSERT OR REPLACE INTO name_index_config (k, v) VALUES ('usermerge', 2);
CREATE TABLE names_indexed (upto BIGINT NOT NULL);
INSERT INTO names_indexed (upto) VALUES (0);
CREATE TABLE names_changed (id BIGINT PRIMARY KEY NOT NULL);
CREATE TRIGGER names_change AFTER UPDATE OF stem_folded ON files
WHEN NEW.stem_folded <> OLD.stem_folded AND NEW.id <= (SELECT upto FROM names_indexed)
BEGIN
    INSERT OR IGNORE INTO names_changed (id) VALUES (NEW.id);
END;
