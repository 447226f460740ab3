//! Every option that a message names belongs to the commands that print it, and advice fits its
//! place. The options come from the grammar, the kinds and messages from the sources.

use std::collections::BTreeSet;
use std::time::Duration;

use clap::CommandFactory as _;
use filedeck::api::{AdvicePlace, Error, Kind, NextStep};
use filedeck::cli::arguments::Arguments;
use serde::de::DeserializeOwned;

use super::sources::{Source, sources};

/// Options in words that are no advice: given ones, those of other programs, and hidden ones.
const NO_ADVICE: [(&str, &str); 9] = [
    ("cli::arguments", "--all-accounts"),
    ("cli::commands::put", "--name"),
    ("cli::sync_plan", "--access"),
    ("cli::sync_plan", "--gitignore"),
    ("cli::token_argument", "--token"),
    ("cli::commands::cat", "--force"),
    ("cli::commands::get", "--output"),
    ("drawing::request", "--draw-preview"),
    ("tui::wording::share", "--header"),
];

/// Options in messages that only some of the users of a module can print.
const OF_SOME: [(&str, &str); 3] = [
    // Only the commands with two folders check their sides.
    ("cli::sync_plan", "--follow-links"),
    // `copy` takes the patterns of a tree, but no file of it is published.
    ("cli::sync_lines", "--hidden"),
    // The screen and `serve` each have words of their own.
    ("cli::token_argument", "--token-file"),
];

type Options = BTreeSet<String>;

/// The long options of a command and of those below it.
fn options(command: &clap::Command) -> Options {
    let below = command.get_subcommands().flat_map(options);
    own_options(command).into_iter().chain(below).collect()
}

fn own_options(command: &clap::Command) -> Options {
    let longs = command.get_arguments().filter_map(clap::Arg::get_long);
    longs.map(|long| format!("--{long}")).collect()
}

fn grammar() -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    command
}

/// The command that the first of these words name, such as `store verify` in `store verify ./x`.
fn command_of<'a>(
    root: &'a clap::Command,
    words: impl IntoIterator<Item = &'a str>,
) -> &'a clap::Command {
    let mut command = root;
    for word in words {
        let name = word.trim_matches('\'').trim_end_matches("_account");
        match command.find_subcommand(name.replace('_', "-")) {
            Some(below) => command = below,
            None => break,
        }
    }
    command
}

fn all_commands<'a>(command: &'a clap::Command, found: &mut Vec<&'a clap::Command>) {
    let below = command.get_subcommands();
    for below in below.filter(|below| below.get_name() != "help") {
        found.push(below);
        all_commands(below, found);
    }
}

/// The options in a line of text, each with the words before it if these are a command line, as in
/// `'filedeck account add --oauth'`.
fn named(text: &str) -> impl Iterator<Item = (String, Option<&str>)> {
    text.match_indices("--").filter_map(move |(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at..)?);
        let is_of_name = |letter: &char| letter.is_ascii_lowercase() || *letter == '-';
        let option: String = after.chars().take_while(is_of_name).collect();
        let option = option.trim_end_matches('-');
        let is_option = option.starts_with("--") && !option.starts_with("---");
        let is_inside = before.ends_with(|last: char| last.is_alphanumeric() || last == '-');
        let line = before.rsplit_once("filedeck ").map(|(_, line)| line);
        let line = line.filter(|line| !line.contains([';', ')']));
        (is_option && !is_inside).then(|| (option.to_owned(), line))
    })
}

fn imports(source: &Source, module: &str) -> bool {
    let mut paths = source.imports.iter();
    paths.any(|path| path == module || path.starts_with(&format!("{module}::")))
}

/// The options of each command that can print the messages of a module of `cli`; of `serve` and
/// `store` together for the service; none but those of the program for the other layers.
fn options_at(root: &clap::Command, source: &Source) -> Vec<Options> {
    let command = |module: &str| {
        let name = module.strip_prefix("cli::commands::")?;
        Some(options(command_of(root, name.split("::"))))
    };
    if source.module.starts_with("service::") {
        let of_service = ["serve", "store"].map(|name| options(command_of(root, [name])));
        return vec![of_service.into_iter().flatten().collect()];
    }
    let own = command(&source.module);
    let users = sources()
        .iter()
        .filter(|user| source.module.starts_with("cli::") && imports(user, &source.module));
    let all: Vec<Options> = users
        .filter_map(|user| command(&user.module))
        .chain(own)
        .collect();
    if all.is_empty() {
        vec![Options::new()]
    } else {
        all
    }
}

#[test]
fn messages_name_only_options_of_the_commands_that_print_them() {
    let root = grammar();
    let common = own_options(&root);
    let (mut strange, mut count) = (Vec::new(), 0);
    // That file is a table of the words of other programs.
    let is_of_ours = |source: &&Source| source.module != "cli::typed_word";
    for source in sources().iter().filter(is_of_ours) {
        let at = options_at(&root, source);
        let is_listed = |option: &str| {
            let listed = NO_ADVICE.iter().chain(&OF_SOME);
            let mut listed = listed.filter(|(module, _)| *module == source.module);
            listed.any(|(_, listed)| *listed == option)
        };
        let lines = source.code.lines();
        for line in lines.filter(|line| !line.trim_start().starts_with('#')) {
            for (option, command_line) in named(line) {
                count += 1;
                let fits = match command_line {
                    Some(words) => options(command_of(&root, words.split(' '))).contains(&option),
                    None => at.iter().all(|options| options.contains(&option)),
                };
                if !fits && !common.contains(&option) && !is_listed(&option) {
                    strange.push(format!("{}: {option} in {}", source.module, line.trim()));
                }
            }
        }
    }
    assert_eq!(strange, Vec::<String>::new());
    assert!(count > 100, "{count}");
}

/// All values of an enum of `api/error.rs` whose variants hold nothing.
fn values<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let source = sources()
        .iter()
        .find(|source| source.module == "api::error");
    let file = syn::parse_file(&source.unwrap().text).unwrap();
    let found = file.items.iter().find_map(|item| match item {
        syn::Item::Enum(found) if found.ident == name => Some(found),
        _ => None,
    });
    let variants = found.unwrap().variants.iter();
    variants
        .map(|variant| serde_json::from_value(variant.ident.to_string().into()).unwrap())
        .collect()
}

/// Errors of every kind, with every next step, and with whatever else changes the advice.
pub(crate) fn all_errors() -> Vec<Error> {
    let mut errors = Vec::new();
    for kind in values::<Kind>("Kind") {
        let plain = || Error::new(kind, "no");
        errors.extend(
            values::<NextStep>("NextStep")
                .into_iter()
                .map(|next| plain().then(next)),
        );
        let with = |change: fn(&mut Error)| {
            let mut error = plain();
            change(&mut error);
            error
        };
        errors.extend([
            plain(),
            with(|error| error.in_doubt = true),
            with(|error| error.status = Some(423)),
            with(|error| error.retry_after = Some(Duration::from_secs(9))),
            with(|error| error.correlation_id = Some("5e1c".to_owned())),
            with(|error| error.category = Some("BAD_REFRESH_TOKEN".to_owned())),
            with(|error| error.category = Some("MISSING_SCOPES".to_owned())),
            with(|error| {
                error.category = Some("MISSING_SCOPES".to_owned());
                error.details = vec!["requiredGranularScopes: files, files.read".to_owned()];
            }),
        ]);
    }
    errors
}

#[test]
fn advice_names_only_options_of_the_command_that_failed() {
    let root = grammar();
    let mut commands = vec![&root];
    all_commands(&root, &mut commands);
    // The others reach no server, and so meet none of these errors.
    commands.retain(|command| options(command).contains("--ca-cert"));
    assert!(commands.len() > 30, "{}", commands.len());
    for error in all_errors() {
        let Some(advice) = error.advice(AdvicePlace::Command) else {
            continue;
        };
        for word in ["refresh and", "screen", "press", "waiting tasks", ".toml"] {
            assert!(!advice.contains(word), "{advice}");
        }
        for (option, command_line) in named(&advice) {
            for command in &commands {
                let of_line = command_line.map(|words| command_of(&root, words.split(' ')));
                let known = options(of_line.unwrap_or(command));
                assert!(
                    known.contains(&option),
                    "{}: {option} in {advice}",
                    command.get_name()
                );
            }
        }
    }
}
