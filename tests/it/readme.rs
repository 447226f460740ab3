//! Keys, commands, pictures and the recorded session of the documents, checked against the program.
//! `UPDATE_README=1` updates them.

mod recording;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use filedeck::config::Preset;
use filedeck::tui::keymap::{Binding, Keymap, listed};

use crate::cli::help::commands;
use crate::screen::document_pictures;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn is_update() -> bool {
    std::env::var_os("UPDATE_README").is_some()
}

/// Tests run in parallel, but only one at a time may write or read a document.
static README: Mutex<()> = Mutex::new(());

/// Asserts that the text between a document's markers is `expected`, or updates it.
fn assert_section(document: &str, name: &str, expected: &str) {
    let _alone = README.lock().unwrap_or_else(PoisonError::into_inner);
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let readme = fs::read_to_string(path(document)).unwrap();
    let (before, rest) = readme.split_once(&start).unwrap();
    let (section, after) = rest.split_once(&end).unwrap();
    if is_update() {
        fs::write(
            path(document),
            format!("{before}{start}{expected}{end}{after}"),
        )
        .unwrap();
    } else {
        assert_eq!(
            section, expected,
            "run the tests with UPDATE_README=1 to write the section {name} anew"
        );
    }
}

/// Asserts that a whole file of the documents is `drawn`, or updates it.
fn assert_document(name: &str, drawn: &str) {
    let _alone = README.lock().unwrap_or_else(PoisonError::into_inner);
    if is_update() {
        fs::write(path(name), drawn).unwrap();
    } else {
        let committed = fs::read_to_string(path(name)).unwrap_or_default();
        let line = committed
            .lines()
            .zip(drawn.lines())
            .take_while(|(committed, drawn)| committed == drawn)
            .count()
            + 1;
        assert!(
            committed == drawn,
            "{name} is another from line {line} on; UPDATE_README=1 makes it anew"
        );
    }
}

/// The beginnings of the rows in the README's short tables.
const TEN_KEYS: [&str; 10] = [
    "| `enter`",
    "| `h`",
    "| `f` | everywhere",
    "| `/`",
    "| `u`",
    "| `s` | list",
    "| `d` | files",
    "| `y y` | list",
    "| `w`",
    "| `?`",
];
const TEN_COMMANDS: [&str; 10] = [
    "| `filedeck ls",
    "| `filedeck find",
    "| `filedeck put",
    "| `filedeck get",
    "| `filedeck rm",
    "| `filedeck url",
    "| `filedeck limits",
    "| `filedeck serve",
    "| `filedeck store verify",
    "| `filedeck store backup",
];

fn rows_with(table: &str, beginnings: &[&str]) -> String {
    let head = table.lines().take(2);
    let row = |beginning: &&str| {
        table
            .lines()
            .find(|line| line.starts_with(*beginning))
            .unwrap()
    };
    head.chain(beginnings.iter().map(row))
        .fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn the_documents_keys_are_those_of_the_program() {
    let keymap = Keymap::defaults();
    let all = table(keymap.bindings());
    assert_section("docs/using.md", "keys", &all);
    assert_section("README.md", "ten keys", &rows_with(&all, &TEN_KEYS));
    let others = Keymap::added_by(Preset::Cua);
    assert_section("docs/using.md", "keys cua", &table(&others));
}

fn table(bindings: &[Binding]) -> String {
    let mut table = "| keys | where | what |\n|---|---|---|\n".to_owned();
    for row in listed(bindings) {
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{key}`")).collect();
        let (keys, places, what) = (
            keys.join(" "),
            row.places.join(", "),
            row.action.description(),
        );
        writeln!(table, "| {keys} | {places} | {what} |").unwrap();
    }
    table
}

#[test]
fn the_pictures_of_the_documents_are_what_the_screen_shows() {
    let readme = fs::read_to_string(path("README.md")).unwrap();
    let pages = fs::read_dir(path("docs"))
        .unwrap()
        .map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|extension| extension == "md"));
    let docs: String = pages
        .map(|page| fs::read_to_string(page).unwrap())
        .collect();
    for (name, drawn) in document_pictures() {
        assert_document(&format!("docs/{name}"), &drawn);
        assert!(
            readme.contains(&format!("(docs/{name})")) || docs.contains(&format!("({name})")),
            "{name}"
        );
    }
}

/// A row for each command: its arguments without options, and its one-line description.
#[test]
fn the_documents_commands_are_those_of_the_program() {
    let mut table = "| command | what it does |\n|---|---|\n".to_owned();
    for (words, command) in commands() {
        let places = command
            .get_positionals()
            .fold(String::new(), |places, place| format!("{places} {place}"));
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        writeln!(table, "| `{words}{places}` | {about} |").unwrap();
    }
    assert_section("docs/scripting.md", "commands", &table);
    assert_section(
        "README.md",
        "ten commands",
        &rows_with(&table, &TEN_COMMANDS),
    );
}
