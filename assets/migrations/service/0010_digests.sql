-- What is kept of all bytes of a file is made of the sums of its blocks, which are taken anyway. Rows of before keep their
-- SHA-256, which has no kind before it.
ALTER TABLE files RENAME COLUMN sha256 TO digest;
