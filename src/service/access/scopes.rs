//! The permissions of a token: the scopes it holds, and the sets of which a route requires one
//! (`contract.md#scopes`, `contract.md#crm-limits`). The router's table says which route requires
//! which set.

use std::collections::BTreeSet;

use super::token_source::TokenDigest;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scopes {
    All,
    These(BTreeSet<String>),
}

impl Scopes {
    const ANY: &'static str = "*";

    /// The prefix of hidden-file scopes at the live service, and its spelling in the guide
    /// (`contract.md#scopes`).
    const HIDDEN: &'static str = "files.ui_hidden.";
    const HIDDEN_IN_THE_GUIDE: &'static str = "files_ui_hidden.";

    /// Parses names of scopes, in either spelling; `*` means all. Returns a name that cannot be a
    /// scope as the error.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut held = BTreeSet::new();
        for name in names {
            if name == Self::ANY {
                return Ok(Self::All);
            }
            let is_scope_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
            if name.is_empty() || !name.chars().all(is_scope_char) {
                return Err(name.to_owned());
            }
            held.insert(match name.strip_prefix(Self::HIDDEN_IN_THE_GUIDE) {
                Some(action) => format!("{}{action}", Self::HIDDEN),
                None => name.to_owned(),
            });
        }
        Ok(Self::These(held))
    }

    fn hold_one_of(&self, wanted: &AnyOf) -> bool {
        match self {
            Self::All => true,
            Self::These(held) => held.iter().any(|scope| wanted.contains(scope)),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AnyOf {
    /// The scopes that a refusal lists.
    pub(crate) named: &'static [&'static str],
    /// The prefixes and suffixes of further scopes, for sets too long to list.
    families: &'static [(&'static str, &'static str)],
}

impl AnyOf {
    fn contains(&self, scope: &str) -> bool {
        let is_of = |(start, end): &(&str, &str)| {
            scope
                .strip_prefix(start)
                .and_then(|rest| rest.strip_suffix(end))
                .is_some_and(|kind| !kind.is_empty())
        };
        self.named.contains(&scope) || self.families.iter().any(is_of)
    }
}

pub(crate) const FILES_READ: AnyOf = AnyOf {
    named: &["files", "files.read", "files.ui_hidden.read"],
    families: &[],
};
pub(crate) const FILES_WRITE: AnyOf = AnyOf {
    named: &["files", "files.write", "files.ui_hidden.write"],
    families: &[],
};
pub(crate) const FILES_DELETE: AnyOf = AnyOf {
    named: &["files", "files.delete", "files.ui_hidden.write"],
    families: &[],
};

/// Required for hidden files in addition to the route's own set.
pub(crate) const HIDDEN_READ: AnyOf = AnyOf {
    named: &["files.ui_hidden.read"],
    families: &[],
};
pub(crate) const HIDDEN_WRITE: AnyOf = AnyOf {
    named: &["files.ui_hidden.write"],
    families: &[],
};

/// For eight of the nine limits reports: any scope on any kind of CRM object.
pub(crate) const CRM_OBJECTS: AnyOf = AnyOf {
    named: &[
        "crm.objects.contacts.read",
        "crm.objects.companies.read",
        "crm.objects.deals.read",
        "crm.objects.custom.read",
        "tickets",
        "e-commerce",
        "media_bridge.read",
    ],
    families: &[("crm.objects.", ".read"), ("crm.objects.", ".write")],
};

/// For the report on custom object types.
pub(crate) const CUSTOM_OBJECTS: AnyOf = AnyOf {
    named: &[
        "crm.schemas.custom.read",
        "crm.schemas.custom.write",
        "crm.objects.custom.read",
        "crm.objects.custom.write",
    ],
    families: &[("crm.schemas.custom.", ""), ("crm.objects.custom.", "")],
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MissingScopes {
    pub(crate) named: &'static [&'static str],
}

/// The maker of a request: the name and the permissions of the token.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Principal {
    pub(crate) name: String,
    pub(crate) scopes: Scopes,
    pub(crate) token: TokenDigest,
}

impl Principal {
    pub(crate) fn require(&self, wanted: &AnyOf) -> Result<(), MissingScopes> {
        if self.scopes.hold_one_of(wanted) {
            Ok(())
        } else {
            Err(MissingScopes {
                named: wanted.named,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::the_whole_area("files", &FILES_WRITE, true)]
    #[case::reading_is_not_writing("files.read", &FILES_WRITE, false)]
    #[case::writing_is_not_reading("files.write", &FILES_READ, false)]
    #[case::writing_is_not_deleting("files.write", &FILES_DELETE, false)]
    #[case::hidden_writing_deletes("files.ui_hidden.write", &FILES_DELETE, true)]
    #[case::hidden_reading_as_the_guide_spells_it("files_ui_hidden.read", &HIDDEN_READ, true)]
    #[case::hidden_writing_as_the_guide_spells_it("files_ui_hidden.write", &HIDDEN_WRITE, true)]
    #[case::hidden_writing_in_the_guide_is_not_reading("files_ui_hidden.write", &HIDDEN_READ, false)]
    #[case::the_area_does_not_show_hidden_files("files", &HIDDEN_READ, false)]
    #[case::an_object_not_named("crm.objects.invoices.write", &CRM_OBJECTS, true)]
    #[case::tickets("tickets", &CRM_OBJECTS, true)]
    #[case::a_schema_is_no_object("crm.schemas.custom.read", &CRM_OBJECTS, false)]
    #[case::no_kind("crm.objects.read", &CRM_OBJECTS, false)]
    #[case::custom_schema("crm.schemas.custom.read", &CUSTOM_OBJECTS, true)]
    #[case::other_schema("crm.schemas.contacts.read", &CUSTOM_OBJECTS, false)]
    fn a_scope_opens_the_sets_that_hold_it(
        #[case] scope: &str,
        #[case] wanted: &AnyOf,
        #[case] opens: bool,
    ) {
        assert_eq!(Scopes::parse([scope]).unwrap().hold_one_of(wanted), opens);
    }

    #[test]
    fn no_scope_opens_nothing_and_a_star_opens_all() {
        assert!(!Scopes::parse([]).unwrap().hold_one_of(&FILES_READ));
        assert!(Scopes::parse(["*"]).unwrap().hold_one_of(&HIDDEN_WRITE));
        assert_eq!(Scopes::parse(["files read"]), Err("files read".to_owned()));
    }
}
