//! A path of this machine or of an account, as `sync`, `diff` and `copy` take it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::account_path::AccountPath;
use super::context::CommandContext;
use super::remote::RemoteArgument;
use crate::api::{Error, Kind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SidePath {
    Local(PathBuf),
    Remote(AccountPath),
}

impl SidePath {
    /// Returns the account that the path names.
    pub fn account(&self) -> Option<&str> {
        match self {
            Self::Local(_) => None,
            Self::Remote(path) => path.account.as_deref(),
        }
    }

    pub fn is_of_chosen_account(&self) -> bool {
        matches!(self, Self::Remote(path) if path.account.is_none())
    }
}

impl FromStr for SidePath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("local:") {
            return Err(format!(
                "write a path of this machine as in file:{path}, and one of the built-in store as in @local:/brand"
            ));
        }
        match text.strip_prefix("file:") {
            Some("") => Err("it is empty".to_owned()),
            Some(path) => Ok(Self::Local(path.into())),
            None if text.starts_with(['/', '@']) || text.starts_with("id:") => text
                .parse()
                .map(Self::Remote)
                .map_err(|error: super::account_path::AccountPathError| error.to_string()),
            None if text.is_empty() => Err("it is empty".to_owned()),
            None => Ok(Self::Local(text.into())),
        }
    }
}

impl fmt::Display for SidePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(path) => path.display().fmt(f),
            Self::Remote(path) => path.fmt(f),
        }
    }
}

/// Returns the absolute path, because the journal keeps it and may be continued from another
/// folder.
pub fn absolute(local: &Path) -> PathBuf {
    std::path::absolute(local).unwrap_or_else(|_| local.to_owned())
}

/// Refuses a path without an account that is a folder of this machine, and not of the account: it
/// was hardly meant to be made or read there. `is_target` is set if it would be made.
pub async fn refuse_local(
    context: &CommandContext,
    path: &AccountPath,
    is_target: bool,
) -> Result<(), Error> {
    let RemoteArgument::Path(remote) = &path.remote else {
        return Ok(());
    };
    let is_open = path.account.is_none() && !remote.is_root();
    if !is_open || !Path::new(remote.as_str()).is_dir() {
        return Ok(());
    }
    match context.client().files().stat(remote.as_str()).await {
        Err(error) if error.kind == Kind::NotFound => {
            let account = context.session.source.name();
            let other = is_target.then(|| format!(", or @{account}:{path} for a new one there"));
            let message = format!(
                "{path} is a folder of this machine, and the account has none; write file:{path} for this machine's{}",
                other.unwrap_or_default()
            );
            Err(Error::new(Kind::Refused, message))
        }
        _ => Ok(()),
    }
}

/// Returns both readings of two folders of accounts, if one of their paths may be of this machine.
pub fn readings(source: &AccountPath, dest: &AccountPath) -> Option<String> {
    let is_open = |path: &AccountPath| {
        path.account.is_none() && matches!(path.remote, RemoteArgument::Path(_))
    };
    let local = |path: &AccountPath| format!("file:{path}");
    let remote = |path: &AccountPath| match path.account {
        Some(_) => path.to_string(),
        None => format!("@NAME:{path}"),
    };
    let readings: Vec<String> = [
        is_open(source).then(|| format!("'{} {dest}'", local(source))),
        is_open(dest).then(|| format!("'{source} {}'", local(dest))),
        Some(format!("'{} {}'", remote(source), remote(dest))),
    ]
    .into_iter()
    .flatten()
    .collect();
    (readings.len() > 1).then(|| {
        format!(
            "it is not clear whose these paths are; put file: before a path of this machine, and @NAME: before one of an account: {}",
            readings.join(" or ")
        )
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::relative("site", true)]
    #[case::dot("./site", true)]
    #[case::marked("file:/home/ada/site", true)]
    #[case::absolute("/web", false)]
    #[case::id("id:12", false)]
    #[case::named("@acme:/web", false)]
    fn the_beginning_of_a_path_says_whose_it_is(#[case] text: &str, #[case] is_local: bool) {
        assert_eq!(
            matches!(text.parse(), Ok(SidePath::Local(_))),
            is_local,
            "{text}"
        );
    }

    #[test]
    fn the_former_mark_of_local_paths_names_the_present_ones() {
        let error = "local:/home/ada/site".parse::<SidePath>().unwrap_err();
        assert!(
            error.contains("file:/home/ada/site") && error.contains("@local:"),
            "{error}"
        );
    }

    #[rstest]
    #[case::absolute(
        "/site",
        "/web",
        "'file:/site /web' or '/site file:/web' or '@NAME:/site @NAME:/web'"
    )]
    #[case::a_named_target(
        "/site",
        "@acme:/web",
        "'file:/site @acme:/web' or '@NAME:/site @acme:/web'"
    )]
    #[case::a_named_source(
        "@acme:/web",
        "/site",
        "'@acme:/web file:/site' or '@acme:/web @NAME:/site'"
    )]
    fn absolute_paths_without_an_account_have_several_readings(
        #[case] source: &str,
        #[case] dest: &str,
        #[case] expected: &str,
    ) {
        let [source, dest] = [source, dest].map(|path| path.parse().unwrap());
        let message = readings(&source, &dest).unwrap();
        assert!(message.contains(expected), "{message}");
    }

    #[rstest]
    #[case::named("@acme:/site", "@b:/web")]
    #[case::an_id("id:12", "@b:/web")]
    fn others_have_one(#[case] source: &str, #[case] dest: &str) {
        let [source, dest] = [source, dest].map(|path| path.parse().unwrap());
        assert_eq!(readings(&source, &dest), None);
    }
}
