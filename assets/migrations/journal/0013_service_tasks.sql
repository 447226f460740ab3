-- The ids of the service's own tasks. item.task is the one to watch, and is forgotten when it has failed; these stay as long as the batch.
CREATE TABLE service_task (
    batch  INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
    number INTEGER NOT NULL, -- of the item, which may be forgotten before
    id     TEXT    NOT NULL,
    PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

INSERT INTO service_task (batch, number, id) SELECT batch, number, task FROM item WHERE task IS NOT NULL;
