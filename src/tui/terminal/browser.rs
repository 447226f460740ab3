//! The user's browser, where this machine has one to show.

use std::io;
use std::process::Stdio;

use super::editor::SECRETS;

/// Opens an address without waiting for the browser. Fails with what to tell the user.
pub fn open(address: &str) -> Result<(), String> {
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return Err("it is not a web address".to_owned());
    }
    if !has_screen() {
        return Err("there is no display for a browser".to_owned());
    }
    let mut problem = io::Error::other("no browser was found");
    for mut command in open::commands(address) {
        for name in SECRETS {
            command.env_remove(name);
        }
        match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
            Ok(mut browser) => {
                // Nobody waits for it, but its end has to be taken.
                std::thread::spawn(move || browser.wait());
                return Ok(());
            }
            Err(error) => problem = error,
        }
    }
    Err(problem.to_string())
}

/// Over SSH the screen is elsewhere.
fn has_screen() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_graphical = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    if cfg!(any(target_os = "macos", windows)) {
        !is_set("SSH_CONNECTION")
    } else {
        is_graphical || is_set("WSL_DISTRO_NAME")
    }
}
