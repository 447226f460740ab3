//! Folders over raw HTTP: create, read, rename, move, delete.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::service::TestService;

async fn create(service: &TestService, body: Value) -> Value {
    service
        .post("/files/v3/folders", body)
        .await
        .expect(201)
        .json()
}

fn id(folder: &Value) -> &str {
    folder["id"].as_str().unwrap()
}

#[tokio::test]
async fn a_folder_goes_into_the_root_or_into_a_parent_named_in_any_way() {
    let service = TestService::start().await;
    let a = create(&service, json!({ "name": "a" })).await;
    assert_eq!(
        a,
        json!({
            "id": id(&a),
            "createdAt": "2026-11-21T08:30:00.000Z",
            "updatedAt": "2026-11-21T08:30:00.000Z",
            "archived": false,
            "name": "a",
            "path": "/a",
        })
    );
    let number: i64 = id(&a).parse().unwrap();
    for (name, parent) in [
        ("1", json!({ "parentFolderId": id(&a) })),
        ("2", json!({ "parentFolderId": number })),
        ("3", json!({ "parentPath": "/a" })),
        ("4", json!({ "parentFolderPath": "a/" })),
    ] {
        let mut body = parent;
        body["name"] = json!(name);
        let child = create(&service, body).await;
        assert_eq!(
            (&child["path"], &child["parentFolderId"]),
            (&json!(format!("/a/{name}")), &a["id"])
        );
    }
}

#[rstest]
#[case::no_name(json!({}), 400, "empty")]
#[case::climbing(json!({ "name": "../x" }), 400, "'/'")]
#[case::nul(json!({ "name": "a\0" }), 400, "control")]
#[case::escape(json!({ "name": "\u{1b}]0;x\u{7}" }), 400, "control")]
#[case::not_text(json!({ "name": 5 }), 400, "not valid")]
#[case::both_parents(json!({ "name": "x", "parentFolderId": "1", "parentPath": "/" }), 400, "together")]
#[case::both_parents_of_the_guide(json!({ "name": "x", "parentFolderId": "1", "parentFolderPath": "/" }), 400, "together")]
#[case::missing_parent_id(json!({ "name": "x", "parentFolderId": "77" }), 404, "77")]
#[case::missing_parent_path(json!({ "name": "x", "parentPath": "/no" }), 404, "/no")]
#[case::taken(json!({ "name": "a" }), 409, "/a")]
#[tokio::test]
async fn a_bad_folder_is_refused_and_not_made(
    #[case] body: Value,
    #[case] status: u16,
    #[case] message: &str,
) {
    let service = TestService::start().await;
    create(&service, json!({ "name": "a" })).await;
    let refusal = service
        .post("/files/v3/folders", body)
        .await
        .expect(status)
        .json();
    assert!(
        refusal["message"].as_str().unwrap().contains(message),
        "{refusal}"
    );
    let page = service
        .get("/files/v3/folders/search")
        .await
        .expect(200)
        .json();
    assert_eq!(page["results"].as_array().unwrap().len(), 1);
}

#[rstest]
#[case::raw("/files/v3/folders/a/b%20c")]
#[case::leading_slash("/files/v3/folders//a/b%20c")]
#[case::encoded_whole("/files/v3/folders/%2Fa%2Fb%20c")]
#[tokio::test]
async fn a_folder_is_found_however_its_path_is_written(#[case] path: &str) {
    let service = TestService::start().await;
    create(&service, json!({ "name": "a" })).await;
    let folder = create(&service, json!({ "name": "b c", "parentPath": "/a" })).await;
    assert_eq!(service.get(path).await.expect(200).json(), folder);
    assert_eq!(
        service
            .get(&format!("/files/v3/folders/{}", id(&folder)))
            .await
            .expect(200)
            .json(),
        folder
    );
}

#[tokio::test]
async fn digits_name_an_id_unless_a_slash_comes_first() {
    let service = TestService::start().await;
    let folder = create(&service, json!({ "name": "123" })).await;
    service.get("/files/v3/folders/123").await.expect(404);
    assert_eq!(
        service
            .get("/files/v3/folders/%2F123")
            .await
            .expect(200)
            .json(),
        folder
    );
    let refusal = service.get("/files/v3/folders/0").await.expect(400).json();
    assert_eq!(
        (
            &refusal["message"],
            &refusal["context"],
            &refusal["category"]
        ),
        (
            &json!("id must be > 0"),
            &json!({ "id": ["0"] }),
            &json!("VALIDATION_ERROR")
        )
    );
}

#[tokio::test]
async fn a_rename_and_a_move_carry_everything_below_along() {
    let service = TestService::start().await;
    let a = create(&service, json!({ "name": "a" })).await;
    create(&service, json!({ "name": "b", "parentPath": "/a" })).await;
    let other = create(&service, json!({ "name": "other" })).await;
    let file = service
        .upload(
            "/a/b",
            "f.txt",
            b"x",
            json!({ "access": "PUBLIC_INDEXABLE" }),
        )
        .await
        .expect(201)
        .json();

    let path = format!("/files/v3/folders/{}", id(&a));
    let target: i64 = id(&other).parse().unwrap();
    let moved = service
        .patch(&path, json!({ "name": "z", "parentFolderId": target }))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&moved["path"], &moved["id"]),
        (&json!("/other/z"), &a["id"])
    );
    let details = format!("/files/v3/files/{}", file["id"].as_str().unwrap());
    assert_eq!(
        service.get(&details).await.expect(200).json()["path"],
        "/other/z/b/f.txt"
    );
    service
        .fetch(&service.url("/hubfs/other/z/b/f.txt"))
        .await
        .expect(200);
    service
        .fetch(file["url"].as_str().unwrap())
        .await
        .expect(404);
    service.get("/files/v3/folders/a/b").await.expect(404);

    let back = service
        .patch(&path, json!({ "parentFolderId": 0 }))
        .await
        .expect(200)
        .json();
    assert_eq!(back["path"], "/z");
    assert_eq!(
        service
            .get("/files/v3/folders/z/b")
            .await
            .expect(200)
            .json()["path"],
        "/z/b"
    );
}

#[tokio::test]
async fn a_bad_rename_or_move_changes_nothing() {
    let service = TestService::start().await;
    let a = create(&service, json!({ "name": "a" })).await;
    let b = create(&service, json!({ "name": "b", "parentPath": "/a" })).await;
    create(&service, json!({ "name": "c" })).await;
    let path = format!("/files/v3/folders/{}", id(&a));
    for (change, status) in [
        (json!({ "parentFolderId": id(&b) }), 400),
        (json!({ "parentFolderId": id(&a) }), 400),
        (json!({ "parentFolderId": 77 }), 404),
        (json!({ "name": "c" }), 409),
        (json!({ "name": "c/d" }), 400),
        (json!({ "name": "" }), 400),
    ] {
        service.patch(&path, change).await.expect(status);
        assert_eq!(service.get(&path).await.expect(200).json(), a);
    }
    service
        .patch("/files/v3/folders/77", json!({ "name": "x" }))
        .await
        .expect(404);
}

#[tokio::test]
async fn deleting_a_folder_takes_all_that_is_in_it_and_frees_the_name() {
    let service = TestService::start().await;
    let options = json!({ "access": "PUBLIC_INDEXABLE" });
    service
        .upload("/a/b/c", "deep.txt", b"x", options.clone())
        .await
        .expect(201);
    service
        .upload("/ab", "near.txt", b"x", options)
        .await
        .expect(201);
    let deleted = service.delete("/files/v3/folders/a").await.expect(204);
    assert_eq!(
        (deleted.body.len(), deleted.header("content-type")),
        (0, None)
    );
    service.get("/files/v3/folders/a/b/c").await.expect(404);
    service
        .fetch(&service.url("/hubfs/a/b/c/deep.txt"))
        .await
        .expect(404);
    service
        .fetch(&service.url("/hubfs/ab/near.txt"))
        .await
        .expect(200);
    service.delete("/files/v3/folders/a").await.expect(404);
    create(&service, json!({ "name": "a" })).await;
    service.get("/files/v3/folders/a/b").await.expect(404);
}

#[rstest]
#[case::encoded("/files/v3/folders/%2F")]
#[case::raw("/files/v3/folders//")]
#[tokio::test]
async fn the_root_cannot_be_deleted(#[case] path: &str) {
    let service = TestService::start().await;
    service
        .upload("/", "a.txt", b"x", json!({ "access": "PRIVATE" }))
        .await
        .expect(201);
    service.delete(path).await.expect(400);
    service.get("/files/v3/files/stat/a.txt").await.expect(200);
}
