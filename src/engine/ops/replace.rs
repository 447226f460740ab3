//! Sends a local file's bytes under a remote file's id: URLs, access level, and expiry stay, the
//! old content is gone (`contract.md#replacements`).

use std::path::Path;
use std::sync::Arc;

use super::md5_sum::Md5Sum;
use super::upload;
use crate::api::model::{Access, File, ReplaceOptions};
use crate::api::{BeforeEnd, Client, Error, Kind, NewContent, sendable};
use crate::engine::item::Item;
use crate::engine::message::Target;
use crate::engine::meter;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::seen_state::{changed_since, file_state};
use crate::engine::text_file::is_edited_text;
use crate::regular_file::Links;

#[derive(Debug, Clone, Copy, Default)]
pub struct Replacement<'a> {
    /// The `file_state` that may be replaced; `None` for any.
    pub seen: Option<&'a str>,
    /// The encoding of a text; if `None`, the service looks at the bytes.
    pub charset: Option<&'a str>,
    /// The new access level; `None` to keep the present one.
    pub access: Option<&'a Access>,
}

/// Puts the content of `local` in place of the file's; an edited text is sent through no link. It
/// is sent under the name of the file, whose extension stays. Refused if the content there is not
/// the one that was `seen`. Sent again where that is safe: twice is the same as once.
pub async fn replace(
    client: &Client,
    local: &Path,
    file: &Item,
    Replacement {
        seen,
        charset,
        access,
    }: Replacement<'_>,
    report: &ProgressSink,
) -> Result<File, Error> {
    let Target::File(id) = &file.target else {
        return Err(Error::new(
            Kind::Refused,
            format!("{} is a folder; only files can be replaced", file.path),
        ));
    };
    let client = &client.for_transfer();
    let links = if is_edited_text(local, seen) {
        Links::Refused
    } else {
        Links::Followed
    };
    let length = sendable(local, links).await?.len();
    let now = client.file(id).await?;
    let (md5, is_edit) = (Md5Sum::told_of(&now), links == Links::Refused);
    let is_seen = |seen: &str| match md5 {
        // Of an edited text, only the checksum of the bytes is known.
        Some(md5) if is_edit => md5.to_string().eq_ignore_ascii_case(seen),
        _ => is_edit || file_state(&now) == seen,
    };
    if !seen.is_none_or(is_seen) {
        // An earlier attempt may have replaced it.
        if let Some(md5) = md5
            && (is_edit || now.path.as_ref().is_none_or(|path| *path == file.path))
            && Md5Sum::of_local(local, links).await? == md5
        {
            return Ok(now);
        }
        return Err(changed_since(&file.path));
    }
    let (name, state) = (now.full_name(), file_state(&now));
    let options = ReplaceOptions {
        // The levels of hidden files can be read, but not set.
        access: access
            .cloned()
            .or(now.access)
            .filter(|level| Access::SETTABLE.contains(level)),
        ttl: None,
        expires_at: now.expires_at,
    };
    let on_bytes = meter::bytes(report, Some(length));
    // Others may store something while it is being sent.
    let (asking, id, path) = (client.clone(), id.clone(), file.path.clone());
    let (sent_from, shown_path) = (local.to_owned(), now.path.clone());
    let before_end: BeforeEnd = Arc::new({
        let id = id.clone();
        move || {
            let (client, id, state, path) =
                (asking.clone(), id.clone(), state.clone(), path.clone());
            let (local, shown_path) = (sent_from.clone(), shown_path.clone());
            Box::pin(async move {
                let now = client.file(&id).await?;
                // An earlier attempt, whose answer was lost, may have replaced it.
                let is_own = async |md5| {
                    Md5Sum::of_local(&local, links)
                        .await
                        .is_ok_and(|own| own == md5)
                };
                match Md5Sum::told_of(&now) {
                    _ if file_state(&now) == state => Ok(()),
                    Some(md5) if now.path == shown_path && is_own(md5).await => Ok(()),
                    _ => Err(changed_since(&path)),
                }
            })
        }
    });
    let content = NewContent {
        local,
        links,
        name: &name,
        options: &options,
        charset,
        before_end: Some(before_end),
    };
    let sent = client.replace_file(&id, &content, &on_bytes).await;
    let sent =
        sent.map_err(|error| error.or_it("may be replaced: check before you replace it again"))?;
    upload::verified(sent)
}
