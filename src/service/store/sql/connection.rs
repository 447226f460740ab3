//! A connection to a database of either dialect, as the statements need it, and the rows it
//! returns.

use super::values::{ColumnValue, SqlValue, unreadable};
use crate::service::crm::Usage;
use crate::service::store::error::StoreError;

pub(in crate::service::store) struct Dialect {
    pub(in crate::service::store) next_id: &'static str,
    /// A statement that marks all ids below a given one as taken.
    pub(in crate::service::store) raise_ids: &'static str,
    /// The column of `tasks` by which they are ordered as they were added.
    pub(in crate::service::store) task_position: &'static str,
    /// The tasks that have not ended, read through an index that holds only these.
    pub(in crate::service::store) unfinished_tasks: &'static str,
    /// A statement that notifies other processes of a new task.
    pub(in crate::service::store) notify: Option<&'static str>,
}

/// The rows of the CRM usage, which each dialect stores in its own way.
pub(in crate::service::store) trait UsageTable {
    fn replace_crm_usage(&self, usage: &Usage) -> Result<(), StoreError>;

    fn crm_usage(&self) -> Result<Option<Usage>, StoreError>;
}

/// All tables, on a connection or in its transaction. `?1` is the first parameter of a statement.
pub(in crate::service::store) trait Tables: UsageTable {
    fn dialect(&self) -> &'static Dialect;

    /// Returns the number of rows changed.
    fn execute(&self, statement: &str, parameters: &[SqlValue<'_>]) -> Result<usize, StoreError>;

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

    /// Returns the row, if there is one; there must not be more.
    pub(super) fn first<T>(
        &self,
        query: &str,
        parameters: &[SqlValue<'_>],
        read: impl Fn(&dyn SqlRow) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.all(query, parameters, read)?.pop())
    }

    pub(super) fn value<T: ColumnValue>(
        &self,
        query: &str,
        parameters: &[SqlValue<'_>],
    ) -> Result<T, StoreError> {
        self.first(query, parameters, |row| row.get(0))?
            .ok_or_else(unreadable)
    }
}

pub(in crate::service::store) trait SqlRow {
    /// Returns the value of a column; the first is 0.
    fn value(&self, column: usize) -> Result<SqlValue<'_>, StoreError>;
}

impl dyn SqlRow + '_ {
    pub(in crate::service::store) fn get<T: ColumnValue>(
        &self,
        column: usize,
    ) -> Result<T, StoreError> {
        T::from_value(self.value(column)?).ok_or_else(unreadable)
    }

    pub(super) fn text(&self, column: usize) -> Result<&str, StoreError> {
        if let SqlValue::Text(text) = self.value(column)? {
            Ok(text)
        } else {
            Err(unreadable())
        }
    }
}
