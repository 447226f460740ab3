"""Loses power at every sync of the disk and at every answer, on paper: `power_loss.py PATH-OF-FILEDECK`.

`filedeck serve` runs under strace while files are uploaded and replaced, one by one and by eight at once. The record is
replayed onto a model of the disk that forgets what was not synced. Wherever power could be lost, the database that is
left is opened, twice: as it was last synced, and with all that was written to it, for a system may write early too.
- Every file whose 201 or 200 was sent is there, in the version that was answered or a later one.
- Every row names bytes that are there, whole and right: so blob, directory and row reach the disk in this order.
- Every row of more than one block has its checksums by block, and there are none without a row.
- Every blob with a final name has a row or is to be removed, whether its name was synced or the system wrote it early: so
  a final name without a row means that rows were lost, and never a crash.

Seen to fail, each planted alone: `synchronous=NORMAL`, blobs without fsync, blob folders whose names are not synced,
answers before the commit, rows before the blob, final names before the commit, and removed blobs that are forgotten before
their folders are synced. What SQLite itself does with a database half written is not tried here.
"""
import concurrent.futures
import hashlib
import http.client
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import urllib.parse

import disk

WRITERS, ALONE, TOGETHER = 8, 60, 20
BLOCK, SUM = 128 * 1024, 16
DATABASE = ("filedeck.db", "filedeck.db-wal")
FINAL = re.compile("[0-9a-f]{32}")


class Client:
    def __init__(self, address, token):
        self.address, self.token = urllib.parse.urlsplit(address).netloc, token
        self.sent = {}

    def send(self, method, path, name, data):
        form = b"".join(
            b'--x\r\ncontent-disposition: form-data; name="' + head + b"\r\n\r\n" + value + b"\r\n"
            for head, value in (
                (b'file"; filename="' + name.encode() + b'"', data),
                (b'options"', b'{"access":"PRIVATE"}'),
                *([(b'folderPath"', b"/deep/er")] if method == "POST" else []),
            )
        )
        connection = http.client.HTTPConnection(self.address, timeout=60)
        headers = {"authorization": f"Bearer {self.token}", "content-type": "multipart/form-data; boundary=x"}
        connection.request(method, "/files/v3/files" + path, form + b"--x--\r\n", headers)
        answer = connection.getresponse()
        body = json.loads(answer.read())
        assert answer.status in (200, 201), body
        self.sent.setdefault(body["id"], []).append(hashlib.md5(data).hexdigest())
        return body["id"]

    def work(self, writer, files):
        """Uploads so many files, and now and then replaces an older one."""
        made = []
        for number in range(files):
            least = 2 * BLOCK if number % 8 == 1 else 1
            data = os.urandom(least + (writer * 7919 + number * 104729) % 30_000)
            made.append(self.send("POST", "", f"{writer}-{number}.bin", data))
            if number % 4 == 3:
                self.send("PUT", f"/{made[number - 2]}", "new.bin", os.urandom(2000))


def record(filedeck, work):
    """Gives the path of the record, the data directory, and the versions that were sent of each file."""
    data, trace = work / "data", work / "record"
    data.mkdir()
    strace = ["strace", "-f", "-y", "-qq", "-s", "10000000", "-e", f"trace={disk.CALLS}", "-o", trace]
    serve = [filedeck, "serve", "--listen", "127.0.0.1:0", "--data-dir", data]
    # Its memory, which holds what is written, must be readable.
    traced = {**os.environ, "FILEDECK_ALLOW_CORE": "1"}
    process = subprocess.Popen([*strace, *serve], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=traced)
    address = process.stdout.readline().decode().strip()
    client = Client(address, (data / "token").read_text())
    client.work(0, ALONE)
    with concurrent.futures.ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(lambda writer: client.work(writer, TOGETHER), range(1, WRITERS + 1)))
    served = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(served[0]), signal.SIGTERM)
    process.wait()
    return trace, str(data), client.sent


def answered(call):
    """Id and MD5 of the file in a 200 or 201 that is being sent."""
    if call.name not in ("write", "writev", "sendto", "sendmsg") or not call.target.startswith(("socket:", "TCP:")):
        return None
    text = b"".join(call.strings())
    if not text.startswith((b"HTTP/1.1 201", b"HTTP/1.1 200")):
        return None
    file = json.loads(text.split(b"\r\n\r\n", 1)[1])
    return file["id"], file["fileMd5"]


class Loss:
    """Checks what each loss of power would leave."""

    def __init__(self, work, sent):
        self.work, self.sent = work / "left", sent
        self.acknowledged, self.points, self.states, self.last = {}, 0, 0, None
        self.work.mkdir()

    def check(self, model):
        self.points += 1
        left = model.synced_files()
        versions = [{name: left[name].synced for name in DATABASE if name in left}]
        versions.append({name: bytes(model.top.names[name].bytes) for name in DATABASE if name in model.top.names})
        names = frozenset(model.names())
        state = (versions, {name: node.synced for name, node in left.items()}, dict(self.acknowledged), names)
        if state == self.last:
            return
        self.last = state
        for database in versions:
            self.states += 1
            self.check_database(database, state[1], names)

    def check_database(self, database, files, names):
        for name in DATABASE:
            self.work.joinpath(name).write_bytes(database.get(name, b""))
        self.work.joinpath("filedeck.db-shm").unlink(missing_ok=True)
        connection = sqlite3.connect(self.work / "filedeck.db")
        rows = connection.execute("SELECT id, blob, md5 FROM files WHERE deleted_at IS NULL").fetchall()
        sums = dict(connection.execute("SELECT blob, LENGTH(sums) FROM block_sums").fetchall())
        known = {blob for blob, in connection.execute("SELECT blob FROM files UNION SELECT blob FROM unused_blobs")}
        connection.close()
        final = {name for name in names | files.keys() if FINAL.fullmatch(name)}
        assert final <= known, f"{sorted(final - known)} have final names and no rows"
        found = {}
        for file, blob, md5 in rows:
            found[str(file)] = md5
            data = files.get(blob, files.get(blob + ".pending"))
            assert data is not None, f"file {file} names bytes that have no name on the disk yet"
            assert hashlib.md5(data).hexdigest() == md5, f"file {file} names bytes that were not synced"
            blocks = -(-len(data) // BLOCK)
            assert sums.pop(blob, SUM) == blocks * SUM, f"file {file} has not the checksums of its {blocks} blocks"
        assert not sums, f"checksums of {list(sums)} are there, and no row names them"
        for file, md5 in self.acknowledged.items():
            assert file in found, f"file {file} was answered and is lost"
            versions = self.sent[file]
            assert versions.index(found[file]) >= versions.index(md5), f"file {file} fell back behind its answer"


def main(filedeck):
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work).resolve()
        trace, data, sent = record(filedeck, work)
        model, loss, answers = disk.Disk(data), Loss(work, sent), 0
        with open(trace, "rb") as lines:
            for moment, call in disk.calls(lines):
                if moment == "begin":
                    model.begin(call)
                    answer = answered(call)
                    if answer:
                        answers += 1
                        loss.acknowledged[answer[0]] = answer[1]
                        loss.check(model)
                elif model.end(call) and loss.acknowledged:
                    loss.check(model)
    expected = sum(map(len, sent.values()))
    assert answers == expected, f"{answers} answers in the record of {expected}"
    print(f"durability: {answers} answers, power lost at {loss.points} points, {loss.states} states, nothing lost")


main(sys.argv[1])
