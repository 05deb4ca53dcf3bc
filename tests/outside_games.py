"""Games from outside `tavolino.games`, as an installed distribution would bring them: a package and an entry point."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tavolino.games import packages

KUHN = Path(__file__).parents[1] / "examples" / "kuhn-poker"


def declare(site: Path, name: str, package: str) -> None:
    """Write what pip writes when it installs a distribution with an entry point."""
    info = site / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[tavolino.games]\n{name} = {package}\n")


def install_kuhn(site: Path) -> None:
    shutil.copytree(KUHN / "kuhn_poker", site / "kuhn_poker", ignore=shutil.ignore_patterns("__pycache__"))
    declare(site, "kuhn-poker", "kuhn_poker")


def install_bare_copy(site: Path, package: str, field: str | None = None) -> None:
    """Kuhn poker under another name, with the modules and texts alone that every game must have.

    One more field, called like the package if nothing else is said, makes its type of record its own.
    """
    name = package.replace("_", "-")
    shutil.copytree(KUHN / "kuhn_poker", site / package, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("policy.py", "encoding.py", "texts/it.json", "texts/pl.json"):
        (site / package / part).unlink()
    shutil.rmtree(site / package / "rules")
    for path in (site / package).rglob("*.py"):
        text = path.read_text("utf-8").replace("kuhn_poker", package).replace("kuhn-poker", name)
        text = text.replace('("step", np.int32),', f'("step", np.int32),\n        ("{field or package}", np.int32),')
        path.write_text(text, "utf-8")
    declare(site, name, package)


@contextmanager
def on_path(site: Path) -> Iterator[None]:
    """While this lasts the games of a folder are found, in this process and in those that it starts."""
    before, environment = list(sys.path), os.environ.get("PYTHONPATH")
    sys.path.insert(0, str(site))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(site), environment)))
    packages.cache_clear()
    try:
        yield
    finally:
        sys.path[:] = before
        os.environ.pop("PYTHONPATH") if environment is None else os.environ.update(PYTHONPATH=environment)
        packages.cache_clear()
