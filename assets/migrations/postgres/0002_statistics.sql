-- What PostgreSQL is to count besides columns.

-- How many names have which trigram (`name_trigrams.rs`).
CREATE STATISTICS name_trigrams ON (show_trgm(stem_folded)) FROM files;

-- What the partial indexes know of these does not count for their tables: each folder was taken for one with a two-hundredth of all files.
CREATE STATISTICS files_in_folder ON (COALESCE(folder_id, 0)) FROM files;
CREATE STATISTICS folders_in_folder ON (COALESCE(parent_id, 0)) FROM folders;

-- Trigrams that nobody has counted count as rare.
ALTER TABLE files SET (autovacuum_analyze_scale_factor = 0.01);

-- Has the first start count, where there is something.
INSERT INTO marks (name, value)
    SELECT 'unscrubbed', (extract(EPOCH FROM now()) * 1000)::BIGINT WHERE EXISTS (SELECT FROM files)
    ON CONFLICT (name) DO UPDATE SET value = marks.value;
