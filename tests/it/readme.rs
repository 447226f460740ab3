//! The README's keys, verbs and picture, held against what filedeck has.
//! `UPDATE_README=1` writes them anew.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::CommandFactory as _;
use filedeck::cli::arguments::Arguments;
use filedeck::config::{Preset, TomlText};
use filedeck::tui::keymap::{Binding, Context, Keymap, spell};

use crate::screen::readme_pictures;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn is_update() -> bool {
    std::env::var_os("UPDATE_README").is_some()
}

/// Tests run side by side: one at a time may write the README, or read it.
static README: Mutex<()> = Mutex::new(());

/// Asserts that what stands between the README's markers is `expected`, or puts it there when asked to.
fn assert_section(name: &str, expected: &str) {
    let _alone = README.lock().unwrap();
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let readme = fs::read_to_string(path("README.md")).unwrap();
    let (before, rest) = readme.split_once(&start).unwrap();
    let (section, after) = rest.split_once(&end).unwrap();
    if is_update() {
        fs::write(path("README.md"), format!("{before}{start}{expected}{end}{after}")).unwrap();
    } else {
        assert_eq!(section, expected, "run the tests with UPDATE_README=1 to write the section {name} anew");
    }
}

fn place(context: Context) -> &'static str {
    match context {
        Context::Global => "everywhere",
        Context::Files => "files",
        Context::Tree => "tree",
        Context::List => "list",
        Context::Details => "details",
        Context::Tasks => "tasks",
        Context::Limits => "limits",
        Context::Activity => "activity",
    }
}

#[test]
fn the_readmes_keys_are_those_of_the_program() {
    let keymap = Keymap::defaults();
    assert_section("keys", &table(keymap.bindings()));
    let (cua, _) = Keymap::load(Preset::Cua, &TomlText::default());
    let others: Vec<Binding> =
        cua.bindings().iter().filter(|binding| !keymap.bindings().contains(binding)).cloned().collect();
    assert_section("keys cua", &table(&others));
}

fn table(bindings: &[Binding]) -> String {
    let mut rows: Vec<(String, &str, Vec<&str>)> = Vec::new();
    for binding in bindings {
        let keys: Vec<String> = binding.sequences.iter().map(|keys| format!("`{}`", spell(keys))).collect();
        let keys = keys.join(" ");
        let what = binding.action.description();
        match rows.iter_mut().find(|(known, known_what, _)| *known == keys && *known_what == what) {
            Some((_, _, places)) => places.push(place(binding.context)),
            None => rows.push((keys, what, vec![place(binding.context)])),
        }
    }
    let mut table = "| keys | where | what |\n|---|---|---|\n".to_owned();
    for (keys, what, places) in rows {
        writeln!(table, "| {keys} | {} | {what} |", places.join(", ")).unwrap();
    }
    table
}

#[test]
fn the_readmes_pictures_are_what_the_screen_shows() {
    let _alone = README.lock().unwrap();
    let readme = fs::read_to_string(path("README.md")).unwrap();
    for (name, drawn) in readme_pictures() {
        let file = path("docs").join(name);
        if is_update() {
            fs::write(file, drawn).unwrap();
        } else {
            let committed = fs::read_to_string(file).unwrap();
            assert!(committed == drawn, "run the tests with UPDATE_README=1 to draw docs/{name} anew");
        }
        assert!(readme.contains(&format!("(docs/{name})")), "{name}");
    }
}

#[test]
fn the_readmes_verbs_are_those_of_the_program() {
    let mut table = "| verb | what it does |\n|---|---|\n".to_owned();
    add_verbs(&mut table, "filedeck", &Arguments::command());
    assert_section("verbs", &table);
}

/// A row for each verb that has none below it: how it is called, without options, and its one-line description.
fn add_verbs(table: &mut String, words: &str, command: &clap::Command) {
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        let words = format!("{words} {}", verb.get_name());
        if verb.has_subcommands() {
            add_verbs(table, &words, verb);
            continue;
        }
        let places = verb.get_positionals().fold(String::new(), |places, place| format!("{places} {place}"));
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(table, "| `{words}{places}` | {about} |").unwrap();
    }
}
