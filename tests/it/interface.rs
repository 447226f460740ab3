//! The public interface of the library, as the sources declare it: a changed interface changes the
//! snapshot. Items hidden in the documentation are not part of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, UseTree, Visibility};

const MODULES: [&str; 2] = ["api", "service"];

#[test]
fn the_interface_is_the_one_that_was_agreed_on() {
    let mut interface = Interface::default();
    for module in MODULES {
        interface.module(
            module,
            items(&root().join(format!("{module}.rs"))),
            &root().join(module),
        );
    }
    let mut files = Vec::new();
    for module in MODULES {
        sources(&root().join(module), &mut files);
    }
    interface.implementations(&files);
    let lines: Vec<String> = interface.lines.into_iter().collect();
    insta::with_settings!({ snapshot_path => "interface", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("library", lines.join("\n"));
    });
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

fn items(path: &Path) -> Vec<Item> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    syn::parse_file(&text).unwrap().items
}

#[derive(Default)]
struct Interface {
    lines: BTreeSet<String>,
    /// The end of each public type's path, and the path.
    types: Vec<(String, String)>,
}

impl Interface {
    /// Collects the declarations of a module, its re-exports from private modules, and its public
    /// modules.
    fn module(&mut self, name: &str, declared: Vec<Item>, folder: &Path) {
        for item in declared {
            match item {
                Item::Mod(module) if is_open(&module.vis, &module.attrs) => {
                    let below = module.ident.to_string();
                    let inner = module.content.map(|(_, inner)| inner);
                    let inner = inner.unwrap_or_else(|| items(&folder.join(format!("{below}.rs"))));
                    self.module(&format!("{name}::{below}"), inner, &folder.join(below));
                }
                Item::Use(used) if is_open(&used.vis, &used.attrs) => {
                    self.used(name, folder, &mut Vec::new(), &used.tree);
                }
                item => self.item(name, &item),
            }
        }
    }

    fn used(&mut self, name: &str, folder: &Path, path: &mut Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.used(name, folder, path, &step.tree);
                path.pop();
            }
            UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.used(name, folder, path, tree)),
            UseTree::Name(used) => {
                let inner = path.strip_prefix(&["crate".to_owned()]);
                let base = if inner.is_some() {
                    root()
                } else {
                    folder.to_owned()
                };
                let file = inner
                    .unwrap_or(path)
                    .iter()
                    .fold(base, |file, step| file.join(step))
                    .with_extension("rs");
                if file.exists() {
                    let found = items(&file)
                        .into_iter()
                        .filter(|item| declared(item).contains(&used.ident.to_string()));
                    found.for_each(|item| self.item(name, &item));
                } else {
                    self.lines
                        .insert(format!("use {}::{} in {name}", path.join("::"), used.ident));
                }
            }
            other => panic!("{}", shown(other)),
        }
    }

    fn item(&mut self, name: &str, item: &Item) {
        let line = match item {
            Item::Struct(item) if is_open(&item.vis, &item.attrs) => {
                let fields = match &item.fields {
                    Fields::Named(fields) => fields
                        .named
                        .iter()
                        .filter(|field| is_public(&field.vis))
                        .collect(),
                    _ => Vec::new(),
                };
                for field in fields {
                    let (field_name, kind) = (shown(&field.ident), shown(&field.ty));
                    self.lines
                        .insert(format!("{name}::{}.{field_name}: {kind}", item.ident));
                }
                format!(
                    "struct {name}::{}{}{}",
                    item.ident,
                    shown(&item.generics),
                    marks(&item.attrs)
                )
            }
            Item::Enum(item) if is_open(&item.vis, &item.attrs) => {
                for variant in &item.variants {
                    let fields = shown(&without_attributes(variant.fields.clone()));
                    self.lines
                        .insert(format!("{name}::{}::{}{fields}", item.ident, variant.ident));
                }
                format!(
                    "enum {name}::{}{}{}",
                    item.ident,
                    shown(&item.generics),
                    marks(&item.attrs)
                )
            }
            Item::Trait(item) if is_open(&item.vis, &item.attrs) => {
                for part in &item.items {
                    if let TraitItem::Fn(function) = part {
                        self.lines.insert(format!(
                            "{name}::{}: {}",
                            item.ident,
                            shown(&function.sig)
                        ));
                    }
                }
                format!("trait {name}::{}: {}", item.ident, shown(&item.supertraits))
            }
            Item::Type(item) if is_open(&item.vis, &item.attrs) => {
                format!(
                    "type {name}::{}{} = {}",
                    item.ident,
                    shown(&item.generics),
                    shown(&item.ty)
                )
            }
            Item::Const(item) if is_open(&item.vis, &item.attrs) => {
                format!("const {name}::{}: {}", item.ident, shown(&item.ty))
            }
            Item::Fn(item) if is_open(&item.vis, &item.attrs) => {
                format!("{name}: {}", shown(&item.sig))
            }
            Item::Macro(item) if item.ident.is_none() => {
                let words = macro_words(item);
                format!("{}! {name}::{words}", shown(&item.mac.path))
            }
            _ => return,
        };
        self.types.extend(
            declared(item)
                .into_iter()
                .map(|found| (found, name.to_owned())),
        );
        self.lines.insert(line);
    }

    /// Collects methods of public types, and their implementations of traits, except for the
    /// crate's own private ones.
    fn implementations(&mut self, files: &[PathBuf]) {
        let all: Vec<Item> = files.iter().flat_map(|file| items(file)).collect();
        let own_traits: Vec<String> = all
            .iter()
            .filter_map(|item| match item {
                Item::Trait(item) if !is_public(&item.vis) => Some(item.ident.to_string()),
                _ => None,
            })
            .collect();
        for item in all {
            let Item::Impl(block) = item else { continue };
            let of = shown(&block.self_ty);
            let plain = of.split('<').next().unwrap_or_default();
            let Some((_, module)) = self.types.iter().find(|(name, _)| name == plain) else {
                continue;
            };
            let module = module.clone();
            if let Some((path, _)) = &block.trait_ {
                let name = shown(path);
                if !own_traits
                    .iter()
                    .any(|own| name.split("::").last() == Some(own))
                    && !is_hidden(&block.attrs)
                {
                    self.lines.insert(format!("impl {name} for {module}::{of}"));
                }
                continue;
            }
            for part in &block.items {
                match part {
                    ImplItem::Fn(part) if is_open(&part.vis, &part.attrs) => {
                        self.lines
                            .insert(format!("{module}::{of}: {}", shown(&part.sig)));
                    }
                    ImplItem::Const(part) if is_open(&part.vis, &part.attrs) => {
                        self.lines.insert(format!(
                            "{module}::{of}: const {}: {}",
                            part.ident,
                            shown(&part.ty)
                        ));
                    }
                    _ => {}
                }
            }
        }
    }
}

fn declared(item: &Item) -> Vec<String> {
    match item {
        Item::Struct(item) => vec![item.ident.to_string()],
        Item::Enum(item) => vec![item.ident.to_string()],
        Item::Trait(item) => vec![item.ident.to_string()],
        Item::Type(item) => vec![item.ident.to_string()],
        Item::Const(item) => vec![item.ident.to_string()],
        Item::Fn(item) => vec![item.sig.ident.to_string()],
        Item::Macro(item) if item.ident.is_none() => macro_words(item)
            .split([' ', '{'])
            .next()
            .map(str::to_owned)
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

fn macro_words(item: &syn::ItemMacro) -> String {
    shown(&without_comments(item.mac.tokens.clone()))
}

fn without_comments(tokens: TokenStream) -> TokenStream {
    let mut kept = TokenStream::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            // The group that follows is the comment.
            TokenTree::Punct(punct) if punct.as_char() == '#' => drop(tokens.next()),
            TokenTree::Group(group) => {
                let inner = without_comments(group.stream());
                kept.extend([TokenTree::from(Group::new(group.delimiter(), inner))]);
            }
            token => kept.extend([token]),
        }
    }
    kept
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_open(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    is_public(visibility) && !is_hidden(attributes)
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| ["#[doc(hidden)]", "#[cfg(test)]"].contains(&shown(attribute).as_str()))
}

fn marks(attributes: &[Attribute]) -> String {
    let kept = attributes.iter().filter(|attribute| {
        ["derive", "non_exhaustive"]
            .iter()
            .any(|name| attribute.path().is_ident(name))
    });
    kept.fold(String::new(), |marks, attribute| {
        marks + " " + &shown(attribute)
    })
}

fn without_attributes(mut fields: Fields) -> Fields {
    fields.iter_mut().for_each(|field| field.attrs.clear());
    fields
}

fn shown(tokens: &impl ToTokens) -> String {
    tidy(&tokens.to_token_stream().to_string())
}

/// Removes the spaces that the tokens' `Display` adds.
fn tidy(text: &str) -> String {
    let pairs = [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" [", "["),
        ("[ ", "["),
        (" ]", "]"),
        (" ,", ","),
        (",)", ")"),
        (" :", ":"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        ("' ", "'"),
    ];
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in pairs {
        text = text.replace(from, to);
    }
    text
}
