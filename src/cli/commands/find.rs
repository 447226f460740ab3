//! `filedeck find`: searches the whole account, and prints the results as they arrive.

use anyhow::Context as _;
use futures::{FutureExt as _, TryStreamExt as _};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc;

use crate::api::{Client, ServiceTime};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Style;
use crate::cli::locate::entry_path;
use crate::cli::output::{Output, OutputError};
use crate::cli::row;
use crate::cli::stderr::InvalidUsage;
use crate::engine::message::{Collection, Entry, Event, OpId, SessionId, Sort};
use crate::engine::ops::duplicates;
use crate::engine::ops::list::{self, ListMemory};
use crate::engine::ops::locate::with_paths_there;
use crate::engine::parts::Parts;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::query::{self, Query, QueryError};
use crate::tui::input::shell_words::quote;

const EXAMPLES: &str = "\
Examples:
  filedeck find 'size:>10M' type:image,movie '!in:/archive'
  filedeck find access:public,unlisted expires:never --json";

/// Find files and folders in the whole account
///
/// Prints one path per line, or columns on a terminal. Results are printed as they arrive.
#[derive(Debug, clap::Args)]
#[command(after_help = filters())]
pub struct Args {
    /// Parts of a name, and filters such as type:image size:>1M
    #[arg(required = true)]
    pub search: Vec<String>,
}

fn filters() -> String {
    let widest = query::filters()
        .map(|(key, _)| key.len())
        .max()
        .unwrap_or(0)
        + 1;
    let rows =
        query::filters().map(|(key, takes)| format!("  {:widest$} {takes}\n", format!("{key}:")));
    let rows = rows.collect::<String>();
    format!(
        "Filters, all of which must hold. A ! before a filter or a word leaves out what it finds. Quote\n\
         those with >, < or ! for the shell:\n{rows}\n{EXAMPLES}"
    )
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let query = read(&line(&self.search), context.client()).await?;
        let sort = query.order().unwrap_or_default();
        let mut output = context.output();
        let print: Print = match output.style() {
            Style::Json => |output, entry| output.json(entry),
            Style::Table => {
                output.line(&row::header())?;
                |output, entry| output.line(&row::found(entry))
            }
            Style::Lines => |output, entry| output.line(&entry_path(entry)),
        };
        let title = query.title().to_owned();
        let what = || format!("cannot find '{title}'");
        let of = with_paths_there(context.client(), Collection::Found(query))
            .await
            .with_context(what)?;
        if of.is_read_whole() {
            print_duplicates(context.client(), &of, &mut output, print)
                .await
                .with_context(what)?;
        } else {
            print_pages(context.client(), &of, sort, &mut output, print)
                .await
                .with_context(what)?;
        }
        Ok(Exit::Ok)
    }
}

/// Parses a search. Ages in it are relative to the service's clock, which is queried if it changes
/// the search: the responses to the search itself would tell the time too late.
async fn read(line: &str, client: &Client) -> anyhow::Result<Query> {
    let (zone, now) = (TimeZone::system(), Timestamp::now());
    let at = |now| Query::read(line, now, &zone).map_err(|error| InvalidUsage(in_words(&error)));
    let query = at(ServiceTime::new(now, SignedDuration::ZERO))?;
    if at(ServiceTime::new(now, SignedDuration::from_hours(24))).is_ok_and(|later| later == query) {
        return Ok(query);
    }
    let now = client
        .service_time()
        .await
        .with_context(|| format!("cannot find '{}'", query.title()))?;
    Ok(at(now)?)
}

fn in_words(error: &QueryError) -> String {
    match error {
        QueryError::Wildcard { pattern, .. } => {
            let pattern = quote(&format!("/**/{pattern}"));
            format!("{error}; filedeck ls {pattern} takes patterns")
        }
        error => error.to_string(),
    }
}

type Print = fn(&mut Output, &Entry) -> Result<(), OutputError>;

/// Joins words into a line. A single word is a line already; around several words, the shell has
/// removed the quotes.
fn line(words: &[String]) -> String {
    if let [line] = words {
        return line.clone();
    }
    let quoted = |word: &String| {
        if !word.contains(char::is_whitespace) {
            return word.clone();
        }
        let text = word.trim_start_matches(['!', '-']);
        let sign = word.strip_suffix(text).unwrap_or_default();
        match text.split_once(':') {
            Some((key, value)) if key.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                format!("{sign}{key}:\"{value}\"")
            }
            _ => format!("{sign}\"{text}\""),
        }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

async fn print_pages(
    client: &Client,
    of: &Collection,
    sort: Sort,
    output: &mut Output,
    print: Print,
) -> anyhow::Result<()> {
    let mut pages = list::pages(client, of, sort);
    while let Some(entries) = pages.try_next().await? {
        entries.iter().try_for_each(|entry| print(output, entry))?;
        output.flush()?;
    }
    Ok(())
}

/// Prints duplicates as the read of all files finds them.
async fn print_duplicates(
    client: &Client,
    of: &Collection,
    output: &mut Output,
    print: Print,
) -> anyhow::Result<()> {
    const PAGES_AHEAD: usize = 8;
    let (give, mut given) = mpsc::channel::<Vec<Entry>>(PAGES_AHEAD);
    let memory = ListMemory::default();
    let reading = async {
        // Dropping it at the end ends the printing.
        let parts = Parts::new(
            OpId {
                session: SessionId::FIRST,
                number: 1,
            },
            move |event| {
                let give = give.clone();
                async move {
                    if let Event::Part { entries, .. } = event {
                        // If printing has stopped, the read is ended, too.
                        let _ = give.send(entries).await;
                    }
                }
                .boxed()
            },
        );
        duplicates::read(client, &memory, of, &parts, &ProgressSink::none())
            .await
            .map_err(anyhow::Error::from)
    };
    let printing = async {
        while let Some(entries) = given.recv().await {
            entries.iter().try_for_each(|entry| print(output, entry))?;
            output.flush()?;
        }
        Ok(())
    };
    // If either fails, the other one ends instead of waiting for it.
    futures::try_join!(reading, printing).map(|_| ())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::a_line_of_its_own(&["logo type:image"], "logo type:image")]
    #[case::words(&["logo", "size:>1M"], "logo size:>1M")]
    #[case::left_out(&["!in:/my files", "!q3 report"], "!in:\"/my files\" !\"q3 report\"")]
    #[case::with_spaces(&["q3 report", "in:/my files"], "\"q3 report\" in:\"/my files\"")]
    fn words_of_the_shell_are_a_line(#[case] words: &[&str], #[case] expected: &str) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(line(&words), expected);
    }
}
