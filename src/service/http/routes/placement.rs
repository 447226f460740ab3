//! The destination in a request, given by the id or the path of a folder.

use crate::service::answer::error::ApiError;
use crate::service::domain::names::FolderPath;
use crate::service::policy;
use crate::service::store::{FolderKey, Placement};

/// Requires exactly one of the two; `id_name` and `path_name` are their names in the request.
pub(crate) fn exactly_one(
    (id_name, id): (&str, Option<&str>),
    (path_name, path): (&str, Option<&str>),
) -> Result<Placement, ApiError> {
    let placement = at_most_one((id_name, id), (path_name, path))?;
    placement.ok_or_else(|| {
        ApiError::validation(format!("one of {id_name} and {path_name} is required"))
    })
}

pub(crate) fn at_most_one(
    (id_name, id): (&str, Option<&str>),
    (path_name, path): (&str, Option<&str>),
) -> Result<Option<Placement>, ApiError> {
    match (id, path) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(ApiError::validation(format!(
            "{id_name} and {path_name} cannot be set together"
        ))),
        (Some(id), None) => by_id(id_name, id).map(Some),
        (None, Some(path)) => by_path(path_name, path).map(Some),
    }
}

fn by_id(name: &str, id: &str) -> Result<Placement, ApiError> {
    match id.trim().parse::<i64>() {
        Ok(policy::ROOT_FOLDER_ID) => by_path(name, "/"),
        _ => folder(name, id).map(Placement::Folder),
    }
}

/// Parses the id of a folder other than the root, which the request has under `name`.
pub(crate) fn folder(name: &str, id: &str) -> Result<FolderKey, ApiError> {
    match id.trim().parse::<i64>() {
        Ok(id) if id > 0 => Ok(FolderKey(id)),
        _ => Err(
            ApiError::validation(format!("{name} must be the id of a folder"))
                .with_context(name, id),
        ),
    }
}

fn by_path(name: &str, path: &str) -> Result<Placement, ApiError> {
    if path.is_empty() {
        return Err(ApiError::validation(format!(
            "{name} must not be empty: the root folder is /"
        )));
    }
    FolderPath::parse(path)
        .map(Placement::Path)
        .map_err(|error| ApiError::validation(format!("{name}: {error}")).with_context(name, path))
}
