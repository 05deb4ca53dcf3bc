"""`tavolino verify FILE`: checks that the deal was fair and that the game replays."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.streams import printable

SIGNS = {True: "ok  ", False: "FAIL", None: "--  "}
VALID, UNSEALED = ("sealed", "consistent"), "no-seal"


def verify(
    file: Annotated[Path, typer.Argument(help="A game file from a finished table.")],
    commitment: Annotated[
        str | None,
        typer.Option(help="The commitment you saved before the deal.", metavar="HEX"),
    ] = None,
    salt: Annotated[
        str | None, typer.Option(help="The salt your browser added; several of one device, in quotes.", metavar="HEX")
    ] = None,
) -> None:
    """Deal a finished game again from its revealed secret and compare everything with the game file."""
    from tavolino.cli.saved import read_content
    from tavolino.server.verify.checks import Kept
    from tavolino.server.verify.telling import told_file

    for name, kept in (("--commitment", Kept(commitment)), ("--salt", Kept(None, salt))):
        if not kept.is_possible:
            raise WrongUse(f"The value of {name} must be 64 hexadecimal digits.")
    told = told_file(read_content(file), Kept(commitment, salt))
    for check in told["checks"]:
        print(f"{SIGNS[check['holds']]}  {printable(check['text'])}")
    for limit in told["limits"]:
        print(f"      {limit['text']}")
    if told["result"] in VALID:
        print(told["text"])
    elif told["checks"]:
        raise Failure(told["text"])
    else:
        watch = f" To watch it: tavolino replay {shlex.quote(str(file))}." if told["result"] == UNSEALED else ""
        raise Failure(f"The file {file} cannot be checked. {told['text']}{watch}")
