//! Paths of a tree, each with everything below it, and lookups of them in maps by path.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::ancestors::ancestors;

/// Paths, none of which lies in another one; the empty path is the whole tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope(BTreeSet<String>);

impl Scope {
    /// Creates a scope of these paths; one that lies in another one is covered by it.
    pub fn of(paths: impl IntoIterator<Item = String>) -> Self {
        let paths: BTreeSet<String> = paths.into_iter().collect();
        let is_inside = |path: &str| {
            let mut above = ancestors(path);
            above.any(|above| paths.contains(above)) || (!path.is_empty() && paths.contains(""))
        };
        Self(
            paths
                .iter()
                .filter(|path| !is_inside(path))
                .cloned()
                .collect(),
        )
    }

    pub fn whole() -> Self {
        Self([String::new()].into())
    }

    pub fn paths(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }

    /// Returns `true` if a path lies in the scope.
    pub fn holds(&self, path: &str) -> bool {
        let mut above = ancestors(path).chain([path, ""]);
        above.any(|path| self.0.contains(path))
    }

    /// Returns the entries of a map that lie in the scope. The cost grows with their number, not
    /// with that of the map.
    pub fn within<'a, V>(
        &'a self,
        map: &'a BTreeMap<String, V>,
    ) -> impl Iterator<Item = (&'a String, &'a V)> {
        self.0.iter().flat_map(|path| at_and_below(map, path))
    }

    /// Returns the paths of a set that lie in the scope.
    pub fn paths_within<'a>(
        &'a self,
        set: &'a BTreeSet<String>,
    ) -> impl Iterator<Item = &'a String> {
        self.0.iter().flat_map(|path| {
            let (from, to) = bounds(path);
            set.get(path).into_iter().chain(set.range(from..to))
        })
    }

    /// Removes the entries that lie in the scope from a map, and returns them.
    pub fn take<V>(&self, map: &mut BTreeMap<String, V>) -> BTreeMap<String, V> {
        let keys: Vec<String> = self.within(map).map(|(path, _)| path.clone()).collect();
        keys.into_iter()
            .filter_map(|path| map.remove_entry(&path))
            .collect()
    }

    pub fn take_paths(&self, set: &mut BTreeSet<String>) {
        let paths: Vec<String> = self.paths_within(set).cloned().collect();
        for path in paths {
            set.remove(&path);
        }
    }
}

fn at_and_below<'a, V>(
    map: &'a BTreeMap<String, V>,
    path: &str,
) -> impl Iterator<Item = (&'a String, &'a V)> {
    let (from, to) = bounds(path);
    map.get_key_value(path)
        .into_iter()
        .chain(map.range(from..to))
}

/// Returns the strings between which everything below a path sorts: `0` follows the slash.
fn bounds(path: &str) -> (String, String) {
    if path.is_empty() {
        // No name has the last of all characters in it, so none sorts behind it.
        return ("\0".to_owned(), char::MAX.to_string());
    }
    (format!("{path}/"), format!("{path}0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(paths: &[&str]) -> BTreeSet<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    #[test]
    fn a_path_stands_for_all_below_it_and_for_no_neighbor() {
        let scope = Scope::of(set(&["a", "a/b", "a/b/c", "d/e"]));
        assert_eq!(scope, Scope::of(set(&["a", "d/e"])));
        let all = set(&["a", "a!", "a.txt", "a/b", "a/b/c", "a0", "d", "d/e", "d/f"]);
        assert_eq!(
            scope.paths_within(&all).collect::<Vec<_>>(),
            ["a", "a/b", "a/b/c", "d/e"]
        );
        assert!(scope.holds("a/b/x") && !scope.holds("a.txt") && !scope.holds("d"));
        assert_eq!(Scope::whole().paths_within(&all).count(), all.len());
    }

    #[test]
    fn what_is_taken_is_gone() {
        let mut map: BTreeMap<String, u8> =
            set(&["a/b", "a/c", "d"]).into_iter().zip(0..).collect();
        let taken = Scope::of(set(&["a"])).take(&mut map);
        assert_eq!((taken.len(), map.len()), (2, 1));
        assert_eq!(Scope::of(set(&["", "a"])), Scope::whole());
    }
}
