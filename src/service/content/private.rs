//! Permissions of the parts of a store, which are only for its owner. They are tightened if
//! necessary, never loosened.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

pub(crate) fn file_options() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "modes are of Unix"))]
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Builds folders that only their owner can use, and their missing parents.
pub(crate) fn folder_builder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Removes the permissions of group and others, except on a missing file or that of another user.
#[cfg(unix)]
pub(crate) fn tighten(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    let metadata = match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    let Some(mode) = open_mode(&metadata) else {
        return Ok(());
    };
    match std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o7700)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            tracing::warn!(path = %path.display(), mode = format_args!("{mode:04o}"), "others can use this, and it is not ours to close");
            Ok(())
        }
        changed => changed,
    }
}

/// Returns the mode if group or others have any permission.
#[cfg(unix)]
pub(crate) fn open_mode(metadata: &std::fs::Metadata) -> Option<u32> {
    let mode = std::os::unix::fs::MetadataExt::mode(metadata) & 0o7777;
    (mode & 0o077 != 0).then_some(mode)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(crate) fn tighten(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn open_mode(_: &std::fs::Metadata) -> Option<u32> {
    None
}
