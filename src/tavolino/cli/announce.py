"""`tavolino announce TEXT`: a banner on everybody's page."""

from typing import Annotated

import typer

from tavolino.cli.data import DatabaseOption, DataOption, check_database, data_folder, run_with_storage
from tavolino.cli.errors import WrongUse
from tavolino.engine.extras import require

LONGEST = 200


def announce(
    text: Annotated[str, typer.Argument(help='The text, such as "We restart at 20:00."; "" removes the announcement.')],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Show an announcement to everyone on the page until you replace or remove it."""
    require("server", "apsw")
    from tavolino.server.operators.orders import OperatorClient
    from tavolino.server.tables.order_kinds import Announce

    text = " ".join(text.split())
    if len(text) > LONGEST or not text.isprintable():
        raise WrongUse(f"An announcement is one line of at most {LONGEST} characters.")
    check_database(database)
    folder = data_folder(data)

    async def send() -> str | None:
        async with OperatorClient(folder, database) as client:
            return await client.send(lambda now: Announce(now, text))

    outcome = run_with_storage(send)
    print("No server is running: it will be shown after the next start." if outcome is None else "It is shown now.")
