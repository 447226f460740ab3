//! The nine CRM limits reports (`contract.md#crm-limits`), computed from the usage.

use axum::Json;
use axum::extract::State;

use crate::api::model::{
    AssociationLabelLimits, AssociationLimits, AssociationPairLimits, ByDefinition,
    CalculatedPropertyLimits, CustomObjectTypeLimits, CustomPropertyLimits,
};
use crate::service::answer::error::ApiError;
use crate::service::crm::Usage;
use crate::service::crm::reports::{self, UnknownObjectType};
use crate::service::http::extract::{InPath, RawQuery};
use crate::service::policy;
use crate::service::state::AppState;

type LimitsReply<T> = Result<Json<T>, ApiError>;

/// Defines the reports that have no parameters.
macro_rules! reports {
    ($($name:ident at $path:literal, $id:literal: $report:ident, $summary:literal;)+) => {$(
        #[utoipa::path(
            get,
            path = $path,
            operation_id = $id,
            tag = "limits",
            summary = $summary,
            responses((status = 200, body = $report, description = "The report"))
        )]
        pub(crate) async fn $name(State(state): State<AppState>) -> LimitsReply<$report> {
            Ok(Json(reports::$name(&usage(&state).await?)))
        }
    )+};
}

reports! {
    custom_properties at "/custom-properties", "getCustomPropertiesLimits":
        CustomPropertyLimits, "Custom properties in use, overall and for each object type";
    calculated_properties at "/calculated-properties", "getCalculatedPropertiesLimits":
        CalculatedPropertyLimits, "Calculated properties in use";
    custom_object_types at "/custom-object-types", "getCustomObjectTypesLimits":
        CustomObjectTypeLimits, "Custom object types in use";
    records at "/records", "getRecordsLimits": ByDefinition, "Records in use";
    pipelines at "/pipelines", "getPipelinesLimits": ByDefinition, "Pipelines in use";
    association_sources at "/associations/records/from", "getAssociationSourcesLimits":
        AssociationLimits, "Object types with records near or at an association limit";
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
pub(crate) async fn association_labels(
    State(state): State<AppState>,
    query: RawQuery,
) -> LimitsReply<AssociationLabelLimits> {
    let (from, to) = (query.text("fromObjectTypeId"), query.text("toObjectTypeId"));
    Ok(Json(
        reports::association_labels(&usage(&state).await?, from, to).map_err(unknown)?,
    ))
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
) -> LimitsReply<AssociationLimits> {
    Ok(Json(
        reports::association_targets(&usage(&state).await?, &from).map_err(unknown)?,
    ))
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
) -> LimitsReply<AssociationPairLimits> {
    Ok(Json(
        reports::association_pair(&usage(&state).await?, &from, &to).map_err(unknown)?,
    ))
}

async fn usage(state: &AppState) -> Result<Usage, ApiError> {
    // Always present, since the start of the service writes it.
    state.store.crm_usage().await?.ok_or_else(ApiError::defect)
}

fn unknown(error: UnknownObjectType) -> ApiError {
    ApiError::new(policy::UNKNOWN_OBJECT_TYPE, error.to_string())
        .with_category("VALIDATION_ERROR")
        .with_context("objectTypeId", error.0)
}
