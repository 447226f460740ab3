//! The glossary against the sources: its types exist, its old terms are gone, and types with the
//! same name are listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

const GLOSSARY: &str = include_str!("../../docs/glossary.md");

/// Names that several types share: arguments of a command are always written with their module, and
/// each system or build has only one of the others.
const SHARED: [&str; 3] = ["Args", "Keyring", "SignalSource"];

#[derive(Default)]
struct Names {
    types: BTreeMap<String, Vec<String>>,
    words: BTreeMap<String, String>,
    file: String,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let name = match item {
            syn::Item::Struct(item) => Some(&item.ident),
            syn::Item::Enum(item) => Some(&item.ident),
            syn::Item::Trait(item) => Some(&item.ident),
            syn::Item::Type(item) => Some(&item.ident),
            syn::Item::Mod(item) if item.ident == "tests" => return,
            syn::Item::Macro(item) => {
                let tokens = item.mac.tokens.to_string();
                let defined = tokens
                    .split("pub enum ")
                    .skip(1)
                    .filter_map(|text| text.split_whitespace().next());
                defined.for_each(|name| {
                    self.types
                        .entry(name.to_owned())
                        .or_default()
                        .push(self.file.clone());
                });
                None
            }
            _ => None,
        };
        if let Some(name) = name {
            self.types
                .entry(name.to_string())
                .or_default()
                .push(self.file.clone());
        }
        visit::visit_item(self, item);
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        for word in words(&ident.to_string()) {
            self.words
                .entry(word)
                .or_insert_with(|| format!("{ident} in {}", self.file));
        }
    }
}

/// The words of an identifier: `folder_size` and `FolderSize` are both "folder" and "size".
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in identifier.chars() {
        if c == '_' || (c.is_uppercase() && words.last().is_some_and(|word| !word.is_empty())) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    words
}

fn names() -> Names {
    let mut names = Names::default();
    read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut names,
    );
    names
}

fn read(folder: &Path, names: &mut Names) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            names.file = path
                .strip_prefix(env!("CARGO_MANIFEST_DIR"))
                .unwrap()
                .to_string_lossy()
                .into_owned();
            names.visit_file(&syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap());
        }
    }
}

fn rows(part: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = part
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("|---"));
    lines.map(|line| line.trim_matches(['|', ' ']).split(" | ").collect())
}

#[test]
fn every_type_of_the_glossary_exists() {
    let names = names();
    let quoted = GLOSSARY.split('`').skip(1).step_by(2);
    let missing: Vec<_> = quoted
        .filter(|name| {
            name.starts_with(|c: char| c.is_uppercase()) && !names.types.contains_key(*name)
        })
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn no_identifier_uses_a_term_that_was_given_up() {
    let names = names();
    let (_, part) = GLOSSARY.split_once("## Not used").unwrap();
    let given_up: Vec<&str> = rows(part).skip(1).map(|row| row[0]).collect();
    assert!(given_up.len() > 8, "{given_up:?}");
    let used: Vec<_> = given_up
        .iter()
        .filter_map(|term| names.words.get(*term))
        .collect();
    assert!(used.is_empty(), "{used:#?}");
}

#[test]
fn no_two_types_have_one_name_unless_their_module_is_always_written() {
    let shared: BTreeMap<_, _> = names()
        .types
        .into_iter()
        .filter(|(_, files)| files.len() > 1)
        .collect();
    let expected: BTreeSet<String> = SHARED.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(
        shared.keys().cloned().collect::<BTreeSet<_>>(),
        expected,
        "{shared:#?}"
    );
}
