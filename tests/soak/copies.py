"""A copy of a tree between accounts that is killed at random instants and repeated, with imports by the target and without."""

import csv
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from kills import SEED, compare, environment, kill_and_repeat, run, service

FILES = 2_000
FOLDERS = 60
# The size from which the target imports a copy.
LARGE = 4 * 1024 * 1024


def main(filedeck: str, kills: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        home = pathlib.Path(home)
        sums = write_files(home / "site", random.Random(SEED))
        with service(filedeck, home / "one") as source:
            variables = environment(home) | {"FILEDECK_BASE_URL": source, "FILEDECK_TOKEN": "soak-test-token"}
            run([filedeck, "put", home / "site", "/"], env=variables)
            for mode, options in [("imported", ["--import-allow", "127.0.0.0/8"]), ("streamed", [])]:
                requests = home / f"{mode}.log"
                with service(filedeck, home / mode, "--access-log", requests, *options) as target:
                    runs = Accounts(filedeck, home / mode, source, target).soak(sums, kills)
                # A target that cannot fetch a file is not asked again by the same run.
                imports = requests.read_text().count('/import-from-url/async"')
                if not imports:
                    sys.exit(f"soak: no import was asked for where the files were to be {mode}")
                print(f"soak: {kills} kills in {runs} runs of {FILES} copies, {imports} imports asked for: all there, none twice")


def write_files(site: pathlib.Path, chance: random.Random) -> dict[str, str]:
    """Writes small files and a dozen large ones, no two alike; returns their MD5s by path."""
    sums = {}
    for number in range(FILES):
        content = f"{number} ".encode() + chance.randbytes(chance.randint(1, 250))
        if number % 170 == 0:
            content = content.ljust(LARGE, b"-")
        file = site / f"part-{number % 6}" / f"folder-{number % FOLDERS:02}" / f"file-{number:04}.bin"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        sums[f"/{file.relative_to(site.parent)}"] = hashlib.md5(content).hexdigest()
    return sums


class Accounts:
    """The accounts `one` and `two`, and the copy of the tree from one to the other."""

    def __init__(self, filedeck: str, home: pathlib.Path, *addresses: str):
        self.filedeck, self.map, self.environment = filedeck, home / "map.csv", environment(home)
        self.copy = ["copy", "@one:/site", "@two:/"]
        entries = [
            f'[accounts.{name}]\nbase_url = "{address}"\ntoken_file = "{home / "token"}"\n'
            for name, address in zip(["one", "two"], addresses, strict=True)
        ]
        (home / "config").mkdir()
        (home / "config" / "config.toml").write_text("".join(entries))

    def soak(self, sums: dict[str, str], kills: int) -> int:
        def begin_again() -> None:
            self.check(sums)
            self.run("rm", "--account", "two", "--yes", "/site")

        chance, copy = random.Random(SEED), [self.filedeck, *self.copy]
        runs = kill_and_repeat(copy, kills, chance, begin_again, longest=4.0, env=self.environment)
        self.check(sums)
        self.check_repeated(sums)
        return runs

    def check(self, sums: dict[str, str]) -> None:
        compare([(file["path"], file["fileMd5"]) for file in self.items("two", "is:file")], sums)
        folders = [sorted(folder["path"] for folder in self.items(name, "is:folder")) for name in ("one", "two")]
        if folders[0] != folders[1]:
            sys.exit(f"soak: the folders differ: {set(folders[0]) ^ set(folders[1])}")

    def check_repeated(self, sums: dict[str, str]) -> None:
        """The command that has come through does nothing when it is given anew, and maps every file."""
        tasks = self.run("tasks", "--account", "two").stdout
        again = self.run(*self.copy, "--map", self.map)
        if again.stdout or f"{FILES:,} files are there already" not in again.stderr:
            sys.exit(f"soak: copied again: {again.stdout[:500]} {again.stderr[-500:]}")
        if self.run("tasks", "--account", "two").stdout != tasks:
            sys.exit("soak: a run without anything to do changed the tasks")
        ids = [{file["path"]: file["id"] for file in self.items(name, "is:file")} for name in ("one", "two")]
        expected = [("one", ids[0][path], path, "two", ids[1][path], path, "already there") for path in sorted(sums)]
        with self.map.open(newline="") as lines:
            columns = ["source account", "source id", "source path", "target account", "target id", "target path", "state"]
            rows = sorted((tuple(row[column] for column in columns) for row in csv.DictReader(lines)), key=lambda row: row[2])
        if rows != expected:
            sys.exit(f"soak: the map has {len(rows)} rows; others than expected: {sorted(set(rows) ^ set(expected))[:3]}")

    def items(self, account: str, kind: str) -> list[dict]:
        found = self.run("find", "--account", account, kind, "--json")
        return [json.loads(line) for line in found.stdout.splitlines()]

    def run(self, *words) -> subprocess.CompletedProcess:
        return run([self.filedeck, *words], env=self.environment)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
