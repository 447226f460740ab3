//! The forms of uploads and replacements as the OpenAPI document shows them. Nothing is parsed into
//! these types: `form` reads the forms part by part.
#![expect(dead_code, reason = "the fields are there to be described")]

use utoipa::ToSchema;

use crate::api::model::{ReplaceOptions, UploadOptions};

/// Exactly one of `folderId` and `folderPath` is sent. The parts may come in any order.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct UploadForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// JSON text.
    options: UploadOptions,
    folder_id: Option<String>,
    /// Missing folders are created.
    folder_path: Option<String>,
    /// The sent file's name if absent or empty.
    file_name: Option<String>,
    /// Character encoding of a text, by a label of the Encoding Standard; found in the bytes if
    /// absent or empty.
    charset_hunch: Option<String>,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct ReplaceForm {
    /// Must have the extension of the file that it replaces.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// JSON text.
    options: ReplaceOptions,
    charset_hunch: Option<String>,
}
