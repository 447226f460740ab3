-- Folders of a folder, files of a content, tasks that are over: found without a look at all others.
CREATE INDEX folders_by_place ON folders (COALESCE(parent_id, 0), id) WHERE deleted_at IS NULL;
CREATE INDEX files_by_md5 ON files (md5) WHERE deleted_at IS NULL;
CREATE INDEX tasks_by_end ON tasks (completed_at) WHERE completed_at IS NOT NULL;
