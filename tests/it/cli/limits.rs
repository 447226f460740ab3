use filedeck::service::ServiceOptions;
use filedeck::service::clock::Clock;
use filedeck::service::crm::Usage;
use serde_json::json;

use super::binary::{Binary, Service, TOKEN};
use crate::support::capture::{Capture, Reply};
use crate::support::service::START;

const USAGE: &str = r#"{
  "limits": {"customProperties": 100, "calculatedProperties": 40, "customObjectTypes": 10,
             "customObjectRecords": 1000, "customObjectPipelines": 100},
  "objectTypes": [
    {"id": "0-1", "singularLabel": "Contact", "pluralLabel": "Contacts",
     "customProperties": {"usage": 45, "limit": 50}, "records": {"usage": 10, "limit": 1000}},
    {"id": "0-2", "singularLabel": "Company", "pluralLabel": "Companies",
     "customProperties": {"usage": 1, "limit": 50}, "records": {"usage": 10, "limit": 1000}}
  ],
  "associations": [
    {"from": "0-1", "to": "0-2", "labelLimit": 10, "recordLimit": 100,
     "records": [{"objectId": 7, "label": "Ada", "usage": 85}]}
  ]
}"#;

fn service() -> Service {
    Service::start_with(|options| ServiceOptions {
        crm_usage: Some(Usage::parse(USAGE.as_bytes()).unwrap()),
        ..options
    })
}

#[test]
fn the_custom_property_report_shows_each_type_with_the_fullest_first() {
    let service = service();
    let run = Binary::on(&service).run(&["limits"]).expect(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let position = |label: &str| lines.iter().position(|line| line.contains(label)).unwrap();
    assert!(
        position("Contacts") < position("Companies"),
        "{}",
        run.stdout
    );
    assert!(
        lines[position("Contacts")].contains("45") && lines[position("Contacts")].contains("90"),
        "{}",
        run.stdout
    );
}

#[test]
fn little_is_not_nothing_and_nearly_all_is_not_all() {
    let usage = USAGE.replace(
        "\"usage\": 45, \"limit\": 50",
        "\"usage\": 9999, \"limit\": 10000",
    );
    let usage = usage.replace(
        "\"usage\": 1, \"limit\": 50",
        "\"usage\": 5, \"limit\": 1000",
    );
    let usage = Usage::parse(usage.as_bytes()).unwrap();
    let service = Service::start_with(|options| ServiceOptions {
        crm_usage: Some(usage),
        ..options
    });
    let run = Binary::on(&service)
        .run(&["limits", "--fail-at", "99"])
        .expect(8);
    let line = |label: &str| {
        run.stdout
            .lines()
            .find(|line| line.contains(label))
            .unwrap()
            .to_owned()
    };
    assert!(
        line("Contacts").contains("\t99.9%\t9999 of 10000"),
        "{}",
        run.stdout
    );
    assert!(
        line("Companies").contains("\t0.5%\t5 of 1000"),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr
            .contains("Contacts (0-1): 99.9% of the limit is used"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_type_that_is_at_and_near_its_limit_has_both_flags() {
    let usage = USAGE.replace(
        "\"usage\": 85}",
        "\"usage\": 85}, {\"objectId\": 8, \"label\": \"Bo\", \"usage\": 100}",
    );
    let usage = Usage::parse(usage.as_bytes()).unwrap();
    let service = Service::start_with(|options| ServiceOptions {
        crm_usage: Some(usage),
        ..options
    });
    let run = Binary::on(&service)
        .run(&["limits", "--associations", "0-1"])
        .expect(0);
    assert!(
        run.stdout.contains("AT and NEAR the limit"),
        "{}",
        run.stdout
    );
}

#[test]
fn json_is_the_report_as_the_service_gives_it() {
    let service = service();
    let report = Binary::on(&service)
        .run(&["limits", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(
        (
            report["overallLimit"].as_u64(),
            report["overallUsage"].as_u64()
        ),
        (Some(100), Some(46))
    );
    assert_eq!(report["byObjectType"].as_array().unwrap().len(), 2);
}

#[test]
fn a_limit_that_is_reached_fails_the_run_after_the_report() {
    let service = service();
    let binary = Binary::on(&service);
    binary.run(&["limits", "--fail-at", "91"]).expect(0);
    let run = binary.run(&["limits", "--fail-at", "90"]).expect(8);
    assert!(
        run.stderr.contains("Contacts") && run.stdout.contains("Companies"),
        "{run:?}"
    );
}

#[test]
fn each_limit_that_is_reached_is_printed_once() {
    let usage = USAGE.replace(
        "\"usage\": 85}",
        "\"usage\": 85}, {\"objectId\": 8, \"label\": \"Ada\", \"usage\": 85}",
    );
    let service = Service::start_with(|options| ServiceOptions {
        crm_usage: Some(Usage::parse(usage.as_bytes()).unwrap()),
        ..options
    });
    let words = [
        "limits",
        "--associations",
        "0-1",
        "--to",
        "0-2",
        "--fail-at",
        "80",
    ];
    let run = Binary::on(&service).run(&words).expect(8);
    let mut lines: Vec<&str> = run.stderr.lines().collect();
    lines.sort_unstable();
    let line = |id: &str| {
        format!("filedeck: Associations of 0-1 with 0-2 · Ada ({id}): 85% of the limit is used")
    };
    assert_eq!(lines, [line("7"), line("8")]);
}

#[test]
fn the_association_report_flags_types_near_their_limit() {
    let service = service();
    let binary = Binary::on(&service);
    let report = binary
        .run(&["limits", "--associations", "0-1", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(report["results"][0]["objectTypeId"], "0-2");
    assert_eq!(report["results"][0]["hasRecordsNearLimit"], true);
    assert!(
        binary
            .run(&["limits", "--associations", "0-1"])
            .expect(0)
            .stdout
            .contains("Companies")
    );
    binary
        .run(&["limits", "--associations", "0-1", "--fail-at", "80"])
        .expect(8);
    binary
        .run(&["limits", "--associations", "0-1", "--fail-at", "100"])
        .expect(0);
}

#[test]
fn no_type_near_its_limit_is_said_in_words() {
    let service = service();
    let run = Binary::on(&service)
        .run(&["limits", "--associations", "0-2"])
        .expect(0);
    assert!(
        run.stdout.is_empty() && run.stderr.contains("no object type"),
        "{run:?}"
    );
}

#[test]
fn a_day_whose_requests_are_used_up_ends_the_run_with_its_own_code() {
    // The day does not end during the test.
    let clock = Clock::manual(START.parse().unwrap());
    let limits = vec!["1/day".parse().unwrap()];
    let service = Service::start_with(|options| ServiceOptions {
        rate_limits: limits,
        clock,
        ..options
    });
    let binary = Binary::on(&service);
    binary.run(&["limits", "records"]).expect(0);
    let run = binary.run(&["limits", "records"]).expect(6);
    assert!(
        run.stderr.contains("daily limit")
            && run
                .stderr
                .contains("at midnight in the account's time zone"),
        "{run:?}"
    );
    assert!(run.stderr.contains("correlation id"), "{run:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_that_the_report_leaves_out_is_not_taken_for_no() {
    let service = Capture::start(|_, _| {
        let types = json!([
            { "objectTypeId": "0-2", "pluralLabel": "Companies", "hasRecordsAtLimit": false },
            { "objectTypeId": "0-3", "pluralLabel": "Deals", "hasRecordsNearLimit": true },
            { "objectTypeId": "0-5", "pluralLabel": "Tickets" },
        ]);
        Reply::json(200, &json!({ "results": types }))
    })
    .await;
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", service.url.as_str())
        .env("FILEDECK_TOKEN", "t");
    let runs = tokio::task::spawn_blocking(move || {
        let ask = ["limits", "--associations", "0-1"];
        let json = binary
            .run(&[&ask[..], &["--json"]].concat())
            .expect(0)
            .json_lines()
            .remove(0);
        (
            binary.run(&ask).expect(0),
            binary
                .run(&[&ask[..], &["--fail-at", "90"]].concat())
                .expect(8),
            json,
        )
    });
    let (plain, checked, json) = runs.await.unwrap();
    let line = |label: &str| {
        plain
            .stdout
            .lines()
            .find(|line| line.contains(label))
            .unwrap()
    };
    assert!(
        line("Companies").ends_with("unknown: the report does not say"),
        "{}",
        plain.stdout
    );
    assert!(
        line("Deals").ends_with("NEAR the limit, and perhaps AT it"),
        "{}",
        plain.stdout
    );
    assert!(line("Tickets").contains("unknown"), "{}", plain.stdout);
    assert!(
        checked
            .stderr
            .contains("Tickets (0-5): the report does not say how much"),
        "{}",
        checked.stderr
    );
    assert_eq!(
        json["results"][2],
        json!({ "objectTypeId": "0-5", "singularLabel": "", "pluralLabel": "Tickets" })
    );
}

#[test]
fn all_reports_on_the_account_are_printed_or_those_that_are_named() {
    let service = service();
    let binary = Binary::on(&service);
    let all = binary.run(&["limits", "--json"]).expect(0).json_lines();
    let names: Vec<&str> = all
        .iter()
        .map(|report| report["report"].as_str().unwrap())
        .collect();
    let expected = [
        "custom-properties",
        "records",
        "pipelines",
        "association-labels",
        "calculated-properties",
        "custom-object-types",
        "associations",
    ];
    assert_eq!(names, expected);
    let run = binary.run(&["limits", "records", "pipelines"]).expect(0);
    let mut reports: Vec<&str> = run
        .stdout
        .lines()
        .map(|line| line.split([' ', '\t']).next().unwrap())
        .collect();
    reports.dedup();
    assert_eq!(reports, ["Records", "Pipelines"], "{}", run.stdout);
    assert!(
        run.stdout
            .contains("\nRecords · Contacts\t0-1\t1%\t10 of 1000\n")
            || run
                .stdout
                .starts_with("Records · Contacts\t0-1\t1%\t10 of 1000\n"),
        "{}",
        run.stdout
    );
    let pair = binary
        .run(&["limits", "--associations", "0-1", "--to", "0-2"])
        .expect(0);
    assert!(
        pair.stdout.contains("1 near it")
            && pair
                .stdout
                .contains("\nAssociations of 0-1 with 0-2 · Ada\t7\t85%\t85 of 100\n"),
        "{}",
        pair.stdout
    );
    binary.run(&["limits", "--to", "0-2"]).expect(2);
    binary.run(&["limits", "everything"]).expect(2);
}

#[test]
fn a_table_with_commas_has_a_line_for_each_limit() {
    let service = service();
    let run = Binary::on(&service)
        .run(&["limits", "custom-properties", "--csv"])
        .expect(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines[0].starts_with("report,of,id,usage,limit,percentage,left"),
        "{}",
        run.stdout
    );
    assert!(lines[0].ends_with(",trend since,read"), "{}", run.stdout);
    let contacts = "Custom properties,Contacts,0-1,45,50,90,5,,,,";
    let read = lines.iter().find_map(|line| line.strip_prefix(contacts));
    assert!(
        read.unwrap().parse::<jiff::Timestamp>().is_ok(),
        "{}",
        run.stdout
    );
    let run = Binary::on(&service)
        .run(&["limits", "--associations", "0-1", "--csv"])
        .expect(0);
    assert!(
        run.stdout.contains("\nAssociations of 0-1,Companies,0-2,,"),
        "{}",
        run.stdout
    );
    Binary::on(&service)
        .run(&["limits", "--csv", "--json"])
        .expect(2);
}

#[test]
fn a_trend_is_told_as_far_as_readings_tell() {
    let service = service();
    let binary = Binary::on(&service);
    let run = binary
        .run(&["limits", "custom-properties", "--trend"])
        .expect(0);
    let contacts = run
        .stdout
        .lines()
        .find(|line| line.contains("Contacts"))
        .unwrap();
    let (_, trend) = contacts.split_once("45 of 50\t+0 since 20").unwrap();
    assert!(trend.ends_with(", no trend known"), "{contacts}");
    let report = binary
        .run(&["limits", "custom-properties", "--trend", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    let of_contacts = report["trend"]
        .as_array()
        .unwrap()
        .iter()
        .find(|trend| trend["of"] == "Contacts")
        .unwrap();
    assert_eq!(
        (
            of_contacts["change"].as_i64(),
            &of_contacts["daysUntilFull"]
        ),
        (Some(0), &serde_json::Value::Null)
    );
    let since = of_contacts["since"].as_str().unwrap();
    assert!(since.parse::<jiff::Timestamp>().is_ok(), "{since}");
    let csv = binary
        .run(&["limits", "custom-properties", "--trend", "--csv"])
        .expect(0);
    let row = format!(",0-1,45,50,90,5,,,{since},");
    assert!(csv.stdout.contains(&row), "{}", csv.stdout);
}

/// Returns a configuration with accounts: the name, address and token of each.
fn with_accounts(accounts: &[(&str, &str, &str)]) -> Binary {
    let binary = Binary::new();
    let table = |(name, address, token): &(&str, &str, &str)| {
        filedeck::secret_file::create(&binary.config_dir().join(name), &(*token).into()).unwrap();
        format!("[accounts.{name}]\nbase_url = \"{address}\"\ntoken_file = \"{name}\"\n")
    };
    let config: String = accounts.iter().map(table).collect();
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    binary
}

/// Nothing listens there.
const NOWHERE: &str = "http://127.0.0.1:9";

#[test]
fn all_accounts_have_a_row_each_with_the_worst_limit_or_why_it_is_not_known() {
    let (service, other) = (service(), Service::start());
    let (here, there) = (service.base_url(), other.base_url());
    let binary = with_accounts(&[
        ("acme", &here, TOKEN),
        ("beta", &there, TOKEN),
        ("refused", &here, "wrong"),
        ("silent", NOWHERE, TOKEN),
    ]);
    let run = binary.run(&["limits", "--all-accounts"]).expect(5);
    let rows: Vec<Vec<&str>> = run
        .stdout
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names, ["acme", "beta", "refused", "silent"]);
    let figures = ["Custom properties · Contacts", "90%", "5"];
    assert_eq!(rows[0][1..4], figures, "{}", run.stdout);
    assert!(rows[0][4].starts_with("+0 since 20"), "{}", run.stdout);
    assert!(rows[0][5].starts_with("20"), "{}", run.stdout);
    assert_ne!(rows[1][1], "", "{}", run.stdout);
    assert!(rows[2][5].contains("Authentication"), "{}", run.stdout);
    assert!(rows[3][5].contains("Cannot connect"), "{}", run.stdout);
    for name in ["refused", "silent"] {
        let line = format!("cannot read the limits of account '{name}'");
        assert!(run.stderr.contains(&line), "{}", run.stderr);
    }
    assert!(run.stderr.contains("2 done, 2 failed"), "{}", run.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_of_which_a_report_is_refused_shows_the_others_and_fails() {
    let service = Capture::start(|seen, _| {
        if seen.target.contains("pipelines") {
            Reply::json(403, &json!({ "status": "error", "message": "not for you" }))
        } else {
            Reply::json(200, &json!({ "limit": 10, "usage": 4, "percentage": 40.0 }))
        }
    })
    .await;
    let binary = with_accounts(&[("acme", service.url.as_str(), "t")]);
    let words = [
        "limits",
        "pipelines",
        "custom-object-types",
        "--all-accounts",
    ];
    let run = tokio::task::spawn_blocking(move || binary.run(&words).expect(5));
    let run = run.await.unwrap();
    assert!(
        run.stdout
            .starts_with("acme\tCustom object types\t40%\t6\t"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.ends_with(", but not Pipelines: not for you\n"),
        "{}",
        run.stdout
    );
    let line = "cannot read the limits report pipelines of account 'acme': not for you";
    assert!(run.stderr.contains(line), "{}", run.stderr);
}

#[test]
fn a_limit_that_one_account_has_reached_wins_over_another_that_cannot_be_read() {
    let service = service();
    let (address, refused) = (service.base_url(), "refused");
    let binary = with_accounts(&[("acme", &address, TOKEN), (refused, &address, "wrong")]);
    let run = binary
        .run(&["limits", "--all-accounts", "--fail-at", "90", "--quiet"])
        .expect(8);
    assert_eq!(run.stdout, "");
    let reached = "account 'acme': Custom properties · Contacts (0-1): 90% of the limit is used";
    assert!(run.stderr.contains(reached), "{}", run.stderr);
    assert!(run.stderr.contains(refused), "{}", run.stderr);
    binary
        .run(&["limits", "--all-accounts", "--fail-at", "91"])
        .expect(5);
    let only_refused = with_accounts(&[("a", &address, "wrong"), ("b", &address, "wrong")]);
    only_refused
        .run(&["limits", "--all-accounts", "--fail-at", "1"])
        .expect(3);
}

#[test]
fn all_accounts_are_printed_as_json_and_as_csv() {
    let service = service();
    let address = service.base_url();
    let binary = with_accounts(&[("acme", &address, TOKEN), ("refused", &address, "wrong")]);
    let lines = binary
        .run(&["limits", "--all-accounts", "--json"])
        .expect(5)
        .json_lines();
    let [acme, refused] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert_eq!(
        (
            &acme["account"],
            &acme["report"],
            &acme["of"],
            &acme["left"],
            &acme["whyNot"]
        ),
        (
            &json!("acme"),
            &json!("custom-properties"),
            &json!("Contacts"),
            &json!(5),
            &json!(null)
        )
    );
    assert_eq!(
        (&refused["readAt"], &refused["percentage"]),
        (&json!(null), &json!(null))
    );
    assert!(
        refused["whyNot"]
            .as_str()
            .unwrap()
            .contains("Authentication"),
        "{refused}"
    );
    let csv = binary
        .run(&["limits", "--all-accounts", "--csv"])
        .expect(5)
        .stdout;
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].starts_with("account,report,of,id,usage"), "{csv}");
    assert!(
        rows[1].starts_with("acme,Custom properties,Contacts,0-1,45,50,90,5,,,20"),
        "{csv}"
    );
    assert!(
        rows[2].starts_with("refused,,,") && rows[2].contains("Authentication"),
        "{csv}"
    );
    let records = ["limits", "records", "--all-accounts", "--json"];
    assert_eq!(
        binary.run(&records).expect(5).json_lines()[0]["report"],
        "records"
    );
}

#[test]
fn a_reading_of_all_accounts_is_kept_in_the_history_of_each() {
    let service = service();
    let address = service.base_url();
    let binary = with_accounts(&[("acme", &address, TOKEN), ("beta", &address, TOKEN)]);
    binary.run(&["limits", "--all-accounts"]).expect(0);
    let journal = rusqlite::Connection::open(binary.home.path().join("state/journal.db")).unwrap();
    let accounts: i64 = journal
        .query_row("SELECT count(DISTINCT account) FROM gauge", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(accounts, 2);
}

#[test]
fn without_an_account_all_accounts_say_how_to_add_one() {
    let run = Binary::new().run(&["limits", "--all-accounts"]).expect(2);
    assert!(
        run.stderr.contains("filedeck account add"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_account_with_an_error_in_the_configuration_is_not_left_out() {
    let service = service();
    let address = service.base_url();
    let binary = with_accounts(&[("acme", &address, TOKEN)]);
    let path = binary.config_dir().join("config.toml");
    let config = std::fs::read_to_string(&path).unwrap() + "[accounts.odd]\ntoken = 1\n";
    std::fs::write(&path, config).unwrap();
    let run = binary.run(&["limits", "--all-accounts"]).expect(5);
    let odd = run
        .stdout
        .lines()
        .find(|line| line.starts_with("odd"))
        .unwrap();
    assert!(odd.contains("config.toml, line"), "{odd}");
    std::fs::write(&path, "[accounts.acme").unwrap();
    let run = binary.run(&["limits", "--all-accounts"]).expect(2);
    assert!(
        run.stderr.contains("the accounts are not known"),
        "{}",
        run.stderr
    );
}
