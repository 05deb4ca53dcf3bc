"""`tavolino move-data FROM TO`: all data from a folder into PostgreSQL, or back."""

import asyncio
from typing import Annotated

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.engine.extras import require


def move_data(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A folder, or postgresql://...")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The same; it must not hold any data yet.")],
) -> None:
    """Copy tables and people from one storage to another and compare. FROM is not changed. Stop the server first."""
    require("server", "apsw")
    from pathlib import Path

    from tavolino.server.operators.transfer import CannotMove, move_data, side_of
    from tavolino.server.storage.choosing import SCHEMES
    from tavolino.server.storage.opening import FILE

    if source == target:
        raise WrongUse("FROM and TO must be different.")
    if not source.startswith(SCHEMES) and not (Path(source) / FILE).exists():
        raise Failure(f"There is no data in {source}.")
    try:
        moved = asyncio.run(move_data(side_of(source), side_of(target)))
    except CannotMove as reason:
        raise Failure(f"{reason}.") from None
    print(f"Moved and compared. Tables: {moved['tables']}; entries: {moved['entries']}; people: {moved['people']}.")
