//! Everything between a connection and the service: routes and their handlers, the layers around
//! them, checked input, the OpenAPI document, injected faults, and the test API. No SQL, and no
//! bytes on disk.

mod access_note;
mod connection_slots;
mod connections;
mod extract;
pub mod faults;
mod known_names;
mod layers;
mod openapi;
mod patience;
mod probes;
mod response_stream;
mod router;
pub(super) mod routes;
mod test_api;

pub(super) use connections::Connections;
pub use layers::rate_limit;
pub(super) use probes::alone as probes;
pub(super) use router::{ProbesBesideApi, RouterOptions, router};
pub use test_api::ServedRequest;
pub(super) use test_api::TestControls;
