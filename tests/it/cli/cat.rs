use super::binary::with_a_library;
use crate::support::proxy::{Calls, End, Fault, Proxy, Rule, Which};

#[test]
fn bytes_come_as_they_are_one_file_after_the_other() {
    let (_service, binary) = with_a_library();
    let output = binary
        .command(&["cat", "/box/one.txt", "/box/two.png"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"one\n\x89PNG\r\n\x1a\n\0\0");
    assert_eq!(
        binary.run(&["cat", "/box/**/t*.txt"]).expect(0).stdout,
        "three\ntwo\n"
    );
}

#[test]
fn a_folder_is_refused_and_the_other_files_are_printed() {
    let (_service, binary) = with_a_library();
    let run = binary.run(&["cat", "/box", "/box/one.txt"]).expect(5);
    assert_eq!(run.stdout, "one\n");
    assert!(run.stderr.contains("it is a folder"), "{}", run.stderr);
}

#[test]
fn bytes_have_no_form_as_json() {
    let (_service, binary) = with_a_library();
    let run = binary.run(&["cat", "/box/one.txt", "--json"]).expect(2);
    assert!(run.stderr.contains("--json"), "{}", run.stderr);
}

#[test]
fn a_cut_connection_is_continued_and_no_byte_comes_twice() {
    let (service, binary) = with_a_library();
    let content: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    binary.write("large.bin", &content);
    binary.run(&["put", "large.bin", "/"]).expect(0);
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    let calls = Calls::to("GET", "/files/v3/files/").naming("/download");
    proxy.rules(vec![Rule::new(
        calls,
        Which::First(1),
        Fault::cut(End::Reset),
    )]);
    let binary = binary.env("FILEDECK_BASE_URL", proxy.url.as_str());
    let output = binary.command(&["cat", "/large.bin"]).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.stdout == content);
}
