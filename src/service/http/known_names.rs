//! The parameter and field names that a call accepts, taken from its description. A service in
//! strict mode refuses others, which the live one ignores: a misspelled name must not count as an
//! absent one.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::path::Paths;
use utoipa::openapi::{RefOr, Schema};

use crate::service::answer::error::ApiError;

/// The minimum similarity of a name to be suggested; 1 is the same name.
const LIKE: f64 = 0.5;

#[derive(Debug)]
pub(crate) struct KnownNames {
    parameters: NameTree,
    /// The fields of the form or of the JSON object.
    fields: NameTree,
}

#[derive(Debug, Default)]
struct NameTree(BTreeMap<String, NameTree>);

impl KnownNames {
    /// Reads the names from the description of a route with one call, and from the schemas that it
    /// refers to.
    pub(crate) fn of(paths: &Paths, schemas: &[(String, RefOr<Schema>)]) -> Self {
        let schemas: BTreeMap<&str, Value> = schemas
            .iter()
            .map(|(name, schema)| (name.as_str(), to_value(schema)))
            .collect();
        let (mut parameters, mut fields) = (NameTree::default(), NameTree::default());
        let paths = to_value(paths);
        for operation in paths
            .as_object()
            .into_iter()
            .flat_map(|paths| paths.values())
            .flat_map(values)
        {
            let queried =
                values(&operation["parameters"]).filter(|parameter| parameter["in"] == "query");
            let names = queried.filter_map(|parameter| parameter["name"].as_str());
            parameters
                .0
                .extend(names.map(|name| (name.to_owned(), NameTree::default())));
            values(&operation["requestBody"]["content"])
                .for_each(|body| fields.add(&body["schema"], &schemas));
        }
        Self { parameters, fields }
    }

    pub(crate) fn check_query(&self, query: Option<&str>) -> Result<(), ApiError> {
        let mut given = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        given.try_for_each(|(name, _)| self.parameters.check("parameter", &name))
    }

    pub(crate) fn check_field(&self, name: &str) -> Result<(), ApiError> {
        self.fields.check("form field", name)
    }

    pub(crate) fn check_text(&self, field: &str, value: &Value) -> Result<(), ApiError> {
        self.fields
            .0
            .get(field)
            .map_or(Ok(()), |known| known.check_object(value))
    }

    pub(crate) fn check_body(&self, value: &Value) -> Result<(), ApiError> {
        self.fields.check_object(value)
    }
}

impl NameTree {
    /// Adds the properties of a schema, including those of schemas it refers to.
    fn add(&mut self, schema: &Value, schemas: &BTreeMap<&str, Value>) {
        let referred = schema["$ref"]
            .as_str()
            .and_then(|place| schemas.get(place.rsplit('/').next()?));
        let parts = ["allOf", "oneOf", "anyOf"]
            .into_iter()
            .flat_map(|kind| values(&schema[kind]));
        referred
            .into_iter()
            .chain(parts)
            .for_each(|part| self.add(part, schemas));
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            self.0
                .entry(name.clone())
                .or_default()
                .add(property, schemas);
        }
    }

    fn check_object(&self, value: &Value) -> Result<(), ApiError> {
        value
            .as_object()
            .into_iter()
            .flatten()
            .try_for_each(|(name, value)| {
                self.check("field", name)?;
                // A field without nested names accepts any.
                self.0
                    .get(name)
                    .filter(|known| !known.0.is_empty())
                    .map_or(Ok(()), |known| known.check_object(value))
            })
    }

    fn check(&self, kind: &str, name: &str) -> Result<(), ApiError> {
        if self.0.contains_key(name) {
            return Ok(());
        }
        let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
        let advice = match (nearest(name, &known), known.as_slice()) {
            (Some(nearest), _) => format!("did you mean '{nearest}'?"),
            (None, []) => "this call takes none".to_owned(),
            (None, known) => format!("this call takes {}", known.join(", ")),
        };
        Err(
            ApiError::validation(format!("there is no {kind} '{name}'; {advice}"))
                .with_context("unknown", name),
        )
    }
}

fn values(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(fields) => Box::new(fields.values()),
        _ => Box::new(std::iter::empty()),
    }
}

fn to_value(description: &impl serde::Serialize) -> Value {
    serde_json::to_value(description).unwrap_or_default()
}

fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let likeness =
        |known: &str| strsim::normalized_damerau_levenshtein(&name, &known.to_lowercase());
    let all = known
        .iter()
        .map(|known| (likeness(known), *known))
        .filter(|(likeness, _)| *likeness >= LIKE);
    all.max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, nearest)| nearest)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const KNOWN: [&str; 6] = [
        "charsetHunch",
        "file",
        "fileName",
        "folderId",
        "folderPath",
        "options",
    ];

    #[rstest]
    #[case::letters_swapped("folderPaht", Some("folderPath"))]
    #[case::another_case("FolderID", Some("folderId"))]
    #[case::another_style("folder_path", Some("folderPath"))]
    #[case::the_name_of_another_call("parentFolderId", Some("folderId"))]
    #[case::plural("files", Some("file"))]
    #[case::nothing_like_it("colour", None)]
    fn the_nearest_name_is_the_one_that_was_meant(#[case] name: &str, #[case] meant: Option<&str>) {
        assert_eq!(nearest(name, &KNOWN), meant);
    }
}
