//! What is between a connection and the service: the routes and their handlers, the layers around them, checked input,
//! the document of it all, and trouble on purpose. No SQL, and no bytes on disk.

mod connection_slots;
mod connections;
mod extract;
pub mod faults;
mod flushes;
mod layers;
mod openapi;
mod router;
pub(super) mod routes;

pub(super) use connections::serve;
pub use layers::rate_limit;
pub(super) use router::router;
