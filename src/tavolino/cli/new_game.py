"""`tavolino new-game NAME`: writes a package with a small game that passes the conformance suite, as a start."""

import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tavolino.cli.errors import Failure, WrongUse

SKELETON = Path(__file__).parent / "skeleton"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PREFIX_LENGTH = 2


def new_game(
    name: Annotated[str, typer.Argument(help="Lower case English words joined with -, as in gin-rummy.")],
    into: Annotated[Path, typer.Option(help="The folder in which to create the package's folder.")] = Path(),
) -> None:
    """Create a package with the skeleton of a new game. It passes the conformance suite as it is."""
    from tavolino.games import games

    if not NAME.fullmatch(name):
        raise WrongUse(f"The name must be lower-case English words joined with -, as in gin-rummy, not {name!r}.")
    if name in games():
        raise WrongUse(f"There is already a game called {name}.")
    folder = into / name
    if folder.exists():
        raise Failure(f"{folder} already exists; nothing was written.")
    try:
        _write(folder, name)
    except OSError as problem:
        raise Failure(f"{folder} cannot be written: {problem.strerror}.") from None
    # A checkout has the build tool; without it pip downloads one.
    isolation = " --no-build-isolation" if find_spec("hatchling") and find_spec("editables") else ""
    print(f"Wrote {folder}. Next:")
    print(f"  {shlex.quote(sys.executable)} -m pip install{isolation} --editable {shlex.quote(str(folder))}")
    print(f"  tavolino check-game {name}")
    print(f"  tavolino play {name}")


def _write(folder: Path, name: str) -> None:
    words = name.split("-")
    package = name.replace("-", "_")
    prefix = (
        "".join(word[0] for word in words).upper()[:PREFIX_LENGTH] if len(words) > 1 else name[:PREFIX_LENGTH].upper()
    )
    filled = {
        "name": name,
        "package": package,
        "title": " ".join(words).capitalize(),
        "prefix": prefix.ljust(PREFIX_LENGTH, "X"),
    }
    for source in sorted(SKELETON.rglob("*.txt")):
        parts = [package if part == "package" else part for part in source.relative_to(SKELETON).parts]
        target = folder.joinpath(*parts).with_suffix("")
        text = source.read_text("utf-8")
        for key, value in filled.items():
            text = text.replace("{{" + key + "}}", value)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
