//! The contract, row by row, as `docs/contract.md` has it: each case is one row, played over raw HTTP and read as raw
//! JSON, with nothing of our own client or wire types in between. The modules are the sections of the contract.

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
