//! `filedeck url`: addresses of files, plain or signed.

use serde::Serialize;
use serde_json::Value;

use crate::api::model::{Access, File, SignedUrl, ThumbnailSize};
use crate::api::{Client, Error, Kind, SignedUrlOptions};
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::list_file::ListFile;
use crate::cli::locate::{file_path, locate_files};
use crate::cli::look_up::{collect, file_target};
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::stderr;
use crate::tui::input::period::read_seconds;

const EXAMPLES: &str = "\
Examples:
  filedeck url '/marketing/*.png'
  filedeck url /legal/contract.pdf --signed --for 20m";

/// Print the addresses of files
///
/// A public file has a plain address, which works as long as the file exists. The address of any
/// other file is signed: it works for a limited time, for everyone who has it. With --json, the
/// output also has the size in pixels and bytes, and the time until which the address works.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths, ids or patterns of files
    #[arg(required_unless_present = "from_file", value_name = "REMOTE", add = Completes::Remote)]
    pub remotes: Vec<RemotePattern>,

    /// Sign the addresses of public files too
    #[arg(long)]
    pub signed: bool,

    /// Lifetime of a signed address, at most 6 hours: 90s, 20m, 6h
    #[arg(long = "for", value_name = "TIME", default_value = "1h", value_parser = read_seconds)]
    pub seconds: u64,

    /// A smaller copy of a picture: icon, thumb, medium or preview; the address is signed
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub size: Option<ThumbnailSize>,

    /// Enlarge a picture that is smaller than the copy
    #[arg(long, requires = "size")]
    pub upscale: bool,

    /// Also print a property of the file, such as encoding, after a signed address; may be repeated
    #[arg(long = "property", value_name = "NAME")]
    pub properties: Vec<String>,

    #[command(flatten)]
    pub list: ListFile,

    #[command(flatten)]
    pub patterns: PatternOptions,
}

#[derive(Debug, Serialize)]
struct Addressed {
    id: String,
    path: String,
    #[serde(flatten)]
    signed: SignedUrl,
}

impl RemoteCommand for Args {
    async fn run(mut self, context: &CommandContext) -> anyhow::Result<Exit> {
        let remotes = self.list.remotes(std::mem::take(&mut self.remotes))?;
        let (mut output, mut tally) = (context.output(), context.tally(0));
        let find = async |remote: &RemotePattern| {
            let why = "it is a folder, and only files have addresses";
            locate_files(context.client(), remote, self.patterns, why).await
        };
        let command = "print the address of";
        let found = collect(&remotes, &mut tally, command, file_target, find).await;
        let (mut is_any_printed, mut failures) = (false, Vec::new());
        for file in found.iter().flat_map(|found| &found.all) {
            let addressed = address(context.client(), file, &self).await;
            if let Ok(addressed) = &addressed {
                is_any_printed = true;
                if context.format.json {
                    output.json(addressed)?;
                } else {
                    output.cells(&self.cells(addressed))?;
                }
                output.flush()?;
            }
            match addressed.and_then(|addressed| self.check_properties(&addressed)) {
                Ok(()) => tally.done(),
                Err(error) => {
                    let meets_all = error.meets_all();
                    failures.push((file_path(file), error));
                    if meets_all {
                        break;
                    }
                }
            }
        }
        tally.failed_items(command, failures);
        if is_any_printed && context.session.serves_local_store() {
            let line = "addresses stop working when this command ends; start 'filedeck serve' first to keep them working";
            stderr::note(context.format, line);
        }
        Ok(tally.finish())
    }
}

impl Args {
    /// Returns the address and the properties.
    fn cells(&self, Addressed { signed, .. }: &Addressed) -> Vec<String> {
        let values = self
            .properties
            .iter()
            .map(|name| match signed.others.get(name) {
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
                None => String::new(),
            });
        [signed.url.clone()].into_iter().chain(values).collect()
    }

    /// Fails if a property did not come.
    fn check_properties(&self, Addressed { signed, .. }: &Addressed) -> Result<(), Error> {
        let mut missing = self.properties.clone();
        missing.retain(|name| !signed.others.contains_key(name));
        if missing.is_empty() {
            return Ok(());
        }
        let why = if signed.expires_at.is_none() {
            "a plain address has none; --signed gets them"
        } else {
            "the service sent none"
        };
        let message = format!("it has no {}: {why}", missing.join(", "));
        Err(Error::new(Kind::NotFound, message))
    }
}

async fn address(client: &Client, file: &File, args: &Args) -> Result<Addressed, Error> {
    let plain = plain(file).filter(|_| !args.signed && args.size.is_none());
    let signed = if let Some(plain) = plain {
        plain
    } else {
        let signing = SignedUrlOptions {
            seconds: Some(args.seconds),
            size: args.size.clone(),
            upscale: args.upscale,
            properties: args.properties.clone(),
        };
        client.files().signed_url(&file.id, &signing).await?
    };
    Ok(Addressed {
        id: file.id.to_string(),
        path: file_path(file),
        signed,
    })
}

/// Returns a public file's own address, in the form of a signed one that never expires.
fn plain(file: &File) -> Option<SignedUrl> {
    file.access
        .as_ref()
        .filter(|access| Access::is_public(access))?;
    Some(SignedUrl {
        url: file.url.clone()?,
        expires_at: None,
        name: file.name.clone(),
        extension: file.extension.clone(),
        kind: file.kind.clone(),
        size: file.size,
        height: file.height,
        width: file.width,
        others: serde_json::Map::new(),
    })
}

fn size(text: &str) -> Result<ThumbnailSize, String> {
    match ThumbnailSize::from(text.to_lowercase().as_str()) {
        ThumbnailSize::Other(_) => Err("it must be icon, thumb, medium or preview".to_owned()),
        size => Ok(size),
    }
}
