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
    error        TEXT
);
CREATE INDEX tasks_by_turn ON tasks (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX tasks_by_result ON tasks (result_id) WHERE result_id IS NOT NULL;

-- Times and steps that must survive a restart: the last trusted time, whether the sample library is complete.
CREATE TABLE marks (
    name  TEXT   PRIMARY KEY NOT NULL,
    value BIGINT NOT NULL
);
