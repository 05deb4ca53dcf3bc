"""The versions of Python that this machine has and the project supports."""

import subprocess
from functools import cache
from pathlib import Path
from shutil import which

MINORS = range(11, 15)


@cache
def other_pythons() -> dict[str, str]:
    """By version (3.12): an interpreter that runs, whatever packages it has."""
    found = {}
    for minor in MINORS:
        version = f"3.{minor}"
        kept = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python{version}"))
        for path in (*map(str, kept), which(f"python{version}")):
            if path and version not in found and _runs(path):
                found[version] = path
    return found


def _runs(path: str) -> bool:
    return subprocess.run([path, "-I", "-c", "pass"], capture_output=True).returncode == 0
