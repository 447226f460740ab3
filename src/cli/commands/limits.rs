//! `filedeck limits`: the CRM limits reports, and a check for scripts.

use anyhow::Context as _;

use crate::api::model::{AssociationFlags, AssociationLimits, CustomPropertyLimits, ObjectTypeUsage};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::output::{Output, OutputError};
use crate::cli::stderr::say;
use crate::tui::widget::figures;

const EXAMPLES: &str = "\
Examples:
  filedeck limits
  filedeck limits --fail-at 90 --quiet";

/// Show how much of the CRM limits of the account is used
///
/// Prints the custom properties of each object type, the fullest first.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Show the object types with records near or at the association limit with this type, as in 0-1
    #[arg(long, value_name = "TYPE")]
    pub associations: Option<String>,

    /// Exit with 8 if any limit is used to this percentage or more. The association report knows 80 (near) and 100
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub fail_at: Option<u8>,
}

/// From this percentage on the association report calls a record near its limit (`contract.md#crm-limits`).
const NEAR: f64 = 80.0;
const FULL: f64 = 100.0;
const BAR_CELLS: u32 = 20;

impl RemoteCommand for Args {
    /// Prints the report, then says what reached the percentage.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let (args, json) = (self, context.format.json);
        let mut output = context.output();
        let reached: Vec<String> = if let Some(from) = &args.associations {
            let what = || format!("cannot read the association limits of {from}");
            let report = context.client().association_limits(from).await.with_context(what)?;
            print_associations(&mut output, json, from, &report)?;
            report.results.iter().filter_map(|flags| flagged(args.fail_at?, flags)).collect()
        } else {
            let report = context.client().custom_property_limits().await.context("cannot read the limits")?;
            print_properties(&mut output, json, &report)?;
            let types = report.by_object_type.iter().map(|usage| (usage.plural_label.as_str(), usage.percentage));
            let all = types.chain([("all custom properties", report.overall_percentage)]);
            all.filter_map(|(label, percentage)| reached(args.fail_at?, label, percentage)).collect()
        };
        output.flush()?;
        for words in &reached {
            say(&format!("filedeck: {words}"));
        }
        Ok(if reached.is_empty() { Exit::Ok } else { Exit::LimitReached })
    }
}

/// Says so, if the percentage is reached.
fn reached(fail_at: u8, label: &str, percentage: f64) -> Option<String> {
    let is_reached = percentage >= f64::from(fail_at);
    is_reached.then(|| format!("{label}: {} of the limit is used", figures::percent(percentage)))
}

/// The same of a report that has flags only; what it does not say may be anything.
fn flagged(fail_at: u8, flags: &AssociationFlags) -> Option<String> {
    let AssociationFlags { has_records_at_limit: at, has_records_near_limit: near, plural_label: label, .. } = flags;
    let least = match (at, near) {
        (Some(true), _) => FULL,
        (_, Some(true)) => NEAR,
        _ => 0.0,
    };
    let is_told = at.is_some() && (near.is_some() || f64::from(fail_at) >= FULL);
    let doubt = || (!is_told).then(|| format!("{label}: the report does not say how much of the limit is used"));
    reached(fail_at, label, least).or_else(doubt)
}

fn print_properties(output: &mut Output, json: bool, report: &CustomPropertyLimits) -> Result<(), OutputError> {
    if json {
        return output.json(report);
    }
    let mut types: Vec<&ObjectTypeUsage> = report.by_object_type.iter().collect();
    types.sort_by(|a, b| b.percentage.total_cmp(&a.percentage));
    let overall = (report.overall_usage, report.overall_limit);
    output.line(&line("all custom properties", "", report.overall_percentage, overall))?;
    for usage in types {
        let share = (usage.usage, usage.limit);
        output.line(&line(&usage.plural_label, &usage.object_type_id, usage.percentage, share))?;
    }
    Ok(())
}

fn line(label: &str, id: &str, percentage: f64, (usage, limit): (u64, u64)) -> String {
    format!("{label:<24} {id:<8} {} {:>6}  {usage} of {limit}", bar(percentage), figures::percent(percentage))
}

fn bar(percentage: f64) -> String {
    let filled = (1..=BAR_CELLS).filter(|cell| f64::from(*cell) * FULL <= percentage * f64::from(BAR_CELLS)).count();
    format!("[{:-<1$}]", "#".repeat(filled), BAR_CELLS as usize)
}

fn print_associations(
    output: &mut Output,
    json: bool,
    from: &str,
    report: &AssociationLimits,
) -> Result<(), OutputError> {
    if json {
        return output.json(report);
    }
    for flags in &report.results {
        let state = match (flags.has_records_at_limit, flags.has_records_near_limit) {
            (Some(true), Some(true)) => "AT and NEAR the limit",
            (Some(true), _) => "AT the limit",
            (Some(false), Some(true)) => "NEAR the limit",
            (None, Some(true)) => "NEAR the limit, and perhaps AT it",
            (Some(false), Some(false)) => "ok",
            (None, _) | (_, None) => "unknown: the report does not say",
        };
        output.line(&format!("{:<24} {:<8} {state}", flags.plural_label, flags.object_type_id))?;
    }
    if report.results.is_empty() {
        say(&format!("no object type has records near or at the association limit with {from}"));
    }
    Ok(())
}
