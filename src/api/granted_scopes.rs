//! The permissions of an access token, from the scopes that the service listed with it
//! (`contract.md#scopes`).

use super::error::is_of_hidden;

/// The permissions that the listed scopes grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantedScopes {
    /// Uploads, imports, new folders and changes.
    pub write: bool,
    /// Deletions.
    pub delete: bool,
}

impl GrantedScopes {
    /// Returns the permissions that `scopes` grant; `None` if the service listed none.
    pub(super) fn of(scopes: &[String]) -> Option<Self> {
        let any = |narrow: &str| {
            let opens = |scope: &String| {
                scope == "files"
                    || scope == narrow
                    || is_of_hidden(scope) && scope.rsplit('.').next() == Some("write")
            };
            scopes.iter().any(opens)
        };
        (!scopes.is_empty()).then(|| Self {
            write: any("files.write"),
            delete: any("files.delete"),
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::none_listed(&[], None)]
    #[case::all(&["oauth", "files"], Some((true, true)))]
    #[case::read_only(&["files.read", "files.ui_hidden.read"], Some((false, false)))]
    #[case::no_deletion(&["files.read", "files.write"], Some((true, false)))]
    #[case::deletion_alone(&["files.delete"], Some((false, true)))]
    #[case::hidden_files(&["files.ui_hidden.write"], Some((true, true)))]
    #[case::hidden_files_as_the_guide_spells_it(&["files_ui_hidden.write"], Some((true, true)))]
    #[case::of_something_else(&["crm.objects.contacts.write"], Some((false, false)))]
    fn scopes_say_what_may_be_done(
        #[case] scopes: &[&str],
        #[case] expected: Option<(bool, bool)>,
    ) {
        let scopes: Vec<String> = scopes.iter().map(ToString::to_string).collect();
        assert_eq!(
            GrantedScopes::of(&scopes),
            expected.map(|(write, delete)| GrantedScopes { write, delete })
        );
    }
}
