//! Searches in SQL (`contract.md#search`). Deleted, expired and hidden files are never listed.

use std::collections::BTreeSet;

use jiff::Timestamp;
use tokio_postgres::types::{ToSql, Type};

use super::name_trigrams::NameTrigrams;
use super::tables::{PostgresTables, numbered};
use super::values::{integer, millis};
use crate::service::domain::names::fold;
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileRecord, FolderRecord};
use crate::service::store::search::{
    CommonFilter, FileFilter, SearchOrder, SearchPage, SortField, Window,
};
use crate::service::store::sql::{
    ColumnNames, MOST_MERGED, Parents, SearchText, SqlRow, file, file_columns, folder,
    folder_columns, folder_path, own_file_columns, where_live, whole_order,
};

impl PostgresTables<'_> {
    pub(super) fn search_files(
        &self,
        filter: &FileFilter,
        trigrams: &NameTrigrams,
        sort: &[SearchOrder],
        window: Window,
        now: Timestamp,
    ) -> Result<SearchPage<FileRecord>, StoreError> {
        let part = filter.common.name_contains.as_deref().map(fold);
        let leading = part
            .as_deref()
            .map(|part| trigrams.rare(self, part))
            .transpose()?
            .unwrap_or_default();
        let FileFilter {
            common, md5, only, ..
        } = filter;
        let lead = leading.is_empty() && md5.is_none() && only.is_none() && common.ids.is_empty();
        let parents = Parents {
            ids: &common.parents,
            lead,
        };
        let query = page(FILES, parents, sort, window, |query| {
            query
                .push(concat!("SELECT f.* FROM files f ", where_live!()))
                .push_value(millis(now));
            // The indexes for pages and searches have this condition.
            query.push(" AND f.access NOT LIKE 'HIDDEN%'");
            push_common(query, common, &ColumnNames::OF_FILES, &leading);
            query.push_facts(filter, |_| "");
        });
        self.find(&query, window, file)
    }

    pub(super) fn search_folders(
        &self,
        filter: &CommonFilter,
        sort: &[SearchOrder],
        window: Window,
    ) -> Result<SearchPage<FolderRecord>, StoreError> {
        let parents = Parents {
            ids: &filter.parents,
            lead: filter.ids.is_empty(),
        };
        let query = page(FOLDERS, parents, sort, window, |query| {
            query.push("SELECT f.* FROM folders f WHERE f.deleted_at IS NULL");
            push_common(query, filter, &ColumnNames::OF_FOLDERS, &[]);
        });
        self.find(&query, window, folder)
    }

    fn find<T>(
        &self,
        query: &SearchQuery,
        window: Window,
        read: fn(&dyn SqlRow) -> Result<T, StoreError>,
    ) -> Result<SearchPage<T>, StoreError> {
        // PostgreSQL accepts no NUL in text, and no name contains one.
        if query
            .values
            .iter()
            .any(|value| matches!(value, SearchValue::Text(text) if text.contains('\0')))
        {
            return Ok(SearchPage {
                rows: Vec::new(),
                has_more: false,
            });
        }
        let values = query
            .values
            .iter()
            .map(SearchValue::typed)
            .collect::<Vec<_>>();
        let found = self.wait(self.client.query_typed(&numbered(&query.sql), &values))?;
        let limit = window.limit as usize;
        Ok(SearchPage {
            rows: found
                .iter()
                .take(limit)
                .map(|row| read(row))
                .collect::<Result<_, _>>()?,
            has_more: found.len() > limit,
        })
    }
}

/// The table that is searched, and what is read of the rows of a page.
struct PageTable {
    table: &'static str,
    columns: &'static ColumnNames,
    selected: &'static str,
}

const FILES: PageTable = PageTable {
    table: "files",
    columns: &ColumnNames::OF_FILES,
    selected: file_columns!(),
};
const FOLDERS: PageTable = PageTable {
    table: "folders",
    columns: &ColumnNames::OF_FOLDERS,
    selected: folder_columns!(),
};

/// Sorts the selected rows and reads one more than the window has. Of rows before the page, only
/// the ids are read, from an index, and not their folders. Several folders are each read separately
/// in the order, no further than the window reaches, since an index has the rows of one folder in
/// most orders.
fn page(
    PageTable {
        table,
        columns,
        selected,
    }: PageTable,
    parents: Parents<'_>,
    sort: &[SearchOrder],
    window: Window,
    select: impl Fn(&mut SearchQuery),
) -> SearchQuery {
    let (limit, offset, order) = (
        i64::from(window.limit) + 1,
        integer(window.offset),
        order(sort, columns),
    );
    let parent = format!("COALESCE({}, {})", columns.parent, policy::ROOT_FOLDER_ID);
    let ids: Vec<_> = parents
        .ids
        .iter()
        .copied()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut query = SearchQuery::default();
    query.push(format_args!("SELECT {selected} FROM "));
    if offset > 0 {
        query.push(format_args!(
            "{table} f WHERE f.id = ANY(ARRAY(SELECT f.id FROM "
        ));
    }
    if parents.lead && (2..=MOST_MERGED).contains(&ids.len()) {
        query
            .push("unnest(")
            .push_value(ids)
            .push(") AS p (parent) CROSS JOIN LATERAL (");
        select(&mut query);
        query.push(format_args!(
            " AND {parent} = p.parent ORDER BY {order} LIMIT "
        ));
        query.push_value(offset.saturating_add(limit));
    } else {
        query.push("(");
        select(&mut query);
        push_list(&mut query, &parent, &ids);
    }
    query
        .push(format_args!(") f ORDER BY {order} LIMIT "))
        .push_value(limit)
        .push(" OFFSET ")
        .push_value(offset);
    if offset > 0 {
        query.push(format_args!(")) ORDER BY {order}"));
    }
    query
}

type SearchQuery = SearchText<SearchValue>;

enum SearchValue {
    Number(i64),
    Numbers(Vec<i64>),
    Text(String),
    Flag(bool),
}

impl From<i64> for SearchValue {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<Vec<i64>> for SearchValue {
    fn from(numbers: Vec<i64>) -> Self {
        Self::Numbers(numbers)
    }
}

impl From<String> for SearchValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for SearchValue {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl SearchValue {
    fn typed(&self) -> (&(dyn ToSql + Sync), Type) {
        match self {
            Self::Number(number) => (number, Type::INT8),
            Self::Numbers(numbers) => (numbers, Type::INT8_ARRAY),
            Self::Text(text) => (text, Type::TEXT),
            Self::Flag(flag) => (flag, Type::BOOL),
        }
    }
}

/// Missing values come first. Only columns that may have them get NULLS FIRST or LAST, because an
/// index serves only an order with the same words.
fn order(sort: &[SearchOrder], columns: &ColumnNames) -> String {
    let words = whole_order(sort).map(|SearchOrder { field, descending }| {
        let may_be_missing = matches!(
            field,
            SortField::Height | SortField::Width | SortField::ExpiresAt
        );
        let direction = match (descending, may_be_missing) {
            (false, false) => "",
            (true, false) => " DESC",
            (false, true) => " NULLS FIRST",
            (true, true) => " DESC NULLS LAST",
        };
        format!("{}{direction}", columns.of(field))
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Adds the common conditions. With leading trigrams, the name is compared by a function that uses
/// no index.
fn push_common(
    query: &mut SearchQuery,
    filter: &CommonFilter,
    columns: &ColumnNames,
    leading: &[String],
) {
    push_list(query, "f.id", &filter.ids);
    if let Some(part) = filter.name_contains.as_deref().map(fold) {
        let compared = if leading.is_empty() {
            std::slice::from_ref(&part)
        } else {
            leading
        };
        for part in compared {
            let pattern = format!("%{}%", escaped(part));
            query
                .push(format_args!(" AND {} LIKE ", columns.name))
                .push_value(pattern);
        }
        if !leading.is_empty() {
            query
                .push(format_args!(" AND strpos({}, ", columns.name))
                .push_value(part)
                .push(") > 0");
        }
    }
    if let Some(path) = &filter.path {
        // The path itself and everything below it.
        let start = format!("{path}/");
        query
            .push(format_args!(" AND starts_with({} || '/', ", columns.path))
            .push_value(start);
        query.push(")");
    }
    for range in &filter.ranges {
        query.push_range(range, columns, "");
    }
}

/// A single value is compared with `=`, so that an index that begins with it also gives the order.
fn push_list(query: &mut SearchQuery, column: &str, values: &[i64]) {
    match values {
        [] => {}
        [value] => drop(
            query
                .push(format_args!(" AND {column} = "))
                .push_value(*value),
        ),
        values => {
            query
                .push(format_args!(" AND {column} = ANY("))
                .push_value(values.to_vec())
                .push(")");
        }
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    // With words for missing values in every order, pages of a million files took a hundred times
    // longer.
    #[test]
    fn orders_have_the_words_for_missing_values_that_the_indexes_have() {
        let indexes = include_str!("../../../../assets/schema/store_in_postgres.sql");
        for field in [
            SortField::Id,
            SortField::Name,
            SortField::Extension,
            SortField::Kind,
            SortField::Access,
            SortField::Size,
            SortField::Height,
            SortField::Width,
            SortField::CreatedAt,
            SortField::UpdatedAt,
            SortField::ExpiresAt,
        ] {
            let column = ColumnNames::OF_FILES.of(field);
            let may_be_missing =
                indexes.contains(&format!("{} NULLS FIRST", column.trim_start_matches("f.")));
            for (descending, words) in [(false, "NULLS FIRST"), (true, "NULLS LAST")] {
                let order = order(&[SearchOrder { field, descending }], &ColumnNames::OF_FILES);
                assert_eq!(order.contains(words), may_be_missing, "{order}");
            }
        }
    }
}
