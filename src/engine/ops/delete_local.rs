//! Deletes a local file that has not changed since that was decided, and the folders that this
//! leaves empty.

use std::fs;
use std::io;
use std::path::Path;

use super::local_place::blocking;
use crate::api::Error;
use crate::engine::seen_state::{LocalState, changed_since};

/// Deletes the file at `path`, unless it is a link, no file, or not in `state`; then empty folders
/// up to `up_to`.
pub async fn delete_local(
    path: &Path,
    state: LocalState,
    up_to: Option<&Path>,
) -> Result<(), Error> {
    let (path, up_to) = (path.to_owned(), up_to.map(Path::to_owned));
    blocking(move || {
        let failed =
            |error: io::Error| Error::local(&format!("Cannot delete {}", path.display()), &error);
        fs::symlink_metadata(&path).map_err(failed)?;
        if !state.is_at(&path) {
            return Err(changed_since(&path.to_string_lossy()));
        }
        fs::remove_file(&path).map_err(failed)?;
        if let Some(up_to) = up_to {
            let inside = path
                .ancestors()
                .skip(1)
                .take_while(|folder| folder.starts_with(&up_to));
            // The first one that is not empty stays, and so do those above it.
            let _ = inside.map(fs::remove_dir).take_while(Result::is_ok).count();
        }
        Ok(())
    })
    .await?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_goes_with_folders_that_are_empty_then_and_stays_where_it_was_changed() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, file) = (dir.path().join("a/b"), dir.path().join("a/b/c.txt"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(&file, "c").unwrap();
        let state = LocalState::of(&fs::metadata(&file).unwrap());
        for other in [
            LocalState { size: 2, ..state },
            LocalState {
                modified: None,
                ..state
            },
        ] {
            let error = delete_local(&file, other, None).await.unwrap_err();
            assert!(error.message.contains("has changed"), "{error}");
            assert!(file.exists());
        }
        delete_local(&file, state, Some(&dir.path().join("a")))
            .await
            .unwrap();
        assert!(!dir.path().join("a").exists() && dir.path().exists());
        assert!(delete_local(&file, state, None).await.is_err());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_link_in_its_place_stays() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.txt"), "a").unwrap();
        let state = LocalState::of(&fs::metadata(dir.path().join("a.txt")).unwrap());
        std::os::unix::fs::symlink("a.txt", dir.path().join("b.txt")).unwrap();
        assert!(
            delete_local(&dir.path().join("b.txt"), state, None)
                .await
                .is_err()
        );
        assert!(dir.path().join("b.txt").exists() && dir.path().join("a.txt").exists());
    }
}
