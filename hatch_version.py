"""The version of a build.

`src/tavolino/version.py` holds the number of the last release. The commit that last changed that line is the release;
every later one is on the way to the next: `0.3.0.dev7+g1a2b3c4` is seven commits after 0.2.0. A build without git's
data takes `TAVOLINO_VERSION`, or the version of the sdist that it is made from.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent
RELEASE = "src/tavolino/version.py"
BUILT = "src/tavolino/built.py"  # only in an sdist; a wheel has it as tavolino/built.py
LINE = re.compile(r'^RELEASE = "([0-9]+)\.([0-9]+)\.([0-9]+)"', re.MULTILINE)
UNKNOWN = "+unknown"  # a checkout without git's data can be used in place, but not built


def version(root: Path = ROOT) -> str:
    if given := os.environ.get("TAVOLINO_VERSION"):
        return given
    if (root / BUILT).exists():
        return (root / BUILT).read_text("utf-8").split('"')[1]
    found = LINE.search((root / RELEASE).read_text("utf-8"))
    if found is None:
        raise SystemExit(f'{RELEASE} has no line like RELEASE = "1.2.3".')
    major, minor, _ = map(int, found.groups())
    release = ".".join(found.groups())
    # Not a repository of its own: an sdist that was unpacked within another checkout, for example.
    if _git(root, "rev-parse", "--show-prefix") != "" or _git(root, "rev-parse", "--is-shallow-repository") != "false":
        return release + UNKNOWN
    base = _git(root, "log", "-1", "--format=%H", "-G^RELEASE = ", "--", RELEASE)
    if not base:
        return release + UNKNOWN
    count = _git(root, "rev-list", "--count", f"{base}..HEAD")
    if count == "0":
        return release
    return f"{major}.{minor + 1}.0.dev{count}+g{_git(root, 'rev-parse', '--short=9', 'HEAD')}"


def _git(root: Path, *words: str) -> str | None:
    """What git says; None without git or its data."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
