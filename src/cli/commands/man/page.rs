//! The manual page of a command: its options and summary come from the grammar, the sections that
//! all pages share from the help of the program.

use std::io;

use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};

/// A paragraph of a help text that has a heading.
struct HelpSection<'a> {
    heading: &'a str,
    lines: Vec<&'a str>,
}

/// The paragraphs of the program's help that every page has, and their names there.
const SHARED: [(&str, &str); 3] = [
    ("Environment", "ENVIRONMENT"),
    ("Files", "FILES"),
    ("Exit codes", "EXIT STATUS"),
];
const EXAMPLES: &str = "Examples";
/// The display order of the options that every command has: after its own ones.
const LAST: usize = 1000;

/// Renders the page of a command of the program. Both must be built.
pub fn render(program: &Command, command: &Command) -> io::Result<String> {
    let (help, mut head) = (help_of(program), Roff::new());
    let about = command.get_about().map(ToString::to_string);
    title(&mut head, name_of(command), &about.unwrap_or_default());
    head.control("SH", ["SYNOPSIS"]).text(synopsis(command));
    head.control("SH", ["DESCRIPTION"]);
    let long_about = command.get_long_about().or_else(|| command.get_about());
    paragraphs(
        &mut head,
        &long_about.map(ToString::to_string).unwrap_or_default(),
    );
    let is_program = program.get_name() == name_of(command);
    if is_program {
        paragraphs(&mut head, help.split("\n\n").next().unwrap_or_default());
    }
    let generated = Man::new(command.clone().mut_args(|option| {
        if option.is_global_set() {
            option.display_order(LAST)
        } else {
            option
        }
    }));
    let (mut options, mut tail) = (Vec::new(), Roff::new());
    generated.render_options_section(&mut options)?;
    if command.has_subcommands() {
        generated.render_subcommands_section(&mut options)?;
    }
    for (heading, name) in SHARED {
        tail.control("SH", [name]);
        for section in sections(&help).filter(|section| section.heading == heading) {
            terms(&mut tail, &section.lines);
        }
    }
    tail.control("SH", ["EXAMPLES"]).control("nf", []);
    for example in examples(command) {
        tail.text([roman(example)]);
    }
    tail.control("fi", []);
    see_also(&mut tail, is_program);
    let options = String::from_utf8_lossy(&options).into_owned();
    // The generator puts values in both italics and angle brackets.
    let options = options.replace("\\fI<", "\\fI").replace(">\\fR", "\\fR");
    Ok(head.render() + &without_preamble(&options) + &without_preamble(&tail.render()))
}

/// Writes the header of a page and its section NAME.
pub(super) fn title(page: &mut Roff, name: &str, about: &str) {
    let source = concat!("filedeck ", env!("CARGO_PKG_VERSION"));
    // An empty date has to be quoted, or the next word is taken for it.
    page.control("TH", [name, "1", "\"\"", source, "Manual of filedeck"]);
    // No word is broken, because many are options.
    page.control("nh", []).control("ad", ["l"]);
    page.control("SH", ["NAME"]);
    page.text([roman(format!("{name} - {about}"))]);
}

/// Writes a list of terms; each line has one, two or more spaces, and its meaning.
pub(super) fn terms(page: &mut Roff, lines: &[&str]) {
    for line in lines {
        let (term, meaning) = line.split_once("  ").unwrap_or((line, ""));
        page.control("TP", []).text([bold(term)]);
        page.text([roman(meaning.trim())]);
    }
}

pub(super) fn paragraphs(page: &mut Roff, text: &str) {
    for paragraph in text.split("\n\n") {
        page.control("PP", []).text([roman(paragraph)]);
    }
}

fn see_also(page: &mut Roff, is_program: bool) {
    if is_program && !cfg!(feature = "tui") {
        return;
    }
    let other = if is_program {
        "filedeck-keys"
    } else {
        "filedeck"
    };
    page.control("SH", ["SEE ALSO"]);
    page.text([bold(other), roman("(1)")]);
}

/// Returns the name of a command's page: `filedeck-store-backup`.
pub(super) fn name_of(command: &Command) -> &str {
    command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
}

fn help_of(command: &Command) -> String {
    let help = command.get_after_long_help();
    let help = help.or_else(|| command.get_after_help());
    help.map(ToString::to_string).unwrap_or_default()
}

fn sections(help: &str) -> impl Iterator<Item = HelpSection<'_>> {
    help.split("\n\n").filter_map(|paragraph| {
        let (heading, lines) = paragraph.split_once(":\n")?;
        let lines = lines.lines().map(str::trim).collect();
        Some(HelpSection { heading, lines })
    })
}

/// Returns the examples of a command, or of one that has none itself, the first ones of each
/// command below it.
fn examples(command: &Command) -> Vec<String> {
    let help = help_of(command);
    let own = sections(&help).find(|section| section.heading == EXAMPLES);
    match own {
        Some(own) => own.lines.into_iter().map(str::to_owned).collect(),
        None => command
            .get_subcommands()
            .flat_map(|command| examples(command).into_iter().take(1))
            .collect(),
    }
}

fn synopsis(command: &Command) -> Vec<Inline> {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let mut options: Vec<&Arg> = command
        .get_arguments()
        .filter(|option| !option.is_positional() && !option.is_hide_set())
        .filter(|option| !["help", "version"].contains(&option.get_id().as_str()))
        .collect();
    options.sort_by_key(|option| option.is_global_set());
    let mut line = vec![bold(name)];
    for option in options {
        let is_required = option.is_required_set();
        line.push(roman(if is_required { " " } else { " [" }));
        if let Some(short) = option.get_short() {
            line.extend([bold(format!("-{short}")), roman("|")]);
        }
        let text = option.to_string();
        let at = text.find([' ', '[']).unwrap_or(text.len());
        let (name, value) = text.split_at_checked(at).unwrap_or((&text, ""));
        line.push(bold(name));
        line.extend(Some(value_name(value)).filter(|_| !value.is_empty()));
        line.push(roman(if is_required { "" } else { "]" }));
    }
    for place in command.get_positionals() {
        line.extend([roman(" "), value_name(&place.to_string())]);
    }
    if command.is_subcommand_required_set() {
        line.extend([roman(" "), italic("COMMAND")]);
    } else if command.has_subcommands() {
        line.extend([roman(" "), italic("[COMMAND]")]);
    }
    line
}

/// Returns the name of a value in italics, which stand for the angle brackets of the help.
fn value_name(name: &str) -> Inline {
    italic(name.replace(['<', '>'], ""))
}

fn without_preamble(rendered: &str) -> String {
    rendered.replace(&Roff::new().render(), "")
}
