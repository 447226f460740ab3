//! The last thing that was said, one at a time. What was said before stays in the activity log.

use jiff::{SignedDuration, Timestamp};

/// How serious a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageLevel {
    /// Nothing was done, and why; or what to do next.
    Hint,
    /// It went well.
    Info,
    Warn,
    Error,
}

impl MessageLevel {
    /// Whether nothing needs a look.
    pub fn is_calm(self) -> bool {
        matches!(self, Self::Hint | Self::Info)
    }
}

/// A message on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub level: MessageLevel,
    /// Safe to show, one line.
    pub text: String,
    /// What to do next, to follow the text; or nothing.
    pub next: String,
    /// Until when it comes before anything else that has its place.
    pub until: Timestamp,
    /// Whether the tasks show it, too.
    is_of_task: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status(Option<Message>);

impl Message {
    /// Its text, and what to do next.
    pub fn whole(&self) -> String {
        format!("{} {}", self.text, self.next).trim_end().to_owned()
    }
}

impl Status {
    /// Says it: for 4 s it is news, an error for 8. The newest message is the one that is shown.
    pub fn say(&mut self, level: MessageLevel, text: String, now: Timestamp) {
        let news = SignedDuration::from_secs(if level == MessageLevel::Error { 8 } else { 4 });
        let until = now.saturating_add(news).unwrap_or(now);
        self.0 = Some(Message { level, text, next: String::new(), until, is_of_task: false });
    }

    /// Says it, and what to do next.
    pub fn say_then(&mut self, level: MessageLevel, text: String, next: String, now: Timestamp) {
        self.say(level, text, now);
        if let Some(message) = &mut self.0 {
            message.next = next;
        }
    }

    pub fn is_news(&self, now: Timestamp) -> bool {
        self.0.as_ref().is_some_and(|message| message.until > now)
    }

    /// Says what was odd about the start, among what else a start has to say: for 8 s.
    pub fn warn_at_start(&mut self, text: String, now: Timestamp) {
        let until = now.saturating_add(SignedDuration::from_secs(8)).unwrap_or(now);
        self.0 = Some(Message { level: MessageLevel::Warn, text, next: String::new(), until, is_of_task: false });
    }

    /// It ceases to be news: what comes now is not what it was said about.
    pub fn settle(&mut self, now: Timestamp) {
        if let Some(message) = &mut self.0 {
            message.until = message.until.min(now);
        }
    }

    pub fn clear(&mut self) {
        self.0 = None;
    }

    /// What was said last is why a task failed.
    pub fn was_of_task(&mut self) {
        if let Some(message) = &mut self.0 {
            message.is_of_task = true;
        }
    }

    /// The tasks are on the screen: what they show need not be said, too.
    pub fn clear_task(&mut self) {
        self.0.take_if(|message| message.is_of_task);
    }

    /// What was under way has ended, and shows itself.
    pub fn clear_hint(&mut self) {
        self.0.take_if(|message| message.level == MessageLevel::Hint);
    }

    pub fn message(&self) -> Option<&Message> {
        self.0.as_ref()
    }

    /// When it ceases to be news.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        self.0.as_ref().map(|message| message.until).filter(|until| *until > now)
    }
}
