//! Fields of an answer that are read if they can be: a row with an odd field still shows what is known of it.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum Field<T> {
    Known(T),
    Odd(IgnoredAny),
}

/// `#[serde(deserialize_with = "known")]`: the value, or the default for null and for what cannot be this value.
pub(super) fn known<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(match Option::<Field<T>>::deserialize(deserializer)? {
        Some(Field::Known(value)) => value,
        Some(Field::Odd(_)) | None => T::default(),
    })
}

#[cfg(test)]
mod tests {
    use crate::api::model::{File, Folder};

    #[test]
    fn odd_fields_are_left_out_and_the_others_kept() {
        let file: File = serde_json::from_str(
            r#"{"id":"7","name":"logo","extension":7,"archived":null,"size":-1,"width":"wide","createdAt":"soon",
                "access":null,"isUsableInContent":"yes","parentFolderId":null,"path":"/logo.png"}"#,
        )
        .unwrap();
        assert_eq!((file.name.as_deref(), file.path.as_deref()), (Some("logo"), Some("/logo.png")));
        assert_eq!((file.archived, file.size, file.width, file.created_at), (false, None, None, None));
        assert_eq!((file.extension, file.access, file.parent_folder_id), (None, None, None));
        let folder: Folder = serde_json::from_str(r#"{"id":"7","name":["a"],"archived":"no"}"#).unwrap();
        assert_eq!((folder.full_name().as_str(), folder.archived), ("7", false));
    }
}
