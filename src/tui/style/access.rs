//! The colors of access levels.

use ratatui::style::Style;

use super::theme::Theme;
use crate::api::model::Access;

/// The style of a level, which is `None` if it is unknown.
pub fn style(access: Option<&Access>, theme: &Theme) -> Style {
    match access {
        Some(Access::PublicIndexable | Access::HiddenIndexable) => theme.public,
        Some(Access::PublicNotIndexable | Access::HiddenNotIndexable) => theme.unlisted,
        Some(Access::Private | Access::HiddenPrivate) => theme.private,
        Some(Access::Sensitive | Access::HiddenSensitive) => theme.sensitive,
        _ => theme.dim,
    }
}
