//! The folders above a path whose names are separated by slashes.

/// The paths of the folders above a path, the outermost first; the top, which has no name, is not among them.
pub(super) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}
