//! The features of the terminal that the screen uses: characters, colors, pictures, a clipboard.

use std::io::{self, IsTerminal as _};
use std::process::Command;

use super::diagnosis::{Diagnosis, Health, fail, finding, ok, warn};
use crate::cli::setup::Setup;
use crate::tui::style::theme::Depth;
use crate::tui::terminal::editor::SECRETS;
use crate::tui::terminal::probe::{self, Probe, Protocol};

pub(super) fn checks(setup: &Setup) -> Vec<Diagnosis> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let says = "input or output is no terminal, so the screen's needs were not checked";
        return vec![ok("terminal", says)];
    }
    let term = std::env::var("TERM").unwrap_or_default();
    let depth = if setup.environment.no_color {
        Depth::Mono
    } else {
        Depth::detect()
    };
    let probe = probe::ask_outside_the_screen();
    vec![
        terminal(&term, setup.environment.utf8),
        colors(depth),
        pictures(&probe),
        clipboard(&term, &probe, tmux_option),
    ]
}

fn terminal(term: &str, utf8: bool) -> Diagnosis {
    match (term, utf8) {
        ("" | "dumb", _) => {
            let says = format!(
                "TERM is '{term}', and the screen must move the cursor: set TERM, or use commands"
            );
            fail("terminal", says)
        }
        (_, false) => {
            let says = format!(
                "TERM is '{term}'; the locale has no UTF-8, so symbols are ASCII: set LANG"
            );
            warn("terminal", says)
        }
        (_, true) => ok("terminal", format!("TERM is '{term}', with UTF-8")),
    }
}

fn colors(depth: Depth) -> Diagnosis {
    let says = match depth {
        Depth::True => "16 million",
        Depth::Indexed => "256; where the terminal has more, set COLORTERM=truecolor",
        Depth::Ansi => {
            "16, so most themes look alike; where the terminal has more, set COLORTERM=truecolor"
        }
        Depth::Mono => "none: NO_COLOR is set, or TERM names a terminal without colors",
    };
    ok("colors", says)
}

fn pictures(probe: &Probe) -> Diagnosis {
    let says = match (probe.protocol, probe.is_tmux) {
        (Some(Protocol::Kitty), _) => "drawn in pixels, as kitty takes them",
        (Some(Protocol::Iterm2), _) => "drawn in pixels, as iTerm2 takes them",
        (Some(Protocol::Sixel), _) => "drawn in pixels, as sixel",
        (None, false) => "drawn as blocks of text: the terminal takes no pixels",
        (None, true) => {
            "drawn as blocks of text; tmux hands pixels on with 'set -g allow-passthrough on', if the terminal takes them"
        }
    };
    ok("pictures", says)
}

fn clipboard(term: &str, probe: &Probe, tmux: impl Fn(&str) -> Option<String>) -> Diagnosis {
    let is_on = |option| tmux(option).is_some_and(|value| ["on", "all"].contains(&value.as_str()));
    let (health, says) = match (term, probe.is_tmux) {
        ("linux", _) => (
            Health::Warn,
            "this console has none: 'filedeck url' prints links",
        ),
        (_, true) if probe.has_clipboard || is_on("set-clipboard") => {
            (Health::Ok, "copies go to tmux, which takes them")
        }
        (_, true) if is_on("allow-passthrough") => (
            Health::Ok,
            "copies go through tmux to the terminal; not known until tried whether that takes them",
        ),
        (_, true) => (
            Health::Warn,
            "tmux takes no copies: 'set -g set-clipboard on' in ~/.tmux.conf changes that",
        ),
        (_, false) if probe.has_clipboard => (
            Health::Ok,
            "copies go to the terminal (OSC 52), which takes them",
        ),
        (_, false) => (
            Health::Ok,
            "copies go to the terminal (OSC 52); not known until tried whether it takes them: its settings may have to allow it",
        ),
    };
    finding(health, "clipboard", says)
}

/// Asks tmux for the value of an option.
fn tmux_option(name: &str) -> Option<String> {
    let mut command = Command::new("tmux");
    for secret in SECRETS {
        command.env_remove(secret);
    }
    let answer = command.args(["show-options", "-gqv", name]).output().ok()?;
    Some(String::from_utf8(answer.stdout).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_screen_cannot_do_without_fails_and_the_rest_says_what_helps() {
        assert_eq!(terminal("dumb", true).state, Health::Fail);
        assert_eq!(terminal("xterm", false).state, Health::Warn);
        assert_eq!(terminal("xterm-256color", true).state, Health::Ok);
        assert!(colors(Depth::Ansi).says.contains("COLORTERM=truecolor"));
        let in_tmux = Probe {
            is_tmux: true,
            ..Probe::default()
        };
        assert!(pictures(&in_tmux).says.contains("allow-passthrough"));
        assert!(!pictures(&Probe::default()).says.contains("tmux"));
    }
    #[test]
    fn a_clipboard_is_there_if_the_terminal_or_tmux_takes_copies() {
        let probe = |is_tmux, has_clipboard| Probe {
            has_clipboard,
            is_tmux,
            ..Probe::default()
        };
        let asked = |term: &str, probe: &Probe, on: &str| {
            let option = |name: &str| Some(if name == on { "on" } else { "off" }.to_owned());
            clipboard(term, probe, option)
        };
        assert_eq!(asked("linux", &probe(false, false), "").state, Health::Warn);
        let in_tmux = asked("tmux-256color", &probe(true, false), "");
        assert_eq!(in_tmux.state, Health::Warn);
        assert!(in_tmux.says.contains("set-clipboard on"));
        for (probe, on, says) in [
            (
                probe(true, false),
                "set-clipboard",
                "tmux, which takes them",
            ),
            (probe(true, true), "", "tmux, which takes them"),
            (probe(true, false), "allow-passthrough", "through tmux"),
            (probe(false, true), "", "OSC 52), which takes them"),
            (probe(false, false), "", "not known until tried"),
        ] {
            let found = asked("xterm", &probe, on);
            assert_eq!(found.state, Health::Ok);
            assert!(found.says.contains(says), "{}", found.says);
        }
    }
}
