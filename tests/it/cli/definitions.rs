//! The files generated from the definitions of the command line: completions and manual pages.

use clap::builder::ValueParser;
use clap::value_parser;
use filedeck::cli::account_path::AccountPath;
use filedeck::cli::completion::Completes;
use filedeck::cli::pattern::RemotePattern;
use filedeck::cli::remote::{RemoteArgument, RemotePath};
use filedeck::cli::side_path::SidePath;

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

#[test]
fn every_command_has_a_page_with_its_examples() {
    let binary = Binary::new();
    binary.run(&["man", "--output", "pages"]).expect(0);
    let pages = names(&binary.work().join("pages"));
    for (words, _) in commands() {
        let page = format!("{}.1", words.replace(' ', "-"));
        assert!(pages.contains(&page), "{page} is missing");
    }
    let page = binary.run(&["man", "store", "backup"]).expect(0).stdout;
    assert!(
        page.contains(".TH") && page.contains("filedeck store backup /backup/files"),
        "{page}"
    );
    binary.run(&["man", "nothing"]).expect(2);
}
