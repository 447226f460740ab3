//! Runs the user's own editor on one file, in the terminal.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use tempfile::NamedTempFile;
use tokio::sync::oneshot;

use crate::engine::SessionId;
use crate::engine::text_file::{self, EditedText, private_folder};
use crate::tui::input::shell_words::{Word, words};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The session that the text belongs to.
    pub session: SessionId,
    pub text: EditedText,
}

/// Variables with secrets, which are not passed on to other programs.
pub const SECRETS: [&str; 2] = ["FILEDECK_TOKEN", "FILEDECK_SERVICE_TOKEN"];

/// Starts the editor on a plain thread, because nothing waits for it if the program ends first.
pub fn start(path: &Path) -> oneshot::Receiver<io::Result<ExitStatus>> {
    let ((end, ended), path) = (oneshot::channel(), path.to_owned());
    std::thread::spawn(move || end.send(run(&path)));
    ended
}

fn run(path: &Path) -> io::Result<ExitStatus> {
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|name| std::env::var_os(name).filter(|text| !text.is_empty()));
    let mut arguments = arguments(editor.unwrap_or_else(|| "vi".into())).into_iter();
    let mut command = Command::new(arguments.next().unwrap_or_else(|| "vi".into()));
    command.args(arguments).arg(path);
    for name in SECRETS {
        command.env_remove(name);
    }
    command.status()
}

/// A program and its arguments, as in `code --wait`. No shell is involved.
fn arguments(editor: OsString) -> Vec<OsString> {
    match editor.to_str() {
        Some(text) => words(text)
            .iter()
            .map(Word::text)
            .map(OsString::from)
            .collect(),
        None => vec![editor],
    }
}

/// The message about a failed editor; `None` on success.
pub fn failure(ended: io::Result<ExitStatus>) -> Option<String> {
    match ended {
        Ok(status) if status.success() => None,
        Ok(status) => Some(format!("the editor ended with {status}")),
        Err(error) => Some(format!("the editor could not be started: {error}")),
    }
}

/// Writes a text to a file that only its owner can read; it stays until it is discarded.
pub fn lay_out(name: &str, text: &str) -> io::Result<PathBuf> {
    let folder = private_folder(&std::env::temp_dir())?;
    let path = folder.path().join(name);
    let mut file = NamedTempFile::new_in(&folder)?;
    file.write_all(text.as_bytes())?;
    file.persist_noclobber(&path)?;
    let _ = folder.keep();
    Ok(path)
}

/// Removes an edited text with its folder.
pub fn discard(path: &Path) {
    if let Err(error) = text_file::discard(path) {
        tracing::warn!(%error, "the folder of an edited text was not removed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_may_have_arguments() {
        assert_eq!(arguments("code --wait".into()), ["code", "--wait"]);
        assert_eq!(
            arguments("'/opt/my editor' -f".into()),
            ["/opt/my editor", "-f"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_text_is_laid_out_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let path = lay_out("names.txt", "1  a.png\n").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1  a.png\n");
        discard(&path);
        assert!(!path.exists());
    }
}
