"""`tavolino doctor`: examines a server and prints what is wrong."""

from typing import Annotated

import typer

from tavolino.cli.data import (
    BusOption,
    DatabaseOption,
    DataOption,
    check_bus,
    check_database,
    check_public_url,
    data_folder,
)
from tavolino.cli.errors import Failure
from tavolino.cli.streams import printable
from tavolino.engine.extras import require

SIGNS = {"ok": "ok      ", "warning": "WARNING ", "failure": "FAILURE "}


def doctor(
    data: DataOption = None,
    database: DatabaseOption = None,
    bus: BusOption = None,
    host: Annotated[str, typer.Option(help="The address the server listens on.", envvar="TAVOLINO_HOST")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port it listens on.", envvar=["TAVOLINO_PORT", "PORT"])] = 8000,
    public_url: Annotated[
        str | None, typer.Option(help="The address people use to get here.", envvar="TAVOLINO_PUBLIC_URL")
    ] = None,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="The server runs with --metrics.", envvar="TAVOLINO_METRICS")
    ] = False,
) -> None:
    """Check settings, data or database, disk, clock, cache, versions and the proxy. Give it the server's options."""
    require("server", "apsw")
    from tavolino.server.operators.doctor import examine
    from tavolino.server.settings import ServerSettings

    check_database(database)
    check_bus(bus, database)
    check_public_url(public_url)
    settings = ServerSettings(
        host=host, port=port, data=data_folder(data), database=database, bus=bus, public_url=public_url, metrics=metrics
    )
    failures = 0
    for finding in examine(settings):
        print(SIGNS[finding.level] + printable(finding.sentence), flush=True)
        failures += finding.level == "failure"
    if failures:
        raise Failure("One thing needs attention." if failures == 1 else f"{failures} things need attention.")
