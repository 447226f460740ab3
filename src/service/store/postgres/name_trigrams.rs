//! The choice of trigrams for a search by a part of a name. With all trigrams of the part, the
//! index would walk the long lists of those that most names share. With rare ones alone it walks
//! short lists, and the names found are then compared with the whole part.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::tables::PostgresTables;
use crate::service::store::error::StoreError;

/// PostgreSQL renews its statistics now and then.
const VALID_FOR: Duration = Duration::from_mins(1);
/// The largest share of names that a leading trigram may have: all names that have it may be read
/// and sorted.
const MOST_NAMES: f32 = 0.01;
/// Each further trigram is one more list to walk and rules out few more names.
const MOST_TRIGRAMS: usize = 3;

/// The most common trigrams with the share of names that have them (`0002_statistics.sql`).
/// PostgreSQL returns one share per trigram and then three more values, which summarize all of
/// them.
const COMMON: &str = "SELECT trigram, share FROM pg_stats_ext_exprs,
       unnest(most_common_elems::TEXT::TEXT[], most_common_elem_freqs) AS common (trigram, share)
     WHERE statistics_schemaname = current_schema() AND statistics_name = 'name_trigrams' AND trigram IS NOT NULL";

/// The shares of trigrams among the names of all files. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct NameTrigrams(Arc<Mutex<Option<TrigramShares>>>);

#[derive(Debug)]
struct TrigramShares {
    read_at: Instant,
    shares: Arc<HashMap<String, f32>>,
}

impl NameTrigrams {
    /// Returns the rarest trigrams of a part of a name, which must be in the form in which names
    /// are stored. Empty if all are common, if the part has only letters beyond ASCII, which the
    /// index encodes differently, and as long as there are no statistics.
    pub(super) fn rare(
        &self,
        tables: &PostgresTables<'_>,
        part: &str,
    ) -> Result<Vec<String>, StoreError> {
        let shares = self.shares(tables)?;
        Ok(rarest(part, &shares))
    }

    fn shares(&self, tables: &PostgresTables<'_>) -> Result<Arc<HashMap<String, f32>>, StoreError> {
        let known = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .and_then(TrigramShares::still_valid);
        if let Some(shares) = known {
            return Ok(shares);
        }
        let counted = tables.all(COMMON, &[], |row| Ok((row.try_get(0)?, row.try_get(1)?)))?;
        let shares = Arc::new(HashMap::from_iter(counted));
        let counted = TrigramShares {
            read_at: Instant::now(),
            shares: shares.clone(),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(counted);
        Ok(shares)
    }
}

impl TrigramShares {
    fn still_valid(&self) -> Option<Arc<HashMap<String, f32>>> {
        (self.read_at.elapsed() < VALID_FOR).then(|| self.shares.clone())
    }
}

fn rarest(part: &str, shares: &HashMap<String, f32>) -> Vec<String> {
    if shares.is_empty() || !part.is_ascii() {
        return Vec::new();
    }
    let words = part
        .as_bytes()
        .windows(3)
        .filter(|trigram| trigram.iter().all(u8::is_ascii_alphanumeric));
    let trigrams: BTreeSet<String> = words
        .map(|trigram| String::from_utf8_lossy(trigram).into_owned())
        .collect();
    // A trigram that is not listed is rarer than all that are.
    let share = |trigram: &String| shares.get(trigram).copied().unwrap_or_default();
    let mut rare: Vec<String> = trigrams
        .into_iter()
        .filter(|trigram| share(trigram) <= MOST_NAMES)
        .collect();
    rare.sort_by(|one, other| share(one).total_cmp(&share(other)));
    rare.truncate(MOST_TRIGRAMS);
    rare
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::the_rarest_lead("file-7919079", &["079", "919", "791"])]
    #[case::a_word_that_all_have("file", &[])]
    #[case::no_trigram_across_words("e-7.91", &[])]
    #[case::once("aaaaaa", &["aaa"])]
    #[case::short("79", &[])]
    #[case::beyond_ascii("größe-791", &[])]
    fn few_rare_trigrams_of_a_part_lead(#[case] part: &str, #[case] expected: &[&str]) {
        let shares = [
            ("fil", 1.0),
            ("ile", 1.0),
            ("791", 0.004),
            ("919", 0.003),
            ("190", 0.02),
            ("907", 0.008),
        ];
        let shares = shares
            .map(|(trigram, share)| (trigram.to_owned(), share))
            .into();
        assert_eq!(rarest(part, &shares), expected);
    }

    #[test]
    fn nothing_leads_before_anything_was_counted() {
        assert!(rarest("file-7919", &HashMap::new()).is_empty());
    }
}
