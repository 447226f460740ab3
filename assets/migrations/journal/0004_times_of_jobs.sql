-- When a job was worked on, for the list of a batch's jobs: epoch milliseconds.
ALTER TABLE item ADD COLUMN began INTEGER;
ALTER TABLE item ADD COLUMN ended INTEGER;
