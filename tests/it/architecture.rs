//! The layer table of ARCHITECTURE.md, checked against the sources: allowed imports, no cycles,
//! described files.

pub(crate) mod advice;
mod parameters;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use sources::{Source, sources};

/// A layer, the layers and modules that it may import, and the words that must not occur in it.
const LAYERS: [(&str, &[&str], &[&str]); 14] = [
    (
        "connection_threads",
        &[],
        &["ratatui", "reqwest", "crossterm", "rusqlite", "axum"],
    ),
    (
        "database_form",
        &[],
        &["tokio", "ratatui", "reqwest", "crossterm", "axum"],
    ),
    ("drawing", &[], &["ratatui", "reqwest", "crossterm"]),
    ("chunk_worker", &[], &["ratatui", "reqwest", "crossterm"]),
    ("regular_file", &[], &["ratatui", "reqwest", "crossterm"]),
    ("signals", &[], &["ratatui", "reqwest", "crossterm"]),
    ("secret_file", &[], &["ratatui", "reqwest", "crossterm"]),
    ("tls", &[], &["ratatui", "reqwest", "crossterm"]),
    (
        "config",
        &["regular_file", "secret_file"],
        &["ratatui", "reqwest", "crossterm"],
    ),
    (
        "api",
        &["chunk_worker", "regular_file", "tls"],
        &["tokio::spawn", "ratatui", "crossterm", "rusqlite", "axum"],
    ),
    (
        "engine",
        &[
            "api",
            "chunk_worker",
            "connection_threads",
            "database_form",
            "drawing",
            "regular_file",
        ],
        &["crossterm", "ratatui", "axum"],
    ),
    (
        "service",
        &[
            "api::model",
            "api::ids",
            "api::text",
            "chunk_worker",
            "connection_threads",
            "database_form",
            "drawing",
            "regular_file",
            "secret_file",
            "tls",
        ],
        &["ratatui", "crossterm"],
    ),
    (
        "tui",
        &["engine", "api", "config", "signals", "regular_file"],
        &[
            "reqwest",
            "println!",
            "api::client",
            "api::Client",
            "rusqlite",
            "axum",
        ],
    ),
    (
        "cli",
        &[
            "config",
            "api",
            "engine",
            "service",
            "tui",
            "signals",
            "drawing",
            "regular_file",
            "secret_file",
            "tls",
        ],
        &["rusqlite", "axum"],
    ),
];

/// The modules of a layer, and the modules of the same layer that each may import.
type Modules = &'static [(&'static str, &'static str)];

const MODULES: [(&str, Modules); 3] = [("engine", ENGINE), ("service", SERVICE), ("tui", TUI)];

const ENGINE: Modules = &[
    (
        "actor",
        "cancels handle message ops outbox parts progress_sink question queue running tools work",
    ),
    ("batch", "item job source wait"),
    ("address_map", "item"),
    ("cancels", "message"),
    ("collection", "item paging query"),
    ("deletion", "item"),
    (
        "folder_comparison",
        "ancestors disk_name item job left_out relocation seen_state",
    ),
    ("folder_size", "ancestors item"),
    ("handle", "cancels message question"),
    ("job", "item local_path seen_state sending source"),
    (
        "journal",
        "address_map batch completion_names deletion item job limits queue_view source text_file",
    ),
    ("left_out", "ancestors"),
    (
        "message",
        "address_map batch collection deletion folder_size item job paging plan question queue_view wait",
    ),
    ("local_watch", "disk_name"),
    ("meter", "message progress_sink"),
    (
        "ops",
        "address_map ancestors deletion disk_name folder_comparison folder_size item job journal left_out limits local_entry message meter name_form parts plan poll preview \
         progress_sink \
         query question relocation seen_state sending service_task source_accounts text_file thumbnail_cache tree_filter typed_paths",
    ),
    ("outbox", "message progress_sink queue_view"),
    ("parts", "message plan"),
    (
        "plan",
        "ancestors folder_comparison item job left_out seen_state sending source",
    ),
    ("preview", "item"),
    ("progress_sink", "message"),
    ("query", "item name_form paging"),
    (
        "question",
        "address_map batch collection deletion folder_comparison folder_size item job limits local_entry paging plan preview queue_view sending service_task \
         text_file tree_filter typed_paths",
    ),
    (
        "queue",
        "batch deletion item job journal message ops outbox progress_sink question queue_view seen_state sending source text_file tools",
    ),
    ("queue_view", "address_map batch job"),
    ("relocation", "item job"),
    ("run", "batch handle job message question queue spawn"),
    ("sending", "item"),
    ("service_task", "batch item"),
    ("source", "item local_path"),
    ("source_accounts", "seen_state source"),
    (
        "spawn",
        "actor cancels handle journal message outbox queue source_accounts thumbnail_cache tools",
    ),
    ("sync", "folder_comparison item job plan seen_state"),
    (
        "sync_plan",
        "ancestors folder_comparison plan sync tree_filter",
    ),
    ("text_file", "item"),
    ("thumbnail_cache", "preview"),
    ("tools", "journal ops source_accounts thumbnail_cache"),
    ("tree_filter", "ancestors left_out name_form"),
    ("work", "ops question queue running"),
];

const SERVICE: Modules = &[
    ("access", "store"),
    ("access_log", "content"),
    ("answer", "access access_log content domain policy store"),
    ("connection_limits", "network policy"),
    ("content", "policy"),
    ("crm", "policy"),
    ("domain", "policy"),
    ("fetch", "network"),
    ("first_files", "answer server store"),
    (
        "http",
        "access access_log answer clock connection_limits content crm domain fetch ingest jobs metrics network policy state store",
    ),
    ("ingest", "answer content domain policy state store"),
    (
        "jobs",
        "answer content domain fetch ingest metrics policy state store",
    ),
    (
        "maintenance",
        "access content domain ingest options policy reconcile start_error startup store store_identity",
    ),
    ("metrics", "policy store"),
    (
        "options",
        "access clock connection_limits content crm http network policy store",
    ),
    ("reconcile", "content store"),
    ("seed", "answer crm domain ingest state store"),
    (
        "server",
        "access access_log answer connection_limits content fetch http jobs metrics options policy seed start_error startup state store",
    ),
    ("start_error", "content store"),
    (
        "startup",
        "content options policy reconcile start_error state store store_identity",
    ),
    (
        "state",
        "access answer clock connection_limits content metrics policy store",
    ),
    ("store", "content crm domain policy"),
    ("store_identity", "content store"),
    (
        "temporary",
        "access clock http network options server start_error",
    ),
];

const TUI: Modules = &[
    (
        "app",
        "dialog input keymap message pictures state style terminal update view",
    ),
    ("areas", "state"),
    ("dialog", "clocks input keymap style widget"),
    ("input", "keymap style"),
    ("message", "dialog input keymap state terminal"),
    (
        "pane",
        "areas denied_actions dialog input keymap state style terminal widget wording",
    ),
    ("pictures", "state style terminal view widget"),
    (
        "state",
        "clocks denied_actions dialog input keymap style terminal widget",
    ),
    ("terminal", "input"),
    (
        "update",
        "areas dialog input keymap message pane state style view widget wording",
    ),
    (
        "view",
        "areas dialog keymap pane state style widget wording",
    ),
    ("widget", "style"),
    ("wording", "keymap state widget"),
];

/// Modules to search for words that belong to a replaceable backend, the words, and the modules
/// that may contain them.
const SEAMS: [(&str, &[&str], &[&str]); 4] = [
    (
        "",
        &["refinery", "SELECT ", "UPDATE "],
        &[
            "database_form",
            "drawing",
            "service::store::sql",
            "service::store::sqlite",
            "service::store::postgres",
            "engine::journal",
        ],
    ),
    (
        "",
        &["rusqlite", "Sqlite"],
        &["database_form", "service::store::sqlite", "engine::journal"],
    ),
    (
        "",
        &["tokio_postgres", "deadpool"],
        &["service::store::postgres", "cli::logging"],
    ),
    (
        "service::",
        &["std::fs", "tokio::fs", "rustix::fs"],
        &[
            "service::content",
            "service::maintenance",
            "service::store::sqlite",
            "service::access_log",
        ],
    ),
];

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
fn every_module_is_in_a_layer() {
    // `hostile` is for tests only.
    let others = ["lib", "main", "hostile"];
    let found: BTreeSet<&str> = sources()
        .iter()
        .filter_map(|source| source.module.split("::").next())
        .collect();
    let listed: BTreeSet<&str> = LAYERS
        .iter()
        .map(|(layer, ..)| *layer)
        .chain(others)
        .collect();
    assert_eq!(found, listed, "left: the sources; right: the table");
}

#[test]
fn layers_import_only_what_the_table_allows() {
    let mut wrong = Vec::new();
    for (layer, allowed, source) in LAYERS.iter().flat_map(|(layer, allowed, _)| {
        sources_of(layer).map(move |source| (*layer, *allowed, source))
    }) {
        for path in source.imports.clone() {
            let first = path.split("::").next().unwrap_or_default();
            let is_other_layer = first != layer && LAYERS.iter().any(|(name, ..)| *name == first);
            let is_allowed = allowed
                .iter()
                .any(|allowed| path == *allowed || path.starts_with(&format!("{allowed}::")));
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
        for (source, word) in
            sources_of(layer).flat_map(|source| words.iter().map(move |word| (source, word)))
        {
            assert!(
                !source.code.contains(word),
                "{} holds {word}",
                source.module
            );
        }
    }
}

fn sources_of(layer: &str) -> impl Iterator<Item = &'static Source> {
    sources()
        .iter()
        .filter(move |source| source.module.split("::").next() == Some(layer))
}

#[test]
fn modules_import_only_what_the_table_of_their_layer_allows() {
    let edges = edges();
    for (layer, modules) in MODULES {
        let mut used: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (from, to) in edges
            .iter()
            .flat_map(|(from, to)| to.iter().map(move |to| (from, to)))
        {
            if let (Some(from), Some(to)) = (module_of(layer, from), module_of(layer, to))
                && from != to
            {
                used.entry(from).or_default().insert(to);
            }
        }
        let listed: BTreeMap<&str, BTreeSet<&str>> = modules
            .iter()
            .map(|(module, allowed)| (*module, allowed.split(' ').collect()))
            .collect();
        assert_eq!(
            used, listed,
            "left: what modules of {layer} import; right: what the table has"
        );
    }
}

/// The name of the module in its layer, such as `journal` for `engine::journal::edits` in `engine`.
fn module_of<'a>(layer: &str, module: &'a str) -> Option<&'a str> {
    module
        .strip_prefix(layer)?
        .strip_prefix("::")?
        .split("::")
        .next()
}

#[test]
fn what_another_backend_would_replace_stands_behind_one_seam() {
    for (place, words, homes) in SEAMS {
        let is_home = |module: &str| {
            homes
                .iter()
                .any(|home| module == *home || module.starts_with(&format!("{home}::")))
        };
        let others = sources()
            .iter()
            .filter(|source| source.module.starts_with(place) && !is_home(&source.module));
        for (source, word) in others.flat_map(|source| words.iter().map(move |word| (source, word)))
        {
            assert!(
                !source.code.contains(word),
                "{} holds {word}",
                source.module
            );
        }
    }
}

fn edges() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let modules: BTreeMap<String, &Source> = sources()
        .iter()
        .map(|source| (source.module.clone(), source))
        .collect();
    let files: BTreeMap<&str, &'static str> = sources()
        .iter()
        .map(|source| (source.module.as_str(), source.module.as_str()))
        .collect();
    let to = |source: &Source| {
        let targets = source
            .imports
            .iter()
            .filter_map(|path| target(path, &modules).and_then(|path| files.get(path)));
        targets
            .copied()
            .filter(|module| *module != source.module)
            .collect()
    };
    sources()
        .iter()
        .map(|source| (source.module.as_str(), to(source)))
        .collect()
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

/// Fails if a module reaches itself; `within` names the group of modules.
fn assert_no_circle(edges: &BTreeMap<&str, BTreeSet<&str>>, within: &str) {
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges
        .keys()
        .map(|from| (*from, reach(edges, from)))
        .collect();
    let in_circle: Vec<_> = edges
        .iter()
        .flat_map(|(from, to)| to.iter().map(move |to| (*from, *to)))
        .filter(|(from, to)| reached[to].contains(from))
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect();
    assert!(
        in_circle.is_empty(),
        "imports in a circle, {within}:\n{}",
        in_circle.join("\n")
    );
}

#[test]
fn there_are_no_circles_of_files() {
    assert_no_circle(&edges(), "of files");
}

#[test]
fn there_are_no_circles_of_modules_with_what_is_in_them() {
    let mut within: BTreeMap<String, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for (from, to) in edges()
        .into_iter()
        .flat_map(|(from, to)| to.into_iter().map(move |to| (from, to)))
    {
        let (from, to): (Vec<_>, Vec<_>) = (from.split("::").collect(), to.split("::").collect());
        let shared = from
            .iter()
            .zip(&to)
            .take_while(|(one, other)| one == other)
            .count();
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
        let lines = source
            .text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .count();
        let limit = if source.module == "api" || source.module == "lib" {
            60
        } else {
            5
        };
        assert!(
            (1..=limit).contains(&lines),
            "{}: {lines} lines of `//!`",
            source.path.display()
        );
    }
}

#[test]
fn files_stay_small_enough_to_hold_one_idea() {
    for source in sources() {
        let lines = source
            .text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .map_or(0, |text| text.lines().count());
        assert!(
            lines <= 600,
            "{} has {lines} lines without its tests",
            source.path.display()
        );
    }
}
