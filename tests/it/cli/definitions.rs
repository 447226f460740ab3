//! The files generated from the definitions of the command line: completions and manual pages.

use clap::builder::ValueParser;
use clap::value_parser;
use filedeck::cli::account_path::AccountPath;
use filedeck::cli::completion::Completes;
use filedeck::cli::pattern::RemotePattern;
use filedeck::cli::remote::{RemoteArgument, RemotePath};
use filedeck::cli::side_path::SidePath;
use filedeck::config::Preset;
use filedeck::tui::keymap::{Keymap, listed};

use super::binary::{Binary, names};
use super::help::commands;

#[test]
fn every_argument_that_is_a_remote_path_or_an_account_is_completed() {
    let remote = [
        ValueParser::from(value_parser!(RemotePattern)).type_id(),
        ValueParser::from(value_parser!(RemotePath)).type_id(),
        ValueParser::from(value_parser!(RemoteArgument)).type_id(),
        ValueParser::from(value_parser!(SidePath)).type_id(),
        ValueParser::from(value_parser!(AccountPath)).type_id(),
    ];
    let mut found = 0;
    for (words, command) in commands() {
        for argument in command.get_arguments() {
            let is_remote = remote.contains(&argument.get_value_parser().type_id());
            let completes = argument.get::<Completes>();
            let names_account =
                words.starts_with("filedeck account ") && argument.get_id() == "name";
            assert!(!is_remote || completes.is_some(), "{words} {argument}");
            if names_account && words != "filedeck account add" {
                assert_eq!(completes, Some(&Completes::Account), "{words}");
            }
            found += usize::from(completes.is_some());
        }
    }
    assert!(found > 20, "{found}");
}

/// Every page, with its name and its text without the version.
fn pages() -> Vec<(String, String)> {
    let binary = Binary::new();
    binary.run(&["man", "--output", "share/man"]).expect(0);
    let dir = binary.work().join("share/man/man1");
    let read = |name: String| {
        let text = std::fs::read_to_string(dir.join(&name)).unwrap();
        (name, text.replace(env!("CARGO_PKG_VERSION"), "VERSION"))
    };
    names(&dir).into_iter().map(read).collect()
}

#[test]
fn every_command_has_a_page_with_all_sections_and_nothing_else_has_one() {
    let pages = pages();
    let mut expected = vec!["filedeck.1".to_owned(), "filedeck-keys.1".to_owned()];
    expected.extend(["account", "config", "store"].map(|group| format!("filedeck-{group}.1")));
    expected.extend(
        commands()
            .iter()
            .map(|(words, _)| format!("{}.1", words.replace(' ', "-"))),
    );
    expected.sort();
    assert_eq!(
        pages.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        expected.iter().collect::<Vec<_>>()
    );
    let sections = [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "ENVIRONMENT",
        "FILES",
        "\"EXIT STATUS\"",
        "EXAMPLES",
        "\"SEE ALSO\"",
    ];
    for (name, page) in pages.iter().filter(|(name, _)| name != "filedeck-keys.1") {
        let parts: Vec<&str> = sections
            .iter()
            .map(|section| {
                let (_, rest) = page
                    .split_once(&format!("\n.SH {section}\n"))
                    .unwrap_or_else(|| panic!("{name} has no {section}"));
                rest.split("\n.SH ").next().unwrap()
            })
            .collect();
        assert!(
            parts.iter().all(|part| part.trim().lines().count() > 0),
            "{name}: {parts:?}"
        );
        assert!(parts[7].contains("\nfiledeck "), "{name}: {}", parts[7]);
    }
}

#[test]
fn pages_of_a_few_kinds_are_as_they_were() {
    insta::with_settings!({ snapshot_path => "man", prepend_module_to_snapshot => false, omit_expression => true }, {
        for (name, page) in pages() {
            if ["filedeck.1", "filedeck-store.1", "filedeck-mv.1"].contains(&name.as_str()) {
                insta::assert_snapshot!(name, page);
            }
        }
    });
}

#[test]
fn the_page_of_the_keys_has_every_key_of_the_screen() {
    let page = Binary::new().run(&["man", "keys"]).expect(0).stdout;
    let added = Keymap::added_by(Preset::Cua);
    for row in [listed(Keymap::defaults().bindings()), listed(&added)].concat() {
        let plain = |text: &str| text.replace('-', "\\-").replace('\'', "\\*(Aq");
        let (keys, what) = (plain(&row.keys.join(", ")), plain(row.action.description()));
        let (places, term) = (row.places.join(", "), format!("\\fB{keys}\\fR\n{what} ("));
        assert!(page.contains(&format!("{term}{places})")), "{term}{places}");
    }
}

#[test]
fn a_page_is_printed_by_the_words_of_its_command() {
    let binary = Binary::new();
    let page = binary.run(&["man", "store", "backup"]).expect(0).stdout;
    assert!(
        page.contains("filedeck store backup /backup/files"),
        "{page}"
    );
    assert!(
        page.contains("\\fB\\-\\-data\\-dir\\fR\\fI DIR\\fR]"),
        "{page}"
    );
    for words in [["man", "nothing"], ["man", "help"]] {
        binary.run(&words).expect(2);
    }
}
