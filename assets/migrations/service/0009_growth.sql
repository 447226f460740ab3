-- A million files cost what a thousand do: orders over the account that had no index yet, read in both directions, and
-- bytes that nothing names by their age.
CREATE INDEX files_anywhere_by_access ON files (access, id, expires_at)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX files_anywhere_by_expiry ON files (expires_at, id)
    WHERE deleted_at IS NULL AND access NOT LIKE 'HIDDEN%';
CREATE INDEX folders_anywhere_by_creation ON folders (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX folders_anywhere_by_update ON folders (updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX unused_blobs_by_age ON unused_blobs (since, blob);

-- Files of a content in the order of their ids. One index leads to them: what has the SHA-256 has the MD5, too.
DROP INDEX files_by_content;
DROP INDEX files_by_md5;
CREATE INDEX files_by_md5 ON files (md5, id) WHERE deleted_at IS NULL;
