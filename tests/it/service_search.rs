//! Searches over raw HTTP: every filter, the order, the pages.

use jiff::SignedDuration;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::pictures::PNG_HEAD;
#[cfg(feature = "postgres")]
use crate::support::server_database;
use crate::support::service::TestService;

/// Three folders and five files, created a minute apart.
async fn library() -> (TestService, Vec<String>) {
    let service = TestService::start().await;
    let mut ids = Vec::new();
    for (folder, name, bytes, options) in [
        (
            "/",
            "root.txt",
            b"1".as_slice(),
            json!({ "access": "PRIVATE" }),
        ),
        (
            "/img",
            "Logo.png",
            PNG_HEAD,
            json!({ "access": "PUBLIC_INDEXABLE" }),
        ),
        (
            "/img/old",
            "logo-2.PNG",
            b"not one",
            json!({ "access": "PUBLIC_NOT_INDEXABLE", "ttl": "P1M" }),
        ),
        (
            "/img",
            "100%_sure.txt",
            b"1234",
            json!({ "access": "PRIVATE" }),
        ),
        (
            "/img2",
            "notes.txt",
            b"12345",
            json!({ "access": "PRIVATE" }),
        ),
    ] {
        ids.push(
            service
                .upload(folder, name, bytes, options)
                .await
                .expect(201)
                .id(),
        );
        service.clock.advance(SignedDuration::from_secs(60));
    }
    (service, ids)
}

fn names(page: &Value) -> Vec<&str> {
    page["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["name"].as_str().unwrap())
        .collect()
}

#[rstest]
#[case::size("-size")]
#[case::extension("extension")]
#[case::expiry("expiresAt")]
#[tokio::test]
async fn folders_are_not_sorted_by_what_only_files_have(#[case] key: &str) {
    let service = TestService::start().await;
    service
        .get(&format!("/files/v3/folders/search?sort={key}"))
        .await
        .expect(400);
}

#[rstest]
#[case::everything("", &["root", "Logo", "logo-2", "100%_sure", "notes"])]
#[case::name_part_in_any_case("name=LOGO", &["Logo", "logo-2"])]
#[case::name_with_wildcards("name=%25_", &["100%_sure"])]
#[case::name_with_what_no_name_has("name=logo%00", &[])]
#[case::path_and_below("path=/img", &["Logo", "logo-2", "100%_sure"])]
#[case::path_of_a_file("path=/img2/notes.txt", &["notes"])]
#[case::path_root("path=/", &["root", "Logo", "logo-2", "100%_sure", "notes"])]
#[case::extension("extension=txt", &["root", "100%_sure", "notes"])]
#[case::extension_in_any_case("extension=.png", &["Logo", "logo-2"])]
#[case::kind("type=IMG", &["Logo", "logo-2"])]
#[case::encoding("encoding=utf-8", &["root", "100%_sure", "notes"])]
#[case::md5("fileMd5=C4CA4238A0B923820DCC509A6F75849B", &["root"])]
#[case::usable("isUsableInContent=True", &["root", "Logo", "logo-2", "100%_sure", "notes"])]
#[case::not_usable("isUsableInContent=false", &[])]
#[case::public("allowsAnonymousAccess=true", &["Logo", "logo-2"])]
#[case::private("allowsAnonymousAccess=false", &["root", "100%_sure", "notes"])]
#[case::size("size=4", &["100%_sure"])]
#[case::size_range("sizeGte=4&sizeLte=5", &["100%_sure", "notes"])]
#[case::height("height=2", &["Logo"])]
#[case::width_range("widthGte=3&widthLte=3", &["Logo"])]
#[case::width_too_large("widthGte=4", &[])]
#[case::created_range("createdAtGte=2026-11-21T08:31:00Z&createdAtLte=1795249920000", &["Logo", "logo-2"])]
#[case::created_exact("createdAt=2026-11-21T08:30:00%2B00:00", &["root"])]
#[case::updated_range("updatedAtGte=2026-11-21T08:34:00Z", &["notes"])]
#[case::updated_before("before=1795249860000", &["root"])]
#[case::expiry("expiresAtGte=2026-12-01T00:00:00Z&expiresAtLte=2026-12-31T00:00:00Z", &["logo-2"])]
#[case::root_folder("parentFolderIds=0", &["root"])]
#[case::unknown_filter_is_ignored("parentFolderId=0", &["root", "Logo", "logo-2", "100%_sure", "notes"])]
#[case::two_filters("name=logo&type=IMG&allowsAnonymousAccess=true&sizeLte=10", &["logo-2"])]
#[case::newest_first("sort=-createdAt", &["notes", "100%_sure", "logo-2", "Logo", "root"])]
#[case::by_name("sort=name", &["100%_sure", "Logo", "logo-2", "notes", "root"])]
#[case::by_two_fields("sort=type&sort=-size", &["notes", "100%_sure", "root", "Logo", "logo-2"])]
#[tokio::test]
async fn each_filter_and_order_finds_its_files(#[case] query: &str, #[case] found: &[&str]) {
    let (service, _) = library().await;
    let page = service
        .get(&format!("/files/v3/files/search?limit=100&{query}"))
        .await
        .expect(200)
        .json();
    assert_eq!(names(&page), found);
}

#[tokio::test]
async fn ids_and_parents_are_read_repeated_and_as_comma_lists() {
    let (service, ids) = library().await;
    let folder = async |path: &str| {
        let found = service
            .get(&format!("/files/v3/files/stat{path}"))
            .await
            .expect(200)
            .json();
        found["folder"]["id"].as_str().unwrap().to_owned()
    };
    let (img, img2) = (folder("/img").await, folder("/img2").await);
    for (query, found) in [
        (
            format!("ids={}&ids={}", ids[0], ids[4]),
            vec!["root", "notes"],
        ),
        (format!("ids={},{}", ids[0], ids[4]), vec!["root", "notes"]),
        (
            format!("idGte={}&idLte={}", ids[1], ids[2]),
            vec!["Logo", "logo-2"],
        ),
        (
            format!("parentFolderIds={img}&parentFolderIds={img2}"),
            vec!["Logo", "100%_sure", "notes"],
        ),
        (
            format!("parentFolderIds={img},0"),
            vec!["root", "Logo", "100%_sure"],
        ),
        (
            format!("parentFolderIds={img},0,{img}&sort=-name"),
            vec!["root", "Logo", "100%_sure"],
        ),
        (
            format!("parentFolderIds={img},0,{img}&sort=name&after=1"),
            vec!["Logo", "root"],
        ),
        (
            format!("url={}", service.url("/hubfs/img/Logo.png")),
            vec!["Logo"],
        ),
        (
            "url=https://elsewhere.example/hubfs/img/Logo.png".to_owned(),
            vec![],
        ),
    ] {
        let page = service
            .get(&format!("/files/v3/files/search?limit=100&{query}"))
            .await
            .expect(200)
            .json();
        assert_eq!(names(&page), found, "{query}");
    }
}

// Seen to fail when the ids are queried once for each folder.
#[tokio::test]
async fn many_ids_and_many_folders_at_once_are_no_fault() {
    let (service, ids) = library().await;
    let many = |from: i64, count: i64| {
        (from..from + count)
            .map(|id| id.to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    let query = format!(
        "ids={},{}&parentFolderIds=0,{}",
        ids[0],
        many(5_000, 1_500),
        many(9_000, 90)
    );
    let page = service
        .get(&format!("/files/v3/files/search?{query}"))
        .await
        .expect(200)
        .json();
    assert_eq!(names(&page), ["root"]);
}

// The index of names is filled meanwhile.
#[tokio::test]
async fn a_name_is_found_as_soon_as_it_is_stored_and_no_longer_than_it_is_there() {
    let service = TestService::start().await;
    let found = async |name: &str| {
        let page = service
            .get(&format!("/files/v3/files/search?name={name}"))
            .await
            .expect(200)
            .json();
        names(&page)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    for number in 0..200 {
        let (old, new) = (
            format!("before-{number:03}x"),
            format!("after-{number:03}x"),
        );
        let id = service
            .upload(
                "/",
                &format!("{old}.txt"),
                b"1",
                json!({ "access": "PRIVATE" }),
            )
            .await
            .expect(201)
            .id();
        assert_eq!(found(&old).await, [old.as_str()]);
        service
            .patch(&format!("/files/v3/files/{id}"), json!({ "name": new }))
            .await
            .expect(200);
        assert_eq!((found(&old).await, found(&new).await), (vec![], vec![new]));
        if number % 7 == 0 {
            service
                .delete(&format!("/files/v3/files/{id}"))
                .await
                .expect(204);
            assert!(found(&format!("after-{number:03}")).await.is_empty());
        }
    }
    assert_eq!(found("after-19").await.len(), 9);
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_overlap() {
    let (service, _) = library().await;
    let mut seen = Vec::new();
    let mut path = "/files/v3/files/search?limit=2&sort=extension&name=o".to_owned();
    loop {
        let page = service.get(&path).await.expect(200).json();
        seen.extend(names(&page).iter().map(ToString::to_string));
        assert!(page.get("total").is_none());
        let Some(link) = page["paging"]["next"]["link"].as_str() else {
            break;
        };
        assert_eq!(
            page["paging"]["next"]["after"],
            json!(seen.len().to_string())
        );
        path = link
            .strip_prefix(service.url("").as_str())
            .unwrap()
            .to_owned();
    }
    assert_eq!(seen, ["Logo", "logo-2", "root", "notes"]);
}

#[tokio::test]
async fn a_page_has_ten_results_unless_asked_otherwise() {
    let service = TestService::start().await;
    for n in 0..11 {
        service
            .post("/files/v3/folders", json!({ "name": format!("f{n}") }))
            .await
            .expect(201);
    }
    let page = service
        .get("/files/v3/folders/search")
        .await
        .expect(200)
        .json();
    assert_eq!(names(&page).len(), 10);
    let page = service
        .get("/files/v3/folders/search?after=10")
        .await
        .expect(200)
        .json();
    assert_eq!(names(&page), ["f10"]);
    assert!(page.get("paging").is_none());
}

#[rstest]
#[case::limit_over("limit=101")]
#[case::limit_zero("limit=0")]
#[case::limit_text("limit=all")]
#[case::after_over("after=10001")]
#[case::after_text("after=abc")]
#[case::after_negative("after=-1")]
#[case::long_name("name=12345678901234567890")]
#[case::sort_unknown("sort=color")]
#[case::bad_number("sizeGte=big")]
#[case::bad_time("createdAtGte=monday")]
#[case::bad_flag("isUsableInContent=perhaps")]
#[case::bad_list("parentFolderIds=1,x")]
#[case::bad_path("path=/a/../b")]
#[tokio::test]
async fn bad_parameters_answer_400(#[case] query: &str) {
    let service = TestService::start().await;
    let refusal = service
        .get(&format!("/files/v3/files/search?{query}"))
        .await
        .expect(400)
        .json();
    assert_eq!(refusal["category"], "VALIDATION_ERROR", "{refusal}");
}

#[rstest]
#[case::more_sort_keys_than_a_query_can_hold(&"sort=id&".repeat(2040))]
#[case::last_offset("after=10000")]
#[case::longest_name("name=1234567890123456789")]
#[case::largest_page("limit=100")]
#[tokio::test]
async fn parameters_at_their_limits_are_taken(#[case] query: &str) {
    let service = TestService::start().await;
    service
        .get(&format!("/files/v3/files/search?{query}"))
        .await
        .expect(200);
}

#[tokio::test]
async fn properties_limit_the_fields_but_never_the_required_ones() {
    let (service, _) = library().await;
    let query = "/files/v3/files/search?name=root&properties=name&properties=size,path";
    let page = service.get(query).await.expect(200).json();
    let mut fields: Vec<&String> = page["results"][0].as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(
        fields,
        [
            "access",
            "archived",
            "createdAt",
            "id",
            "name",
            "path",
            "size",
            "updatedAt"
        ]
    );
}

#[rstest]
#[case::everything("", &["img", "old", "img2"])]
#[case::name("name=IMG", &["img", "img2"])]
#[case::path("path=/img", &["img", "old"])]
#[case::root("parentFolderIds=0", &["img", "img2"])]
#[case::sorted("sort=-name", &["old", "img2", "img"])]
#[case::created("createdAtGte=2026-11-21T08:34:00Z", &["img2"])]
#[tokio::test]
async fn folders_are_found_by_their_own_filters(#[case] query: &str, #[case] found: &[&str]) {
    let (service, _) = library().await;
    let page = service
        .get(&format!("/files/v3/folders/search?{query}"))
        .await
        .expect(200)
        .json();
    assert_eq!(names(&page), found);
}

/// On a server, statistics tell which trigrams are rare; the directory database has counts of its
/// own.
#[tokio::test]
async fn what_has_only_the_rare_trigrams_of_a_part_is_not_found() {
    let service = TestService::start().await;
    for number in 0..400 {
        service
            .upload(
                "/",
                &format!("report-{number:03}.txt"),
                b"1",
                json!({ "access": "PRIVATE" }),
            )
            .await
            .expect(201);
    }
    for name in [
        "report-axyzb.txt",
        "axyzb-report.txt",
        "old-report-axyzb.txt",
    ] {
        service
            .upload("/", name, b"1", json!({ "access": "PRIVATE" }))
            .await
            .expect(201);
    }
    #[cfg(feature = "postgres")]
    server_database::execute(service.dir.path(), "ANALYZE files").await;
    for (part, found) in [
        (
            "report-axyzb",
            ["old-report-axyzb", "report-axyzb"].as_slice(),
        ),
        ("T-AXY", &["old-report-axyzb", "report-axyzb"]),
        ("axyzb-", &["axyzb-report"]),
        ("report-axyzc", &[]),
        (
            "report-24",
            &[
                "report-240",
                "report-241",
                "report-242",
                "report-243",
                "report-244",
                "report-245",
                "report-246",
                "report-247",
                "report-248",
                "report-249",
            ],
        ),
    ] {
        let query = format!("/files/v3/files/search?limit=100&sort=name&name={part}");
        assert_eq!(
            names(&service.get(&query).await.expect(200).json()),
            found,
            "{part}"
        );
    }
}
