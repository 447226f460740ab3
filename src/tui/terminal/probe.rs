//! Queries the terminal once, before anything else reads its input: its background, its picture
//! protocol and the size of a cell. One query, 150 ms at most, no thread. Keys typed meanwhile are
//! passed on.

#[cfg_attr(not(unix), expect(dead_code, reason = "only Unix terminals are asked"))]
mod answers;
mod color;
mod late;
#[cfg(unix)]
mod terminal;
mod typed;

use std::io::{self, IsTerminal};

use crossterm::event::Event as Input;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use self::answers::{Answers, Reader};
pub use color::Rgb;
pub use late::Late;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Kitty,
    Iterm2,
    Sixel,
}

/// The known properties of the terminal; empty for one that does not answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Probe {
    pub background: Option<Rgb>,
    /// The picture protocol; `None` if pictures can only be drawn as block characters.
    pub protocol: Option<Protocol>,
    /// The width and height of a cell in pixels.
    pub cell: Option<(u16, u16)>,
    /// Set for a terminal that is known to draw the blocks of six dots by itself: a font may lack
    /// them.
    pub has_sextants: bool,
    /// Set if the terminal, or tmux, says that it takes copied text.
    pub has_clipboard: bool,
    /// Set in tmux, where sequences that tmux does not know must be wrapped to get through.
    pub is_tmux: bool,
}

#[derive(Debug)]
pub struct ProbeOutcome {
    pub probe: Probe,
    /// Keys and pasted text that arrived meanwhile.
    pub typed: Vec<Input>,
    /// Filters answers that arrive later.
    pub late: Late,
}

/// Queries the terminal, which must be in raw mode. The screen must be repainted afterwards.
pub fn ask() -> ProbeOutcome {
    let around =
        TerminalEnvironment::new(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let mut reader = Reader::default();
    let is_asked = around.may_ask() && io::stdout().is_terminal();
    if is_asked {
        exchange(&around.query(), &mut reader);
    }
    let (answers, typed) = reader.end();
    let cell = answers.cell.or_else(cell_of_the_window);
    let probe = Probe {
        background: answers.background,
        protocol: around.protocol(&answers),
        has_sextants: around.has_sextants(&answers),
        cell,
        has_clipboard: answers.clipboard,
        is_tmux: around.is_tmux,
    };
    let late = Late::new(is_asked && !answers.is_over);
    ProbeOutcome {
        probe,
        typed: typed::inputs(&typed),
        late,
    }
}

/// Queries the terminal before the screen is set up. Standard input and output must be the
/// terminal.
pub fn ask_outside_the_screen() -> Probe {
    if enable_raw_mode().is_err() {
        return Probe::default();
    }
    let asked = ask();
    // The terminal is gone if that fails.
    let _ = disable_raw_mode();
    asked.probe
}

#[cfg(unix)]
fn exchange(query: &str, reader: &mut Reader) {
    if let Err(error) = terminal::exchange(query, reader) {
        tracing::debug!("the terminal was not asked: {error}");
    }
}

/// Skipped on other systems, where the console answers in place of the terminal.
#[cfg(not(unix))]
fn exchange(_query: &str, _reader: &mut Reader) {}

fn cell_of_the_window() -> Option<(u16, u16)> {
    let window = crossterm::terminal::window_size().ok()?;
    let (width, height) = (
        window.width.checked_div(window.columns)?,
        window.height.checked_div(window.rows)?,
    );
    (width > 0 && height > 0).then_some((width, height))
}

#[derive(Debug)]
struct TerminalEnvironment {
    /// Set for a terminal that swallows queries, or prints those that it does not know.
    is_simple: bool,
    is_tmux: bool,
    program: String,
}

/// Terminals that support only iTerm2's picture protocol, or support it best.
const LIKE_ITERM2: [&str; 9] = [
    "iTerm",
    "WezTerm",
    "Konsole",
    "mintty",
    "vscode",
    "Tabby",
    "Hyper",
    "rio",
    "WarpTerminal",
];

/// Terminals that draw blocks of six dots in every version that says its name.
const WITH_SEXTANTS: [&str; 6] = ["kitty", "foot", "WezTerm", "ghostty", "contour", "VTE"];

impl TerminalEnvironment {
    fn new(variable: impl Fn(&str) -> Option<String>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let program: String = ["TERM_PROGRAM", "LC_TERMINAL"]
            .into_iter()
            .filter_map(&variable)
            .collect();
        let konsole = variable("KONSOLE_VERSION").map(|_| "Konsole".to_owned());
        Self {
            is_simple: matches!(term.as_str(), "" | "dumb" | "linux")
                || variable("NO_COLOR").is_some(),
            is_tmux: variable("TMUX").is_some(),
            program: konsole.unwrap_or(program),
        }
    }

    fn may_ask(&self) -> bool {
        !self.is_simple
    }

    /// The query; the part that every terminal answers comes last.
    fn query(&self) -> String {
        const BACKGROUND: &str = "\x1b]11;?\x1b\\";
        const OF_THE_TERMINAL: &str = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[>q\x1b[16t";
        if self.is_tmux {
            let inner = through_tmux(&format!("{OF_THE_TERMINAL}\x1b[5n"));
            format!("{BACKGROUND}\x1b[c{inner}")
        } else {
            format!("{BACKGROUND}{OF_THE_TERMINAL}\x1b[c\x1b[5n")
        }
    }

    /// The name of the terminal, by its answer or by the variables.
    fn name<'a>(&'a self, answers: &'a Answers) -> &'a str {
        // In tmux the variables name the terminal, but do not say whether tmux lets anything
        // through to it.
        if answers.name.is_empty() && !self.is_tmux {
            &self.program
        } else {
            &answers.name
        }
    }

    fn has_sextants(&self, answers: &Answers) -> bool {
        let name = self.name(answers);
        WITH_SEXTANTS.iter().any(|known| name.contains(known))
    }

    fn protocol(&self, answers: &Answers) -> Option<Protocol> {
        let name = self.name(answers);
        if LIKE_ITERM2.iter().any(|known| name.contains(known)) && self.may_ask() {
            return Some(Protocol::Iterm2);
        }
        match answers {
            Answers { kitty: true, .. } => Some(Protocol::Kitty),
            Answers { sixel: true, .. } => Some(Protocol::Sixel),
            _ => None,
        }
    }
}

/// Wraps a sequence for the terminal that tmux runs in.
pub fn through_tmux(sequence: &str) -> String {
    format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn around(variables: &[(&str, &str)]) -> TerminalEnvironment {
        TerminalEnvironment::new(|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[rstest]
    #[case::dumb(&[("TERM", "dumb")])]
    #[case::the_linux_console(&[("TERM", "linux")])]
    #[case::none(&[])]
    #[case::no_color(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")])]
    fn a_simple_terminal_is_not_asked(#[case] variables: &[(&str, &str)]) {
        assert!(!around(variables).may_ask());
    }

    #[rstest]
    #[case::nothing_known("xterm", "", (false, false), None)]
    #[case::kitty("xterm-kitty", "", (true, false), Some(Protocol::Kitty))]
    #[case::both("ghostty", "", (true, true), Some(Protocol::Kitty))]
    #[case::foot("foot", "", (false, true), Some(Protocol::Sixel))]
    #[case::told_by_its_name("xterm", "WezTerm 20240203", (true, true), Some(Protocol::Iterm2))]
    #[case::konsole("xterm", "Konsole 24.02", (true, true), Some(Protocol::Iterm2))]
    fn the_best_way_for_pictures_is_taken(
        #[case] term: &str,
        #[case] name: &str,
        #[case] (kitty, sixel): (bool, bool),
        #[case] expected: Option<Protocol>,
    ) {
        let answers = Answers {
            kitty,
            sixel,
            name: name.to_owned(),
            ..Answers::default()
        };
        assert_eq!(around(&[("TERM", term)]).protocol(&answers), expected);
    }

    #[rstest]
    #[case::by_its_program(&[("TERM", "xterm"), ("TERM_PROGRAM", "vscode")], Some(Protocol::Iterm2))]
    #[case::over_ssh(&[("TERM", "xterm"), ("LC_TERMINAL", "iTerm2")], Some(Protocol::Iterm2))]
    #[case::konsole(&[("TERM", "xterm"), ("KONSOLE_VERSION", "240202")], Some(Protocol::Iterm2))]
    #[case::behind_tmux(&[("TERM", "tmux"), ("LC_TERMINAL", "iTerm2"), ("TMUX", "x")], None)]
    #[case::without_colors(&[("TERM", "xterm"), ("TERM_PROGRAM", "vscode"), ("NO_COLOR", "1")], None)]
    fn the_environment_tells_of_a_terminal_that_says_nothing(
        #[case] variables: &[(&str, &str)],
        #[case] expected: Option<Protocol>,
    ) {
        assert_eq!(around(variables).protocol(&Answers::default()), expected);
    }

    #[rstest]
    #[case::by_its_answer("VTE(7600)", &[("TERM", "xterm-256color")], true)]
    #[case::by_a_variable("", &[("TERM", "xterm"), ("TERM_PROGRAM", "WezTerm")], true)]
    #[case::in_tmux_that_hands_nothing_on("", &[("TMUX", "x"), ("TERM_PROGRAM", "WezTerm")], false)]
    #[case::drawn_with_a_font("XTerm(390)", &[("TERM", "xterm")], false)]
    #[case::unknown("", &[("TERM", "xterm-256color")], false)]
    fn only_terminals_that_draw_sextants_get_them(
        #[case] name: &str,
        #[case] variables: &[(&str, &str)],
        #[case] expected: bool,
    ) {
        let answers = Answers {
            name: name.to_owned(),
            ..Answers::default()
        };
        assert_eq!(around(variables).has_sextants(&answers), expected);
    }

    #[test]
    fn tmux_hands_on_what_is_for_the_terminal_around_it() {
        let query = around(&[
            ("TERM", "tmux-256color"),
            ("TMUX", "/tmp/tmux-0/default,1,0"),
        ])
        .query();
        assert!(
            query.contains("\x1bPtmux;\x1b\x1b_Gi=31") && query.ends_with("\x1b\x1b[5n\x1b\\"),
            "{query:?}"
        );
        assert!(
            query.starts_with("\x1b]11;?"),
            "tmux itself knows the background"
        );
    }
}
