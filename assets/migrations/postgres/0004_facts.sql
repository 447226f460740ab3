-- Searches over the account by what a file is, and the orders that had no index yet.
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

-- The files before a page are counted in the index alone. PostgreSQL does that only if the index has every column that the
-- query names, also those of its expressions.
DROP INDEX files_in_folder_by_id,
    files_in_folder_by_name,
    files_in_folder_by_extension,
    files_in_folder_by_kind,
    files_in_folder_by_access,
    files_in_folder_by_size,
    files_in_folder_by_height,
    files_in_folder_by_width,
    files_in_folder_by_creation,
    files_in_folder_by_update,
    files_in_folder_by_expiry;
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

CREATE STATISTICS files_of_extension ON (lower(extension)) FROM files;
-- Without it, two of three files count as expired.
CREATE STATISTICS files_by_end ON (COALESCE(expires_at, 9223372036854775807)) FROM files;

-- Has the next start count, where there is something.
INSERT INTO marks (name, value)
    SELECT 'unscrubbed', (extract(EPOCH FROM now()) * 1000)::BIGINT WHERE EXISTS (SELECT FROM files)
    ON CONFLICT (name) DO UPDATE SET value = marks.value;
