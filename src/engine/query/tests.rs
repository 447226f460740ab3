//! Tests of lines and their meaning.

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Query, QueryError, complete};
use crate::api::ServiceTime;
use crate::engine::item::Entry;
use crate::engine::paging::Stage;
use crate::hostile;

fn now() -> ServiceTime {
    ServiceTime::new(
        "2026-11-21T08:00:00Z".parse().unwrap(),
        SignedDuration::ZERO,
    )
}

fn read(line: &str) -> Query {
    Query::read(line, now(), &TimeZone::UTC).unwrap()
}

#[rstest]
#[case::names("logo", "Files and folders named logo.")]
#[case::of_the_issue(
    "name:logo type:img size:>1M access:public updated:<7d",
    "Files named logo, pictures, larger than 1 MB, public, changed in the last 7 days."
)]
#[case::two_names("\"q3 report\" final", "Files and folders named q3 report and final.")]
#[case::between("size:>=1.5M size:<2G", "Files, 1.5 MB or larger, smaller than 2 GB.")]
#[case::exact("size:412338", "Files, of 412338 bytes.")]
#[case::days(
    "created:>=2026-11-01 created:<2026-11-15",
    "Files and folders, created from 2026-11-01, created before 2026-11-15."
)]
#[case::old("updated:>1y is:file", "Files, changed more than 1 year ago.")]
#[case::expiring(
    "expires:<2w sort:expires",
    "Files, expiring within 2 weeks, earliest expiry first."
)]
#[case::folders("is:folder in:/marketing/", "Folders, below /marketing.")]
#[case::pixels(
    "type:image width:>1000 height:600",
    "Files, pictures, more than 1000 pixels wide, 600 pixels high."
)]
#[case::large(
    "EXT:.PNG usable:no SORT:-size",
    "Files, ending with .png, not usable in content, largest first."
)]
#[case::left_out(
    "logo !old -type:image,audio !access:private !in:/legal",
    "Files named logo, not named old, not pictures or audio, not private, not below /legal."
)]
#[case::several(
    "type:image,video ext:png,.MP4 access:public,unlisted",
    "Files, pictures or films, ending with .png or ending with .mp4, public or unlisted."
)]
#[case::opposites("!is:folder !usable:no", "Files, usable in content.")]
#[case::never("expires:never", "Files, not expiring.")]
#[case::some_time("!expires:never", "Files, expiring.")]
#[case::beside_days(
    "after:2026-11-01 before:2026-11-15",
    "Files and folders, changed after 2026-11-01, changed before 2026-11-15."
)]
#[case::taken_as_it_is("\"-old\" \"50*?\"", "Files and folders named -old and 50*?.")]
#[case::dashes("a - b", "Files and folders named a and - and b.")]
fn a_line_is_explained(#[case] line: &str, #[case] expected: &str) {
    assert_eq!(read(line).in_words(), expected);
}

#[rstest]
#[case::nothing(
    "  ",
    "type what to look for: part of a name, or a filter such as type:image"
)]
#[case::value(
    "type:picture",
    "type:picture: type takes image, document, audio, movie or other, or several: image,movie"
)]
#[case::an_extension(
    "type:PDF",
    "type:PDF: type takes image, document, audio, movie or other, or several: image,movie; ext:pdf finds files by their extension"
)]
#[case::a_value_that_is_being_typed(
    "type:IMA",
    "type:IMA: type takes image, document, audio, movie or other, or several: image,movie"
)]
#[case::no_value(
    "size:",
    "size:: size takes >1M, <=500K or exactly 412338; K, M and G are powers of 1000"
)]
#[case::no_size(
    "size:>big",
    "size:>big: size takes >1M, <=500K or exactly 412338; K, M and G are powers of 1000"
)]
#[case::relative_folder(
    "in:marketing",
    "in:marketing: in takes the path of a folder such as /marketing"
)]
#[case::twice("type:image logo type:audio", "type:audio: type can be given once")]
#[case::an_empty_value(
    "access:public,",
    "access:public,: access takes public, unlisted or private, or several: public,unlisted"
)]
#[case::extensions_in_wrong_form(
    "ext:png|jpg",
    "ext:png|jpg: ext takes an extension such as png, or several: png,jpg"
)]
#[case::two_extensions(
    "ext:tar.gz",
    "ext:tar.gz: ext takes an extension such as png, or several: png,jpg"
)]
#[case::an_age_for_a_day(
    "before:7d",
    "before:7d: before takes a day such as 2026-11-01, for the last change"
)]
#[case::an_ending(
    "*.png",
    "*.png: a word is part of a name, without * and ?; ext:png finds such names"
)]
#[case::a_start(
    "!name:logo*",
    "!name:logo*: a word is part of a name, without * and ?; logo finds such names"
)]
#[case::a_middle(
    "q?-*report",
    "q?-*report: a word is part of a name, without * and ?; q report finds such names"
)]
#[case::everything(
    "*",
    "*: a word is part of a name, without * and ?; in:/ finds such names"
)]
#[case::a_path(
    "marketing/logo",
    "marketing/logo: names have no slash; in:/marketing/logo finds what is below a folder"
)]
#[case::no_opposite("!is:duplicate", "!is:duplicate: is cannot be excluded")]
#[case::no_account("!in:/", "!in:/: in cannot be excluded")]
#[case::no_name("!\"\"", "!\"\": name takes part of a name")]
#[case::of_files(
    "is:folder size:>1M",
    "size:>1M applies to files only, and is:folder leaves them out"
)]
#[case::of_files_left_out(
    "is:folder !size:>1M",
    "!size:>1M applies to files only, and is:folder leaves them out"
)]
fn what_is_no_search_says_which_word_and_what_may_stand_there(
    #[case] line: &str,
    #[case] expected: &str,
) {
    assert_eq!(
        Query::read(line, now(), &TimeZone::UTC)
            .unwrap_err()
            .to_string(),
        expected
    );
}

#[rstest]
#[case::bounds("size:>2M size:<1M", "size:<1M")]
#[case::a_value("type:image !type:audio,image", "!type:audio,image")]
#[case::all_values("!ext:png !ext:jpg ext:jpg,png", "ext:jpg,png")]
#[case::all_levels(
    "access:public,unlisted !access:public !access:unlisted",
    "!access:unlisted"
)]
#[case::a_longer_name("!logo logo.png", "logo.png")]
#[case::a_folder_below("in:/a/b !in:/a", "!in:/a")]
#[case::a_time("expires:never expires:<7d", "expires:<7d")]
#[case::days("after:2026-11-15 before:2026-11-15", "before:2026-11-15")]
fn a_search_that_nothing_can_match_is_refused(#[case] line: &str, #[case] word: &str) {
    let error = Query::read(line, now(), &TimeZone::UTC).unwrap_err();
    let word = word.to_owned();
    assert_eq!(error, QueryError::Nothing { word }, "{line}");
}

#[rstest]
#[case::another_type("type:image !type:audio")]
#[case::one_of_two("access:public,unlisted !access:public")]
#[case::a_part("logo !logo.png")]
#[case::a_folder_above("in:/a !in:/a/b !in:/ab")]
#[case::some_time("expires:>7d !expires:>30d")]
fn what_leaves_something_is_searched(#[case] line: &str) {
    assert_eq!(read(line).line(), line);
}

#[test]
fn an_unknown_filter_names_those_that_there_are() {
    let error = Query::read("color:red", now(), &TimeZone::UTC).unwrap_err();
    assert!(
        matches!(&error, QueryError::UnknownFilter { key, known } if key == "color" && known.contains("type, ext"))
    );
    assert_eq!(
        read("\"color:red\"").in_words(),
        "Files and folders named color:red."
    );
}

#[rstest]
#[case::a_short_name("logo", "logo", 0)]
#[case::with_extension("logo.png", "logo", 1)]
#[case::long("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrs", 1)]
#[case::the_longer_of_two("a report", "report", 1)]
fn the_service_is_asked_for_what_it_takes_and_the_rest_is_said(
    #[case] line: &str,
    #[case] asked: &str,
    #[case] caveats: usize,
) {
    let query = read(line);
    assert_eq!(query.files().filter.name.as_deref(), Some(asked));
    assert_eq!(query.caveats().len(), caveats, "{:?}", query.caveats());
}

#[test]
fn public_and_unlisted_are_one_for_the_service() {
    for (level, public, caveats) in [
        ("public", true, 1),
        ("unlisted", true, 1),
        ("private", false, 0),
        ("public,unlisted", true, 0),
        ("public,unlisted !access:unlisted", true, 1),
    ] {
        let query = read(&format!("access:{level}"));
        assert_eq!(
            (query.files().public, query.caveats().len()),
            (Some(public), caveats),
            "{level}"
        );
    }
    assert_eq!(read("!access:private").files().public, Some(true));
    let both = read("access:public,private");
    assert_eq!((both.files().public, both.caveats().len()), (None, 1));
}

#[test]
fn what_the_service_cannot_do_is_left_to_filedeck_and_said() {
    for line in ["type:image,audio", "!ext:png", "!old", "expires:never"] {
        let query = read(line);
        assert_eq!(query.files(), read("in:/").files(), "{line}");
        assert_eq!(query.caveats().len(), 1, "{line}");
    }
    let expiring = read("!expires:never").files().expires;
    assert_eq!(expiring.from, Some(jiff::Timestamp::UNIX_EPOCH));
}

fn file(fields: &Value) -> Entry {
    let mut value = json!({
        "id": "7", "name": "Logo", "extension": "png", "path": "/a/Logo.png", "size": 2_000_000, "type": "IMG",
        "access": "PUBLIC_NOT_INDEXABLE", "updatedAt": "2026-11-20T08:00:00Z", "fileMd5": "9f2c41c0e1b2a3948576d0c1b2a39485",
    });
    value
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    Entry::File(serde_json::from_value(value).unwrap())
}

#[rstest]
#[case::all_of_it("logo type:image size:>1M access:unlisted updated:<7d ext:png in:/a", json!({}), true)]
#[case::name_with_extension("LOGO.PNG", json!({}), true)]
#[case::the_second_name("logo old", json!({}), false)]
#[case::public_is_not_unlisted("access:public", json!({}), false)]
#[case::too_small("size:>1M", json!({ "size": 1_000_000 }), false)]
#[case::what_it_does_not_tell("size:>1M", json!({ "size": null }), true)]
#[case::beside_the_folder("in:/a", json!({ "path": "/ab/Logo.png" }), false)]
#[case::never_expires("expires:<7d", json!({}), false)]
#[case::without_expiry("expires:never", json!({}), true)]
#[case::with_expiry("expires:never", json!({ "expiresAt": "2026-12-24T08:00:00Z" }), false)]
#[case::one_of_several("type:audio,image ext:gif,png access:public,unlisted", json!({}), true)]
#[case::none_of_several("ext:gif,jpg", json!({}), false)]
#[case::left_out("!ext:gif,png", json!({}), false)]
#[case::not_left_out("!ext:gif !old !in:/b -access:private", json!({}), true)]
#[case::what_it_does_not_tell_of_what_is_left_out("!size:>1M", json!({ "size": null }), true)]
#[case::changed_before("before:2026-11-20", json!({}), false)]
#[case::changed_after("after:2026-11-19", json!({}), true)]
#[case::folders_only("is:folder", json!({}), false)]
fn what_comes_back_is_held_against_the_line(
    #[case] line: &str,
    #[case] fields: Value,
    #[case] expected: bool,
) {
    assert_eq!(read(line).holds(&file(&fields)), expected);
}

#[test]
fn only_what_folders_have_reaches_them() {
    assert!(read("logo updated:<7d in:/a").reaches(Stage::Folders));
    assert!(!read("logo size:>1").reaches(Stage::Folders));
    assert!(!read("logo !size:>1").reaches(Stage::Folders));
    assert!(read("!logo !updated:<7d !in:/a").reaches(Stage::Folders));
    assert!(!read("logo is:folder").reaches(Stage::Files));
}

#[rstest]
#[case::a_filter("logo ty", "logo type:", 0)]
#[case::several("logo u", "logo u", 3)]
#[case::a_value("access:pr", "access:private ", 0)]
#[case::values("access:", "access:", 3)]
#[case::common_start("size:>1", "size:>1", 3)]
#[case::left_out("!ty", "!type:", 0)]
#[case::the_next_value("-access:public,pr", "-access:public,private ", 0)]
#[case::everything("", "", 18)]
#[case::nothing("zzz", "zzz", 0)]
fn the_word_before_the_cursor_goes_on(
    #[case] line: &str,
    #[case] expected: &str,
    #[case] candidates: usize,
) {
    let completed = complete(line, line.len());
    assert_eq!(
        (completed.line.as_str(), completed.candidates.len()),
        (expected, candidates)
    );
    assert_eq!(completed.cursor, expected.len());
}

proptest! {
    #[test]
    fn hostile_lines_are_read_or_refused(
        line in hostile::text(&[
            "logo type:image size:>1M access:unlisted updated:<7d ext:png in:/a",
            "\"a b\" size:1K..2M created:2026-01-01..2026-02-01 is:folder md5:9f2c41c0e1b2a3948576d0c1b2a39485",
        ]),
        cursor in any::<prop::sample::Index>(),
    ) {
        if let Ok(query) = Query::read(&line, now(), &TimeZone::UTC) {
            let again = Query::read(query.line(), now(), &TimeZone::UTC);
            prop_assert_eq!(again.unwrap().in_words(), query.in_words());
        }
        let at = line.floor_char_boundary(cursor.index(line.len() + 1));
        let completed = complete(&line, at);
        prop_assert!(completed.line.is_char_boundary(completed.cursor));
    }
}
