//! The manual page of the keys of the screen, from the table of their bindings.

use clap_mangen::roff::{Roff, bold, roman};

use super::page::{paragraphs, terms, title};
use crate::config::Preset;
use crate::tui::keymap::{Keymap, ListedKeys, listed};

pub(super) const NAME: &str = "filedeck-keys";

const ABOUT: &str = "\
The keys of the preset 'vim', which is the default, by what they do, with the places where they \
mean it. On the screen, '?' shows the keys of the place with the focus, and those that keys.toml sets.";

const CUA: &str = "\
With preset = \"cua\" in config.toml, the keys of desktop programs are added:";

pub(super) fn render() -> String {
    let mut page = Roff::new();
    title(&mut page, NAME, "keys of the screen of filedeck");
    page.control("SH", ["DESCRIPTION"]);
    paragraphs(&mut page, ABOUT);
    let mut rows = listed(Keymap::defaults().bindings());
    rows.sort_by_key(|row| row.action);
    for group in rows.chunk_by(|row, next| row.action.group() == next.action.group()) {
        let group_name = group.first().map_or("", |row| row.action.group());
        page.control("SH", [group_name.to_uppercase().as_str()]);
        list(&mut page, group);
    }
    page.control("SH", ["DESKTOP KEYS"]);
    paragraphs(&mut page, CUA);
    list(&mut page, &listed(&Keymap::added_by(Preset::Cua)));
    page.control("SH", ["FILES"]);
    terms(
        &mut page,
        &["~/.config/filedeck/keys.toml  keys that differ: 'upload = [\"f6\"]' below '[files]'"],
    );
    page.control("SH", ["SEE ALSO"]);
    page.text([bold("filedeck"), roman("(1)")]);
    page.render()
}

fn list(page: &mut Roff, rows: &[ListedKeys]) {
    for row in rows {
        page.control("TP", []).text([bold(row.keys.join(", "))]);
        let (what, places) = (row.action.description(), row.places.join(", "));
        page.text([roman(format!("{what} ({places})"))]);
    }
}
