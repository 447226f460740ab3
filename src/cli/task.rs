//! `filedeck task`: the state of a task of the service.

use anyhow::Context as _;

use super::exit::Exit;
use super::output::Output;
use super::session::Session;
use crate::api::ids::TaskId;
use crate::engine::ops::service_task::by_id;

/// Show the status of an import or a folder change
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of the task: the tasks on the screen and the errors of imports show it
    #[arg(value_name = "ID", allow_hyphen_values = true, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub id: String,

    /// Print it as one JSON object, as the service describes it
    #[arg(long)]
    pub json: bool,
}

/// Prints state, times, result and errors.
pub async fn run(args: Args, session: &Session) -> anyhow::Result<Exit> {
    let id = TaskId::new(&args.id);
    let task = Box::pin(by_id(&session.client, &id)).await.with_context(|| format!("cannot show the task {id}"))?;
    let mut output = Output::default();
    if args.json {
        output.json(&task)?;
    } else {
        for line in task.lines(Some(&id), |time| time.to_string()) {
            output.line(&line)?;
        }
    }
    output.flush()?;
    Ok(Exit::Ok)
}
