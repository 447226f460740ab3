//! The question before a command acts on items that were not named one by one.

use std::io::{self, IsTerminal as _};

use tokio::io::{AsyncBufReadExt as _, BufReader};

use super::named_job::NamedJob;
use super::stderr::{self, InvalidUsage, say};

// No doc comment: it would replace each command's own.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Confirmation {
    /// Do not ask; required without a terminal for deletions and for changes by a pattern
    #[arg(short, long)]
    pub yes: bool,
}

const NAMES_ASKED: usize = 10;

impl Confirmation {
    /// Asks before changing what patterns match; `action` is a verb such as `move`. Returns `false`
    /// after a no, and fails if no one can answer.
    pub async fn of_patterns(
        self,
        patterns: &[String],
        tasks: &[NamedJob],
        action: &str,
    ) -> anyhow::Result<bool> {
        if self.yes || patterns.is_empty() || tasks.is_empty() {
            return Ok(true);
        }
        let patterns = patterns.join(", ");
        if !can_ask() {
            let message = format!(
                "{patterns}: a pattern is asked about, and there is no terminal; use --yes"
            );
            return Err(InvalidUsage(message).into());
        }
        let them = if tasks.len() == 1 { "it" } else { "them" };
        say(&format!("{patterns}. Really {action} {them}?"));
        list(tasks.iter().map(|task| task.name.clone()));
        let is_agreed = agrees(action).await?;
        if !is_agreed {
            say(&format!("nothing was {action}d"));
        }
        Ok(is_agreed)
    }
}

/// Returns `true` if someone can answer a question.
pub fn can_ask() -> bool {
    io::stdin().is_terminal() && stderr::is_terminal()
}

/// Prints the first names and the number of the others.
pub fn list(names: impl ExactSizeIterator<Item = String>) {
    let more = names.len().saturating_sub(NAMES_ASKED);
    names
        .take(NAMES_ASKED)
        .for_each(|name| say(&format!("  {name}")));
    if more > 0 {
        say(&format!("  and {more} more"));
    }
}

/// Asks for a `y`, and returns `true` if that is the answer.
pub async fn agrees(action: &str) -> io::Result<bool> {
    say(&format!("Type y to {action}:"));
    let mut answer = String::new();
    BufReader::new(tokio::io::stdin())
        .read_line(&mut answer)
        .await?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
