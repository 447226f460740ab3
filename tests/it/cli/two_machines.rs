//! Two machines that send files of the same names to one folder: the one that comes second is told,
//! and nothing is silently stored beside another file.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Stdio};
use std::thread;

use super::binary::{Binary, Run, Service};
use crate::support::proxy::{Calls, Fault, Proxy, Rule, Which};

/// The same content on both machines; the other files differ.
const SAME: [&str; 3] = ["same.txt", "in/same.txt", "in/deep/same.txt"];

fn machine(base_url: &str, token: &str, name: &str) -> Binary {
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", base_url)
        .env("FILEDECK_TOKEN", token);
    let own = paths()
        .into_iter()
        .map(|path| (format!("{path} of {name}"), path));
    for (content, path) in own.chain(SAME.map(|path| (path.to_owned(), path.to_owned()))) {
        let path = binary.work().join("site").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    binary
}

fn paths() -> Vec<String> {
    let path = |number: usize| {
        format!(
            "{}{number}.txt",
            ["", "in/", "in/deep/", "other/"][number % 4]
        )
    };
    (0..24).map(path).collect()
}

fn start(machine: &Binary) -> Child {
    let mut command = machine.command(&["sync", "site", "/web", "--jobs", "8"]);
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn end(run: Child) -> Run {
    Run::of(run.wait_with_output().unwrap())
}

/// Checks the stored files after both have ended, and returns the number of files with a number in
/// their names.
fn assert_all_is_said(machine: &Binary, runs: &[Run; 2]) -> usize {
    let tree = machine
        .run(&["tree", "/web", "--json"])
        .expect(0)
        .json_lines();
    let text = |line: &serde_json::Value, field: &str| line[field].as_str().unwrap().to_owned();
    let files = tree.iter().filter(|line| line.get("size").is_some());
    let mut stored: BTreeMap<String, String> = files
        .map(|file| (text(file, "path"), text(file, "id")))
        .collect();
    let mut asked = BTreeMap::new();
    for path in paths().iter().map(String::as_str).chain(SAME) {
        let path = format!("/web/{path}");
        let id = stored
            .remove(&path)
            .unwrap_or_else(|| panic!("{path} is not in {stored:?}"));
        asked.insert(path, id);
    }
    for (path, id) in &stored {
        let (stem, _) = path.rsplit_once('-').unwrap();
        let first = &asked[&format!("{stem}.txt")];
        let said = format!(
            "{stem}.txt (id {first}) was taken by somebody else in the meantime: this file is {path} (id {id}) now"
        );
        let sayers = runs.iter().filter(|run| run.stderr.contains(&said)).count();
        assert_eq!(sayers, 1, "{said}: {runs:#?}");
    }
    for run in runs {
        let lost = run.stderr.contains("cannot ");
        assert_eq!(run.code, if lost { 7 } else { 0 }, "{run:#?}");
    }
    stored.len()
}

/// The slower machine has planned everything, and then nothing that it sends is accepted until the
/// other one has ended.
///
/// Seen to end with 0 when the name in the service's response is not checked.
#[test]
fn the_machine_that_comes_second_says_each_clash_with_both_paths_and_ends_with_seven() {
    let service = Service::start();
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    let uploads = Calls::to("POST", "/files/v3/files");
    proxy.rules(vec![Rule::new(
        uploads,
        Which::All,
        Fault::status(423, &[]),
    )]);
    let slow = machine(proxy.url.as_str(), &service.token(), "slow");
    let fast = machine(&service.base_url(), &service.token(), "fast");
    let run = start(&slow);
    service.block_on(proxy.until(|log| log.iter().any(|relayed| uploads.hold(&relayed.seen))));
    let first = fast.run(&["sync", "site", "/web"]).expect(0);
    proxy.rules(Vec::new());
    let second = end(run);
    assert_eq!(second.code, 7, "{second:#?}");
    let numbered = assert_all_is_said(&fast, &[first, second]);
    assert!(numbered >= paths().len(), "{numbered}");
    let versions = paths().into_iter().all(|path| {
        fast.run(&["cat", &format!("/web/{path}")]).expect(0).stdout == format!("{path} of fast")
    });
    assert!(versions, "the first one stays");
}

#[test]
fn two_machines_at_once_leave_no_twin_unsaid() {
    let numbered: usize = (0..4)
        .map(|_| {
            let service = Service::start();
            let machines =
                ["one", "other"].map(|name| machine(&service.base_url(), &service.token(), name));
            let runs = machines
                .each_ref()
                .map(start)
                .map(|run| thread::spawn(|| end(run)))
                .map(|run| run.join().unwrap());
            assert_all_is_said(&machines[0], &runs)
        })
        .sum();
    assert!(numbered > 0, "they never met");
}
