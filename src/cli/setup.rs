//! What a run finds: environment, folders, configuration.

use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use crate::api::Timing;
use crate::config::{Config, Environment, OwnAccounts, Paths, Warning};

#[derive(Debug, Clone)]
pub struct Setup {
    pub environment: Environment,
    pub paths: Paths,
    /// With the accounts that filedeck made.
    pub config: Config,
    /// Nothing may be changed, whatever the account allows.
    pub read_only: bool,
    /// What was odd about it and is passed over; to be shown.
    pub warnings: Vec<String>,
}

impl Setup {
    /// Reads what the environment leads to.
    pub fn read(environment: Environment) -> anyhow::Result<Self> {
        let paths = Paths::resolve(&environment)?;
        let file = paths.config_file();
        let (config, warnings) = Config::load(&file)?;
        let warnings = passed_over(&file, &warnings);
        let mut setup = Self { environment, paths, config, read_only: false, warnings };
        setup.read_own_accounts()?;
        Ok(setup)
    }

    /// The same with the accounts that filedeck has made by now; its warnings are of those alone.
    pub fn with_own_accounts(&self) -> anyhow::Result<Self> {
        let mut setup = Self { warnings: Vec::new(), ..self.clone() };
        setup.read_own_accounts()?;
        Ok(setup)
    }

    pub fn own_accounts(&self) -> OwnAccounts {
        OwnAccounts::new(&self.paths)
    }

    fn read_own_accounts(&mut self) -> anyhow::Result<()> {
        let file = self.own_accounts();
        let (accounts, warnings) = file.read()?;
        self.warnings.extend(passed_over(file.path(), &warnings));
        for name in self.config.add_own(accounts) {
            self.warnings
                .push(format!("'{name}' stands in config.toml and in accounts.toml: that of config.toml is used"));
        }
        Ok(())
    }

    /// How long clients wait.
    pub fn timing(&self) -> Timing {
        let seconds = |value: NonZeroU32| Duration::from_secs(value.get().into());
        Timing { stall: seconds(self.config.stall_timeout), settle: seconds(self.config.settle_time) }
    }
}

fn passed_over(file: &Path, warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(|warning| format!("{}, {warning}", file.display())).collect()
}
