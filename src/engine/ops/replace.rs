//! Sends bytes under a remote file's id: URLs, access level, and expiry stay, the
//! old content is gone (`contract.md#replacements`).

use std::sync::Arc;

use super::md5_sum::Md5Sum;
use super::upload;
use crate::api::model::{Access, File};
use crate::api::{BeforeEnd, Client, Error, Kind, UploadContent};
use crate::engine::item::Item;
use crate::engine::message::Target;
use crate::engine::meter;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::seen_state::{changed_since, file_state};

#[derive(Debug, Clone, Copy, Default)]
pub struct Replacement<'a> {
    /// The `file_state` that may be replaced; `None` for any.
    pub seen: Option<&'a str>,
    /// The encoding of a text; if `None`, the service looks at the bytes.
    pub charset: Option<&'a str>,
    /// The new access level; `None` to keep the present one.
    pub access: Option<&'a Access>,
    /// Set if `seen` is the MD5 of a text that was edited.
    pub is_edit: bool,
}

/// Puts the content in place of the file's; of an edited text, no link is followed. It is sent under the name of the file, whose extension stays. Refused if the content there is not
/// the one that was `seen`. Sent again where that is safe: twice is the same as once.
pub async fn replace(
    client: &Client,
    content: &UploadContent,
    file: &Item,
    Replacement {
        seen,
        charset,
        access,
        is_edit,
    }: Replacement<'_>,
    report: &ProgressSink,
) -> Result<File, Error> {
    let Target::File(id) = &file.target else {
        return Err(Error::new(
            Kind::Refused,
            format!("{} is a folder; only files can be replaced", file.path),
        ));
    };
    let client = &client.with_transfer_budget();
    let length = content.length().await?;
    let now = client.files().get(id).await?;
    let md5 = Md5Sum::told_of(&now);
    let is_seen = |seen: &str| match md5 {
        // Of an edited text, only the checksum of the bytes is known.
        Some(md5) if is_edit => md5.to_string().eq_ignore_ascii_case(seen),
        _ => is_edit || file_state(&now) == seen,
    };
    if !seen.is_none_or(is_seen) {
        // An earlier attempt may have replaced it.
        if let Some(md5) = md5
            && (is_edit || now.path.as_ref().is_none_or(|path| *path == file.path))
            && Md5Sum::of(content).await? == md5
        {
            return Ok(now);
        }
        return Err(changed_since(&file.path));
    }
    let state = file_state(&now);
    // Others may store something while it is being sent.
    let (asking, id, path) = (client.clone(), id.clone(), file.path.clone());
    let (sent, shown_path) = (content.clone(), now.path.clone());
    let before_end: BeforeEnd = Arc::new({
        let id = id.clone();
        move || {
            let (client, id, state, path) =
                (asking.clone(), id.clone(), state.clone(), path.clone());
            let (content, shown_path) = (sent.clone(), shown_path.clone());
            Box::pin(async move {
                let now = client.files().get(&id).await?;
                // An earlier attempt, whose answer was lost, may have replaced it.
                let is_own = async |md5| Md5Sum::of(&content).await.is_ok_and(|own| own == md5);
                match Md5Sum::told_of(&now) {
                    _ if file_state(&now) == state => Ok(()),
                    Some(md5) if now.path == shown_path && is_own(md5).await => Ok(()),
                    _ => Err(changed_since(&path)),
                }
            })
        }
    });
    let replacement = client
        .files()
        .replace(&now)
        .from_content(content.clone())
        .access(
            access
                .filter(|level| Access::SETTABLE.contains(level))
                .cloned(),
        )
        .charset(charset)
        .before_end(before_end)
        .on_progress(meter::bytes(report, Some(length)));
    let sent = replacement.send().await;
    let sent =
        sent.map_err(|error| error.or_it("may be replaced: check before you replace it again"))?;
    upload::verified(sent)
}
