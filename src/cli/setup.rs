//! What a run finds: environment, folders, configuration.

use super::talk::say;
use crate::config::{Config, Environment, Paths};

#[derive(Debug)]
pub struct Setup {
    pub environment: Environment,
    pub paths: Paths,
    pub config: Config,
}

impl Setup {
    /// Reads all of it; says which configuration keys are unknown.
    pub fn read() -> anyhow::Result<Self> {
        let environment = Environment::read();
        let paths = Paths::resolve(&environment)?;
        let file = paths.config_file();
        let (config, warnings) = Config::load(&file)?;
        for warning in warnings {
            say(&format!("filedeck: {}, {warning}", file.display()));
        }
        Ok(Self { environment, paths, config })
    }
}
