//! Advice for words that people know from other programs: the command that is meant.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Commands, each with the words for it in `rclone`, `aws s3`, `gh`, `hs`, `fd` and shells.
const WORDS: [(&str, &str); 21] = [
    ("ls", "list dir lsd lsf lsl lsjson ll"),
    ("find", "search grep locate fd dedupe query"),
    ("stat", "info show file md5sum sha1sum hashsum details"),
    ("cat", "view read less head print"),
    ("du", "size ncdu"),
    ("put", "upload push add send rcat touch filemanager"),
    ("get", "download fetch pull save"),
    ("copy", "cp copyto clone migrate transfer"),
    ("sync", "mirror rsync deploy"),
    ("diff", "check compare cryptcheck"),
    ("import", "copyurl curl wget"),
    ("mkdir", "mb md"),
    ("mv", "move rename moveto ren"),
    ("set", "chmod access permissions settier expire"),
    ("rm", "delete remove del rb unlink deletefile purge erase"),
    ("url", "link share sign presign publiclink"),
    ("tasks", "jobs queue history"),
    (
        "account",
        "accounts auth login logout configure authorize init profile whoami listremotes switch sandbox",
    ),
    ("doctor", "status health ping debug"),
    ("serve", "server mock start rcd"),
    ("man", "manual docs gendocs"),
];

/// Words for what the program does without a command, or by an option.
const OTHERS: [(&str, &str); 7] = [
    (
        "open browse ui tui gui",
        "'filedeck' without a command opens the screen",
    ),
    ("version", "'filedeck --version' prints the version"),
    (
        "rmdir",
        "'filedeck rm' deletes a folder with everything in it",
    ),
    (
        "bisync",
        "'filedeck sync' makes one folder like another, in one direction",
    ),
    (
        "mount",
        "'filedeck sync' and 'filedeck watch' keep folders alike; nothing is mounted",
    ),
    (
        "quota usage about df",
        "'filedeck limits' shows the CRM limits, and 'filedeck du' the bytes in folders",
    ),
    (
        "publish",
        "'filedeck set --access public' lets anybody read a file",
    ),
];

/// Options as they are typed, each with the words for it in the same programs. The first one that a
/// command has is meant.
const OPTIONS: [(&str, &str); 19] = [
    (
        "--jobs",
        "--transfers --checkers --concurrency --parallel --threads",
    ),
    ("--limit-rate", "--bwlimit --max-bandwidth --rate-limit"),
    ("--dry-run", "--dryrun --just-print --simulate --what-if"),
    ("--retry-failed", "--retries --retry"),
    ("--account", "--profile --portal --portal-id --use-account"),
    ("--access", "--acl --visibility"),
    ("--access public", "--public"),
    ("--access private", "--private"),
    ("--expires", "--ttl --expiry --expire"),
    (
        "--output",
        "--out --output-dir --dest --directory --destination",
    ),
    ("--include", "--filter --match --only"),
    ("--exclude", "--ignore --skip"),
    ("--on-clash replace", "--overwrite --clobber --force -f"),
    ("--on-clash skip", "--no-clobber --ignore-existing"),
    ("--yes", "--force -f --no-confirm --assume-yes"),
    ("--from-file", "--files-from --input-file --list --stdin"),
    ("--depth", "--max-depth --level"),
    ("--depth 0", "-s --summarize"),
    ("--quiet", "--silent --no-progress -s"),
];

/// Words for options that no command needs.
const NEEDLESS: [(&str, &str); 4] = [
    (
        "--checksum -c --size-only --check-first",
        "files are always compared by size, and by MD5 where both sides have it",
    ),
    (
        "--human-readable",
        "sizes have units on a terminal, and are bytes elsewhere",
    ),
    ("-y --yes --force -f", "this command asks no question"),
    (
        "-r -R --recursive",
        "'filedeck tree' and 'filedeck find' list what is below",
    ),
];

/// Options that delete, or let more be deleted: never advice for a word that is only like them.
const DELETING: [&str; 3] = ["--delete", "--max-delete", "--permanent"];

/// The most letters by which a mistyped option differs from the one that is meant: `--no-hidden` is
/// no mistake for `--hidden`.
const MOST_MISTYPED: usize = 2;

/// Replaces the tip of an error where it names something that nobody meant; `command` is the one
/// that was given.
pub(super) fn advise(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let tip = is_top(&error).then(|| tip(&error)).flatten();
            let similar = error.get(ContextKind::SuggestedSubcommand);
            if tip.is_some() || similar.is_some_and(|similar| similar.to_string() == "rm") {
                error.remove(ContextKind::SuggestedSubcommand);
            }
            tip
        }
        ErrorKind::UnknownArgument => {
            // "To pass '-l' as a value" is never right: no value begins with a hyphen here.
            let given = match error.remove(ContextKind::Suggested) {
                Some(ContextValue::StyledStrs(tips)) => {
                    tips.iter().map(ToString::to_string).collect()
                }
                _ => Vec::new(),
            };
            let is_right = |tip: &String| !tip.contains("as a value") && !names_deletion(tip);
            let tip = option_tip(&error, command).or_else(|| given.into_iter().find(is_right));
            let typed = text(&error, ContextKind::InvalidArg).unwrap_or_default();
            let is_wrong = |similar: String| {
                let distance = strsim::osa_distance(&typed, &similar);
                distance > MOST_MISTYPED || names_deletion(&similar)
            };
            if tip.is_some() || text(&error, ContextKind::SuggestedArg).is_some_and(is_wrong) {
                error.remove(ContextKind::SuggestedArg);
                // The one of the error has the option, too.
                let usage = ContextValue::StyledStr(command.clone().render_usage());
                error.insert(ContextKind::Usage, usage);
            }
            tip
        }
        _ => None,
    };
    if let Some(tip) = tip {
        let tips = vec![StyledStr::from(tip)];
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// Returns the option of the command that is meant by one that it does not have.
fn option_tip(error: &clap::Error, command: &clap::Command) -> Option<String> {
    let typed = text(error, ContextKind::InvalidArg)?;
    let word = typed.split('=').next()?;
    let has_word = |words: &str| words.split(' ').any(|known| known == word);
    let has_option = |shown: &str| {
        let long = shown.trim_start_matches("--").split(' ').next();
        command.get_arguments().any(|arg| arg.get_long() == long)
    };
    let meant = OPTIONS.iter().filter(|(_, words)| has_word(words));
    let meant = meant
        .map(|(option, _)| option)
        .find(|option| has_option(option));
    let mut needless = NEEDLESS.iter().filter(|(words, _)| has_word(words));
    match (meant, needless.next()) {
        (Some(option), _) => Some(format!("'{word}' is '{option}' here")),
        (None, Some((_, why))) => Some((*why).to_owned()),
        (None, None) => (command.get_name() == "find").then(|| {
            "'!' before a word or filter leaves out what it finds, as in '!type:image'".to_owned()
        }),
    }
}

fn tip(error: &clap::Error) -> Option<String> {
    let word = text(error, ContextKind::InvalidSubcommand)?.to_lowercase();
    let has_word = |words: &str| words.split(' ').any(|known| known == word);
    let command = WORDS.iter().find(|(_, words)| has_word(words));
    let other = || OTHERS.iter().find(|(words, _)| has_word(words));
    match command {
        Some((command, _)) => Some(format!("'{word}' is 'filedeck {command}' here")),
        None => other().map(|(_, advice)| (*advice).to_owned()),
    }
}

/// Returns `true` for the first word of the line: below a command, words mean other things.
fn is_top(error: &clap::Error) -> bool {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    usage.is_some_and(|usage| usage.contains("filedeck [OPTIONS]"))
}

fn names_deletion(tip: &str) -> bool {
    DELETING.iter().any(|option| tip.contains(option))
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::CommandFactory as _;
    use rstest::rstest;

    use super::*;
    use crate::cli::arguments::Arguments;

    fn refused(line: &str) -> String {
        let words = line.split(' ').map(OsString::from);
        let error = Arguments::read(words).err();
        error.map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn every_word_names_a_command_and_is_none_itself() {
        let grammar = Arguments::command();
        for (command, words) in WORDS {
            assert!(grammar.find_subcommand(command).is_some(), "{command}");
            for word in words.split(' ') {
                let refused = refused(&format!("filedeck {word}"));
                let tip = format!("'{word}' is 'filedeck {command}' here");
                assert!(refused.contains(&tip), "{refused}");
                assert!(!refused.contains("similar"), "{refused}");
            }
        }
        for (words, advice) in OTHERS {
            for word in words.split(' ') {
                let refused = refused(&format!("filedeck {word}"));
                assert!(refused.contains(advice), "{refused}");
            }
        }
    }

    // `--max-age` was answered with `--max-delete`.
    #[test]
    fn no_option_that_deletes_is_advice_for_another_one() {
        let mut grammar = Arguments::command();
        grammar.build();
        let commands = grammar.get_subcommands().map(clap::Command::get_name);
        for command in commands.chain([""]) {
            for option in DELETING {
                for end in 3..option.len() {
                    let typed: String = option.chars().take(end).chain(['x']).collect();
                    let line = format!("filedeck {command} {typed}").replace("  ", " ");
                    let refused = refused(&line);
                    for deleting in DELETING {
                        let rest = refused.replace(&typed, "");
                        assert!(!rest.contains(deleting), "{line}: {refused}");
                    }
                }
            }
        }
    }

    #[rstest]
    #[case::of_a_command("filedeck ls -z", "Usage: filedeck ls [OPTIONS]")]
    #[case::beyond_the_grammar("filedeck serve --read-only", "Usage: filedeck serve")]
    #[case::below_a_command("filedeck store verify --account acme", "Usage: filedeck store verify")]
    fn usage_is_that_of_the_command_at_hand(#[case] line: &str, #[case] usage: &str) {
        let refused = refused(line);
        assert!(refused.contains(usage), "{refused}");
        assert!(!refused.contains("as a value"), "{refused}");
    }

    #[test]
    fn an_option_of_a_command_is_still_named() {
        let refused = refused("filedeck --recursive ls");
        assert!(!refused.contains("as a value"), "{refused}");
        let refused = self::refused("filedeck --json ls");
        assert!(refused.contains("--json' exists"), "{refused}");
    }

    #[test]
    fn a_word_below_a_command_means_nothing_elsewhere() {
        let refused = refused("filedeck store delete");
        assert!(!refused.contains("filedeck rm"), "{refused}");
    }
}
