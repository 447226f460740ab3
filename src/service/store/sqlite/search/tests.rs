//! Query plans of searches: through an index, in its order, skipping nothing that is not listed.

use rstest::rstest;

use super::*;
use crate::service::http::routes::search::{FILE_SORTS, FOLDER_SORTS};
use crate::service::store::Store;
use crate::service::store::query_plans::{self, store};
use crate::service::store::records::FileKey;
use crate::service::store::search::{FieldRange, SortField};

const FIRST: Window = Window {
    limit: 100,
    offset: 0,
};
const LATE: Window = Window {
    limit: 100,
    offset: 9_900,
};

async fn plan(store: &Store, query: EmbeddedQuery) -> String {
    query_plans::plan(store, &query.sql).await
}

fn in_folder(ranges: Vec<FieldRange>) -> CommonFilter {
    CommonFilter {
        parents: vec![7],
        ranges,
        ..CommonFilter::default()
    }
}

fn anywhere(ranges: Vec<FieldRange>) -> CommonFilter {
    CommonFilter {
        ranges,
        ..CommonFilter::default()
    }
}

fn files_in_folder(ranges: Vec<FieldRange>) -> FileFilter {
    FileFilter {
        common: in_folder(ranges),
        ..FileFilter::default()
    }
}

fn exactly(field: SortField) -> Vec<FieldRange> {
    vec![FieldRange {
        field,
        from: Some(1),
        to: Some(1),
    }]
}

fn both(field: SortField) -> [[SearchOrder; 1]; 2] {
    [false, true].map(|descending| [SearchOrder { field, descending }])
}

/// The filters by what a file is.
fn filters() -> Vec<FileFilter> {
    let text = || Some("text".to_owned());
    vec![
        FileFilter::default(),
        FileFilter {
            extension: text(),
            ..FileFilter::default()
        },
        FileFilter {
            kind: text(),
            ..FileFilter::default()
        },
        FileFilter {
            encoding: text(),
            ..FileFilter::default()
        },
        FileFilter {
            usable: Some(true),
            ..FileFilter::default()
        },
        FileFilter {
            usable: Some(false),
            ..FileFilter::default()
        },
        FileFilter {
            public: Some(true),
            ..FileFilter::default()
        },
        FileFilter {
            public: Some(false),
            ..FileFilter::default()
        },
    ]
}

/// Checks that rows are read in their order and the page ends the reading: nothing is sorted, and
/// nothing joined, which would also look up the folders of the rows before the page.
fn assert_in_order(plan: &str, case: &str) {
    let is_read_from_an_index = ["SEARCH f USING INDEX", "SCAN f USING INDEX"]
        .iter()
        .any(|way| plan.starts_with(way));
    assert!(is_read_from_an_index, "{case}: {plan}");
    assert!(
        !plan.contains("USE TEMP B-TREE") && !plan.contains("JOIN"),
        "{case}: {plan}"
    );
}

#[tokio::test]
async fn every_order_of_files_is_read_from_an_index_in_both_directions_whatever_is_filtered_by() {
    let (_dir, store) = store().await;
    for window in [FIRST, LATE] {
        for (name, field) in FILE_SORTS {
            for sort in both(field) {
                for filter in filters() {
                    let case = format!("{name}, {sort:?}, {filter:?}");
                    let everywhere = plan(
                        &store,
                        files(&filter, None, &sort, window, Timestamp::UNIX_EPOCH),
                    )
                    .await;
                    assert_in_order(&everywhere, &case);
                    let filter = FileFilter {
                        common: in_folder(vec![]),
                        ..filter
                    };
                    let of_folder = plan(
                        &store,
                        files(&filter, None, &sort, window, Timestamp::UNIX_EPOCH),
                    )
                    .await;
                    assert_in_order(&of_folder, &case);
                    assert!(
                        of_folder.starts_with("SEARCH f USING INDEX files_in_folder_by_"),
                        "{case}: {of_folder}"
                    );
                }
            }
        }
    }
}

/// Each filter with one bound or two, on each field that has them.
fn ranges() -> impl Iterator<Item = FileFilter> {
    let fields = [
        SortField::Id,
        SortField::Size,
        SortField::Height,
        SortField::Width,
        SortField::CreatedAt,
        SortField::UpdatedAt,
        SortField::ExpiresAt,
    ];
    let bounds = [
        (Some(1), Some(1)),
        (Some(1), None),
        (None, Some(2)),
        (Some(1), Some(2)),
    ];
    let ranges = fields
        .into_iter()
        .flat_map(move |field| bounds.map(|(from, to)| FieldRange { field, from, to }));
    ranges.map(|range| FileFilter {
        common: anywhere(vec![range]),
        ..FileFilter::default()
    })
}

// Fails without the index of a fact, and if a condition may lead where its files are many.
#[tokio::test]
async fn every_filter_over_the_account_finds_its_few_files_by_an_index_or_its_many_in_the_order() {
    let (_dir, store) = store().await;
    for filter in filters().into_iter().chain(ranges()) {
        for (name, field) in FILE_SORTS {
            for sort in both(field) {
                let case = format!("{name}, {sort:?}, {filter:?}");
                let conditions = conditions(&filter, &sort);
                for condition in &conditions {
                    let few = plan(&store, matches(condition)).await;
                    assert!(
                        few.starts_with("SEARCH f USING ") && !few.contains('\n'),
                        "{case}: {few}"
                    );
                }
                let many = plan(
                    &store,
                    files(&filter, None, &sort, FIRST, Timestamp::UNIX_EPOCH),
                )
                .await;
                assert_in_order(&many, &case);
                let is_everything = filter == FileFilter::default();
                assert!(
                    is_everything || !conditions.is_empty() || many.starts_with("SEARCH"),
                    "{case}: {many}"
                );
                let among = plan(
                    &store,
                    files(&filter, Some(&[1, 2]), &sort, FIRST, Timestamp::UNIX_EPOCH),
                )
                .await;
                assert!(
                    among.starts_with("SEARCH f USING INDEX") && among.contains("id=?)"),
                    "{case}: {among}"
                );
            }
        }
    }
}

// Fails if only the first condition is tried, or if one more than few files count as few.
#[rstest]
#[case::few(FEW, true)]
#[case::many(FEW + 1, false)]
#[tokio::test]
async fn what_few_files_have_leads(#[case] rare: u32, #[case] leads: bool) {
    let (_dir, store) = store().await;
    let rows = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
         INSERT INTO files (id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind, media_type,
           access, usable, source_group, created_at, updated_at)
         SELECT n, 'n' || n, 'n' || n, CASE WHEN n <= {rare} THEN 'Rare' ELSE 'txt' END, 'n' || n, 'b' || n, 0, '', '',
           'OTHER', '', 'PRIVATE', 1, 'CONTENT', 0, 0
         FROM numbers"
    );
    query_plans::carry_out(&store, &rows).await;
    let filter = FileFilter {
        extension: Some("rare".to_owned()),
        public: Some(false),
        ..FileFilter::default()
    };
    let found = store
        .embedded()
        .unwrap()
        .read(move |tables| few(tables, &filter, &both(SortField::Name)[0]))
        .await;
    assert_eq!(
        found.unwrap().map(|files| files.len()),
        leads.then_some(rare as usize)
    );
}

#[tokio::test]
async fn every_order_of_folders_is_read_from_an_index_in_both_directions() {
    let (_dir, store) = store().await;
    for window in [FIRST, LATE] {
        for (name, field) in FOLDER_SORTS {
            for sort in both(field) {
                assert_in_order(
                    &plan(&store, folders(&anywhere(vec![]), &sort, window)).await,
                    name,
                );
                let of_folder = plan(&store, folders(&in_folder(vec![]), &sort, window)).await;
                assert_in_order(&of_folder, name);
                assert!(
                    of_folder.starts_with("SEARCH f USING INDEX folders_"),
                    "{name}: {of_folder}"
                );
            }
        }
    }
}

// Fails if a folder may lead.
#[tokio::test]
async fn few_names_lead_whatever_the_order() {
    let (_dir, store) = store().await;
    let text = || Some("text".to_owned());
    let commons = [
        anywhere(vec![]),
        anywhere(exactly(SortField::Size)),
        in_folder(exactly(SortField::UpdatedAt)),
        CommonFilter {
            parents: vec![7, 8],
            ..CommonFilter::default()
        },
        CommonFilter {
            path: text(),
            ..CommonFilter::default()
        },
    ];
    for common in commons {
        for filter in filters() {
            let common = CommonFilter {
                name_contains: text(),
                ..common.clone()
            };
            let filter = FileFilter { common, ..filter };
            for (name, field) in FILE_SORTS {
                for sort in both(field) {
                    let query = files(&filter, Some(&[1, 2]), &sort, FIRST, Timestamp::UNIX_EPOCH);
                    let plan = plan(&store, query).await;
                    let (first, rest) = plan.split_once('\n').unwrap();
                    assert!(
                        first.starts_with("SEARCH f USING INDEX") && first.contains("id=?)"),
                        "{name}: {plan}"
                    );
                    assert!(
                        rest.contains("SCAN json_each VIRTUAL TABLE INDEX")
                            && !rest.contains("SCAN f"),
                        "{plan}"
                    );
                }
            }
        }
    }
}

// Fails with the folders in one list, whose rows SQLite sorts.
#[tokio::test]
async fn several_folders_are_each_read_in_the_order_and_merged() {
    let (_dir, store) = store().await;
    let common = CommonFilter {
        parents: vec![7, 8, 0, 7],
        ..CommonFilter::default()
    };
    for window in [FIRST, LATE] {
        for (name, field) in FILE_SORTS {
            for sort in both(field) {
                let filter = FileFilter {
                    common: common.clone(),
                    ..FileFilter::default()
                };
                let plan = plan(
                    &store,
                    files(&filter, None, &sort, window, Timestamp::UNIX_EPOCH),
                )
                .await;
                assert!(!plan.contains("USE TEMP B-TREE"), "{name}: {plan}");
                assert_eq!(
                    plan.matches("SEARCH f USING INDEX files_in_folder_by_")
                        .count(),
                    3,
                    "{name}: {plan}"
                );
            }
        }
        for (name, field) in FOLDER_SORTS {
            for sort in both(field) {
                let plan = plan(&store, folders(&common, &sort, window)).await;
                assert!(!plan.contains("USE TEMP B-TREE"), "{name}: {plan}");
            }
        }
    }
}

#[rstest]
#[case::sizes(SortField::Size, "size=?")]
#[case::creation(SortField::CreatedAt, "created_at=?")]
#[case::update(SortField::UpdatedAt, "updated_at=?")]
#[case::expiry(SortField::ExpiresAt, "expires_at=?")]
#[tokio::test]
async fn an_exact_value_leads_to_its_files_in_the_order_of_their_ids(
    #[case] field: SortField,
    #[case] bound: &str,
) {
    let (_dir, store) = store().await;
    for common in [anywhere(exactly(field)), in_folder(exactly(field))] {
        let filter = FileFilter {
            common,
            ..FileFilter::default()
        };
        for sort in [
            vec![],
            both(SortField::Id)[0].to_vec(),
            both(SortField::Id)[1].to_vec(),
        ] {
            let plan = plan(
                &store,
                files(&filter, None, &sort, FIRST, Timestamp::UNIX_EPOCH),
            )
            .await;
            assert_in_order(&plan, bound);
            assert!(plan.starts_with("SEARCH") && plan.contains(bound), "{plan}");
        }
    }
}

#[tokio::test]
async fn an_address_leads_to_its_file_whatever_the_order() {
    let (_dir, store) = store().await;
    for (name, field) in FILE_SORTS {
        let filter = FileFilter {
            only: Some(FileKey(7)),
            ..FileFilter::default()
        };
        let plan = plan(
            &store,
            files(&filter, None, &both(field)[0], FIRST, Timestamp::UNIX_EPOCH),
        )
        .await;
        assert_in_order(&plan, name);
        assert!(plan.contains("(id=?)"), "{name}: {plan}");
    }
}

#[rstest]
#[case::from_an_id_on(
    vec![FieldRange { field: SortField::Id, from: Some(1), to: None }],
    &[SearchOrder { field: SortField::Id, descending: false }],
    "(<expr>=? AND id>?)"
)]
#[case::from_an_id_on_without_an_order(vec![FieldRange { field: SortField::Id, from: Some(1), to: None }], &[], "(<expr>=? AND id>?)")]
#[case::sizes(
    vec![FieldRange { field: SortField::Size, from: Some(1), to: Some(2) }],
    &[SearchOrder { field: SortField::Size, descending: true }],
    "(<expr>=? AND size>? AND size<?)"
)]
#[case::sizes_without_an_order(
    vec![FieldRange { field: SortField::Size, from: Some(1), to: Some(2) }],
    &[],
    "(<expr>=? AND size>? AND size<?)"
)]
#[tokio::test]
async fn a_range_bounds_what_is_read_of_a_folder(
    #[case] ranges: Vec<FieldRange>,
    #[case] sort: &[SearchOrder],
    #[case] bounds: &str,
) {
    let (_dir, store) = store().await;
    let plan = plan(
        &store,
        files(
            &files_in_folder(ranges),
            None,
            sort,
            FIRST,
            Timestamp::UNIX_EPOCH,
        ),
    )
    .await;
    assert!(
        plan.starts_with("SEARCH f USING INDEX files_in_folder_by_"),
        "{plan}"
    );
    assert!(plan.contains(bounds), "{plan}");
}

#[rstest]
#[case::names(
    CommonFilter { name_contains: Some("logo".to_owned()), ..CommonFilter::default() }, SortField::Name, false,
    "SCAN f USING INDEX files_anywhere_by_name"
)]
#[case::large(
    sizes(),
    SortField::Size,
    true,
    "SEARCH f USING INDEX files_anywhere_by_size (size>?)"
)]
#[case::recent(
    CommonFilter { ranges: vec![FieldRange { field: SortField::UpdatedAt, from: Some(1), to: None }], ..CommonFilter::default() },
    SortField::UpdatedAt,
    true,
    "SEARCH f USING INDEX files_anywhere_by_update (updated_at>?)"
)]
#[case::new(
    CommonFilter::default(),
    SortField::CreatedAt,
    true,
    "SCAN f USING INDEX files_anywhere_by_creation"
)]
#[tokio::test]
async fn a_search_over_the_account_is_read_in_its_order(
    #[case] common: CommonFilter,
    #[case] field: SortField,
    #[case] descending: bool,
    #[case] expected: &str,
) {
    let (_dir, store) = store().await;
    for public in [None, Some(true), Some(false)] {
        let filter = FileFilter {
            common: common.clone(),
            public,
            ..FileFilter::default()
        };
        let plan = plan(
            &store,
            files(
                &filter,
                None,
                &[SearchOrder { field, descending }],
                FIRST,
                Timestamp::UNIX_EPOCH,
            ),
        )
        .await;
        assert!(
            plan.starts_with(expected) && !plan.contains("USE TEMP B-TREE"),
            "{public:?}: {plan}"
        );
    }
}

fn sizes() -> CommonFilter {
    CommonFilter {
        ranges: vec![FieldRange {
            field: SortField::Size,
            from: Some(1),
            to: None,
        }],
        ..CommonFilter::default()
    }
}

#[tokio::test]
async fn a_content_leads_to_its_files_whatever_the_order() {
    let (_dir, store) = store().await;
    for common in [anywhere(vec![]), in_folder(vec![])] {
        let filter = FileFilter {
            md5: Some("0".repeat(32)),
            common,
            ..FileFilter::default()
        };
        for (name, field) in FILE_SORTS {
            for sort in both(field) {
                let plan = plan(
                    &store,
                    files(&filter, None, &sort, FIRST, Timestamp::UNIX_EPOCH),
                )
                .await;
                assert!(
                    plan.starts_with("SEARCH f USING INDEX files_by_md5 (md5=?)"),
                    "{name}: {plan}"
                );
                // Any number of files may have one content, as empty files do; orders other than
                // that of ids are rare.
                assert!(
                    field != SortField::Id || !plan.contains("USE TEMP B-TREE"),
                    "{name}: {plan}"
                );
            }
        }
    }
}
