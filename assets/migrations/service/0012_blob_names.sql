-- From this form on the name of a blob says whether its row was ever answered: see docs/guarantees.md. Earlier versions
-- would give blobs other names.

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
