"""`python -m filedeck` is `filedeck`."""

import os
import subprocess
import sys

from filedeck import find_filedeck

if sys.platform == "win32":
    sys.exit(subprocess.run([find_filedeck(), *sys.argv[1:]]).returncode)
os.execv(find_filedeck(), ["filedeck", *sys.argv[1:]])
