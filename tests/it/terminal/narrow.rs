//! Lists in a terminal that is too narrow for all columns.

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service};

#[test]
fn a_list_keeps_its_names_whole_and_leaves_out_columns() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let name = "a-name-that-is-forty-characters-long.txt";
    binary.write(name, b"a");
    binary.run(&["put", name, "/box/"]).expect(0);
    for (columns, shown, left_out) in [
        (120, "EXPIRES", "none"),
        (70, "UPDATED", "EXPIRES"),
        (60, "SIZE", "UPDATED"),
    ] {
        let command = binary.command(&["ls", "/box"]);
        let mut pty = Pty::spawn(in_terminal(&command), columns, 10);
        assert_eq!(pty.wait_for_end().exit_code(), 0);
        let list = pty.contents();
        assert!(list.contains(shown) && !list.contains(left_out), "{list}");
        if columns != 70 {
            assert!(list.lines().any(|line| line.ends_with(name)), "{list}");
        }
    }
}
