-- What a task tells of a file has to go with the file.
-- the address that an import fetches
ALTER TABLE tasks ADD COLUMN origin TEXT;
-- the file because of which an import was refused; the error names it
ALTER TABLE tasks ADD COLUMN refused_for BIGINT;
CREATE INDEX tasks_by_origin ON tasks (origin) WHERE origin IS NOT NULL;
CREATE INDEX tasks_by_refusal ON tasks (refused_for) WHERE refused_for IS NOT NULL;
CREATE INDEX folders_by_deletion ON folders (deleted_at) WHERE deleted_at IS NOT NULL;
