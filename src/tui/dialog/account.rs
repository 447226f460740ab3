//! The dialog for a named account: its address, its token, how it is shown. The input is tested
//! before it is saved; esc cancels a test.

use std::path::PathBuf;

use crossterm::event::KeyCode;

use super::field::{Field, FieldChoice};
use super::form::Form;
use super::modal::Modal;
use super::reply::Reply;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::config::saved_accounts::check_name;
use crate::config::{
    AccountColor, AccountEntry, CredentialKind, Draft, Origin, Token, TokenLocation, accounts,
    keyring,
};
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;

#[derive(Debug, Clone)]
pub struct AccountForm {
    pub form: Form,
    /// The saved account and its name; `None` for a new one.
    kept: Option<(String, AccountEntry)>,
    /// Names that a new account cannot have.
    taken: Vec<String>,
    /// The draft that is being tested, to be saved then.
    awaited: Option<Draft>,
    /// A draft whose test got no response: it can be saved nevertheless.
    unanswered: Option<Draft>,
}

/// Fields, by label. Not every form has all of them.
const NAME: &str = "Name";
const ADDRESS: &str = "Address";
const TOKEN: &str = "Token";
const KEPT_IN: &str = "Token in";
const PRODUCTION: &str = "Production";
const READ_ONLY: &str = "Read-only";
const COLOR: &str = "Color";
const VERSION: &str = "Version";

const VERSIONS: [FieldChoice; 3] = [
    FieldChoice {
        word: "v3",
        then: "The service supports it until September 2027.",
    },
    FieldChoice {
        word: "2026-03",
        then: "",
    },
    FieldChoice {
        word: "2026-09",
        then: "",
    },
];
/// The place of the token. A build without the keyring has no choice.
const PLACES: [FieldChoice; 2] = [
    FieldChoice {
        word: "file",
        then: "A file that only you can read.",
    },
    FieldChoice {
        word: "keyring",
        then: "The system's keyring, or a file if there is none.",
    },
];
const PRODUCTIONS: [FieldChoice; 2] = [
    FieldChoice {
        word: "no",
        then: "",
    },
    FieldChoice {
        word: "yes: marked in red",
        then: "The account's name is red, and dialogs say that it is production.",
    },
];
const NO_YES: [FieldChoice; 2] = [
    FieldChoice {
        word: "no",
        then: "",
    },
    FieldChoice {
        word: "yes",
        then: "",
    },
];
const COLORS: [FieldChoice; 6] = [
    FieldChoice {
        word: "none",
        then: "",
    },
    FieldChoice {
        word: "blue",
        then: "",
    },
    FieldChoice {
        word: "green",
        then: "",
    },
    FieldChoice {
        word: "yellow",
        then: "",
    },
    FieldChoice {
        word: "red",
        then: "",
    },
    FieldChoice {
        word: "purple",
        then: "",
    },
];
const NAME_HELP: &str = "Your own name for it: in the list of accounts, and for --account.";
const ADDRESS_HELP: &str = "Of the service. https, except on this machine.";
const TOKEN_HELP: &str = "Typed unseen.";
const NEW_TOKEN_HELP: &str = "Hidden as you type. Leave it empty to keep the current token.";

const OAUTH_NOTE: &str =
    "It uses OAuth. For new credentials, remove it and run: filedeck account add --oauth";
const OAUTH_ELSEWHERE: &str =
    "Its OAuth credentials belong to the old address: add another account for this one.";

const KEEP: Key = Key::ctrl('s');
const KEEP_KEYS: [(&str, &str); 1] = [("ctrl-s", "save without testing")];

impl AccountForm {
    /// Creates a form for a new account, which can have none of these names.
    pub fn new(taken: Vec<String>) -> Self {
        let entry = AccountEntry {
            base_url: AccountEntry::DEFAULT_BASE_URL.to_owned(),
            version: AccountEntry::DEFAULT_VERSION.to_owned(),
            read_only: false,
            production: false,
            color: None,
            token: TokenLocation::File(PathBuf::new()),
            kind: CredentialKind::Token,
            ca_cert: None,
            origin: Origin::Own,
        };
        let form = Form::new(
            "Add an account",
            "test and save",
            fields(&entry, TOKEN_HELP),
        );
        Self {
            form,
            kept: None,
            taken,
            awaited: None,
            unanswered: None,
        }
    }

    /// Creates a form for a saved account, with the focus on the token. OAuth credentials cannot be
    /// changed.
    pub fn of(name: &str, entry: &AccountEntry) -> Self {
        let is_oauth = entry.kind == CredentialKind::Oauth;
        let mut fields = fields(entry, NEW_TOKEN_HELP);
        fields.retain(|field| {
            field.label != NAME && !(is_oauth && [TOKEN, KEPT_IN].contains(&field.label))
        });
        let form = Form::new(format!("Edit {}", visible(name)), "test and save", fields);
        let kept = Some((name.to_owned(), entry.clone()));
        let mut dialog = Self {
            form,
            kept,
            taken: Vec::new(),
            awaited: None,
            unanswered: None,
        };
        if is_oauth {
            dialog.form.note = Some(OAUTH_NOTE.to_owned());
            return dialog;
        }
        dialog.form.focus = dialog.at(TOKEN);
        if let Some(token) = dialog.form.fields.get_mut(dialog.form.focus) {
            token.placeholder = "unchanged".into();
        }
        dialog
    }

    /// Returns `true` if the dialog is waiting for this draft.
    pub fn awaits(&self, draft: &Draft) -> bool {
        self.awaited.as_ref() == Some(draft)
    }

    pub fn failed(&mut self, error: &Error) {
        let draft = self.awaited.take();
        let is_unanswered = matches!(
            error.kind,
            Kind::Unreachable | Kind::Network | Kind::Timeout | Kind::Portal
        );
        let field = match error.kind {
            Kind::Unauthorized | Kind::Forbidden | Kind::Refused | Kind::Local => TOKEN,
            _ => ADDRESS,
        };
        let details = error.details.iter().map(|text| visible(text));
        let texts: Vec<_> = std::iter::once(error.reason()).chain(details).collect();
        self.refuse(field, texts.join(" "));
        if is_unanswered {
            self.unanswered = draft;
            self.form.keys = &KEEP_KEYS;
        }
    }

    /// Reports that the address cannot be changed.
    pub fn refuse_address(&mut self, why: String) {
        self.awaited = None;
        self.refuse(ADDRESS, why);
    }

    pub fn not_kept(&mut self, why: &str) {
        self.awaited = None;
        self.refuse(TOKEN, visible(why).into_owned());
    }

    fn try_out(&mut self, draft: Draft, untried: bool) -> Reply {
        let is_known = self.unanswered.take().as_ref() == Some(&draft);
        self.form.keys = &[];
        self.awaited = Some(draft.clone());
        if untried && is_known {
            return Reply::Keep(Box::new(draft));
        }
        self.form.note = Some("Testing the account; esc cancels.".to_owned());
        Reply::Try(Box::new(draft))
    }

    fn refuse(&mut self, field: &str, problem: String) {
        self.form.note = None;
        self.form.refuse(self.at(field), problem);
    }

    /// Returns the index of a field, or one past the last if the form does not have it.
    fn at(&self, field: &str) -> usize {
        let fields = &self.form.fields;
        fields
            .iter()
            .position(|known| known.label == field)
            .unwrap_or(fields.len())
    }

    /// Reads the form; the error names the field and the problem.
    fn draft(&self) -> Result<Draft, (&'static str, String)> {
        let form = &self.form;
        let name = match &self.kept {
            Some((name, _)) => name.clone(),
            None => self.new_name()?,
        };
        let base_url = form
            .filled(self.at(ADDRESS))
            .unwrap_or_else(|| AccountEntry::DEFAULT_BASE_URL.to_owned());
        accounts::parse_base_url("The address", &base_url)
            .map_err(|error| (ADDRESS, format!("{error}.")))?;
        let oauth = self
            .kept
            .as_ref()
            .filter(|(_, kept)| kept.kind == CredentialKind::Oauth);
        let token = if oauth.is_some() {
            None
        } else {
            Token::new(form.text(self.at(TOKEN)))
        };
        if token.is_none() && self.kept.is_none() {
            return Err((
                TOKEN,
                "Type or paste the account's access token.".to_owned(),
            ));
        }
        let entry = AccountEntry {
            base_url,
            version: form.text(self.at(VERSION)).to_owned(),
            read_only: form.chosen(self.at(READ_ONLY)) == 1,
            production: form.chosen(self.at(PRODUCTION)) == 1,
            color: form
                .chosen(self.at(COLOR))
                .checked_sub(1)
                .and_then(|at| AccountColor::ALL.get(at))
                .copied(),
            token: match oauth {
                Some((_, kept)) => kept.token.clone(),
                None if form.chosen(self.at(KEPT_IN)) == 1 => TokenLocation::Keyring(String::new()),
                None => TokenLocation::File(PathBuf::new()),
            },
            kind: oauth.map(|(_, kept)| kept.kind).unwrap_or_default(),
            ca_cert: self
                .kept
                .as_ref()
                .and_then(|(_, kept)| kept.ca_cert.clone()),
            origin: Origin::Own,
        };
        let is_elsewhere = self
            .kept
            .as_ref()
            .is_some_and(|(_, kept)| !kept.has_origin_of(&entry));
        if oauth.is_some() && is_elsewhere {
            return Err((ADDRESS, OAUTH_ELSEWHERE.to_owned()));
        }
        if token.is_none() && is_elsewhere {
            return Err((
                TOKEN,
                "The current token belongs to the old address: type or paste one for the new address.".to_owned(),
            ));
        }
        let is_kept_elsewhere = self
            .kept
            .as_ref()
            .is_some_and(|(_, kept)| kept.token.is_keyring() != entry.token.is_keyring());
        if token.is_none() && is_kept_elsewhere && keyring::IS_BUILT_IN {
            return Err((
                TOKEN,
                "Type or paste the token to store it elsewhere.".to_owned(),
            ));
        }
        Ok(Draft {
            name,
            is_new: self.kept.is_none(),
            entry,
            token,
        })
    }

    fn new_name(&self) -> Result<String, (&'static str, String)> {
        let name = self.form.text(self.at(NAME));
        check_name(name).map_err(|problem| (NAME, problem.to_owned()))?;
        // Some file systems treat names that differ only in case as equal.
        if self
            .taken
            .iter()
            .any(|taken| taken.to_lowercase() == name.to_lowercase())
        {
            return Err((NAME, "An account with this name exists.".to_owned()));
        }
        Ok(name.to_owned())
    }
}

impl Modal for AccountForm {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        if self.awaited.is_some() {
            if key.code == KeyCode::Esc {
                self.awaited = None;
                self.form.note = None;
            }
            return Reply::Open;
        }
        if key == KEEP && self.unanswered.is_some() {
            return match self.draft() {
                Ok(draft) => self.try_out(draft, true),
                Err((field, problem)) => {
                    self.refuse(field, problem);
                    Reply::Open
                }
            };
        }
        self.on_form_key(key, now)
    }

    fn submitted(&mut self, _: Clocks) -> Result<Reply, (usize, String)> {
        match self.draft() {
            Ok(draft) => Ok(self.try_out(draft, false)),
            Err((field, problem)) => Err((self.at(field), problem)),
        }
    }

    fn form(&self) -> Option<&Form> {
        Some(&self.form)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        // The draft that is being tested stays as it is.
        self.awaited.is_none().then_some(&mut self.form)
    }
}

fn fields(entry: &AccountEntry, token_help: &'static str) -> Vec<Field> {
    let version = VERSIONS
        .iter()
        .position(|choice| choice.word == entry.version)
        .unwrap_or(0);
    let color = AccountColor::ALL
        .iter()
        .position(|known| entry.color == Some(*known))
        .map_or(0, |at| at + 1);
    let address = if entry.base_url == AccountEntry::DEFAULT_BASE_URL {
        ""
    } else {
        &entry.base_url
    };
    let kept_in = Field::choice(KEPT_IN, &PLACES, usize::from(entry.token.is_keyring()));
    [
        Some(Field::text(NAME, "", NAME_HELP)),
        Some(Field::text(ADDRESS, address, ADDRESS_HELP).hinting(AccountEntry::DEFAULT_BASE_URL)),
        Some(Field::secret(TOKEN, token_help).hinting("access token of a private app")),
        keyring::IS_BUILT_IN.then_some(kept_in),
        Some(Field::choice(
            PRODUCTION,
            &PRODUCTIONS,
            usize::from(entry.production),
        )),
        Some(Field::choice(
            READ_ONLY,
            &NO_YES,
            usize::from(entry.read_only),
        )),
        Some(Field::choice(COLOR, &COLORS, color).rarely()),
        Some(Field::choice(VERSION, &VERSIONS, version).rarely()),
    ]
    .into_iter()
    .flatten()
    .collect()
}
