//! The command line as a script meets it: standard output, standard error and the exit code.

mod accounts;
mod arguments;
pub(crate) mod binary;
pub(crate) mod client;
#[cfg(target_os = "linux")]
mod core_files;
#[cfg(unix)]
mod crashes;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(unix)]
mod erasure;
mod find;
mod get_put;
pub(crate) mod help;
#[cfg(target_os = "linux")]
mod keyring;
mod limits;
mod local_store;
mod ls;
mod output;
#[cfg(target_os = "linux")]
mod pictures;
#[cfg(target_os = "linux")]
mod restart;
mod rm;
mod serve;
#[cfg(unix)]
mod signals;
mod store;
