//! Searches in SQL (`contract.md#search`). Deleted, expired and hidden files are never listed.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use super::files::{file, file_columns, where_live};
use super::folders::{folder, folder_columns};
use super::name_trigrams::NameTrigrams;
use super::tables::PostgresTables;
use super::values::{integer, millis};
use crate::service::domain::names::fold;
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, FileRecord, FolderRecord};
use crate::service::store::search::{CommonFilter, FileFilter, SearchOrder, SearchPage, SortField, Window};

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
        let leading = part.as_deref().map(|part| trigrams.rare(self, part)).transpose()?.unwrap_or_default();
        let FileFilter { common, md5, only, .. } = filter;
        let lead = leading.is_empty() && md5.is_none() && only.is_none() && common.ids.is_empty();
        let parents = Parents { ids: &common.parents, lead };
        let query = page(file_columns!(), parents, sort, &FILE_COLUMNS, window, |query| {
            query.push(concat!("SELECT f.* FROM files f ", where_live!())).push_number(millis(now));
            push_files(query, filter, &leading);
        });
        self.find(&query, window, file)
    }

    pub(super) fn search_folders(
        &self,
        filter: &CommonFilter,
        sort: &[SearchOrder],
        window: Window,
    ) -> Result<SearchPage<FolderRecord>, StoreError> {
        let parents = Parents { ids: &filter.parents, lead: filter.ids.is_empty() };
        let query = page(folder_columns!(), parents, sort, &FOLDER_COLUMNS, window, |query| {
            query.push("SELECT f.* FROM folders f WHERE f.deleted_at IS NULL");
            push_common(query, filter, &FOLDER_COLUMNS, &[]);
        });
        self.find(&query, window, folder)
    }

    fn find<T>(
        &self,
        query: &SearchText,
        window: Window,
        read: fn(&Row) -> Result<T, StoreError>,
    ) -> Result<SearchPage<T>, StoreError> {
        // PostgreSQL takes it in no text, and no name has it.
        if query.values.iter().any(|value| matches!(value, SearchValue::Text(text) if text.contains('\0'))) {
            return Ok(SearchPage { rows: Vec::new(), has_more: false });
        }
        let values = query.values.iter().map(SearchValue::typed).collect::<Vec<_>>();
        let found = self.wait(self.client.query_typed(&query.sql, &values))?;
        let limit = window.limit as usize;
        Ok(SearchPage {
            rows: found.iter().take(limit).map(read).collect::<Result<_, _>>()?,
            has_more: found.len() > limit,
        })
    }
}

/// The folders that are searched, or none for all.
#[derive(Clone, Copy)]
struct Parents<'a> {
    ids: &'a [i64],
    /// Whether nothing else leads to fewer files.
    lead: bool,
}

/// More folders than these are read as one, and sorted.
const MOST_MERGED: usize = 100;

/// Sorts what is selected of the folders, and asks for one row more than the window has. Each of several folders is read by
/// itself in the order and no further than the window reaches: for most orders an index has it.
fn page(
    selected: &str,
    parents: Parents<'_>,
    sort: &[SearchOrder],
    columns: &ColumnNames,
    window: Window,
    select: impl Fn(&mut SearchText),
) -> SearchText {
    let (limit, offset, order) = (i64::from(window.limit) + 1, integer(window.offset), order(sort, columns));
    let parent = format!("COALESCE({}, {})", columns.parent, policy::ROOT_FOLDER_ID);
    let ids: Vec<_> = parents.ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let mut query = SearchText::default();
    query.push(format_args!("SELECT {selected} FROM "));
    if parents.lead && (2..=MOST_MERGED).contains(&ids.len()) {
        query.push("unnest(").push_value(SearchValue::Numbers(ids)).push(") AS p (id) CROSS JOIN LATERAL (");
        select(&mut query);
        query.push(format_args!(" AND {parent} = p.id ORDER BY {order} LIMIT "));
        query.push_number(offset.saturating_add(limit));
    } else {
        query.push("(");
        select(&mut query);
        push_list(&mut query, &parent, &ids);
    }
    query.push(format_args!(") f ORDER BY {order} LIMIT ")).push_number(limit).push(" OFFSET ").push_number(offset);
    query
}

/// A query that is put together of words and values.
#[derive(Default)]
struct SearchText {
    sql: String,
    values: Vec<SearchValue>,
}

enum SearchValue {
    Number(i64),
    Numbers(Vec<i64>),
    Text(String),
    Flag(bool),
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

impl SearchText {
    fn push(&mut self, words: impl Display) -> &mut Self {
        // Text takes whatever is written to it.
        let _ = write!(self.sql, "{words}");
        self
    }

    fn push_value(&mut self, value: SearchValue) -> &mut Self {
        self.values.push(value);
        let place = self.values.len();
        self.push(format_args!("${place}"))
    }

    fn push_number(&mut self, number: i64) -> &mut Self {
        self.push_value(SearchValue::Number(number))
    }
}

/// What the two tables call the same thing.
struct ColumnNames {
    parent: &'static str,
    name: &'static str,
    path: &'static str,
}

impl ColumnNames {
    /// Folders have a few of these only.
    fn of(&self, field: SortField) -> String {
        if field == SortField::Name { self.name.to_owned() } else { format!("f.{}", <&str>::from(field)) }
    }
}

const FILE_COLUMNS: ColumnNames = ColumnNames {
    parent: "f.folder_id",
    name: "f.stem_folded",
    path: "(COALESCE((SELECT d.path FROM folders d WHERE d.id = f.folder_id), '') || '/' || f.full_name)",
};
const FOLDER_COLUMNS: ColumnNames = ColumnNames { parent: "f.parent_id", name: "f.name_folded", path: "f.path" };

/// What has no value comes before all that has one; words for that are for columns that need them, because an index
/// serves an order only if it has the same. The id is the last word, so that pages do not overlap.
fn order(sort: &[SearchOrder], columns: &ColumnNames) -> String {
    let keys = sort.iter().take_while(|key| key.field != SortField::Id);
    let id = sort.iter().find(|key| key.field == SortField::Id);
    let last = if policy::TIES_FOLLOW_THE_ORDER { sort.last() } else { None };
    let last = SearchOrder { field: SortField::Id, descending: id.or(last).is_some_and(|key| key.descending) };
    let words = keys.copied().chain([last]).map(|SearchOrder { field, descending }| {
        let may_be_missing = matches!(field, SortField::Height | SortField::Width | SortField::ExpiresAt);
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

fn push_files(query: &mut SearchText, filter: &FileFilter, leading: &[String]) {
    // The indexes of pages and searches ask for these words.
    query.push(" AND f.access NOT LIKE 'HIDDEN%'");
    push_common(query, &filter.common, &FILE_COLUMNS, leading);
    for (column, value) in [
        ("lower(f.extension)", &filter.extension),
        ("f.kind", &filter.kind),
        ("f.encoding", &filter.encoding),
        ("f.md5", &filter.md5),
    ] {
        if let Some(value) = value {
            query.push(format_args!(" AND {column} = ")).push_value(SearchValue::Text(value.clone()));
        }
    }
    if let Some(FileKey(id)) = filter.only {
        query.push(" AND f.id = ").push_number(id);
    }
    if let Some(usable) = filter.usable {
        query.push(" AND f.usable = ").push_value(SearchValue::Flag(usable));
    }
    if let Some(public) = filter.public {
        let negation = if public { "" } else { "NOT " };
        query.push(format_args!(" AND f.access {negation}IN ('PUBLIC_INDEXABLE', 'PUBLIC_NOT_INDEXABLE')"));
    }
}

/// Where trigrams lead, the part of a name is compared by a function that no index serves.
fn push_common(query: &mut SearchText, filter: &CommonFilter, columns: &ColumnNames, leading: &[String]) {
    push_list(query, "f.id", &filter.ids);
    if let Some(part) = filter.name_contains.as_deref().map(fold) {
        let compared = if leading.is_empty() { std::slice::from_ref(&part) } else { leading };
        for part in compared {
            let pattern = format!("%{}%", escaped(part));
            query.push(format_args!(" AND {} LIKE ", columns.name)).push_value(SearchValue::Text(pattern));
        }
        if !leading.is_empty() {
            query
                .push(format_args!(" AND strpos({}, ", columns.name))
                .push_value(SearchValue::Text(part))
                .push(") > 0");
        }
    }
    if let Some(path) = &filter.path {
        if policy::PATH_FILTER_INCLUDES_DESCENDANTS {
            let start = format!("{path}/");
            query.push(format_args!(" AND starts_with({} || '/', ", columns.path)).push_value(SearchValue::Text(start));
            query.push(")");
        } else {
            query.push(format_args!(" AND {} = ", columns.path)).push_value(SearchValue::Text(path.clone()));
        }
    }
    for range in &filter.ranges {
        if let (Some(from), true) = (range.from, range.from == range.to) {
            query.push(format_args!(" AND {} = ", columns.of(range.field))).push_number(from);
            continue;
        }
        for (operator, bound) in [(">=", range.from), ("<=", range.to)] {
            if let Some(bound) = bound {
                query.push(format_args!(" AND {} {operator} ", columns.of(range.field))).push_number(bound);
            }
        }
    }
}

/// A single value is compared, so that an index that begins with it gives the order, too.
fn push_list(query: &mut SearchText, column: &str, values: &[i64]) {
    match values {
        [] => {}
        [value] => drop(query.push(format_args!(" AND {column} = ")).push_number(*value)),
        values => {
            query
                .push(format_args!(" AND {column} = ANY("))
                .push_value(SearchValue::Numbers(values.to_vec()))
                .push(")");
        }
    }
}

/// For a pattern of LIKE: what means something there stands for itself.
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

    // Seen to fail with words for missing values in every order: pages of a million files took a hundred times longer.
    #[test]
    fn orders_have_the_words_for_missing_values_that_the_indexes_have() {
        let indexes = include_str!("../../../../assets/migrations/postgres/0001_store.sql");
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
            let column = FILE_COLUMNS.of(field);
            let may_be_missing = indexes.contains(&format!("{} NULLS FIRST", column.trim_start_matches("f.")));
            for (descending, words) in [(false, "NULLS FIRST"), (true, "NULLS LAST")] {
                let order = order(&[SearchOrder { field, descending }], &FILE_COLUMNS);
                assert_eq!(order.contains(words), may_be_missing, "{order}");
            }
        }
    }
}
