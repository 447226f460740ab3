//! The address of a database and the user to connect as: an address without a password, and for the rest the
//! environment variables that PostgreSQL clients read.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use tokio_postgres::Config;
use tokio_postgres::config::Host;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::service::store::error::StoreError;
use crate::tls::ExtraRoots;

const PORT: u16 = 5432;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The time limits of the server for one statement and for a transaction in which nothing happens. They are shorter
/// than the client waits for a response, so that the server reports the reason.
const SETTINGS: &str = "-c statement_timeout=15s -c idle_in_transaction_session_timeout=30s -c lock_timeout=10s";

/// `postgres://user@host:port/database`.
#[derive(Clone)]
pub struct DatabaseAddress {
    config: Config,
    password: Option<SecretString>,
}

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseAddressError {
    #[error("it must have the form postgres://USER@HOST:PORT/DATABASE")]
    Form,
    #[error("it cannot be read: {}", in_words(.0))]
    Unreadable(#[from] tokio_postgres::Error),
    /// Arguments are visible to other users of the machine.
    #[error("it must not have a password, which other users would see; put the password into PGPASSWORD")]
    Password,
}

fn in_words(error: &tokio_postgres::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

impl DatabaseAddress {
    /// Reads an address. `user` is used if the address has none.
    ///
    /// # Errors
    ///
    /// Fails if it is not the address of a database, or has a password.
    pub fn parse(
        address: &str,
        user: Option<&str>,
        password: Option<SecretString>,
    ) -> Result<Self, DatabaseAddressError> {
        if !address.starts_with("postgres://") && !address.starts_with("postgresql://") {
            return Err(DatabaseAddressError::Form);
        }
        // Certificates are always checked.
        let address = ["verify-full", "verify-ca"]
            .iter()
            .fold(address.to_owned(), |address, mode| address.replace(&format!("sslmode={mode}"), "sslmode=require"));
        let mut config: Config = address.parse()?;
        if config.get_password().is_some() {
            return Err(DatabaseAddressError::Password);
        }
        if config.get_user().is_none()
            && let Some(user) = user
        {
            config.user(user);
        }
        let options = config.get_options().map(|options| format!("{SETTINGS} {options}"));
        config.options(options.as_deref().unwrap_or(SETTINGS));
        config.application_name("filedeck").connect_timeout(CONNECT_TIMEOUT);
        config.keepalives_idle(Duration::from_secs(30));
        Ok(Self { config, password })
    }

    pub(super) fn config(&self) -> Config {
        let mut config = self.config.clone();
        if let Some(password) = &self.password {
            config.password(password.expose_secret());
        }
        config
    }
}

impl std::fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut ports = self.config.get_ports().iter().cycle();
        for (number, host) in self.config.get_hosts().iter().enumerate() {
            if number > 0 {
                f.write_str(",")?;
            }
            match host {
                Host::Tcp(host) => write!(f, "{host}")?,
                #[cfg(unix)]
                Host::Unix(folder) => write!(f, "{}", folder.display())?,
            }
            if let Some(port) = ports.next().filter(|port| **port != PORT) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

/// Omits the password.
impl std::fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DatabaseAddress").field("config", &self.config).finish_non_exhaustive()
    }
}

pub(super) fn connector() -> Result<MakeRustlsConnect, StoreError> {
    ExtraRoots::default().client_config().map(MakeRustlsConnect::new).map_err(|error| io::Error::other(error).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(address: &str) -> Result<DatabaseAddress, DatabaseAddressError> {
        DatabaseAddress::parse(address, Some("me"), Some("canary-word".into()))
    }

    #[test]
    fn the_password_comes_from_the_environment_and_is_not_shown() {
        let address = parse("postgres://me@db.test:5433/files?sslmode=verify-full").unwrap();
        assert_eq!(address.config().get_password(), Some("canary-word".as_bytes()));
        assert_eq!(address.config().get_ssl_mode(), tokio_postgres::config::SslMode::Require);
        assert!(!format!("{address:?}").contains("canary"));
    }

    #[test]
    fn a_password_in_the_address_and_other_forms_are_refused() {
        assert!(matches!(parse("postgres://me:secret@db.test/files"), Err(DatabaseAddressError::Password)));
        assert!(matches!(parse("mysql://db.test/files"), Err(DatabaseAddressError::Form)));
        assert!(matches!(parse("postgres://db.test/files?nonsense=1"), Err(DatabaseAddressError::Unreadable(_))));
    }

    #[test]
    fn messages_name_each_host_with_a_port_that_is_not_the_usual_one() {
        for (address, shown) in [
            ("postgres://db.test/files", "db.test/files"),
            ("postgres://db.test:5433/files", "db.test:5433/files"),
            ("postgres://one.test,two.test:5433/files", "one.test,two.test:5433/files"),
        ] {
            assert_eq!(parse(address).unwrap().to_string(), shown);
        }
    }
}
