//! The index of the names of files by trigrams (`0011_names.sql`): what leads to a part of a name, how it is filled and
//! emptied. It is a hint: it may lead to files without that part, and what waits to be filled in is looked through beside it.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::connections::open;
use super::tables::SqliteTables;
use crate::service::store::error::StoreError;

/// Names wait until they are so many: each chunk costs a commit, and a few can be scanned quickly.
pub(super) const LEAST: u32 = 128;

/// Other changes wait for a chunk.
const FILL: &str = "
    INSERT INTO name_index (rowid, stem_folded)
      SELECT id, stem_folded FROM files WHERE id IN (SELECT id FROM names_changed) ORDER BY id;
    DELETE FROM names_changed;
    INSERT INTO name_index (rowid, stem_folded)
      SELECT id, stem_folded FROM files WHERE id > (SELECT upto FROM names_indexed) ORDER BY id LIMIT 1000;
    UPDATE names_indexed SET upto = COALESCE((SELECT MAX(id) FROM
      (SELECT id FROM files WHERE id > upto ORDER BY id LIMIT 1000)), upto)";

/// A chunk is a segment of its own, and a search reads them all. Other changes wait for some milliseconds.
const MERGE: &str = "INSERT INTO name_index (name_index, rank) VALUES ('merge', 64)";

/// Old names and those of erased files go with all others. An index that has lost its configuration could not be emptied.
pub(super) const EMPTY: &str = "
    INSERT OR REPLACE INTO name_index_config (k, v) VALUES ('version', 4), ('usermerge', 2);
    INSERT INTO name_index (name_index) VALUES ('delete-all');
    DELETE FROM names_changed;
    UPDATE names_indexed SET upto = 0";

/// What is not in the index.
macro_rules! waiting {
    () => {
        "SELECT id FROM names_changed UNION ALL SELECT id FROM files WHERE id > (SELECT upto FROM names_indexed)"
    };
}

/// Those three that the fewest files have: the id of the thirtieth file with a trigram says how rare that is, and where there is
/// none, how many files there are. What all files have would take longer to look up than what three rare ones leave to be
/// looked at.
const RAREST: &str = "SELECT group_concat(word, ' ') FROM (
       SELECT value AS word FROM json_each(?1) ORDER BY (
         SELECT iif(COUNT(*) < 30, 9223372036854775807 - COUNT(*), MAX(id))
         FROM (SELECT rowid AS id FROM name_index WHERE name_index MATCH value LIMIT 30)
       ) DESC LIMIT 3)";

const CANDIDATES: &str =
    concat!("SELECT rowid FROM name_index WHERE name_index MATCH ?1 UNION ALL ", waiting!(), " LIMIT ");

impl SqliteTables<'_> {
    /// The ids of all files that may have a part in their names, and of some others, if these are no more than `most`. The
    /// part is in the form in which names are stored. None if it is too short, too.
    pub(super) fn candidates(&self, part: &str, most: u32) -> Result<Option<Vec<i64>>, StoreError> {
        let Some(trigrams) = trigrams(part) else { return Ok(None) };
        let rarest: String = self.value(RAREST, [trigrams])?;
        // In words: SQLite plans again for each value that is bound here.
        let query = format!("{CANDIDATES}{}", u64::from(most) + 1);
        let ids = self.all(&query, [rarest], |row| row.get(0))?;
        Ok(if ids.len() > most as usize { None } else { Some(ids) })
    }
}

/// What to ask the index for, as a JSON list.
fn trigrams(part: &str) -> Option<String> {
    let chars: Vec<char> = part.chars().collect();
    // No name has NUL, and SQLite reads no further than that.
    if chars.len() < 3 || chars.contains(&'\0') {
        return None;
    }
    let quoted = chars.windows(3).map(|trigram| {
        let trigram: String = trigram.iter().collect();
        format!("\"{}\"", trigram.replace('"', "\"\""))
    });
    Some(serde_json::json!(quoted.collect::<BTreeSet<_>>()).to_string())
}

/// Fills in a chunk of names, if there are enough. False if not.
pub(super) fn fill_chunk(connection: &mut Connection) -> Result<bool, StoreError> {
    let waiting = concat!("SELECT COUNT(*) FROM (", waiting!(), " LIMIT ");
    let transaction = connection.transaction()?;
    if SqliteTables(&transaction).value::<u32>(&format!("{waiting}{LEAST})"), [])? < LEAST {
        return Ok(false);
    }
    transaction.execute_batch(FILL)?;
    transaction.commit()?;
    Ok(true)
}

/// Merges some of the segments of the index that are of one size. False if no two are.
pub(super) fn merge_some(connection: &mut Connection) -> Result<bool, StoreError> {
    let before = connection.total_changes();
    connection.execute(MERGE, [])?;
    // SQLite says so: the statement itself is a change.
    Ok(connection.total_changes() - before >= 2)
}

/// Takes everything out of the index, damaged or not: all names wait to be filled in.
pub(super) fn empty(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(EMPTY)?;
    Ok(transaction.commit()?)
}

/// As `empty`, in a copy of a database, and leaves nothing of it in pages that are free.
pub(super) fn empty_copy(file: &Path) -> Result<(), StoreError> {
    let mut connection = open(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    empty(&mut connection)?;
    Ok(connection.execute_batch("VACUUM")?)
}

#[cfg(test)]
mod tests;
