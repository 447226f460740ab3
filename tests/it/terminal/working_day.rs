//! A working day: every action at the keys shows on the screen, and takes effect on the service.

mod served;

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use served::Served;

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, TOKEN};

const ENTER: &str = "\r";
const LEFT_TO_RIGHT: &str = "\u{1b}[C";
const MINUTES: &str = "The harbour opens at nine.\n";
const PHOTOS: usize = 50;

struct World {
    binary: Binary,
    pty: Pty,
}

impl World {
    fn sit_down(office: &Served, branch: &Served) -> Self {
        let binary = Binary::new();
        let mut config = "account = \"office\"\n".to_owned();
        for (name, served) in [("office", office), ("branch", branch)] {
            let token = binary.config_dir().join(name);
            fs::write(&token, served.token).unwrap();
            fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
            let address = &served.base_url;
            writeln!(
                config,
                "[accounts.{name}]\nbase_url = \"{address}\"\ntoken_file = \"{name}\""
            )
            .unwrap();
        }
        fs::write(binary.config_dir().join("config.toml"), config).unwrap();
        let pty = start(&binary);
        Self { binary, pty }
    }

    fn press(&mut self, keys: &str, seen: &str) {
        self.pty.send(keys);
        self.see(seen);
    }

    fn see(&self, text: &str) {
        self.pty.wait_for_text(text);
    }

    fn see_in_header(&self, text: &str, is_there: bool) {
        self.pty
            .wait_until(&format!("{text} in the header: {is_there}"), |screen| {
                screen
                    .contents()
                    .lines()
                    .next()
                    .is_some_and(|header| header.contains(text) == is_there)
            });
    }

    fn leave(&mut self) {
        self.pty.send("q");
        assert!(self.pty.wait_for_end().success());
        self.pty.assert_given_back();
    }
}

fn start(binary: &Binary) -> Pty {
    let mut command = in_terminal(&binary.command(&[]));
    command.env("TERM", "xterm-256color");
    for name in ["TMUX", "NO_COLOR"] {
        command.env_remove(name);
    }
    Pty::spawn(command, 120, 40)
}

#[test]
fn a_working_day_from_the_first_upload_to_the_next_morning() {
    let (mut office, branch) = (Served::start(TOKEN), Served::start("canary-of-the-branch"));
    for number in 1..=PHOTOS {
        office.upload(
            "/campaign",
            &format!("photo {number:02}.txt"),
            &number.to_string(),
        );
    }
    branch.upload("/", "of the branch.txt", "far away");
    let mut current = World::sit_down(&office, &branch);
    current.see("campaign/");

    upload(&mut current, &office);
    share(&mut current, &office);
    search_and_keep_the_view(&mut current);
    publish_what_was_found(&mut current, &office);
    go_to_the_branch_and_back(&mut current, &branch);
    lose_the_service_and_get_it_back(&mut current, &mut office);
    current.leave();

    current.pty = start(&current.binary);
    current.see("≡ minutes.md");
    current.press("Fo", "photo access:private");
    current.press(ENTER, "Found: to publish");
    current.see("No matches");
    current.leave();
}

/// Uploads a local file, and sees its text under the cursor.
fn upload(current: &mut World, office: &Served) {
    current.binary.write("minutes.md", MINUTES.as_bytes());
    current.press("u", "Upload files");
    current.press("minutes.md\r", "Uploaded /minutes.md");
    current.press("G", "▐ ≡ minutes.md");
    current.see(MINUTES.trim_end());
    let file = &office.stat("/minutes.md")["file"];
    assert_eq!(
        (file["size"].as_u64(), file["access"].as_str()),
        (Some(MINUTES.len() as u64), Some("PRIVATE"))
    );
}

/// Copies a URL to the clipboard that opens the file without a token; the file stays private.
fn share(current: &mut World, office: &Served) {
    current.press("yy", "Signed link sent to the terminal, valid until");
    let address = current.pty.wait_for_copy(1);
    assert!(address.starts_with(&office.base_url), "{address}");
    assert_eq!(office.fetch(&address).expect(200).text(), MINUTES);
    let (unsigned, _) = address.split_once('?').unwrap();
    assert_ne!(
        office.fetch(unsigned).status,
        200,
        "the signature is what opens it"
    );
    assert_eq!(office.stat("/minutes.md")["file"]["access"], "PRIVATE");
}

fn search_and_keep_the_view(current: &mut World) {
    current.press("f", "Find in the whole account");
    current.press("photo access:private", "Files named photo, private.");
    current.press(ENTER, "Found: photo access:private");
    current.see("photo 01.txt");
    current.press("Fs", "Save photo access:private");
    current.press("to publish\r", "Saved as to publish.");
}

/// Makes all fifty files of the search public after a confirmation; the search no longer lists any.
fn publish_what_was_found(current: &mut World, office: &Served) {
    assert_eq!(office.access_of("photo"), ["PRIVATE"; PHOTOS]);
    current.press("\u{1}", "50 marked");
    current.press("e", "Access for 50 files");
    current.press(
        &LEFT_TO_RIGHT.repeat(2),
        "50 of 50 files change: all become public.",
    );
    current.press(ENTER, "Make 50 files public in office");
    current.pty.answer_on(LEFT_TO_RIGHT, "Make public");
    current.see("Changed 50 files");
    assert_eq!(office.access_of("photo"), ["PUBLIC_INDEXABLE"; PHOTOS]);
    current.see("No matches");
}

/// Switches accounts: each has its own files, and the first is as it was left.
fn go_to_the_branch_and_back(current: &mut World, branch: &Served) {
    current.press("@", "Accounts");
    // The built-in store comes before it.
    current.pty.send("bb\r");
    current.see_in_header(" branch ", true);
    current.press("a", "New folder");
    current.press("of today\r", "of today/");
    assert_eq!(branch.stat("/of today")["folder"]["path"], "/of today");
    current.press("@", "Accounts");
    current.pty.send("o\r");
    current.see_in_header(" office ", true);
    current.see("Found: photo access:private");
    current.press("\u{1b}", "≡ minutes.md");
    current.pty.wait_for_no_text("of the branch.txt");
}

/// Kills the service, which comes back at its address with a file stored meanwhile; that appears by
/// itself.
fn lose_the_service_and_get_it_back(current: &mut World, office: &mut Served) {
    office.kill();
    current.pty.send("\u{12}G");
    current.see_in_header("offline", true);
    current.see("▐ ≡ minutes.md");
    current.see("No preview: ");
    // Local responses, such as names of local files, do not count as a sign of the service.
    current.binary.write("offer.md", b"ten");
    current.press("u", "Upload files");
    current.press("off\t", "offer.md");
    current.see_in_header("offline", true);
    current.pty.send("\u{1b}");
    current.pty.wait_for_no_text("Upload files");
    office.upload_meanwhile("/", "new since.txt", "new");
    office.start_again();
    current.see("new since.txt");
    current.see_in_header("offline", false);
    current.see(MINUTES.trim_end());
}
