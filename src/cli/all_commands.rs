//! All commands: the one place where a command is registered.

use clap::Subcommand;

use super::command::{RemoteCommand, WithFormat};
use super::commands::{
    account, cat, completions, config, copy, diff, doctor, du, find, gdpr_log, get, import, limits,
    ls, man, mkdir, mv, put, replace, rm, serve, set, stat, store, sync, tasks, tree, url, watch,
};
use super::context::CommandContext;
use super::exit::Exit;
use super::format::Format;
use super::local_command::{LocalCommand, LocalContext};
use super::logging::Logs;

/// Generates the grammar and the dispatch of the commands, in the order of the help.
macro_rules! commands {
    (remote { $($remote:ident($remote_args:ty),)* } local { $($local:ident($local_args:ty),)* }) => {
        /// Commands on the current account.
        #[derive(Debug, Subcommand)]
        pub enum Remote {
            $($remote(WithFormat<$remote_args>),)*
        }

        /// Commands that open no account, or open one themselves.
        #[derive(Debug, Subcommand)]
        pub enum Local {
            $($local($local_args),)*
        }

        impl Remote {
            pub fn format(&self) -> Format {
                match self {
                    $(Self::$remote(with) => with.format,)*
                }
            }

            pub fn check(&self) -> Result<(), String> {
                match self {
                    $(Self::$remote(with) => RemoteCommand::check(&with.command, with.format),)*
                }
            }

            pub fn account(&self) -> Option<&str> {
                match self {
                    $(Self::$remote(with) => RemoteCommand::account(&with.command),)*
                }
            }

            pub fn uses_chosen_account(&self) -> bool {
                match self {
                    $(Self::$remote(with) => RemoteCommand::uses_chosen_account(&with.command),)*
                }
            }

            pub async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
                match self {
                    $(Self::$remote(with) => Box::pin(RemoteCommand::run(with.command, context)).await,)*
                }
            }
        }

        impl Local {
            pub fn logs(&self) -> Logs {
                match self {
                    $(Self::$local(command) => LocalCommand::logs(command),)*
                }
            }

            pub fn format(&self) -> Format {
                match self {
                    $(Self::$local(command) => LocalCommand::format(command),)*
                }
            }

            pub async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
                match self {
                    $(Self::$local(command) => Box::pin(LocalCommand::run(command, context)).await,)*
                }
            }
        }
    };
}

commands! {
    remote {
        Ls(ls::Args),
        Tree(tree::Args),
        Find(find::Args),
        Stat(stat::Args),
        Cat(cat::Args),
        Du(du::Args),
        Put(put::Args),
        Get(get::Args),
        Copy(copy::Args),
        Replace(replace::Args),
        Sync(sync::Args),
        Watch(watch::Args),
        Diff(diff::Args),
        Import(import::Args),
        Mkdir(mkdir::Args),
        Mv(mv::Args),
        Set(set::Args),
        Rm(rm::Args),
        Url(url::Args),
        Tasks(tasks::Args),
        Limits(limits::Args),
        GdprLog(gdpr_log::Args),
    }
    local {
        Account(account::Args),
        Config(config::Args),
        Doctor(doctor::Args),
        Serve(serve::Args),
        Store(store::Args),
        Completions(completions::Args),
        Man(man::Args),
    }
}
