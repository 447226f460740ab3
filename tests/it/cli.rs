//! The command line from a script's point of view: standard output, standard error and the exit
//! code.

#[cfg(target_os = "linux")]
mod accents;
mod account;
mod accounts;
mod advice;
mod arguments;
pub(crate) mod binary;
#[cfg(target_os = "linux")]
mod canary;
mod cat;
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "tests of crashes and restarts need Unix")
)]
pub(crate) mod client;
#[cfg(unix)]
mod completion;
mod config;
#[cfg(unix)]
mod copy;
#[cfg(target_os = "linux")]
mod core_files;
#[cfg(unix)]
mod crashes;
mod definitions;
#[cfg(target_os = "linux")]
pub(crate) mod disk;
mod doctor;
mod du;
#[cfg(unix)]
mod erasure;
mod find;
mod flags;
mod gdpr_log;
mod get_put;
mod globs;
pub(crate) mod help;
#[cfg(unix)]
mod hostile;
mod import;
#[cfg(target_os = "linux")]
mod keyring;
mod limits;
mod lists;
mod local_store;
mod ls;
mod meanwhile;
#[cfg(target_os = "linux")]
mod mirror_down;
mod mkdir;
mod mv;
mod oauth;
mod output;
mod paths;
#[cfg(target_os = "linux")]
mod pictures;
#[cfg(unix)]
mod planted_links;
mod proxies;
mod replace;
#[cfg(target_os = "linux")]
mod restart;
mod rm;
mod serve;
mod serve_for_tests;
#[cfg(feature = "s3")]
mod serve_with_bucket;
#[cfg(all(feature = "postgres", feature = "s3"))]
mod serve_with_tls;
mod set;
#[cfg(unix)]
mod signals;
mod stat;
mod store;
mod storms;
mod sync;
#[cfg(unix)]
mod sync_accounts;
mod sync_model;
mod tasks;
mod tls;
#[cfg(all(unix, feature = "otlp"))]
mod traces;
mod tree;
mod two_accounts;
mod two_machines;
#[cfg(target_os = "linux")]
mod unreadable;
mod watch;
#[cfg(target_os = "linux")]
mod watch_events;
