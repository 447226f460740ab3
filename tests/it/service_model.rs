//! Random histories of requests, played over HTTP against the service and against an in-memory
//! model of the library. Every response and, at the end, everything readable must agree, and so
//! must the number of blobs on the disk.
//!
//! The same histories run every time. `PROPTEST_CASES=2000 cargo test --test service service_model`
//! draws that many new ones. A failure prints the shortest history that still fails, request by
//! request; keep it as a test of its own.
//!
//! Seen to fail, each planted alone in `src/service/store`: an overwrite that keeps the old file,
//! `EXACT_FOLDER` read as `ENTIRE_PORTAL`, an expiry one millisecond early and one late, numbers
//! for clashing names that count the names, a rename that leaves the paths two levels down, a
//! replacement that keeps the old checksum, a folder's deletion that leaves its files, a rejected
//! upload that keeps its folders, a replacement that never frees its old blob.

mod compare;
mod files;
mod folders;
mod history;
mod library;
mod play;
mod run;

use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

const CASES: u32 = 32;
const SEED: u64 = 20_261_121;

#[test]
fn every_history_reads_as_the_library_in_memory() {
    let asked = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let config = Config {
        cases: asked.unwrap_or(CASES),
        rng_seed: if asked.is_some() {
            RngSeed::Random
        } else {
            RngSeed::Fixed(SEED)
        },
        failure_persistence: None,
        max_shrink_iters: 400,
        max_shrink_time: 60_000,
        ..Config::default()
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let outcome = TestRunner::new(config).run(&history::histories(), |steps| {
        runtime
            .block_on(play::play(&steps))
            .map_err(TestCaseError::fail)
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(TestError::Abort(reason)) => panic!("no history could be drawn: {reason}"),
    }
}
