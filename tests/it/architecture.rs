//! The layer table of ARCHITECTURE.md, held against the sources: who imports whom, no circles, files that say what they are.
#![expect(clippy::string_slice, reason = "the sources are sliced where a name or a brace was found")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;

/// A layer, the layers and modules that it may import, and the words that must not occur in it.
const LAYERS: [(&str, &[&str], &[&str]); 9] = [
    ("regular_file", &[], &["ratatui", "reqwest", "crossterm"]),
    ("signals", &[], &["ratatui", "reqwest", "crossterm"]),
    ("pictures", &[], &["tokio", "ratatui", "reqwest", "crossterm"]),
    ("config", &[], &["ratatui", "reqwest", "crossterm"]),
    ("api", &["regular_file"], &["tokio::spawn", "ratatui", "crossterm", "sqlx", "axum"]),
    ("engine", &["api", "pictures", "regular_file"], &["crossterm", "ratatui", "axum"]),
    ("service", &["api::model", "api::ids", "api::text", "pictures", "regular_file"], &["ratatui", "crossterm"]),
    (
        "tui",
        &["engine", "api", "config", "signals", "regular_file"],
        &["reqwest", "println!", "api::client", "api::Client", "sqlx", "axum"],
    ),
    ("cli", &["config", "api", "engine", "service", "tui", "signals", "pictures"], &["sqlx", "axum"]),
];

/// A room of the service, and the rooms below it that it may import. `policy` and `clock` are for all.
const ROOMS: [(&str, &[&str]); 13] = [
    ("domain", &[]),
    ("crm", &[]),
    ("fetch", &[]),
    ("content", &[]),
    ("store", &["content", "crm", "domain"]),
    ("reconcile", &["content", "store"]),
    ("maintenance", &["content", "domain", "ingest", "reconcile", "store"]),
    ("access", &["content", "store"]),
    ("answer", &["access", "content", "domain", "store"]),
    ("state", &["access", "answer", "content", "store"]),
    ("ingest", &["answer", "content", "domain", "state", "store"]),
    ("jobs", &["answer", "content", "domain", "fetch", "ingest", "state", "store"]),
    ("http", &["access", "answer", "content", "crm", "domain", "fetch", "ingest", "jobs", "state", "store"]),
];

/// Words of what another backend would replace, and the modules that may hold them.
const SEAMS: [(&[&str], &[&str]); 2] = [
    (&["sqlx", "Sqlite"], &["service::store", "engine::journal"]),
    (
        &["std::fs", "tokio::fs", "rustix::fs"],
        &["service::content", "service::maintenance", "service::store", "service::access::credentials"],
    ),
];

struct Source {
    /// `engine::ops::list` for `src/engine/ops/list.rs`.
    module: String,
    path: PathBuf,
    /// Without comments and without the inline test module.
    code: String,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    assert!(found.len() > 20, "the sources were not found under {}", root.display());
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let code = shipped
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .fold(String::new(), |code, line| code + line + "\n");
            let relative = path.strip_prefix(root).unwrap().with_extension("");
            let module = relative.to_str().unwrap().replace('/', "::");
            found.push(Source { module, path, code, text });
        }
    }
}

/// Every `crate::…` path and every top-level `use super::…` in the code, braces unfolded, as paths from the crate's root.
fn imports(source: &Source) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (start, prefix) in [("crate::", String::new()), ("\nuse super::", parent(&source.module))] {
        for (at, _) in source.code.match_indices(start) {
            let before = source.code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let mut prefix = prefix.clone();
            let mut rest = &source.code[at + start.len()..];
            while let Some(further) = rest.strip_prefix("super::") {
                prefix = parent(&prefix);
                rest = further;
            }
            unfold(&prefix, rest, &mut found);
        }
    }
    found
}

fn parent(module: &str) -> String {
    module.rsplit_once("::").map_or(String::new(), |(parent, _)| parent.to_owned())
}

/// Adds the paths that `text` begins with below `prefix`; gives how many bytes it read.
fn unfold(prefix: &str, text: &str, found: &mut BTreeSet<String>) -> usize {
    let join = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}::{name}") };
    if text.starts_with('{') {
        let mut at = 1;
        while let Some(c) = text[at..].chars().next() {
            match c {
                '}' => return at + 1,
                c if c.is_whitespace() || c == ',' => at += c.len_utf8(),
                _ => at += unfold(prefix, &text[at..], found).max(1),
            }
        }
        return at;
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let name = &text[..end];
    match text[end..].strip_prefix("::") {
        Some(rest) if rest.starts_with('{') || rest.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
            end + 2 + unfold(&join(name), rest, found)
        }
        _ => {
            found.insert(if name == "self" { prefix.to_owned() } else { join(name) });
            end
        }
    }
}

/// The file that an imported path leads to: the longest prefix that is a module of its own.
fn target<'a>(path: &'a str, modules: &BTreeMap<String, &Source>) -> Option<&'a str> {
    let mut path = path;
    loop {
        if modules.contains_key(path) {
            return Some(path);
        }
        path = path.rsplit_once("::")?.0;
    }
}

#[rstest]
fn layers_import_only_what_the_table_allows(#[values(0, 1, 2, 3, 4, 5, 6, 7, 8)] row: usize) {
    let (layer, allowed, _) = LAYERS[row];
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| source.module.split("::").next() == Some(layer)) {
        for path in imports(source) {
            let first = path.split("::").next().unwrap_or_default();
            let is_other_layer = first != layer && LAYERS.iter().any(|(name, ..)| *name == first);
            let is_allowed =
                allowed.iter().any(|allowed| path == *allowed || path.starts_with(&format!("{allowed}::")));
            if is_other_layer && !is_allowed {
                wrong.push(format!("{} imports {path}", source.module));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[rstest]
fn layers_hold_no_word_that_is_another_layers_business(#[values(0, 1, 2, 3, 4, 5, 6, 7, 8)] row: usize) {
    let (layer, _, words) = LAYERS[row];
    for source in sources().iter().filter(|source| source.module.split("::").next() == Some(layer)) {
        for word in words {
            assert!(!source.code.contains(word), "{} holds {word}", source.module);
        }
    }
}

#[rstest]
fn rooms_of_the_service_import_only_what_lies_below_them(
    #[values(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)] row: usize,
) {
    let (room, below) = ROOMS[row];
    let at = format!("service::{room}");
    let is_in = |module: &str, at: &str| module == at || module.starts_with(&format!("{at}::"));
    let wrong: Vec<_> = sources()
        .iter()
        .filter(|source| is_in(&source.module, &at))
        .flat_map(|source| imports(source).into_iter().map(|path| format!("{} imports {path}", source.module)))
        .filter(|line| {
            let path = line.rsplit(' ').next().unwrap_or_default();
            let other = path.strip_prefix("service::").and_then(|path| path.split("::").next());
            other.is_some_and(|other| !["policy", "clock", room].contains(&other) && !below.contains(&other))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[rstest]
fn what_another_backend_would_replace_stands_behind_one_seam(#[values(0, 1)] row: usize) {
    let (words, homes) = SEAMS[row];
    for source in sources().iter().filter(|source| row == 0 || source.module.starts_with("service::")) {
        let is_home =
            homes.iter().any(|home| source.module == *home || source.module.starts_with(&format!("{home}::")));
        for word in words {
            assert!(is_home || !source.code.contains(word), "{} holds {word}", source.module);
        }
    }
}

#[test]
fn no_module_imports_from_a_parent_file_and_there_are_no_circles() {
    let sources = sources();
    let modules: BTreeMap<String, &Source> = sources.iter().map(|source| (source.module.clone(), source)).collect();
    let mut edges: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for source in &sources {
        let targets: BTreeSet<String> = imports(source)
            .iter()
            .filter_map(|path| target(path, &modules).map(str::to_owned))
            .filter(|module| *module != source.module)
            .collect();
        for module in &targets {
            assert!(
                !source.module.starts_with(&format!("{module}::")),
                "{} imports from its parent file {module}",
                source.module
            );
        }
        edges.insert(&source.module, targets);
    }
    // Take away, again and again, what imports nothing that is left and what nothing left imports: circles remain.
    loop {
        let before = edges.len();
        let left: BTreeSet<String> = edges.keys().map(|module| (*module).to_owned()).collect();
        let imported: BTreeSet<String> = edges.values().flatten().cloned().collect();
        edges.retain(|module, to| imported.contains(*module) && to.iter().any(|to| left.contains(to)));
        if edges.len() == before {
            break;
        }
    }
    assert!(edges.is_empty(), "modules in a circle: {edges:#?}");
}

#[test]
fn every_file_says_in_one_to_five_lines_what_lives_there() {
    for source in sources() {
        let lines = source.text.lines().take_while(|line| line.starts_with("//!")).count();
        let limit = if source.module == "api" || source.module == "lib" { 60 } else { 5 };
        assert!((1..=limit).contains(&lines), "{}: {lines} lines of `//!`", source.path.display());
    }
}

#[test]
fn files_stay_small_enough_to_hold_one_idea() {
    for source in sources() {
        let lines = source.text.split("#[cfg(test)]\nmod tests {").next().map_or(0, |text| text.lines().count());
        assert!(lines <= 420, "{} has {lines} lines without its tests", source.path.display());
    }
}
