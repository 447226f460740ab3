-- Two segments of the index of names that are of one size are merged: a search reads few of them.
INSERT INTO name_index (name_index, rank) VALUES ('usermerge', 2);
