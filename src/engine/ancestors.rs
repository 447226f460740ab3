//! The folders above a path whose names are separated by slashes.

/// Returns the paths of the folders above a path, outermost first, without the top, which has no
/// name.
pub(super) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}
