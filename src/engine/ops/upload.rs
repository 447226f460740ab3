//! One local file to the service. After a lost answer it looks for the file before it sends it again, so that no
//! second copy comes of it (`reliability.md` A1); a source that changed under way is an error (A7).

use std::path::Path;
use std::time::{Duration, SystemTime};

use md5::{Digest, Md5};
use tokio::io::AsyncReadExt;

use super::root;
use crate::api::model::{File, UploadOptions};
use crate::api::search::{FileSearch, Filter};
use crate::api::{Client, Destination, Error, Kind, NewFile, Sent};
use crate::engine::message::Place;
use crate::engine::meter;
use crate::engine::report::Report;

/// How long the service gets to finish what it received before it is asked what came of it.
const SETTLE: Duration = Duration::from_secs(1);

/// Sends `local` into a folder, as `name` or under its own name.
pub async fn upload(
    client: &Client,
    local: &Path,
    into: &Place,
    name: Option<&str>,
    options: &UploadOptions,
    report: &Report,
) -> Result<File, Error> {
    let name = match name {
        Some(name) => name,
        None => own_name(local)?,
    };
    let before = Fingerprint::take(local).await?;
    let on_bytes = meter::bytes(report, Some(before.length));
    let destination = into.id.as_ref().map_or(Destination::Path("/"), Destination::Id);
    let file = NewFile { local, name, into: destination, options };
    let sent = match client.upload(&file, &on_bytes).await {
        Err(error) if error.leaves_doubt() => match look_up(client, local, into, name).await? {
            Some(found) => return Ok(found),
            None => client.upload(&file, &on_bytes).await,
        },
        answer => answer,
    };
    if Fingerprint::take(local).await? != before {
        let message = format!(
            "{} changed while it was sent: delete the copy, which may be mixed, and send it again",
            local.display()
        );
        return Err(Error::new(Kind::Local, message));
    }
    verified(sent?)
}

fn own_name(local: &Path) -> Result<&str, Error> {
    local.file_name().and_then(|name| name.to_str()).ok_or_else(|| {
        Error::new(Kind::Refused, format!("{} has no name that can be sent; give it another one", local.display()))
    })
}

/// The service must have stored the bytes that were sent.
fn verified(sent: Sent) -> Result<File, Error> {
    match &sent.file.file_md5 {
        Some(stored) if !stored.eq_ignore_ascii_case(&sent.md5) => {
            let message =
                "The stored file differs from the one that was sent (its MD5 is another); delete it and send it again";
            Err(Error::new(Kind::Decode, message))
        }
        _ => Ok(sent.file),
    }
}

/// A file with this content in this folder, under this name or one that the service made of it to avoid a clash.
async fn look_up(client: &Client, local: &Path, into: &Place, name: &str) -> Result<Option<File>, Error> {
    tokio::time::sleep(SETTLE).await;
    let md5 = md5_of(local).await?;
    let search = FileSearch {
        filter: Filter { parents: into.id.iter().cloned().collect(), ..Filter::default() },
        md5: Some(md5.clone()),
        ..FileSearch::default()
    };
    let found = client.search_files(&search).await?.results.into_iter();
    let in_place = |file: &File| match &into.id {
        Some(id) => file.parent_folder_id.as_ref() == Some(id),
        None => root::holds(file.parent_folder_id.as_ref(), file.path.as_deref()),
    };
    let same_content = |file: &File| file.file_md5.as_ref().is_some_and(|found| found.eq_ignore_ascii_case(&md5));
    Ok(found.filter(|file| in_place(file) && same_content(file)).find(|file| is_called(&file.full_name(), name)))
}

/// `logo-1.png` is what becomes of `logo.png` where that is taken (`wire.md` §2.1).
fn is_called(found: &str, name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let rest = found.strip_prefix(stem).and_then(|rest| rest.strip_suffix(extension));
    let rest = rest.map(|rest| rest.trim_end_matches('.'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    found == name || rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_number))
}

async fn md5_of(local: &Path) -> Result<String, Error> {
    let unreadable = |error| Error::local(&format!("Cannot read {}", local.display()), &error);
    let mut file = tokio::fs::File::open(local).await.map_err(unreadable)?;
    let mut hash = Md5::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let read = file.read(&mut buffer).await.map_err(unreadable)?;
        match buffer.get(..read) {
            Some(bytes) if read > 0 => hash.update(bytes),
            _ => return Ok(hex::encode(hash.finalize())),
        }
    }
}

/// What shows that a file was written to.
#[derive(Debug, PartialEq, Eq)]
struct Fingerprint {
    length: u64,
    modified: Option<SystemTime>,
}

impl Fingerprint {
    async fn take(local: &Path) -> Result<Self, Error> {
        let metadata = tokio::fs::metadata(local).await;
        let metadata = metadata.map_err(|error| Error::local(&format!("Cannot read {}", local.display()), &error))?;
        Ok(Self { length: metadata.len(), modified: metadata.modified().ok() })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::same("logo.png", "logo.png", true)]
    #[case::numbered("logo-12.png", "logo.png", true)]
    #[case::numbered_without_extension("README-1", "README", true)]
    #[case::longer("logo-new.png", "logo.png", false)]
    #[case::other_extension("logo.jpg", "logo.png", false)]
    #[case::longer_stem("logos.png", "logo.png", false)]
    fn a_lost_upload_is_known_by_its_name(#[case] found: &str, #[case] name: &str, #[case] expected: bool) {
        assert_eq!(is_called(found, name), expected);
    }
}
