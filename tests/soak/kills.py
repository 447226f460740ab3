"""A put that is killed at random instants and repeated: counts what the service holds in the end, by name and content."""

import contextlib
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
from collections.abc import Callable, Iterator

FILES = 500
SEED = 20261121


def main(filedeck: str, kills: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        home = pathlib.Path(home)
        with service(filedeck, home) as base_url:
            soak(filedeck, kills, home, base_url)


@contextlib.contextmanager
def service(filedeck: str, home: pathlib.Path, *options: str) -> Iterator[str]:
    """Serves a new store in this directory, and yields its address. Its token is that of the file `token` there."""
    home.mkdir(exist_ok=True)
    token = home / "token"
    token.write_text("soak-test-token\n")
    token.chmod(0o600)
    serve = subprocess.Popen(
        [filedeck, "serve", "--listen", "127.0.0.1:0", "--data-dir", home / "store", "--token-file", token, *options],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    try:
        yield serve.stdout.readline().strip()
    finally:
        serve.send_signal(signal.SIGTERM)
        serve.wait()


def environment(home: pathlib.Path) -> dict[str, str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("FILEDECK_")}
    return inherited | {"FILEDECK_CONFIG_DIR": str(home / "config"), "FILEDECK_STATE_DIR": str(home / "state")}


def soak(filedeck: str, kills: int, home: pathlib.Path, base_url: str) -> None:
    chance = random.Random(SEED)
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
    variables = environment(home) | {"FILEDECK_BASE_URL": base_url, "FILEDECK_TOKEN": "soak-test-token"}

    def begin_again() -> None:
        check(filedeck, variables, sums)
        run([filedeck, "rm", "--yes", "/soak"], env=variables)

    put = [filedeck, "put", *sorted(sums), "/soak/"]
    runs = kill_and_repeat(put, kills, chance, begin_again, cwd=work, env=variables)
    check(filedeck, variables, sums)
    print(f"soak: {kills} kills in {runs} runs of {FILES} files: all there, none twice")


def kill_and_repeat(
    command: list, kills: int, chance: random.Random, begin_again: Callable[[], None], longest: float = 0.2, **options,
) -> int:
    """Kills a command that often, first within the `longest` seconds, and lets it come through; returns how often it ran before."""
    runs = killed = 0
    while killed < kills:
        runs += 1
        started = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
        try:
            _, errors = child.communicate(timeout=chance.uniform(0, longest))
            if child.returncode:
                sys.exit(f"soak: run {runs}, after {killed} kills, exited with {child.returncode}: {errors[-2000:]}")
            # It came through: the next one gets less to do, so begin again with an empty folder.
            longest = max(0.1, 0.7 * (time.monotonic() - started))
            begin_again()
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            killed += 1
            longest = min(4.0, longest * 1.1)
    run(command, **options)
    return runs


def run(command: list, **options) -> subprocess.CompletedProcess:
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"soak: {command[1:3]} exited with {done.returncode}: {done.stderr[-2000:]}")
    return done


def check(filedeck: str, variables: dict[str, str], sums: dict[str, str]) -> None:
    listed = run([filedeck, "ls", "/soak", "--json"], env=variables)
    files = [json.loads(line) for line in listed.stdout.splitlines()]
    compare([(f"{file['name']}.{file['extension']}", file["fileMd5"]) for file in files], sums)


def compare(stored: list[tuple[str, str]], sums: dict[str, str]) -> None:
    if sorted(stored) != sorted(sums.items()):
        extra = [entry for entry in stored if entry not in sums.items()]
        missing = [name for name in sums if name not in dict(stored)]
        sys.exit(f"soak: {len(stored)} files stored; not asked for: {extra[:5]}; missing: {missing[:5]}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
