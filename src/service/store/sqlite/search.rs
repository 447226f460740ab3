//! Searches in SQL (`contract.md#search`). Deleted, expired and hidden files are never listed.

use std::collections::BTreeSet;

use jiff::Timestamp;
use rusqlite::params_from_iter;
use rusqlite::types::Value;
use serde_json::json;

use super::database::EmbeddedDatabase;
use super::tables::SqliteTables;
use super::values::{integer, millis};
use crate::service::domain::names::fold;
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileRecord, FolderRecord};
use crate::service::store::search::{
    CommonFilter, FieldRange, FileFilter, SearchOrder, SearchPage, SortField, Window,
};
use crate::service::store::sql::{
    ColumnNames, MOST_MERGED, Parents, SearchText, SqlRow, file, folder, folder_columns,
    folder_path, own_file_columns, where_live, whole_order,
};

type EmbeddedQuery = SearchText<Value>;

impl EmbeddedDatabase {
    pub(crate) async fn search_files(
        &self,
        filter: &FileFilter,
        sort: &[SearchOrder],
        window: Window,
        now: Timestamp,
    ) -> Result<SearchPage<FileRecord>, StoreError> {
        let (filter, sort) = (filter.clone(), sort.to_vec());
        let found = self.read(move |tables| {
            // One snapshot for the candidates and their rows.
            let _moment = tables.0.unchecked_transaction()?;
            let search = |candidates: Option<&[i64]>| {
                find(
                    tables,
                    &files(&filter, candidates, &sort, window, now),
                    window,
                    file,
                )
            };
            let among_few = || {
                few(tables, &filter, &sort)?
                    .map(|candidates| search(Some(&candidates)))
                    .transpose()
            };
            Ok(match among_few() {
                Ok(Some(found)) => (found, None),
                Ok(None) => (search(None)?, None),
                Err(error) => (search(None)?, Some(error)),
            })
        });
        let (found, index_error) = found.await?;
        if let Some(error) = index_error {
            self.names.mend(&error);
        }
        Ok(found)
    }

    pub(crate) async fn search_folders(
        &self,
        filter: &CommonFilter,
        sort: &[SearchOrder],
        window: Window,
    ) -> Result<SearchPage<FolderRecord>, StoreError> {
        let query = folders(filter, sort, window);
        self.read(move |tables| find(tables, &query, window, folder))
            .await
    }
}

/// Returns the files for which one of the conditions may hold, if they are few and no id or content
/// leads to fewer.
fn few(
    tables: &SqliteTables<'_>,
    filter: &FileFilter,
    sort: &[SearchOrder],
) -> Result<Option<Vec<i64>>, StoreError> {
    let FileFilter {
        common, md5, only, ..
    } = filter;
    if md5.is_some() || only.is_some() || !common.ids.is_empty() {
        return Ok(None);
    }
    if let Some(part) = &common.name_contains
        && let Some(candidates) = tables.candidates(&fold(part), FEW)?
    {
        return Ok(Some(candidates));
    }
    for condition in conditions(filter, sort) {
        let query = matches(&condition);
        let ids: Vec<i64> = tables.all(&query.sql, params_from_iter(&query.values), |row| {
            row.get(0)
        })?;
        if ids.len() <= FEW as usize {
            return Ok(Some(ids));
        }
    }
    Ok(None)
}

/// Returns each condition that has an index, by itself, except one that leads to its files in the
/// order.
fn conditions(filter: &FileFilter, sort: &[SearchOrder]) -> Vec<FileFilter> {
    let FileFilter {
        common,
        extension,
        kind,
        encoding,
        usable,
        public,
        ..
    } = filter.clone();
    let none = FileFilter::default;
    let mut conditions = vec![
        FileFilter {
            extension,
            ..none()
        },
        FileFilter { kind, ..none() },
        FileFilter { encoding, ..none() },
        FileFilter { usable, ..none() },
        FileFilter { public, ..none() },
    ];
    let ranges = common
        .ranges
        .into_iter()
        .filter(|range| !is_led_by(range.field, sort));
    let ranges = ranges.filter(|range| range.from.is_some() || range.to.is_some());
    conditions.extend(ranges.map(|range| FileFilter {
        common: CommonFilter {
            ranges: vec![range],
            ..CommonFilter::default()
        },
        ..none()
    }));
    conditions.retain(|condition| *condition != none());
    if let [only] = conditions.as_slice()
        && is_led_by(SortField::Id, sort)
        && filter.common.parents.is_empty()
        && only.public.is_none()
        && only.common.ranges.iter().all(FieldRange::is_exact)
    {
        conditions.clear();
    }
    conditions
}

/// Finds the files for which a condition holds, by its index, and one more than are few.
fn matches(condition: &FileFilter) -> EmbeddedQuery {
    let mut query = EmbeddedQuery::default();
    query.push(
        "SELECT f.id FROM files f WHERE f.deleted_at IS NULL AND f.access NOT LIKE 'HIDDEN%'",
    );
    query.push_facts(condition, |_| "");
    for range in &condition.common.ranges {
        query.push_range(range, &ColumnNames::OF_FILES, "");
    }
    // A literal, since SQLite would plan again for each bound value here.
    query.push(format_args!(" LIMIT {}", FEW + 1));
    query
}

fn is_led_by(field: SortField, sort: &[SearchOrder]) -> bool {
    whole_order(sort)
        .next()
        .is_some_and(|key| key.field == field)
}

fn find<T>(
    tables: &SqliteTables<'_>,
    query: &EmbeddedQuery,
    window: Window,
    read: fn(&dyn SqlRow) -> Result<T, StoreError>,
) -> Result<SearchPage<T>, StoreError> {
    let mut statement = tables.0.prepare_cached(&query.sql)?;
    // A list that grows row by row would be copied five times for a full page.
    let mut rows = Vec::with_capacity(window.limit as usize + 1);
    let mut found = statement.query(params_from_iter(&query.values))?;
    while let Some(row) = found.next()? {
        rows.push(read(row)?);
    }
    let has_more = rows.len() > window.limit as usize;
    rows.truncate(window.limit as usize);
    Ok(SearchPage { rows, has_more })
}

/// The limit up to which it is faster to read and sort all files than to search for a hundred in an
/// order. A small folder would take even less, but nobody knows which is small.
const FEW: u32 = 1000;

fn files(
    filter: &FileFilter,
    candidates: Option<&[i64]>,
    sort: &[SearchOrder],
    window: Window,
    now: Timestamp,
) -> EmbeddedQuery {
    // Few files have the same content: lead with the content or the id, not the folder.
    let lead = filter.md5.is_none() && filter.common.ids.is_empty() && candidates.is_none();
    let parents = Parents {
        ids: &filter.common.parents,
        lead,
    };
    page(
        parents,
        sort,
        window,
        &ColumnNames::OF_FILES,
        |query, parents, keys| {
            query.push("SELECT ");
            match parents.ids {
                // Looked up once for the whole page.
                [parent] => query
                    .push("COALESCE((SELECT d.path FROM folders d WHERE d.id = ")
                    .push_value(*parent)
                    .push("), '')"),
                _ => query.push(folder_path!()),
            };
            query.push(", ").push(own_file_columns!()).push(keys);
            query
                .push(concat!(" FROM files f ", where_live!()))
                .push_value(millis(now));
            if let Some(candidates) = candidates {
                query
                    .push(" AND f.id IN (SELECT value FROM json_each(")
                    .push_value(json!(candidates).to_string())
                    .push("))");
            }
            // The indexes for pages and searches (`0006_pages.sql` and later) have this condition.
            query.push(" AND f.access NOT LIKE 'HIDDEN%'");
            push_common(query, &filter.common, parents, &ColumnNames::OF_FILES);
            // The `+` makes the order lead: a condition holds for many files, or is about
            // candidates. The files with one value are also indexed in the order of their ids.
            let is_by_id = is_led_by(SortField::Id, sort);
            query.push_facts(filter, |column| match column {
                "f.md5" => "",
                "f.kind" | "lower(f.extension)" if is_by_id && lead => "",
                "f.encoding" | "f.usable" if is_by_id && lead && parents.ids.is_empty() => "",
                _ => "+",
            });
            for range in &filter.common.ranges {
                let leads = is_led_by(range.field, sort)
                    || is_by_id && range.is_exact()
                    || !parents.ids.is_empty();
                query.push_range(range, &ColumnNames::OF_FILES, if leads { "" } else { "+" });
            }
        },
    )
}

fn folders(filter: &CommonFilter, sort: &[SearchOrder], window: Window) -> EmbeddedQuery {
    let parents = Parents {
        ids: &filter.parents,
        lead: filter.ids.is_empty(),
    };
    page(
        parents,
        sort,
        window,
        &ColumnNames::OF_FOLDERS,
        |query, parents, keys| {
            let columns_read = folder_columns!();
            query.push(format_args!(
                "SELECT {columns_read}{keys} FROM folders f WHERE f.deleted_at IS NULL"
            ));
            push_common(query, filter, parents, &ColumnNames::OF_FOLDERS);
            for range in &filter.ranges {
                query.push_range(range, &ColumnNames::OF_FOLDERS, "");
            }
        },
    )
}

/// Sorts the selected rows and reads one more than the window has. Several folders are each read in
/// the order and merged, no further than the page needs. `select` gets the folders and the sort
/// keys to select besides the record.
fn page(
    parents: Parents<'_>,
    sort: &[SearchOrder],
    window: Window,
    columns: &ColumnNames,
    mut select: impl FnMut(&mut EmbeddedQuery, Parents<'_>, &str),
) -> EmbeddedQuery {
    let mut query = EmbeddedQuery::default();
    let mut order = order(sort, columns);
    let ids = parents
        .ids
        .iter()
        .copied()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>();
    if parents.lead && (2..=MOST_MERGED).contains(&ids.len()) {
        let named = order
            .iter()
            .enumerate()
            .map(|(at, (column, _))| format!(", {column} AS key{at}"));
        let named: String = named.collect();
        for (at, parent) in ids.iter().enumerate() {
            query.push(if at > 0 { " UNION ALL " } else { "" });
            select(
                &mut query,
                Parents {
                    ids: std::slice::from_ref(parent),
                    ..parents
                },
                &named,
            );
        }
        for (at, (column, _)) in order.iter_mut().enumerate() {
            *column = format!("key{at}");
        }
    } else {
        select(
            &mut query,
            Parents {
                ids: &ids,
                ..parents
            },
            "",
        );
    }
    let words = order.iter().map(|(column, is_descending)| {
        format!("{column}{}", if *is_descending { " DESC" } else { "" })
    });
    query.push(format_args!(
        " ORDER BY {}",
        words.collect::<Vec<_>>().join(", ")
    ));
    // A literal, since SQLite would plan again for each bound value here.
    query.push(format_args!(" LIMIT {}", window.limit + 1));
    query.push(" OFFSET ").push_value(integer(window.offset));
    query
}

/// Returns the columns, each with `true` if it descends.
fn order(sort: &[SearchOrder], columns: &ColumnNames) -> Vec<(String, bool)> {
    whole_order(sort)
        .map(|key| (columns.of(key.field), key.descending))
        .collect()
}

fn push_common(
    query: &mut EmbeddedQuery,
    filter: &CommonFilter,
    parents: Parents<'_>,
    columns: &ColumnNames,
) {
    push_list(query, "f.id", &filter.ids);
    // The `+` rules out an index.
    let sign = if parents.lead { "" } else { "+" };
    push_list(
        query,
        &format!(
            "{sign}COALESCE({}, {})",
            columns.parent,
            policy::ROOT_FOLDER_ID
        ),
        parents.ids,
    );
    if let Some(part) = &filter.name_contains {
        query
            .push(format_args!(" AND instr({}, ", columns.name))
            .push_value(fold(part))
            .push(")");
    }
    if let Some(path) = &filter.path {
        // The path itself and everything below it.
        let start = format!("{path}/");
        let length = i64::try_from(start.chars().count()).unwrap_or(i64::MAX);
        query
            .push(format_args!(" AND substr({} || '/', 1, ", columns.path))
            .push_value(length);
        query.push(") = ").push_value(start);
    }
}

fn push_list(query: &mut EmbeddedQuery, column: &str, values: &[i64]) {
    if values.is_empty() {
        return;
    }
    query.push(format_args!(" AND {column} IN ("));
    for (number, value) in values.iter().enumerate() {
        query
            .push(if number > 0 { ", " } else { "" })
            .push_value(*value);
    }
    query.push(")");
}

#[cfg(test)]
mod tests;
