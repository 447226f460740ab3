//! One side of `sync` and `diff`: a folder of this machine or of an account.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::account_path::AccountPath;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyncSide {
    Local(PathBuf),
    Remote(AccountPath),
}

impl SyncSide {
    /// Returns the account that the path names.
    pub fn account(&self) -> Option<&str> {
        match self {
            Self::Local(_) => None,
            Self::Remote(path) => path.account.as_deref(),
        }
    }
}

impl FromStr for SyncSide {
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

impl fmt::Display for SyncSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(path) => path.display().fmt(f),
            Self::Remote(path) => path.fmt(f),
        }
    }
}

/// Returns the reason why two folders of accounts are refused, with both readings of paths that
/// name no account.
pub fn two_remote(source: &AccountPath, dest: &AccountPath) -> String {
    let reading = |path: &AccountPath, is_local: bool| match (&path.account, is_local) {
        (None, true) => format!("file:{path}"),
        _ => path.to_string(),
    };
    let readings: Vec<String> = [(source, dest, true), (source, dest, false)]
        .into_iter()
        .filter(|(source, dest, is_up)| {
            let local = if *is_up { source } else { dest };
            local.account.is_none()
        })
        .map(|(source, dest, is_up)| {
            format!("'{} {}'", reading(source, is_up), reading(dest, !is_up))
        })
        .collect();
    match readings.as_slice() {
        [] => "both folders are of accounts; 'filedeck copy' copies between them".to_owned(),
        readings => format!(
            "both folders are of accounts; write the one of this machine with file:, as in {}; 'filedeck copy' copies between accounts",
            readings.join(" or ")
        ),
    }
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
            matches!(text.parse(), Ok(SyncSide::Local(_))),
            is_local,
            "{text}"
        );
    }

    #[test]
    fn the_former_mark_of_local_paths_names_the_present_ones() {
        let error = "local:/home/ada/site".parse::<SyncSide>().unwrap_err();
        assert!(
            error.contains("file:/home/ada/site") && error.contains("@local:"),
            "{error}"
        );
    }

    #[test]
    fn two_absolute_paths_have_two_readings() {
        let [source, dest] = ["/site", "/web"].map(|path| path.parse().unwrap());
        let message = two_remote(&source, &dest);
        assert!(
            message.contains("'file:/site /web' or '/site file:/web'"),
            "{message}"
        );
        let named = "@acme:/web".parse().unwrap();
        let message = two_remote(&source, &named);
        assert!(
            message.contains("'file:/site @acme:/web'") && !message.contains(" or "),
            "{message}"
        );
    }
}
