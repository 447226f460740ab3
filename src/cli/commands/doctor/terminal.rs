//! The features of the terminal that the screen uses: characters, colors, pictures, a clipboard.

use std::io::{self, IsTerminal as _};

use super::diagnosis::{Diagnosis, Health, finding};
use crate::cli::setup::Setup;
use crate::tui::style::theme::Depth;
use crate::tui::terminal::probe::{self, Probe, Protocol};

pub(super) fn checks(setup: &Setup) -> Vec<Diagnosis> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let says = "input or output is no terminal, so the screen's needs were not checked";
        return vec![finding(Health::Ok, "terminal", says)];
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
        clipboard(&term, probe.is_tmux),
    ]
}

fn terminal(term: &str, utf8: bool) -> Diagnosis {
    match (term, utf8) {
        ("" | "dumb", _) => {
            let says = format!(
                "TERM is '{term}', and the screen must move the cursor: set TERM, or use commands"
            );
            finding(Health::Fail, "terminal", says)
        }
        (_, false) => {
            let says = format!(
                "TERM is '{term}'; the locale has no UTF-8, so symbols are ASCII: set LANG"
            );
            finding(Health::Warn, "terminal", says)
        }
        (_, true) => finding(
            Health::Ok,
            "terminal",
            format!("TERM is '{term}', with UTF-8"),
        ),
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
    finding(Health::Ok, "colors", says)
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
    finding(Health::Ok, "pictures", says)
}

fn clipboard(term: &str, is_tmux: bool) -> Diagnosis {
    match (term, is_tmux) {
        ("linux", _) => finding(
            Health::Warn,
            "clipboard",
            "this console has none: 'filedeck url' prints links",
        ),
        (_, true) => {
            let says =
                "copies go through tmux to the terminal; tmux needs 'set -g allow-passthrough on'";
            finding(Health::Ok, "clipboard", says)
        }
        (_, false) => {
            let says = "copies go through the terminal (OSC 52); if nothing arrives, allow that in its settings";
            finding(Health::Ok, "clipboard", says)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_screen_cannot_do_without_fails_and_the_rest_says_what_helps() {
        assert_eq!(terminal("dumb", true).state, Health::Fail);
        assert_eq!(terminal("xterm", false).state, Health::Warn);
        assert_eq!(terminal("xterm-256color", true).state, Health::Ok);
        assert_eq!(clipboard("linux", false).state, Health::Warn);
        assert!(
            clipboard("tmux-256color", true)
                .says
                .contains("allow-passthrough")
        );
        assert!(colors(Depth::Ansi).says.contains("COLORTERM=truecolor"));
        let in_tmux = Probe {
            is_tmux: true,
            ..Probe::default()
        };
        assert!(pictures(&in_tmux).says.contains("allow-passthrough"));
        assert!(!pictures(&Probe::default()).says.contains("tmux"));
    }
}
