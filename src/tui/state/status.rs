//! The last message. Earlier ones stay in the activity log.

use jiff::{SignedDuration, Timestamp};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageLevel {
    /// The reason why nothing was done, or a next step.
    Hint,
    /// Success.
    Info,
    Warn,
    Error,
}

impl MessageLevel {
    /// Returns `true` if the message needs no attention.
    pub fn is_calm(self) -> bool {
        matches!(self, Self::Hint | Self::Info)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub level: MessageLevel,
    /// One line, safe to show.
    pub text: String,
    /// The next step, shown after the text; may be empty.
    pub next: String,
    /// The time until which it takes precedence over anything else in its place.
    pub until: Timestamp,
    topic: MessageTopic,
}

/// The subject of a message that is cleared before the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageTopic {
    Other,
    /// A failure that the tasks view shows, too.
    Task,
    /// A key that does nothing.
    Key,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status(Option<Message>);

impl Message {
    pub fn whole(&self) -> String {
        format!("{} {}", self.text, self.next).trim_end().to_owned()
    }
}

impl Status {
    /// Shows a message. It is news for 4 s, or 8 s for an error; the newest message is the one
    /// shown.
    pub fn say(&mut self, level: MessageLevel, text: String, now: Timestamp) {
        let news = SignedDuration::from_secs(if level == MessageLevel::Error { 8 } else { 4 });
        let until = now.saturating_add(news).unwrap_or(now);
        self.0 = Some(Message {
            level,
            text,
            next: String::new(),
            until,
            topic: MessageTopic::Other,
        });
    }

    pub fn say_then(&mut self, level: MessageLevel, text: String, next: String, now: Timestamp) {
        self.say(level, text, now);
        if let Some(message) = &mut self.0 {
            message.next = next;
        }
    }

    pub fn is_news(&self, now: Timestamp) -> bool {
        self.0.as_ref().is_some_and(|message| message.until > now)
    }

    /// Shows a startup warning, for 8 s.
    pub fn warn_at_start(&mut self, text: String, now: Timestamp) {
        self.say(MessageLevel::Warn, text, now);
        if let Some(message) = &mut self.0 {
            let until = now.saturating_add(SignedDuration::from_secs(8));
            message.until = until.unwrap_or(now);
        }
    }

    /// Stops the message from being news, because what comes now is unrelated.
    pub fn settle(&mut self, now: Timestamp) {
        if let Some(message) = &mut self.0 {
            message.until = message.until.min(now);
        }
    }

    pub fn clear(&mut self) {
        self.0 = None;
    }

    pub fn restore(&mut self, message: Option<Message>) {
        self.0 = message;
    }

    /// Names the subject of the last message.
    pub fn is_about(&mut self, topic: MessageTopic) {
        if let Some(message) = &mut self.0 {
            message.topic = topic;
        }
    }

    /// Clears the message if it is about this.
    pub fn clear_about(&mut self, topic: MessageTopic) {
        self.0.take_if(|message| message.topic == topic);
    }

    /// Clears a hint once the activity it describes has ended and shows its own result.
    pub fn clear_hint(&mut self) {
        self.0
            .take_if(|message| message.level == MessageLevel::Hint);
    }

    pub fn message(&self) -> Option<&Message> {
        self.0.as_ref()
    }

    /// The time at which the message stops being news.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        self.0
            .as_ref()
            .map(|message| message.until)
            .filter(|until| *until > now)
    }
}
