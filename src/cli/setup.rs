//! What a run finds: environment, folders, configuration.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::api::Timing;
use crate::config::{Config, Environment, Paths};

#[derive(Debug)]
pub struct Setup {
    pub environment: Environment,
    pub paths: Paths,
    pub config: Config,
    /// What was odd about it and is passed over; to be shown.
    pub warnings: Vec<String>,
}

impl Setup {
    /// Reads what the environment leads to.
    pub fn read(environment: Environment) -> anyhow::Result<Self> {
        let paths = Paths::resolve(&environment)?;
        let file = paths.config_file();
        let (config, warnings) = Config::load(&file)?;
        let warnings = warnings.iter().map(|warning| format!("{}, {warning}", file.display())).collect();
        Ok(Self { environment, paths, config, warnings })
    }

    /// How long clients wait.
    pub fn timing(&self) -> Timing {
        let seconds = |value: NonZeroU32| Duration::from_secs(value.get().into());
        Timing { stall: seconds(self.config.stall_timeout), settle: seconds(self.config.settle_time) }
    }
}
