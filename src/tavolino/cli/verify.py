"""`tavolino verify FILE`: checks that the deal was fair and that the game replays."""

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.streams import printable
from tavolino.engine.extras import require

SIGNS = {True: "ok  ", False: "FAIL", None: "--  "}
_HEX = re.compile("[0-9a-fA-F]{64}")


def verify(
    file: Annotated[Path, typer.Argument(help="A game file from a finished table.")],
    commitment: Annotated[
        str | None,
        typer.Option(help="The commitment you saved before the deal.", metavar="HEX"),
    ] = None,
    salt: Annotated[str | None, typer.Option(help="The salt your browser added.", metavar="HEX")] = None,
) -> None:
    """Deal a finished game again from its revealed secret and compare everything with the game file."""
    for name, kept in (("--commitment", commitment), ("--salt", salt)):
        if kept is not None and not _HEX.fullmatch(kept):
            raise WrongUse(f"The value of {name} must be 64 hexadecimal digits.")
    from tavolino.cli.saved import read_record

    record = read_record(file)
    if record.get("fairness") is None:
        raise Failure(
            "This game file has no seal: only games from a server's table have one. "
            f"To watch it: tavolino replay {shlex.quote(str(file))}."
        )
    require("server", "msgspec")
    from tavolino.server.games.verify import check_record

    checks = check_record(record, commitment, salt)
    for check in checks:
        print(f"{SIGNS[check.holds]}  {printable(check.what)}")
    if any(check.holds is False for check in checks):
        raise Failure("The game file is not valid.")
    print(
        "The game file is valid."
        if commitment
        else "The game file is valid. Use --commitment with the value that you "
        "saved before the deal: without it you must trust the server."
    )
