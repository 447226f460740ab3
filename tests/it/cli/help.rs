//! The help of every command, checked against the grammar, and against snapshots that show the
//! effect of a changed text.

use std::ffi::OsString;

use clap::{ColorChoice, CommandFactory as _};
use filedeck::cli::arguments::Arguments;

/// Every command that does something by itself, with the words that invoke it.
pub(crate) fn commands() -> Vec<(String, clap::Command)> {
    let mut found = Vec::new();
    collect("filedeck", &Arguments::command(), &mut found);
    found
}

fn collect(words: &str, command: &clap::Command, found: &mut Vec<(String, clap::Command)>) {
    for command in command
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
    {
        let words = format!("{words} {}", command.get_name());
        collect(&words, command, found);
        if !command.is_subcommand_required_set() {
            found.push((words, command.clone()));
        }
    }
}

/// The words of a line as a shell parses them, up to a pipe, a redirection or `&&`.
pub(crate) fn shell_words(line: &str) -> Vec<OsString> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (None, '|' | '>' | '<' | '&') => break,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), letter) if open == letter => quote = None,
            (None, ' ') => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from).collect()
}

#[test]
fn every_command_has_two_examples_that_its_grammar_takes() {
    for (words, command) in commands() {
        let help = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let (_, examples) = help
            .split_once("Examples:\n")
            .unwrap_or_else(|| panic!("{words} has no examples"));
        let lines: Vec<&str> = examples.lines().map(str::trim).collect();
        assert_eq!(lines.len(), 2, "{words}");
        for line in lines {
            assert!(
                format!("{line} ").starts_with(&format!("{words} ")),
                "{words} has the example {line}"
            );
            Arguments::read(shell_words(line)).unwrap_or_else(|error| panic!("{line}\n{error}"));
        }
    }
}

#[test]
fn every_command_says_in_one_line_what_it_does_and_in_more_what_there_is_to_know() {
    for (words, command) in commands() {
        let about = command
            .get_about()
            .unwrap_or_else(|| panic!("{words} has no summary"))
            .to_string();
        assert!(
            about.len() < 80 && !about.ends_with('.') && !about.contains('\n'),
            "{words}: {about}"
        );
        assert!(
            command
                .get_long_about()
                .is_some_and(|long| long.to_string().len() > about.len()),
            "{words}"
        );
    }
}

fn help(command: &clap::Command) -> String {
    command
        .clone()
        .term_width(100)
        .color(ColorChoice::Never)
        .render_long_help()
        .to_string()
}

#[test]
fn the_help_of_every_command_is_as_it_was() {
    let mut grammar = Arguments::command();
    grammar.build();
    let mut all = vec![(grammar.get_name().to_owned(), grammar.clone())];
    built(&grammar, "filedeck", &mut all);
    insta::with_settings!({ snapshot_path => "help", prepend_module_to_snapshot => false, omit_expression => true }, {
        for (words, command) in all {
            insta::assert_snapshot!(words.replace(' ', "-"), help(&command));
        }
    });
}

fn built(command: &clap::Command, words: &str, all: &mut Vec<(String, clap::Command)>) {
    for command in command
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
    {
        let words = format!("{words} {}", command.get_name());
        built(command, &words, all);
        all.push((words, command.clone()));
    }
}
