//! The options that every verb shares which creates files.

use clap::ValueEnum;
use jiff::Span;
use jiff::civil::DateTime;
use jiff::fmt::temporal::SpanParser;

use crate::api::model::{Access, DuplicateScope, DuplicateStrategy, UploadOptions};

#[derive(Debug, Clone, clap::Args)]
pub struct FileOptions {
    /// Who may fetch the file's address
    #[arg(long, value_enum, ignore_case = true, default_value = "private")]
    pub access: AccessLevel,

    /// Delete the file for good after this ISO 8601 period, one day to one year: P1D, P2W, P3M, P1Y
    #[arg(long, value_name = "PERIOD", value_parser = parse_ttl)]
    pub ttl: Option<String>,

    /// What to do when a file with the same content is there already
    #[arg(long, value_enum, ignore_case = true, default_value = "none")]
    pub duplicates: OnDuplicate,

    /// Where such a file is looked for
    #[arg(long, value_enum, ignore_case = true, default_value = "account")]
    pub duplicates_in: DuplicatesIn,

    /// Delete a file of the same name first; without it the service chooses another name
    #[arg(long)]
    pub overwrite: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AccessLevel {
    /// Anyone with the address; search engines may list it
    #[value(alias = "PUBLIC_INDEXABLE")]
    PublicIndexable,
    /// Anyone with the address; search engines are told not to list it
    #[value(alias = "PUBLIC_NOT_INDEXABLE")]
    PublicNotIndexable,
    /// Signed addresses only
    #[value(alias = "PRIVATE")]
    Private,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnDuplicate {
    /// Upload it all the same
    None,
    /// Refuse the upload
    Reject,
    /// Store nothing and answer with the file that is there
    #[value(alias = "RETURN_EXISTING")]
    ReturnExisting,
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
    /// The options as an upload sends them.
    pub fn to_upload(&self) -> UploadOptions {
        let access = match self.access {
            AccessLevel::PublicIndexable => Access::PublicIndexable,
            AccessLevel::PublicNotIndexable => Access::PublicNotIndexable,
            AccessLevel::Private => Access::Private,
        };
        let strategy = match self.duplicates {
            OnDuplicate::None => DuplicateStrategy::None,
            OnDuplicate::Reject => DuplicateStrategy::Reject,
            OnDuplicate::ReturnExisting => DuplicateStrategy::ReturnExisting,
        };
        let scope = match self.duplicates_in {
            DuplicatesIn::Account => DuplicateScope::EntirePortal,
            DuplicatesIn::Folder => DuplicateScope::ExactFolder,
        };
        UploadOptions {
            ttl: self.ttl.clone(),
            overwrite: self.overwrite.then_some(true),
            duplicate_validation_scope: Some(scope),
            duplicate_validation_strategy: Some(strategy),
            ..UploadOptions::new(access)
        }
    }
}

/// Takes a period of one day to one year (`service-seed.md` §2.3), so that no upload is sent in vain.
fn parse_ttl(text: &str) -> Result<String, String> {
    let reference = DateTime::constant(2027, 1, 1, 0, 0, 0, 0);
    let after = |span: Span| reference.checked_add(span).map_err(|error| error.to_string());
    let span = SpanParser::new().parse_span(text).map_err(|_| "write a period like P1D, P2W, P3M or P1Y".to_owned())?;
    if after(span)? < after(Span::new().days(1))? || after(span)? > after(Span::new().years(1))? {
        return Err("the period must be one day to one year".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::day("P1D", true)]
    #[case::hours_of_a_day("PT24H", true)]
    #[case::weeks("P2W", true)]
    #[case::year("P1Y", true)]
    #[case::days_of_a_year("P365D", true)]
    #[case::hour("PT1H", false)]
    #[case::two_years("P2Y", false)]
    #[case::a_day_more_than_a_year("P366D", false)]
    #[case::negative("-P2D", false)]
    #[case::seconds("86400", false)]
    #[case::words("2 weeks", false)]
    fn a_ttl_is_one_day_to_one_year(#[case] text: &str, #[case] taken: bool) {
        assert_eq!(parse_ttl(text).is_ok(), taken);
    }
}
