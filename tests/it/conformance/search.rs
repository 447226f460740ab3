//! `contract.md#search`: searches, which also serve as listings.

use rstest::rstest;
use serde_json::{Value, json};

use super::play::{Step, get, play, post, upload};

const PRIVATE: (&str, &str) = ("options", r#"{"access":"PRIVATE"}"#);

fn files(query: &str, names: &[&str]) -> Step {
    found(&format!("/files/v3/files/search?sort=name&{query}"), names)
}

fn folders(query: &str, names: &[&str]) -> Step {
    found(
        &format!("/files/v3/folders/search?sort=name&{query}"),
        names,
    )
}

fn found(path: &str, names: &[&str]) -> Step {
    get(path)
        .with(json!({"results": names.iter().map(|name| json!({"name": name})).collect::<Value>()}))
}

#[rstest]
#[case::all_files(vec![files("", &["a", "logo", "root"])])]
#[case::no_total_is_claimed(vec![get("/files/v3/files/search").with(json!({"results": [{}, {}, {}], "total": "<absent>", "paging": "<absent>"}))])]
#[case::an_item_is_a_whole_file(vec![get("/files/v3/files/search?ids={a}").with(json!({"results": [{
    "id": "{a}", "createdAt": "<time>", "updatedAt": "<time>", "archived": false, "name": "a", "path": "/docs/a.txt", "size": 9}]}))])]
#[case::limit_and_after(vec![
    get("/files/v3/files/search?sort=name&limit=2").with(json!({"results": [{"name": "a"}, {"name": "logo"}], "paging": {"next": {
        "after": "2", "link": "<contains>{base}/files/v3/files/search?"}}})).keep("link", "/paging/next/link"),
    found("/files/v3/files/search?sort=name&limit=2&after=2", &["root"]).with(json!({"results": [{"name": "root"}], "paging": "<absent>"})),
    get("{link}").with(json!({"results": [{"name": "root"}]}))])]
#[case::limit_of_a_hundred(vec![files("limit=100", &["a", "logo", "root"])])]
#[case::limit_of_more(vec![get("/files/v3/files/search?limit=101").refused("limit")])]
#[case::limit_of_nothing(vec![get("/files/v3/files/search?limit=0").refused("limit")])]
#[case::last_offset(vec![get("/files/v3/files/search?after=10000").with(json!({"results": []}))])]
#[case::offset_past_the_last(vec![get("/files/v3/files/search?after=10001").refused("after")])]
#[case::offset_that_is_no_number(vec![get("/files/v3/files/search?after=abc").refused("after")])]
#[case::sort_descending(vec![found("/files/v3/files/search?sort=-name", &["root", "logo", "a"])])]
#[case::sort_by_several(vec![found("/files/v3/files/search?sort=type&sort=-size", &["a", "root", "logo"])])]
#[case::sort_by_size(vec![found("/files/v3/files/search?sort=size", &["root", "a", "logo"])])]
#[case::ties_go_by_id(vec![found("/files/v3/files/search?sort=createdAt", &["a", "logo", "root"])])]
#[case::ties_of_the_reverse_go_by_id_in_reverse(vec![found("/files/v3/files/search?sort=-createdAt", &["root", "logo", "a"])])]
#[case::ties_go_with_the_last_order(vec![found("/files/v3/files/search?sort=createdAt&sort=-updatedAt", &["root", "logo", "a"])])]
#[case::an_id_ends_all_ties(vec![found("/files/v3/files/search?sort=createdAt&sort=-id&sort=name", &["root", "logo", "a"])])]
#[case::sort_by_an_unknown_field(vec![get("/files/v3/files/search?sort=color").refused("sort")])]
#[case::properties(vec![get("/files/v3/files/search?ids={a}&properties=name&properties=size").with(json!({"results": [{
    "id": "{a}", "name": "a", "size": 9, "path": "<absent>", "url": "<absent>", "createdAt": "<time>"}]}))])]
#[case::name_contains(vec![files("name=OG", &["logo"])])]
#[case::name_of_nineteen(vec![files("name=1234567890123456789", &[])])]
#[case::name_of_twenty(vec![get("/files/v3/files/search?name=12345678901234567890").refused("name")])]
#[case::path_and_below(vec![files("path=/docs", &["a", "logo"])])]
#[case::path_of_a_file(vec![files("path=/docs/a.txt", &["a"])])]
#[case::path_with_a_space_and_a_plus(vec![
    post("/files/v3/folders", json!({"name": "a b+c"})).answers(201),
    upload("n.txt", b"new", &[PRIVATE, ("folderPath", "/a b+c")]),
    files("path=/a+b%2Bc", &["n"]), files("path=%2Fa%20b%2Bc", &["n"]), files("path=/a+b+c", &[])])]
#[case::url(vec![files("url={a_url}", &["a"])])]
#[case::url_of_another_host(vec![files("url=https://example.com/a.txt", &[])])]
#[case::extension(vec![files("extension=png", &["logo"])])]
#[case::extension_with_a_dot(vec![files("extension=.png", &["logo"])])]
#[case::kind(vec![files("type=IMG", &["logo"])])]
#[case::encoding(vec![files("encoding=png", &["logo"])])]
#[case::md5(vec![files("fileMd5=63a9f0ea7bb98050796b649e85481845", &["root"])])]
#[case::usable(vec![files("isUsableInContent=false", &[])])]
#[case::flag_with_a_capital(vec![files("allowsAnonymousAccess=True", &["a", "root"])])]
#[case::private(vec![files("allowsAnonymousAccess=false", &["logo"])])]
#[case::bad_flag(vec![get("/files/v3/files/search?allowsAnonymousAccess=maybe").refused("allowsAnonymousAccess")])]
#[case::ids_repeated(vec![files("ids={a}&ids={root}", &["a", "root"])])]
#[case::ids_with_commas(vec![files("ids={a},{root}", &["a", "root"])])]
#[case::id_from(vec![files("idGte={logo}", &["logo", "root"])])]
#[case::id_to(vec![files("idLte={logo}", &["a", "logo"])])]
#[case::parent(vec![files("parentFolderIds={docs}", &["a", "logo"])])]
#[case::parents_repeated(vec![files("parentFolderIds={docs}&parentFolderIds={other}", &["a", "logo"])])]
#[case::parents_with_commas(vec![files("parentFolderIds={docs},0", &["a", "logo", "root"])])]
#[case::the_root_is_zero(vec![files("parentFolderIds=0", &["root"])])]
#[case::a_singular_parent_is_ignored(vec![files("parentFolderId={other}", &["a", "logo", "root"])])]
#[case::unknown_keys_are_ignored(vec![files("color=red", &["a", "logo", "root"])])]
#[case::size_is(vec![files("size=9", &["a"])])]
#[case::size_from(vec![files("sizeGte=9", &["a", "logo"])])]
#[case::size_to(vec![files("sizeLte=9", &["a", "root"])])]
#[case::height(vec![files("height=200", &["logo"])])]
#[case::height_from(vec![files("heightGte=201", &[])])]
#[case::height_to(vec![files("heightLte=200", &["logo"])])]
#[case::width(vec![files("width=400", &["logo"])])]
#[case::width_from(vec![files("widthGte=400", &["logo"])])]
#[case::width_to(vec![files("widthLte=399", &[])])]
#[case::created_at_in_milliseconds(vec![files("createdAt=1795249800000", &["a", "logo", "root"])])]
#[case::created_from_in_iso(vec![files("createdAtGte=2026-11-21T08:30:00%2B00:00", &["a", "logo", "root"])])]
#[case::created_to(vec![files("createdAtLte=2026-11-21T08:29:59.999Z", &[])])]
#[case::updated_at(vec![files("updatedAt=1795249800000", &["a", "logo", "root"])])]
#[case::updated_from(vec![files("updatedAtGte=1795249800001", &[])])]
#[case::updated_to(vec![files("updatedAtLte=1795249800000", &["a", "logo", "root"])])]
#[case::before_is_updated_before(vec![files("before=1795249800000", &[]), files("before=1795249800001", &["a", "logo", "root"])])]
#[case::bad_time(vec![get("/files/v3/files/search?createdAtGte=yesterday").refused("createdAtGte")])]
#[case::expires_at(vec![
    upload("n.txt", b"new", &[("options", r#"{"access":"PRIVATE","expiresAt":"2026-12-24T00:00:00Z"}"#), ("folderPath", "/")]),
    files("expiresAt=1798070400000", &["n"]), files("expiresAtGte=1798070400001", &[]), files("expiresAtLte=1798070400000", &["n"])])]
#[case::filters_hold_together(vec![files("parentFolderIds={docs}&type=IMG&name=lo", &["logo"])])]
#[case::dated(vec![found("/files/2026-09/files/search?sort=name", &["a", "logo", "root"])])]
#[case::folders_all(vec![folders("", &["docs", "other", "sub"])])]
#[case::folders_of_a_parent(vec![folders("parentFolderIds={docs}", &["sub"])])]
#[case::folders_of_the_root(vec![folders("parentFolderIds=0", &["docs", "other"])])]
#[case::folders_by_name(vec![folders("name=u", &["sub"])])]
#[case::folders_by_path(vec![folders("path=/docs", &["docs", "sub"])])]
#[case::folders_by_ids(vec![folders("ids={docs},{other}", &["docs", "other"])])]
#[case::folders_by_id_from(vec![folders("idGte={other}", &["other"])])]
#[case::folders_by_id_to(vec![folders("idLte={docs}", &["docs"])])]
#[case::folders_by_creation(vec![folders("createdAtGte=1795249800001", &[])])]
#[case::folders_by_update(vec![folders("updatedAtLte=1795249800000", &["docs", "other", "sub"])])]
#[case::folders_before(vec![folders("before=1795249800000", &[])])]
#[case::folders_limit(vec![get("/files/v3/folders/search?sort=-name&limit=1").with(json!({"results": [{"name": "sub"}], "paging": {"next": {"after": "1"}}}))])]
#[case::folders_properties(vec![get("/files/v3/folders/search?ids={sub}&properties=name").with(json!({"results": [{"name": "sub", "path": "<absent>"}]}))])]
#[tokio::test]
async fn search_row(#[case] steps: Vec<Step>) {
    play(steps).await;
}

#[tokio::test]
async fn ten_results_come_when_no_limit_is_asked_for() {
    let mut steps: Vec<Step> = (0..8)
        .map(|_| upload("n.txt", b"new", &[PRIVATE, ("folderPath", "/")]))
        .collect();
    let ten: Value = (0..10).map(|_| json!({})).collect();
    steps.push(
        get("/files/v3/files/search")
            .with(json!({"results": ten, "paging": {"next": {"after": "10"}}})),
    );
    play(steps).await;
}
