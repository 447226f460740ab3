//! Writes a text into a new file on this machine; existing files stay.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::perform::{OpContext, Perform};
use crate::api::{Error, Kind};
use crate::engine::disk_name::{NameSystem, numbered};
use crate::engine::question::WriteExport;

/// The number of names to try.
const MOST: u32 = 1_000;

/// Writes `text` into `folder` under `name`, with a number added if that is taken; returns the
/// path.
pub async fn write(folder: PathBuf, name: &str, text: String) -> Result<PathBuf, Error> {
    let shown = folder.display().to_string();
    let unfit = |why| {
        Error::new(
            Kind::Refused,
            format!("Cannot write {name} into {shown}: {why}"),
        )
    };
    let name = NameSystem::OWN.to_disk(name).map_err(unfit)?;
    match tokio::task::spawn_blocking(move || write_new(&folder, &name, &text)).await {
        Ok(written) => {
            written.map_err(|error| Error::local(&format!("Cannot write into {shown}"), &error))
        }
        Err(_) => Err(Error::new(Kind::Internal, "Writing a local file failed")),
    }
}

fn write_new(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let names = [name.to_owned()]
        .into_iter()
        .chain((1..MOST).map(|number| numbered(name, number)));
    for name in names {
        let path = folder.join(name);
        let mut file = match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            file => file?,
        };
        return match file
            .write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
        {
            Ok(()) => Ok(path),
            Err(error) => {
                // The partial file would pass for a complete one.
                let _ = fs::remove_file(&path);
                Err(error)
            }
        };
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

impl Perform for WriteExport {
    async fn perform(self, _: &OpContext) -> Result<PathBuf, Error> {
        write(self.folder, &self.name, self.text).await
    }
}
