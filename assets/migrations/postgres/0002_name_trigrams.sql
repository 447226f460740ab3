-- How many names have which trigram, as far as ANALYZE has looked (`name_trigrams.rs`).
CREATE STATISTICS name_trigrams ON (show_trgm(stem_folded)) FROM files;
