//! Conversion of values to and from PostgreSQL.

use std::error::Error;
use std::sync::Arc;

use bytes::BytesMut;
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::service::store::error::{DatabaseFailure, StoreError};
use crate::service::store::sql::{SqlRow, SqlValue};

impl ToSql for SqlValue<'_> {
    fn to_sql(
        &self,
        as_type: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Number(number) => number.to_sql_checked(as_type, out),
            Self::Flag(flag) => flag.to_sql_checked(as_type, out),
            Self::Text(text) => text.to_sql_checked(as_type, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(as_type, out),
        }
    }

    // Each value checks the type itself.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl SqlRow for Row {
    fn value(&self, column: usize) -> Result<SqlValue<'_>, StoreError> {
        let kind = self
            .columns()
            .get(column)
            .map(tokio_postgres::Column::type_);
        Ok(match kind {
            Some(&Type::BOOL) => self.try_get::<_, Option<bool>>(column)?.into(),
            Some(&Type::TEXT) => self.try_get::<_, Option<&str>>(column)?.into(),
            Some(&Type::BYTEA) => self.try_get::<_, Option<&[u8]>>(column)?.into(),
            _ => self.try_get::<_, Option<i64>>(column)?.into(),
        })
    }
}

pub(super) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

/// Larger numbers become the largest that fits.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn stored_time(millis: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(unreadable)
}

pub(super) fn unreadable(error: impl Error + Send + Sync + 'static) -> StoreError {
    StoreError::Database(DatabaseFailure::Other, Arc::new(error))
}
