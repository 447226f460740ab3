//! The trigram index of file names (`0011_names.sql`): the candidates for a part of a name, and how
//! it is filled and emptied. It is a hint: it may return files without that part, and names that
//! are not indexed yet are searched as well.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::connections::open;
use super::tables::SqliteTables;
use crate::service::store::error::StoreError;

/// The minimum number of names to index: each chunk costs a commit, and a few names can be scanned
/// quickly.
pub(super) const LEAST: u32 = 128;

/// Limited to chunks, since other changes wait meanwhile.
const FILL: &str = "
    INSERT INTO name_index (rowid, stem_folded)
      SELECT id, stem_folded FROM files WHERE id IN (SELECT id FROM names_changed) ORDER BY id;
    DELETE FROM names_changed;
    INSERT INTO name_index (rowid, stem_folded)
      SELECT id, stem_folded FROM files WHERE id > (SELECT upto FROM names_indexed) ORDER BY id LIMIT 1000;
    UPDATE names_indexed SET upto = COALESCE((SELECT MAX(id) FROM
      (SELECT id FROM files WHERE id > upto ORDER BY id LIMIT 1000)), upto)";

/// Merges segments: each chunk is one, and a search reads them all. Other changes wait for some
/// milliseconds.
const MERGE: &str = "INSERT INTO name_index (name_index, rank) VALUES ('merge', 64)";

/// Removes all names, even old and erased ones, after restoring the configuration that this needs.
pub(super) const EMPTY: &str = "
    INSERT OR REPLACE INTO name_index_config (k, v) VALUES ('version', 4), ('usermerge', 2);
    INSERT INTO name_index (name_index) VALUES ('delete-all');
    DELETE FROM names_changed;
    UPDATE names_indexed SET upto = 0";

macro_rules! waiting {
    () => {
        "SELECT id FROM names_changed UNION ALL SELECT id FROM files WHERE id > (SELECT upto FROM names_indexed)"
    };
}

/// The three rarest trigrams. The id of the thirtieth file with a trigram shows its rarity, or the
/// number of files if there are fewer. Looking up common trigrams would take longer than comparing
/// the names that rare ones leave.
const RAREST: &str = "SELECT group_concat(word, ' ') FROM (
       SELECT value AS word FROM json_each(?1) ORDER BY (
         SELECT iif(COUNT(*) < 30, 9223372036854775807 - COUNT(*), MAX(id))
         FROM (SELECT rowid AS id FROM name_index WHERE name_index MATCH value LIMIT 30)
       ) DESC LIMIT 3)";

const CANDIDATES: &str = concat!(
    "SELECT rowid FROM name_index WHERE name_index MATCH ?1 UNION ALL ",
    waiting!(),
    " LIMIT "
);

impl SqliteTables<'_> {
    /// Returns the ids of all files whose names may contain a part, and perhaps of some others;
    /// `None` if these are more than `most`, or if the part is too short. The part must be in the
    /// form in which names are stored.
    pub(super) fn candidates(&self, part: &str, most: u32) -> Result<Option<Vec<i64>>, StoreError> {
        let Some(trigrams) = trigrams(part) else {
            return Ok(None);
        };
        let rarest: String = self.value(RAREST, [trigrams])?;
        // A literal, since SQLite would plan again for each bound value here.
        let query = format!("{CANDIDATES}{}", u64::from(most) + 1);
        let ids = self.all(&query, [rarest], |row| row.get(0))?;
        Ok(if ids.len() > most as usize {
            None
        } else {
            Some(ids)
        })
    }
}

fn trigrams(part: &str) -> Option<String> {
    let chars: Vec<char> = part.chars().collect();
    // No name contains NUL, and SQLite would read no further.
    if chars.len() < 3 || chars.contains(&'\0') {
        return None;
    }
    let quoted = chars.windows(3).map(|trigram| {
        let trigram: String = trigram.iter().collect();
        format!("\"{}\"", trigram.replace('"', "\"\""))
    });
    Some(serde_json::json!(quoted.collect::<BTreeSet<_>>()).to_string())
}

/// Indexes a chunk of names if enough are waiting; returns `false` otherwise.
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

/// Merges some segments of equal size. Returns `false` if there are none.
pub(super) fn merge_some(connection: &mut Connection) -> Result<bool, StoreError> {
    let before = connection.total_changes();
    connection.execute(MERGE, [])?;
    // The documented check for work done: the statement itself counts as one change.
    Ok(connection.total_changes() - before >= 2)
}

/// Removes everything from the index, damaged or not; all names then wait to be indexed.
pub(super) fn empty(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(EMPTY)?;
    Ok(transaction.commit()?)
}

/// Like `empty`, in a copy of a database; also wipes the free pages.
pub(super) fn empty_copy(file: &Path) -> Result<(), StoreError> {
    let mut connection = open(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    empty(&mut connection)?;
    Ok(connection.execute_batch("VACUUM")?)
}

#[cfg(test)]
mod tests;
