//! Opens the user's browser, if this machine has a display for it.

use std::io;
use std::process::{Command, Stdio};

use super::editor::SECRETS;

/// Opens a URL without waiting for the browser. The error is a message for the user.
pub fn open(address: &str) -> Result<(), String> {
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return Err("it is not a web address".to_owned());
    }
    let own = std::env::var("BROWSER").unwrap_or_default();
    let commands = match named(&own, address) {
        commands if !commands.is_empty() => commands,
        _ if !has_screen() => {
            return Err("there is no display for a browser; set BROWSER to use one".to_owned());
        }
        _ => open::commands(address),
    };
    let mut problem = io::Error::other("no browser was found");
    for mut command in commands {
        for name in SECRETS {
            command.env_remove(name);
        }
        match command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
        {
            Ok(mut browser) => {
                // Nothing waits for the browser, but its exit status has to be collected.
                std::thread::spawn(move || browser.wait());
                return Ok(());
            }
            Err(error) => problem = error,
        }
    }
    Err(problem.to_string())
}

/// The commands in the variable `BROWSER`: separated by colons, with the URL in place of `%s` or at
/// the end.
fn named(browsers: &str, address: &str) -> Vec<Command> {
    let command = |text: &str| {
        let mut words = text.split_whitespace();
        let mut command = Command::new(words.next()?);
        command.args(words.clone().map(|word| word.replace("%s", address)));
        if !text.contains("%s") {
            command.arg(address);
        }
        Some(command)
    };
    browsers.split(':').filter_map(command).collect()
}

/// Returns `true` if a browser would be visible; over SSH the display is elsewhere.
fn has_screen() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_graphical = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    if cfg!(any(target_os = "macos", windows)) {
        !is_set("SSH_CONNECTION")
    } else {
        is_graphical || is_set("WSL_DISTRO_NAME")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browsers_of_the_environment_are_tried_in_their_order() {
        let lines = |text: &str| -> Vec<String> {
            let line = |command: &Command| {
                let words = [command.get_program()]
                    .into_iter()
                    .chain(command.get_args());
                words
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            named(text, "https://a.example/").iter().map(line).collect()
        };
        assert_eq!(
            lines("firefox --new-tab %s:lynx"),
            [
                "firefox --new-tab https://a.example/",
                "lynx https://a.example/"
            ]
        );
        assert_eq!(lines(""), [""; 0]);
    }
}
