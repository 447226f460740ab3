//! What a service is started with. Plain data; nothing is opened here.

use std::path::PathBuf;

use url::Url;

use super::clock::Clock;
use super::credentials::TokenSource;

#[derive(Debug, Clone)]
pub struct Options {
    /// Holds the database, the bytes, the token and the lock. Made if it is not there.
    pub data_dir: PathBuf,
    /// The address that links in answers start with; none takes the listener's own.
    pub base_url: Option<Url>,
    pub token: TokenSource,
    pub clock: Clock,
}

impl Options {
    /// A service on this directory, with the token kept in it and the machine's clock.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self { data_dir: data_dir.into(), base_url: None, token: TokenSource::DataDir, clock: Clock::system() }
    }
}
