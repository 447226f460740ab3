//! The world of a cell: a service with three files in a folder, the proxy in front of it, and the
//! binary's own files.

use std::collections::BTreeMap;

use md5::{Digest as _, Md5};
use reqwest::Method;

use crate::cli::binary::{Binary, Service};
use crate::cli::client::Client;
use crate::support::database::number;
use crate::support::proxy::{Proxy, Rule};

/// The initial content of the folder `/box` on the service.
pub(super) const STORED: [&str; 3] = ["a.txt", "b.txt", "c.bin"];
/// The initial content of the binary's folder.
pub(super) const LOCAL: [&str; 4] = ["big.bin", "one.txt", "three.txt", "two.txt"];

/// The time limits of a command, set in its configuration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// Seconds without any bytes.
    pub(super) stall: u64,
    /// Seconds of looking for an upload that may have been stored.
    pub(super) settle: u64,
}

pub(super) struct World {
    pub(super) service: Service,
    pub(super) proxy: Proxy,
    pub(super) binary: Binary,
    client: Client,
}

pub(super) fn content(name: &str) -> Vec<u8> {
    let times = match name {
        "big.bin" => 500_000,
        "c.bin" => 50_000,
        _ => 1,
    };
    name.as_bytes().repeat(times)
}

impl World {
    pub(super) fn new(patience: Patience, rules: Vec<Rule>) -> Self {
        let service = Service::start();
        let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
        let binary = Binary::new()
            .env("FILEDECK_BASE_URL", proxy.url.as_str())
            .env("FILEDECK_TOKEN", &service.token());
        let settings = format!(
            "stall_timeout = {}\nsettle_time = {}\n",
            patience.stall, patience.settle
        );
        std::fs::write(binary.config_dir().join("config.toml"), settings).unwrap();
        let client = Client::at(&service.base_url());
        for name in STORED {
            let (status, _) = service
                .block_on(client.try_upload("/box", name, &content(name)))
                .unwrap();
            assert_eq!(status, 201);
        }
        for name in LOCAL {
            binary.write(name, &content(name));
        }
        std::fs::create_dir(binary.work().join("down")).unwrap();
        proxy.rules(rules);
        Self {
            service,
            proxy,
            binary,
            client,
        }
    }

    /// The MD5 of every file on the service, by path; panics if a path occurs twice.
    pub(super) fn stored(&self) -> BTreeMap<String, String> {
        let (mut files, mut after) = (BTreeMap::new(), Some("0".to_owned()));
        while let Some(offset) = after {
            let path = format!("/files/search?limit=100&sort=id&after={offset}");
            let (status, page) = self
                .service
                .block_on(self.client.ask(Method::GET, &path, None));
            assert_eq!(status, 200, "{page}");
            for file in page["results"].as_array().unwrap() {
                let text = |field: &str| file[field].as_str().unwrap().to_owned();
                assert_eq!(
                    files.insert(text("path"), text("fileMd5")),
                    None,
                    "{file} is there twice"
                );
            }
            after = page["paging"]["next"]["after"].as_str().map(str::to_owned);
        }
        files
    }

    pub(super) fn folders(&self) -> Vec<String> {
        let (_, page) = self.service.block_on(self.client.ask(
            Method::GET,
            "/folders/search?limit=100",
            None,
        ));
        let folders = page["results"].as_array().unwrap().iter();
        folders
            .map(|folder| folder["path"].as_str().unwrap().to_owned())
            .collect()
    }

    pub(super) fn receipts(&self) -> i64 {
        let journal = self.binary.home.path().join("state/journal.db");
        if journal.exists() {
            number(&journal, "SELECT count(*) FROM receipt")
        } else {
            0
        }
    }
}

pub(super) fn in_folder<'a>(
    folder: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<String, String> {
    let sum = |name| hex::encode(Md5::digest(content(name)));
    names
        .into_iter()
        .map(|name| (format!("{folder}/{name}"), sum(name)))
        .collect()
}
