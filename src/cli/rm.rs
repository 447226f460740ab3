//! `filedeck rm`: deletes files and folders, after asking.

use std::io::{self, IsTerminal as _};

use anyhow::Context as _;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio_util::sync::CancellationToken;

use super::exit::Exit;
use super::locate::{Located, locate};
use super::output::{Form, Output, OutputError};
use super::remote::Remote;
use super::session::Session;
use super::talk::{self, UsageError, say};
use super::tally::{Tally, attempt};
use crate::api::ids::FileId;
use crate::api::{Client, Error, Kind};
use crate::engine::message::Target;
use crate::engine::ops::edit;
use crate::engine::{Item, Journal, Report};

/// Delete files and folders
///
/// A deleted file stops resolving at once; the service keeps its bytes privately, and there is no call that restores
/// it. A folder goes with everything in it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Paths or ids
    #[arg(required = true, value_name = "REMOTE")]
    pub remotes: Vec<Remote>,

    /// Delete files for good: content and metadata are gone within 7 days
    #[arg(long)]
    pub permanent: bool,

    /// Do not ask. Needed where no terminal is there to ask on
    #[arg(short, long)]
    pub yes: bool,

    /// Print what was deleted as one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// How many names the question lists.
const NAMES_ASKED: usize = 10;

/// Looks everything up, asks, then deletes one after the other.
pub async fn run(args: Args, session: &Session) -> anyhow::Result<Exit> {
    session.check_writable().context("nothing was deleted")?;
    let can_ask = io::stdin().is_terminal() && talk::is_terminal();
    if !args.yes && !can_ask {
        return Err(
            UsageError("rm asks before it deletes, and there is no terminal to ask on; say --yes".to_owned()).into()
        );
    }
    let mut tally = Tally::new(Form::from_flag(args.json), args.remotes.len());
    let mut targets = Vec::new();
    for remote in &args.remotes {
        match find(&session.client, remote, args.permanent).await {
            Ok(target) => targets.push(target),
            Err(error) => {
                if tally.failed(&format!("cannot delete {remote}"), &error) {
                    return Ok(tally.finish());
                }
            }
        }
    }
    if targets.is_empty() {
        return Ok(tally.finish());
    }
    if !args.yes && !is_confirmed(&targets, args.permanent).await? {
        say("nothing was deleted");
        tally.finish();
        return Ok(Exit::Failed);
    }
    let journal = if args.permanent { Some(session.journal().await.context("nothing was deleted")?) } else { None };
    let mut output = Output::default();
    for target in targets {
        tally.begin(format!("{}, which may be deleted", target.path));
        match delete(&session.client, journal.as_ref(), &target, args.permanent).await {
            Ok(()) => {
                tally.done();
                print(&mut output, args.json, args.permanent, &target)?;
            }
            Err(error) => {
                if tally.failed(&attempt("delete", "deletion", &target.path, &error), &error) {
                    break;
                }
            }
        }
    }
    Ok(tally.finish())
}

/// Finds what to delete. An id that nothing can be read of is left to the service to judge: it may be that of a file that
/// was deleted before, or that this token cannot read.
async fn find(client: &Client, remote: &Remote, permanent: bool) -> Result<Item, Error> {
    let located = match (locate(client, remote).await, remote) {
        (Err(error), Remote::Id(id)) if matches!(error.kind, Kind::NotFound | Kind::Forbidden) => {
            return Ok(item(Target::File(FileId::new(id)), remote.to_string()));
        }
        (located, _) => located?,
    };
    // As the question and the answer show it; a folder's ends with a slash.
    let path = located.to_string();
    match located {
        Located::Root => Err(Error::new(Kind::Refused, "the root folder cannot be deleted")),
        Located::Folder(_) if permanent => {
            Err(Error::new(Kind::Refused, "it is a folder, and only files can be deleted permanently"))
        }
        Located::Folder(folder) => Ok(item(Target::Folder(folder.id), path)),
        Located::File(file) => Ok(item(Target::File(file.id), path)),
    }
}

fn item(target: Target, path: String) -> Item {
    Item { target, name: path.clone(), path, size: None }
}

/// Deletes one. A permanent deletion leaves its receipt in the journal.
async fn delete(client: &Client, journal: Option<&Journal>, item: &Item, permanent: bool) -> Result<(), Error> {
    let items = vec![item.clone()];
    let mut deleted = edit::delete(client, journal, items, permanent, &CancellationToken::new(), &Report::none()).await;
    deleted.failed.pop().map_or(Ok(()), |(_, error)| Err(error))
}

async fn is_confirmed(targets: &[Item], permanent: bool) -> io::Result<bool> {
    let count = if targets.len() == 1 { "this".to_owned() } else { format!("these {}", targets.len()) };
    say(&if permanent {
        format!("Delete {count} for good? Content and metadata are gone within 7 days.")
    } else {
        format!("Delete {count}? The service has no call that restores what is deleted.")
    });
    for target in targets.iter().take(NAMES_ASKED) {
        say(&format!("  {}", target.path));
    }
    if targets.len() > NAMES_ASKED {
        say(&format!("  and {} more", targets.len() - NAMES_ASKED));
    }
    say("Type y to delete:");
    let mut answer = String::new();
    BufReader::new(tokio::io::stdin()).read_line(&mut answer).await?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn print(
    output: &mut Output,
    json: bool,
    permanent: bool,
    Item { target, path, .. }: &Item,
) -> Result<(), OutputError> {
    let id = match target {
        Target::Folder(id) => id.as_str(),
        Target::File(id) => id.as_str(),
    };
    if json {
        let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
        output.json(&json!({ "id": id, "path": path, "archived": true, "permanent": permanent }))?;
    } else {
        output.line(path)?;
    }
    output.flush()
}
