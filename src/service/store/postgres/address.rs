//! The address of a database and the user to connect as: an address without a password, and for the
//! rest the environment variables that PostgreSQL clients read.

use std::error::Error as _;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::tls_parameters::{TlsParameters, UnknownSslMode};
use crate::service::store::error::{DatabaseFailure, StoreError};
use crate::tls::{self, ExtraRoots};

const PORT: u16 = 5432;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The time limits of the server for one statement and for a transaction in which nothing happens.
/// They are shorter than the client waits for a response, so that the server reports the reason.
const SETTINGS: &str =
    "-c statement_timeout=15s -c idle_in_transaction_session_timeout=30s -c lock_timeout=10s";

/// `postgres://user@host:port/database`.
#[derive(Clone)]
pub struct DatabaseAddress {
    config: Config,
    password: Option<SecretString>,
    root_cert: Option<PathBuf>,
    roots: ExtraRoots,
}

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseAddressError {
    #[error("it must have the form postgres://USER@HOST:PORT/DATABASE")]
    Form,
    #[error("it cannot be read: {}", in_words(.0))]
    Unreadable(#[from] tokio_postgres::Error),
    /// Arguments are visible to other users of the machine.
    #[error(
        "it must not have a password, which other users would see; put the password into PGPASSWORD"
    )]
    Password,
    #[error(transparent)]
    Mode(#[from] UnknownSslMode),
}

fn in_words(error: &tokio_postgres::Error) -> String {
    error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

impl DatabaseAddress {
    /// Reads an address. `user` is used if the address has none. Connections to other machines use
    /// TLS unless the address refuses it; those to this machine do if it asks for it.
    ///
    /// # Errors
    ///
    /// Fails if it is not the address of a database, has a password, or has a mode of TLS that is
    /// not supported.
    pub fn parse(
        address: &str,
        user: Option<&str>,
        password: Option<SecretString>,
    ) -> Result<Self, DatabaseAddressError> {
        if !address.starts_with("postgres://") && !address.starts_with("postgresql://") {
            return Err(DatabaseAddressError::Form);
        }
        let (TlsParameters { mode, root_cert }, address) = TlsParameters::split_off(address)?;
        let mut config: Config = address.parse()?;
        if config.get_password().is_some() {
            return Err(DatabaseAddressError::Password);
        }
        if config.get_user().is_none()
            && let Some(user) = user
        {
            config.user(user);
        }
        let options = config
            .get_options()
            .map(|options| format!("{SETTINGS} {options}"));
        config.options(options.as_deref().unwrap_or(SETTINGS));
        config
            .application_name("filedeck")
            .connect_timeout(CONNECT_TIMEOUT);
        config.keepalives_idle(Duration::from_secs(30));
        let usual_mode = if is_on_this_machine(&config) {
            SslMode::Disable
        } else {
            SslMode::Require
        };
        config.ssl_mode(mode.unwrap_or(usual_mode));
        Ok(Self {
            config,
            password,
            root_cert,
            roots: ExtraRoots::default(),
        })
    }

    /// Returns the file of authorities that the address names.
    pub fn root_cert(&self) -> Option<&Path> {
        self.root_cert.as_deref()
    }

    #[must_use]
    pub fn trusting(self, roots: ExtraRoots) -> Self {
        Self { roots, ..self }
    }

    pub(super) fn connector(&self) -> Result<MakeRustlsConnect, StoreError> {
        // On a machine without certificate authorities, not even an unused TLS client could be
        // built.
        let is_plain = self.config.get_ssl_mode() == SslMode::Disable;
        let tls = if is_plain {
            tls::without_authorities()
        } else {
            self.roots.client_config()
        };
        let failed = |error| StoreError::Database(DatabaseFailure::Insecure, Arc::new(error));
        tls.map(MakeRustlsConnect::new).map_err(failed)
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
        f.debug_struct("DatabaseAddress")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

/// Names are not looked up, since others may answer; only `localhost` is known to be here.
fn is_on_this_machine(config: &Config) -> bool {
    let is_host_here = |host: &Host| match host {
        Host::Tcp(name) => {
            name == "localhost"
                || name
                    .parse::<IpAddr>()
                    .is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    match config.get_hostaddrs() {
        [] => config.get_hosts().iter().all(is_host_here),
        // Takes precedence over the hosts.
        addresses => addresses.iter().all(IpAddr::is_loopback),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn parse(address: &str) -> Result<DatabaseAddress, DatabaseAddressError> {
        DatabaseAddress::parse(address, Some("me"), Some("canary-word".into()))
    }

    #[test]
    fn the_password_comes_from_the_environment_and_is_not_shown() {
        let address = parse("postgres://me@db.test:5433/files").unwrap();
        assert_eq!(
            address.config().get_password(),
            Some("canary-word".as_bytes())
        );
        assert!(!format!("{address:?}").contains("canary"));
    }

    #[test]
    fn a_password_in_the_address_and_other_forms_are_refused() {
        assert!(matches!(
            parse("postgres://me:secret@db.test/files"),
            Err(DatabaseAddressError::Password)
        ));
        assert!(matches!(
            parse("mysql://db.test/files"),
            Err(DatabaseAddressError::Form)
        ));
        assert!(matches!(
            parse("postgres://db.test/files?nonsense=1"),
            Err(DatabaseAddressError::Unreadable(_))
        ));
    }

    // Seen to fail with TLS that is only preferred, and with `hostaddr` left out.
    #[rstest]
    #[case::another_machine("postgres://db.test/files", SslMode::Require)]
    #[case::an_address("postgres://10.0.0.1/files", SslMode::Require)]
    #[case::one_of_several("postgres://localhost,db.test/files", SslMode::Require)]
    #[case::by_its_number("postgres://localhost/files?hostaddr=10.0.0.1", SslMode::Require)]
    #[case::like_this_machine("postgres://localhost.db.test/files", SslMode::Require)]
    #[case::refused(
        "postgres://db.test/files?sslmode=disable&target_session_attrs=read-write",
        SslMode::Disable
    )]
    #[case::the_last_counts(
        "postgres://db.test/files?sslmode=disable&sslmode=require",
        SslMode::Require
    )]
    #[case::this_machine("postgres://localhost:5433/files", SslMode::Disable)]
    #[case::loopback("postgres://127.0.0.2,[::1]/files", SslMode::Disable)]
    #[case::a_socket("postgres://me@%2Frun%2Fpostgresql/files", SslMode::Disable)]
    #[case::a_tunnel("postgres://db.test/files?hostaddr=127.0.0.1", SslMode::Disable)]
    #[case::asked_for("postgres://localhost/files?ssl%6Dode=verify-full", SslMode::Require)]
    fn other_machines_are_reached_with_tls_unless_the_address_refuses_it(
        #[case] address: &str,
        #[case] mode: SslMode,
    ) {
        assert_eq!(parse(address).unwrap().config().get_ssl_mode(), mode);
    }

    #[test]
    fn modes_that_may_fall_back_or_do_not_exist_are_refused() {
        for mode in ["prefer", "allow", "Disable", "", "on"] {
            let refused = parse(&format!("postgres://db.test/files?sslmode={mode}"));
            assert!(
                matches!(refused, Err(DatabaseAddressError::Mode(_))),
                "{mode}"
            );
        }
    }

    #[test]
    fn the_file_of_authorities_is_taken_from_the_address() {
        let file = |query: &str| {
            parse(&format!("postgres://db.test/files?{query}"))
                .unwrap()
                .root_cert
        };
        assert_eq!(
            file("sslrootcert=%2Fetc%2Four%20ca.pem&connect_timeout=3"),
            Some("/etc/our ca.pem".into())
        );
        assert_eq!(file("sslrootcert=system"), None);
    }

    #[test]
    fn messages_name_each_host_with_a_port_that_is_not_the_usual_one() {
        for (address, shown) in [
            ("postgres://db.test/files", "db.test/files"),
            ("postgres://db.test:5433/files", "db.test:5433/files"),
            (
                "postgres://one.test,two.test:5433/files",
                "one.test,two.test:5433/files",
            ),
        ] {
            assert_eq!(parse(address).unwrap().to_string(), shown);
        }
    }
}
