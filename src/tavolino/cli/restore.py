"""`tavolino restore FILE`: check a backup, and restore it."""

from pathlib import Path
from typing import Annotated

import typer

from tavolino.cli.data import DatabaseOption, DataOption, check_database, data_folder, run_with_storage
from tavolino.cli.errors import Failure
from tavolino.cli.streams import printable
from tavolino.engine.extras import require


def restore(
    file: Annotated[Path, typer.Argument(help="A file made by `tavolino backup`.")],
    check: Annotated[bool, typer.Option("--check", help="Only check the file; change nothing.")] = False,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Open a backup, replay every running table in it and compare; then make it the data of the server."""
    require("server", "apsw")
    from tavolino.server.operators.backup import CannotCopy, check_backup, put_back, put_into_database

    check_database(database)
    if not file.is_file():
        raise Failure(f"There is no file {file}.")
    try:
        report = run_with_storage(lambda: check_backup(file))
        for sentence in report.closed:
            print(f"would be closed: {printable(sentence)}")
        for sentence in report.wrong:
            print(f"damaged: {printable(sentence)}")
        if report.wrong:
            raise Failure(f"{file} is damaged (problems found: {len(report.wrong)}); nothing was restored.")
        print(f"{file} is intact. Running tables replayed: {report.running}; moves: {report.moves}.")
        if check:
            return
        if database is not None:
            run_with_storage(lambda: put_into_database(file, database))
            print("The backup is now the data in PostgreSQL.")
            return
        folder = data_folder(data)
        kept = put_back(file, folder)
    except CannotCopy as reason:
        raise Failure(f"{reason}.") from None
    print(f"The backup is now the data in {folder}." + (f" What was there is kept in {kept}." if kept else ""))
