//! The contract, row by row, in the order of `docs/contract.md`: each case is one row, played over
//! raw HTTP and read as raw JSON, without this project's client or wire types. The modules are the
//! sections of the contract.

mod content;
mod deletion;
mod errors;
mod files;
mod folders;
mod imports;
mod limits;
mod play;
mod scopes;
mod search;
mod uploads;
mod versions;
