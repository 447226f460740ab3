"""The official Python library against `filedeck serve`, as its users would use it.

Takes from the environment FILEDECK_BASE_URL, FILEDECK_TOKEN and SOURCE_URL (a file to import, on a local web server).
Each step says what it checks; the first that fails ends the script with status 1.
"""
import json
import os
import pathlib
import tempfile
import time
import urllib.error
import urllib.request

import hubspot
from hubspot.files import (
    ApiException,
    FileUpdateInput,
    FolderInput,
    FolderUpdateInputWithId,
    ImportFromUrlInput,
)

client = hubspot.Client.create(access_token=os.environ["FILEDECK_TOKEN"], host=os.environ["FILEDECK_BASE_URL"])
files, folders = client.files.files_api, client.files.folders_api
done = 0


def check(what, holds):
    global done
    if not holds:
        raise SystemExit(f"python: {what}: does not hold")
    done += 1


def fetch(url):
    """Status and body of an address that needs no token."""
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()


def until_final(status_of):
    for _ in range(200):
        task = status_of()
        if task.status in ("COMPLETE", "CANCELED"):
            return task
        time.sleep(0.1)
    raise SystemExit("python: the task did not end within 20 seconds")


def options(access="PRIVATE", **more):
    return json.dumps({"access": access, **more})


workplace = pathlib.Path(tempfile.mkdtemp())
note = workplace / "note.txt"
note.write_text("first words\n")

folder = folders.create(FolderInput(name="python client"))
check("a folder is created at the root", folder.path == "/python client" and folder.parent_folder_id is None)

uploaded = files.upload(file=str(note), folder_id=folder.id, options=options())
check("an upload answers with the file", uploaded is not None and uploaded.name == "note")
check("its path is folder, name and extension", uploaded.path == "/python client/note.txt")
check("its size is that of the content", uploaded.size == len("first words\n"))
check("a private file's address answers 404", fetch(uploaded.url)[0] == 404)

by_path = files.upload(file=str(note), folder_path="/made/on the way", file_name="copy.txt", options=options("PUBLIC_INDEXABLE"))
check("a missing folder path is created", by_path.path == "/made/on the way/copy.txt")
check("a public file's address gives its bytes", fetch(by_path.url) == (200, b"first words\n"))

details = files.get_by_id(uploaded.id)
check("details are those of the upload", details.id == uploaded.id and details.access == "PRIVATE")

page = files.do_search(parent_folder_ids=[int(folder.id)], limit=10)
check("a search by folder finds the file", [file.id for file in page.results] == [uploaded.id])
page = files.do_search(name="note", extension="txt", is_usable_in_content=True)
check("a search by name, extension and usability finds it", uploaded.id in [file.id for file in page.results])
check("a search with capital booleans tells private from public",
      uploaded.id not in [file.id for file in files.do_search(allows_anonymous_access=True, limit=100).results])

check("stat finds a file by its path", files.get_metadata("/python client/note.txt").file.id == uploaded.id)
check("a folder is found by its path", folders.get_by_path("/python client").id == folder.id)

note.write_text("second words, longer\n")
replaced = files.replace(uploaded.id, file=str(note), options=options())
check("a replaced file keeps its id", replaced.id == uploaded.id)
check("and has its new size", replaced.size == len("second words, longer\n"))

renamed = files.update_properties(uploaded.id, FileUpdateInput(name="renamed", access="PUBLIC_NOT_INDEXABLE"))
check("a file is renamed in place", renamed.path == "/python client/renamed.txt")

files.update_properties(uploaded.id, FileUpdateInput(access="PRIVATE"))
signed = files.get_signed_url(uploaded.id, expiration_seconds=120)
check("a signed address gives the bytes", fetch(signed.url) == (200, b"second words, longer\n"))
check("a changed signature does not", fetch(signed.url[:-1] + ("0" if signed.url[-1] != "0" else "1"))[0] in (403, 404))

started = files.import_from_url(ImportFromUrlInput(
    url=os.environ["SOURCE_URL"], access="PRIVATE", name="imported", folder_id=folder.id,
    duplicate_validation_scope="EXACT_FOLDER", duplicate_validation_strategy="NONE", overwrite=False))
task = until_final(lambda: files.check_import(started.id))
check("an import ends COMPLETE with a file", task.status == "COMPLETE" and task.result.name == "imported")

inner = folders.create(FolderInput(name="inner", parent_folder_id=folder.id))
check("a folder is created in another by its id", inner.path == "/python client/inner")
started = folders.update_properties_recursively(FolderUpdateInputWithId(id=folder.id, name="python moved"))
task = until_final(lambda: folders.check_update_status(started.id))
check("a folder's rename ends COMPLETE", task.status == "COMPLETE")
check("and its children go along", folders.get_by_id(inner.id).path == "/python moved/inner")
check("and its files too", files.get_by_id(uploaded.id).path == "/python moved/renamed.txt")

files.archive(uploaded.id)
try:
    files.get_by_id(uploaded.id)
    check("a deleted file is gone", False)
except ApiException as error:
    check("a deleted file is gone", error.status == 404)
files.delete(by_path.id)
check("a permanently deleted file's address answers 404", fetch(by_path.url)[0] == 404)
folders.archive(folder.id)
try:
    folders.get_by_id(folder.id)
    check("a deleted folder is gone", False)
except ApiException as error:
    check("a deleted folder is gone", error.status == 404)

try:
    hubspot.Client.create(access_token="wrong", host=os.environ["FILEDECK_BASE_URL"]).files.files_api.do_search()
    check("a wrong token is refused", False)
except ApiException as error:
    check("a wrong token is refused", error.status == 401 and "INVALID_AUTHENTICATION" in error.body)

print(f"python: {done} checks hold")
