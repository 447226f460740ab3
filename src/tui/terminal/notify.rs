//! Notifies a user who looks elsewhere that long work has ended: with a bell, or a desktop
//! notification.

use crate::config::Notify;
use crate::tui::terminal::probe::through_tmux;

/// The control sequence for `words`, which must be safe to show; `None` if notifications are off.
pub fn sequence(method: Notify, words: &str, term: &str, is_tmux: bool) -> Option<String> {
    // A semicolon would end the text.
    let words = words.replace(';', ",");
    let sequence = match method {
        Notify::Off => return None,
        Notify::Bell => return Some("\x07".to_owned()),
        // These have no OSC 9, or use it for something else.
        Notify::Desktop
            if ["foot", "rxvt", "xterm-ghostty"]
                .iter()
                .any(|own| term.starts_with(own)) =>
        {
            format!("\x1b]777;notify;filedeck;{words}\x1b\\")
        }
        Notify::Desktop => format!("\x1b]9;{words}\x1b\\"),
    };
    Some(if is_tmux {
        through_tmux(&sequence)
    } else {
        sequence
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_is_told_in_its_own_way() {
        let sequence_for = |method, term, is_tmux| sequence(method, "Uploaded 2; 3", term, is_tmux);
        assert_eq!(sequence_for(Notify::Off, "xterm", false), None);
        assert_eq!(
            sequence_for(Notify::Bell, "foot", true).as_deref(),
            Some("\x07")
        );
        assert_eq!(
            sequence_for(Notify::Desktop, "xterm", false).as_deref(),
            Some("\x1b]9;Uploaded 2, 3\x1b\\")
        );
        let foot = "\x1b]777;notify;filedeck;Uploaded 2, 3\x1b\\";
        assert_eq!(
            sequence_for(Notify::Desktop, "foot-extra", false).as_deref(),
            Some(foot)
        );
        let wrapped = sequence_for(Notify::Desktop, "tmux-256color", true).unwrap();
        assert!(wrapped.starts_with("\x1bPtmux;\x1b\x1b]9;"), "{wrapped:?}");
    }
}
