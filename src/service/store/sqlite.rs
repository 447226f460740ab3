//! The store in SQLite: the connections, the statements, and what only SQLite needs.

pub(super) mod audit;
pub(super) mod connections;
pub(super) mod database;
pub(super) mod failure;
pub(super) mod group;
pub(super) mod ids;
pub(super) mod migrations;
pub(super) mod name_index;
pub(super) mod name_indexer;
pub(super) mod presence;
#[cfg(test)]
pub(super) mod query_plans;
pub(super) mod rescue;
pub(super) mod salvage;
pub(super) mod sample_copy;
pub(super) mod scrub;
pub(super) mod search_query;
pub(super) mod sibling_paths;
pub(super) mod statements;
pub(super) mod values;
