//! The folders above a path whose names are separated by slashes, and what lies in them.

/// Returns the paths of the folders above a path, outermost first, without the top, which has no
/// name.
pub fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}

/// Returns `true` for a folder itself, and for anything in it at any depth.
pub fn lies_in(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
