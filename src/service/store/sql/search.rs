//! The parts that the searches of both dialects share: SQL text with its values, column names,
//! orders and filters.

use std::fmt::{Display, Write as _};

use super::files::folder_path;
use crate::service::store::records::FileKey;
use crate::service::store::search::{FieldRange, FileFilter, SearchOrder, SortField};

/// A query under construction, with the values of its parameters; `?1` is the first.
#[derive(Debug)]
pub(in crate::service::store) struct SearchText<V> {
    pub(in crate::service::store) sql: String,
    pub(in crate::service::store) values: Vec<V>,
}

impl<V> Default for SearchText<V> {
    fn default() -> Self {
        Self {
            sql: String::new(),
            values: Vec::new(),
        }
    }
}

impl<V: From<i64> + From<String> + From<bool>> SearchText<V> {
    pub(in crate::service::store) fn push(&mut self, words: impl Display) -> &mut Self {
        // Writing to a string cannot fail.
        let _ = write!(self.sql, "{words}");
        self
    }

    pub(in crate::service::store) fn push_value(&mut self, value: impl Into<V>) -> &mut Self {
        self.values.push(value.into());
        let place = self.values.len();
        self.push(format_args!("?{place}"))
    }

    /// Adds the conditions other than folder, path and name. `sign` returns what is put before a
    /// column.
    pub(in crate::service::store) fn push_facts(
        &mut self,
        filter: &FileFilter,
        sign: impl Fn(&str) -> &'static str,
    ) {
        for (column, value) in [
            ("lower(f.extension)", &filter.extension),
            ("f.kind", &filter.kind),
            ("f.encoding", &filter.encoding),
            ("f.md5", &filter.md5),
        ] {
            if let Some(value) = value {
                self.push(format_args!(" AND {}{column} = ", sign(column)))
                    .push_value(value.clone());
            }
        }
        if let Some(FileKey(id)) = filter.only {
            self.push(" AND f.id = ").push_value(id);
        }
        if let Some(usable) = filter.usable {
            self.push(format_args!(" AND {}f.usable = ", sign("f.usable")))
                .push_value(usable);
        }
        if let Some(public) = filter.public {
            // Hidden files are never listed.
            let levels = if public {
                "'PUBLIC_INDEXABLE', 'PUBLIC_NOT_INDEXABLE'"
            } else {
                "'PRIVATE', 'SENSITIVE'"
            };
            self.push(format_args!(
                " AND {}f.access IN ({levels})",
                sign("f.access")
            ));
        }
    }

    /// Adds a condition on one field, with `sign` before its column.
    pub(in crate::service::store) fn push_range(
        &mut self,
        range: &FieldRange,
        columns: &ColumnNames,
        sign: &str,
    ) {
        let column = format!("{sign}{}", columns.of(range.field));
        if let (Some(value), true) = (range.from, range.is_exact()) {
            self.push(format_args!(" AND {column} = "))
                .push_value(value);
            return;
        }
        for (operator, bound) in [(">=", range.from), ("<=", range.to)] {
            if let Some(bound) = bound {
                self.push(format_args!(" AND {column} {operator} "))
                    .push_value(bound);
            }
        }
    }
}

/// The column names in which the two tables differ.
pub(in crate::service::store) struct ColumnNames {
    pub(in crate::service::store) parent: &'static str,
    pub(in crate::service::store) name: &'static str,
    pub(in crate::service::store) path: &'static str,
}

impl ColumnNames {
    pub(in crate::service::store) const OF_FILES: Self = Self {
        parent: "f.folder_id",
        name: "f.stem_folded",
        path: concat!("(", folder_path!(), " || '/' || f.full_name)"),
    };
    pub(in crate::service::store) const OF_FOLDERS: Self = Self {
        parent: "f.parent_id",
        name: "f.name_folded",
        path: "f.path",
    };

    /// Folders have only a few of these columns.
    pub(in crate::service::store) fn of(&self, field: SortField) -> String {
        match field {
            SortField::Name => self.name.to_owned(),
            SortField::Extension => "lower(f.extension)".to_owned(),
            _ => format!("f.{}", <&str>::from(field)),
        }
    }
}

/// The folders to search in; empty for all.
#[derive(Clone, Copy)]
pub(in crate::service::store) struct Parents<'a> {
    pub(in crate::service::store) ids: &'a [i64],
    /// Set if no other condition leads to fewer rows.
    pub(in crate::service::store) lead: bool,
}

/// The limit up to which the rows of several folders are merged in order; more folders are read as
/// one and sorted.
pub(in crate::service::store) const MOST_MERGED: usize = 100;

/// Appends the id to an order, so that pages do not overlap. Its direction is that of the last key,
/// so that one index serves an order and its reverse.
pub(in crate::service::store) fn whole_order(
    sort: &[SearchOrder],
) -> impl Iterator<Item = SearchOrder> {
    let keys = sort.iter().take_while(|key| key.field != SortField::Id);
    let id = sort.iter().find(|key| key.field == SortField::Id);
    let descending = id.or(sort.last()).is_some_and(|key| key.descending);
    keys.copied().chain([SearchOrder {
        field: SortField::Id,
        descending,
    }])
}
