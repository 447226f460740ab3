-- The key of signed addresses: one row.
CREATE TABLE signing_keys (
    key TEXT PRIMARY KEY NOT NULL
);

-- The name of the token that requested a task, so that each gets its turn.
ALTER TABLE tasks ADD COLUMN caller TEXT;
CREATE INDEX tasks_by_caller ON tasks (caller) WHERE next_at IS NOT NULL;
