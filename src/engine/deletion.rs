//! The deletion of a file or folder, as the journal records it: the one form of receipts.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};

use super::item::{Item, Target};
use crate::api::DeletionAnswer;
use crate::api::ids::{FileId, FolderId};
use crate::api::text::visible;

/// The time within which a permanent deletion ends (`contract.md#deletion`).
const GONE_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A deletion that the service accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    #[serde(rename = "id", serialize_with = "id")]
    pub target: Target,
    pub path: String,
    pub deleted_at: Timestamp,
    /// The time by which content and metadata are gone; only of a permanent deletion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone_by: Option<Timestamp>,
    /// The size of a file, in bytes, as it was last seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The MD5 of a file's content, in lowercase hex, as it was last seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub md5: Option<String>,
    /// The service's answer to a permanent deletion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<DeletionAnswer>,
    /// Present for a folder.
    #[serde(flatten)]
    pub contents: Option<DeletedContents>,
}

/// The files that were deleted with a folder, as far as they are known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DeletedContents {
    /// The number of those that are known by id and not deleted permanently.
    pub files: usize,
    /// The reason why there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl Deletion {
    pub fn new(file: &FileId, path: &str, at: Timestamp, permanent: bool) -> Self {
        let at = kept(at);
        let gone_by = permanent.then(|| at.saturating_add(GONE_WITHIN).unwrap_or(at));
        let target = Target::File(file.clone());
        Self {
            target,
            path: path.to_owned(),
            deleted_at: at,
            gone_by,
            size: None,
            md5: None,
            answer: None,
            contents: None,
        }
    }

    /// Records a file; with an answer, its permanent deletion.
    pub fn of_file(
        file: &FileId,
        item: &Item,
        at: Timestamp,
        answer: Option<DeletionAnswer>,
    ) -> Self {
        let is_permanent = answer.is_some();
        Self {
            size: item.size,
            md5: item.md5.clone(),
            answer,
            ..Self::new(file, &item.path, at, is_permanent)
        }
    }

    /// Records a folder, whose path may end with a slash.
    pub fn of_folder(
        folder: &FolderId,
        path: &str,
        at: Timestamp,
        contents: DeletedContents,
    ) -> Self {
        let (target, path) = (
            Target::Folder(folder.clone()),
            path.trim_end_matches('/').to_owned(),
        );
        Self {
            target,
            path,
            deleted_at: kept(at),
            gone_by: None,
            size: None,
            md5: None,
            answer: None,
            contents: Some(contents),
        }
    }

    /// Returns the reason why not everything that was deleted is known.
    pub fn missing(&self) -> Option<&str> {
        self.contents.as_ref()?.missing.as_deref()
    }
}

/// The account and the record of a deletion there; of a permanent one, the proof. Its text is for
/// people who have never seen filedeck.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Receipt<'a> {
    pub account: &'a str,
    #[serde(flatten)]
    pub deletion: &'a Deletion,
}

/// The column of the values in the text of a receipt.
const VALUES: usize = 11;

impl Receipt<'_> {
    pub fn title(&self) -> &'static str {
        if self.deletion.gone_by.is_some() {
            "Receipt of a permanent deletion"
        } else {
            "Record of a deletion"
        }
    }

    /// Returns the name of a file for it, without the name of what was deleted.
    pub fn file_name(&self) -> String {
        let day = self.deletion.deleted_at.strftime("%Y-%m-%d");
        format!("receipt-{}-{day}.txt", self.deletion.target.id())
    }

    /// Returns its lines below the title, safe to show: fields, an empty line, a sentence.
    pub fn lines(&self) -> Vec<String> {
        let Deletion {
            target,
            path,
            deleted_at,
            gone_by,
            size,
            md5,
            answer,
            ..
        } = self.deletion;
        let bytes = |size: u64| format!("{size} byte{}", if size == 1 { "" } else { "s" });
        let fields = [
            ("Account", Some(self.account.to_owned())),
            ("Path", Some(path.clone())),
            ("Id", Some(target.id().to_owned())),
            ("Size", size.map(bytes)),
            ("MD5", md5.clone()),
            ("Deleted", Some(full_time(*deleted_at))),
            ("Erased by", gone_by.map(full_time)),
            ("Answer", answer.as_ref().map(DeletionAnswer::to_string)),
        ];
        let line = |(label, value): (&str, Option<String>)| {
            value.map(|value| format!("{label:VALUES$}{}", visible(&value)))
        };
        let mut lines: Vec<String> = fields.into_iter().filter_map(line).collect();
        lines.extend([String::new(), self.sentence()]);
        lines
    }

    /// Returns the whole text, safe to show, with a line break at its end.
    pub fn text(&self) -> String {
        format!("{}\n\n{}\n", self.title(), self.lines().join("\n"))
    }

    fn sentence(&self) -> String {
        let is_folder = matches!(self.deletion.target, Target::Folder(_));
        let kind = if is_folder { "folder" } else { "file" };
        let was_accepted = self
            .deletion
            .answer
            .as_ref()
            .is_none_or(DeletionAnswer::is_accepted);
        match self.deletion.gone_by.map(full_time) {
            None => format!("The service has deleted this {kind}; it was not erased permanently."),
            Some(by) if was_accepted => format!(
                "The service has accepted the permanent deletion of this {kind}: it erases content \
                 and metadata by {by}, and nobody can restore them."
            ),
            Some(by) => format!(
                "The answer to the permanent deletion was lost; asked again, the service no longer \
                 had this {kind}. If it was deleted by that request, content and metadata are erased by {by}."
            ),
        }
    }
}

/// Formats a time in UTC, which means the same to every reader.
fn full_time(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC)
        .strftime("%Y-%m-%d %H:%M:%S UTC")
        .to_string()
}

/// Truncates a time to milliseconds, as it is stored.
fn kept(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

fn id<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(target.id())
}
