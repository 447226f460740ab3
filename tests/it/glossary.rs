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

/// The layers whose comments and variables follow the rules of `CONTRIBUTING.md#english`.
const LAYERS_DONE: [&str; 1] = ["src/tui"];

/// Words that name neither a type nor a role.
const NO_NAMES: [&str; 6] = ["told", "said", "look", "take", "one", "way"];

#[derive(Default)]
struct Names {
    types: BTreeMap<String, Vec<String>>,
    words: BTreeMap<String, String>,
    /// The variables and functions, with their files.
    variables: BTreeSet<(String, String)>,
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

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.variables
            .insert((pattern.ident.to_string(), self.file.clone()));
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.variables
            .insert((signature.ident.to_string(), self.file.clone()));
        visit::visit_signature(self, signature);
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        for word in words(&ident.to_string()) {
            self.words
                .entry(word)
                .or_insert_with(|| format!("{ident} in {}", self.file));
        }
    }
}

/// The words of an identifier: `folder_size`, `FolderSize` and `FOLDER_SIZE` are all "folder" and
/// "size".
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lowercase = false;
    for c in identifier.chars() {
        if c == '_' || (c.is_uppercase() && was_lowercase) {
            words.push(String::new());
        }
        was_lowercase = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// Returns `true` if a word is a form of a term: `weighed` and `weight` of `weigh`.
fn is_form(word: &str, term: &str) -> bool {
    const ENDINGS: [&str; 9] = ["", "s", "es", "ed", "t", "ts", "ing", "er", "ers"];
    word.strip_prefix(term)
        .is_some_and(|ending| ENDINGS.contains(&ending))
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
    let used: Vec<_> = names
        .words
        .iter()
        .filter(|(word, _)| given_up.iter().any(|term| is_form(word, term)))
        .collect();
    assert!(used.is_empty(), "{used:#?}");
}

#[test]
fn variables_are_named_after_their_type_or_role() {
    let variables = names().variables;
    let is_done = |file: &str| LAYERS_DONE.iter().any(|layer| file.starts_with(layer));
    let unnamed: Vec<_> = variables
        .iter()
        .filter(|(name, file)| NO_NAMES.contains(&name.as_str()) && is_done(file))
        .collect();
    assert!(unnamed.is_empty(), "{unnamed:#?}");
}

#[test]
fn comments_use_no_term_that_was_given_up_and_open_with_a_noun_or_a_verb() {
    let (_, part) = GLOSSARY.split_once("## Not used").unwrap();
    let given_up: Vec<&str> = rows(part).skip(1).map(|row| row[0]).collect();
    let mut wrong = Vec::new();
    for layer in LAYERS_DONE {
        comments(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(layer),
            &mut |opens, line| {
                let mut words = line.split(|c: char| !c.is_alphanumeric());
                let is_clause = opens && (line.starts_with("What") || line.starts_with("Whether"));
                if is_clause || words.any(|word| given_up.contains(&word.to_lowercase().as_str())) {
                    wrong.push(line.to_owned());
                }
            },
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Calls `check` with each line of each comment, and with `true` for the first line of a comment.
fn comments(folder: &Path, check: &mut impl FnMut(bool, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            comments(&path, check);
            continue;
        }
        let mut opens = true;
        for line in fs::read_to_string(&path).unwrap().lines() {
            let comment = line.trim_start().strip_prefix("//");
            if let Some(comment) = comment {
                check(opens, comment.trim_start_matches(['/', '!']).trim());
            }
            opens = comment.is_none();
        }
    }
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
