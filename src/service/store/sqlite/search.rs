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
use crate::service::store::search::{CommonFilter, FileFilter, SearchOrder, SearchPage, Window};
use crate::service::store::sql::{
    ColumnNames, MOST_MERGED, Parents, SearchText, SqlRow, file, folder, folder_columns, folder_path, own_file_columns,
    where_live, whole_order,
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
                find(tables, &files(&filter, candidates, &sort, window, now), window, file)
            };
            let by_name = || few_by_name(tables, &filter)?.map(|candidates| search(Some(&candidates))).transpose();
            Ok(match by_name() {
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
        self.read(move |tables| find(tables, &query, window, folder)).await
    }
}

/// Returns the files whose names may contain the part, if they are few and no other condition leads to fewer.
fn few_by_name(tables: &SqliteTables<'_>, filter: &FileFilter) -> Result<Option<Vec<i64>>, StoreError> {
    let FileFilter { common, md5, only, .. } = filter;
    if md5.is_some() || only.is_some() || !common.ids.is_empty() {
        return Ok(None);
    }
    let Some(part) = &common.name_contains else { return Ok(None) };
    tables.candidates(&fold(part), FEW)
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

/// The limit up to which it is faster to read and sort all files than to search for a hundred in an order. A small
/// folder would take even less, but nobody knows which is small.
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
    let parents = Parents { ids: &filter.common.parents, lead };
    page(parents, sort, window, &ColumnNames::OF_FILES, |query, parents, keys| {
        query.push("SELECT ");
        match parents.ids {
            // Looked up once for the whole page.
            [parent] => {
                query.push("COALESCE((SELECT d.path FROM folders d WHERE d.id = ").push_value(*parent).push("), '')")
            }
            _ => query.push(folder_path!()),
        };
        query.push(", ").push(own_file_columns!()).push(keys);
        query.push(concat!(" FROM files f ", where_live!())).push_value(millis(now));
        if let Some(candidates) = candidates {
            query
                .push(" AND f.id IN (SELECT value FROM json_each(")
                .push_value(json!(candidates).to_string())
                .push("))");
        }
        // The indexes for pages and searches (`0006_pages.sql` and later) have this condition.
        query.push(" AND f.access NOT LIKE 'HIDDEN%'");
        push_common(query, &filter.common, parents, &ColumnNames::OF_FILES);
        // The `+` makes an order lead rather than the few access levels.
        query.push_facts(filter, "+f.access");
    })
}

fn folders(filter: &CommonFilter, sort: &[SearchOrder], window: Window) -> EmbeddedQuery {
    let parents = Parents { ids: &filter.parents, lead: filter.ids.is_empty() };
    page(parents, sort, window, &ColumnNames::OF_FOLDERS, |query, parents, keys| {
        let columns_read = folder_columns!();
        query.push(format_args!("SELECT {columns_read}{keys} FROM folders f WHERE f.deleted_at IS NULL"));
        push_common(query, filter, parents, &ColumnNames::OF_FOLDERS);
    })
}

/// Sorts the selected rows and reads one more than the window has. Several folders are each read in the order and
/// merged, no further than the page needs. `select` gets the folders and the sort keys to select besides the record.
fn page(
    parents: Parents<'_>,
    sort: &[SearchOrder],
    window: Window,
    columns: &ColumnNames,
    mut select: impl FnMut(&mut EmbeddedQuery, Parents<'_>, &str),
) -> EmbeddedQuery {
    let mut query = EmbeddedQuery::default();
    let mut order = order(sort, columns);
    let ids = parents.ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
    if parents.lead && (2..=MOST_MERGED).contains(&ids.len()) {
        let named = order.iter().enumerate().map(|(at, (column, _))| format!(", {column} AS key{at}"));
        let named: String = named.collect();
        for (at, parent) in ids.iter().enumerate() {
            query.push(if at > 0 { " UNION ALL " } else { "" });
            select(&mut query, Parents { ids: std::slice::from_ref(parent), ..parents }, &named);
        }
        for (at, (column, _)) in order.iter_mut().enumerate() {
            *column = format!("key{at}");
        }
    } else {
        select(&mut query, Parents { ids: &ids, ..parents }, "");
    }
    let words =
        order.iter().map(|(column, is_descending)| format!("{column}{}", if *is_descending { " DESC" } else { "" }));
    query.push(format_args!(" ORDER BY {}", words.collect::<Vec<_>>().join(", ")));
    // A literal, since SQLite would plan again for each bound value here.
    query.push(format_args!(" LIMIT {}", window.limit + 1));
    query.push(" OFFSET ").push_value(integer(window.offset));
    query
}

/// Returns the columns, each with `true` if it descends.
fn order(sort: &[SearchOrder], columns: &ColumnNames) -> Vec<(String, bool)> {
    whole_order(sort).map(|key| (columns.of(key.field), key.descending)).collect()
}

fn push_common(query: &mut EmbeddedQuery, filter: &CommonFilter, parents: Parents<'_>, columns: &ColumnNames) {
    push_list(query, "f.id", &filter.ids);
    // The `+` rules out an index.
    let sign = if parents.lead { "" } else { "+" };
    push_list(query, &format!("{sign}COALESCE({}, {})", columns.parent, policy::ROOT_FOLDER_ID), parents.ids);
    if let Some(part) = &filter.name_contains {
        query.push(format_args!(" AND instr({}, ", columns.name)).push_value(fold(part)).push(")");
    }
    if let Some(path) = &filter.path {
        if policy::PATH_FILTER_INCLUDES_DESCENDANTS {
            let start = format!("{path}/");
            let length = i64::try_from(start.chars().count()).unwrap_or(i64::MAX);
            query.push(format_args!(" AND substr({} || '/', 1, ", columns.path)).push_value(length);
            query.push(") = ").push_value(start);
        } else {
            query.push(format_args!(" AND {} = ", columns.path)).push_value(path.clone());
        }
    }
    query.push_ranges(&filter.ranges, columns);
}

fn push_list(query: &mut EmbeddedQuery, column: &str, values: &[i64]) {
    if values.is_empty() {
        return;
    }
    query.push(format_args!(" AND {column} IN ("));
    for (number, value) in values.iter().enumerate() {
        query.push(if number > 0 { ", " } else { "" }).push_value(*value);
    }
    query.push(")");
}

#[cfg(test)]
mod tests;
