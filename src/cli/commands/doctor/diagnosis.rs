//! The result of a check, as a line of the output.

use serde::Serialize;
use strum::Display;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(super) enum Health {
    Ok,
    Warn,
    Fail,
}

#[derive(Debug, Serialize)]
pub(super) struct Diagnosis {
    pub(super) state: Health,
    pub(super) check: &'static str,
    /// The finding, and what to do if something is wrong.
    pub(super) says: String,
}

pub(super) fn finding(state: Health, check: &'static str, says: impl Into<String>) -> Diagnosis {
    Diagnosis {
        state,
        check,
        says: says.into(),
    }
}

pub(super) fn ok(check: &'static str, says: impl Into<String>) -> Diagnosis {
    finding(Health::Ok, check, says)
}

pub(super) fn warn(check: &'static str, says: impl Into<String>) -> Diagnosis {
    finding(Health::Warn, check, says)
}

pub(super) fn fail(check: &'static str, says: impl Into<String>) -> Diagnosis {
    finding(Health::Fail, check, says)
}
