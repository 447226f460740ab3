//! The examples, run against the embedded service as another program starts it.

use filedeck::api::model::CreateFolder;
use filedeck::api::{Client, Endpoint};
use filedeck::service::{self, TemporaryService};

use crate::support::changed::changed;
use crate::support::web::Web;

#[path = "../../examples/follow_import.rs"]
#[expect(dead_code, reason = "its main function is for the command line")]
mod follow_import;
#[path = "../../examples/limits.rs"]
#[expect(dead_code, reason = "its main function is for the command line")]
mod limits;
#[path = "../../examples/list_folder.rs"]
#[expect(dead_code, reason = "its main function is for the command line")]
mod list_folder;
#[path = "../../examples/share_file.rs"]
#[expect(dead_code, reason = "its main function is for the command line")]
mod share_file;

async fn started() -> (TemporaryService, Client) {
    let service = service::start().await.unwrap();
    let client = Client::new(Endpoint::new(service.base_url(), service.token().clone())).unwrap();
    (service, client)
}

fn text(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap()
}

#[tokio::test]
async fn list_folder_writes_folders_and_files() {
    let (_service, client) = started().await;
    for name in ["docs", "drafts"] {
        client
            .folders()
            .create(&changed(CreateFolder::default(), |new| {
                new.name = name.to_owned();
            }))
            .await
            .unwrap();
    }
    let dir = tempfile::tempdir().unwrap();
    let local = dir.path().join("plan.txt");
    std::fs::write(&local, "plan").unwrap();
    share_file::share(&client, &local, "/", &mut Vec::new())
        .await
        .unwrap();
    share_file::share(&client, &local, "/docs", &mut Vec::new())
        .await
        .unwrap();
    let mut out = Vec::new();
    list_folder::list(&client, "/", &mut out).await.unwrap();
    assert_eq!(text(out), "docs/\ndrafts/\nplan.txt\n");
    let mut out = Vec::new();
    list_folder::list(&client, "/docs", &mut out).await.unwrap();
    assert_eq!(text(out), "plan.txt\n");
}

#[tokio::test]
async fn share_file_writes_an_address_that_anyone_can_fetch() {
    let (_service, client) = started().await;
    let dir = tempfile::tempdir().unwrap();
    let local = dir.path().join("report.txt");
    std::fs::write(&local, "report").unwrap();
    let mut out = Vec::new();
    share_file::share(&client, &local, "/shared", &mut out)
        .await
        .unwrap();
    let url = text(out);
    let report = client.files().fetch(url.trim()).bytes(100).await.unwrap();
    assert_eq!(report, "report");
}

#[tokio::test]
async fn follow_import_writes_the_states_and_where_the_file_is() {
    let (_service, client) = started().await;
    let web = Web::serving(&[("/logo.txt", b"logo")]).await;
    let mut out = Vec::new();
    follow_import::import(&client, &web.url("/logo.txt"), "/in", &mut out)
        .await
        .unwrap();
    let out = text(out);
    assert!(out.ends_with("COMPLETE\n/in/logo.txt\n"), "{out}");
}

#[tokio::test]
async fn limits_writes_what_is_used_of_what() {
    let (_service, client) = started().await;
    let mut out = Vec::new();
    limits::limits(&client, &mut out).await.unwrap();
    let out = text(out);
    assert!(
        out.lines().next().unwrap().ends_with(" custom properties"),
        "{out}"
    );
    assert!(out.lines().count() > 1, "{out}");
}
