//! Notifications between processes that share a database: a process that adds a task notifies the
//! others.

use std::pin::pin;
use std::time::Duration;

use futures::{StreamExt as _, stream};
use tokio::time::sleep;
use tokio_postgres::{AsyncMessage, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::DatabaseAddress;

/// Sent within a transaction, it is delivered with the commit.
pub(super) const NOTIFY: &str = "NOTIFY filedeck";

const RECONNECT_AFTER: Duration = Duration::from_secs(1);

/// Calls `wake` at each notification, and at each connection, since some may have been missed
/// before. Never returns.
pub(super) async fn heed(address: DatabaseAddress, tls: MakeRustlsConnect, wake: impl Fn()) {
    loop {
        if let Err(error) = heed_once(&address, tls.clone(), &wake).await {
            tracing::warn!(%error, "notices of other processes do not come in; that is tried again");
        }
        sleep(RECONNECT_AFTER).await;
    }
}

async fn heed_once(
    address: &DatabaseAddress,
    tls: MakeRustlsConnect,
    wake: &impl Fn(),
) -> Result<(), Error> {
    let (client, mut connection) = address.config().connect(tls).await?;
    let mut messages = pin!(stream::poll_fn(
        move |context| connection.poll_message(context)
    ));
    let ask = async {
        client.batch_execute("LISTEN filedeck").await?;
        wake();
        std::future::pending().await
    };
    let receive = async {
        while let Some(message) = messages.next().await {
            if matches!(message?, AsyncMessage::Notification(_)) {
                wake();
            }
        }
        Ok(())
    };
    tokio::select! {
        ended = ask => ended,
        ended = receive => ended,
    }
}
