-- Where a download leaves its part, should it be killed: the next run sweeps it.
ALTER TABLE transfer ADD COLUMN folder TEXT; -- of this machine; none for uploads
