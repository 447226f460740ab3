-- Which files have which three characters in a row in their names, so that a part that few names have leads to them. The
-- index is filled behind the changes, in lots: `names_indexed` says up to which id, `names_changed` which names below that
-- are new. What it names is only likely to match, since it keeps old names until it is emptied.
CREATE VIRTUAL TABLE name_index USING fts5(
    stem_folded, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
);
CREATE TABLE names_indexed (upto BIGINT NOT NULL);
INSERT INTO names_indexed (upto) VALUES (0);
CREATE TABLE names_changed (id BIGINT PRIMARY KEY NOT NULL);
CREATE TRIGGER names_change AFTER UPDATE OF stem_folded ON files
WHEN NEW.stem_folded <> OLD.stem_folded AND NEW.id <= (SELECT upto FROM names_indexed)
BEGIN
    INSERT OR IGNORE INTO names_changed (id) VALUES (NEW.id);
END;
