"""`tavolino open-tournament GAME`: a tournament on a server, for programs over HTTP and for people."""

import time
from typing import Annotated

import typer

from tavolino.cli.data import DatabaseOption, DataOption, check_database, data_folder, run_with_storage
from tavolino.cli.errors import WrongUse
from tavolino.cli.option_values import check_game_name, list_games, read_duration
from tavolino.engine.extras import require

LONGEST = 60


def open_tournament(
    game: Annotated[str, typer.Argument(help=list_games())],
    title: Annotated[str, typer.Option(help="The title on the page.")] = "Tournament",
    deals: Annotated[int, typer.Option(min=1, max=1000, help="Every entrant plays each of them once.")] = 100,
    players: Annotated[int | None, typer.Option(help="Seats at a table; all others have medium bots.")] = None,
    at_once: Annotated[int, typer.Option(min=1, max=50, help="Tables of a program that run at the same time.")] = 4,
    seconds: Annotated[int, typer.Option(min=30, max=86_400, help="Time for a decision; who is late loses.")] = 60,
    begins: Annotated[str, typer.Option("--begins-in", help="Until then one can enter.", metavar="TIME")] = "1h",
    duration: Annotated[str, typer.Option("--for", help="How long it lasts after that.", metavar="TIME")] = "7d",
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Open a tournament on a server. Programs and people enter it until it begins; then each plays the same deals."""
    require("server", "apsw")
    check_game_name(game)
    from tavolino.games import meta_of
    from tavolino.server.features.tournaments.stored import StoredTournament, StoredTournaments
    from tavolino.server.kernel.tables import new_id
    from tavolino.server.storage.choosing import make_storage

    allowed = meta_of(game).players
    seats = meta_of(game).usual_seats if players is None else players
    if seats not in allowed:
        raise WrongUse(f"{game} is for {allowed[0]} to {allowed[-1]} players, not {seats}.")
    title = " ".join(title.split())
    if not title or len(title) > LONGEST or not title.isprintable():
        raise WrongUse(f"A title is one line of at most {LONGEST} characters.")
    opens = int(time.time()) + read_duration(begins)
    closes = opens + read_duration(duration)
    check_database(database)
    folder = data_folder(data)
    made = StoredTournament(new_id(), title, game, seats, deals, at_once, seconds, opens, closes)

    async def add() -> None:
        storage = make_storage(folder, database, is_beside=True)
        await storage.open()
        try:
            await StoredTournaments(storage).add(made)
        finally:
            await storage.close()

    run_with_storage(add)
    print(f"/tournament/{made.id}")
    print(f"Programs enter by POST /api/tournaments/{made.id}/enter until {time.ctime(opens)}.")
    print(f"It ends when everybody has played all deals, at the latest on {time.ctime(closes)}.")
