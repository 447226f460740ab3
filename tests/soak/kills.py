"""A put that is killed at random instants and repeated: counts what the service holds in the end, by name and content."""

import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

FILES = 500
SEED = 20261121


def main(filedeck: str, kills: int) -> int:
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as home:
        home = pathlib.Path(home)
        token = home / "token"
        token.write_text("soak-test-token\n")
        token.chmod(0o600)
        serve = subprocess.Popen(
            [filedeck, "serve", "--listen", "127.0.0.1:0", "--data-dir", home / "store", "--token-file", token],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        try:
            return soak(filedeck, kills, chance, home, serve.stdout.readline().strip())
        finally:
            serve.send_signal(signal.SIGTERM)
            serve.wait()


def soak(filedeck: str, kills: int, chance: random.Random, home: pathlib.Path, base_url: str) -> int:
    work = home / "work"
    work.mkdir()
    sums, content = {}, b""
    for number in range(FILES):
        # Every tenth has the content of the one before: names tell them apart.
        if number % 10 != 9:
            content = f"{number} ".encode() * chance.randint(1, 4_000)
        name = f"file-{number:03}.bin"
        (work / name).write_bytes(content)
        sums[name] = hashlib.md5(content).hexdigest()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("FILEDECK_")} | {
        "FILEDECK_BASE_URL": base_url, "FILEDECK_TOKEN": "soak-test-token",
        "FILEDECK_CONFIG_DIR": str(home / "config"), "FILEDECK_STATE_DIR": str(home / "state"),
    }
    put = [filedeck, "put", *sorted(sums), "/soak/"]
    runs = killed = 0
    longest = 0.2
    while killed < kills:
        runs += 1
        started = time.monotonic()
        child = subprocess.Popen(put, cwd=work, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(timeout=chance.uniform(0, longest))
            # It came through: the next one gets less to do, so begin again with an empty folder.
            longest = max(0.1, 0.7 * (time.monotonic() - started))
            check(filedeck, environment, sums)
            subprocess.run([filedeck, "rm", "--yes", "/soak"], env=environment, check=True, stdout=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            killed += 1
            longest = min(4.0, longest * 1.1)
    subprocess.run(put, cwd=work, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    check(filedeck, environment, sums)
    print(f"soak: {killed} kills in {runs} runs of {FILES} files: all there, none twice")
    return 0


def check(filedeck: str, environment: dict, sums: dict) -> None:
    listed = subprocess.run([filedeck, "ls", "/soak", "--json"], env=environment, check=True, capture_output=True, text=True)
    files = [json.loads(line) for line in listed.stdout.splitlines()]
    stored = sorted((f"{file['name']}.{file['extension']}", file["fileMd5"]) for file in files)
    if stored != sorted(sums.items()):
        extra = [entry for entry in stored if entry not in sums.items()]
        missing = [name for name in sums if name not in dict(stored)]
        sys.exit(f"soak: {len(stored)} files stored; not asked for: {extra[:5]}; missing: {missing[:5]}")


sys.exit(main(sys.argv[1], int(sys.argv[2])))
