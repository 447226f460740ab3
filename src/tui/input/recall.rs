//! The history of a text field: Up goes back, Down forward, as in a shell. Knows nothing of where
//! the field is.

/// The lines, newest last, and the index of the one in the field.
#[derive(Debug, Clone, Default)]
pub struct Recall {
    lines: Vec<String>,
    at: Option<usize>,
    /// The text before the first step back.
    draft: String,
}

impl Recall {
    pub fn new(lines: Vec<String>) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns `true` if the field still holds the line recalled last.
    pub fn holds(&self, typed: &str) -> bool {
        self.at
            .and_then(|at| self.lines.get(at))
            .is_some_and(|line| line == typed)
    }

    /// The previous line that differs from `typed`, the text in the field; `None` at the oldest.
    pub fn back(&mut self, typed: &str) -> Option<String> {
        let mut at = self.at.unwrap_or(self.lines.len());
        // A line equal to the field's text is skipped.
        while at > 0 {
            at -= 1;
            let line = self.lines.get(at).filter(|line| *line != typed);
            if let Some(line) = line {
                if self.at.is_none() {
                    typed.clone_into(&mut self.draft);
                }
                self.at = Some(at);
                return Some(line.clone());
            }
        }
        None
    }

    /// The next line; after the newest one, the draft.
    pub fn forth(&mut self) -> Option<String> {
        let at = self.at?;
        if let Some(line) = self.lines.get(at + 1) {
            self.at = Some(at + 1);
            return Some(line.clone());
        }
        self.at = None;
        Some(std::mem::take(&mut self.draft))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_one_by_one_and_the_draft_last() {
        let mut recall = Recall::new(["a", "b", "c"].map(str::to_owned).to_vec());
        assert_eq!(recall.forth(), None);
        assert_eq!(recall.back("dra").as_deref(), Some("c"));
        assert_eq!(recall.back("c").as_deref(), Some("b"));
        assert_eq!(recall.back("b").as_deref(), Some("a"));
        assert_eq!(recall.back("a"), None, "the oldest stays");
        assert_eq!(recall.forth().as_deref(), Some("b"));
        assert_eq!(recall.forth().as_deref(), Some("c"));
        assert_eq!(recall.forth().as_deref(), Some("dra"));
        assert_eq!(recall.forth(), None);
    }

    #[test]
    fn the_line_that_is_in_the_field_already_is_passed() {
        let mut recall = Recall::new(["a", "b"].map(str::to_owned).to_vec());
        assert_eq!(recall.back("b").as_deref(), Some("a"));
    }
}
