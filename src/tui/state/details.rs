//! The latest full entries that the service has sent; list rows keep less. Sized for a screenful or
//! two.

use std::num::NonZeroUsize;

use lru::LruCache;

use crate::engine::message::{Entry, Target};

/// Entries by id; the oldest is evicted.
#[derive(Debug, Clone)]
pub struct Details(LruCache<Target, Entry>);

const MOST: NonZeroUsize = NonZeroUsize::new(256).unwrap();

impl Default for Details {
    fn default() -> Self {
        Self(LruCache::new(MOST))
    }
}

impl Details {
    pub fn of(&self, target: &Target) -> Option<&Entry> {
        self.0.peek(target)
    }

    pub fn put(&mut self, entry: Entry) {
        self.0.put(entry.target(), entry);
    }

    /// Stores an entry only if an older version of it is here.
    pub fn renew(&mut self, entry: Entry) {
        let target = entry.target();
        if self.0.contains(&target) {
            self.0.put(target, entry);
        }
    }

    pub fn remove(&mut self, target: &Target) {
        self.0.pop(target);
    }
}
