//! The lines that `sync`, `diff` and their like print: steps, and paths that are left out.

use serde::Serialize;

use super::context::CommandContext;
use super::output::{Output, OutputError};
use super::stderr;
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::sync::{SyncAction, SyncStep};

#[derive(Debug, Serialize)]
struct StepLine<'a> {
    action: SyncAction,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// Prints a step, as in `+ a/b.png`; one that cannot be done, with the reason.
pub fn print(output: &mut Output, step: &SyncStep) -> Result<(), OutputError> {
    let message = step.refusal();
    let line = StepLine {
        action: step.action,
        path: &step.path,
        from: step.from.as_deref(),
        size: step.size,
        message,
    };
    output.item(&line, || {
        let why = message.map(|why| format!(": {why}")).unwrap_or_default();
        let from = step
            .from
            .as_ref()
            .map(|from| format!("{from} → "))
            .unwrap_or_default();
        format!("{} {from}{}{why}", sign(step.action), step.path)
    })
}

/// Prints steps that are not carried out.
pub fn print_all(context: &CommandContext, steps: &[SyncStep]) -> Result<(), OutputError> {
    let mut output = context.output();
    steps.iter().try_for_each(|step| print(&mut output, step))?;
    output.flush()
}

/// Prints the warnings of steps.
pub fn warn_of(context: &CommandContext, steps: &[SyncStep]) {
    for step in steps {
        if let Some(warning) = step.warning() {
            stderr::warn(context.format, &format!("{}: {warning}", step.path));
        }
    }
}

/// An item that was left out, as JSON.
#[derive(Debug, Serialize)]
struct LeftOutLine<'a> {
    action: &'static str,
    path: &'a str,
    reason: &'static str,
    message: String,
}

/// Prints what was left out on both sides: on standard error what no one asked to leave out, and
/// with `--json` also everything on standard output.
pub fn print_left_out(
    context: &CommandContext,
    left_out: &LeftOut,
    warnings: &[String],
) -> Result<(), OutputError> {
    for warning in warnings {
        stderr::warn(context.format, warning);
    }
    for (path, reason) in left_out.named() {
        let hint = if reason == Reason::Hidden {
            ": --hidden"
        } else {
            ""
        };
        stderr::warn(context.format, &format!("{path}: {reason}{hint}"));
    }
    let mut output = context.output();
    if context.format.json {
        for (path, reason) in &left_out.paths {
            let line = LeftOutLine {
                action: "leave-out",
                path,
                reason: reason.word(),
                message: reason.to_string(),
            };
            output.item(&line, String::new)?;
        }
    }
    output.flush()
}

pub fn sign(action: SyncAction) -> char {
    match action {
        SyncAction::Create | SyncAction::CreateFolder => '+',
        SyncAction::Replace => '~',
        SyncAction::Move => '>',
        SyncAction::Delete => '-',
        SyncAction::Clash => '!',
    }
}
