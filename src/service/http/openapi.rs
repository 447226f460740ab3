//! The OpenAPI document of the service: the descriptions of the routes, and the parts that all of
//! them share.

use std::sync::{Arc, OnceLock};

use axum::{Extension, Json};
use serde_json::Value;
use url::Url;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder, ServerBuilder,
};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::api::model::Problem;
use crate::service::answer::error::ApiError;
use crate::service::domain::version::ApiVersion;

/// The name of the bearer token scheme in the document.
const TOKEN: &str = "token";

/// The responses that every API call may give: status, name, description. The document has each
/// once, and operations refer to it, since there are many operations and the document stays in
/// memory.
const SHARED: [(&str, &str, &str); 5] = [
    ("401", "Unauthorized", "No valid token"),
    ("403", "Forbidden", "The token has none of the scopes"),
    ("414", "UriTooLong", "Path and query are too long"),
    ("429", "TooManyRequests", "A budget of requests is used up"),
    ("default", "Problem", "Refused or failed"),
];

/// The complete document. Cheap to clone; clones share it.
#[derive(Clone, Default)]
pub(crate) struct Document(Arc<OnceLock<OpenApi>>);

#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "getOpenApi",
    tag = "service",
    summary = "This document",
    responses((status = 200, content_type = "application/json", description = "The document"))
)]
pub(crate) async fn serve(
    Extension(Document(api)): Extension<Document>,
) -> Result<Json<Value>, ApiError> {
    let mut document = serde_json::to_value(api.get())
        .map_err(|error| ApiError::internal("write the OpenAPI document", &error))?;
    leave_out_sources(&mut document);
    Ok(Json(document))
}

impl Document {
    pub(crate) fn complete(&self, mut api: OpenApi, base: &Url) {
        api.info = InfoBuilder::new()
            .title("filedeck's embedded service")
            .description(Some(
                "Files v3 and CRM Limits v3, as HubSpot's API answers, from a local directory.",
            ))
            .version(env!("CARGO_PKG_VERSION"))
            .build();
        api.servers = Some(vec![
            ServerBuilder::new()
                .url(base.as_str().trim_end_matches('/'))
                .build(),
        ]);
        let paths = std::mem::take(&mut api.paths.paths);
        for (path, mut item) in paths {
            for operation in operations(&mut item) {
                complete(operation, &path);
            }
            // To the reader, a wildcard is an ordinary parameter.
            api.paths.paths.insert(path.replace("{*", "{"), item);
        }
        let components = api.components.get_or_insert_default();
        let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
        Problem::schemas(&mut schemas);
        components.schemas.extend(schemas);
        components.responses.extend(
            SHARED.map(|(_, name, description)| (name.to_owned(), problem(description).into())),
        );
        components.add_security_scheme(
            TOKEN,
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        );
        self.0.get_or_init(|| api);
    }
}

pub(crate) fn secure(operation: &mut Operation, scopes: &[&str]) {
    operation.security = Some(
        scopes
            .iter()
            .map(|scope| SecurityRequirement::new(TOKEN, [*scope]))
            .collect(),
    );
}

pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [
        &mut item.get,
        &mut item.put,
        &mut item.post,
        &mut item.patch,
        &mut item.delete,
    ]
    .into_iter()
    .flatten()
}

/// Adds the responses that every API call may give, and makes the operation id unique per version.
fn complete(operation: &mut Operation, path: &str) {
    if operation.security.is_none() {
        return;
    }
    for (status, name, _) in SHARED {
        let shared = || RefOr::Ref(Ref::from_response_name(name));
        operation
            .responses
            .responses
            .entry(status.to_owned())
            .or_insert_with(shared);
    }
    let version = ApiVersion::ALL
        .iter()
        .find(|version| path.split('/').any(|part| part == version.to_string()));
    if let (Some(id), Some(version)) = (
        &mut operation.operation_id,
        version.filter(|version| version.is_dated()),
    ) {
        *id = format!("{id}_{}", version.to_string().replace('-', "_"));
    }
}

fn problem(description: &str) -> Response {
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(Problem::name())))
        .build();
    ResponseBuilder::new()
        .description(description)
        .content("application/json", content)
        .build()
}

/// Descriptions come from code comments, which name their sources in parentheses; readers have no
/// use for those.
fn leave_out_sources(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if name == "description" => *text = without_sources(text),
                    field => leave_out_sources(field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_sources),
        _ => {}
    }
}

fn without_sources(text: &str) -> String {
    let mut parts = text.split(" (`");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((inside, rest)) if inside.contains(".md#") => kept.push_str(rest),
            _ => {
                kept.push_str(" (`");
                kept.push_str(part);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_left_out_and_other_parentheses_stay() {
        assert_eq!(
            without_sources(
                "A file (`contract.md#files`, `guarantees.md#loopback-is-not-trust`). More."
            ),
            "A file. More."
        );
        assert_eq!(
            without_sources("Either (`a` or `b`)."),
            "Either (`a` or `b`)."
        );
    }
}
