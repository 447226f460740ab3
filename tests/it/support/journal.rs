//! A journal on which some writing fails, as on a disk that is full.

use std::path::Path;

use sqlx::AssertSqlSafe;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

/// Lasts until it is ended.
pub struct Unwritable(SqlitePool);

impl Unwritable {
    /// Fails what `change` names, as in `UPDATE ON item`.
    pub async fn make(journal: &Path, change: &str) -> Self {
        let options = SqliteConnectOptions::new().filename(journal);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
        let trigger = format!("CREATE TRIGGER unwritable BEFORE {change} BEGIN SELECT RAISE(ABORT, 'no room'); END");
        sqlx::query(AssertSqlSafe(trigger)).execute(&pool).await.unwrap();
        Self(pool)
    }

    pub async fn end(self) {
        sqlx::query("DROP TRIGGER unwritable").execute(&self.0).await.unwrap();
        self.0.close().await;
    }
}
