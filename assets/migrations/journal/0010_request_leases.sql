-- What processes took of the account's budget of requests, until it is available again, in milliseconds since 1970.
CREATE TABLE request_lease (
    id          INTEGER PRIMARY KEY,
    account     TEXT NOT NULL,
    requests    INTEGER NOT NULL,
    is_transfer INTEGER NOT NULL,
    until       INTEGER NOT NULL
) STRICT;

CREATE INDEX request_lease_by_account ON request_lease (account);
