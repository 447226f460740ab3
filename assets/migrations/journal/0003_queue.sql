-- What was asked for at once, and its jobs one by one: takes the place of tasks and transfers.
CREATE TABLE batch (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    account    TEXT    NOT NULL,
    run        TEXT    NOT NULL, -- the process that it belongs to
    script     INTEGER NOT NULL, -- 1 if no screen asked for it: no screen goes on with it by itself
    verb       TEXT    NOT NULL, -- of its first job
    label      TEXT    NOT NULL, -- safe to show
    rank       INTEGER NOT NULL, -- what has less comes first
    held       TEXT,             -- 'paused' or 'restarted': waits for a key
    done       INTEGER NOT NULL DEFAULT 0, -- jobs that are done and whose rows are gone
    moved      INTEGER NOT NULL DEFAULT 0, -- and their bytes
    asked_at   INTEGER NOT NULL, -- epoch milliseconds, as all times here
    started_at INTEGER,
    ended_at   INTEGER
) STRICT;

CREATE INDEX batch_of_account ON batch (account, run);

CREATE TABLE item (
    batch  INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
    number INTEGER NOT NULL, -- its place in the batch
    job    TEXT    NOT NULL, -- JSON
    partly INTEGER NOT NULL, -- 1 if the job lacks what must not be written down
    bytes  INTEGER,          -- how many it moves, if that is known
    state  TEXT    NOT NULL, -- 'waiting', 'sent', 'doubt', 'done', 'failed' or 'cancelled'
    task   TEXT,             -- the service's own task behind it
    error  TEXT,             -- JSON
    PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX item_of_state ON item (batch, state, number);

INSERT INTO batch (account, run, script, verb, label, rank, asked_at)
SELECT account, '', 0, CASE kind WHEN 'import' THEN 'import' ELSE 'update_folder' END, source || ' -> ' || target,
       0, started_at
FROM task;

INSERT INTO item (batch, number, job, partly, state, task)
SELECT batch.number, 0,
       CASE task.kind
           WHEN 'import' THEN json_object('Import', json_object(
               'request', json_object('url', task.source, 'access', 'PRIVATE'), 'folder', task.target))
           ELSE json_object('UpdateFolder', json_object(
               'folder', task.folder, 'from', task.source,
               'name', replace(task.target, rtrim(task.target, replace(task.target, '/', '')), '')))
       END,
       1, 'doubt', task.id
FROM task
JOIN batch ON batch.account = task.account AND batch.asked_at = task.started_at
          AND batch.label = task.source || ' -> ' || task.target
GROUP BY task.account, task.kind, task.id;

DROP TABLE task;
DROP TABLE transfer;
