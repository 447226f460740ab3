-- How often what is to be done was changed. The file beside the journal knows it, too, as long as something is unfinished.
CREATE TABLE changes (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    count INTEGER NOT NULL
) STRICT;

INSERT INTO changes VALUES (1, 0);
