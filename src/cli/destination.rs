//! The remote destination of new files: an existing folder, a folder to be created, or the path that
//! a single file is to have.

use super::locate::locate;
use super::place::find_or_create;
use super::remote::{RemoteArgument, RemotePath};
use crate::api::{Client, Error, Kind};
use crate::engine::sending::IntoFolder;

/// Returns the folder to store into, and the file's name if the destination gives one. Without
/// `creates`, a folder beside a file of its name is not created.
pub(super) async fn destination(
    client: &Client,
    dest: &RemoteArgument,
    means_folder: impl Fn(&RemotePath) -> bool,
    creates: bool,
) -> Result<(IntoFolder, Option<String>), Error> {
    let missing = match locate(client, dest).await {
        Ok(located) => {
            // For a single file, the path is the one that it is to have.
            if let (RemoteArgument::Path(path), None) = (dest, located.clone().into_place())
                && !means_folder(path)
                && let Some((parent, name)) = path.split()
            {
                return Ok((IntoFolder::Path(parent.to_owned()), Some(name.to_owned())));
            }
            let message = format!("{located} is a file; name its folder");
            let place = located
                .into_place()
                .ok_or_else(|| Error::new(Kind::Conflict, message))?;
            return Ok((IntoFolder::Place(place), None));
        }
        Err(error) => error,
    };
    match dest {
        RemoteArgument::Path(path) if missing.kind == Kind::NotFound => match path.split() {
            Some((parent, name)) if !means_folder(path) => {
                Ok((IntoFolder::Path(parent.to_owned()), Some(name.to_owned())))
            }
            // A file has this path; only the trailing slash says that a folder beside it is meant.
            _ if path.means_folder() && creates && is_file(client, path).await => Ok((
                IntoFolder::Place(find_or_create(client, path.as_str()).await?),
                None,
            )),
            _ => Ok((IntoFolder::Path(path.as_str().to_owned()), None)),
        },
        _ => Err(missing),
    }
}

async fn is_file(client: &Client, path: &RemotePath) -> bool {
    client
        .files()
        .stat(path.as_str())
        .await
        .is_ok_and(|found| found.file.is_some())
}
