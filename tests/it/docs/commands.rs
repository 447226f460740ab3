//! The commands of the documents: blocks marked `sh` run as scripts, those marked `sh serves` as
//! services that start and stop. Blocks marked `sh no_run`, which need a network, a terminal or
//! other programs, are only parsed.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use clap::error::ErrorKind;
use filedeck::cli::arguments::Arguments;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::cli::help::{commands, shell_words};

/// The documents outside `docs/`.
const DOCUMENTS: [&str; 11] = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "examples/README.md",
    "examples/go/README.md",
    "examples/jest/README.md",
    "examples/pytest/README.md",
    "examples/shell/README.md",
    "packaging/README.md",
    "packaging/npm/filedeck/README.md",
    "packaging/python/README.md",
];

fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs"))
        .unwrap()
        .map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|extension| extension == "md"));
    let pages = pages.map(|page| format!("docs/{}", page.file_name().unwrap().to_str().unwrap()));
    let mut names: Vec<String> = pages.chain(DOCUMENTS.map(str::to_owned)).collect();
    names.sort();
    names
        .into_iter()
        .map(|name| (name.clone(), fs::read_to_string(root.join(name)).unwrap()))
        .collect()
}

struct Block {
    /// The place of its fence, such as `docs/recipes.md:12`.
    place: String,
    /// The words after `sh`.
    mark: String,
    script: String,
}

#[derive(Default)]
struct Code {
    blocks: Vec<Block>,
    spans: Vec<(String, String)>,
}

fn code() -> Code {
    let mut code = Code::default();
    for (name, text) in documents() {
        let mut is_open = false;
        for (event, at) in Parser::new_ext(&text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = text
                .bytes()
                .take(at.start)
                .filter(|byte| *byte == b'\n')
                .count()
                + 1;
            let place = format!("{name}:{line}");
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    let (language, mark) = info.split_once(' ').unwrap_or((&info, ""));
                    // Commands under another language, or none, would be missed here.
                    assert!(
                        ["sh", "toml", "rust"].contains(&language),
                        "{place}: the language is '{language}'"
                    );
                    is_open = language == "sh";
                    if is_open {
                        code.blocks.push(Block {
                            place,
                            mark: mark.to_owned(),
                            script: String::new(),
                        });
                    }
                }
                Event::Text(line) if is_open => {
                    code.blocks.last_mut().unwrap().script.push_str(&line);
                }
                Event::End(TagEnd::CodeBlock) => is_open = false,
                Event::Code(span) => code.spans.push((place, span.into_string())),
                _ => {}
            }
        }
    }
    code
}

impl Block {
    /// The calls of filedeck in the block, at the start of a line or after a pipe.
    fn calls(&self) -> impl Iterator<Item = Vec<OsString>> {
        let calls = self
            .script
            .lines()
            .flat_map(|line| line.split(" #").next().unwrap_or_default().split(" | "));
        let calls = calls.map(|call| call.trim().trim_start_matches("npx "));
        calls
            .filter(|call| call.starts_with("filedeck "))
            .map(shell_words)
    }
}

fn spoken(words: &[OsString]) -> String {
    words
        .iter()
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn the_arguments_of_every_block_are_read() {
    let blocks = code().blocks;
    let mut wrong = Vec::new();
    for block in &blocks {
        if !["", "no_run", "serves"].contains(&block.mark.as_str()) {
            wrong.push(format!(
                "{}: the mark '{}' is not known",
                block.place, block.mark
            ));
        }
        if block.mark == "serves"
            && !block
                .script
                .lines()
                .all(|line| line.starts_with("filedeck serve "))
        {
            wrong.push(format!(
                "{}: only lines of `filedeck serve` are run",
                block.place
            ));
        }
        for call in block.calls() {
            if let Err(error) = Arguments::read(call.clone()) {
                wrong.push(format!("{}: {}\n{error}", block.place, spoken(&call)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(blocks.len() > 20, "{}", blocks.len());
}

/// Checks that commands in texts name existing commands and options; words in capitals are
/// placeholders.
#[test]
fn the_commands_that_texts_name_are_there() {
    let (mut seen, mut wrong) = (0, Vec::new());
    // The tables of all commands are generated from the grammar.
    let is_of_table = |span: &str| span.starts_with("filedeck ") && span.contains(['<', '[']);
    for (place, span) in code()
        .spans
        .into_iter()
        .filter(|(_, span)| !is_of_table(span))
    {
        // In lines for shells, the call is in parentheses.
        let inner = span
            .split_once("(filedeck ")
            .map(|(_, words)| format!("filedeck {}", words.trim_end_matches(')')));
        let Some(call) = inner.or(Some(span.clone()).filter(|span| span.starts_with("filedeck ")))
        else {
            continue;
        };
        seen += 1;
        let word = |word: OsString| match word.to_str() {
            Some("NO" | "ID") => "4711".into(),
            Some("COMMAND") => "put".into(),
            _ => word,
        };
        let is_named = |kind| {
            use ErrorKind as Kind;
            let shown = [
                Kind::DisplayHelp,
                Kind::DisplayVersion,
                Kind::DisplayHelpOnMissingArgumentOrSubcommand,
            ];
            kind == Kind::MissingRequiredArgument || shown.contains(&kind)
        };
        if let Err(error) = Arguments::read(shell_words(&call).into_iter().map(word))
            && !is_named(error.kind())
        {
            wrong.push(format!("{place}: {span}\n{error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 20, "{seen}");
}

#[test]
fn every_command_has_an_example_in_the_documents() {
    let calls: Vec<String> = code()
        .blocks
        .iter()
        .flat_map(Block::calls)
        .map(|call| spoken(&call) + " ")
        .collect();
    let is_missing = |words: &String| {
        !calls
            .iter()
            .any(|call| call.starts_with(&format!("{words} ")))
    };
    let missing: Vec<String> = commands()
        .into_iter()
        .map(|(words, _)| words)
        .filter(is_missing)
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[cfg(unix)]
mod run {
    use std::fs;

    use filedeck::service::TEST_API_PREFIX;

    use super::{Block, code, spoken};
    use crate::cli::binary::{Binary, Service, Serving, TOKEN};
    use crate::support::http;

    /// Resets the service, so that no block sees the effects of another.
    fn reset(service: &Service) {
        let address = format!(
            "{}{TEST_API_PREFIX}/reset",
            service.base_url().trim_end_matches('/')
        );
        let answer = service
            .block_on(http::client().post(address).bearer_auth(TOKEN).send())
            .unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
    }

    fn prepared(service: &Service, block: &Block) -> Binary {
        let binary = Binary::on(service);
        fs::create_dir_all(binary.work().join("launch/drafts")).unwrap();
        for (name, sample) in [
            ("logo.png", "logo-mono.png"),
            ("banner.png", "channels-chart.png"),
            ("drafts/invitation.jpg", "social-card.jpg"),
        ] {
            let sample = format!(
                "{}/assets/sample/library/{sample}",
                env!("CARGO_MANIFEST_DIR")
            );
            fs::copy(sample, binary.work().join("launch").join(name)).unwrap();
        }
        if block.script.contains("./store") {
            let mut serving = Serving::start(&binary, &["--data-dir", "store", "--sample"]);
            assert_eq!(serving.end("TERM"), 0);
        }
        if block.script.contains("OTHER.db") {
            fs::rename(
                binary.work().join("store/filedeck.db"),
                binary.work().join("OTHER.db"),
            )
            .unwrap();
        }
        binary
    }

    /// Runs a block until its end or the first failing command; returns a description of the
    /// failure.
    fn run(binary: &Binary, block: &Block) -> Option<String> {
        let script = format!("filedeck() {{ \"$0\" \"$@\"; }}\n{}", block.script);
        // Not `sh`, which may not report the failure of a command before a pipe.
        let run = binary.run_under(&["bash", "--posix", "-euo", "pipefail", "-c", &script], &[]);
        (run.code != 0).then(|| format!("exit code {}\n{}{}", run.code, run.stdout, run.stderr))
    }

    /// Starts each service of a block, and stops it once it serves; returns a description of the
    /// failure.
    fn serve(binary: &Binary, block: &Block) -> Option<String> {
        let wrong = block.calls().filter_map(|call| {
            let words: Vec<String> = call
                .iter()
                .skip(2)
                .map(|word| word.to_str().unwrap().to_owned())
                .collect();
            let word = |(at, word): (usize, &String)| match word.rsplit_once(':') {
                Some((address, _)) if at > 0 && words[at - 1] == "--listen" => {
                    format!("{address}:0")
                }
                _ => word.clone(),
            };
            let words: Vec<String> = words.iter().enumerate().map(word).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut serving = Serving::start(binary, &words);
            let is_serving = serving.base_url().starts_with("http://");
            let code = serving.end("TERM");
            let log = || fs::read_to_string(binary.log()).unwrap_or_default();
            (!is_serving || code != 0)
                .then(|| format!("{}: exit code {code}\n{}", spoken(&call), log()))
        });
        let wrong: Vec<String> = wrong.collect();
        (!wrong.is_empty()).then(|| wrong.join("\n"))
    }

    #[test]
    fn every_block_runs() {
        let mut wrong = Vec::new();
        let service = Service::start_with(|mut options| {
            (options.sample, options.test_api) = (true, true);
            options
        });
        for block in code().blocks.iter().filter(|block| block.mark != "no_run") {
            let failed = if block.mark == "serves" {
                serve(&Binary::new(), block)
            } else {
                reset(&service);
                run(&prepared(&service, block), block)
            };
            wrong.extend(failed.map(|why| format!("{}: {why}", block.place)));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
