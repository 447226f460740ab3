//! The nine CRM limits reports (`wire.md` §8): read the usage, compute, answer.

use axum::Json;
use axum::extract::State;

use crate::api::model::{
    AssociationLabelLimits, AssociationLimits, AssociationPairLimits, ByDefinition, CalculatedPropertyLimits,
    CustomObjectTypeLimits, CustomPropertyLimits,
};
use crate::service::answer::error::ApiError;
use crate::service::crm::Usage;
use crate::service::crm::reports::{self, UnknownObjectType};
use crate::service::http::extract::{InPath, Query};
use crate::service::policy;
use crate::service::state::AppState;

type Answer<T> = Result<Json<T>, ApiError>;

#[utoipa::path(
    get,
    path = "/custom-properties",
    operation_id = "getCustomPropertiesLimits",
    tag = "limits",
    summary = "Custom properties in use, overall and for each object type",
    responses((status = 200, body = CustomPropertyLimits, description = "The report"))
)]
pub(crate) async fn custom_properties(State(state): State<AppState>) -> Answer<CustomPropertyLimits> {
    Ok(Json(reports::custom_properties(&usage(&state).await?)))
}

#[utoipa::path(
    get,
    path = "/calculated-properties",
    operation_id = "getCalculatedPropertiesLimits",
    tag = "limits",
    summary = "Calculated properties in use",
    responses((status = 200, body = CalculatedPropertyLimits, description = "The report"))
)]
pub(crate) async fn calculated_properties(State(state): State<AppState>) -> Answer<CalculatedPropertyLimits> {
    Ok(Json(reports::calculated_properties(&usage(&state).await?)))
}

#[utoipa::path(
    get,
    path = "/custom-object-types",
    operation_id = "getCustomObjectTypesLimits",
    tag = "limits",
    summary = "Custom object types in use",
    responses((status = 200, body = CustomObjectTypeLimits, description = "The report"))
)]
pub(crate) async fn custom_object_types(State(state): State<AppState>) -> Answer<CustomObjectTypeLimits> {
    Ok(Json(reports::custom_object_types(&usage(&state).await?)))
}

#[utoipa::path(
    get,
    path = "/records",
    operation_id = "getRecordsLimits",
    tag = "limits",
    summary = "Records in use",
    responses((status = 200, body = ByDefinition, description = "The report"))
)]
pub(crate) async fn records(State(state): State<AppState>) -> Answer<ByDefinition> {
    Ok(Json(reports::records(&usage(&state).await?)))
}

#[utoipa::path(
    get,
    path = "/pipelines",
    operation_id = "getPipelinesLimits",
    tag = "limits",
    summary = "Pipelines in use",
    responses((status = 200, body = ByDefinition, description = "The report"))
)]
pub(crate) async fn pipelines(State(state): State<AppState>) -> Answer<ByDefinition> {
    Ok(Json(reports::pipelines(&usage(&state).await?)))
}

#[utoipa::path(
    get,
    path = "/associations/labels",
    operation_id = "getAssociationLabelsLimits",
    tag = "limits",
    summary = "Association labels in use, for each pair of object types",
    params(("fromObjectTypeId" = Option<String>, Query, description = "Pairs that begin there"),
        ("toObjectTypeId" = Option<String>, Query, description = "Pairs that end there")
    ),
    responses((status = 200, body = AssociationLabelLimits, description = "The report"))
)]
pub(crate) async fn association_labels(State(state): State<AppState>, query: Query) -> Answer<AssociationLabelLimits> {
    let (from, to) = (query.text("fromObjectTypeId"), query.text("toObjectTypeId"));
    Ok(Json(reports::association_labels(&usage(&state).await?, from, to).map_err(unknown)?))
}

#[utoipa::path(
    get,
    path = "/associations/records/from",
    operation_id = "getAssociationSourcesLimits",
    tag = "limits",
    summary = "Object types with records near or at an association limit",
    responses((status = 200, body = AssociationLimits, description = "The report"))
)]
pub(crate) async fn association_sources(State(state): State<AppState>) -> Answer<AssociationLimits> {
    Ok(Json(reports::association_sources(&usage(&state).await?)))
}

#[utoipa::path(
    get,
    path = "/associations/records/{from}/to",
    operation_id = "getAssociationTargetsLimits",
    tag = "limits",
    summary = "Object types towards which records are near or at the association limit",
    params(("from" = String, Path, description = "Id of an object type, as in 0-1")),
    responses((status = 200, body = AssociationLimits, description = "The report"))
)]
pub(crate) async fn association_targets(
    State(state): State<AppState>,
    InPath(from): InPath<String>,
) -> Answer<AssociationLimits> {
    Ok(Json(reports::association_targets(&usage(&state).await?, &from).map_err(unknown)?))
}

#[utoipa::path(
    get,
    path = "/associations/records/{from}/{to}",
    operation_id = "getAssociationPairLimits",
    tag = "limits",
    summary = "Records near or at the association limit between two object types",
    params(("from" = String, Path, description = "Id of an object type, as in 0-1"),
        ("to" = String, Path, description = "Id of an object type, as in 2-7")
    ),
    responses((status = 200, body = AssociationPairLimits, description = "The report"))
)]
pub(crate) async fn association_pair(
    State(state): State<AppState>,
    InPath((from, to)): InPath<(String, String)>,
) -> Answer<AssociationPairLimits> {
    Ok(Json(reports::association_pair(&usage(&state).await?, &from, &to).map_err(unknown)?))
}

async fn usage(state: &AppState) -> Result<Usage, ApiError> {
    // The start of the service fills it, so it is there.
    state.store.crm_usage().await?.ok_or_else(ApiError::defect)
}

fn unknown(error: UnknownObjectType) -> ApiError {
    ApiError::new(policy::UNKNOWN_OBJECT_TYPE, error.to_string())
        .with_category("VALIDATION_ERROR")
        .with_context("objectTypeId", error.0)
}
