//! The accounts that a run copies from: opened when they are first needed, and closed at its end.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt as _;
use tokio::sync::Mutex;

use super::session::Session;
use super::setup::Setup;
use crate::api::{Client, Error, Kind};
use crate::config::{AccountSource, accounts};
use crate::engine::ProgressSink;
use crate::engine::source::account_name;
use crate::engine::source_accounts::SourceAccounts;

#[derive(Debug)]
pub struct SourceSessions {
    setup: Setup,
    report: ProgressSink,
    /// The account that the run works on.
    own: (AccountSource, SourceAccount),
    others: Mutex<BTreeMap<String, Session>>,
}

/// An account that files are copied from.
#[derive(Debug, Clone)]
pub struct SourceAccount {
    pub client: Client,
    /// Its name in the journal.
    pub account: String,
}

impl SourceSessions {
    /// Creates the sources of a run on the account of `session`.
    pub fn new(setup: &Setup, session: &Session, report: ProgressSink) -> Arc<Self> {
        Arc::new(Self {
            setup: setup.clone(),
            report,
            own: (session.source.clone(), source_account(session)),
            others: Mutex::default(),
        })
    }

    /// Opens an account by name; `None` is the one that was chosen for paths without a name.
    pub async fn open(&self, name: Option<&str>) -> anyhow::Result<SourceAccount> {
        let Setup {
            config,
            environment,
            account,
            ..
        } = &self.setup;
        let name = name.or(account.as_deref());
        let (source, own) = &self.own;
        if name == Some(source.name()) {
            return Ok(own.clone());
        }
        let other = accounts::choose(config, environment, name)?;
        if other == *source {
            return Ok(own.clone());
        }
        let mut others = self.others.lock().await;
        if let Some(session) = others.get(other.name()) {
            return Ok(source_account(session));
        }
        let name = other.name().to_owned();
        let tell = |line: &str| tracing::info!("{line}");
        let session = Session::of(&self.setup, other, None, &tell).await?;
        let session = session.reporting(&self.report);
        let opened = source_account(&session);
        others.insert(name, session);
        Ok(opened)
    }

    /// Returns the accounts for an engine, by their names in the journal.
    pub fn accounts(self: &Arc<Self>) -> SourceAccounts {
        let sessions = Arc::clone(self);
        SourceAccounts::new(move |account| {
            let sessions = Arc::clone(&sessions);
            async move { sessions.recorded(&account).await }.boxed()
        })
    }

    async fn recorded(&self, account: &str) -> Result<Client, Error> {
        let refused = |message| Error::new(Kind::Refused, message);
        let name = account_name(account);
        let opened = self.open(Some(name)).await.map_err(|error| {
            refused(format!("The account '{name}' cannot be opened: {error:#}"))
        })?;
        if opened.account == account {
            Ok(opened.client)
        } else {
            let message = format!(
                "The account '{name}' has another address than when this was planned; start the copy again"
            );
            Err(refused(message))
        }
    }

    pub async fn close(&self) {
        for (_, session) in std::mem::take(&mut *self.others.lock().await) {
            session.close().await;
        }
    }
}

fn source_account(session: &Session) -> SourceAccount {
    SourceAccount {
        client: session.client.clone(),
        account: session.account().to_owned(),
    }
}
