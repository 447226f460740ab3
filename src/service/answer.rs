//! What the service says, in the API's words: records, and refusals. Whatever asks it (a route, a job, the sample library).

pub(super) mod error;
mod object;
pub(super) mod render;
