//! Requests for folders, paths and files of this machine.

use super::*;

#[tokio::test]
async fn a_listing_has_the_folders_first_and_root_is_no_exception() {
    let (_service, mut engine, dir) = started().await;
    let source = local(&dir, "b.txt", b"b");
    let docs = new_folder(&mut engine, &FolderRef::root(), "docs").await;
    upload(&mut engine, &source, &FolderRef::root(), Access::Private).await;
    upload(&mut engine, &source, &docs, Access::Private).await;
    new_folder(&mut engine, &docs, "deep/er").await;
    assert_eq!(
        names(&list(&mut engine, &FolderRef::root(), None).await.0),
        ["docs/", "b.txt"]
    );
    assert_eq!(
        names(&list(&mut engine, &docs, None).await.0),
        ["deep/", "b.txt"]
    );
    let Answer::ListFolders(folders) = engine
        .answer(Request::ListFolders(ListFolders { place: docs }))
        .await
    else {
        panic!()
    };
    assert_eq!(
        folders.iter().map(Folder::full_name).collect::<Vec<_>>(),
        ["deep"]
    );
}

#[tokio::test]
async fn a_path_is_located_as_folder_file_root_or_nothing() {
    let (_service, mut engine, dir) = started().await;
    let docs = new_folder(&mut engine, &FolderRef::root(), "123").await;
    upload(
        &mut engine,
        &local(&dir, "a b.txt", b"b"),
        &docs,
        Access::Private,
    )
    .await;
    let mut locate = async |path: &str| {
        engine
            .run(Request::Locate(Locate::Path(path.to_owned())))
            .await
    };
    assert_eq!(locate("/").await, Ok(Answer::Locate(Located::Root)));
    assert!(matches!(
        locate("/123").await,
        Ok(Answer::Locate(Located::Entry(Entry::Folder(_))))
    ));
    assert!(matches!(
        locate("/123/a b.txt").await,
        Ok(Answer::Locate(Located::Entry(Entry::File(_))))
    ));
    assert_eq!(locate("/123/none").await.unwrap_err().kind, Kind::NotFound);
}

#[tokio::test]
async fn local_names_are_sorted_and_folders_are_marked() {
    let (_service, mut engine, dir) = started().await;
    local(&dir, "b.txt", b"abc");
    fs::create_dir(dir.path().join("a")).unwrap();
    let folder = dir.path().to_owned();
    let outcome = engine
        .answer(Request::ListLocalFolder(ListLocalFolder {
            folder: folder.clone(),
        }))
        .await;
    let Answer::ListLocalFolder(entries) = outcome else {
        panic!("{outcome:?}")
    };
    let facts: Vec<_> = entries
        .iter()
        .map(|entry| (entry.typed().unwrap(), entry.size))
        .collect();
    assert_eq!(
        facts,
        [("a/".to_owned(), None), ("b.txt".to_owned(), Some(3))]
    );
    assert!(entries.iter().all(|entry| entry.updated_at.is_some()));
}

#[tokio::test]
async fn a_list_of_addresses_is_read_without_comments_and_blank_lines() {
    let (_service, mut engine, dir) = started().await;
    let path = local(
        &dir,
        "list.txt",
        b"\xef\xbb\xbf# pictures\r\nhttps://a.example/1.png\r\n\r\n  https://a.example/2.png\n",
    );
    let outcome = engine
        .answer(Request::ReadAddresses(ReadAddresses { path }))
        .await;
    let expected = ["https://a.example/1.png", "https://a.example/2.png"]
        .map(str::to_owned)
        .to_vec();
    assert_eq!(outcome, Answer::ReadAddresses(expected));
    let path = local(&dir, "large.txt", &vec![b'x'; (1 << 20) + 1]);
    let refused = engine
        .run(Request::ReadAddresses(ReadAddresses { path }))
        .await
        .unwrap_err();
    assert!(refused.message.contains("large.txt"), "{refused:?}");
}
