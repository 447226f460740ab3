-- A page of a folder costs the same however large the folder is: one index for each order, read in both directions. It
-- holds what decides whether a file is listed at all, so that the files before the page are counted and not read.
CREATE INDEX files_in_folder_by_id ON files (COALESCE(folder_id, 0), id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_name ON files (COALESCE(folder_id, 0), stem_folded, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_in_folder_by_extension ON files (COALESCE(folder_id, 0), extension, id, expires_at)
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
