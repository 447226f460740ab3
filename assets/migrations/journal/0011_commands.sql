-- A sum of the command line that asked for it, which tells one from another: a later run of the same one that ends well
-- makes superfluous what an earlier one left.
ALTER TABLE batch ADD COLUMN command TEXT;
