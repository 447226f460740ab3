//! Completion in real shells: words are typed, tab is pressed, and the completed line is run.

use std::path::Path;
use std::process::Command;

use rstest::rstest;

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service};
use crate::cli::disk::works;

fn with_file(name: &str) -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    let local = binary.write("local.txt", b"these are its bytes\n");
    binary
        .run(&[
            "put",
            local.to_str().unwrap(),
            "/box/my folder/",
            "--name",
            name,
        ])
        .expect(0);
    (service, binary)
}

fn shell(binary: &Binary, words: &[&str]) -> Pty {
    let ours = binary.command(&[]);
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(binary.work());
    for (name, value) in ours.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let programs = Path::new(ours.get_program()).parent().unwrap();
    let path = std::env::join_paths(
        [programs.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    command.env("FILEDECK_COMPLETE_WAIT", "30000");
    command
        .env("PATH", path.unwrap())
        .env("TERM", "xterm")
        .env("PS1", "ready> ")
        .env("HISTFILE", "/dev/null");
    Pty::spawn(in_terminal(&command), 160, 24)
}

#[rstest]
#[case::bash(&["bash", "--norc", "--noprofile", "-i"], "source <(filedeck completions bash)", "it's (1); \"a\":b!.txt")]
#[case::zsh(&["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -D; source <(filedeck completions zsh)",
    "it's $(touch pwned) `touch pwned`; \"a\":b!.txt"
)]
// Seen to fail at the first tab with the unmodified script of the library.
#[case::zsh_that_loads_it_by_name(&["zsh", "-f", "-i"],
    "mkdir own; filedeck completions zsh > own/_filedeck; fpath=($PWD/own $fpath); autoload -U compinit; compinit -u -D",
    "it's.b!.txt"
)]
#[case::fish(&["fish", "--no-config", "-i"], "filedeck completions fish | source",
    "it's $(touch pwned) (touch pwned); \"a\":b!.txt"
)]
fn a_path_of_the_account_is_completed_so_that_the_shell_takes_it_as_it_is(
    #[case] words: &[&str],
    #[case] setup: &str,
    #[case] name: &str,
) {
    if !works(&[words[0], "--version"]) {
        return;
    }
    let (_service, binary) = with_file(name);
    let mut pty = shell(&binary, words);
    pty.send(&format!("{setup}; echo it is set''tled\r"));
    pty.wait_for_text("it is settled");
    pty.send("filedeck cat /box/m\t");
    pty.wait_for_text("folder/");
    pty.send("i\t");
    pty.wait_for_text("!.txt");
    pty.send("\r");
    pty.wait_for_text("these are its bytes");
    assert!(!binary.work().join("pwned").exists(), "{}", pty.contents());
}
