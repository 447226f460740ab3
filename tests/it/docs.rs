//! Documents and samples that must agree with the code.

mod commands;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use filedeck::config::{Config, ConfigFile, Setting, TomlText};

const SAMPLE: &str = include_str!("../../assets/config.toml");

fn read(text: &str) -> ConfigFile {
    ConfigFile::read(Ok(Some(TomlText::new("config.toml", text))))
}

#[test]
fn the_sample_configuration_equals_the_defaults() {
    let found = read(SAMPLE);
    assert_eq!(found.config, Config::default());
    assert_eq!(found.warnings, []);
}

#[test]
fn the_sample_configuration_has_every_setting_in_its_order() {
    let setting = |line: &'static str| {
        let (name, _) = line.trim_start_matches('#').split_once(" = ")?;
        (!line.starts_with("# ")).then_some(name)
    };
    let (settings, _) = SAMPLE.split_once("[accounts.acme]").unwrap();
    let names: Vec<&str> = settings.lines().filter_map(setting).collect();
    assert_eq!(
        names,
        Setting::ALL
            .iter()
            .map(|setting| setting.name)
            .collect::<Vec<_>>()
    );
    for setting in Setting::ALL {
        let example = format!("#{} = ", setting.name);
        let is_example = settings.lines().any(|line| line.starts_with(&example));
        assert_eq!(
            is_example,
            Config::default().toml_of(*setting).is_none(),
            "{}",
            setting.name
        );
    }
}

#[test]
fn the_examples_of_the_sample_configuration_are_accepted_and_show_the_defaults() {
    let uncommented: String = SAMPLE
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(example) if !example.is_empty() && !example.starts_with(' ') => {
                format!("{example}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let ConfigFile {
        config, warnings, ..
    } = read(&uncommented);
    assert_eq!(warnings, []);
    assert_eq!(config.account.as_deref(), Some("acme"));
    let minimal = "[accounts.acme]\ntoken_file = \"acme.token\"\ncolor = \"green\"";
    assert_eq!(config.accounts, read(minimal).config.accounts);
}

/// The anchors of a document's headings, in GitHub's form.
fn anchors(document: &str) -> HashSet<String> {
    let headings = document.lines().filter_map(|line| {
        line.trim_start_matches('#')
            .strip_prefix(' ')
            .filter(|_| line.starts_with('#'))
    });
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    headings
        .map(|heading| {
            heading
                .to_lowercase()
                .chars()
                .filter(is_kept)
                .collect::<String>()
                .replace(' ', "-")
        })
        .collect()
}

fn texts(dir: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
}

#[test]
fn every_rule_that_is_cited_is_a_heading_of_a_document_in_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for dir in ["src", "tests", "benches", "docs", "assets"] {
        texts(&root.join(dir), &mut files);
    }
    for name in ["ARCHITECTURE.md", "README.md", "CHANGELOG.md"] {
        files.push((
            root.join(name),
            fs::read_to_string(root.join(name)).unwrap(),
        ));
    }
    let (mut cited, mut wrong) = (0, Vec::new());
    for document in ["contract", "guarantees"] {
        let anchors =
            anchors(&fs::read_to_string(root.join(format!("docs/{document}.md"))).unwrap());
        for (path, text) in &files {
            for (_, rest) in text
                .match_indices(&format!("{document}.md#"))
                .map(|(at, start)| text.split_at(at + start.len()))
            {
                let anchor: String = rest
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
                    .collect();
                cited += 1;
                if !anchors.contains(&anchor) {
                    wrong.push(format!("{}: {document}.md#{anchor}", path.display()));
                }
            }
        }
    }
    // Documents outside the repository.
    for outside in [
        "wire",
        "reliability",
        "service-seed",
        "experience",
        "design",
    ] {
        let name = format!("`{outside}.md");
        wrong.extend(
            files
                .iter()
                .filter(|(_, text)| text.contains(&name))
                .map(|(path, _)| format!("{}: {name}`", path.display())),
        );
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(cited > 150, "{cited} citations were found");
}

#[test]
fn every_test_that_shows_a_guarantee_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guarantees = fs::read_to_string(root.join("docs/guarantees.md")).unwrap();
    let is_path = |word: &&str| {
        ["tests/", "src/", "benches/"]
            .iter()
            .any(|start| word.starts_with(start))
    };
    let named: Vec<&str> = guarantees.split('`').filter(is_path).collect();
    assert!(named.len() > 40, "{named:?}");
    let missing: Vec<_> = named
        .into_iter()
        .filter(|path| !root.join(path).exists())
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn the_architecture_names_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for dir in ["src", "tests", "assets"] {
        texts(&root.join(dir), &mut files);
    }
    let architecture = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let is_file = |word: &&str| {
        Path::new(word)
            .extension()
            .is_some_and(|kind| kind == "rs" || kind == "toml")
    };
    let is_example = |word: &&str| {
        word.contains("NAME") || ["foo.rs", "config.toml", "accounts.toml"].contains(word)
    };
    let named: Vec<&str> = architecture
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(is_file)
        .filter(|word| !is_example(word))
        .collect();
    assert!(named.len() > 60, "{named:?}");
    let missing: Vec<_> = named
        .into_iter()
        .filter(|name| !files.iter().any(|(path, _)| path.ends_with(name)))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn the_readme_and_the_architecture_stay_short() {
    for (name, most) in [("README.md", 150), ("ARCHITECTURE.md", 200)] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
        assert!(
            text.lines().count() <= most,
            "{name} has {} lines",
            text.lines().count()
        );
    }
}

#[test]
fn every_test_that_a_promise_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guarantees = fs::read_to_string(root.join("docs/guarantees.md")).unwrap();
    let sources: String = ["src", "tests"]
        .into_iter()
        .flat_map(|folder| walkdir::WalkDir::new(root.join(folder)))
        .filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok())
        .collect();
    let is_function = |word: &&str| {
        word.contains('_')
            && word
                .chars()
                .all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_'))
    };
    for promise in guarantees.split("\n## ").skip(1) {
        let shown = promise
            .split("\n\n")
            .filter(|paragraph| paragraph.starts_with("Shown by "));
        let quoted = shown.flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2));
        let named: Vec<&str> = quoted.filter(is_function).collect();
        let missing: Vec<&&str> = named
            .iter()
            .filter(|name| !sources.contains(&format!("fn {name}(")))
            .collect();
        assert_eq!(missing, Vec::<&&str>::new());
        assert!(!named.is_empty(), "no test is named for: {promise}");
    }
}
