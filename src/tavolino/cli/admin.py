"""`tavolino admin`: lists tables, closes them, removes names and bans people, through the data of a running server."""

import re
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tavolino.cli.data import DatabaseOption, DataOption, check_database, data_folder, run_with_storage
from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.option_values import read_duration
from tavolino.cli.streams import printable
from tavolino.engine.extras import require

if TYPE_CHECKING:
    from tavolino.server.operators.orders import OperatorClient, Seat
    from tavolino.server.tables.order_kinds import Order

ID = re.compile(r"[A-Za-z0-9_-]{22}")  # of tables and people


def admin(
    action: Annotated[
        Literal["list", "close", "remove-name", "ban", "unban", "bans"],
        typer.Argument(
            help="list: the tables; close TABLE; remove-name PERSON; ban or unban WHO; bans: who is banned."
        ),
    ],
    target: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A table, a person, an address or a network.")
    ] = None,
    duration: Annotated[str, typer.Option("--for", help="How long a ban lasts: 30m, 12h, 7d.", metavar="TIME")] = "1d",
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """List the tables; close a table, remove a name, or ban an identity or an address for some time."""
    require("server", "apsw")
    from tavolino.server.operators.orders import OperatorClient

    seconds = read_duration(duration)
    needs_target = action not in ("list", "bans")
    if needs_target != (target is not None):
        raise WrongUse(f"tavolino admin {action} " + ("needs an id." if needs_target else "takes no id."))
    if target is not None:
        _check(action, target)
    check_database(database)
    folder = data_folder(data)

    async def work() -> None:
        async with OperatorClient(folder, database) as client:
            if action == "list":
                await _list(client)
            elif action == "bans":
                for who, left in await client.bans():
                    print(printable(f"{who}  {_as_duration(left)} more"))
            else:
                assert target is not None
                outcome = await client.send(lambda now: _order(action, target, now, seconds))
                _tell(outcome)

    run_with_storage(work)


def _order(action: str, target: str, now: float, seconds: int) -> "Order":
    from tavolino.server.tables import order_kinds as orders

    match action:
        case "close":
            return orders.CloseTable(now, target)
        case "remove-name":
            return orders.RemoveName(now, target)
        case "ban":
            return orders.Ban(now, target, now + seconds)
        case _:
            return orders.Unban(now, target)


def _tell(outcome: str | None) -> None:
    from tavolino.server.tables.orders import DONE

    if outcome is None:
        print("No server is running: this will be done at the next start.")
    elif outcome == DONE:
        print("Done.")
    else:
        raise Failure("There is no such table." if outcome == "no-such-table" else f"It was not done: {outcome}.")


async def _list(client: "OperatorClient") -> None:
    for row, seats in await client.running():
        print(printable(f"{row.table}  {row.game}  {row.phase}"))
        for number, seat in enumerate(seats):
            print(printable(f"    {number}  {_seat(seat)}"))


def _seat(seat: "Seat") -> str:
    if seat.person is not None:
        return f"{seat.person}  {seat.name or '(forgotten)'}"
    return f"bot ({seat.level})" if seat.level else "empty"


def _check(action: str, target: str) -> None:
    from tavolino.server.people.bans import network_of

    is_network = network_of(target) is not None
    if not ID.fullmatch(target) and not (is_network and action in ("ban", "unban")):
        also = ", nor an address or network" if action in ("ban", "unban") else ""
        raise WrongUse(f"{target!r} is not an id (22 characters, see tavolino admin list){also}.")


def _as_duration(seconds: float) -> str:
    minutes = int(seconds // 60)
    return f"{minutes // 1440} d {minutes // 60 % 24} h {minutes % 60} min"
