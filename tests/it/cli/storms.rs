//! A service that rate-limits every third request: commands take their time, and everything is done
//! once.

use std::time::Duration;

use filedeck::service::ServiceOptions;
use filedeck::service::faults::{Fault, FaultRule, FaultSchedule, FaultScope, Faults};

use super::binary::{Binary, Service};
use crate::support::proxy::{self, Calls, Proxy, Rule, Which};

const FILES: usize = 12;

#[test]
fn commands_do_all_of_it_once_though_every_third_request_is_refused_for_the_rate() {
    let fault = Fault::RateLimit {
        policy: "SECONDLY",
        retry_after: Some(Duration::from_secs(1)),
    };
    let rule = FaultRule {
        scope: FaultScope::default(),
        when: FaultSchedule::EveryNth(3),
        fault,
    };
    let service = Service::start_with(|options| ServiceOptions {
        faults: Faults::new([rule]),
        ..options
    });
    let binary = Binary::on(&service);
    std::fs::create_dir(binary.work().join("site")).unwrap();
    let names: Vec<String> = (0..FILES)
        .map(|number| format!("{number:02}.txt"))
        .collect();
    for name in &names {
        binary.write(&format!("site/{name}"), name.as_bytes());
    }
    let listed = |folder: &str| binary.run(&["ls", folder]).expect(0).stdout;
    let all = names.join("\n") + "\n";

    let put = binary
        .run(&["put", "--jobs", "4", "site", "/up/"])
        .expect(0);
    assert_eq!(put.stdout.lines().count(), FILES);
    assert!(put.stderr.contains("for the rate limit"), "{}", put.stderr);
    assert_eq!(listed("/up/site"), all);
    binary.run(&["sync", "site", "/synced"]).expect(0);
    assert_eq!(listed("/synced"), all);
    binary.run(&["diff", "site", "/synced"]).expect(0);
    binary
        .run(&["set", "--access", "public", "/up/site/*", "--yes"])
        .expect(0);
    let found = binary.run(&["find", "access:public", "--json"]).expect(0);
    assert_eq!(found.json_lines().len(), FILES);
}

#[test]
fn a_wait_before_another_try_names_what_failed_and_why() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.run(&["put", "one.txt", "/"]).expect(0);
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    let binary = binary.env("FILEDECK_BASE_URL", proxy.url.as_str());
    for (method, words, name) in [
        ("GET", &["ls", "/"][..], "a request"),
        ("PATCH", &["set", "--usable", "no", "/one.txt"], "one.txt"),
    ] {
        // The first wait is too short for a line.
        let fault = proxy::Fault::status(503, &[]);
        let calls = Calls::to(method, "/files/v3/");
        proxy.rules(vec![Rule::new(calls, Which::First(2), fault)]);
        let run = binary.run(words).expect(0);
        let line = format!("filedeck: {name}: the service failed, trying again in ");
        assert!(run.stderr.contains(&line), "{}", run.stderr);
    }
}
