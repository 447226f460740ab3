//! The parameters of the two searches, as the OpenAPI document lists them (`contract.md#search`).

use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Required, Schema};

use crate::service::policy;

#[derive(Clone, Copy)]
enum SearchKind {
    Text,
    Number,
    Flag,
    /// Epoch milliseconds or ISO 8601.
    Time,
    /// Repeated or comma-separated.
    Numbers,
    Texts,
}

use SearchKind::{Flag, Number, Numbers, Text, Texts, Time};

const COMMON: [(&str, SearchKind, &str); 17] = [
    (
        "limit",
        Number,
        "Results on the page, 1 to 100; 10 if absent",
    ),
    (
        "after",
        Text,
        "Offset of the page, 0 to 10000, as the page before names it",
    ),
    ("before", Time, "Updated before this time"),
    (
        "sort",
        Texts,
        "Field to sort by; with a - before it from high to low",
    ),
    (
        "properties",
        Texts,
        "Fields to answer with; the required ones always come",
    ),
    ("ids", Numbers, "With one of these ids"),
    ("idGte", Number, "With this id or a higher one"),
    ("idLte", Number, "With this id or a lower one"),
    (
        "parentFolderIds",
        Numbers,
        "Directly in one of these folders; 0 is the root folder",
    ),
    (
        "name",
        Text,
        "Name contains this, in any case; at most 19 characters",
    ),
    ("path", Text, "At this path or below it"),
    ("createdAt", Time, "Created at this time"),
    ("createdAtGte", Time, "Created then or later"),
    ("createdAtLte", Time, "Created then or earlier"),
    ("updatedAt", Time, "Updated at this time"),
    ("updatedAtGte", Time, "Updated then or later"),
    ("updatedAtLte", Time, "Updated then or earlier"),
];

const FILES: [(&str, SearchKind, &str); 19] = [
    ("url", Text, "With this plain address"),
    ("extension", Text, "With this extension, without the dot"),
    ("type", Text, "IMG, DOCUMENT, AUDIO, MOVIE or OTHER"),
    ("encoding", Text, "With this encoding"),
    ("fileMd5", Text, "With this MD5 of the content"),
    (
        "isUsableInContent",
        Flag,
        "Whether it may be used in content",
    ),
    (
        "allowsAnonymousAccess",
        Flag,
        "Whether anyone with the address can fetch it",
    ),
    ("size", Number, "Of this many bytes"),
    ("sizeGte", Number, "Of this many bytes or more"),
    ("sizeLte", Number, "Of this many bytes or fewer"),
    ("height", Number, "Of this height in pixels"),
    ("heightGte", Number, "Of this height or more"),
    ("heightLte", Number, "Of this height or less"),
    ("width", Number, "Of this width in pixels"),
    ("widthGte", Number, "Of this width or more"),
    ("widthLte", Number, "Of this width or less"),
    ("expiresAt", Time, "That expires at this time"),
    ("expiresAtGte", Time, "That expires then or later"),
    ("expiresAtLte", Time, "That expires then or earlier"),
];

pub(super) struct FileParameters;

impl IntoParams for FileParameters {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        COMMON.into_iter().chain(FILES).map(parameter).collect()
    }
}

pub(super) struct FolderParameters;

impl IntoParams for FolderParameters {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        COMMON.into_iter().map(parameter).collect()
    }
}

fn parameter((name, kind, description): (&str, SearchKind, &str)) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schema(name, kind)))
        .build()
}

fn schema(name: &str, kind: SearchKind) -> RefOr<Schema> {
    let of = |kind| ObjectBuilder::new().schema_type(kind);
    match kind {
        Text if name == "name" => of(Type::String)
            .max_length(Some(policy::MAX_NAME_FILTER_CHARS))
            .into(),
        Text => of(Type::String).into(),
        Number if name == "limit" => of(Type::Integer)
            .minimum(Some(1))
            .maximum(Some(policy::MAX_PAGE))
            .into(),
        Number => of(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .into(),
        Flag => of(Type::Boolean).into(),
        Time => of(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .into(),
        Numbers => ArrayBuilder::new().items(of(Type::Integer)).into(),
        Texts => ArrayBuilder::new().items(of(Type::String)).into(),
    }
}
