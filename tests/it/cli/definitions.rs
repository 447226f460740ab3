//! What is made of the definitions of the command line: completions and manual pages.

use std::process::Command;

use rstest::rstest;

use super::binary::{Binary, names};
use super::help::commands;

#[rstest]
#[case::bash("bash")]
#[case::zsh("zsh")]
#[case::fish("fish")]
#[case::powershell("powershell")]
fn completions_know_every_command(#[case] shell: &str) {
    let run = Binary::new().run(&["completions", shell]).expect(0);
    for word in ["gdpr-log", "mkdir", "dry-run", "access"] {
        assert!(run.stdout.contains(word), "{word} is missing");
    }
}

#[test]
fn bash_completes_commands_and_options() {
    let binary = Binary::new();
    let run = binary.run(&["completions", "bash"]).expect(0);
    binary.write("filedeck.bash", run.stdout.as_bytes());
    let complete = |words: &str, index: usize| {
        let script = format!(
            "source filedeck.bash; COMP_WORDS=({words}); COMP_CWORD={index}; \
             _filedeck filedeck \"${{COMP_WORDS[$COMP_CWORD]}}\" \"\"; echo ${{COMPREPLY[@]}}"
        );
        let Ok(output) = Command::new("bash").args(["-c", &script]).current_dir(binary.work()).output() else {
            return None;
        };
        Some(String::from_utf8(output.stdout).unwrap())
    };
    // Without a bash there is nothing to complete in.
    let Some(found) = complete("filedeck mk", 1) else { return };
    assert_eq!(found, "mkdir\n");
    assert_eq!(complete("filedeck mv --dr", 2).unwrap(), "--dry-run\n");
}

#[test]
fn every_command_has_a_page_with_its_examples() {
    let binary = Binary::new();
    binary.run(&["man", "--output", "pages"]).expect(0);
    let pages = names(&binary.work().join("pages"));
    for (words, _) in commands() {
        let page = format!("{}.1", words.replace(' ', "-"));
        assert!(pages.contains(&page), "{page} is missing");
    }
    let page = binary.run(&["man", "store", "backup"]).expect(0).stdout;
    assert!(page.contains(".TH") && page.contains("filedeck store backup /backup/files"), "{page}");
    binary.run(&["man", "nothing"]).expect(2);
}
