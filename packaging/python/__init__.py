"""Where the filedeck binary is. The package carries it: nothing is downloaded when it is installed."""

import sys
import sysconfig
from pathlib import Path


def find_filedeck() -> str:
    """The path of the filedeck binary that this package has brought."""
    name = "filedeck.exe" if sys.platform == "win32" else "filedeck"
    user = sysconfig.get_preferred_scheme("user") if hasattr(sysconfig, "get_preferred_scheme") else None
    folders = [Path(sysconfig.get_path("scripts"))]
    if user:
        folders.append(Path(sysconfig.get_path("scripts", scheme=user)))
    # pip install --target DIR puts it into DIR/bin.
    folders.append(Path(__file__).resolve().parent.parent / "bin")
    for folder in folders:
        if (folder / name).is_file():
            return str(folder / name)
    raise FileNotFoundError(f"the filedeck binary is in none of {', '.join(map(str, folders))}; install filedeck again")
