-- Two segments of the index of names that are of one size are merged: a search reads few of them. The index is filled anew, as
-- nobody knows whether it is sound.
INSERT OR REPLACE INTO name_index_config (k, v) VALUES ('version', 4), ('usermerge', 2);
INSERT INTO name_index (name_index) VALUES ('delete-all');
DELETE FROM names_changed;
UPDATE names_indexed SET upto = 0;
