//! Every call of the library, against the stand-in.
#![cfg(all(feature = "client", feature = "service"))]

use std::io::Cursor;

use filedeck::api::ids::FolderId;
use filedeck::api::model::{
    Access, CreateFolder, FileUpdate, FolderUpdate, FolderUpdateTask, ImportRequest, TaskStatus,
    UploadOptions,
};
use filedeck::api::search::{FileSearch, FolderSearch};
use filedeck::api::{Bytes, Client, Endpoint, Kind, SignedUrlOptions};
use filedeck::service::TemporaryService;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

type TestResult = Result<(), Box<dyn std::error::Error>>;

async fn started() -> Result<(TemporaryService, Client), Box<dyn std::error::Error>> {
    let service = TemporaryService::builder().strict().start().await?;
    let endpoint = Endpoint::new(service.base_url(), service.token().clone());
    Ok((service, Client::new(endpoint)?))
}

async fn folder(client: &Client, name: &str) -> Result<FolderId, Box<dyn std::error::Error>> {
    let mut new = CreateFolder::default();
    new.name = name.to_owned();
    Ok(client.folders().create(&new).await?.id)
}

#[tokio::test]
async fn files() -> TestResult {
    let (_service, client) = started().await?;
    let (files, dir) = (client.files(), tempfile::tempdir()?);
    let local = dir.path().join("a.txt");
    std::fs::write(&local, "path")?;
    let box_id = folder(&client, "box").await?;
    let chunks = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"stream"))]);

    let sent = files.upload("/box/a.txt").from_path(&local).send().await?;
    files
        .upload("b.txt")
        .from_bytes("bytes")
        .folder(&box_id)
        .send()
        .await?;
    files
        .upload("/box/c.txt")
        .from_reader(Cursor::new("reader"), 6)
        .send()
        .await?;
    let public = files.upload("/box/d.txt").from_stream(chunks, 6);
    let public = public.access(Access::PublicIndexable).send().await?.file;
    files.replace(&sent.file).from_bytes("again").send().await?;

    let file = files.get(&sent.file.id).await?;
    assert_eq!(files.download(&file).bytes(100).await?, "again");
    let streamed: Vec<Bytes> = files.download(&file).stream().try_collect().await?;
    assert_eq!(streamed.concat(), b"again");
    files
        .download(&file)
        .save_to(dir.path().join("saved.txt"))
        .await?;
    assert_eq!(std::fs::read(dir.path().join("saved.txt"))?, b"again");
    let signed = files
        .signed_url(&file.id, &SignedUrlOptions::default())
        .await?;
    assert_eq!(files.fetch(&signed.url).bytes(100).await?, "again");
    assert_eq!(
        files
            .fetch(public.url.as_deref().unwrap_or_default())
            .bytes(100)
            .await?,
        "stream"
    );

    let found = files.search(&FileSearch::default()).await?.results;
    let all: Vec<_> = files.all(FileSearch::default()).try_collect().await?;
    let here: Vec<_> = files.in_folder(Some(&box_id)).try_collect().await?;
    let page = files
        .pages(FileSearch::default())
        .next()
        .await?
        .unwrap_or_default();
    assert_eq!([found.len(), all.len(), here.len(), page.len()], [4; 4]);

    let mut update = FileUpdate::default();
    update.name = Some("renamed".to_owned());
    files.update(&file.id, &update).await?;
    assert!(files.stat("/box/renamed.txt").await?.file.is_some());
    files.delete(&public.id).await?;
    files.gdpr_delete(&file.id).await?;
    let gone = files.get(&file.id).await.expect_err("it is deleted");
    assert_eq!(gone.kind, Kind::NotFound);
    Ok(())
}

#[tokio::test]
async fn folders() -> TestResult {
    let (_service, client) = started().await?;
    let (folders, id) = (client.folders(), folder(&client, "box").await?);
    assert_eq!(
        folders.get(&id).await?.id,
        folders.get_by_path("/box").await?.id
    );
    assert_eq!(
        folders
            .search(&FolderSearch::default())
            .await?
            .results
            .len(),
        1
    );
    assert_eq!(folders.all(FolderSearch::default()).count().await, 1);
    assert_eq!(folders.in_folder(None).count().await, 1);
    assert!(
        folders
            .pages(FolderSearch::default())
            .next()
            .await?
            .is_some()
    );

    let mut update = FolderUpdate::default();
    update.name = Some("first".to_owned());
    folders.update(&id, &update).await?;
    update.name = Some("second".to_owned());
    let task = folders
        .start_update(&FolderUpdateTask::new(id, update))
        .await?
        .id;
    let states: Vec<_> = folders.follow_update(&task).try_collect().await?;
    assert_eq!(
        states.last().map(|state| &state.status),
        Some(&TaskStatus::Complete)
    );
    folders.update_status(&task).await?;

    folders.delete_by_path("/second").await?;
    let other = folder(&client, "other").await?;
    folders.delete(&other).await?;
    assert_eq!(folders.in_folder(None).count().await, 0);
    Ok(())
}

#[tokio::test]
async fn imports() -> TestResult {
    let (_service, client) = started().await?;
    let public = client.files().upload("/a.txt").from_bytes("bytes");
    let public = public.access(Access::PublicIndexable).send().await?.file;
    let url = public.url.unwrap_or_default();
    let mut import = ImportRequest::new(url, UploadOptions::new(Access::Private));
    import.folder_path = Some("/copies".to_owned());
    let task = client.imports().start(&import).await?.id;
    let states: Vec<_> = client.imports().follow(&task).try_collect().await?;
    assert!(states.last().is_some_and(|state| state.success().is_some()));
    client.imports().status(&task).await?;
    Ok(())
}

#[tokio::test]
async fn limits() -> TestResult {
    let (_service, client) = started().await?;
    let limits = client.limits();
    limits.custom_properties().await?;
    limits.calculated_properties().await?;
    limits.custom_object_types().await?;
    limits.records().await?;
    limits.pipelines().await?;
    limits.association_labels().await?;
    limits.association_sources().await?;
    limits.associations("0-1").await?;
    limits.association_pair("0-1", "0-2").await?;
    Ok(())
}

#[tokio::test]
async fn the_relay_stores_an_upload_as_it_arrives() -> TestResult {
    let (service, client) = started().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let routes = filedeck_consumer::relay(client.clone());
    tokio::spawn(async move { axum::serve(listener, routes).await });

    let bytes = vec![7; 3 << 20];
    let mut stream = TcpStream::connect(address).await?;
    let head = format!(
        "PUT /big.bin HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        bytes.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&bytes).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let stored = client.files().stat("/inbox/big.bin").await?.file;
    let stored = stored.ok_or("the upload is not stored")?;
    assert_eq!(
        client.files().download(&stored).bytes(bytes.len()).await?,
        bytes
    );
    assert!(
        service
            .requests()
            .iter()
            .any(|request| request.method == "POST")
    );
    Ok(())
}
