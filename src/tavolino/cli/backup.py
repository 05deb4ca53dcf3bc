"""`tavolino backup FILE`: a copy of the data, also while the server runs."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from tavolino.cli.data import DatabaseOption, DataOption, check_database, data_folder
from tavolino.cli.errors import Failure
from tavolino.engine.extras import require


def backup(
    file: Annotated[Path, typer.Argument(help="The new file.")],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Copy all tables and people to one file. The server can keep running."""
    require("server", "apsw")
    from tavolino.server.operators.backup import CannotCopy, back_up, back_up_database

    check_database(database)
    try:
        if database is None:
            size = back_up(data_folder(data), file)
        else:
            require("cluster", "asyncpg")
            size = asyncio.run(back_up_database(database, file))
    except CannotCopy as reason:
        raise Failure(f"{reason}.") from None
    print(f"{file}: {size / 1e6:.1f} MB. To try it: tavolino restore {file} --check")
