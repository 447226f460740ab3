//! What was cut and waits to be pasted into another folder.

use std::collections::BTreeSet;

use crate::engine::message::{Place, Target};

use super::row::Row;

/// Files and folders cut from one folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    pub from: Place,
    pub rows: Vec<Row>,
}

impl Cut {
    pub fn holds(&self, target: &Target) -> bool {
        self.rows.iter().any(|row| row.target == *target)
    }

    pub fn targets(&self) -> BTreeSet<Target> {
        self.rows.iter().map(|row| row.target.clone()).collect()
    }
}
