//! A working day: what is done at the keys is seen on the screen, and has happened at the service.

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

/// The program with two accounts in its configuration.
struct Desk {
    binary: Binary,
    pty: Pty,
}

impl Desk {
    fn sit_down(office: &Served, branch: &Served) -> Self {
        let binary = Binary::new();
        let mut config = "account = \"office\"\n".to_owned();
        for (name, served) in [("office", office), ("branch", branch)] {
            let token = binary.config_dir().join(name);
            fs::write(&token, served.token).unwrap();
            fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
            let address = &served.base_url;
            writeln!(config, "[accounts.{name}]\nbase_url = \"{address}\"\ntoken_file = \"{name}\"").unwrap();
        }
        fs::write(binary.config_dir().join("config.toml"), config).unwrap();
        let pty = start(&binary);
        Self { binary, pty }
    }

    /// Types keys, and waits for what they are to lead to.
    fn press(&mut self, keys: &str, seen: &str) {
        self.pty.send(keys);
        self.see(seen);
    }

    fn see(&self, text: &str) {
        self.pty.wait_for_text(text);
    }

    /// Waits for the first line to have a text, or to be without it.
    fn see_in_header(&self, text: &str, is_there: bool) {
        self.pty.wait_until(&format!("{text} in the header: {is_there}"), |screen| {
            screen.contents().lines().next().is_some_and(|header| header.contains(text) == is_there)
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
        office.upload("/campaign", &format!("photo {number:02}.txt"), &number.to_string());
    }
    branch.upload("/", "of the branch.txt", "far away");
    let mut desk = Desk::sit_down(&office, &branch);
    desk.see("campaign/");

    upload(&mut desk, &office);
    share(&mut desk, &office);
    search_and_keep_the_view(&mut desk);
    publish_what_was_found(&mut desk, &office);
    go_to_the_branch_and_back(&mut desk, &branch);
    lose_the_service_and_get_it_back(&mut desk, &mut office);
    desk.leave();

    desk.pty = start(&desk.binary);
    desk.see("≡ minutes.md");
    desk.press("Fo", "photo access:private");
    desk.press(ENTER, "Found: to publish");
    desk.see("Nothing is found");
    desk.leave();
}

/// A file of this machine goes up, and where the cursor rests its text is seen.
fn upload(desk: &mut Desk, office: &Served) {
    desk.binary.write("minutes.md", MINUTES.as_bytes());
    desk.press("u", "Upload files");
    desk.press("minutes.md\r", "Upload done: /minutes.md");
    desk.press("G", "▐ ≡ minutes.md");
    desk.see(MINUTES.trim_end());
    let file = &office.stat("/minutes.md")["file"];
    assert_eq!((file["size"].as_u64(), file["access"].as_str()), (Some(MINUTES.len() as u64), Some("PRIVATE")));
}

/// The clipboard gets an address that leads to the file without a token; the file stays private.
fn share(desk: &mut Desk, office: &Served) {
    desk.press("yy", "Signed address of minutes.md");
    let address = desk.pty.wait_for_copy(1);
    assert!(address.starts_with(&office.base_url), "{address}");
    assert_eq!(office.fetch(&address).expect(200).text(), MINUTES);
    let (unsigned, _) = address.split_once('?').unwrap();
    assert_ne!(office.fetch(unsigned).status, 200, "the signature is what opens it");
    assert_eq!(office.stat("/minutes.md")["file"]["access"], "PRIVATE");
}

fn search_and_keep_the_view(desk: &mut Desk) {
    desk.press("f", "Find in the whole account");
    desk.press("photo access:private", "Files named photo, private.");
    desk.press(ENTER, "Found: photo access:private");
    desk.see("photo 01.txt");
    desk.press("Fs", "Keep photo access:private");
    desk.press("to publish\r", "Kept as to publish.");
}

/// All fifty that the search has found become public, once that is confirmed; the search has none of them any more.
fn publish_what_was_found(desk: &mut Desk, office: &Served) {
    assert_eq!(office.access_of("photo"), ["PRIVATE"; PHOTOS]);
    desk.press("\u{1}", "50 marked");
    desk.press("e", "Access of 50 files");
    desk.press(&LEFT_TO_RIGHT.repeat(2), "50 of 50 files change: all become public.");
    desk.press(ENTER, "Make 50 files public in office");
    desk.pty.answer_on(LEFT_TO_RIGHT, "Make public");
    desk.see("Changed: 50 files");
    assert_eq!(office.access_of("photo"), ["PUBLIC_INDEXABLE"; PHOTOS]);
    desk.see("Nothing is found");
}

/// Each account has its own files, and what was kept of the one that was left is still there.
fn go_to_the_branch_and_back(desk: &mut Desk, branch: &Served) {
    desk.press("@", "Accounts");
    desk.pty.send("b\r");
    desk.see_in_header(" branch ", true);
    desk.press("a", "New folder");
    desk.press("of today\r", "of today/");
    assert_eq!(branch.stat("/of today")["folder"]["path"], "/of today");
    desk.press("@", "Accounts");
    desk.pty.send("o\r");
    desk.see_in_header(" office ", true);
    desk.see("≡ minutes.md");
    desk.pty.wait_for_no_text("of the branch.txt");
}

/// The service is killed, comes back at its address with what somebody has stored meanwhile, and that is there by itself.
fn lose_the_service_and_get_it_back(desk: &mut Desk, office: &mut Served) {
    office.kill();
    desk.pty.send("\u{12}G");
    desk.see_in_header("offline", true);
    desk.see("▐ ≡ minutes.md");
    desk.see("No preview: ");
    // What this machine answers for itself, such as names of its files, does not bring the service back.
    desk.binary.write("offer.md", b"ten");
    desk.press("u", "Upload files");
    desk.press("off\t", "offer.md");
    desk.see_in_header("offline", true);
    desk.pty.send("\u{1b}");
    desk.pty.wait_for_no_text("Upload files");
    office.upload_meanwhile("/", "new since.txt", "new");
    office.start_again();
    desk.see("new since.txt");
    desk.see_in_header("offline", false);
    desk.see(MINUTES.trim_end());
}
