//! The nine CRM limits reports (`wire.md` §8): read the usage, compute, answer.

use axum::Json;
use axum::extract::{Path, State};

use crate::api::model::{
    AssociationLabelLimits, AssociationLimits, AssociationPairLimits, ByDefinition, CalculatedPropertyLimits,
    CustomObjectTypeLimits, CustomPropertyLimits,
};
use crate::service::crm::Usage;
use crate::service::crm::reports::{self, UnknownObjectType};
use crate::service::error::ApiError;
use crate::service::extract::{Query, RestOfPath};
use crate::service::state::AppState;

type Answer<T> = Result<Json<T>, ApiError>;

pub(crate) async fn custom_properties(State(state): State<AppState>) -> Answer<CustomPropertyLimits> {
    Ok(Json(reports::custom_properties(&usage(&state).await?)))
}

pub(crate) async fn calculated_properties(State(state): State<AppState>) -> Answer<CalculatedPropertyLimits> {
    Ok(Json(reports::calculated_properties(&usage(&state).await?)))
}

pub(crate) async fn custom_object_types(State(state): State<AppState>) -> Answer<CustomObjectTypeLimits> {
    Ok(Json(reports::custom_object_types(&usage(&state).await?)))
}

pub(crate) async fn records(State(state): State<AppState>) -> Answer<ByDefinition> {
    Ok(Json(reports::records(&usage(&state).await?)))
}

pub(crate) async fn pipelines(State(state): State<AppState>) -> Answer<ByDefinition> {
    Ok(Json(reports::pipelines(&usage(&state).await?)))
}

pub(crate) async fn association_labels(State(state): State<AppState>, query: Query) -> Answer<AssociationLabelLimits> {
    let (from, to) = (query.text("fromObjectTypeId"), query.text("toObjectTypeId"));
    Ok(Json(reports::association_labels(&usage(&state).await?, from, to).map_err(unknown)?))
}

pub(crate) async fn association_sources(State(state): State<AppState>) -> Answer<AssociationLimits> {
    Ok(Json(reports::association_sources(&usage(&state).await?)))
}

pub(crate) async fn association_targets(
    State(state): State<AppState>,
    RestOfPath(from): RestOfPath,
) -> Answer<AssociationLimits> {
    Ok(Json(reports::association_targets(&usage(&state).await?, &from).map_err(unknown)?))
}

pub(crate) async fn association_pair(
    State(state): State<AppState>,
    Path((from, to)): Path<(String, String)>,
) -> Answer<AssociationPairLimits> {
    Ok(Json(reports::association_pair(&usage(&state).await?, &from, &to).map_err(unknown)?))
}

async fn usage(state: &AppState) -> Result<Usage, ApiError> {
    // The start of the service fills it, so it is there.
    state.store.crm_usage().await?.ok_or_else(ApiError::defect)
}

fn unknown(error: UnknownObjectType) -> ApiError {
    ApiError::validation(error.to_string()).with_context("objectTypeId", error.0)
}
