//! The layer table of ARCHITECTURE.md, held against the sources: who imports whom, no circles, files that say what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rstest::rstest;
use syn::visit::{self, Visit};

/// A layer, the layers and modules that it may import, and the words that must not occur in it.
const LAYERS: [(&str, &[&str], &[&str]); 13] = [
    ("connection_threads", &[], &["ratatui", "reqwest", "crossterm", "rusqlite", "axum"]),
    ("database_form", &[], &["tokio", "ratatui", "reqwest", "crossterm", "axum"]),
    ("drawing", &[], &["ratatui", "reqwest", "crossterm"]),
    ("regular_file", &[], &["ratatui", "reqwest", "crossterm"]),
    ("signals", &[], &["ratatui", "reqwest", "crossterm"]),
    ("tls", &[], &["ratatui", "reqwest", "crossterm"]),
    ("pictures", &[], &["tokio", "ratatui", "reqwest", "crossterm"]),
    ("config", &[], &["ratatui", "reqwest", "crossterm"]),
    ("api", &["regular_file", "tls"], &["tokio::spawn", "ratatui", "crossterm", "rusqlite", "axum"]),
    (
        "engine",
        &["api", "connection_threads", "database_form", "drawing", "pictures", "regular_file"],
        &["crossterm", "ratatui", "axum"],
    ),
    (
        "service",
        &[
            "api::model",
            "api::ids",
            "api::text",
            "connection_threads",
            "database_form",
            "pictures",
            "regular_file",
            "tls",
        ],
        &["ratatui", "crossterm"],
    ),
    (
        "tui",
        &["engine", "api", "config", "signals", "regular_file"],
        &["reqwest", "println!", "api::client", "api::Client", "rusqlite", "axum"],
    ),
    ("cli", &["config", "api", "engine", "service", "tui", "signals", "pictures", "drawing"], &["rusqlite", "axum"]),
];

/// The modules of a layer, and the modules of the same layer that each may import.
type Modules = &'static [(&'static str, &'static str)];

const MODULES: [(&str, Modules); 3] = [("engine", ENGINE), ("service", SERVICE), ("tui", TUI)];

const ENGINE: Modules = &[
    ("actor", "cancels handle message ops outbox parts progress_sink question queue running tools work"),
    ("batch", "item job wait"),
    ("cancels", "message"),
    ("collection", "item paging query"),
    ("deletion", "item"),
    ("folder_comparison", "item sync"),
    ("folder_size", "item"),
    ("handle", "cancels message question"),
    ("job", "item local_path sending"),
    ("journal", "batch completion_names deletion item job limits queue_view text_file"),
    ("message", "batch collection deletion folder_size item job paging plan question queue_view wait"),
    ("meter", "message progress_sink"),
    (
        "ops",
        "deletion folder_comparison folder_size item job journal limits local_entry message meter parts plan poll preview \
         progress_sink \
         query question relocation sending service_task sync text_file thumbnail_cache tree_filter typed_paths",
    ),
    ("outbox", "message progress_sink queue_view"),
    ("parts", "message plan"),
    ("plan", "item job sending"),
    ("preview", "item"),
    ("progress_sink", "message"),
    ("query", "item paging"),
    (
        "question",
        "batch collection deletion folder_comparison folder_size item job limits local_entry paging plan preview sending service_task \
         text_file typed_paths",
    ),
    ("queue", "batch deletion item job journal message ops outbox progress_sink question queue_view tools"),
    ("queue_view", "batch job"),
    ("relocation", "item job"),
    ("run", "batch handle job message question queue spawn"),
    ("running", "question"),
    ("sending", "item"),
    ("service_task", "batch item"),
    ("spawn", "actor cancels handle journal message outbox queue thumbnail_cache tools"),
    ("sync", "item job relocation sending"),
    ("sync_plan", "folder_comparison job plan sync"),
    ("text_file", "item"),
    ("thumbnail_cache", "preview"),
    ("tools", "journal ops thumbnail_cache"),
    ("work", "ops question queue"),
];

const SERVICE: Modules = &[
    ("access", "content store"),
    ("answer", "access content domain policy store"),
    ("content", "policy"),
    ("crm", "policy"),
    ("domain", "policy"),
    ("first_files", "answer server store"),
    ("http", "access answer clock content crm domain fetch ingest jobs policy state store"),
    ("ingest", "answer content domain policy state store"),
    ("jobs", "answer content domain fetch ingest policy state store"),
    ("maintenance", "content domain ingest policy reconcile store"),
    ("options", "access clock crm fetch http policy"),
    ("reconcile", "content store"),
    ("seed", "answer crm domain ingest state store"),
    ("server", "access answer content fetch http jobs options policy seed start_error startup state"),
    ("startup", "content policy reconcile start_error state store"),
    ("state", "access answer clock content store"),
    ("store", "content crm domain policy"),
    ("temporary", "fetch options server start_error"),
];

const TUI: Modules = &[
    ("app", "dialog input keymap message pictures state style terminal update view"),
    ("areas", "state"),
    ("denied_actions", "keymap"),
    ("dialog", "clocks denied_actions input keymap style terminal widget"),
    ("input", "keymap style"),
    ("message", "dialog input keymap state terminal"),
    ("pictures", "state style terminal view widget"),
    ("state", "clocks denied_actions dialog input keymap style widget"),
    ("terminal", "input"),
    ("update", "areas denied_actions dialog input keymap message state style terminal view widget wording"),
    ("view", "areas dialog keymap state style widget wording"),
    ("widget", "style"),
    ("wording", "keymap state widget"),
];

/// Words of what another backend would replace, and the modules that may hold them.
const SEAMS: [(&[&str], &[&str]); 2] = [
    (&["rusqlite", "refinery", "Sqlite"], &["database_form", "service::store", "engine::journal"]),
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
    /// The paths that it names, from the crate's root.
    imports: BTreeSet<String>,
}

fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(read_sources);
    &SOURCES
}

fn read_sources() -> Vec<Source> {
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
            let imports = Imports::of(&module, &text);
            found.push(Source { module, path, code, text, imports });
        }
    }
}

/// Collects the paths of a file that lead into this crate: imports, re-exports, and paths in code and in macros.
struct Imports {
    module: String,
    /// The modules declared in the file: their names are relative to it.
    children: BTreeSet<String>,
    found: BTreeSet<String>,
}

impl Imports {
    fn of(module: &str, text: &str) -> BTreeSet<String> {
        let file = syn::parse_file(text).unwrap();
        let children = file.items.iter().filter_map(|item| match item {
            syn::Item::Mod(child) => Some(child.ident.to_string()),
            _ => None,
        });
        let module = if ["lib", "main"].contains(&module) { "" } else { module };
        let mut imports = Self { module: module.to_owned(), children: children.collect(), found: BTreeSet::new() };
        imports.visit_file(&file);
        imports.found
    }

    fn add(&mut self, names: &[String]) {
        let Some((first, rest)) = names.split_first() else { return };
        let mut at = match first.as_str() {
            "crate" => String::new(),
            "self" => self.module.clone(),
            "super" => parent(&self.module),
            child if self.children.contains(child) => join(&self.module, child),
            _ => return,
        };
        for name in rest {
            at = match name.as_str() {
                "self" | "*" => at,
                "super" => parent(&at),
                name => join(&at, name),
            };
        }
        self.found.insert(at);
    }

    fn unfold(&mut self, names: &mut Vec<String>, tree: &syn::UseTree) {
        let name = match tree {
            syn::UseTree::Path(path) => path.ident.to_string(),
            syn::UseTree::Name(name) => name.ident.to_string(),
            syn::UseTree::Rename(rename) => rename.ident.to_string(),
            syn::UseTree::Glob(_) => "*".to_owned(),
            syn::UseTree::Group(group) => return group.items.iter().for_each(|tree| self.unfold(names, tree)),
        };
        names.push(name);
        match tree {
            syn::UseTree::Path(path) => self.unfold(names, &path.tree),
            _ => self.add(names),
        }
        names.pop();
    }
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        let is_test =
            |meta: &syn::Meta| matches!(meta, syn::Meta::List(list) if list.tokens.to_string().contains("test"));
        if !attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && is_test(&attribute.meta)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let within = join(&self.module, &item.ident.to_string());
        let outer = std::mem::replace(&mut self.module, within);
        visit::visit_item_mod(self, item);
        self.module = outer;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.unfold(&mut Vec::new(), &item.tree);
    }

    /// What is visible where is no import.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.add(&names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let text = call.tokens.to_string();
        let words: Vec<&str> = text.split_whitespace().collect();
        for at in 0..words.len() {
            let follows = at > 0 && words[at - 1] == "::";
            if !follows && words.get(at + 1) == Some(&"::") {
                let names = words[at..].chunks(2).take_while(|pair| is_name(pair[0]));
                let more = names.clone().take_while(|pair| pair.get(1) == Some(&"::")).count();
                let names: Vec<String> = names.take(more + 1).map(|pair| pair[0].to_owned()).collect();
                self.add(&names);
            }
        }
        visit::visit_macro(self, call);
    }
}

fn is_name(word: &str) -> bool {
    word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

fn parent(module: &str) -> String {
    module.rsplit_once("::").map_or(String::new(), |(parent, _)| parent.to_owned())
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

#[test]
fn layers_import_only_what_the_table_allows() {
    let mut wrong = Vec::new();
    for (layer, allowed, source) in
        LAYERS.iter().flat_map(|(layer, allowed, _)| sources_of(layer).map(move |source| (*layer, *allowed, source)))
    {
        for path in source.imports.clone() {
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

#[test]
fn layers_hold_no_word_that_is_another_layers_business() {
    for (layer, _, words) in LAYERS {
        for (source, word) in sources_of(layer).flat_map(|source| words.iter().map(move |word| (source, word))) {
            assert!(!source.code.contains(word), "{} holds {word}", source.module);
        }
    }
}

fn sources_of(layer: &str) -> impl Iterator<Item = &'static Source> {
    sources().iter().filter(move |source| source.module.split("::").next() == Some(layer))
}

#[rstest]
fn modules_import_only_what_the_table_of_their_layer_allows(#[values(0, 1, 2)] row: usize) {
    let (layer, modules) = MODULES[row];
    let mut used: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges().into_iter().flat_map(|(from, to)| to.into_iter().map(move |to| (from, to))) {
        if let (Some(from), Some(to)) = (module_of(layer, from), module_of(layer, to))
            && from != to
        {
            used.entry(from).or_default().insert(to);
        }
    }
    let listed: BTreeMap<&str, BTreeSet<&str>> =
        modules.iter().map(|(module, allowed)| (*module, allowed.split(' ').collect())).collect();
    assert_eq!(used, listed, "left: what modules of {layer} import; right: what the table has");
}

/// `journal` for `engine::journal::edits`, where the layer is `engine`.
fn module_of<'a>(layer: &str, module: &'a str) -> Option<&'a str> {
    module.strip_prefix(layer)?.strip_prefix("::")?.split("::").next()
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

/// The files that each file imports from.
fn edges() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let modules: BTreeMap<String, &Source> = sources().iter().map(|source| (source.module.clone(), source)).collect();
    let files: BTreeMap<&str, &'static str> =
        sources().iter().map(|source| (source.module.as_str(), source.module.as_str())).collect();
    let to = |source: &Source| {
        let targets = source.imports.iter().filter_map(|path| target(path, &modules).and_then(|path| files.get(path)));
        targets.copied().filter(|module| *module != source.module).collect()
    };
    sources().iter().map(|source| (source.module.as_str(), to(source))).collect()
}

#[test]
fn no_module_imports_from_a_parent_file() {
    let is_above = |module: &str, of: &str| of.starts_with(&format!("{module}::"));
    let wrong: Vec<_> = edges()
        .into_iter()
        .flat_map(|(module, to)| to.into_iter().map(move |to| (module, to)))
        .filter(|(module, to)| is_above(to, module))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Fails where a module reaches itself; `within` says whose modules these are.
fn assert_no_circle(edges: &BTreeMap<&str, BTreeSet<&str>>, within: &str) {
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges.keys().map(|from| (*from, reach(edges, from))).collect();
    let in_circle: Vec<_> = edges
        .iter()
        .flat_map(|(from, to)| to.iter().map(move |to| (*from, *to)))
        .filter(|(from, to)| reached[to].contains(from))
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect();
    assert!(in_circle.is_empty(), "imports in a circle, {within}:\n{}", in_circle.join("\n"));
}

#[test]
fn there_are_no_circles_of_files() {
    assert_no_circle(&edges(), "of files");
}

#[test]
fn there_are_no_circles_of_modules_with_what_is_in_them() {
    let mut within: BTreeMap<String, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for (from, to) in edges().into_iter().flat_map(|(from, to)| to.into_iter().map(move |to| (from, to))) {
        let (from, to): (Vec<_>, Vec<_>) = (from.split("::").collect(), to.split("::").collect());
        let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
        if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
            let modules = within.entry(from[..shared].join("::")).or_default();
            modules.entry(*one).or_default().insert(*other);
            modules.entry(*other).or_default();
        }
    }
    for (module, edges) in within {
        assert_no_circle(&edges, &format!("within `{module}`"));
    }
}

/// Every file that a file imports from, directly or through others.
fn reach<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut found, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(to) = next.pop().and_then(|module| edges.get(module)) {
        next.extend(to.iter().filter(|to| found.insert(**to)));
    }
    found
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
