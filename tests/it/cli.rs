//! The command line as a script meets it: standard output, standard error and the exit code.

mod binary;
mod local_store;
mod serve;
