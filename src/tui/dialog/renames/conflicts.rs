//! Checks of new names against each other, against the old ones, and against the rest of the
//! folder.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::model::FileUpdate;
use crate::api::text::visible;
use crate::engine::Job;
use crate::engine::message::Target;
use crate::tui::dialog::creation::check_name;
use crate::tui::dialog::edited_names::Named;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Renamed {
    pub(super) named: Named,
    pub(super) to: String,
    /// The reason why it is impossible, if it is; safe to show.
    pub(super) problem: Option<String>,
}

/// Returns the changed names: `names` are the new ones, in the order of `all`, and `taken` the
/// paths in use.
pub(super) fn renamed(all: &[Named], names: Vec<String>, taken: &BTreeSet<String>) -> Vec<Renamed> {
    let becomes: Vec<String> = all
        .iter()
        .zip(&names)
        .map(|(named, name)| named.path_as(name))
        .collect();
    let mut wanted: BTreeMap<&str, usize> = BTreeMap::new();
    for path in &becomes {
        *wanted.entry(path).or_default() += 1;
    }
    let changing = all
        .iter()
        .zip(&becomes)
        .filter(|(named, path)| named.item.path != **path);
    let leaving: BTreeSet<&str> = changing
        .map(|(named, _)| named.item.path.as_str())
        .collect();
    let problem = |named: &Named, name: &str, path: &str| {
        let extension = named.stem_of(name).is_none().then(|| {
            format!(
                "The extension .{} must stay: the service cannot change it.",
                visible(&named.extension)
            )
        });
        if name.trim().is_empty() {
            Some("The name is empty.".to_owned())
        } else if let Err(problem) = check_name(name) {
            Some(problem)
        } else if extension.is_some() {
            extension
        } else if wanted.get(path).is_some_and(|count| *count > 1) {
            Some("Two files would have this name.".to_owned())
        } else if leaving.contains(path) {
            // The queue guarantees no order, and a detour by a third name, if it were cut short,
            // would leave files under names that nobody chose, with their addresses changed twice.
            Some("Another file has this name now: rename that one first. To swap two names, use a third.".to_owned())
        } else if taken.contains(path) {
            Some("This name exists in the folder.".to_owned())
        } else {
            None
        }
    };
    let rows = all
        .iter()
        .zip(names)
        .zip(&becomes)
        .filter(|((named, name), _)| named.item.name != *name);
    rows.map(|((named, name), path)| {
        let problem = problem(named, &name, path);
        Renamed {
            named: named.clone(),
            to: name,
            problem,
        }
    })
    .collect()
}

impl Renamed {
    pub(super) fn job(&self) -> Job {
        let (item, name) = (&self.named.item, self.to.clone());
        match &item.target {
            Target::Folder(id) => Job::UpdateFolder {
                folder: id.clone(),
                from: item.path.clone(),
                name: Some(name),
                parent: None,
                seen: None,
            },
            Target::File(_) => {
                let stem = self.named.stem_of(&self.to).map_or(name, str::to_owned);
                let update = FileUpdate {
                    name: Some(stem),
                    ..FileUpdate::default()
                };
                Job::Change {
                    file: item.clone(),
                    update: Box::new(update),
                    seen: None,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::api::ids::FileId;
    use crate::engine::Item;

    fn named(name: &str) -> Named {
        let target = Target::File(FileId::new(name));
        let item = Item {
            target,
            path: format!("/in/{name}"),
            name: name.to_owned(),
            size: None,
            md5: None,
        };
        let extension = name.split_once('.').map_or("", |(_, extension)| extension);
        Named {
            item,
            extension: extension.to_owned(),
        }
    }

    /// Renames `a.png`, `b.png` and `README` while `c.png` exists, too.
    fn changed(names: [&str; 3]) -> Vec<(String, Option<String>)> {
        let all = ["a.png", "b.png", "README"].map(named);
        let taken = ["a.png", "b.png", "README", "c.png"].map(|name| format!("/in/{name}"));
        let rows = renamed(&all, names.map(str::to_owned).to_vec(), &taken.into());
        rows.into_iter().map(|row| (row.to, row.problem)).collect()
    }

    #[test]
    fn what_keeps_its_name_is_left_out_and_a_free_name_is_taken() {
        assert_eq!(
            changed(["x.png", "b.png", "README.md"]),
            [("x.png".to_owned(), None), ("README.md".to_owned(), None)]
        );
    }

    #[rstest]
    #[case::empty(["", "b.png", "README"], "The name is empty")]
    #[case::slash(["a/x.png", "b.png", "README"], "slash")]
    #[case::extension(["a.jpg", "b.png", "README"], "extension .png must stay")]
    #[case::no_stem([".png", "b.png", "README"], "extension .png must stay")]
    #[case::taken(["c.png", "b.png", "README"], "exists in the folder")]
    #[case::two_the_same(["x.png", "x.png", "README"], "Two files would have")]
    #[case::one_that_stays(["b.png", "b.png", "README"], "Two files would have")]
    #[case::swapped(["b.png", "a.png", "README"], "rename that one first")]
    #[case::in_a_row(["b.png", "x.png", "README"], "rename that one first")]
    fn clashes_are_found_before_anything_is_sent(#[case] names: [&str; 3], #[case] words: &str) {
        let problem = changed(names).remove(0).1.unwrap();
        assert!(problem.contains(words), "{problem}");
    }

    #[test]
    fn a_file_is_renamed_by_its_stem() {
        let row = Renamed {
            named: named("a.png"),
            to: "b.c.png".to_owned(),
            problem: None,
        };
        let Job::Change { update, .. } = row.job() else {
            panic!()
        };
        assert_eq!(update.name.as_deref(), Some("b.c"));
    }
}
