-- Searches over the account by what a file is, and the orders that had no index yet. What is equal in one of these is read
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

-- Sorted as they are searched for: in any case.
DROP INDEX files_in_folder_by_extension;
CREATE INDEX files_in_folder_by_extension ON files (COALESCE(folder_id, 0), lower(extension), id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
