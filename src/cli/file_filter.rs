//! The options that choose files of folders, by pattern, size and age.

use std::io;
use std::path::Path;

use bytesize::ByteSize;
use jiff::{Span, Timestamp, Zoned};

use super::confirmation;
use super::recursion::Recursion;
use super::stderr::{self, InvalidUsage};
use crate::api::model::Access;
use crate::config::typed_file;
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::tree_filter::{FileBounds, HiddenNames, TreeFilter, TreeRules};

// No doc comment: it would replace each command's own.
#[derive(Debug, Default, clap::Args)]
pub struct PathPatterns {
    /// Of folders, include only files that match; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,

    /// Of folders, leave out files and folders that match; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,

    /// Leave out what matches the patterns in this file, one per line
    #[arg(long, value_name = "FILE", value_parser = Patterns::read)]
    pub exclude_from: Vec<Patterns>,

    #[command(flatten)]
    pub recursion: Recursion,
}

// No doc comment, as above.
#[derive(Debug, clap::Args)]
pub struct TreePatterns {
    #[command(flatten)]
    pub files: PathPatterns,

    /// Leave out what .gitignore files exclude, on both sides
    #[arg(long)]
    pub gitignore: bool,

    /// Also publish names that begin with a dot; without this, only private uploads send them
    #[arg(long)]
    pub hidden: bool,
}

// No doc comment, as above.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct SizeAndAge {
    /// Of folders, include only files of at least this size: 10K, 2MB
    #[arg(long, value_name = "SIZE")]
    pub min_size: Option<ByteSize>,

    /// Of folders, include only files of at most this size
    #[arg(long, value_name = "SIZE")]
    pub max_size: Option<ByteSize>,

    /// Of folders, include only files changed within this time: 12h, 7d, 2w
    #[arg(long, value_name = "TIME", value_parser = since)]
    pub max_age: Option<Timestamp>,
}

// No doc comment, as above.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct LocalLinks {
    /// Follow links in local folders to upload, to files and folders
    #[arg(short = 'L', long)]
    pub follow_links: bool,
}

/// The patterns of a file, without blank lines and those that begin with `#`.
#[derive(Debug, Clone)]
pub struct Patterns(Vec<String>);

impl Patterns {
    fn read(file: &str) -> Result<Self, String> {
        let text = typed_file::read(Path::new(file)).map_err(|error| error.to_string())?;
        let lines = text.lines().map(str::trim);
        let patterns = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Self(patterns.map(str::to_owned).collect()))
    }
}

impl PathPatterns {
    pub fn rules(&self) -> TreeRules {
        let listed = self.exclude_from.iter().flat_map(|patterns| &patterns.0);
        TreeRules {
            include: self.include.clone(),
            exclude: self.exclude.iter().chain(listed).cloned().collect(),
            ..TreeRules::default()
        }
    }
}

impl SizeAndAge {
    pub fn bounds(&self) -> FileBounds {
        FileBounds {
            least: self.min_size.map(|size| size.as_u64()),
            most: self.max_size.map(|size| size.as_u64()),
            changed_since: self.max_age,
        }
    }
}

impl TreePatterns {
    pub fn rules(&self, access: &Access) -> TreeRules {
        TreeRules {
            gitignore: self.gitignore,
            hidden: match () {
                () if self.hidden => HiddenNames::Published,
                () if access.is_public() => HiddenNames::LeftOut,
                () => HiddenNames::Private,
            },
            ..self.files.rules()
        }
    }

    /// Asks whether to publish hidden files, if someone can answer, and returns `true` for a yes.
    pub async fn asks_for_hidden(&self, left_out: &LeftOut) -> io::Result<bool> {
        let hidden: Vec<String> = left_out
            .named()
            .filter(|(_, reason)| *reason == Reason::Hidden)
            .map(|(path, _)| path.to_owned())
            .collect();
        if hidden.is_empty() || !confirmation::can_ask() {
            return Ok(false);
        }
        stderr::say("These are hidden, and anybody could read them:");
        confirmation::list(hidden.into_iter());
        confirmation::agrees("send them, too").await
    }

    /// Returns the rules as a filter; the error names the invalid pattern.
    pub fn filter(&self, access: &Access) -> Result<TreeFilter, InvalidUsage> {
        TreeFilter::new(&self.rules(access)).map_err(|error| InvalidUsage(error.message))
    }
}

/// Returns the beginning of a period that ends now.
fn since(period: &str) -> Result<Timestamp, String> {
    let span: Span = period
        .parse()
        .map_err(|_| "give a time such as 12h, 7d or 2w".to_owned())?;
    let begin = Zoned::now().checked_sub(span.abs());
    begin
        .map(|begin| begin.timestamp())
        .map_err(|_| "it is too long".to_owned())
}
