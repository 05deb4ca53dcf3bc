"""Options for the data folder, the database and the bus, for the commands of operators."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.engine.extras import require

Answer = TypeVar("Answer")
DataOption = Annotated[Path | None, typer.Option(help="The folder for tables and people.", envvar="TAVOLINO_DATA")]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        help="postgresql://USER:PASSWORD@HOST/NAME instead of the folder.",
        envvar="TAVOLINO_DATABASE",
        metavar="URL",
        show_default=False,
    ),
]
BusOption = Annotated[
    str | None,
    typer.Option(
        help="redis://:PASSWORD@HOST, so that several servers on one database learn of each other's moves at once.",
        envvar="TAVOLINO_BUS",
        metavar="URL",
        show_default=False,
    ),
]


def check_database(url: str | None) -> None:
    """Raise WrongUse for an address that is not one of PostgreSQL. The message does not repeat it: it may contain a
    password."""
    from tavolino.server.storage.choosing import SCHEMES

    if url is not None and not url.startswith(SCHEMES):
        raise WrongUse("The value of --database must begin with postgresql://.")


def check_bus(bus: str | None, database: str | None) -> None:
    """Raise WrongUse for an address that is not one of Redis. The message does not repeat it: it may contain a
    password."""
    from tavolino.server.cluster.bus import SCHEMES

    if bus is None:
        return
    require("cluster", "redis")
    if not bus.startswith(SCHEMES):
        raise WrongUse("The value of --bus must begin with redis:// or rediss://.")
    if database is None:
        raise WrongUse("--bus connects several servers on one database: give --database, too.")


def check_public_url(url: str | None) -> None:
    """The page and its cookies need a whole site: an address with a path cannot work."""
    if url is None:
        return
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise typer.BadParameter("must begin with http:// or https://", param_hint="--public-url")
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        raise typer.BadParameter(
            f"must be a whole site, without a path: {parts.scheme}://{parts.netloc.rpartition('@')[2]}",
            param_hint="--public-url",
        )


def data_folder(chosen: Path | None) -> Path:
    from tavolino.server.settings import default_data_folder

    try:
        return chosen or default_data_folder()
    except RuntimeError:  # no HOME, and no entry for this user in the system's list
        raise Failure("You have no home folder here. Say where the data is: --data FOLDER.") from None


def run_with_storage(work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """Run a coroutine; a storage error becomes a Failure with one sentence."""
    from tavolino.server.storage import StorageError

    try:
        return asyncio.run(work())
    except StorageError as error:
        raise Failure(f"{error}.") from None
