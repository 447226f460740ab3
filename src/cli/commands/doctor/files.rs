//! The configuration files, read as the screen reads them, and the private files with tokens.

use std::mem::take;

use super::diagnosis::{Diagnosis, fail, ok};
use crate::cli::screen_files::{appearance, keys, take_choices};
use crate::cli::setup::Setup;
use crate::config::{
    AccountEntry, AccountError, ChosenSettings, CredentialKind, OauthCache, OauthFile,
    TokenLocation, Warning,
};
use crate::secret_file;

pub(super) fn checks(setup: &Setup) -> Vec<Diagnosis> {
    let mut setup = setup.clone();
    let file = setup.paths.config_file();
    let read = if file.exists() {
        format!("{} is right", file.display())
    } else {
        "there is no config.toml, so all is as shipped".to_owned()
    };
    let mut findings = verdict("config", take(&mut setup.warnings), read);
    let chosen = ChosenSettings::new(&setup.paths.state);
    take_choices(&mut setup, &chosen);
    let read = "the choices made on the screen can be read".to_owned();
    findings.extend(verdict("settings", take(&mut setup.warnings), read));
    let has_file = setup.config.keys.is_some() || setup.paths.keys_file().exists();
    keys(&mut setup);
    let read = if has_file {
        "your key file is right"
    } else {
        "there is no keys.toml, so the keys are those of the preset"
    };
    findings.extend(verdict("keys", take(&mut setup.warnings), read.to_owned()));
    let own = appearance(&mut setup).own;
    let theme = setup.config.theme.clone();
    let read = if own.contains_key(&theme) {
        format!("'{theme}', from themes/{theme}.toml")
    } else {
        format!("'{theme}'")
    };
    findings.extend(verdict("theme", take(&mut setup.warnings), read));
    findings.extend(token_files(&setup));
    findings
}

/// Diagnoses what was read: each warning is something that the file asks for in vain.
fn verdict(check: &'static str, warnings: Vec<Warning>, right: String) -> Vec<Diagnosis> {
    if warnings.is_empty() {
        return vec![ok(check, right)];
    }
    let wrong = |warning: Warning| fail(check, format!("{warning}; correct it"));
    warnings.into_iter().map(wrong).collect()
}

fn token_files(setup: &Setup) -> Vec<Diagnosis> {
    let check = |(name, entry): (&String, &AccountEntry)| {
        let TokenLocation::File(file) = &entry.token else {
            return None;
        };
        let file = setup.paths.config.join(file);
        let (read, what) = match entry.kind {
            CredentialKind::Token => (secret_file::read(&file).map(|_| true), "the token file"),
            CredentialKind::Oauth => {
                let whole = |text| OauthFile::parse(&text).is_some();
                (
                    secret_file::read_text(&file).map(whole),
                    "the file with the OAuth credentials",
                )
            }
        };
        Some(match read {
            Ok(true) => ok(
                "token",
                format!(
                    "{what} of '{name}' is private{}",
                    end_of(setup, name, entry)
                ),
            ),
            Ok(false) => fail("token", AccountError::NotOauth(name.clone()).to_string()),
            Err(error) => fail("token", format!("account '{name}': {error}")),
        })
    };
    setup.config.accounts.iter().filter_map(check).collect()
}

fn end_of(setup: &Setup, name: &str, entry: &AccountEntry) -> String {
    let ends =
        OauthCache::end_of(&setup.paths, name).filter(|_| entry.kind == CredentialKind::Oauth);
    ends.map(|ends| format!("; its access token ends at {ends}"))
        .unwrap_or_default()
}
