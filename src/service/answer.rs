//! Responses in the form of the API: records and errors, for every caller (a route, a job, the
//! sample library).

pub(super) mod error;
mod object;
pub(super) mod render;
