//! Changes to the account of any session, on the screen or in the background.

use super::account_session::AccountSession;
use super::background_account::BackgroundAccount;
use super::program::State;
use crate::engine::SessionId;

impl State {
    /// Applies a change to the account of a session, which has the place of the one on the screen
    /// meanwhile. Changes nothing if the session is over.
    pub fn with_session(&mut self, session: SessionId, change: impl FnOnce(&mut Self)) {
        if session == self.session.id() {
            return change(self);
        }
        let Some(at) = self.background_at(|other| other.session.id() == session) else {
            return;
        };
        let mode = std::mem::take(&mut self.mode);
        self.displaced_session = Some(self.session.id());
        self.swap(at);
        change(self);
        self.swap(at);
        self.displaced_session = None;
        self.mode = mode;
    }

    /// Returns `true` while a change is applied to an account that is not on the screen.
    pub fn is_in_background(&self) -> bool {
        self.displaced_session.is_some()
    }

    /// The sessions in the background that have work left.
    pub fn background_work(&self) -> impl Iterator<Item = &AccountSession> {
        let sessions = self.background_accounts.iter().map(|other| &other.session);
        sessions.filter(|session| session.goes_on())
    }

    /// The position of the background account that is wanted.
    pub fn background_at(&self, is_wanted: impl Fn(&BackgroundAccount) -> bool) -> Option<usize> {
        self.background_accounts.iter().position(is_wanted)
    }

    /// The account whose list is beside that of the one on the screen.
    pub fn other_account(&self) -> Option<&BackgroundAccount> {
        let other = self.mode.other_account()?;
        self.background_accounts
            .iter()
            .find(|account| account.session.id() == other.session)
    }

    /// Puts a background account in the place of the one on the screen, which takes its place.
    pub fn swap(&mut self, at: usize) {
        if let Some(other) = self.background_accounts.get_mut(at) {
            std::mem::swap(&mut other.session, &mut self.session);
            std::mem::swap(&mut other.files, &mut self.files);
        }
    }
}
