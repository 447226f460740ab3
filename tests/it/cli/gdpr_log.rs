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
