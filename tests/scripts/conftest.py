"""A checkout of only the scripts, in a path with spaces, with stubs in place of Python, node and the installers.

The stub of Python logs its calls. Its environments are folders with a copy of itself, so nothing is
downloaded and nothing takes time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = (
    *("bash", "sh", "env", "cat", "cksum", "cp", "dirname", "find", "grep", "head", "id", "mkdir", "mktemp", "mv"),
    *("printf", "rm", "sed", "sleep", "sort", "touch", "xargs"),
)
PYTHON = """#!/bin/sh
printf '%s\\n' "{name} $*" >> "{log}"
case "$1 $2" in
  "-m venv")
    for folder in "$@"; do :; done
    mkdir -p "$folder/bin"
    [ "$0" -ef "$folder/bin/python" ] || cp "$0" "$folder/bin/python"
    echo "home = nowhere" > "$folder/pyvenv.cfg"
    ;;
  "-m pip") {pip} ;;
  "-m uv" | "-m pytest" | "-m tavolino") ;;
  "-c import pip") ;;
  "-c "*_base_executable*) echo "{version} {can_make} {path}" ;;
  *) exec "{real}" "$@" ;;
esac
"""


class Checkout:
    """The scripts, and a PATH that holds nothing but the tools they use and what a test adds."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a checkout"
        self.bin = folder / "bin"
        self.tools = folder / "tools"
        self.log = folder / "calls"
        for made in (self.root, self.bin, self.tools):
            made.mkdir()
        self.log.touch()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None, tool
            (self.tools / tool).symlink_to(found)
        for part in ("scripts", "requirements"):
            shutil.copytree(ROOT / part, self.root / part)
        shutil.copy(ROOT / "pyproject.toml", self.root)
        (self.root / "src" / "tavolino").mkdir(parents=True)
        (self.root / "src" / "tavolino" / "version.py").write_text('VERSION = "1"\n')

    def program(self, name: str, text: str) -> Path:
        path = self.bin / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def python(self, name: str, version: str, *, can_make: bool = True, pip: str = ":") -> Path:
        """A Python on the path, of this version; `pip` is what its pip does."""
        words = {"name": name, "version": version, "can_make": "yes" if can_make else "no", "pip": pip}
        path = self.bin / name
        return self.program(name, PYTHON.format(**words, path=path, log=self.log, real=sys.executable))

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
        return kept | {"PATH": f"{self.bin}:{self.tools}"} | more

    def run(self, script: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.root / "scripts" / script, *arguments],
            env=self.environment(**more),
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def calls(self) -> list[str]:
        """The calls of the stubs since the last time."""
        lines = self.log.read_text().splitlines()
        self.log.write_text("")
        return lines

    @property
    def venv(self) -> Path:
        return self.root / ".venv"


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)
