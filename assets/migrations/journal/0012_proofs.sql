-- What a receipt shows beside path and times: the content as it was last seen, and the answer of the service. NULL where it is not known.
ALTER TABLE receipt ADD COLUMN size INTEGER; -- bytes
ALTER TABLE receipt ADD COLUMN md5 TEXT; -- lowercase hex
ALTER TABLE receipt ADD COLUMN status INTEGER; -- of HTTP
ALTER TABLE receipt ADD COLUMN correlation_id TEXT;

ALTER TABLE deletion ADD COLUMN size INTEGER;
ALTER TABLE deletion ADD COLUMN md5 TEXT;

ALTER TABLE noted_file ADD COLUMN size INTEGER;
ALTER TABLE noted_file ADD COLUMN md5 TEXT;
