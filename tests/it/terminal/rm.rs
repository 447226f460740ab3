//! What is asked before a deletion on the command line, as a person sees it.

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service};

#[test]
fn what_lies_in_a_folder_is_told_before_it_is_deleted() {
    let service = Service::start();
    let binary = Binary::on(&service);
    for (name, bytes, folder) in [("one.txt", 1, "/box/"), ("two.txt", 11, "/box/deep/"), ("three.txt", 5, "/")] {
        binary.write(name, &vec![b'x'; bytes]);
        binary.run(&["put", name, folder]).expect(0);
    }
    let command = binary.command(&["rm", "/box", "/box/deep", "/three.txt"]);
    let mut pty = Pty::spawn(in_terminal(&command), 100, 20);
    pty.wait_for_text("Type y to delete:");
    let asked = pty.contents();
    let lines: Vec<&str> = asked.lines().filter(|line| line.starts_with("  ")).collect();
    assert_eq!(lines, ["  /box/  2 files, 12 B", "  /box/deep/  in another of these", "  /three.txt"], "{asked}");
    pty.send("n\r");
    assert_eq!(pty.wait_for_end().exit_code(), 1);
    binary.run(&["ls", "/three.txt"]).expect(0);
}
