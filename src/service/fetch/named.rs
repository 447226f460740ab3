//! A resolver for tests, which never uses the network.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;

use super::resolve::Resolve;

/// Each look-up returns the next answer of a name, and the last one forever.
#[derive(Debug)]
pub(super) struct TestNames(Mutex<HashMap<String, Vec<Vec<IpAddr>>>>);

impl TestNames {
    pub(super) fn new(answers: HashMap<String, Vec<Vec<IpAddr>>>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(answers)))
    }

    pub(super) fn with(name: &str, answers: &[&[&str]]) -> Arc<Self> {
        let answers = answers
            .iter()
            .map(|list| list.iter().map(|text| text.parse().unwrap()).collect())
            .collect();
        Self::new(HashMap::from([(name.to_owned(), answers)]))
    }
}

impl Resolve for TestNames {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let mut names = self.0.lock().unwrap();
        let answer = match names.get_mut(host) {
            Some(answers) if answers.len() > 1 => Ok(answers.remove(0)),
            Some(answers) => Ok(answers[0].clone()),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        Box::pin(async { answer })
    }
}
