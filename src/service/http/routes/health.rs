//! The health check, for anyone.

#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "getHealth",
    tag = "service",
    summary = "Whether the service answers",
    responses((status = 200, content_type = "text/plain", description = "It does"))
)]
pub(crate) async fn health() -> &'static str {
    "ok"
}
