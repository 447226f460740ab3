//! Completion of a local path: which folder to ask for, and what its names add to what was typed.

use crate::tui::text_field::TextField;

/// How far the completion of one path is.
#[derive(Debug, Clone, Default)]
pub(super) struct Completion {
    /// The text for which names were asked last.
    asked: Option<String>,
    /// The names that may follow, once they came; folders end with `/`.
    candidates: Vec<String>,
}

impl Completion {
    /// The folder whose names would go on from `typed`, as typed; none when they were asked for already.
    pub(super) fn ask(&mut self, typed: &str) -> Option<String> {
        if self.asked.as_deref() == Some(typed) {
            return None;
        }
        self.asked = Some(typed.to_owned());
        self.candidates.clear();
        let (folder, _) = split(typed);
        Some(if folder.is_empty() { ".".to_owned() } else { folder.to_owned() })
    }

    /// Goes on with what all the names that fit have in common. Does nothing if the text has changed since.
    pub(super) fn take(&mut self, field: &mut TextField, names: &[String]) {
        if self.asked.as_deref() != Some(field.text()) {
            return;
        }
        let (folder, start) = split(field.text());
        let is_hidden_wanted = start.starts_with('.');
        self.candidates = names
            .iter()
            .filter(|name| name.starts_with(start) && (is_hidden_wanted || !name.starts_with('.')))
            .cloned()
            .collect();
        let common = common_start(&self.candidates);
        if common.len() > start.len() {
            let completed = format!("{folder}{common}");
            let is_file = self.candidates.len() == 1 && !completed.ends_with('/');
            let is_settled = is_file || self.candidates.len() > 1;
            field.set(completed.clone());
            // A folder's names come with the next Tab; what cannot go on leads to the next field.
            self.asked = is_settled.then_some(completed);
        }
    }

    /// The names that may follow.
    pub(super) fn candidates(&self) -> &[String] {
        &self.candidates
    }
}

/// A path's folder, with its last slash, and the start of a name after it.
fn split(typed: &str) -> (&str, &str) {
    if typed == "~" {
        return ("~/", "");
    }
    typed.rfind('/').and_then(|slash| typed.split_at_checked(slash + 1)).unwrap_or(("", typed))
}

fn common_start(names: &[String]) -> String {
    let Some((first, others)) = names.split_first() else { return String::new() };
    let shared = |other: &String| first.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let count = others.iter().map(shared).min().unwrap_or(usize::MAX);
    first.chars().take(count).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::one_file("/tmp/no", "/tmp/", &["notes.txt", "other"], "/tmp/notes.txt")]
    #[case::common_start("/tmp/b", "/tmp/", &["banner-1", "banner-2", "x"], "/tmp/banner-")]
    #[case::folder("~/Doc", "~/", &["Documents/"], "~/Documents/")]
    #[case::relative("no", ".", &["notes.txt"], "notes.txt")]
    #[case::nothing_fits("/tmp/z", "/tmp/", &["notes.txt"], "/tmp/z")]
    #[case::hidden_names_wait_for_a_dot("/tmp/", "/tmp/", &[".cache/", "a.txt"], "/tmp/a.txt")]
    #[case::several_bytes("/tmp/é", "/tmp/", &["éa-1", "éa-2"], "/tmp/éa-")]
    fn names_go_on_from_what_was_typed(
        #[case] typed: &str,
        #[case] folder: &str,
        #[case] names: &[&str],
        #[case] expected: &str,
    ) {
        let mut completion = Completion::default();
        let mut field = TextField::new(typed);
        assert_eq!(completion.ask(typed).as_deref(), Some(folder));
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        completion.take(&mut field, &names);
        assert_eq!(field.text(), expected);
    }

    #[test]
    fn names_for_an_older_text_change_nothing() {
        let mut completion = Completion::default();
        completion.ask("/tmp/n");
        let mut field = TextField::new("/tmp/no");
        completion.take(&mut field, &["new.txt".to_owned()]);
        assert_eq!(field.text(), "/tmp/no");
    }
}
