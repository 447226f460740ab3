-- How much of the account's limits was used, hour by hour.
CREATE TABLE gauge (
    number  INTEGER PRIMARY KEY,
    account TEXT    NOT NULL,
    name    TEXT    NOT NULL, -- of its report, and of what it is about
    UNIQUE (account, name)
) STRICT;

CREATE TABLE reading (
    gauge INTEGER NOT NULL REFERENCES gauge ON DELETE CASCADE,
    hour  INTEGER NOT NULL, -- since the epoch; the last reading in it is kept
    used  INTEGER NOT NULL,
    most  INTEGER NOT NULL, -- the limit at that time
    PRIMARY KEY (gauge, hour)
) STRICT, WITHOUT ROWID;
