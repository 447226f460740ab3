use serde_json::{Value, json};

use super::*;

fn usage() -> Usage {
    let file = json!({
        "limits": {"customProperties": 300, "calculatedProperties": 8, "customObjectTypes": 10,
                   "customObjectRecords": 1000, "customObjectPipelines": 4},
        "objectTypes": [
            {"id": "0-1", "singularLabel": "Contact", "pluralLabel": "Contacts",
             "customProperties": {"limit": 1000, "usage": 94}, "calculatedProperties": 2,
             "records": {"limit": 15_000_000, "usage": 94}},
            {"id": "0-3", "singularLabel": "Deal", "pluralLabel": "Deals",
             "customProperties": {"limit": 1000, "usage": 1000}, "calculatedProperties": 3,
             "records": {"limit": 100, "usage": 100}, "pipelines": {"limit": 15, "usage": 3}},
            {"id": "2-7", "singularLabel": "Boat", "pluralLabel": "Boats",
             "customProperties": {"limit": 1000, "usage": 1}, "records": {"usage": 250}, "pipelines": {"usage": 1}}
        ],
        "associations": [
            {"from": "0-1", "to": "0-3", "labelLimit": 3, "labels": ["Buyer", "Signer"], "recordLimit": 100,
             "records": [{"objectId": 1, "label": "A", "usage": 100}, {"objectId": 2, "label": "B", "usage": 80},
                         {"objectId": 3, "label": "C", "usage": 79}]},
            {"from": "0-1", "to": "2-7", "labelLimit": 3, "recordLimit": 100,
             "records": [{"objectId": 1, "label": "A", "usage": 79}]},
            {"from": "2-7", "to": "0-1", "labelLimit": 3, "labels": ["Skipper"], "recordLimit": 10,
             "records": [{"objectId": 9, "label": "Boat 9", "usage": 9}]}
        ]
    });
    Usage::parse(file.to_string().as_bytes()).unwrap()
}

fn json_of(report: impl serde::Serialize) -> Value {
    serde_json::to_value(report).unwrap()
}

#[test]
fn the_overall_limit_of_custom_properties_is_not_the_sum_of_the_types() {
    let report = json_of(custom_properties(&usage()));
    assert_eq!(report["overallLimit"], 300);
    assert_eq!(report["overallUsage"], 1095);
    assert_eq!(report["overallPercentage"], 365.0);
    assert_eq!(
        report["byObjectType"][0],
        json!({"objectTypeId": "0-1", "singularLabel": "Contact", "pluralLabel": "Contacts",
               "limit": 1000, "usage": 94, "percentage": 9.4})
    );
}

#[test]
fn calculated_properties_have_a_count_and_no_limit_for_each_type() {
    let report = json_of(calculated_properties(&usage()));
    assert_eq!(report["overallPercentage"], 62.5);
    assert_eq!(
        report["byObjectType"][1],
        json!({"objectTypeId": "0-3", "singularLabel": "Deal", "pluralLabel": "Deals", "usage": 3})
    );
}

#[test]
fn custom_types_share_one_limit_of_records_and_of_pipelines() {
    let report = json_of(records(&usage()));
    assert_eq!(report["hubspotDefinedObjectTypes"][0]["percentage"], 0.001);
    assert_eq!(
        report["customObjectTypes"],
        json!({"overallLimit": 1000, "overallUsage": 250, "overallPercentage": 25.0,
               "byObjectType": [{"objectTypeId": "2-7", "singularLabel": "Boat", "pluralLabel": "Boats", "usage": 250}]})
    );
    let report = json_of(pipelines(&usage()));
    assert_eq!(
        report["hubspotDefinedObjectTypes"]
            .as_array()
            .unwrap()
            .len(),
        1,
        "contacts have no pipelines"
    );
    assert_eq!(report["customObjectTypes"]["overallPercentage"], 25.0);
}

#[test]
fn only_custom_types_count_as_custom_object_types() {
    assert_eq!(
        json_of(custom_object_types(&usage())),
        json!({"limit": 10, "usage": 1, "percentage": 10.0})
    );
}

#[test]
fn labels_are_filtered_by_either_end() {
    let usage = usage();
    let all = association_labels(&usage, None, None).unwrap();
    assert_eq!(all.results.len(), 3);
    let filtered = json_of(association_labels(&usage, Some("0-1"), Some("0-3")).unwrap());
    assert_eq!(
        filtered["results"],
        json!([{"fromObjectType": {"objectTypeId": "0-1", "singularLabel": "Contact", "pluralLabel": "Contacts"},
                "toObjectType": {"objectTypeId": "0-3", "singularLabel": "Deal", "pluralLabel": "Deals"},
                "limit": 3, "usage": 2, "percentage": 66.667, "allLabels": ["Buyer", "Signer"]}])
    );
    assert_eq!(
        association_labels(&usage, None, Some("0-1"))
            .unwrap()
            .results
            .len(),
        1
    );
}

#[test]
fn targets_name_only_types_with_records_at_or_near_the_limit() {
    let report = json_of(association_targets(&usage(), "0-1").unwrap());
    assert_eq!(
        report["results"],
        json!([{"objectTypeId": "0-3", "singularLabel": "Deal", "pluralLabel": "Deals",
                "hasRecordsAtLimit": true, "hasRecordsNearLimit": true}])
    );
    assert_eq!(association_targets(&usage(), "0-3").unwrap().results, []);
}

#[test]
fn sources_name_the_starting_types() {
    let ids: Vec<_> = association_sources(&usage())
        .results
        .into_iter()
        .map(|flags| flags.object_type_id)
        .collect();
    assert_eq!(ids, ["0-1", "2-7"]);
}

#[test]
fn a_pair_counts_and_samples_its_records() {
    let usage = usage();
    assert_eq!(
        json_of(association_pair(&usage, "0-1", "0-3").unwrap()),
        json!({"limit": 100, "totalRecordsAtLimit": 1, "totalRecordsNearLimit": 1,
               "atLimitFromRecordSamples": [{"objectId": 1, "label": "A"}],
               "nearLimitFromRecordSamples": [{"objectId": 2, "label": "B", "usage": 80, "percentage": 80.0}]})
    );
    assert_eq!(
        association_pair(&usage, "0-3", "0-1").unwrap().limit,
        50_000
    );
}

#[test]
fn unknown_types_are_refused() {
    let usage = usage();
    assert_eq!(
        association_targets(&usage, "0-2"),
        Err(UnknownObjectType("0-2".into()))
    );
    assert!(association_pair(&usage, "0-1", "contacts").is_err());
    assert!(association_labels(&usage, Some("2-8"), None).is_err());
}

#[test]
fn the_sample_has_types_under_near_and_at_their_limits_and_pairs_of_each_kind() {
    let sample = Usage::sample().unwrap();
    assert!(sample.object_types.len() >= 12);
    assert!(sample.object_types.iter().any(ObjectType::is_custom));
    let properties: Vec<_> = sample
        .object_types
        .iter()
        .map(|object_type| object_type.custom_properties)
        .collect();
    for (from, to) in [
        (0.0, 75.0),
        (75.0, 80.0),
        (80.0, 90.0),
        (90.0, 100.0),
        (100.0, 100.001),
    ] {
        assert!(
            properties
                .iter()
                .any(|share| (from..to).contains(&share.percentage())),
            "{from} to {to}"
        );
    }
    let contacts = association_targets(&sample, "0-1").unwrap().results;
    let flags: Vec<_> = contacts
        .iter()
        .map(|it| (it.has_records_at_limit, it.has_records_near_limit))
        .collect();
    assert!(
        flags.contains(&(Some(true), Some(true))) && flags.contains(&(Some(false), Some(true))),
        "{flags:?}"
    );
    assert!(
        association_targets(&sample, "0-3")
            .unwrap()
            .results
            .is_empty()
    );
}
