//! `contract.md#crm-limits`: the shapes of the nine limits reports, on the sample's usage. Their
//! numbers are tested on a usage of the test's own, in `service_limits`.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::service::TestService;

const TYPE: [&str; 3] = ["objectTypeId", "singularLabel", "pluralLabel"];

/// Asserts that the value has exactly these fields, numbers and texts as their names suggest.
#[track_caller]
fn has(value: &Value, names: &[&str]) {
    let mut found: Vec<&str> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let mut wanted = names.to_vec();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    for (name, field) in value.as_object().unwrap() {
        let is_good = match name.as_str() {
            "percentage" | "overallPercentage" => field.as_f64().is_some_and(|share| share >= 0.0),
            name if name.ends_with("Label") || name == "label" || name == "objectTypeId" => {
                field.is_string()
            }
            name if name.starts_with("has") => field.is_boolean(),
            name if name.ends_with("imit")
                || name.ends_with("sage")
                || name.starts_with("total") =>
            {
                field.is_u64()
            }
            "objectId" => field.is_i64(),
            _ => field.is_array() || field.is_object(),
        };
        assert!(is_good, "{name} is {field}");
    }
}

#[track_caller]
fn each(values: &Value, names: &[&[&str]]) {
    let values = values.as_array().unwrap();
    assert!(!values.is_empty());
    for value in values {
        has(value, &names.concat());
    }
}

fn by_type(report: &Value) {
    has(report, &["hubspotDefinedObjectTypes", "customObjectTypes"]);
    each(
        &report["hubspotDefinedObjectTypes"],
        &[&TYPE, &["limit", "usage", "percentage"]],
    );
    let custom = &report["customObjectTypes"];
    has(
        custom,
        &[
            "overallLimit",
            "overallUsage",
            "overallPercentage",
            "byObjectType",
        ],
    );
    each(&custom["byObjectType"], &[&TYPE, &["usage"]]);
}

fn flags(report: &Value) {
    has(report, &["results"]);
    each(
        &report["results"],
        &[&TYPE, &["hasRecordsAtLimit", "hasRecordsNearLimit"]],
    );
}

fn labels(report: &Value) {
    has(report, &["results"]);
    each(
        &report["results"],
        &[&[
            "fromObjectType",
            "toObjectType",
            "limit",
            "usage",
            "percentage",
            "allLabels",
        ]],
    );
    has(&report["results"][0]["fromObjectType"], &TYPE);
    has(&report["results"][0]["toObjectType"], &TYPE);
}

fn pair(report: &Value) {
    let samples = ["atLimitFromRecordSamples", "nearLimitFromRecordSamples"];
    has(
        report,
        &[
            &["limit", "totalRecordsAtLimit", "totalRecordsNearLimit"][..],
            &samples,
        ]
        .concat(),
    );
    for near in report["nearLimitFromRecordSamples"].as_array().unwrap() {
        has(near, &["objectId", "label", "usage", "percentage"]);
        assert!(
            (80.0..100.0).contains(&near["percentage"].as_f64().unwrap()),
            "{near}"
        );
    }
    for at in report["atLimitFromRecordSamples"].as_array().unwrap() {
        has(at, &["objectId", "label"]);
    }
}

fn custom_properties(report: &Value) {
    has(
        report,
        &[
            "overallLimit",
            "overallUsage",
            "overallPercentage",
            "byObjectType",
        ],
    );
    each(
        &report["byObjectType"],
        &[&TYPE, &["limit", "usage", "percentage"]],
    );
}

fn calculated_properties(report: &Value) {
    has(
        report,
        &[
            "overallLimit",
            "overallUsage",
            "overallPercentage",
            "byObjectType",
        ],
    );
    each(&report["byObjectType"], &[&TYPE, &["usage"]]);
}

fn custom_object_types(report: &Value) {
    has(report, &["limit", "usage", "percentage"]);
}

#[rstest]
#[case::labels("associations/labels", labels)]
#[case::sources("associations/records/from", flags)]
#[case::targets("associations/records/0-1/to", flags)]
#[case::pair("associations/records/0-1/0-2", pair)]
#[case::calculated_properties("calculated-properties", calculated_properties)]
#[case::custom_properties("custom-properties", custom_properties)]
#[case::custom_object_types("custom-object-types", custom_object_types)]
#[case::pipelines("pipelines", by_type)]
#[case::records("records", by_type)]
#[tokio::test]
async fn limits_row(#[case] path: &str, #[case] check: fn(&Value)) {
    let service = TestService::start().await;
    let report = service
        .get(&format!("/crm/v3/limits/{path}"))
        .await
        .expect(200)
        .json();
    check(&report);
    for dated in ["2026-03", "2026-09"] {
        assert_eq!(
            service
                .get(&format!("/crm/limits/{dated}/{path}"))
                .await
                .expect(200)
                .json(),
            report
        );
    }
}

#[rstest]
#[case::one_beginning("?fromObjectTypeId=0-1", &["0-1"], None)]
#[case::one_end("?toObjectTypeId=0-2", &[], Some("0-2"))]
#[tokio::test]
async fn labels_are_filtered(#[case] query: &str, #[case] from: &[&str], #[case] to: Option<&str>) {
    let service = TestService::start().await;
    let report = service
        .get(&format!("/crm/v3/limits/associations/labels{query}"))
        .await
        .expect(200)
        .json();
    let results = report["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        assert!(
            from.iter()
                .all(|id| result["fromObjectType"]["objectTypeId"] == *id),
            "{result}"
        );
        assert!(
            to.is_none_or(|id| result["toObjectType"]["objectTypeId"] == id),
            "{result}"
        );
    }
}

#[rstest]
#[case::unknown_type("associations/records/0-9999/to", 400)]
#[case::unknown_pair("associations/records/0-1/2-9999", 400)]
#[case::name_of_a_type("associations/records/contacts/to", 400)]
#[case::the_literal_to_wins("associations/records/0-1/to", 200)]
#[tokio::test]
async fn object_types_are_known_by_id(#[case] path: &str, #[case] status: u16) {
    let service = TestService::start().await;
    let answer = service
        .get(&format!("/crm/v3/limits/{path}"))
        .await
        .expect(status)
        .json();
    if status == 400 {
        assert_eq!(
            (&answer["status"], &answer["category"]),
            (&json!("error"), &json!("VALIDATION_ERROR"))
        );
    }
}
