"""What the scripts of this folder share: where things are, and the version."""

import re
import sys
import tomllib
from pathlib import Path

# Imported from here, it would leave a folder of its own.
sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "packaging/out"
# Where each kind of file that packaging/share wrote lies below a prefix such as /usr.
PLACES = {
    "bash": "bash-completion/completions",
    "fish": "fish/vendor_completions.d",
    "man/man1": "man/man1",
    "zsh": "zsh/site-functions",
}


def manifest() -> dict:
    return tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]


def version() -> str:
    return manifest()["version"]


def shared_files() -> list[tuple[str, Path]]:
    """Completions and manual pages: each file with its place below `share`."""
    share = OUT / "share"
    if not share.is_dir():
        sys.exit("run packaging/share first: it writes completions and manual pages")
    return [(f"{place}/{file.name}", file) for kind, place in PLACES.items() for file in sorted((share / kind).glob("*"))]


def python_version(version: str) -> str:
    """As PyPI spells it: 1.0.0-rc.1 is 1.0.0rc1 there."""
    match = re.fullmatch(r"(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?", version)
    if not match:
        sys.exit(f"no version for PyPI: {version}")
    release, stage, number = match.groups()
    return release if stage is None else f"{release}{ {'alpha': 'a', 'beta': 'b', 'rc': 'rc'}[stage] }{number}"
