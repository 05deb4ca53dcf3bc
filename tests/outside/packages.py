"""Games and features from outside, as installed distributions bring them: a package and an entry point."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tavolino.games import packages

EXAMPLES = Path(__file__).parents[2] / "examples"
KUHN, DICE_ROLLS = EXAMPLES / "kuhn-poker", EXAMPLES / "dice-rolls"


def declare(site: Path, name: str, package: str) -> None:
    """Write what pip writes when it installs a distribution with an entry point."""
    info = site / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[tavolino.games]\n{name} = {package}\n")


def install(package: Path, site: Path) -> None:
    """Build a package and install it, with its entry point, into a folder of its own."""
    options = ["--quiet", "--offline", "--no-deps", "--no-build-isolation", "--python", sys.executable]
    command = [sys.executable, "-m", "uv", "pip", "install", *options, "--target", str(site), str(package)]
    subprocess.run(command, check=True)


def install_bare_copy(site: Path, package: str, field: str | None = None) -> None:
    """Kuhn poker under another name, with only the modules and texts that every game must have. An additional field,
    named like the package by default, makes its record type unique."""
    name = package.replace("_", "-")
    shutil.copytree(KUHN / "kuhn_poker", site / package, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("policy.py", "encoding.py", "texts/it.json", "texts/pl.json"):
        (site / package / part).unlink()
    shutil.rmtree(site / package / "rules")
    for path in (site / package).rglob("*.py"):
        text = path.read_text("utf-8").replace("kuhn_poker", package).replace("kuhn-poker", name)
        text = text.replace("    step: int\n", f"    step: int\n    {field or package}: int\n")
        path.write_text(text, "utf-8")
    declare(site, name, package)


def environment(site: Path, factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables with which a process finds the games of a folder.

    Its cache of machine code is one for the whole test run: the same game is compiled once, whichever test is first.
    """
    paths = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    base = factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return {"PYTHONPATH": paths, "TAVOLINO_CACHE": str(run / "machine-code-of-games-from-outside")}


@contextmanager
def on_path(site: Path) -> Iterator[None]:
    """Within this context this process finds the games of a folder: to load them, not to compile them."""
    before = list(sys.path)
    sys.path.insert(0, str(site))
    packages.cache_clear()
    try:
        yield
    finally:
        sys.path[:] = before
        packages.cache_clear()
