//! Accounts created, changed and removed on the screen.

use filedeck::api::{Error, Kind};
#[cfg(feature = "keyring")]
use filedeck::config::KeyringError;
use filedeck::config::{
    AccountChange, AccountColor, AccountEntry, AccountSource, AccountSummary, Changed, Draft,
    Origin, TokenLocation,
};
use filedeck::engine::SessionId;
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::accounts::upload;
use super::world::{World, acme};

const SECOND: SessionId = SessionId(2);
pub(super) const TOKEN: &str = "pat-canary";

fn own(draft: &Draft) -> AccountSummary {
    own_in(
        draft,
        TokenLocation::File(format!("/c/tokens/{}.token", draft.name).into()),
    )
}

fn own_in(draft: &Draft, token: TokenLocation) -> AccountSummary {
    let entry = AccountEntry {
        token,
        ..draft.entry.clone()
    };
    AccountSummary {
        source: AccountSource::Configured(draft.name.clone()),
        address: entry.base_url.parse().ok(),
        version: entry.version.clone(),
        read_only: entry.read_only,
        entry: Some(entry),
    }
}

fn error(kind: Kind, message: &str) -> Error {
    Error::new(kind, message)
}

pub(super) fn tried(effects: &[Effect]) -> Draft {
    let [Effect::TryAccount(draft)] = effects else {
        panic!("nothing is tried: {effects:?}")
    };
    (**draft).clone()
}

fn add(world: &mut World) -> Draft {
    world.keys("@ a");
    world.text("beta");
    world.keys("down ctrl-u");
    world.text("http://127.0.0.1:9");
    world.keys("down");
    world.send(Msg::Paste(format!("{TOKEN}\n")));
    tried(&world.keys("enter"))
}

pub(super) fn answer(world: &mut World, draft: &Draft, result: Result<(), Error>) -> Vec<Effect> {
    world.send(Msg::AccountTried(Box::new(draft.clone()), result))
}

pub(super) fn changed(
    world: &mut World,
    change: AccountChange,
    known: Vec<AccountSummary>,
) -> Vec<Effect> {
    world.send(Msg::AccountsChanged(
        Box::new(change),
        Ok(Changed {
            known,
            refused: None,
            left: None,
        }),
    ))
}

fn problem(world: &mut World) -> (String, &'static str) {
    let form = world
        .state
        .dialogs
        .last_mut()
        .and_then(|dialog| dialog.form_mut())
        .unwrap();
    (
        form.problem.clone().unwrap_or_default(),
        form.fields[form.focus].label,
    )
}

/// A token file without a path, as in a dialog.
fn nowhere_yet() -> TokenLocation {
    TokenLocation::File(std::path::PathBuf::new())
}

/// A world where acme was created by filedeck.
pub(super) fn with_own_acme() -> (World, Draft) {
    let mut world = World::new();
    let entry = AccountEntry {
        base_url: "https://api.acme.example".to_owned(),
        version: "2026-03".to_owned(),
        read_only: false,
        production: false,
        color: Some(AccountColor::Red),
        token: nowhere_yet(),
        kind: filedeck::config::CredentialKind::Token,
        ca_cert: None,
        origin: Origin::Own,
    };
    let draft = Draft {
        name: "acme".to_owned(),
        is_new: false,
        entry,
        token: None,
    };
    world.state.accounts[0] = own(&draft);
    (world, draft)
}

#[test]
fn what_the_service_takes_is_kept_and_gone_to() {
    let mut world = World::new();
    let draft = add(&mut world);
    assert_eq!(
        (draft.name.as_str(), draft.entry.base_url.as_str()),
        ("beta", "http://127.0.0.1:9")
    );
    assert!(draft.token.is_some() && draft.entry.origin == Origin::Own);
    assert_eq!(
        world.keys("x enter"),
        [],
        "nothing is changed while it is tried"
    );
    let keep = AccountChange::Keep(draft.clone());
    assert_eq!(
        answer(&mut world, &draft, Ok(())),
        [Effect::ChangeAccounts(Box::new(keep.clone()))]
    );
    assert_eq!(world.state.dialogs.len(), 1, "until it is written down");
    let known = [own(&draft)]
        .into_iter()
        .chain(world.state.accounts.clone())
        .collect();
    let beta = AccountSource::Configured("beta".to_owned());
    assert_eq!(
        changed(&mut world, keep, known),
        [Effect::Connect(SECOND, beta)]
    );
    assert!(world.state.dialogs.is_empty());
    assert!(
        world.says("Its token is in /c/tokens/beta.token, which only you can read."),
        "{:?}",
        world.said()
    );
    assert!(!format!("{:?}", world.state).contains("canary"));
}

#[rstest]
#[case::unknown_token(error(Kind::Unauthorized, "Not known"), "Token", false)]
#[case::lacks_a_scope(error(Kind::Forbidden, "requires one of [files]"), "Token", false)]
#[case::no_line(error(Kind::Unreachable, "connection refused"), "Address", true)]
#[case::tasks_at_the_old_address(error(Kind::Conflict, "Tasks wait"), "Address", false)]
#[case::another_service(error(Kind::Decode, "no JSON"), "Address", false)]
fn a_refusal_stands_in_the_form_and_nothing_is_kept(
    #[case] error: Error,
    #[case] field: &str,
    #[case] keeps: bool,
) {
    let mut world = World::new();
    let draft = add(&mut world);
    assert_eq!(answer(&mut world, &draft, Err(error.clone())), []);
    assert_eq!(problem(&mut world), (error.message, field));
    let effects = world.keys("ctrl-s");
    let kept = [Effect::ChangeAccounts(Box::new(AccountChange::Keep(
        draft.clone(),
    )))];
    assert_eq!(
        effects.as_slice(),
        if keeps { kept.as_slice() } else { &[] },
        "untried it is kept where nobody answers"
    );
    if !keeps {
        assert_eq!(
            tried(&world.keys("enter")),
            draft,
            "what was typed is still there"
        );
    }
}

#[test]
fn what_was_changed_since_is_tried_before_it_is_kept() {
    let mut world = World::new();
    let draft = add(&mut world);
    answer(&mut world, &draft, Err(error(Kind::Timeout, "no answer")));
    world.text("9");
    assert_eq!(
        tried(&world.keys("ctrl-s")).entry.base_url,
        "http://127.0.0.1:99"
    );
}

#[test]
fn esc_gives_the_trial_up_and_its_answer_changes_nothing() {
    let mut world = World::new();
    let draft = add(&mut world);
    world.keys("esc");
    assert_eq!(answer(&mut world, &draft, Ok(())), []);
    assert_eq!(world.state.dialogs.len(), 1);
    world.keys("esc");
    assert!(world.state.dialogs.is_empty());
    assert_eq!(world.state.accounts.len(), 3);
}

#[test]
fn what_cannot_be_written_down_is_said_in_the_form() {
    let mut world = World::new();
    let draft = add(&mut world);
    answer(&mut world, &draft, Ok(()));
    let why = Err("/c/accounts.toml: Permission denied".to_owned());
    world.send(Msg::AccountsChanged(
        Box::new(AccountChange::Keep(draft)),
        why,
    ));
    assert_eq!(problem(&mut world).0, "/c/accounts.toml: Permission denied");
}

#[rstest]
#[case::name("", "https://h.example", "t", "Name")]
#[case::taken("ACME", "https://h.example", "t", "Name")]
#[case::no_address("b", "h.example", "t", "Address")]
#[case::plain_http("b", "http://h.example", "t", "Address")]
#[case::no_token("b", "https://h.example", "", "Token")]
fn what_cannot_be_is_not_tried(
    #[case] name: &str,
    #[case] address: &str,
    #[case] token: &str,
    #[case] field: &str,
) {
    let mut world = World::new();
    world.keys("@ a");
    world.text(name);
    world.keys("down ctrl-u");
    world.text(address);
    world.keys("down");
    world.text(token);
    assert_eq!(world.keys("enter"), []);
    assert_eq!(problem(&mut world).1, field);
}

/// Gives acme a new token, which is tried and saved.
fn with_a_new_token(mut world: World) -> (World, Vec<Effect>) {
    world.keys("@ A e");
    world.text(TOKEN);
    let draft = tried(&world.keys("enter"));
    let effects = keep(&mut world, draft);
    (world, effects)
}

/// Saves a changed account after it was tried successfully.
fn keep(world: &mut World, draft: Draft) -> Vec<Effect> {
    answer(world, &draft, Ok(()));
    let known = world.state.accounts.clone();
    changed(world, AccountChange::Keep(draft), known)
}

#[test]
fn a_new_token_opens_the_present_account_anew() {
    let (mut world, before) = with_own_acme();
    world.keys("@ e");
    world.text(TOKEN);
    let draft = tried(&world.keys("enter"));
    assert_eq!(
        draft.entry,
        AccountEntry {
            token: draft.entry.token.clone(),
            ..before.entry
        }
    );
    let effects = keep(&mut world, draft);
    assert_eq!(
        effects,
        [
            Effect::Close(SessionId::FIRST),
            Effect::Connect(SECOND, acme())
        ]
    );
}

#[test]
fn an_account_with_oauth_keeps_its_credentials_and_is_not_moved() {
    let (mut world, mut before) = with_own_acme();
    before.entry.kind = filedeck::config::CredentialKind::Oauth;
    before.entry.ca_cert = Some("ours.pem".into());
    world.state.accounts[0] = own(&before);
    let kept = world.state.accounts[0].entry.clone().unwrap();
    world.keys("@ e");
    assert!(
        world.shows("filedeck account add --oauth"),
        "{}",
        world.drawn()
    );
    let draft = tried(&world.keys("enter"));
    assert_eq!((draft.entry, draft.token), (kept, None));
    world.keys("esc ctrl-u");
    world.text("https://elsewhere.example");
    assert_eq!(world.keys("enter"), []);
    assert_eq!(problem(&mut world).1, "Address");
}

#[test]
fn esc_does_not_stay_on_a_session_that_is_closed() {
    let (mut world, _) = with_a_new_token(with_own_acme().0);
    assert_eq!(world.keys("esc"), []);
    assert!(!world.shows("esc cancels"), "{}", world.drawn());
    world.connect(SECOND, acme());
    let effects = world.keys("ctrl-r");
    let asks = |effect: &Effect| matches!(effect, Effect::Submit(op, _) if op.session == SECOND);
    assert!(effects.iter().any(asks), "{effects:?}");
}

#[test]
fn the_present_account_that_cannot_be_opened_anew_takes_nothing_and_can_be_chosen_again() {
    let (mut world, _) = with_a_new_token(with_own_acme().0);
    world.send(Msg::Connected(
        SECOND,
        Err("the token file is not there".to_owned()),
    ));
    world.keys("m x");
    assert!(
        world.says("Nothing was saved: acme is not open."),
        "{:?}",
        world.said()
    );
    world.keys("a");
    world.text("invoices");
    assert_eq!(world.keys("enter"), []);
    assert!(
        world.says("Nothing was sent: acme is not open."),
        "{:?}",
        world.said()
    );
    let read = world.keys("ctrl-r");
    let Some(Effect::Submit(op, _)) = read.first() else {
        panic!("{read:?}")
    };
    world.send(Msg::Refused(*op));
    assert!(
        world.says("The account is not open; nothing was sent. @ opens it"),
        "{:?}",
        world.said()
    );
    assert_eq!(
        world.keys("@ A enter"),
        [Effect::Connect(SessionId(3), acme())]
    );
    world.connect(SessionId(3), acme());
    assert_eq!(world.state.session.ops.session(), SessionId(3));
}

#[rstest]
#[case::at_rest(None)]
#[case::lost_before(Some(Kind::Unreachable))]
fn a_session_that_is_closed_is_asked_nothing_and_wakes_nobody(#[case] lost: Option<Kind>) {
    let (mut world, _) = with_own_acme();
    world.answer_limits();
    if let Some(kind) = lost {
        world.keys("ctrl-r");
        let op = world.listing_of("/");
        world.fail(op, Error::new(kind, "connection refused"));
    }
    let (mut world, _) = with_a_new_token(world);
    world.send(Msg::Connected(
        SECOND,
        Err("the token file is not there".to_owned()),
    ));
    let asked = world.count(|_| true);
    world.keys("G");
    for _ in 0..40 {
        let next = world.state.next_wake().expect("ages are on the screen");
        assert!(next > world.state.now, "it would be awake all the time");
        world.send(Msg::Clock(next));
    }
    assert_eq!(world.count(|_| true), asked);
}

#[test]
fn a_session_that_is_closed_is_not_taken_up_again() {
    let (mut world, _) = with_own_acme();
    upload(&mut world);
    let (mut world, _) = with_a_new_token(world);
    assert_eq!(
        world.keys("@ D enter"),
        [Effect::Connect(SessionId(3), AccountSource::Demo)]
    );
    assert_eq!(
        world.connect(SECOND, acme()),
        [Effect::Close(SECOND)],
        "nobody waits for it"
    );
    assert_eq!(
        world.keys("esc"),
        [Effect::Connect(SessionId(4), acme())],
        "there is nothing else to stay on"
    );
    world.keys("@ D enter");
    world.connect(SessionId(5), AccountSource::Demo);
    assert!(world.state.background_accounts.is_empty());
    assert!(
        world.says("acme: 1 task waits until you open it."),
        "{:?}",
        world.said()
    );
    assert_eq!(
        world.keys("@ A enter"),
        [Effect::Connect(SessionId(6), acme())]
    );
}

#[test]
fn where_the_other_account_cannot_be_opened_either_the_present_one_is() {
    let (mut world, _) = with_a_new_token(with_own_acme().0);
    world.keys("@ D enter");
    let failed = world.send(Msg::Connected(SessionId(3), Err("no room".to_owned())));
    assert_eq!(failed, [Effect::Connect(SessionId(4), acme())]);
}

#[test]
fn new_settings_reach_an_account_whose_tasks_go_on_elsewhere() {
    let (mut world, _) = with_own_acme();
    upload(&mut world);
    world.keys("@ D enter");
    world.connect(SECOND, AccountSource::Demo);
    assert_eq!(world.state.background_accounts.len(), 1);
    let (mut world, effects) = with_a_new_token(world);
    assert_eq!(effects, [Effect::Close(SessionId::FIRST)]);
    assert!(
        world.says("acme: 1 task waits until you open it."),
        "{:?}",
        world.said()
    );
    assert_eq!(
        world.keys("@ A enter"),
        [Effect::Connect(SessionId(3), acme())],
        "with the new token"
    );
}

#[test]
fn what_may_not_have_come_into_the_queue_of_an_account_that_was_left_is_told_of() {
    let (mut world, _) = with_own_acme();
    world.keys("u");
    world.text("notes.txt");
    world.keys("enter @ D enter");
    world.connect(SECOND, AccountSource::Demo);
    assert_eq!(world.state.background_accounts.len(), 1);
    let (world, effects) = with_a_new_token(world);
    assert_eq!(effects, [Effect::Close(SessionId::FIRST)]);
    let said = world.said().join(" ");
    assert!(
        said.contains("acme: Upload failed, ") && said.contains("The result is not known"),
        "{said}"
    );
}

#[test]
fn new_settings_reach_an_account_that_is_being_opened() {
    let (mut world, _) = with_own_acme();
    world.state.session.account.source = AccountSource::Demo;
    world.keys("@ A enter");
    let (mut world, effects) = with_a_new_token(world);
    assert_eq!(effects, [Effect::Connect(SessionId(3), acme())]);
    assert_eq!(world.connect(SECOND, acme()), [Effect::Close(SECOND)]);
    world.connect(SessionId(3), acme());
    assert_eq!(world.state.session.account.source, acme());
}

#[rstest]
#[case::palette("ctrl-p")]
#[case::help("?")]
fn words_for_what_is_done_with_accounts_lead_to_their_list(#[case] key: &str) {
    let mut world = World::new();
    for word in [
        "accounts add",
        "accounts edit",
        "accounts remove",
        "switch accounts",
    ] {
        world.keys(key);
        world.text(word);
        world.keys("enter");
        assert!(
            matches!(world.dialog(), Dialog::Accounts(_)),
            "{word}: {}",
            world.drawn()
        );
        world.keys("esc");
    }
}

#[test]
fn an_edit_without_a_token_keeps_the_one_that_is_there() {
    let (mut world, before) = with_own_acme();
    world.keys("@ e");
    assert_eq!(tried(&world.keys("enter")), before);
}

fn move_acme(world: &mut World) {
    world.keys("@ A e up ctrl-u");
    world.text("https://elsewhere.example");
    world.keys("down");
}

#[test]
fn a_token_is_not_tried_at_another_address_than_its_own() {
    let (mut world, _) = with_own_acme();
    move_acme(&mut world);
    assert_eq!(world.keys("enter"), []);
    let (problem, field) = problem(&mut world);
    assert!(
        problem.contains("belongs to the old address") && field == "Token",
        "{problem}, {field}"
    );
    world.text(TOKEN);
    let draft = tried(&world.keys("enter"));
    assert!(draft.token.is_some());
    answer(&mut world, &draft, Ok(()));
    let known = [own(&draft)]
        .into_iter()
        .chain(world.state.accounts[1..].to_vec())
        .collect();
    changed(&mut world, AccountChange::Keep(draft), known);
    assert!(
        world.says("receipts belong to the old address."),
        "{:?}",
        world.said()
    );
}

#[test]
fn an_account_with_tasks_keeps_its_address() {
    let (mut world, _) = with_own_acme();
    upload(&mut world);
    move_acme(&mut world);
    world.text(TOKEN);
    assert_eq!(world.keys("enter"), []);
    let (problem, field) = problem(&mut world);
    assert!(
        problem.contains("wait for them or cancel them first") && field == "Address",
        "{problem}, {field}"
    );
}

#[test]
fn an_account_of_the_configuration_is_not_changed_here() {
    let mut world = World::new();
    for keys in ["@ e", "@ delete"] {
        assert_eq!(world.keys(keys), []);
        assert!(world.state.dialogs.is_empty());
        assert!(
            world.says("acme is defined in config.toml, which filedeck never writes"),
            "{:?}",
            world.said()
        );
    }
    world.keys("@ d e");
    assert!(
        world.says("demo is built into filedeck."),
        "{:?}",
        world.said()
    );
}

#[test]
fn an_account_is_removed_once_it_is_confirmed_and_not_in_use() {
    let (mut world, draft) = with_own_acme();
    world.keys("@ delete");
    assert!(
        world.says("acme is open: switch to another account first."),
        "{:?}",
        world.said()
    );
    world.state.session.account.source = AccountSource::Demo;
    let forget = AccountChange::Forget(draft.name);
    world.keys("@ up up delete");
    assert_eq!(world.keys("enter"), [], "the focus is on Cancel");
    world.keys("@ up up delete");
    assert_eq!(
        world.keys("tab enter"),
        [Effect::ChangeAccounts(Box::new(forget.clone()))]
    );
    let left = world.state.accounts[1..].to_vec();
    changed(&mut world, forget, left.clone());
    assert_eq!(world.state.accounts, left);
    assert!(world.says("Removed acme"), "{:?}", world.said());
}

// Seen to stay on the screen after it was removed.
#[rstest]
#[case::on_its_way(false)]
#[case::open_behind_the_question(true)]
fn an_account_that_is_removed_is_not_gone_to_any_more(#[case] is_open: bool) {
    let (mut world, draft) = with_own_acme();
    world.state.session.account.source = AccountSource::Demo;
    assert_eq!(world.keys("@ A enter"), [Effect::Connect(SECOND, acme())]);
    world.keys("@ A delete");
    if is_open {
        assert_eq!(
            world.connect(SECOND, acme()),
            [],
            "not while something is asked"
        );
    }
    let effects = world.keys("tab enter");
    let forget = Effect::ChangeAccounts(Box::new(AccountChange::Forget(draft.name)));
    if is_open {
        assert_eq!(effects, [Effect::Close(SECOND), forget]);
    } else {
        assert_eq!(effects, [forget]);
        assert_eq!(world.connect(SECOND, acme()), [Effect::Close(SECOND)]);
    }
    assert_eq!(world.state.session.account.source, AccountSource::Demo);
}

#[test]
fn a_token_that_could_not_be_removed_is_said_and_the_account_is_gone_all_the_same() {
    let (mut world, draft) = with_own_acme();
    world.state.session.account.source = AccountSource::Demo;
    let (known, left) = (
        world.state.accounts[1..].to_vec(),
        Some("/c/tokens/acme.token: Read-only".to_owned()),
    );
    let forget = Box::new(AccountChange::Forget(draft.name));
    world.send(Msg::AccountsChanged(
        forget,
        Ok(Changed {
            known: known.clone(),
            refused: None,
            left,
        }),
    ));
    assert_eq!(world.state.accounts, known);
    assert!(
        world.says("An old token is still there: /c/tokens/acme.token: Read-only"),
        "{:?}",
        world.said()
    );
}

#[cfg(feature = "keyring")]
mod in_the_keyring {
    use super::*;

    /// Types a new account with its token in the keyring; it is tried, and saved with the token in
    /// `token`.
    fn keep_in(token: TokenLocation, refused: Option<KeyringError>) -> World {
        let mut world = World::new();
        world.keys("@ a");
        world.text("beta");
        world.keys("down down");
        world.text(TOKEN);
        world.keys("down right");
        let draft = tried(&world.keys("enter"));
        assert!(draft.entry.token.is_keyring());
        answer(&mut world, &draft, Ok(()));
        let known = [own_in(&draft, token)]
            .into_iter()
            .chain(world.state.accounts.clone())
            .collect();
        world.send(Msg::AccountsChanged(
            Box::new(AccountChange::Keep(draft)),
            Ok(Changed {
                known,
                refused,
                left: None,
            }),
        ));
        world
    }

    fn acme_in_it() -> (World, Draft) {
        let (mut world, mut draft) = with_own_acme();
        draft.entry.token = TokenLocation::Keyring(String::new());
        world.state.accounts[0] = own_in(&draft, TokenLocation::Keyring("acme~1".to_owned()));
        (world, draft)
    }

    #[test]
    fn a_token_that_it_takes_is_said_to_be_there() {
        let world = keep_in(TokenLocation::Keyring("beta~1".to_owned()), None);
        assert!(
            world.says("Saved beta. Its token is in the system keyring."),
            "{:?}",
            world.said()
        );
    }

    #[test]
    fn where_there_is_none_the_account_is_kept_and_its_token_is_said_to_be_in_a_file() {
        let world = keep_in(
            TokenLocation::File("/c/tokens/beta.token".into()),
            Some(KeyringError::NotHere),
        );
        let said = "Saved beta. Its token is in a file that only you can read, not in the keyring: no system keyring here.";
        assert!(world.says(said), "{:?}", world.said());
    }

    #[test]
    fn a_token_of_before_that_stays_in_it_is_told_of() {
        let (mut world, _) = acme_in_it();
        world.keys("@ e");
        world.text(TOKEN);
        world.keys("down left");
        let draft = tried(&world.keys("enter"));
        answer(&mut world, &draft, Ok(()));
        let known = [own(&draft)]
            .into_iter()
            .chain(world.state.accounts[1..].to_vec())
            .collect();
        let refused = Some(KeyringError::Locked);
        world.send(Msg::AccountsChanged(
            Box::new(AccountChange::Keep(draft)),
            Ok(Changed {
                known,
                refused,
                left: None,
            }),
        ));
        assert!(
            world.says("Its token is in /c/tokens/acme.token"),
            "{:?}",
            world.said()
        );
        assert!(
            world.says("Its old token is still in the system keyring"),
            "{:?}",
            world.said()
        );
    }

    #[test]
    fn an_edit_without_a_token_leaves_it_there() {
        let (mut world, before) = acme_in_it();
        world.keys("@ e");
        assert_eq!(tried(&world.keys("enter")), before);
    }

    #[test]
    fn a_token_that_is_to_be_elsewhere_has_to_be_typed() {
        let (mut world, _) = acme_in_it();
        world.keys("@ e down left");
        assert_eq!(world.keys("enter"), []);
        assert_eq!(
            problem(&mut world),
            (
                "Type or paste the token to store it elsewhere.".to_owned(),
                "Token"
            )
        );
        world.text(TOKEN);
        assert!(!tried(&world.keys("enter")).entry.token.is_keyring());
    }

    #[test]
    fn a_token_that_stays_in_it_when_its_account_goes_is_told_of() {
        let (mut world, draft) = acme_in_it();
        world.state.session.account.source = AccountSource::Demo;
        world.keys("@ up up delete");
        assert!(world.shows("the system keyring."), "{}", world.drawn());
        world.keys("tab enter");
        let known = world.state.accounts[1..].to_vec();
        let refused = Some(KeyringError::Locked);
        let forget = Box::new(AccountChange::Forget(draft.name));
        world.send(Msg::AccountsChanged(
            forget,
            Ok(Changed {
                known,
                refused,
                left: None,
            }),
        ));
        assert!(
            world.says("Removed acme, but its token is still in the system keyring: the system keyring is locked."),
            "{:?}",
            world.said()
        );
    }
}
