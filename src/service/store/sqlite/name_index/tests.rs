//! Searches by name are right whatever the index contains, and the index keeps nothing that is to
//! be erased.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rstest::rstest;
use rusqlite::params;

use super::*;
use crate::service::domain::names::fold;
use crate::service::store::query_plans::{carry_out, number, open, plan, store};
use crate::service::store::{
    Audit, CommonFilter, FileChange, FileFilter, FileKey, ScrubDelay, ServiceFlag, Store, Window,
};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// A store with the unfolded names that it must find, by id.
struct Library {
    dir: tempfile::TempDir,
    store: Store,
    names: BTreeMap<i64, String>,
    random: u64,
}

impl Library {
    async fn of(files: usize) -> Self {
        let (dir, store) = store().await;
        let mut library = Self {
            dir,
            store,
            names: BTreeMap::new(),
            random: 1,
        };
        library.add(files).await;
        library
    }

    fn below(&mut self, end: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.random >> 33).unwrap() % end
    }

    /// Returns a name from few characters, so that parts match often, most of them special to
    /// patterns or encodings.
    fn name(&mut self) -> String {
        let letters = [
            "a", "B", "%", "_", "\\", "\"", "'", "Ü", "ß", "İ", "Σ", "日", "🦀", "e\u{301}", " ",
            "-", "*", ".",
        ];
        let name: String = (0..=self.below(9))
            .map(|_| letters[self.below(letters.len())])
            .collect();
        // No name begins or ends with a blank.
        format!("x{name}x")
    }

    async fn add(&mut self, files: usize) {
        for _ in 0..files {
            let id = self.names.last_key_value().map_or(1, |(id, _)| id + 1);
            let name = self.name();
            insert(&self.store, id, &name).await;
            self.names.insert(id, name);
        }
    }

    fn any(&mut self) -> i64 {
        let at = self.below(self.names.len());
        *self.names.keys().nth(at).unwrap()
    }

    async fn rename(&mut self, id: i64, name: String) {
        let change = FileChange {
            stem: Some(name.clone()),
            ..FileChange::default()
        };
        self.store
            .update_file(FileKey(id), change, NOW)
            .await
            .unwrap();
        self.names.insert(id, name);
    }

    async fn erase(&mut self, id: i64) {
        self.store.request_erasure(FileKey(id), NOW).await.unwrap();
        self.store.erase_files(&[FileKey(id)]).await.unwrap();
        self.names.remove(&id);
    }

    async fn check(&mut self) {
        for _ in 0..20 {
            let id = self.any();
            let chars: Vec<char> = self.names[&id].chars().collect();
            let start = self.below(chars.len());
            let part: String = chars[start..].iter().take(1 + self.below(7)).collect();
            let absent = format!("{part}q");
            for part in [part.to_uppercase(), part, absent] {
                let expected: Vec<i64> = self.matching(&part).collect();
                assert_eq!(found(&self.store, &part).await, expected, "{part:?}");
            }
        }
    }

    fn matching(&self, part: &str) -> impl Iterator<Item = i64> {
        let part = fold(part);
        self.names
            .iter()
            .filter(move |(_, name)| fold(name).contains(&part))
            .map(|(id, _)| *id)
    }
}

async fn insert(store: &Store, id: i64, name: &str) {
    let statement = "INSERT INTO files (id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
           media_type, access, usable, source_group, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?1, ?2 || '.' || ?1, ?1, 1, '', '', 'OTHER', 'text/plain', 'PRIVATE', 1, 'CONTENT', 0, 0)";
    let name = name.to_owned();
    let inserted = store.embedded().unwrap().alone(move |connection| {
        Ok(connection.execute(statement, params![id, name, fold(&name)])?)
    });
    inserted.await.unwrap();
}

async fn found(store: &Store, part: &str) -> Vec<i64> {
    let common = CommonFilter {
        name_contains: Some(part.to_owned()),
        ..CommonFilter::default()
    };
    let filter = FileFilter {
        common,
        ..FileFilter::default()
    };
    let found = store
        .search_files(
            &filter,
            &[],
            Window {
                limit: 10_000,
                offset: 0,
            },
            NOW,
        )
        .await
        .unwrap();
    found.rows.into_iter().map(|file| file.key.0).collect()
}

async fn fill(store: &Store) {
    while store.embedded().unwrap().alone(fill_chunk).await.unwrap() {}
}

async fn candidates(store: &Store, part: &'static str, most: u32) -> Option<Vec<i64>> {
    store
        .embedded()
        .unwrap()
        .read(move |tables| tables.candidates(part, most))
        .await
        .unwrap()
}

async fn indexed(store: &Store) -> i64 {
    number(store, "SELECT upto FROM names_indexed").await
}

async fn until(is_so: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < Duration::from_mins(1));
        tokio::task::yield_now().await;
    }
}

// Fails without the trigger on changes, without the waiting names in the query, and if names are
// indexed unfolded.
#[tokio::test]
async fn a_part_of_a_name_finds_the_same_files_at_every_moment() {
    let mut library = Library::of(700).await;
    library.check().await;
    fill(&library.store).await;
    assert_eq!(indexed(&library.store).await, 700);
    library.check().await;
    for round in 0..20 {
        for _ in 0..10 {
            library.add(1).await;
            let (id, name) = (library.any(), library.name());
            library.rename(id, name).await;
            let id = library.any();
            library.store.delete_file(FileKey(id), NOW).await.unwrap();
            library.names.remove(&id);
            let id = library.any();
            library.erase(id).await;
        }
        library.check().await;
        if round % 5 == 4 {
            fill(&library.store).await;
            library.check().await;
        }
        if round == 12 {
            library.store.rewrite().await.unwrap();
            library.check().await;
        }
    }
    assert!(indexed(&library.store).await > 700);
    for part in ["%_\\", "\"'ü", "日🦀x"] {
        assert!(
            candidates(&library.store, part, 500).await.is_some(),
            "{part}"
        );
    }
}

#[rstest]
#[case::too_short("ab", None)]
#[case::one("abc", Some(r#"["\"abc\""]"#))]
#[case::several("abcd", Some(r#"["\"abc\"","\"bcd\""]"#))]
#[case::the_same("aaaa", Some(r#"["\"aaa\""]"#))]
#[case::characters("日🦀ü", Some(r#"["\"日🦀ü\""]"#))]
#[case::quotes("a\"b", Some(r#"["\"a\"\"b\""]"#))]
#[case::what_ends_a_text("abc\0", None)]
fn the_trigrams_of_a_part_are_asked_for_as_they_are(
    #[case] part: &str,
    #[case] expected: Option<&str>,
) {
    assert_eq!(trigrams(part).as_deref(), expected);
}

// Fails if the most frequent ones come first.
#[tokio::test]
async fn the_rarest_trigrams_lead() {
    let (_dir, store) = store().await;
    for id in 1..=300 {
        let name = if id % 100 == 0 {
            format!("common rare {id}")
        } else {
            format!("common {id}")
        };
        insert(&store, id, &name).await;
    }
    fill(&store).await;
    let few = async |part, most| candidates(&store, part, most).await;
    assert_eq!(few("common rare", 3).await, Some(vec![100, 200, 300]));
    assert_eq!(few("common rare", 2).await, None);
    assert_eq!(few("common", 299).await, None);
    assert!(few("common", 300).await.is_some());
    assert_eq!(few("uncommon", 0).await, Some(vec![]));
}

// Fails if the changes of a group are not counted.
#[tokio::test]
async fn the_index_is_filled_behind_many_changes() {
    let mut library = Library::of(200).await;
    for id in 1..=i64::from(LEAST) {
        assert_eq!(indexed(&library.store).await, 0);
        library.rename(id, format!("name-{id}")).await;
    }
    until(async || indexed(&library.store).await == 200).await;
    assert_eq!(found(&library.store, "NAME-77").await, [77]);
}

#[tokio::test]
async fn few_names_are_not_worth_a_commit() {
    let library = Library::of(100).await;
    fill(&library.store).await;
    assert_eq!(indexed(&library.store).await, 0);
}

// Fails without the merges, and with SQLite's own minimum of segments to merge.
#[rstest]
#[case::as_it_was_made("")]
#[case::made_anew("DELETE FROM name_index_config")]
#[tokio::test]
async fn chunks_are_merged_that_are_of_one_size(#[case] damage: &'static str) {
    let mut library = Library::of(0).await;
    carry_out(&library.store, damage).await;
    library
        .store
        .embedded()
        .unwrap()
        .alone(empty)
        .await
        .unwrap();
    for _ in 0..3 {
        library.add(LEAST as usize).await;
        fill(&library.store).await;
    }
    assert_eq!(segments(&library.store).await, 3);
    library.store.embedded().unwrap().fill_name_index();
    until(async || segments(&library.store).await == 1).await;
    assert!(
        !library
            .store
            .embedded()
            .unwrap()
            .alone(merge_some)
            .await
            .unwrap()
    );
    library.check().await;
}

async fn segments(store: &Store) -> u32 {
    let count = "SELECT COUNT(DISTINCT segid) FROM name_index_idx";
    store
        .embedded()
        .unwrap()
        .alone(move |connection| SqliteTables(connection).value(count, []))
        .await
        .unwrap()
}

/// Returns the number of matching trigrams in the index, and how often the bytes occur anywhere in
/// the store.
async fn remains(store: &Store, dir: &Path, part: &str) -> (i64, usize) {
    let terms =
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, name_index, row)";
    carry_out(store, terms).await;
    let terms = format!("SELECT COUNT(*) FROM temp.terms WHERE instr(term, '{part}')");
    let terms = store
        .embedded()
        .unwrap()
        .alone(move |connection| SqliteTables(connection).value(&terms, []))
        .await
        .unwrap();
    let files = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    let count = |bytes: Vec<u8>| {
        bytes
            .windows(part.len())
            .filter(|window| *window == part.as_bytes())
            .count()
    };
    (terms, files.map(count).sum())
}

// Fails if the rewrite leaves the index as it is.
#[tokio::test]
async fn nothing_of_an_erased_name_is_left_in_the_index() {
    let mut library = Library::of(200).await;
    library.rename(7, "a ☂☃ z".to_owned()).await;
    fill(&library.store).await;
    library.rename(7, "b ⌘✈ y".to_owned()).await;
    library.add(150).await;
    fill(&library.store).await;
    let dir = library.dir.path().to_owned();
    for part in ["☂☃", "⌘✈"] {
        let (terms, bytes) = remains(&library.store, &dir, part).await;
        assert!(terms == 2 && bytes > 0, "{part}");
    }
    library.erase(7).await;
    library.store.rewrite().await.unwrap();
    assert!(library.store.empty_log(ScrubDelay::LONG).await.unwrap());
    for _ in 0..2 {
        for part in ["☂☃", "⌘✈"] {
            assert_eq!(remains(&library.store, &dir, part).await, (0, 0), "{part}");
        }
        fill(&library.store).await;
    }
    assert_eq!(indexed(&library.store).await, 350);
    library.check().await;
}

// Fails if there is no search without the index.
#[rstest]
#[case::all_of_it("UPDATE name_index_data SET block = x'ffffffffffffffffff'")]
#[case::what_it_is_made_of(
    "UPDATE name_index_data SET block = x'ffffffffffffffffff' WHERE id = 10"
)]
#[case::its_leaves("UPDATE name_index_data SET block = x'00' WHERE id > 10")]
#[case::no_leaves("DELETE FROM name_index_data WHERE id > 10")]
#[tokio::test]
async fn a_damaged_index_costs_nothing_and_is_made_anew(#[case] damage: &'static str) {
    let mut library = Library::of(300).await;
    library.rename(7, "a rare name".to_owned()).await;
    fill(&library.store).await;
    let faults = async |library: &Library| {
        let audit = Audit::open(&library.dir.path().join("test.db"))
            .await
            .unwrap();
        audit.faults().await.unwrap()
    };
    assert_eq!(faults(&library).await, Vec::<String>::new());
    carry_out(&library.store, damage).await;
    assert!(!faults(&library).await.is_empty());
    assert_eq!(found(&library.store, "rare").await, [7]);
    library.rename(8, "another rare name".to_owned()).await;
    library.erase(9).await;
    library.check().await;
    until(async || faults(&library).await.is_empty() && indexed(&library.store).await == 300).await;
    library.check().await;
}

// Fails if the index is not emptied before it is filled, or if its configuration is not restored.
#[rstest]
#[case::all_of_it("UPDATE name_index_data SET block = x'ff'")]
#[case::its_configuration("DELETE FROM name_index_config")]
#[tokio::test]
async fn a_damaged_index_is_emptied_by_the_rewrite(#[case] damage: &'static str) {
    let mut library = Library::of(300).await;
    fill(&library.store).await;
    carry_out(&library.store, damage).await;
    // Connections cache the state of the index.
    library.store.close().await;
    library.store = open(&library.dir.path().join("test.db")).await;
    library.erase(9).await;
    library.store.rewrite().await.unwrap();
    assert!(library.store.empty_log(ScrubDelay::LONG).await.unwrap());
    assert_eq!(
        library.store.mark(ServiceFlag::Unscrubbed).await.unwrap(),
        None
    );
    fill(&library.store).await;
    library.check().await;
}

// Fails if an empty index is not emptied.
#[tokio::test]
async fn an_index_that_was_damaged_while_it_was_empty_is_made_anew() {
    let mut library = Library::of(100).await;
    let damage = "UPDATE name_index_data SET block = x'ffffffffffffffffff' WHERE id = 10";
    carry_out(&library.store, damage).await;
    library.rename(7, "a rare name".to_owned()).await;
    assert_eq!(found(&library.store, "rare").await, [7]);
    library.add(200).await;
    until(async || {
        library.store.embedded().unwrap().fill_name_index();
        indexed(&library.store).await == 300
    })
    .await;
    library.check().await;
}

// Fails if the copy keeps the index as it is.
#[tokio::test]
async fn a_copy_has_nothing_of_an_erased_name_before_the_rewrite() {
    let mut library = Library::of(200).await;
    library.rename(7, "a ☂☃ z".to_owned()).await;
    fill(&library.store).await;
    library.erase(7).await;
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy.db");
    let audit = Audit::open(&library.dir.path().join("test.db"))
        .await
        .unwrap();
    audit.copy_to(&copy).await.unwrap();
    let bytes = std::fs::read(&copy).unwrap();
    let part = "☂☃".as_bytes();
    assert!(!bytes.windows(part.len()).any(|window| window == part));
    assert!(
        Audit::open(&copy)
            .await
            .unwrap()
            .faults()
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn what_waits_is_found_without_a_look_at_all_files() {
    let (_dir, store) = store().await;
    let plan = plan(&store, waiting!()).await;
    assert!(
        plan.contains("SEARCH files USING COVERING INDEX sqlite_autoindex_files_1 (id>?)"),
        "{plan}"
    );
}
