//! Unicode forms of names: what all of them have in common.

use filedeck::engine::name_form::{common_part, fold};
use proptest::prelude::*;
use rstest::rstest;
use unicode_normalization::UnicodeNormalization as _;

#[rstest]
#[case::case("Logo.PNG", "logo.png")]
#[case::form("Gr\u{f6}\u{df}e", "Gro\u{308}\u{df}e")]
#[case::both("GR\u{d6}SSE", "gro\u{308}sse")]
fn names_that_look_alike_fold_to_the_same(#[case] one: &str, #[case] other: &str) {
    assert_eq!(fold(one), fold(other));
}

#[test]
fn other_names_do_not() {
    assert_ne!(fold("logo.png"), fold("logo.jpg"));
}

#[rstest]
#[case::ascii("logo", "logo")]
#[case::accent("Gr\u{f6}\u{df}e", "\u{df}e")]
#[case::apart("cafe\u{301}s", "caf")]
#[case::syllables("\u{d55c}\u{ae00} a", " a")]
#[case::nothing("\u{e9}", "")]
fn the_part_that_all_forms_have_is_asked_for(#[case] name: &str, #[case] part: &str) {
    assert_eq!(common_part(name), part);
}

proptest! {
    #[test]
    fn every_form_of_a_name_has_its_common_part(name in "[a-c\u{e9}\u{1ead}\u{300}-\u{304}\u{323}\u{ac00}-\u{ac20}\u{1100}-\u{11c2}]{0,8}") {
        let part = common_part(&name);
        let (apart, composed) = (name.nfd().collect::<String>(), name.nfc().collect::<String>());
        for form in [&name, &apart, &composed] {
            prop_assert!(form.contains(&part), "{:?} {:?}", form, part);
            prop_assert_eq!(&common_part(form), &part);
            prop_assert_eq!(fold(form), fold(&name));
        }
    }
}
