//! How SQLite goes about searches of a folder and of the account: through an index, in its order, past nothing that is
//! not listed.

use rstest::rstest;
use sqlx::Row as _;

use super::*;
use crate::service::routes::search::{FILE_SORTS, FOLDER_SORTS};

const FIRST: Window = Window { limit: 100, offset: 0 };
const LATE: Window = Window { limit: 100, offset: 9_900 };

/// A store without rows. SQLite plans by what it knows of the tables, which is nothing, and so the same in a full one.
async fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("test.db")).await.unwrap();
    (dir, store)
}

async fn plan(store: &Store, query: QueryBuilder<Sqlite>) -> String {
    let explained = format!("EXPLAIN QUERY PLAN {}", query.sql().as_str());
    let rows = sqlx::query(AssertSqlSafe(explained)).fetch_all(&store.readers).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>("detail")).collect::<Vec<_>>().join("\n")
}

fn in_folder(ranges: Vec<Range>) -> CommonFilter {
    CommonFilter { parents: vec![7], ranges, ..CommonFilter::default() }
}

fn files_in_folder(ranges: Vec<Range>) -> FileFilter {
    FileFilter { common: in_folder(ranges), ..FileFilter::default() }
}

#[tokio::test]
async fn every_order_of_a_folder_is_read_from_an_index_in_both_directions() {
    let (_dir, store) = store().await;
    for window in [FIRST, LATE] {
        for descending in [false, true] {
            let of_files = FILE_SORTS.map(|(name, field)| {
                let sort = [Sort { field, descending }];
                (name, files(&files_in_folder(vec![]), &sort, window, Timestamp::UNIX_EPOCH))
            });
            let of_folders = FOLDER_SORTS.map(|(name, field)| {
                let sort = [Sort { field, descending }];
                (name, folders(&in_folder(vec![]), &sort, window))
            });
            for (name, query) in of_files.into_iter().chain(of_folders) {
                let plan = plan(&store, query).await;
                assert!(plan.starts_with("SEARCH f USING INDEX"), "{name}, descending {descending}: {plan}");
                assert!(!plan.contains("SCAN") && !plan.contains("USE TEMP B-TREE"), "{name}: {plan}");
                // A join looks up the folders of the rows before the page, too.
                assert!(!plan.contains("JOIN"), "{name}: {plan}");
            }
        }
    }
}

#[rstest]
#[case::from_an_id_on(
    vec![Range { field: Field::Id, from: Some(1), to: None }],
    &[Sort { field: Field::Id, descending: false }],
    "(<expr>=? AND id>?)"
)]
#[case::from_an_id_on_without_an_order(vec![Range { field: Field::Id, from: Some(1), to: None }], &[], "(<expr>=? AND id>?)")]
#[case::sizes(
    vec![Range { field: Field::Size, from: Some(1), to: Some(2) }],
    &[Sort { field: Field::Size, descending: true }],
    "(<expr>=? AND size>? AND size<?)"
)]
#[case::sizes_without_an_order(
    vec![Range { field: Field::Size, from: Some(1), to: Some(2) }],
    &[],
    "(<expr>=? AND size>? AND size<?)"
)]
#[tokio::test]
async fn a_range_bounds_what_is_read_of_a_folder(
    #[case] ranges: Vec<Range>,
    #[case] sort: &[Sort],
    #[case] bounds: &str,
) {
    let (_dir, store) = store().await;
    let plan = plan(&store, files(&files_in_folder(ranges), sort, FIRST, Timestamp::UNIX_EPOCH)).await;
    assert!(plan.starts_with("SEARCH f USING INDEX files_in_folder_by_"), "{plan}");
    assert!(plan.contains(bounds), "{plan}");
}

#[rstest]
#[case::names(
    CommonFilter { name_contains: Some("logo".to_owned()), ..CommonFilter::default() }, Field::Name, false,
    "SCAN f USING INDEX files_anywhere_by_name"
)]
#[case::large(sizes(), Field::Size, true, "SEARCH f USING INDEX files_anywhere_by_size (size>?)")]
#[case::recent(
    CommonFilter { ranges: vec![Range { field: Field::UpdatedAt, from: Some(1), to: None }], ..CommonFilter::default() },
    Field::UpdatedAt,
    true,
    "SEARCH f USING INDEX files_anywhere_by_update (updated_at>?)"
)]
#[case::new(CommonFilter::default(), Field::CreatedAt, true, "SCAN f USING INDEX files_anywhere_by_creation")]
#[tokio::test]
async fn a_search_over_the_account_is_read_in_its_order(
    #[case] common: CommonFilter,
    #[case] field: Field,
    #[case] descending: bool,
    #[case] expected: &str,
) {
    let (_dir, store) = store().await;
    for public in [None, Some(true), Some(false)] {
        let filter = FileFilter { common: common.clone(), public, ..FileFilter::default() };
        let plan = plan(&store, files(&filter, &[Sort { field, descending }], FIRST, Timestamp::UNIX_EPOCH)).await;
        assert!(plan.starts_with(expected) && !plan.contains("USE TEMP B-TREE"), "{public:?}: {plan}");
    }
}

fn sizes() -> CommonFilter {
    CommonFilter { ranges: vec![Range { field: Field::Size, from: Some(1), to: None }], ..CommonFilter::default() }
}

#[tokio::test]
async fn a_content_leads_to_its_files_whatever_the_order() {
    let (_dir, store) = store().await;
    for (name, field) in FILE_SORTS {
        let filter = FileFilter { md5: Some("0".repeat(32)), ..files_in_folder(vec![]) };
        let sort = [Sort { field, descending: true }];
        let plan = plan(&store, files(&filter, &sort, FIRST, Timestamp::UNIX_EPOCH)).await;
        assert!(plan.starts_with("SEARCH f USING INDEX files_by_md5 (md5=?)"), "{name}: {plan}");
    }
}

#[tokio::test]
async fn a_line_break_in_a_name_ends_no_record() {
    let (_dir, store) = store().await;
    let names = "SELECT json_array('a' || char(10) || 'b') AS record UNION ALL SELECT json_array('c')";
    let lines = sqlx::query_scalar(AssertSqlSafe(records::as_lines(names))).fetch_one(&store.readers).await.unwrap();
    let found = Found { lines, limit: 1 };
    let page: Vec<[String; 1]> = found.page().collect::<Result<_, _>>().unwrap();
    assert_eq!((page, found.has_more()), (vec![["a\nb".to_owned()]], true));
}
