//! Searches in SQL (`contract.md#search`). Deleted, expired and hidden files are never listed.

use std::collections::BTreeSet;

use jiff::Timestamp;
use rusqlite::{Row, params_from_iter};
use serde_json::json;

use super::database::EmbeddedDatabase;
use super::files::{file, folder_path, own_file_columns, where_live};
use super::folders::{folder, folder_columns};
use super::search_query::SearchQuery;
use super::tables::SqliteTables;
use super::values::{integer, millis};
use crate::service::domain::names::fold;
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, FileRecord, FolderRecord};
use crate::service::store::search::{CommonFilter, FileFilter, SearchOrder, SearchPage, SortField, Window};

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
            // Candidates are of the moment of which their rows are.
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

/// Files that may have the part of a name that is searched for, if they are few and nothing else leads to fewer.
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
    query: &SearchQuery,
    window: Window,
    read: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<SearchPage<T>, StoreError> {
    let mut statement = tables.0.prepare_cached(&query.sql)?;
    // Growing row by row, the list of a full page would be copied five times.
    let mut rows = Vec::with_capacity(window.limit as usize + 1);
    for row in statement.query_map(params_from_iter(&query.values), read)? {
        rows.push(row?);
    }
    let has_more = rows.len() > window.limit as usize;
    rows.truncate(window.limit as usize);
    Ok(SearchPage { rows, has_more })
}

/// Up to so many files it is faster to read and sort them all than to search for a hundred in an order. A small
/// folder would be looked through in less, but nobody knows which is small.
const FEW: u32 = 1000;

/// Candidates are what the index of names leads to.
fn files(
    filter: &FileFilter,
    candidates: Option<&[i64]>,
    sort: &[SearchOrder],
    window: Window,
    now: Timestamp,
) -> SearchQuery {
    // Few files have the same content, wherever they are: the content leads to them, or the id, not the folder.
    let parent_leads = filter.md5.is_none() && filter.common.ids.is_empty() && candidates.is_none();
    let columns = SortColumns { parent_leads, ..FILE_COLUMNS };
    page(&filter.common.parents, sort, window, &columns, |query, parents, keys| {
        query.push("SELECT ");
        match parents {
            // Looked up once for all of the page.
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
        push_files(query, filter, parents, &columns);
    })
}

fn push_files(query: &mut SearchQuery, filter: &FileFilter, parents: &[i64], columns: &SortColumns) {
    // The indexes of pages and searches (`0006_pages.sql` and later) ask for these words.
    query.push(" AND f.access NOT LIKE 'HIDDEN%'");
    push_common(query, &filter.common, parents, columns);
    for (column, value) in [
        ("lower(f.extension)", &filter.extension),
        ("f.kind", &filter.kind),
        ("f.encoding", &filter.encoding),
        ("f.md5", &filter.md5),
    ] {
        if let Some(value) = value {
            query.push(format_args!(" AND {column} = ")).push_value(value.clone());
        }
    }
    if let Some(FileKey(id)) = filter.only {
        query.push(" AND f.id = ").push_value(id);
    }
    if let Some(usable) = filter.usable {
        query.push(" AND f.usable = ").push_value(usable);
    }
    if let Some(public) = filter.public {
        let negation = if public { "" } else { "NOT " };
        // The sign: an order leads, not the few levels of access.
        query.push(format_args!(" AND +f.access {negation}IN ('PUBLIC_INDEXABLE', 'PUBLIC_NOT_INDEXABLE')"));
    }
}

fn folders(filter: &CommonFilter, sort: &[SearchOrder], window: Window) -> SearchQuery {
    let columns = SortColumns { parent_leads: filter.ids.is_empty(), ..FOLDER_COLUMNS };
    page(&filter.parents, sort, window, &columns, |query, parents, keys| {
        let columns_read = folder_columns!();
        query.push(format_args!("SELECT {columns_read}{keys} FROM folders f WHERE f.deleted_at IS NULL"));
        push_common(query, filter, parents, &columns);
    })
}

/// Sorts what is selected, and asks for one row more than the window has. Each of several folders is read in the order
/// by itself, and what they give is merged: no more is read of each than the page needs. `select` is given the folders,
/// and what it has to name besides the record.
fn page(
    parents: &[i64],
    sort: &[SearchOrder],
    window: Window,
    columns: &SortColumns,
    mut select: impl FnMut(&mut SearchQuery, &[i64], &str),
) -> SearchQuery {
    let mut query = SearchQuery::default();
    let mut order = order(sort, columns);
    let parents = parents.iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
    if columns.parent_leads && (2..=MOST_MERGED).contains(&parents.len()) {
        let named = order.iter().enumerate().map(|(at, (column, _))| format!(", {column} AS key{at}"));
        let named: String = named.collect();
        for (at, parent) in parents.iter().enumerate() {
            query.push(if at > 0 { " UNION ALL " } else { "" });
            select(&mut query, std::slice::from_ref(parent), &named);
        }
        for (at, (column, _)) in order.iter_mut().enumerate() {
            *column = format!("key{at}");
        }
    } else {
        select(&mut query, &parents, "");
    }
    let words =
        order.iter().map(|(column, is_descending)| format!("{column}{}", if *is_descending { " DESC" } else { "" }));
    query.push(format_args!(" ORDER BY {}", words.collect::<Vec<_>>().join(", ")));
    // In words: SQLite plans again for each value that is bound here.
    query.push(format_args!(" LIMIT {}", window.limit + 1));
    query.push(" OFFSET ").push_value(integer(window.offset));
    query
}

/// More folders than these are read as one, and sorted.
const MOST_MERGED: usize = 100;

/// Columns, and whether they descend; the id is the last word, so that pages do not overlap.
fn order(sort: &[SearchOrder], columns: &SortColumns) -> Vec<(String, bool)> {
    let keys = sort.iter().take_while(|key| key.field != SortField::Id);
    let id = sort.iter().find(|key| key.field == SortField::Id);
    let last = if policy::TIES_FOLLOW_THE_ORDER { sort.last() } else { None };
    let last = ("f.id".into(), id.or(last).is_some_and(|key| key.descending));
    keys.map(|key| (columns.of(key.field), key.descending)).chain([last]).collect()
}

/// What the two tables call the same thing.
struct SortColumns {
    parent: &'static str,
    /// Whether an index may be chosen because of it.
    parent_leads: bool,
    name: &'static str,
    path: &'static str,
}

impl SortColumns {
    /// Folders have a few of these only.
    fn of(&self, field: SortField) -> String {
        if field == SortField::Name { self.name.to_owned() } else { format!("f.{}", <&str>::from(field)) }
    }
}

const FILE_COLUMNS: SortColumns = SortColumns {
    parent: "f.folder_id",
    parent_leads: true,
    name: "f.stem_folded",
    path: concat!("(", folder_path!(), " || '/' || f.full_name)"),
};
const FOLDER_COLUMNS: SortColumns =
    SortColumns { parent: "f.parent_id", parent_leads: true, name: "f.name_folded", path: "f.path" };

fn push_common(query: &mut SearchQuery, filter: &CommonFilter, parents: &[i64], columns: &SortColumns) {
    push_list(query, "f.id", &filter.ids);
    // No index is for a number with a sign.
    let sign = if columns.parent_leads { "" } else { "+" };
    push_list(query, &format!("{sign}COALESCE({}, {})", columns.parent, policy::ROOT_FOLDER_ID), parents);
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
    for range in &filter.ranges {
        if let (Some(from), true) = (range.from, range.from == range.to) {
            query.push(format_args!(" AND {} = ", columns.of(range.field))).push_value(from);
            continue;
        }
        for (operator, bound) in [(">=", range.from), ("<=", range.to)] {
            if let Some(bound) = bound {
                query.push(format_args!(" AND {} {operator} ", columns.of(range.field))).push_value(bound);
            }
        }
    }
}

fn push_list(query: &mut SearchQuery, column: &str, values: &[i64]) {
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
