-- The first 16 bytes of BLAKE3 of every 128 KiB of a blob, in their order, so that a part of it is checked as it goes out
-- and the whole need not be read first. Blobs of one block have no row: the sha256 of their file says as much. Nor have
-- blobs of before; the first read of one checks all of it against that sha256 and adds its row.
CREATE TABLE block_sums (
    blob TEXT PRIMARY KEY NOT NULL,
    sums BLOB NOT NULL
);
