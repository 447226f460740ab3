//! The service's own description: an operation for every call of the contract, matching names, and
//! parameters that are really read.

use std::collections::HashSet;

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::http;
use crate::support::service::{TestService, answer};

const CONTRACT: &str = include_str!("../../docs/contract.md");

fn section(heading: &str) -> impl Iterator<Item = &'static str> {
    let (_, rest) = CONTRACT.split_once(&format!("\n## {heading}\n")).unwrap();
    rest.split("\n## ").next().unwrap().lines()
}

/// Method, path and success status of every call of the contract below `/files/{version}`.
fn files() -> Vec<(String, &'static str, &'static str)> {
    let call = |line: &'static str| {
        let (call, rest) = line.strip_prefix("| `")?.split_once('`')?;
        let (method, path) = call.split_once(' ')?;
        Some((
            method.to_lowercase(),
            path,
            rest.split_once("| ")?.1.get(..3)?,
        ))
    };
    section("Endpoints").filter_map(call).collect()
}

/// Paths of the contract's reports below `/crm/{version}/limits`.
fn limits() -> Vec<&'static str> {
    let cell = |line: &'static str| {
        line.strip_prefix("| ")
            .filter(|line| line.starts_with("`/"))?
            .split(" | ")
            .next()
    };
    section("CRM limits")
        .filter_map(cell)
        .flat_map(|cell| cell.split('`').filter(|text| text.starts_with('/')))
        .collect()
}

async fn document(service: &TestService) -> Value {
    service
        .fetch(&service.url("/openapi.json"))
        .await
        .expect(200)
        .json()
}

fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let of = |(path, item): (&String, &Value)| {
        let methods = item.as_object().unwrap().clone().into_iter();
        let path = path.clone();
        methods
            .map(move |(method, operation)| (method, path.clone(), operation))
            .collect::<Vec<_>>()
    };
    paths.flat_map(of).collect()
}

#[rstest]
#[case::v3("/files/v3", "/crm/v3/limits", &[])]
#[case::march("/files/2026-03", "/crm/limits/2026-03", &["/download"])]
#[case::september("/files/2026-09", "/crm/limits/2026-09", &["/update/async", "/update/async/tasks/{id}/status"])]
#[tokio::test]
async fn every_call_of_the_contract_is_described(
    #[case] files: &str,
    #[case] limits: &str,
    #[case] missing: &[&str],
) {
    let service = TestService::start().await;
    let document = document(&service).await;
    assert!(
        document["openapi"].as_str().unwrap().starts_with("3.1"),
        "{}",
        document["openapi"]
    );
    assert_eq!(document["servers"][0]["url"], service.url(""));
    let (calls, reports) = (self::files(), self::limits());
    assert_eq!((calls.len(), reports.len()), (19, 9));
    let reports = reports
        .into_iter()
        .map(|path| ("get".to_owned(), format!("{limits}{path}"), "200"));
    let calls = calls
        .into_iter()
        .map(|(method, path, status)| (method, format!("{files}{path}"), status));
    for (method, path, status) in calls.chain(reports) {
        let operation = &document["paths"][&path][&method];
        if missing.iter().any(|end| path.ends_with(end)) {
            assert!(
                operation.is_null(),
                "{method} {path} is not in this version"
            );
            continue;
        }
        let answers = operation["responses"]
            .as_object()
            .unwrap_or_else(|| panic!("{method} {path} is missing"));
        assert!(answers.contains_key(status), "{method} {path}: {answers:?}");
        let failure = answers["default"]["$ref"]
            .as_str()
            .unwrap_or_else(|| panic!("{method} {path}: {answers:?}"));
        let failure = document.pointer(failure.trim_start_matches('#')).unwrap();
        assert_eq!(
            failure["content"]["application/json"]["schema"]["$ref"],
            "#/components/schemas/Problem"
        );
        assert!(
            !operation["security"].as_array().unwrap().is_empty(),
            "{method} {path} asks for no scope"
        );
    }
}

#[tokio::test]
async fn every_described_operation_is_routed_and_only_the_open_ones_need_no_token() {
    let service = TestService::start().await;
    let operations = operations(&document(&service).await);
    // Three versions, two of which lack one call and two calls; two ways to the bytes, health and
    // the document.
    assert_eq!(
        operations.len(),
        3 * (files().len() + limits().len()) - 3 + 4
    );
    for (method, path, operation) in operations {
        let method: Method = method.to_uppercase().parse().unwrap();
        let path = path
            .replace("{from}", "0-1")
            .replace("{to}", "0-2")
            .replace(['{', '}'], "");
        let bare = answer(http::client().request(method.clone(), service.url(&path))).await;
        assert_eq!(
            bare.status == 401,
            operation["security"].is_array(),
            "{method} {path}: {}",
            bare.status
        );
        let routed = answer(service.request(method.clone(), &path)).await;
        assert_ne!(routed.status, 405, "{method} {path} is not routed");
        assert!(
            !routed.text().contains("there is no such route"),
            "{method} {path} is not routed"
        );
    }
}

#[tokio::test]
async fn names_are_unique_and_references_lead_somewhere() {
    let service = TestService::start().await;
    let document = document(&service).await;
    let operations = operations(&document);
    let ids: HashSet<&str> = operations
        .iter()
        .map(|(.., operation)| operation["operationId"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), operations.len());
    let text = document.to_string();
    assert!(!text.contains(".md`"), "a source of the code's is named");
    let references: HashSet<&str> = text
        .split("\"$ref\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(
        references.contains("#/components/schemas/File"),
        "{references:?}"
    );
    for reference in references {
        assert!(
            document
                .pointer(reference.trim_start_matches('#'))
                .is_some(),
            "{reference} leads nowhere"
        );
    }
    for (_, path, operation) in &operations {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let named: HashSet<&str> = parameters
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let in_path: HashSet<&str> = path
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split('}').next())
            .collect();
        assert_eq!(named, in_path, "{path}");
    }
}

#[tokio::test]
async fn the_file_is_described_as_it_comes() {
    let service = TestService::start().await;
    let schema = document(&service).await["components"]["schemas"]["File"].clone();
    let required: HashSet<&str> = schema["required"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert_eq!(
        required,
        HashSet::from(["id", "createdAt", "updatedAt", "archived", "access"])
    );
    assert_eq!(schema["properties"]["createdAt"]["format"], "date-time");
    let file = service
        .upload("/a", "a.txt", b"a", json!({ "access": "PRIVATE" }))
        .await
        .expect(201)
        .json();
    for (name, value) in file.as_object().unwrap() {
        let kinds = &schema["properties"][name]["type"];
        let kind = match value {
            Value::String(_) => "string",
            Value::Number(_) => "integer",
            _ => "boolean",
        };
        let is_reference = schema["properties"][name].to_string().contains("$ref");
        assert!(
            is_reference || kinds.to_string().contains(kind),
            "{name} is {kinds}, and {value} comes"
        );
    }
}

/// A parameter that is described but not read would silently accept garbage.
#[rstest]
#[case::files("/files/v3/files/search")]
#[case::folders("/files/v3/folders/search")]
#[tokio::test]
async fn described_numbers_flags_and_times_are_read(#[case] path: &str) {
    let service = TestService::start().await;
    let parameters = document(&service).await["paths"][path]["get"]["parameters"].clone();
    let parameters = parameters.as_array().unwrap();
    assert!(parameters.len() > 15);
    for parameter in parameters {
        let name = parameter["name"].as_str().unwrap();
        let schema = &parameter["schema"];
        let is_text = |schema: &Value| schema["type"] == "string" && schema["format"].is_null();
        if is_text(schema) || is_text(&schema["items"]) {
            continue;
        }
        let refusal = service
            .get(&format!("{path}?{name}=rubbish"))
            .await
            .expect(400)
            .json();
        assert!(
            refusal["message"].as_str().unwrap().contains(name),
            "{name}: {refusal}"
        );
    }
}
