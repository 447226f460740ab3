//! Deletion on the command line in a terminal: the question before, and the list on the screen
//! afterwards.

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service};

#[test]
fn what_lies_in_a_folder_is_told_before_it_is_deleted() {
    let service = Service::start();
    let binary = Binary::on(&service);
    for (name, bytes, folder) in [
        ("one.txt", 1, "/box/"),
        ("two.txt", 11, "/box/deep/"),
        ("three.txt", 5, "/"),
    ] {
        binary.write(name, &vec![b'x'; bytes]);
        binary.run(&["put", name, folder]).expect(0);
    }
    let command = binary.command(&["rm", "/box", "/box/deep", "/three.txt"]);
    let mut pty = Pty::spawn(in_terminal(&command), 100, 20);
    pty.wait_for_text("Type y to delete:");
    let asked = pty.contents();
    let lines: Vec<&str> = asked
        .lines()
        .filter(|line| line.starts_with("  "))
        .collect();
    assert_eq!(lines, ["  /box/  2 files, 12 B", "  /three.txt"], "{asked}");
    pty.send("n\r");
    assert_eq!(pty.wait_for_end().exit_code(), 1);
    binary.run(&["ls", "/three.txt"]).expect(0);
}

#[test]
fn files_of_a_folder_that_was_deleted_by_a_script_can_be_deleted_for_good_on_the_screen() {
    let service = Service::start();
    let binary = Binary::on(&service);
    for (name, folder) in [
        ("one.txt", "/box/"),
        ("two.txt", "/box/deep/"),
        ("three.txt", "/"),
    ] {
        binary.write(name, name.as_bytes());
        binary.run(&["put", name, folder]).expect(0);
    }
    assert_eq!(binary.run(&["rm", "--yes", "/box"]).expect(0).stderr, "");
    let mut pty = Pty::spawn(in_terminal(&binary.command(&[])), 100, 30);
    pty.wait_for_text("three.txt");
    pty.send("gd");
    pty.wait_for_text("2 files deleted with it can be deleted permanently.");
    pty.send("D");
    pty.wait_for_text("Permanently delete 2 files");
    pty.answer("2");
    pty.wait_for_text("to confirm   2");
    pty.send("\r\r");
    pty.wait_for_text("Permanently deleted 2 files, erased within 7 days");
    pty.send("q");
    assert!(pty.wait_for_end().success());
}
