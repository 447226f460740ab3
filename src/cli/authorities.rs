//! Files with certificate authorities that are trusted in addition to those of the system.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::config::typed_file;
use crate::tls::ExtraRoots;

// No doc comment: it would replace each command's own.
#[derive(Debug, Clone, clap::Args)]
pub struct Authorities {
    /// Also trust the certificate authorities in this PEM file, besides those of the system
    #[arg(long, value_name = "FILE", global = true)]
    pub ca_cert: Option<PathBuf>,
}

pub fn read<'a>(files: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<ExtraRoots> {
    let mut roots = ExtraRoots::default();
    for file in files {
        let pem =
            typed_file::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        if !roots.add(pem.as_bytes()) {
            bail!(
                "{} has no certificates in PEM format, or one that is not valid",
                file.display()
            );
        }
    }
    Ok(roots)
}
