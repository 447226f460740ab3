//! The sources of the program, each with the paths that it imports.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::visit::{self, Visit};

pub(super) struct Source {
    /// The path of the module, such as `engine::ops::list` for `src/engine/ops/list.rs`.
    pub(super) module: String,
    pub(super) path: PathBuf,
    /// The text without comments and without the inline test module.
    pub(super) code: String,
    pub(super) text: String,
    /// The paths that the file names, from the crate's root.
    pub(super) imports: BTreeSet<String>,
}

pub(super) fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(read_sources);
    &SOURCES
}

fn read_sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    assert!(
        found.len() > 20,
        "the sources were not found under {}",
        root.display()
    );
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            let text = fs::read_to_string(&path).unwrap();
            let shipped = text
                .split("#[cfg(test)]\nmod tests {")
                .next()
                .unwrap_or_default();
            let code = shipped
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .fold(String::new(), |code, line| code + line + "\n");
            let relative = path.strip_prefix(root).unwrap().with_extension("");
            let module = relative.to_str().unwrap().replace('/', "::");
            let imports = Imports::of(&module, &text);
            found.push(Source {
                module,
                path,
                code,
                text,
                imports,
            });
        }
    }
}

/// Collects the paths of a file that lead into this crate: imports, re-exports, and paths in code
/// and in macros.
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
        let module = if ["lib", "main"].contains(&module) {
            ""
        } else {
            module
        };
        let mut imports = Self {
            module: module.to_owned(),
            children: children.collect(),
            found: BTreeSet::new(),
        };
        imports.visit_file(&file);
        imports.found
    }

    fn add(&mut self, names: &[String]) {
        let Some((first, rest)) = names.split_first() else {
            return;
        };
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
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.unfold(names, tree));
            }
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
        let is_test = |meta: &syn::Meta| matches!(meta, syn::Meta::List(list) if list.tokens.to_string().contains("test"));
        if !attributes
            .iter()
            .any(|attribute| attribute.path().is_ident("cfg") && is_test(&attribute.meta))
        {
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

    /// Skips visibilities, which are not imports.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
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
                let more = names
                    .clone()
                    .take_while(|pair| pair.get(1) == Some(&"::"))
                    .count();
                let names: Vec<String> = names
                    .take(more + 1)
                    .map(|pair| pair[0].to_owned())
                    .collect();
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
    if module.is_empty() {
        name.to_owned()
    } else {
        format!("{module}::{name}")
    }
}

fn parent(module: &str) -> String {
    module
        .rsplit_once("::")
        .map_or(String::new(), |(parent, _)| parent.to_owned())
}
