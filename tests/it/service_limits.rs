//! The nine limits reports over raw HTTP, against a usage of the test's own and against the sample.

use filedeck::service::crm::Usage;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::service::TestService;

fn usage() -> Usage {
    let file = json!({
        "limits": {"customProperties": 1500, "calculatedProperties": 20, "customObjectTypes": 10,
                   "customObjectRecords": 1000, "customObjectPipelines": 4},
        "objectTypes": [
            {"id": "0-1", "singularLabel": "Contact", "pluralLabel": "Contacts",
             "customProperties": {"limit": 1000, "usage": 812}, "calculatedProperties": 2,
             "records": {"limit": 15_000_000, "usage": 188}},
            {"id": "2-7", "singularLabel": "Größe", "pluralLabel": "Größen",
             "customProperties": {"limit": 1000, "usage": 1000}, "records": {"usage": 250}, "pipelines": {"usage": 1}}
        ],
        "associations": [
            {"from": "0-1", "to": "2-7", "labelLimit": 3, "labels": ["Owner"], "recordLimit": 50_000,
             "records": [{"objectId": 7, "label": "Ada", "usage": 48_000}]}
        ]
    });
    Usage::parse(file.to_string().as_bytes()).unwrap()
}

async fn service() -> TestService {
    TestService::configured(|options| options.crm_usage = Some(usage())).await
}

#[tokio::test]
async fn custom_properties_are_reported_overall_and_for_each_type() {
    let service = service().await;
    let expected = json!({
        "overallLimit": 1500, "overallUsage": 1812, "overallPercentage": 120.8,
        "byObjectType": [
            {"objectTypeId": "0-1", "singularLabel": "Contact", "pluralLabel": "Contacts",
             "limit": 1000, "usage": 812, "percentage": 81.2},
            {"objectTypeId": "2-7", "singularLabel": "Größe", "pluralLabel": "Größen",
             "limit": 1000, "usage": 1000, "percentage": 100.0}
        ]
    });
    for path in [
        "/crm/v3/limits",
        "/crm/limits/2026-03",
        "/crm/limits/2026-09",
    ] {
        let report = service
            .get(&format!("{path}/custom-properties"))
            .await
            .expect(200);
        assert_eq!(report.header("content-type"), Some("application/json"));
        assert_eq!(report.json(), expected, "{path}");
    }
}

#[rstest]
#[case::calculated("calculated-properties", "/overallPercentage", json!(10.0))]
#[case::types("custom-object-types", "", json!({"limit": 10, "usage": 1, "percentage": 10.0}))]
#[case::records("records", "/hubspotDefinedObjectTypes/0/percentage", json!(0.001))]
#[case::custom_records("records", "/customObjectTypes/overallUsage", json!(250))]
#[case::pipelines("pipelines", "/customObjectTypes/byObjectType/0/usage", json!(1))]
#[case::labels("associations/labels", "/results/0/allLabels", json!(["Owner"]))]
#[case::labels_of_a_pair("associations/labels?fromObjectTypeId=2-7", "/results", json!([]))]
#[case::sources("associations/records/from", "/results/0/objectTypeId", json!("0-1"))]
#[case::targets("associations/records/0-1/to", "/results",
    json!([{"objectTypeId": "2-7", "singularLabel": "Größe", "pluralLabel": "Größen",
            "hasRecordsAtLimit": false, "hasRecordsNearLimit": true}]))]
#[case::nothing_near("associations/records/2-7/to", "/results", json!([]))]
#[case::pair("associations/records/0-1/2-7", "/nearLimitFromRecordSamples",
    json!([{"objectId": 7, "label": "Ada", "usage": 48_000, "percentage": 96.0}]))]
#[tokio::test]
async fn every_report_is_served(#[case] report: &str, #[case] at: &str, #[case] expected: Value) {
    let service = service().await;
    let body = service
        .get(&format!("/crm/v3/limits/{report}"))
        .await
        .expect(200)
        .json();
    assert_eq!(body.pointer(at), Some(&expected), "{body}");
}

#[rstest]
#[case::targets("associations/records/0-99/to")]
#[case::name("associations/records/contacts/to")]
#[case::pair("associations/records/0-1/0-99")]
#[case::labels("associations/labels?toObjectTypeId=0-99")]
#[tokio::test]
async fn an_unknown_object_type_is_a_validation_error(#[case] report: &str) {
    let service = service().await;
    let problem = service
        .get(&format!("/crm/v3/limits/{report}"))
        .await
        .expect(400)
        .json();
    assert_eq!(
        (&problem["status"], &problem["category"]),
        (&json!("error"), &json!("VALIDATION_ERROR"))
    );
    assert!(problem["correlationId"].is_string());
}

#[tokio::test]
async fn reports_ask_for_the_token() {
    let service = service().await;
    let url = service.url("/crm/v3/limits/custom-properties");
    assert_eq!(
        service.fetch(&url).await.expect(401).json()["category"],
        "INVALID_AUTHENTICATION"
    );
}

#[tokio::test]
async fn a_store_keeps_its_usage_and_a_new_one_gets_the_sample() {
    let service = service().await;
    let (dir, clock) = service.stop().await;
    let service = TestService::start_in(dir, clock).await;
    assert_eq!(
        service.get("/crm/v3/limits/custom-properties").await.json()["overallUsage"],
        1812
    );

    let service = TestService::start().await;
    let sample = service
        .get("/crm/v3/limits/custom-properties")
        .await
        .expect(200)
        .json();
    assert!(sample["byObjectType"].as_array().unwrap().len() >= 12);
}
