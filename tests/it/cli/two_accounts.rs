//! Two services as two accounts, for commands that name the accounts of their paths.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use filedeck::service::network::Network;
use serde_json::Value;

use super::binary::{Binary, Service, TOKEN};
use crate::support::proxy::Proxy;

/// Two services as the accounts `one` and `two`.
pub(super) struct TwoAccounts {
    pub(super) one: Service,
    _two: Service,
    /// In front of `one`.
    pub(super) proxy: Proxy,
    /// In front of `two`.
    pub(super) target: Proxy,
    pub(super) binary: Binary,
}

impl TwoAccounts {
    pub(super) fn new() -> Self {
        Self::with_target(Service::start_with(|mut options| {
            options.import_allow = Network::loopback().to_vec();
            options
        }))
    }

    pub(super) fn with_target(two: Service) -> Self {
        let one = Service::start();
        let start = |service: &Service| {
            let upstream = service.base_url().parse().unwrap();
            one.block_on(Proxy::start(upstream))
        };
        let (proxy, target) = (start(&one), start(&two));
        let accounts = Self {
            one,
            _two: two,
            proxy,
            target,
            binary: Binary::new(),
        };
        accounts.configure("");
        accounts
    }

    /// Writes both accounts into the configuration; `more` belongs to `two`.
    pub(super) fn configure(&self, more: &str) {
        let Self {
            target,
            proxy,
            binary,
            ..
        } = self;
        let config = format!(
            "stall_timeout = 20\nsettle_time = 1\n\
             [accounts.one]\nbase_url = \"{}\"\ntoken_file = \"t\"\n\
             [accounts.two]\nbase_url = \"{}\"\ntoken_file = \"t\"\n{more}",
            proxy.url, target.url,
        );
        fs::write(binary.config_dir().join("config.toml"), config).unwrap();
        let token = binary.config_dir().join("t");
        fs::write(&token, TOKEN).unwrap();
        fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// Stores these files in the account `one`, below `/site`.
    pub(super) fn store(&self, files: &[(&str, &[u8])], words: &[&str]) {
        for (path, bytes) in files {
            let path = self.binary.work().join("site").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let put = ["put", "--account", "one", "site", "/"];
        self.binary.run(&[&put, words].concat()).expect(0);
    }

    /// The files of an account, by path.
    pub(super) fn files(&self, account: &str) -> BTreeMap<String, Value> {
        let words = ["find", "--account", account, "is:file", "--json"];
        let found = self.binary.run(&words).expect(0).json_lines();
        found
            .into_iter()
            .map(|file| (file["path"].as_str().unwrap().to_owned(), file))
            .collect()
    }

    /// The MD5 of each file of `two`, by path.
    pub(super) fn sums(&self) -> BTreeMap<String, String> {
        let sum = |file: Value| file["fileMd5"].as_str().unwrap().to_owned();
        let files = self.files("two").into_iter();
        files.map(|(path, file)| (path, sum(file))).collect()
    }
}
