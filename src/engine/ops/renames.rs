//! Finds renames on this machine: files that are gone, each with the bytes of one that appeared.
//! Only bytes prove it, and without a memory of what was here only bytes that no other file has.

use std::collections::{BTreeMap, BTreeSet};

use futures::stream::{self, StreamExt as _};

use super::md5_sum::Md5Sum;
use crate::engine::folder_comparison::{
    EntryHere, FolderComparison, Likeness, RemoteEntry, Rename,
};
use crate::engine::item::Item;
use crate::engine::name_form::composed;
use crate::engine::relocation::has_extension_of;
use crate::regular_file::Links;

const READ_AT_ONCE: usize = 8;

/// The size and checksum by which the bytes of a file are recognized.
type Content = (u64, Md5Sum);

struct Pairing<'a> {
    found: &'a FolderComparison,
    /// Files of the account that are gone here.
    gone: BTreeMap<String, Content>,
    /// Files that only this machine has.
    new: BTreeMap<String, Content>,
    /// The files and folders that were paired, by both of their paths.
    paired: BTreeSet<String>,
}

/// The files of the account that may have been renamed here.
#[derive(Debug, Clone, Copy)]
pub enum Gone<'a> {
    /// Those that this machine had before.
    Known(&'a BTreeSet<String>),
    /// Those that only the account has, if the file is not empty and the only one with its bytes
    /// among them, and one new file has these bytes.
    Unique,
}

/// Moves renames within a comparison from its entries to `renames`. A folder is renamed if
/// everything that the account has in it was.
pub async fn take(found: &mut FolderComparison, gone: Gone<'_>) {
    let is_unique = matches!(gone, Gone::Unique);
    let known: BTreeSet<_> = match gone {
        Gone::Known(paths) => paths.iter().map(|path| composed(path)).collect(),
        Gone::Unique => BTreeSet::new(),
    };
    let contents = found
        .entries
        .iter()
        .filter(|(_, entry)| !entry.is_folder && entry.likeness == Likeness::OnlyThere)
        .filter(|(path, _)| is_unique || known.contains(&composed(path)))
        .filter_map(|(path, entry)| {
            let Item { size, md5, .. } = &entry.there.as_ref()?.item;
            let md5 = Md5Sum::from_hex(md5.as_deref()?)?;
            Some((path.clone(), ((*size)?, md5)))
        });
    let mut gone: BTreeMap<String, Content> = contents.collect();
    if is_unique {
        keep_unique(&mut gone);
    }
    if gone.is_empty() {
        return;
    }
    let mut new = contents_of_new(found, &gone).await;
    if is_unique {
        keep_unique(&mut new);
    }
    let mut renames = Vec::new();
    let mut pairing = Pairing {
        found,
        gone,
        new,
        paired: BTreeSet::new(),
    };
    let holding = found.holding();
    for (path, entry) in &found.entries {
        if let Some(RemoteEntry { item, .. }) = &entry.there
            && entry.is_folder
            && entry.likeness == Likeness::OnlyThere
            && !holding.contains(path.as_str())
            && let Some(to) = pairing.take_folder(path)
        {
            renames.push(Rename {
                item: item.clone(),
                from: path.clone(),
                to,
                is_folder: true,
            });
        }
    }
    pairing.take_files(&mut renames);
    let paired = pairing.paired;
    found.entries.retain(|path, _| !paired.contains(path));
    found.renames = renames;
}

/// Keeps the files that are not empty and whose bytes no other one of them has.
fn keep_unique(contents: &mut BTreeMap<String, Content>) {
    let mut counts: BTreeMap<Content, usize> = BTreeMap::new();
    for content in contents.values() {
        *counts.entry(*content).or_default() += 1;
    }
    contents.retain(|_, content| content.0 > 0 && counts.get(content) == Some(&1));
}

/// Reads the new files that have the size of a file that is gone.
async fn contents_of_new(
    found: &FolderComparison,
    gone: &BTreeMap<String, Content>,
) -> BTreeMap<String, Content> {
    let sizes: BTreeSet<u64> = gone.values().map(|(size, _)| *size).collect();
    let new = found
        .entries
        .iter()
        .filter(|(_, entry)| entry.likeness == Likeness::OnlyHere);
    let reads = new.filter_map(|(path, entry)| {
        let here = entry.here.as_ref()?;
        let size = here.size().filter(|size| sizes.contains(size))?;
        Some((path.clone(), here, size))
    });
    let reads = reads.map(async |(path, here, size)| {
        let own = match here {
            EntryHere::Disk(here) => Md5Sum::of_local(&here.local, Links::Refused).await.ok(),
            EntryHere::Account(_) => here.md5().and_then(Md5Sum::from_hex),
        };
        own.map(|own| (path, (size, own)))
    });
    let reads = stream::iter(reads).buffer_unordered(READ_AT_ONCE);
    reads.filter_map(async |read| read).collect().await
}

impl Pairing<'_> {
    /// Returns the path that a folder of the account, with everything in it, has now.
    fn take_folder(&mut self, path: &str) -> Option<String> {
        let names = self.found.below(path).filter_map(|(inner, entry)| {
            let name = below(inner, path)?;
            Some((name, entry.is_folder))
        });
        let (folders, inside): (Vec<_>, Vec<_>) = names.partition(|(_, is_folder)| *is_folder);
        let [folders, inside] = [folders, inside]
            .map(|names| names.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        let first = inside.first()?;
        let content = self.gone.get(&format!("{path}/{first}"))?;
        let ending = format!("/{first}");
        let candidates = self.new.iter().filter(|(_, new)| *new == content);
        let to = candidates
            .filter_map(|(file, _)| file.strip_suffix(&ending))
            .find(|to| {
                let is_same = |name: &&str| {
                    let gone = self.gone.get(&format!("{path}/{name}"));
                    gone.is_some() && gone == self.new.get(&format!("{to}/{name}"))
                };
                let is_there = |name: &&str| self.found.is_new_folder(&format!("{to}/{name}"));
                self.found.is_new_folder(to)
                    && !self.is_begun(to)
                    && inside.iter().all(is_same)
                    && folders.iter().all(is_there)
            });
        let to = to?.to_owned();
        for name in inside {
            let (from, to) = (format!("{path}/{name}"), format!("{to}/{name}"));
            self.gone.remove(&from);
            self.new.remove(&to);
            self.paired.extend([from, to]);
        }
        for name in folders {
            self.paired
                .extend([format!("{path}/{name}"), format!("{to}/{name}")]);
        }
        self.paired.extend([path.to_owned(), to.clone()]);
        Some(to)
    }

    /// Returns `true` if another rename creates this folder: no second one can take its path.
    fn is_begun(&self, folder: &str) -> bool {
        self.paired
            .iter()
            .any(|paired| paired == folder || below(paired, folder).is_some())
    }

    fn take_files(&mut self, renames: &mut Vec<Rename>) {
        let mut by_content: BTreeMap<Content, Vec<String>> = BTreeMap::new();
        for (path, content) in std::mem::take(&mut self.gone) {
            by_content.entry(content).or_default().push(path);
        }
        for is_by_name in [true, false] {
            for (to, content) in std::mem::take(&mut self.new) {
                let fits = |from: &String| {
                    if is_by_name {
                        name(from) == name(&to)
                    } else {
                        has_extension_of(name(&to), name(from))
                    }
                };
                let gone = by_content.get_mut(&content);
                let from =
                    gone.and_then(|gone| gone.iter().position(fits).map(|at| gone.swap_remove(at)));
                let entry = from.as_ref().and_then(|from| self.found.entries.get(from));
                match (from, entry.and_then(|entry| entry.there.as_ref())) {
                    (Some(from), Some(there)) => {
                        self.paired.extend([from.clone(), to.clone()]);
                        renames.push(Rename {
                            item: there.item.clone(),
                            from,
                            to,
                            is_folder: false,
                        });
                    }
                    _ => drop(self.new.insert(to, content)),
                }
            }
        }
    }
}

fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rstest::rstest;

    use super::*;
    use crate::api::ids::FolderId;
    use crate::api::model::File;
    use crate::engine::item::Target;
    use crate::engine::ops::compare_trees::compare;
    use crate::engine::ops::local_tree;
    use crate::engine::ops::remote_side::RemoteSide;
    use crate::engine::ops::tree_here::TreeHere;
    use crate::engine::tree_filter::TreeFilter;

    /// Returns the renames from `before`, which the account still has, to `now` as `from > to`. A
    /// path that ends with a slash is a folder; others have their content after an equals sign.
    async fn renames(
        before: &[&str],
        now: &[&str],
        is_known: bool,
    ) -> (Vec<String>, FolderComparison) {
        let dir = tempfile::tempdir().unwrap();
        for entry in now {
            let path = dir.path().join(entry.split('=').next().unwrap());
            fs::create_dir_all(if entry.ends_with('/') {
                &path
            } else {
                path.parent().unwrap()
            })
            .unwrap();
            if let Some((_, content)) = entry.split_once('=') {
                fs::write(path, content).unwrap();
            }
        }
        let (here, there) = (
            local_tree::read(dir.path(), &TreeFilter::default())
                .await
                .unwrap(),
            remote(before),
        );
        let mut found = compare(TreeHere::Disk(&here), &there).await;
        let gone: BTreeSet<String> = there
            .files
            .keys()
            .filter(|path| !here.files.contains_key(*path))
            .cloned()
            .collect();
        let gone = if is_known {
            Gone::Known(&gone)
        } else {
            Gone::Unique
        };
        take(&mut found, gone).await;
        let mut shown: Vec<String> = found
            .renames
            .iter()
            .map(
                |Rename {
                     from,
                     to,
                     is_folder,
                     ..
                 }| {
                    let slash = if *is_folder { "/" } else { "" };
                    format!("{from}{slash} > {to}{slash}")
                },
            )
            .collect();
        shown.sort();
        (shown, found)
    }

    fn remote(entries: &[&str]) -> RemoteSide {
        let mut side = RemoteSide::default();
        for entry in entries {
            for (at, _) in entry.match_indices('/') {
                let path = entry.split_at(at).0.to_owned();
                let item = Item {
                    target: Target::Folder(FolderId::new(path.as_str())),
                    path: format!("/{path}"),
                    name: name(&path).to_owned(),
                    size: None,
                    md5: None,
                };
                side.folders.insert(path, item);
            }
            if let Some((path, content)) = entry.split_once('=') {
                side.files.insert(path.to_owned(), file(path, content));
            }
        }
        side
    }

    fn file(path: &str, content: &str) -> File {
        use md5::{Digest as _, Md5};
        let md5 = hex::encode(Md5::digest(content));
        let (stem, extension) = name(path).rsplit_once('.').unwrap_or((name(path), ""));
        serde_json::from_value(serde_json::json!({
            "id": path, "name": stem, "extension": extension, "path": format!("/{path}"), "size": content.len(), "fileMd5": md5,
        }))
        .unwrap()
    }

    #[rstest]
    #[case::a_file(&["a.txt=1"], &["b.txt=1"], &["a.txt > b.txt"])]
    #[case::other_bytes(&["a.txt=1"], &["b.txt=2"], &[])]
    #[case::another_extension(&["a.txt=1"], &["a.md=1"], &[])]
    #[case::a_copy(&["a.txt=1"], &["a.txt=1", "b.txt=1"], &[])]
    #[case::the_one_of_the_same_name(&["a/x.txt=1", "b/y.txt=1", "c/"], &["c/y.txt=1"], &["b/y.txt > c/y.txt"])]
    #[case::each_once(&["a.txt=1"], &["b.txt=1", "c.txt=1"], &["a.txt > b.txt"])]
    #[case::a_folder(&["a/x.txt=1", "a/b/y.txt=2"], &["c/x.txt=1", "c/b/y.txt=2"], &["a/ > c/"])]
    #[case::a_folder_and_more(&["a/x.txt=1"], &["c/x.txt=1", "c/new.txt=2"], &["a/ > c/"])]
    #[case::into_a_new_folder(&["a/x.txt=1"], &["new/a/x.txt=1"], &["a/ > new/a/"])]
    #[case::an_inner_folder(&["a/b/x.txt=1", "a/y.txt=2"], &["a/c/x.txt=1", "a/y.txt=2"], &["a/b/ > a/c/"])]
    #[case::two_folders_into_one(
        &["a/x.txt=1", "b/y.txt=2"], &["c/x.txt=1", "c/y.txt=2"], &["a/ > c/", "b/y.txt > c/y.txt"]
    )]
    #[case::around_one_that_was_moved(
        &["a/x.txt=1", "b/y.txt=2"], &["c/d/x.txt=1", "c/y.txt=2"], &["a/ > c/d/", "b/y.txt > c/y.txt"]
    )]
    #[case::a_changed_file_in_it(&["a/x.txt=1", "a/y.txt=2"], &["c/x.txt=1", "c/y.txt=3"], &["a/x.txt > c/x.txt"])]
    #[case::an_empty_folder_less(&["a/x.txt=1", "a/none/"], &["c/x.txt=1"], &["a/x.txt > c/x.txt"])]
    #[case::into_a_folder_that_is_there(&["a/x.txt=1", "c/"], &["c/x.txt=1"], &["a/x.txt > c/x.txt"])]
    #[tokio::test]
    async fn bytes_prove_what_was_renamed(
        #[case] before: &[&str],
        #[case] now: &[&str],
        #[case] expected: &[&str],
    ) {
        assert_eq!(renames(before, now, true).await.0, expected);
    }

    #[rstest]
    #[case::a_file(&["a.txt=1"], &["b.txt=1"], &["a.txt > b.txt"])]
    #[case::two_new_ones(&["a.txt=1"], &["b.txt=1", "c.txt=1"], &[])]
    #[case::two_gone_ones(&["a.txt=1", "b.txt=1"], &["c.txt=1"], &[])]
    #[case::two_of_each(&["a/x.txt=1", "b/y.txt=1"], &["c/x.txt=1", "c/y.txt=1"], &[])]
    #[case::empty(&["a.txt="], &["b.txt="], &[])]
    #[case::a_folder(&["a/x.txt=1", "a/b/y.txt=2"], &["c/x.txt=1", "c/b/y.txt=2"], &["a/ > c/"])]
    #[case::a_folder_with_a_copy(&["a/x.txt=1", "a/y.txt=1", "a/z.txt=2"], &["c/x.txt=1", "c/y.txt=1", "c/z.txt=2"], &["a/z.txt > c/z.txt"])]
    #[tokio::test]
    async fn without_a_memory_only_bytes_of_their_own_prove_it(
        #[case] there: &[&str],
        #[case] here: &[&str],
        #[case] expected: &[&str],
    ) {
        assert_eq!(renames(there, here, false).await.0, expected);
    }

    #[tokio::test]
    async fn what_came_along_is_neither_new_nor_gone() {
        let (_, found) = renames(
            &["a/x.txt=1", "a/none/"],
            &["c/x.txt=1", "c/none/", "c/new.txt=2"],
            true,
        )
        .await;
        let left: Vec<_> = found.entries.keys().collect();
        assert_eq!(left, ["c/new.txt"]);
    }
}
