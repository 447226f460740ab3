//! Opens accounts for the screen: a session each, with its journal and its engine.

use std::sync::Arc;

use futures::FutureExt;

use super::account_reading;
use super::demo::DemoMode;
use super::local_store::WaitNotice;
use super::session::Session;
use super::setup::Setup;
use super::source_sessions::SourceSessions;
use crate::api::Error;
use crate::config::favorites::Favorites;
use crate::config::{AccountSource, accounts};
use crate::drawing::Drawer;
use crate::engine::limits::Report;
use crate::engine::{self, AtOnce, Journal, ProgressSink, QueueMode};
use crate::tui::app::sessions::{AccountFunctions, OpenedSession};
use crate::tui::message::Connected;
use crate::tui::state::Account;

#[derive(Debug)]
pub struct Opener {
    pub setup: Setup,
    pub demo: Option<DemoMode>,
}

impl Opener {
    /// Opens an account; `tell` reports what is waited for.
    pub async fn open(
        &self,
        source: AccountSource,
        tell: WaitNotice<'_>,
    ) -> anyhow::Result<OpenedSession> {
        // Accounts may have been added since the start.
        let setup = self.setup.with_own_accounts();
        let session = Session::of(&setup, source.clone(), self.demo, tell).await?;
        let mut warnings = Vec::new();
        let opened = async {
            let journal = session.journal().await?;
            warnings.extend(journal.loss().await?);
            Ok::<_, Error>(journal)
        };
        let journal = match opened.await {
            Ok(journal) => journal,
            Err(error) => {
                warnings.push(format!(
                    "unfinished work will not be saved: {}",
                    error.message
                ));
                Journal::in_memory(source.name()).await?
            }
        };
        let file = session.favorites();
        let favorites = file.read().unwrap_or_else(|error| {
            warnings.push(format!(
                "your views and bookmarks could not be read: {error}"
            ));
            Favorites::default()
        });
        session.give_past(&journal).await;
        let entry = accounts::entry_of(&setup.config, &source);
        let account = Account {
            source,
            journal_name: session.account().to_owned(),
            read_only: session.is_read_only(),
            production: entry.is_some_and(|entry| entry.production),
            color: entry.and_then(|entry| entry.color),
            favorites,
        };
        let sources = SourceSessions::new(&setup, &session, ProgressSink::none());
        let setup = engine::EngineSetup {
            client: session.client.clone(),
            journal,
            caller: QueueMode::Screen,
            at_once: AtOnce::default(),
            read_only: account.read_only,
            sources: sources.accounts(),
            leaves_tasks: false,
            drawer: Drawer::this_program(),
        };
        let (engine, events) = engine::spawn(setup);
        Ok(OpenedSession {
            connected: Connected { account, warnings },
            engine,
            events,
            favorites: file,
            closing: async move {
                sources.close().await;
                session.close().await;
            }
            .boxed(),
        })
    }

    /// Returns the functions with which the running screen manages accounts.
    pub fn accounts(self: &Arc<Self>) -> AccountFunctions {
        let (connecting, trying) = (Arc::clone(self), Arc::clone(self));
        let (reading, changing) = (Arc::clone(self), Arc::clone(self));
        AccountFunctions {
            connect: Box::new(move |source| {
                let opener = Arc::clone(&connecting);
                let tell = |line: &str| tracing::info!("{line}");
                async move {
                    opener
                        .open(source, &tell)
                        .await
                        .map_err(|error| format!("{error:#}"))
                }
                .boxed()
            }),
            try_out: Box::new(move |draft| {
                let opener = Arc::clone(&trying);
                async move { super::accounts::try_out(&opener.setup, &draft).await }.boxed()
            }),
            read: Box::new(move |name| {
                let opener = Arc::clone(&reading);
                async move {
                    let setup = opener.setup.with_own_accounts();
                    let waits = ProgressSink::new(|_| {});
                    account_reading::read(&setup, &name, &Report::OF_ACCOUNT, &waits).await
                }
                .boxed()
            }),
            change: Box::new(move |change| {
                let opener = Arc::clone(&changing);
                async move {
                    let changed = super::accounts::change(&opener.setup, &change).await;
                    changed.map_err(|error| format!("{error:#}"))
                }
                .boxed()
            }),
        }
    }
}
