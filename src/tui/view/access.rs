//! Access levels in words, so that colour never stands alone.

use ratatui::style::Style;

use crate::api::model::Access;
use crate::tui::theme::Theme;

/// Four letters, for a column.
pub(super) fn word(access: Option<&Access>) -> &'static str {
    match access {
        None => "",
        Some(Access::PublicIndexable) => "INDX",
        Some(Access::PublicNotIndexable) => "LINK",
        Some(Access::Private) => "PRIV",
        Some(Access::Sensitive) => "SENS",
        Some(access) if access.is_hidden() => "HIDN",
        Some(_) => "????",
    }
}

/// What the level means for who has the address.
pub(super) fn meaning(access: &Access) -> &'static str {
    match access {
        Access::PublicIndexable => "public, search engines may index it",
        Access::PublicNotIndexable => "public to who has the address, not indexed",
        Access::Private => "private, needs a signed address",
        Access::Sensitive => "sensitive, needs a signed address",
        Access::HiddenIndexable => "hidden, public and indexed",
        Access::HiddenNotIndexable => "hidden, public to who has the address",
        Access::HiddenPrivate => "hidden, needs a signed address",
        Access::HiddenSensitive => "hidden and sensitive",
        Access::Other(_) => "an access level that filedeck does not know",
    }
}

pub(super) fn style(access: Option<&Access>, theme: &Theme) -> Style {
    match access {
        Some(Access::PublicIndexable | Access::HiddenIndexable) => theme.access_indexable,
        Some(Access::PublicNotIndexable | Access::HiddenNotIndexable) => theme.access_link,
        Some(Access::Private | Access::Sensitive | Access::HiddenPrivate | Access::HiddenSensitive) => {
            theme.access_private
        }
        _ => theme.dim,
    }
}
