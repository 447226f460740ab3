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
