//! Names of the account as names on a disk, and back: two functions that undo each other, for every
//! name and each system. No name of an account is empty, `.`, or `..`, or has a slash; one that has
//! is changed for good. On a disk a name is one plain component, never a path
//! (`guarantees.md#names-from-the-service-stay-in-their-folder`).

/// The longest name that file systems take: in bytes, or in UTF-16 units on Windows.
const LONGEST: usize = 255;

pub const TOO_LONG: &str = "its name is too long for this machine's disk";

/// The mark before a look-alike that does not stand for the other character, and before a name with
/// a special meaning.
const QUOTE: char = '\u{201b}';

/// Names of devices on Windows, with any extension.
const DEVICES: [&str; 8] = [
    "con", "prn", "aux", "nul", "conin$", "conout$", "clock$", "$mft",
];

/// The parts of the name that a download has until it is whole (`partial_file`).
pub(super) const PART_MARK: &str = ".filedeck-";
pub(super) const PART_RANDOM: usize = 8;
pub(super) const PART_END: &str = ".part";

/// The system whose rules the names on a disk follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameSystem {
    Unix,
    MacOs,
    Windows,
}

impl NameSystem {
    pub const OWN: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::MacOs
    } else {
        Self::Unix
    };

    /// Returns the name on the disk: the same wherever the disk can hold it. Fails if it is too
    /// long.
    pub fn to_disk(self, name: &str) -> Result<String, &'static str> {
        let coded = each(name, |c, quotes, is_last| {
            match (self.look_alike(c, is_last), self.meant(c, is_last)) {
                (Some(look_alike), _) if c == '/' => (quotes, look_alike),
                (Some(look_alike), _) => (2 * quotes + usize::from(c.is_control()), look_alike),
                (None, Some(meant)) => (2 * quotes + usize::from(!meant.is_control()), c),
                (None, None) => (quotes, c),
            }
        });
        let is_reserved = is_no_name(&coded) || self.reserves(coded.trim_start_matches(QUOTE));
        let coded = if is_reserved {
            format!("{QUOTE}{coded}")
        } else {
            coded
        };
        let length = if self == Self::Windows {
            coded.encode_utf16().count()
        } else {
            coded.len()
        };
        if length > LONGEST {
            Err(TOO_LONG)
        } else {
            Ok(coded)
        }
    }

    /// Returns the name of the account that a name on the disk stands for.
    pub fn to_remote(self, name: &str) -> String {
        let unquoted = name
            .strip_prefix(QUOTE)
            .filter(|rest| self.reserves(rest.trim_start_matches(QUOTE)));
        each(unquoted.unwrap_or(name), |c, quotes, is_last| {
            match self.meant(c, is_last) {
                Some(meant) if meant.is_control() == (quotes % 2 == 1) => (quotes / 2, meant),
                Some(_) => (quotes / 2, c),
                None => (quotes, c),
            }
        })
    }

    /// Returns the character written for one that a disk cannot hold: full width, or the picture of
    /// a control one.
    fn look_alike(self, c: char, is_last: bool) -> Option<char> {
        let is_replaced = match c {
            '\u{7f}' => return Some('\u{2421}'),
            _ if c.is_control() => true,
            '/' => true,
            ':' => self != Self::Unix,
            '*' | '?' | '"' | '<' | '>' | '|' | '\\' => self == Self::Windows,
            ' ' | '.' => self == Self::Windows && is_last,
            _ => false,
        };
        let first = if c == ' ' || c.is_control() {
            0x2400
        } else {
            0xfee0
        };
        char::from_u32(first + u32::from(c)).filter(|_| is_replaced)
    }

    /// Returns the character that a look-alike may stand for. Names that can be sent have no
    /// control characters: the look-alikes of these remain, and stand for them only behind a quote.
    fn meant(self, look_alike: char, is_last: bool) -> Option<char> {
        let code = u32::from(look_alike);
        let meant = match code {
            0x2421 => Some('\u{7f}'),
            0x2400..=0x249f => char::from_u32(code - 0x2400),
            0xff01..=0xff5e => char::from_u32(code - 0xfee0),
            _ => None,
        };
        meant.filter(|meant| *meant != '/' && self.look_alike(*meant, is_last) == Some(look_alike))
    }

    /// Returns `true` if a name means something other than a file of its own.
    fn reserves(self, name: &str) -> bool {
        is_part(name) || (self == Self::Windows && is_device(name))
    }
}

/// Returns `true` if no name of an account is like this, either.
fn is_no_name(name: &str) -> bool {
    matches!(name, "" | "." | "..")
}

/// Rewrites each character of a name: `change` gets it, the number of quotes before it, and whether
/// it is the last one, and returns the new number and character.
fn each(name: &str, change: impl Fn(char, usize, bool) -> (usize, char)) -> String {
    let (mut text, mut quotes, mut rest) = (String::with_capacity(name.len()), 0, name.chars());
    while let Some(c) = rest.next() {
        if c == QUOTE {
            quotes += 1;
            continue;
        }
        let (count, c) = change(c, quotes, rest.as_str().is_empty());
        text.extend(std::iter::repeat_n(QUOTE, count).chain([c]));
        quotes = 0;
    }
    text.extend(std::iter::repeat_n(QUOTE, quotes));
    text
}

pub fn path_to_disk(path: &str) -> Result<String, &'static str> {
    let names = path.split('/').map(|name| NameSystem::OWN.to_disk(name));
    Ok(names.collect::<Result<Vec<_>, _>>()?.join("/"))
}

pub fn path_to_remote(path: &str) -> String {
    path.split('/')
        .map(|name| NameSystem::OWN.to_remote(name))
        .collect::<Vec<_>>()
        .join("/")
}

/// Returns `true` if a name is that of an unfinished download.
pub(super) fn is_part(name: &str) -> bool {
    let random = name
        .strip_suffix(PART_END)
        .and_then(|rest| rest.rsplit_once(PART_MARK))
        .map(|(_, random)| random);
    name.starts_with('.')
        && random.is_some_and(|text| {
            text.len() == PART_RANDOM && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

/// Returns the `number`th name to try when `name` is taken: `logo (1).png`.
pub fn numbered(name: &str, number: u32) -> String {
    shorten(name, &format!(" ({number})"), LONGEST)
}

/// Returns the start of a hidden temporary name, which leaves room for a unique rest.
pub fn temporary_prefix(name: &str) -> String {
    shorten(&format!(".{name}"), "", LONGEST - 32)
}

/// Puts `mark` before the extension, and cuts the stem between characters to fit the whole into
/// `longest` bytes.
fn shorten(name: &str, mark: &str, longest: usize) -> String {
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 32 => {
            (stem, format!(".{extension}"))
        }
        _ => (name, String::new()),
    };
    let room = longest.saturating_sub(mark.len() + extension.len());
    let end = stem
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .take_while(|end| *end <= room)
        .last();
    let stem = stem.get(..end.unwrap_or(0)).unwrap_or_default();
    format!("{stem}{mark}{extension}")
}

fn is_device(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_ascii_lowercase();
    let numbered = |device: &str| {
        stem.strip_prefix(device).is_some_and(|rest| {
            matches!(rest, "¹" | "²" | "³") || matches!(rest.as_bytes(), [b'0'..=b'9'])
        })
    };
    DEVICES.contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use std::path::{Component, Path};

    use proptest::prelude::*;
    use rstest::rstest;

    use super::NameSystem::{MacOs, Unix, Windows};
    use super::*;

    #[rstest]
    #[case::plain("logo.png", "logo.png", "logo.png")]
    #[case::spaces_and_unicode(
        "Größe 12 – naïve.pdf",
        "Größe 12 – naïve.pdf",
        "Größe 12 – naïve.pdf"
    )]
    #[case::hidden(".gitignore", ".gitignore", ".gitignore")]
    #[case::colon("Q3: plan.txt", "Q3: plan.txt", "Q3： plan.txt")]
    #[case::look_alike_of_a_colon("Q3： plan.txt", "Q3： plan.txt", "Q3‛： plan.txt")]
    #[case::quoted_look_alike("Q3‛： plan.txt", "Q3‛： plan.txt", "Q3‛‛‛： plan.txt")]
    #[case::quote_before_a_colon("Q3‛: plan.txt", "Q3‛: plan.txt", "Q3‛‛： plan.txt")]
    #[case::quote("it‛s", "it‛s", "it‛s")]
    #[case::wildcards("a*?\"<>|b", "a*?\"<>|b", "a＊？＂＜＞｜b")]
    #[case::drive("C:\\x", "C:\\x", "C：＼x")]
    #[case::quoted_wide_slash("a‛／b", "a‛／b", "a‛／b")]
    #[case::wide_slash("a／b", "a／b", "a／b")]
    #[case::nul("a\0b", "a‛␀b", "a‛␀b")]
    #[case::escape("a\u{1b}[2Jb\u{9b}\u{7f}", "a‛␛[2Jb‛⒛‛␡", "a‛␛[2Jb‛⒛‛␡")]
    #[case::picture("␛.txt", "␛.txt", "␛.txt")]
    #[case::quoted_picture("‛␛.txt", "‛‛␛.txt", "‛‛␛.txt")]
    #[case::bidi("gpj.\u{202e}exe", "gpj.\u{202e}exe", "gpj.\u{202e}exe")]
    #[case::quoted_parent("‛..", "‛..", "‛.．")]
    #[case::only_quotes("‛‛", "‛‛", "‛‛")]
    #[case::device("con", "con", "‛con")]
    #[case::quoted_device("‛con", "‛con", "‛‛con")]
    #[case::device_with_extension("Nul.tar.gz", "Nul.tar.gz", "‛Nul.tar.gz")]
    #[case::numbered_device("com¹", "com¹", "‛com¹")]
    #[case::not_a_device("console.log", "console.log", "console.log")]
    #[case::last_dot("a. .", "a. .", "a. ．")]
    #[case::last_space("a ", "a ", "a␠")]
    #[case::wide_dot("a．", "a．", "a‛．")]
    #[case::own_part(
        ".a.filedeck-a1B2c3D4.part",
        "‛.a.filedeck-a1B2c3D4.part",
        "‛.a.filedeck-a1B2c3D4.part"
    )]
    fn the_disk_has_what_it_can_hold_and_look_alikes_of_the_rest(
        #[case] name: &str,
        #[case] on_unix: &str,
        #[case] on_windows: &str,
    ) {
        for (system, expected) in [(Unix, on_unix), (Windows, on_windows)] {
            assert_eq!(system.to_disk(name).unwrap(), expected, "{system:?}");
            assert_eq!(system.to_remote(expected), name, "{system:?}");
        }
    }

    #[test]
    fn what_no_name_of_an_account_is_never_is_a_path() {
        for (name, expected) in [("", "‛"), (".", "‛."), ("..", "‛..")] {
            assert_eq!(Unix.to_disk(name).unwrap(), expected);
        }
        assert_eq!(
            NameSystem::OWN.to_disk("../../etc/passwd").unwrap(),
            "..／..／etc／passwd"
        );
    }

    #[test]
    fn a_mac_shows_colons_as_slashes_so_they_are_written_otherwise() {
        assert_eq!(MacOs.to_disk("Q3: a?\\ ").unwrap(), "Q3： a?\\ ");
    }

    #[rstest]
    #[case::bytes(Unix, &"x".repeat(255), true)]
    #[case::too_many(Unix, &"x".repeat(256), false)]
    #[case::letters_of_two_bytes(Unix, &"é".repeat(128), false)]
    #[case::units(Windows, &"é".repeat(255), true)]
    #[case::with_quotes(Windows, &":".repeat(255), true)]
    #[case::one_more(Windows, &"：".repeat(128), false)]
    fn a_name_that_is_too_long_is_refused(
        #[case] system: NameSystem,
        #[case] name: &str,
        #[case] fits: bool,
    ) {
        assert_eq!(system.to_disk(name).is_ok(), fits);
    }

    #[test]
    fn a_taken_name_is_numbered_before_its_extension() {
        assert_eq!(numbered("logo.png", 1), "logo (1).png");
        assert_eq!(numbered(".env", 2), ".env (2)");
        let long = format!("{}.jpeg", "é".repeat(120));
        assert!(
            numbered(&long, 12345).len() <= LONGEST
                && numbered(&long, 12345).ends_with("é (12345).jpeg")
        );
    }

    /// Generates names of what the mapping works on, so that it meets itself, and of everything
    /// else.
    fn names() -> impl Strategy<Value = String> {
        let odd = "[‛．：＼／␀␛␡␠⒛:*?\\\\./ a\u{0}\u{1b}\u{7f}\u{9b}]{0,6}";
        let reserved =
            "‛{0,3}(con|NUL|com1|lpt².txt|\\.|\\.\\.|\\.x\\.filedeck-a1B2c3D4\\.part)[‛ .:：]{0,2}";
        prop_oneof![odd, reserved, any::<String>()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn names_go_there_and_back_on_every_system(one in names(), other in names()) {
            for system in [Unix, MacOs, Windows] {
                let (Ok(disk), Ok(other_disk)) = (system.to_disk(&one), system.to_disk(&other)) else { continue };
                let is_name = |name: &str| !name.contains('/') && !is_no_name(name);
                if is_name(&one) {
                    prop_assert_eq!(&system.to_remote(&disk), &one, "{:?} {:?}", system, disk);
                    prop_assert!(one == other || disk != other_disk || !is_name(&other), "{:?} {:?}", system, disk);
                }
                let components: Vec<_> = Path::new(&disk).components().collect();
                prop_assert!(matches!(components.as_slice(), [Component::Normal(_)]), "{:?}", disk);
                prop_assert!(disk.len() <= 3 * LONGEST && !disk.contains(char::is_control) && !is_part(&disk));
                if system == Windows {
                    prop_assert!(!disk.contains([':', '*', '?', '"', '<', '>', '|', '\\', '/']), "{:?}", disk);
                    prop_assert!(!disk.ends_with(['.', ' ']) && !is_device(&disk), "{:?}", disk);
                }
            }
        }

        #[test]
        fn names_of_a_disk_go_there_and_back(name in names()) {
            for system in [Unix, MacOs, Windows] {
                let last = name.chars().last();
                let is_held = !name.chars().any(|c| system.look_alike(c, false).is_some())
                    && last.is_none_or(|last| system.look_alike(last, true).is_none());
                if is_held && !system.reserves(&name) && !is_no_name(&name) {
                    prop_assert_eq!(system.to_disk(&system.to_remote(&name)), Ok(name.clone()), "{:?}", system);
                }
            }
        }

        #[test]
        fn no_name_leaves_its_folder(name in any::<String>()) {
            let Ok(name) = NameSystem::OWN.to_disk(&name) else { return Ok(()) };
            for name in [numbered(&name, 7), temporary_prefix(&name)] {
                let components: Vec<_> = Path::new(&name).components().collect();
                prop_assert!(matches!(components.as_slice(), [Component::Normal(_)]), "{:?}", name);
                prop_assert!(name.len() <= LONGEST && !name.contains('\0'));
            }
        }
    }
}
