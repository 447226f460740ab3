//! The command line's grammar. Rules that a grammar cannot express are checked where they are used.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use super::all_commands::{Local, Remote};
use super::demo::DemoMode;
use super::exit;
use super::format::Format;
use super::global_options::GlobalOptions;
use super::{token_argument, typed_word};

/// Browse, upload, share and delete the files of a cloud file store, and watch the CRM limits of
/// the account.
///
/// Without a command, filedeck opens the screen. It opens the account that you name, or else the
/// account of the last session. Without any account it uses the built-in store, which it serves
/// itself on a loopback address. Commands do the same, but never use the last session.
#[derive(Debug, Parser)]
#[command(name = "filedeck", version, after_long_help = after_help(), max_term_width = 100)]
// Here they are of the screen alone: a command has them itself, or refuses them.
#[command(mut_args(|arg| arg.global(false)))]
#[command(after_help = "See 'filedeck --help' for accounts, environment variables and exit codes.")]
pub struct Arguments {
    /// Open the screen on a temporary store with sample files, which can be slow, flaky or limited
    #[arg(
        long,
        value_name = "MODE",
        require_equals = true,
        conflicts_with = "account"
    )]
    pub demo: Option<Option<DemoMode>>,

    /// Open the screen for a screen reader: plain lines of text, with the cursor on the current row
    #[arg(long)]
    pub plain: bool,

    #[command(flatten)]
    pub options: GlobalOptions,

    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(flatten)]
    Remote(Remote),
    #[command(flatten)]
    Local(Local),
}

impl Arguments {
    /// Parses a command line, which starts with the program's name.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut words: Vec<OsString> = words.into_iter().collect();
        // In `-lh`, as other programs have it, h is not help: sizes are readable anyway.
        for word in words.iter_mut().take_while(|word| *word != "--") {
            let letters = word.to_str().and_then(|word| word.strip_prefix('-'));
            if letters
                .is_some_and(|letters| ["lh", "hl", "lah", "alh", "lha", "sh"].contains(&letters))
            {
                *word = word.to_string_lossy().replace('h', "").into();
            }
        }
        token_argument::refuse(&words, Self::command)?;
        let matches = Self::command().try_get_matches_from(words.iter());
        let matches = matches.map_err(|error| {
            // The rest of the line tells the command.
            let lenient = Self::command()
                .ignore_errors(true)
                .try_get_matches_from(words);
            let at_hand = lenient
                .as_ref()
                .map_or_else(|_| Self::command(), command_at_hand);
            typed_word::advise(error, &at_hand)
        })?;
        let arguments = Self::from_arg_matches(&matches)?;
        let mistake = misplaced(&matches).or_else(|| arguments.check().err());
        match mistake {
            Some(message) => {
                Err(command_at_hand(&matches).error(ErrorKind::ArgumentConflict, message))
            }
            None => Ok(arguments),
        }
    }

    /// Checks what the grammar cannot express.
    fn check(&self) -> Result<(), String> {
        match &self.command {
            Some(Command::Remote(Remote::Limits(limits)))
                if limits.command.all_accounts && self.options.account.is_some() =>
            {
                Err(
                    "--all-accounts reads every configured account; --account cannot be used with it"
                        .to_owned(),
                )
            }
            Some(Command::Remote(command)) => command.check(),
            None if self.options.verbose => Err(
                "--verbose prints the requests of a command; --version prints the version"
                    .to_owned(),
            ),
            _ => Ok(()),
        }
    }

    pub fn format(&self) -> Format {
        match &self.command {
            Some(Command::Remote(command)) => command.format(),
            Some(Command::Local(command)) => command.format(),
            None => Format::default(),
        }
    }
}

/// Returns the command that was given, whose usage an error shows.
fn command_at_hand(mut matches: &ArgMatches) -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    while let Some((name, below)) = matches.subcommand() {
        let Some(subcommand) = command.find_subcommand(name).cloned() else {
            break;
        };
        (command, matches) = (subcommand, below);
    }
    command
}

/// Returns the refusal of an option that was given before a command that does not have it.
fn misplaced(matches: &ArgMatches) -> Option<String> {
    let (name, below) = matches.subcommand()?;
    let grammar = Arguments::command();
    let is_misplaced = |arg: &&clap::Arg| {
        let id = arg.get_id();
        matches.value_source(id.as_str()) == Some(ValueSource::CommandLine)
            && below.ids().all(|known| known != id)
    };
    let option = grammar.get_arguments().find(is_misplaced)?.get_long()?;
    Some(match option {
        "plain" | "demo" => format!("--{option} is for the screen, which opens without a command"),
        _ => format!("'filedeck {name}' has no option --{option}"),
    })
}

fn after_help() -> String {
    format!(
        "\
Remote paths are absolute (/marketing/logo.png); id:123 names a file or folder by its id.

Environment:
  FILEDECK_ACCOUNT        configured account to use
  FILEDECK_BASE_URL       address of a service; needs FILEDECK_TOKEN too
  FILEDECK_TOKEN          access token; alone, for https://api.hubapi.com
  FILEDECK_SERVICE_TOKEN  token that 'serve' asks for
  FILEDECK_CONFIG_DIR     config.toml, keys, tokens [$XDG_CONFIG_HOME/filedeck]
  FILEDECK_DATA_DIR       the built-in store [$XDG_DATA_HOME/filedeck]
  FILEDECK_STATE_DIR      unfinished work, favorites and logs [$XDG_STATE_HOME/filedeck]
  FILEDECK_LOG            what is logged, as in filedeck=debug
  FILEDECK_ALLOW_CORE     1: core files and tracers are let in, and see the token
  SSL_CERT_FILE           authorities to trust, as in --ca-cert
  HTTPS_PROXY, NO_PROXY   proxy of remote accounts, and hosts without one
  VISUAL, EDITOR          editor of 'config edit' and the screen [vi]
  NO_COLOR                anything: the screen uses no colors

Files:
  ~/.config/filedeck/config.toml    settings and accounts: 'config edit'
  ~/.config/filedeck/accounts.toml  accounts that filedeck adds, with tokens/
  ~/.config/filedeck/keys.toml      keys of the screen
  ~/.config/filedeck/themes/        themes of the screen
  ~/.local/share/filedeck/store/    the built-in store
  ~/.local/state/filedeck/          unfinished work, favorites and logs

{}",
        exit::HELP
    )
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn read(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::read(line.split(' ').map(OsString::from))
    }

    #[test]
    fn the_grammar_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[rstest]
    #[case::before_a_verb("filedeck --token canary ls")]
    #[case::after_a_verb("filedeck ls --token canary")]
    #[case::with_equals("filedeck serve --token=canary")]
    #[case::beside_another_mistake("filedeck ls --bogus --token=canary")]
    fn a_token_on_the_command_line_is_refused_and_not_repeated(#[case] line: &str) {
        let error = read(line).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        let message = error.to_string();
        assert!(message.contains("FILEDECK_TOKEN"), "{message}");
        assert!(!message.contains("canary"), "{message}");
    }

    #[rstest]
    #[case::unknown_verb("filedeck frobnicate")]
    #[case::unknown_option("filedeck ls --bogus")]
    #[case::relative_remote_path("filedeck ls marketing")]
    #[case::nothing_to_put("filedeck put /marketing")]
    #[case::nothing_to_get("filedeck get")]
    #[case::demo_with_a_verb("filedeck --demo ls")]
    #[case::plain_with_a_verb("filedeck --plain ls")]
    #[case::unknown_demo("filedeck --demo=broken")]
    #[case::serve_with_an_account("filedeck serve --account acme")]
    #[case::store_with_an_account("filedeck store verify --account acme")]
    #[case::serve_for_reading("filedeck serve --read-only")]
    #[case::store_for_reading("filedeck store verify --read-only")]
    #[case::backup_to_nowhere("filedeck store backup")]
    #[case::bad_listen_address("filedeck serve --listen everywhere")]
    #[case::bad_network("filedeck serve --import-allow 10.0.0.0/99")]
    #[case::name_for_several("filedeck put a b /x --name c")]
    #[case::unknown_access("filedeck put a /x --access hidden")]
    #[case::none_at_once("filedeck rm /x --jobs 0")]
    #[case::too_many_at_once("filedeck put a /x --jobs 33")]
    #[case::words_at_once("filedeck get /x --jobs all")]
    #[case::signed_for_too_long("filedeck url /x --for 7h")]
    #[case::unknown_copy("filedeck url /x --size huge")]
    #[case::enlarged_to_nothing("filedeck url /x --upscale")]
    #[case::one_of_all_accounts("filedeck --account acme limits --all-accounts")]
    #[case::associations_of_all_accounts("filedeck limits --all-accounts --associations 0-1")]
    #[case::percent_out_of_range("filedeck limits --fail-at 101")]
    fn a_wrong_command_line_exits_with_two(#[case] line: &str) {
        assert_eq!(read(line).unwrap_err().exit_code(), 2);
    }

    #[rstest]
    #[case::plain("filedeck --demo", None)]
    #[case::slow("filedeck --demo=slow", Some(DemoMode::Slow))]
    #[case::limited("filedeck --demo=limited", Some(DemoMode::Limited))]
    fn the_demo_takes_a_mode(#[case] line: &str, #[case] mode: Option<DemoMode>) {
        assert_eq!(read(line).unwrap().demo, Some(mode));
    }
}
