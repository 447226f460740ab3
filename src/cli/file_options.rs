//! The options shared by all commands that create files.

use clap::ValueEnum;
use jiff::{SignedDuration, Timestamp};

use super::access;
use super::on_clash::OnClash;
use crate::api::ServiceTime;
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy, UploadOptions};
use crate::engine::sending::check_charset;
use crate::tui::input::expiry::read_lifetime;

#[derive(Debug, Clone, clap::Args)]
pub struct FileOptions {
    /// Access level: who may fetch the file's address [default: private]
    #[arg(long, value_name = "LEVEL", ignore_case = true, value_parser = access::levels())]
    pub access: Option<Access>,

    /// Time of permanent deletion, 1 day to 1 year from now: 30d, 2w, P3M, or a day such as
    /// 2026-12-31
    #[arg(long, alias = "ttl", value_name = "TIME", value_parser = lifetime)]
    pub expires: Option<String>,

    /// Rule for a name that is taken by other content [default: stop]
    #[arg(long, value_enum, value_name = "RULE", conflicts_with = "duplicates")]
    pub on_clash: Option<OnClash>,

    /// Action if a file with the same content exists; a taken name is then left to the service
    #[arg(long, value_enum, ignore_case = true, default_value = "none")]
    pub duplicates: OnDuplicate,

    /// Scope of the search for files with the same content
    #[arg(
        long,
        value_enum,
        value_name = "PLACE",
        ignore_case = true,
        default_value = "account"
    )]
    pub duplicates_in: DuplicatesIn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnDuplicate {
    /// Upload it anyway
    None,
    /// Refuse the upload
    Reject,
    /// Store nothing and return the existing file
    #[value(aliases = ["return-existing", "RETURN_EXISTING"])]
    Existing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DuplicatesIn {
    /// The whole account
    #[value(alias = "ENTIRE_PORTAL")]
    Account,
    /// The folder of the new file
    #[value(alias = "EXACT_FOLDER")]
    Folder,
}

impl FileOptions {
    /// Returns the rule for a name that is taken; `--duplicates` leaves it to the service.
    pub fn rule(&self) -> OnClash {
        self.on_clash.unwrap_or(match self.duplicates {
            OnDuplicate::None => OnClash::Stop,
            OnDuplicate::Reject | OnDuplicate::Existing => OnClash::KeepBoth,
        })
    }

    /// Returns the level of new files.
    pub fn access(&self) -> Access {
        self.access.clone().unwrap_or(Access::Private)
    }

    pub fn to_upload(&self) -> UploadOptions {
        let strategy = match self.duplicates {
            OnDuplicate::None if self.on_clash == Some(OnClash::Existing) => {
                DuplicateStrategy::ReturnExisting
            }
            OnDuplicate::None => DuplicateStrategy::None,
            OnDuplicate::Reject => DuplicateStrategy::Reject,
            OnDuplicate::Existing => DuplicateStrategy::ReturnExisting,
        };
        let scope = match self.duplicates_in {
            DuplicatesIn::Account => DuplicateScope::DEFAULT,
            DuplicatesIn::Folder => DuplicateScope::ExactFolder,
        };
        UploadOptions {
            ttl: self.expires.clone(),
            duplicate_validation_scope: Some(scope),
            duplicate_validation_strategy: Some(strategy),
            ..UploadOptions::new(self.access())
        }
    }
}

/// Accepts only what the service would accept now, so that no upload is sent in vain.
fn lifetime(text: &str) -> Result<String, String> {
    read_lifetime(text, own_time())
}

/// Returns the time of this machine, as if the service had it, too.
pub fn own_time() -> ServiceTime {
    ServiceTime::new(Timestamp::now(), SignedDuration::ZERO)
}

pub fn file_name(name: &str) -> Result<String, &'static str> {
    match name {
        name if name.trim().is_empty() => Err("it is empty"),
        name if name.contains('/') => Err("a name cannot hold a slash; the folder is DEST"),
        name => Ok(name.to_owned()),
    }
}

pub fn charset(label: &str) -> Result<String, String> {
    check_charset(label).map(|()| label.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: FileOptions,
    }

    #[test]
    fn nothing_is_refused_and_the_whole_account_is_looked_through_as_on_the_screen() {
        let options = Line::parse_from(["put"]).options.to_upload();
        assert_eq!(
            options.duplicate_validation_strategy,
            Some(DuplicateStrategy::None)
        );
        assert_eq!(
            options.duplicate_validation_scope,
            Some(DuplicateScope::DEFAULT)
        );
    }
}
