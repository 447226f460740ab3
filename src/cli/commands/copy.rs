//! `filedeck copy`: copies files and folders between accounts, or from or to this machine.

use std::path::PathBuf;

use anyhow::Context as _;

use clap::ValueEnum as _;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::{get, put};
use crate::cli::account_copy::AccountCopy;
use crate::cli::account_path::AccountPath;
use crate::cli::command::RemoteCommand;
use crate::cli::completion::Completes;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::file_filter::{LocalLinks, PathPatterns, SizeAndAge, TreePatterns};
use crate::cli::file_options::{DuplicatesIn, FileOptions, OnDuplicate};
use crate::cli::format::Format;
use crate::cli::list_file::ListFile;
use crate::cli::on_clash::OnClash;
use crate::cli::pattern::{PatternOptions, RemotePattern};
use crate::cli::remote::RemoteArgument;
use crate::cli::side_path::{SidePath, readings, refuse_local};
use crate::cli::stderr::InvalidUsage;
use crate::cli::work::BulkOptions;
use crate::engine::tree_filter::TreeRules;

const EXAMPLES: &str = "\
Examples:
  filedeck copy @sandbox:/launch @production:/marketing
  filedeck copy ./logo.png @acme:/brand/ --dry-run";

/// Copy files and folders between accounts, within one, or from or to this machine
///
/// A folder comes with everything in it. A file that exists with the same content is not copied
/// again: you can repeat a run that was cut short.
///
/// Between accounts, large files are fetched by the service, others are streamed through this
/// machine, and nothing of them is stored here. Access levels, times of expiry and use in content
/// come along; a level that cannot be set becomes private, and is named. Hidden files of the
/// service are not listed, and cannot be copied.
///
/// A path that begins with '/' is remote, any other is on this machine; put 'file:' before an
/// absolute one, and '@NAME:' before a path of another account. From and to this machine it works
/// as 'put' and 'get' do, which have more options.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files and folders to copy, by path or id
    #[arg(required = true, value_name = "SOURCE", add = Completes::EitherSide)]
    pub sources: Vec<SidePath>,

    /// Folder or path to copy to
    #[arg(value_name = "DEST", add = Completes::EitherSide)]
    pub dest: SidePath,

    /// Rule for a name that is taken by other content; 'stop' then does nothing at all, and exits
    /// with 7
    #[arg(long, value_name = "RULE", default_value = "stop", value_parser = rules())]
    pub on_clash: OnClash,

    #[command(flatten)]
    pub files: PathPatterns,

    #[command(flatten)]
    pub size_and_age: SizeAndAge,

    /// Write the old and the new address of each file to this file, as CSV, or as JSON lines if its
    /// name ends with .jsonl; between accounts only
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub map: Option<PathBuf>,

    #[command(flatten)]
    pub bulk: BulkOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
}

fn rules() -> impl clap::builder::TypedValueParser<Value = OnClash> {
    let values = [
        OnClash::Replace,
        OnClash::KeepBoth,
        OnClash::Skip,
        OnClash::Stop,
    ];
    let names = values.iter().filter_map(OnClash::to_possible_value);
    PossibleValuesParser::new(names).try_map(|name| OnClash::from_str(&name, false))
}

/// The sides of a copy.
enum Sides {
    Up(Vec<PathBuf>, RemoteArgument),
    Down(Vec<RemotePattern>, PathBuf),
    Accounts(Vec<AccountPath>, AccountPath),
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        self.sides().map(drop)
    }

    fn account(&self) -> Option<&str> {
        match &self.dest {
            SidePath::Local(_) => self.sources.first()?.account(),
            SidePath::Remote(path) => path.account.as_deref(),
        }
    }

    fn uses_chosen_account(&self) -> bool {
        let mut paths = self.sources.iter().chain([&self.dest]);
        paths.any(SidePath::is_of_chosen_account)
    }

    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let sides = self.sides().map_err(InvalidUsage)?;
        if let (Sides::Up(..), SidePath::Remote(dest)) = (&sides, &self.dest) {
            refuse_local(context, dest, true)
                .await
                .context("nothing was copied")?;
        }
        let Self {
            on_clash,
            files,
            size_and_age,
            map,
            bulk,
            dry_run,
            ..
        } = self;
        match sides {
            Sides::Up(locals, dest) => {
                let options = FileOptions {
                    access: None,
                    expires: None,
                    on_clash: Some(on_clash),
                    duplicates: OnDuplicate::None,
                    duplicates_in: DuplicatesIn::Account,
                };
                let put = put::Args {
                    locals,
                    list: ListFile::default(),
                    dest,
                    name: None,
                    again: false,
                    unnamed: false,
                    charset: None,
                    yes: false,
                    links: LocalLinks::default(),
                    size_and_age,
                    patterns: TreePatterns {
                        files,
                        gitignore: false,
                        hidden: false,
                    },
                    options,
                    bulk,
                    dry_run,
                };
                put.run(context).await
            }
            Sides::Down(remotes, output) => {
                let get = get::Args {
                    paths: remotes.into_iter().map(get::GetPath::Remote).collect(),
                    list: ListFile::default(),
                    output: Some(output),
                    on_clash,
                    patterns: PatternOptions::default(),
                    files,
                    gitignore: false,
                    size_and_age,
                    bulk,
                    dry_run,
                };
                get.run(context).await
            }
            Sides::Accounts(sources, dest) => {
                let copy = AccountCopy {
                    sources,
                    dest,
                    on_clash,
                    rules: TreeRules {
                        bounds: size_and_age.bounds(),
                        ..files.rules()
                    },
                    map,
                    bulk,
                    dry_run,
                };
                copy.run(context).await
            }
        }
    }
}

impl Args {
    /// Returns the sides; refuses sources of several, two folders of this machine, and paths that
    /// may be of either side.
    fn sides(&self) -> Result<Sides, String> {
        let (mut locals, mut remotes) = (Vec::new(), Vec::new());
        for source in &self.sources {
            match source {
                SidePath::Local(path) => locals.push(path.clone()),
                SidePath::Remote(path) => remotes.push(path.clone()),
            }
        }
        let is_mixed = !locals.is_empty() && !remotes.is_empty();
        let account = |path: &AccountPath| path.account.clone();
        if is_mixed
            || remotes
                .iter()
                .any(|path| account(path) != remotes.first().and_then(account))
        {
            let message = "the sources are on several sides; copy from one at a time";
            return Err(message.to_owned());
        }
        let sides = match &self.dest {
            SidePath::Remote(dest) if remotes.is_empty() => Sides::Up(locals, dest.remote.clone()),
            SidePath::Remote(dest) => {
                let open = remotes.iter().find_map(|source| readings(source, dest));
                open.map_or(Ok(()), Err)?;
                return Ok(Sides::Accounts(remotes, dest.clone()));
            }
            SidePath::Local(_) if remotes.is_empty() => {
                let message = "both sides are on this machine; a remote path begins with '/'";
                return Err(message.to_owned());
            }
            SidePath::Local(into) => {
                let patterns = remotes
                    .into_iter()
                    .map(|path| RemotePattern::from(path.remote));
                Sides::Down(patterns.collect(), into.clone())
            }
        };
        if self.map.is_some() {
            return Err("--map has the addresses of copies between accounts".to_owned());
        }
        Ok(sides)
    }
}
