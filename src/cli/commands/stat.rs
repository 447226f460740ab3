//! `filedeck stat`: everything that the service tells about files and folders.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::api::model::{File, Folder};
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Style;
use crate::cli::locate::{Located, file_path, folder_path};
use crate::cli::look_up::look_up;
use crate::cli::output::{Output, OutputError, size};
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::engine::message::Entry;
use crate::tui::widget::figures::grouped;

const EXAMPLES: &str = "\
Examples:
  filedeck stat /marketing/logo.png
  filedeck stat id:4711 '/legal/*' --json";

/// Show all facts about files and folders
///
/// One fact per line: a label and a value. Times are those of this machine's zone on a terminal,
/// and UTC elsewhere.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths, ids or patterns
    #[arg(required = true, value_name = "REMOTE", add = Completes::Remote)]
    pub remotes: Vec<RemotePattern>,

    #[command(flatten)]
    pub patterns: PatternOptions,
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let (mut output, mut tally) = (context.output(), context.tally(0));
        let found = look_up(context, &self.remotes, self.patterns, &mut tally, "show").await;
        for (number, located) in found.iter().flat_map(|found| &found.all).enumerate() {
            if number > 0 && output.style() != Style::Json {
                output.line("")?;
            }
            match located {
                Located::Root => output.item(&serde_json::json!({ "path": "/" }), || {
                    "Path       /".to_owned()
                })?,
                Located::Entry(entry) if output.style() == Style::Json => output.json(entry)?,
                Located::Entry(Entry::Folder(folder)) => {
                    print(&mut output, &of_folder(folder, context))?;
                }
                Located::Entry(Entry::File(file)) => print(&mut output, &of_file(file, context))?,
            }
            tally.done();
        }
        output.flush()?;
        Ok(tally.finish())
    }
}

type Facts = Vec<(&'static str, Option<String>)>;

/// Prints facts; those that are not known have no line.
fn print(output: &mut Output, facts: &Facts) -> Result<(), OutputError> {
    let mut known = facts
        .iter()
        .filter_map(|(label, value)| Some((label, value.as_ref()?)));
    known.try_for_each(|(label, value)| output.line(&format!("{label:<10} {value}")))
}

fn of_folder(folder: &Folder, context: &CommandContext) -> Facts {
    let time = |time| written(time, context);
    vec![
        ("Path", Some(folder_path(folder))),
        ("Kind", Some("folder".to_owned())),
        ("Id", Some(folder.id.to_string())),
        (
            "Parent id",
            folder.parent_folder_id.as_ref().map(ToString::to_string),
        ),
        ("Created", time(folder.created_at)),
        ("Updated", time(folder.updated_at)),
        ("Archived", time(folder.archived_at)),
    ]
}

fn of_file(file: &File, context: &CommandContext) -> Facts {
    let time = |time| written(time, context);
    let bytes = |bytes| {
        if context.is_terminal() {
            format!("{} ({} bytes)", size(bytes), grouped(bytes))
        } else {
            bytes.to_string()
        }
    };
    let access = file
        .access
        .as_ref()
        .map(|level| format!("{} ({level})", level.word()));
    vec![
        ("Path", Some(file_path(file))),
        (
            "Kind",
            Some(
                file.kind
                    .as_ref()
                    .map_or_else(|| "file".to_owned(), |kind| format!("file ({kind})")),
            ),
        ),
        ("Id", Some(file.id.to_string())),
        (
            "Parent id",
            file.parent_folder_id.as_ref().map(ToString::to_string),
        ),
        ("Size", file.size.map(bytes)),
        (
            "Pixels",
            file.width
                .zip(file.height)
                .map(|(width, height)| format!("{width} x {height}")),
        ),
        ("Encoding", file.encoding.clone()),
        ("MD5", file.file_md5.clone()),
        ("Access", access),
        (
            "Usable",
            file.is_usable_in_content
                .map(|usable| if usable { "yes" } else { "no" }.to_owned()),
        ),
        ("Address", file.url.clone()),
        ("Created", time(file.created_at)),
        ("Updated", time(file.updated_at)),
        (
            "Expires",
            Some(time(file.expires_at).unwrap_or_else(|| "never".to_owned())),
        ),
        ("Archived", time(file.archived_at)),
        ("Source", file.source_group.clone()),
    ]
}

fn written(time: Option<Timestamp>, context: &CommandContext) -> Option<String> {
    let local = |time: Timestamp| {
        time.to_zoned(TimeZone::system())
            .strftime("%Y-%m-%d %H:%M:%S %Z")
            .to_string()
    };
    time.map(|time| {
        if context.is_terminal() {
            local(time)
        } else {
            time.to_string()
        }
    })
}
