//! The options that a file is sent with. Plain data.

use serde::{Deserialize, Serialize};

use super::item::FolderRef;
use crate::api::ids::FolderId;
use crate::api::model::UploadOptions;

/// The options that the service takes as JSON, and those beside them in the form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sending {
    #[serde(flatten)]
    pub options: UploadOptions,
    /// The encoding of a text, by a label such as `windows-1252`; if `None`, the service looks at
    /// the bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
    /// Set if the service makes a name from the content, whatever the local file is called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unnamed: bool,
    /// Set if pages may not use the file. No upload takes that: it is set once the file is stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unusable_in_content: bool,
}

impl From<UploadOptions> for Sending {
    fn from(options: UploadOptions) -> Self {
        Self {
            options,
            charset: None,
            unnamed: false,
            unusable_in_content: false,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum IntoFolder {
    Place(FolderRef),
    Id(FolderId),
    /// An absolute path; missing folders on the way are created.
    Path(String),
}

impl From<FolderRef> for IntoFolder {
    /// A folder without an id, other than the root, may not exist yet.
    fn from(folder: FolderRef) -> Self {
        if folder.id.is_none() && folder.path != "/" {
            Self::Path(folder.path)
        } else {
            Self::Place(folder)
        }
    }
}

/// Refuses what cannot be the label of an encoding. Only the service knows which labels exist.
pub fn check_charset(label: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:+".contains(c);
    if !label.is_empty() && label.chars().all(is_plain) {
        Ok(())
    } else {
        Err("Type the label of an encoding: utf-8, windows-1252, shift_jis.".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::api::model::Access;

    #[test]
    fn what_was_written_down_before_there_was_more_than_options_is_read() {
        let old = serde_json::json!({ "access": "PRIVATE", "ttl": "P1D" });
        let sending: Sending = serde_json::from_value(old.clone()).unwrap();
        let options = UploadOptions {
            ttl: Some("P1D".to_owned()),
            ..UploadOptions::new(Access::Private)
        };
        assert_eq!(sending, options.into());
        assert_eq!(serde_json::to_value(&sending).unwrap(), old);
    }

    #[rstest]
    #[case::usual("utf-8", true)]
    #[case::with_a_year("iso_8859-1:1987", true)]
    #[case::nothing("", false)]
    #[case::several("utf-8, latin1", false)]
    #[case::a_header("utf-8\r\nx", false)]
    fn a_label_is_one_word(#[case] label: &str, #[case] expected: bool) {
        assert_eq!(check_charset(label).is_ok(), expected);
    }
}
