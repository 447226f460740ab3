//! The environment, folders and configuration of a run.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::authorities;
use crate::api::{Bandwidth, ExtraRoots, Timing};
use crate::config::{
    ChosenSettings, Config, ConfigFile, Environment, Keyring, Paths, SavedAccounts, TomlText,
    Warning,
};

#[derive(Debug, Clone)]
pub struct Setup {
    pub environment: Environment,
    pub paths: Paths,
    pub keyring: Keyring,
    /// The configuration, including the accounts that filedeck created.
    pub config: Config,
    /// The line of each setting in `config.toml`, by name.
    pub lines: BTreeMap<&'static str, usize>,
    /// Settings that do not come from the file, by name: a value as TOML, and its source.
    pub others: BTreeMap<&'static str, (String, &'static str)>,
    /// The account named on the command line.
    pub account: Option<String>,
    /// The file of authorities named on the command line.
    pub ca_cert: Option<PathBuf>,
    /// Set if nothing may be changed, whatever the account allows.
    pub read_only: bool,
    pub bandwidth: Bandwidth,
    /// Mistakes that were passed over, to be shown.
    pub warnings: Vec<Warning>,
}

const CONFIG: &str = "config.toml";

impl Setup {
    /// Reads what the environment leads to. Mistakes in files become warnings.
    pub fn read(environment: Environment) -> anyhow::Result<Self> {
        let paths = Paths::resolve(&environment)?;
        let ConfigFile {
            config,
            lines,
            warnings,
        } = ConfigFile::read(TomlText::read(&paths.config_file(), &paths.config));
        let mut setup = Self {
            environment,
            paths,
            keyring: Keyring::default(),
            config,
            lines,
            others: BTreeMap::new(),
            account: None,
            ca_cert: None,
            read_only: false,
            bandwidth: Bandwidth::default(),
            warnings,
        };
        setup.read_own_accounts();
        Ok(setup)
    }

    /// Returns a copy with the accounts that filedeck has created by now; its warnings concern only
    /// those.
    #[must_use]
    pub fn with_own_accounts(&self) -> Self {
        let mut setup = Self {
            warnings: Vec::new(),
            ..self.clone()
        };
        setup.read_own_accounts();
        setup
    }

    pub fn own_accounts(&self) -> SavedAccounts {
        SavedAccounts::new(&self.paths, self.keyring)
    }

    fn read_own_accounts(&mut self) {
        let own = self.own_accounts().read();
        self.warnings.extend(own.warnings.iter().cloned());
        for name in self.config.add_own(own) {
            self.warnings.push(Warning {
                file: "accounts.toml".to_owned(),
                line: None,
                what: format!("'{name}' is also in config.toml; the one in config.toml is used"),
                is_of_screen: false,
            });
        }
    }

    /// Warns about a setting whose mistake only its user could notice, and resets it to its
    /// default.
    pub fn pass_over(&mut self, setting: &str, what: String, reset: impl FnOnce(&mut Config)) {
        let file = if self.others.remove(setting).is_some() {
            ChosenSettings::NAME
        } else {
            CONFIG
        };
        let warning = Warning {
            file: file.to_owned(),
            line: self.lines.remove(setting),
            what,
            is_of_screen: true,
        };
        self.warnings.push(warning);
        reset(&mut self.config);
    }

    /// Records a setting from another source: one that overrides the file, or was chosen where the
    /// file says nothing.
    pub fn set_by(&mut self, setting: &'static str, value: impl Into<String>, from: &'static str) {
        self.others.insert(setting, (value.into(), from));
    }

    /// Returns the authorities of the command line, the environment and an account.
    pub fn roots(&self, of_account: Option<&Path>) -> anyhow::Result<ExtraRoots> {
        let named = [
            self.ca_cert.as_deref(),
            self.environment.ssl_cert_file.as_ref().map(Path::new),
            of_account,
        ];
        authorities::read(named.into_iter().flatten())
    }

    pub fn timing(&self) -> Timing {
        let seconds = |value: NonZeroU32| Duration::from_secs(value.get().into());
        Timing {
            stall: seconds(self.config.stall_timeout),
            settle: seconds(self.config.settle_time),
        }
    }
}
