//! `limits`.

use super::cell::Cell;
use super::common;
use super::verb::Verb;

pub(super) fn cells() -> Vec<Cell> {
    common::reads(Verb::Limits)
}
