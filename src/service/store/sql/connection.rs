//! A connection to a database of either dialect, as the statements need it, and the rows of its answers.

use super::values::{ColumnValue, SqlValue, unreadable};
use crate::service::crm::Usage;
use crate::service::store::error::StoreError;

/// The words in which the dialects differ.
pub(in crate::service::store) struct Dialect {
    /// Takes the next id.
    pub(in crate::service::store) next_id: &'static str,
    /// Has the ids below one count as taken.
    pub(in crate::service::store) raise_ids: &'static str,
    /// Which column of `tasks` says in which order they were added.
    pub(in crate::service::store) task_position: &'static str,
    /// The tasks that have not ended, by an index that holds these alone.
    pub(in crate::service::store) unfinished_tasks: &'static str,
    /// Tells other processes that a task was added.
    pub(in crate::service::store) notify: Option<&'static str>,
}

/// Rows of the CRM usage, which each dialect keeps in its own way.
pub(in crate::service::store) trait UsageTable {
    fn replace_crm_usage(&self, usage: &Usage) -> Result<(), StoreError>;

    fn crm_usage(&self) -> Result<Option<Usage>, StoreError>;
}

/// All tables, on a connection or in its transaction: records in, records out. `?1` is the first of a statement's
/// parameters.
pub(in crate::service::store) trait Tables: UsageTable {
    fn dialect(&self) -> &'static Dialect;

    /// Gives how many rows were changed.
    fn execute(&self, statement: &str, parameters: &[SqlValue<'_>]) -> Result<usize, StoreError>;

    /// Shows each row of the answer.
    fn each(
        &self,
        query: &str,
        parameters: &[SqlValue<'_>],
        see: &mut dyn FnMut(&dyn SqlRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
}

impl dyn Tables + '_ {
    pub(super) fn all<T>(
        &self,
        query: &str,
        parameters: &[SqlValue<'_>],
        read: impl Fn(&dyn SqlRow) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut all = Vec::new();
        self.each(query, parameters, &mut |row| {
            all.push(read(row)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// The row, if there is one; there must not be more.
    pub(super) fn first<T>(
        &self,
        query: &str,
        parameters: &[SqlValue<'_>],
        read: impl Fn(&dyn SqlRow) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.all(query, parameters, read)?.pop())
    }

    /// The first value of the one row.
    pub(super) fn value<T: ColumnValue>(&self, query: &str, parameters: &[SqlValue<'_>]) -> Result<T, StoreError> {
        self.first(query, parameters, |row| row.get(0))?.ok_or_else(unreadable)
    }
}

/// A row of an answer.
pub(in crate::service::store) trait SqlRow {
    /// The value of a column; the first is 0.
    fn value(&self, column: usize) -> Result<SqlValue<'_>, StoreError>;
}

impl dyn SqlRow + '_ {
    pub(in crate::service::store) fn get<T: ColumnValue>(&self, column: usize) -> Result<T, StoreError> {
        T::from_value(self.value(column)?).ok_or_else(unreadable)
    }

    pub(super) fn text(&self, column: usize) -> Result<&str, StoreError> {
        if let SqlValue::Text(text) = self.value(column)? { Ok(text) } else { Err(unreadable()) }
    }
}
