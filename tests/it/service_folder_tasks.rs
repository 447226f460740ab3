//! Renames and moves of folders as tasks, over raw HTTP.

use jiff::SignedDuration;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::service::TestService;

const START_UPDATE: &str = "/files/v3/folders/update/async";

async fn folder(service: &TestService, name: &str, parent: Option<&str>) -> String {
    let body = json!({"name": name, "parentFolderId": parent});
    service
        .post("/files/v3/folders", body)
        .await
        .expect(201)
        .id()
}

fn status_path(accepted: &Value) -> String {
    format!(
        "{START_UPDATE}/tasks/{}/status",
        accepted["id"].as_str().unwrap()
    )
}

#[tokio::test]
async fn nothing_changes_until_the_task_is_complete_and_then_every_path_below() {
    let service = TestService::start().await;
    let old = folder(&service, "old", None).await;
    let inner = folder(&service, "inner", Some(&old)).await;
    let file = service
        .upload("/old/inner", "f.txt", b"f", json!({"access": "PRIVATE"}))
        .await
        .expect(201)
        .id();

    let accepted = service
        .post(START_UPDATE, json!({"id": old, "name": "new"}))
        .await
        .expect(202)
        .json();
    let path = status_path(&accepted);
    assert_eq!(accepted["links"]["status"], service.url(&path));
    let pending = service.get(&path).await.expect(200).json();
    assert_eq!(
        (&pending["status"], &pending["taskId"]),
        (&json!("PENDING"), &accepted["id"])
    );
    assert_eq!(
        service
            .get(&format!("/files/v3/folders/{old}"))
            .await
            .json()["path"],
        "/old"
    );

    service.clock.advance(SignedDuration::from_millis(200));
    let processing = service.task_until(&path, "PROCESSING").await;
    assert_eq!(processing["result"], Value::Null);
    assert_eq!(
        service
            .get(&format!("/files/v3/folders/{old}"))
            .await
            .json()["path"],
        "/old"
    );

    service.clock.advance(SignedDuration::from_secs(1));
    let complete = service.task_until(&path, "COMPLETE").await;
    assert_eq!(complete["numErrors"], 0);
    assert_eq!(
        (&complete["result"]["id"], &complete["result"]["path"]),
        (&json!(old), &json!("/new"))
    );
    assert!(complete["completedAt"].is_string());
    assert_eq!(
        service
            .get(&format!("/files/v3/folders/{inner}"))
            .await
            .json()["path"],
        "/new/inner"
    );
    assert_eq!(
        service.get(&format!("/files/v3/files/{file}")).await.json()["path"],
        "/new/inner/f.txt"
    );
}

#[tokio::test]
async fn a_folder_is_moved_by_number_or_text_and_to_the_root() {
    let service = TestService::start().await;
    let a = folder(&service, "a", None).await;
    let b = folder(&service, "b", None).await;
    let number: i64 = b.parse().unwrap();
    for (parent, expected) in [
        (json!(number), "/b/a"),
        (json!(0), "/a"),
        (json!(b), "/b/a"),
    ] {
        let accepted = service
            .post(START_UPDATE, json!({"id": a, "parentFolderId": parent}))
            .await
            .expect(202)
            .json();
        service.clock.advance(SignedDuration::from_millis(200));
        service
            .task_until(&status_path(&accepted), "PROCESSING")
            .await;
        service.clock.advance(SignedDuration::from_secs(1));
        let complete = service
            .task_until(&status_path(&accepted), "COMPLETE")
            .await;
        assert_eq!(complete["result"]["path"], expected);
    }
}

#[rstest]
#[case::no_id(json!({"name": "x"}), 400)]
#[case::unknown_id(json!({"id": "4711", "name": "x"}), 404)]
#[case::id_zero(json!({"id": "0", "name": "x"}), 400)]
#[case::nothing_to_do(json!({"id": "A"}), 400)]
#[case::missing_parent(json!({"id": "A", "parentFolderId": 4711}), 404)]
#[case::into_itself(json!({"id": "A", "parentFolderId": "A"}), 400)]
#[case::below_itself(json!({"id": "A", "parentFolderId": "CHILD"}), 400)]
#[case::name_taken(json!({"id": "A", "name": "b"}), 409)]
#[case::climbing(json!({"id": "A", "name": "../x"}), 400)]
#[case::nul(json!({"id": "A", "name": "x\u{0}"}), 400)]
#[case::empty(json!({"id": "A", "name": ""}), 400)]
#[tokio::test]
async fn what_cannot_be_done_is_refused_at_once_and_changes_nothing(
    #[case] body: Value,
    #[case] status: u16,
) {
    let service = TestService::start().await;
    let a = folder(&service, "a", None).await;
    folder(&service, "b", None).await;
    let child = folder(&service, "child", Some(&a)).await;
    let body: Value = serde_json::from_str(
        &body
            .to_string()
            .replace("\"A\"", &format!("\"{a}\""))
            .replace("CHILD", &child),
    )
    .unwrap();
    let problem = service.post(START_UPDATE, body).await.expect(status).json();
    assert!(
        problem["correlationId"].is_string() && problem["category"].is_string(),
        "{problem}"
    );
    service.clock.advance(SignedDuration::from_secs(5));
    assert_eq!(
        service.get(&format!("/files/v3/folders/{a}")).await.json()["path"],
        "/a"
    );
}

#[tokio::test]
async fn a_name_that_was_taken_meanwhile_cancels_the_task_with_the_reason() {
    let service = TestService::start().await;
    let a = folder(&service, "a", None).await;
    let accepted = service
        .post(START_UPDATE, json!({"id": a, "name": "b"}))
        .await
        .expect(202)
        .json();
    folder(&service, "b", None).await;
    service.clock.advance(SignedDuration::from_millis(200));
    service
        .task_until(&status_path(&accepted), "PROCESSING")
        .await;
    service.clock.advance(SignedDuration::from_secs(1));
    let canceled = service
        .task_until(&status_path(&accepted), "CANCELED")
        .await;
    assert_eq!(canceled["errors"][0]["category"], "OBJECT_ALREADY_EXISTS");
    assert_eq!(
        service.get(&format!("/files/v3/folders/{a}")).await.json()["path"],
        "/a"
    );
}

#[tokio::test]
async fn a_task_outlives_a_restart() {
    let service = TestService::start().await;
    let a = folder(&service, "a", None).await;
    let accepted = service
        .post(START_UPDATE, json!({"id": a, "name": "z"}))
        .await
        .expect(202)
        .json();
    let (dir, clock) = service.stop().await;
    clock.advance(SignedDuration::from_secs(1));
    let service = TestService::start_in(dir, clock).await;
    service
        .task_until(&status_path(&accepted), "PROCESSING")
        .await;
    service.clock.advance(SignedDuration::from_secs(1));
    let complete = service
        .task_until(&status_path(&accepted), "COMPLETE")
        .await;
    assert_eq!(complete["result"]["path"], "/z");
}

#[tokio::test]
async fn a_task_id_that_is_none_cannot_be_decoded_and_an_imports_id_is_unknown_here() {
    let service = TestService::start().await;
    let problem = service
        .get(&format!("{START_UPDATE}/tasks/123/status"))
        .await
        .expect(400)
        .json();
    assert_eq!(problem["message"], "Provided ID could not be decoded.");
    assert_eq!(problem["context"]["id"], json!(["123"]));
    let body = json!({"url": "http://example.com/a", "access": "PRIVATE", "folderPath": "/"});
    let import = service
        .post("/files/v3/files/import-from-url/async", body)
        .await
        .expect(202)
        .json();
    service.get(&status_path(&import)).await.expect(404);
}
