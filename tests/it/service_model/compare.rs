//! Reads everything back from the service and compares it with the model.

use serde_json::Value;

use super::library::Library;
use super::run::{FILES, FOLDERS};
use crate::support::service::TestService;

/// Compares everything the service shows, through every endpoint.
pub(super) async fn library(service: &TestService, library: &Library) -> Result<(), String> {
    files(service, library).await?;
    folders(service, library).await?;
    listings(service, library).await?;
    for gone in library.deleted.keys().chain(&library.erased) {
        is_missing(service, &format!("{FILES}/{gone}")).await?;
    }
    for gone in &library.gone_folders {
        is_missing(service, &format!("{FOLDERS}/{gone}")).await?;
    }
    paths(service, library).await
}

pub(super) async fn files(service: &TestService, library: &Library) -> Result<(), String> {
    for (id, file) in &library.files {
        let details = read(service, &format!("{FILES}/{id}")).await?;
        fields(&details, &library.file_json(id))?;
        let download = service.get(&format!("{FILES}/{id}/download")).await;
        if download.status != 200 || download.body != file.bytes.as_bytes() {
            return Err(format!(
                "the download of {id} is {} {:?}",
                download.status,
                download.text()
            ));
        }
        let public = service
            .fetch(details["url"].as_str().unwrap_or_default())
            .await;
        let as_it_should = if file.is_public() {
            public.status == 200 && public.body == file.bytes.as_bytes()
        } else {
            public.status == 404
        };
        if !as_it_should {
            return Err(format!(
                "the address of {id} ({}) answers {} {:?}",
                file.access,
                public.status,
                public.text()
            ));
        }
    }
    Ok(())
}

async fn folders(service: &TestService, library: &Library) -> Result<(), String> {
    for id in library.folders.keys() {
        let wanted = library.folder_json(id);
        let path = library.folder_path(&Some(id.clone()));
        fields(&read(service, &format!("{FOLDERS}/{id}")).await?, &wanted)?;
        fields(&read(service, &format!("{FOLDERS}{path}")).await?, &wanted)?;
    }
    Ok(())
}

async fn listings(service: &TestService, library: &Library) -> Result<(), String> {
    let all = std::iter::once(None).chain(library.folders.keys().cloned().map(Some));
    for parent in all {
        let filter = format!("&parentFolderIds={}", parent.as_deref().unwrap_or("0"));
        let files = library
            .files
            .iter()
            .filter(|(_, file)| file.parent == parent)
            .map(|(id, _)| id);
        lists(
            service,
            &format!("{FILES}/search"),
            &filter,
            files.collect(),
        )
        .await?;
        let folders = library
            .folders
            .iter()
            .filter(|(_, folder)| folder.parent == parent)
            .map(|(id, _)| id);
        lists(
            service,
            &format!("{FOLDERS}/search"),
            &filter,
            folders.collect(),
        )
        .await?;
    }
    lists(
        service,
        &format!("{FILES}/search"),
        "",
        library.files.keys().collect(),
    )
    .await?;
    lists(
        service,
        &format!("{FOLDERS}/search"),
        "",
        library.folders.keys().collect(),
    )
    .await
}

async fn lists(
    service: &TestService,
    path: &str,
    filter: &str,
    wanted: Vec<&String>,
) -> Result<(), String> {
    let page = read(service, &format!("{path}?limit=100&sort=id{filter}")).await?;
    let found: Vec<&str> = page["results"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|item| item["id"].as_str())
        .collect();
    if found == wanted {
        Ok(())
    } else {
        Err(format!(
            "{path}?{filter} lists {found:?}, should list {wanted:?}"
        ))
    }
}

/// Compares the lookup of each path that anything ever had; a file comes before a folder.
async fn paths(service: &TestService, library: &Library) -> Result<(), String> {
    for path in &library.paths {
        let stat = format!("{FILES}/stat{path}");
        let file = library
            .files
            .iter()
            .find(|(_, file)| library.file_path(file) == *path)
            .map(|(id, _)| id);
        let folder = library.folder_at(path).flatten();
        let (kind, wanted) = match (file, &folder) {
            (Some(file), _) => ("file", library.file_json(file)),
            (None, Some(folder)) => ("folder", library.folder_json(folder)),
            (None, None) => {
                is_missing(service, &stat).await?;
                let public = service.fetch(&service.url(&format!("/hubfs{path}"))).await;
                if public.status != 404 {
                    return Err(format!(
                        "nothing is at {path}, yet its address answers {}",
                        public.status
                    ));
                }
                continue;
            }
        };
        fields(&read(service, &stat).await?[kind], &wanted)
            .map_err(|wrong| format!("stat of {path}: {wrong}"))?;
    }
    Ok(())
}

/// Checks that every wanted field has its value; one that should be null is absent.
pub(super) fn fields(found: &Value, wanted: &Value) -> Result<(), String> {
    for (name, value) in wanted.as_object().into_iter().flatten() {
        if found.get(name).unwrap_or(&Value::Null) != value {
            return Err(format!("{name} should be {value} in {found}"));
        }
    }
    Ok(())
}

pub(super) async fn is_missing(service: &TestService, path: &str) -> Result<(), String> {
    let answer = service.get(path).await;
    if answer.status == 404 {
        Ok(())
    } else {
        Err(format!(
            "GET {path} should answer 404, not {}",
            answer.text()
        ))
    }
}

async fn read(service: &TestService, path: &str) -> Result<Value, String> {
    let answer = service.get(path).await;
    if answer.status == 200 {
        Ok(answer.json())
    } else {
        Err(format!("GET {path} answers {}", answer.text()))
    }
}
