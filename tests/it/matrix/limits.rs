//! `limits`.

use super::cell::Cell;
use super::command::Command;
use super::common;

pub(super) fn cells() -> Vec<Cell> {
    common::reads(Command::Limits)
}
