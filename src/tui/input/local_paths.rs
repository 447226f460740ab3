//! Local paths as a person types them.

use std::path::{Path, PathBuf};

use super::paste::from_file_address;
use super::shell_words::{Glob, quote, words};
use crate::api::text::visible;
use crate::engine::typed_paths::{Pattern, TypedPath, TypedPaths};

/// The start of relative paths, and the meaning of `~`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalPaths {
    /// The download folder, too.
    pub dir: PathBuf,
    pub home: Option<PathBuf>,
}

impl LocalPaths {
    /// Resolves a typed path without touching the disk.
    pub fn resolve(&self, typed: &str) -> PathBuf {
        match (typed.strip_prefix('~'), &self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                home.join(rest.trim_start_matches('/'))
            }
            _ => self.dir.join(Path::new(typed)),
        }
    }

    /// The folder of a typed path, or that path itself if it ends in a slash; and the path's last
    /// part.
    pub fn split(&self, typed: &str) -> (PathBuf, Option<String>) {
        let (folder, name) = match typed.rsplit_once('/') {
            _ if typed == "~" => ("~", ""),
            Some(("", name)) => ("/", name),
            Some((folder, name)) => (folder, name),
            None => ("", typed),
        };
        (
            self.resolve(folder).components().collect(),
            Some(name.to_owned()).filter(|name| !name.is_empty()),
        )
    }

    /// The paths and patterns that a line may mean.
    pub fn typed(&self, line: &str) -> TypedPaths {
        let words = words(line).into_iter().map(|word| {
            let text = word.text();
            let text = from_file_address(&text).unwrap_or(text);
            let pattern = |Glob { base, rest }| Pattern {
                base: self.resolve(&base),
                glob: rest,
            };
            TypedPath {
                shown: visible(&text).into_owned(),
                path: self.resolve(&text),
                pattern: word.glob().map(pattern),
            }
        });
        TypedPaths {
            whole: self.resolve(line.trim()),
            words: words.collect(),
        }
    }

    /// Writes a path as people type it: short, and quoted if needed.
    pub fn written(&self, path: &Path) -> String {
        let below = |folder: &Path| {
            path.strip_prefix(folder)
                .ok()
                .filter(|rest| !rest.as_os_str().is_empty())
        };
        let relative = below(&self.dir).map(|rest| rest.to_string_lossy().into_owned());
        match (relative, self.home.as_deref().and_then(below)) {
            (Some(rest), _) if rest.starts_with('~') => quote(&format!("./{rest}")),
            (Some(rest), _) => quote(&rest),
            (None, Some(rest)) => format!("~/{}", quote(&rest.to_string_lossy())),
            (None, None) => quote(&path.to_string_lossy()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn local() -> LocalPaths {
        LocalPaths {
            dir: "/home/ada/work".into(),
            home: Some("/home/ada".into()),
        }
    }

    #[test]
    fn every_word_is_a_path_of_its_own_and_the_line_may_be_one() {
        let typed = local().typed("~/my notes.txt '/tmp/b c' file:///tmp/d%20e x/*.png");
        let paths: Vec<_> = typed
            .words
            .iter()
            .map(|word| word.path.to_str().unwrap())
            .collect();
        let expected = [
            "/home/ada/my",
            "/home/ada/work/notes.txt",
            "/tmp/b c",
            "/tmp/d e",
            "/home/ada/work/x/*.png",
        ];
        assert_eq!(paths, expected);
        assert_eq!(
            typed.words[4].pattern,
            Some(Pattern {
                base: "/home/ada/work/x/".into(),
                glob: "*.png".to_owned()
            })
        );
        assert_eq!(
            local().typed("~/my notes.txt").whole,
            Path::new("/home/ada/my notes.txt")
        );
    }

    #[rstest]
    #[case::nothing("", "/home/ada/work", None)]
    #[case::a_folder("/tmp/up/", "/tmp/up", None)]
    #[case::a_name("/tmp/up", "/tmp", Some("up"))]
    #[case::a_relative_name("my fi", "/home/ada/work", Some("my fi"))]
    #[case::the_home("~", "/home/ada", None)]
    #[case::of_the_root("/tmp", "/", Some("tmp"))]
    fn a_typed_path_is_in_a_folder(
        #[case] typed: &str,
        #[case] folder: &str,
        #[case] name: Option<&str>,
    ) {
        assert_eq!(
            local().split(typed),
            (folder.into(), name.map(str::to_owned))
        );
    }

    #[rstest]
    #[case::relative("/home/ada/work/in/a.txt", "in/a.txt")]
    #[case::of_the_home("/home/ada/my file", "~/'my file'")]
    #[case::elsewhere("/tmp/a", "/tmp/a")]
    #[case::like_the_home("/home/ada/work/~", "'./~'")]
    fn a_path_that_is_written_is_read_back(#[case] path: &str, #[case] written: &str) {
        let written_now = local().written(Path::new(path));
        assert_eq!(written_now.trim_matches('\''), written.trim_matches('\''));
        assert_eq!(local().typed(&written_now).words[0].path, Path::new(path));
    }
}
