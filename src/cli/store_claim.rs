//! The claim on a store's directory: the one process that holds its lock leaves its address there
//! for the others.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use url::Url;

use crate::service::{Lock, TokenSource};

/// The right to serve the directory. Dropping it withdraws the address, then releases the lock.
#[derive(Debug)]
pub struct Claim {
    dir: PathBuf,
    lock: Lock,
}

/// The address of the process that serves the directory, stored there with mode 0600. It contains
/// no secret, because it stays when its holder is killed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreHolder {
    /// The URL for processes of this machine.
    pub base_url: Url,
    pub token: ServiceToken,
    /// Set once the holder is about to release the directory, which may take long: others wait for
    /// it.
    #[serde(default)]
    pub is_ending: bool,
}

/// The source of the token that the holder requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServiceToken {
    /// The directory's own token, which whoever may use the directory can read.
    Directory,
    /// A token given to the holder, which whoever joins must be given, too.
    Given,
}

impl ServiceToken {
    pub fn of(source: &TokenSource) -> Self {
        match source {
            TokenSource::DataDir => Self::Directory,
            TokenSource::Given(_) => Self::Given,
        }
    }
}

impl Claim {
    /// Claims the directory, creating it if missing; `None` if another process has it.
    pub fn try_take(dir: &Path) -> io::Result<Option<Self>> {
        Lock::try_take(dir)?
            .map(|lock| Self::new(dir, lock))
            .transpose()
    }

    /// Claims the directory for a caller that does not try again.
    pub async fn take_soon(dir: &Path) -> io::Result<Option<Self>> {
        Lock::take_soon(dir)
            .await?
            .map(|lock| Self::new(dir, lock))
            .transpose()
    }

    /// Waits until the directory is free, then claims it. Blocks, so it needs a thread of its own.
    pub fn wait(dir: &Path) -> io::Result<Self> {
        Self::new(dir, Lock::wait(dir)?)
    }

    pub fn lock(&self) -> Lock {
        self.lock.clone()
    }

    fn new(dir: &Path, lock: Lock) -> io::Result<Self> {
        let claim = Self {
            dir: dir.to_owned(),
            lock,
        };
        // A holder that was killed could not withdraw its address.
        claim.withdraw()?;
        Ok(claim)
    }

    pub fn publish(&self, holder: &StoreHolder) -> io::Result<()> {
        // A temporary file is private from the start, and the rename shows it whole or not at all.
        let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
        file.write_all(&serde_json::to_vec(holder)?)?;
        file.persist(address_path(&self.dir))?;
        Ok(())
    }

    /// Tells other processes that the end has begun; if this fails, they wait only for a short end.
    pub fn announce_end(&self) {
        let announced = published(&self.dir).and_then(|holder| match holder {
            Some(holder) => self.publish(&StoreHolder {
                is_ending: true,
                ..holder
            }),
            None => Ok(()),
        });
        if let Err(error) = announced {
            tracing::warn!(%error, "other processes could not be told that the store is being closed");
        }
    }

    fn withdraw(&self) -> io::Result<()> {
        match fs::remove_file(address_path(&self.dir)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Whoever claims the directory next tries again.
        let _ = self.withdraw();
    }
}

/// Returns the address that the directory's holder has left, if any.
pub fn published(dir: &Path) -> io::Result<Option<StoreHolder>> {
    match fs::read(address_path(dir)) {
        Ok(content) => Ok(Some(serde_json::from_slice(&content)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn address_path(dir: &Path) -> PathBuf {
    dir.join("holder.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder() -> StoreHolder {
        StoreHolder {
            base_url: "http://127.0.0.1:9/".parse().unwrap(),
            token: ServiceToken::Given,
            is_ending: false,
        }
    }

    #[test]
    fn one_process_at_a_time_has_the_directory() {
        let dir = tempfile::tempdir().unwrap();
        let claim = Claim::try_take(dir.path()).unwrap().unwrap();
        assert!(Claim::try_take(dir.path()).unwrap().is_none());
        drop(claim);
        assert!(Claim::try_take(dir.path()).unwrap().is_some());
    }

    #[test]
    fn the_address_is_private_and_goes_with_the_claim() {
        let dir = tempfile::tempdir().unwrap();
        let claim = Claim::try_take(dir.path()).unwrap().unwrap();
        claim.publish(&holder()).unwrap();
        assert_eq!(published(dir.path()).unwrap(), Some(holder()));
        claim.announce_end();
        assert_eq!(
            published(dir.path()).unwrap(),
            Some(StoreHolder {
                is_ending: true,
                ..holder()
            })
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(address_path(dir.path()))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        drop(claim);
        assert!(published(dir.path()).unwrap().is_none());
    }

    #[test]
    fn an_address_left_by_a_killed_holder_is_gone_when_the_directory_is_claimed() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(address_path(dir.path()), "left").unwrap();
        let _claim = Claim::wait(dir.path()).unwrap();
        assert!(published(dir.path()).unwrap().is_none());
    }
}
