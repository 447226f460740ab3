use super::binary::with_a_library;

#[test]
fn the_receipts_of_permanent_deletions_are_kept() {
    let (_service, binary) = with_a_library();
    assert_eq!(binary.run(&["gdpr-log"]).expect(0).stdout, "");
    binary.run(&["rm", "--yes", "/box/two.png"]).expect(0);
    let deleted = binary
        .run(&["rm", "--yes", "--permanent", "/box/one.txt", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    let receipts = binary.run(&["gdpr-log", "--json"]).expect(0).json_lines();
    assert_eq!(receipts.len(), 1, "a file that was only deleted has none");
    assert_eq!(
        (&receipts[0]["id"], receipts[0]["path"].as_str()),
        (&deleted["id"], Some("/box/one.txt"))
    );
    assert_eq!(receipts[0]["goneBy"], deleted["goneBy"]);
    let run = binary.run(&["gdpr-log"]).expect(0);
    assert!(
        run.stdout.ends_with("\t/box/one.txt\n") && run.stdout.lines().count() == 1,
        "{}",
        run.stdout
    );
}

#[test]
fn a_receipt_is_printed_for_people() {
    let (_service, binary) = with_a_library();
    binary
        .run(&["rm", "--yes", "--permanent", "/box/one.txt"])
        .expect(0);
    let receipt = binary
        .run(&["gdpr-log", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    let text = binary.run(&["gdpr-log", "--full"]).expect(0).stdout;
    let size = format!("Size       {} bytes", receipt["size"]);
    let correlation_id = receipt["answer"]["correlationId"].as_str().unwrap();
    let answer = format!("Answer     accepted (HTTP 204, correlation id {correlation_id})");
    let md5 = format!("MD5        {}", receipt["md5"].as_str().unwrap());
    let account = format!("Account    {}", receipt["account"].as_str().unwrap());
    for line in [
        account,
        "Path       /box/one.txt".to_owned(),
        size,
        md5,
        answer,
    ] {
        assert!(text.lines().any(|other| other == line), "{line}: {text}");
    }
    assert!(text.contains("nobody can restore them."), "{text}");
}
