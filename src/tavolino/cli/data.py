"""The folder of the data, for the commands of operators."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from tavolino.cli.errors import Failure

Answer = TypeVar("Answer")
DataOption = Annotated[Path | None, typer.Option(help="The folder for tables and people.", envvar="TAVOLINO_DATA")]


def data_folder(chosen: Path | None) -> Path:
    from tavolino.server.settings import default_data_folder

    try:
        return chosen or default_data_folder()
    except RuntimeError:  # no HOME, and no entry for this user in the system's list
        raise Failure("You have no home folder here. Say where the data is: --data FOLDER.") from None


def run_with_storage(work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """Run a coroutine; what the storage cannot do is told in a sentence."""
    from tavolino.server.storage import StorageError

    try:
        return asyncio.run(work())
    except StorageError as error:
        raise Failure(f"{error}.") from None
