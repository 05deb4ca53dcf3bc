"""`tavolino check-game NAME`: runs the conformance suite on a game."""

from typing import Annotated

import typer

from tavolino.cli.errors import Failure
from tavolino.cli.option_values import find_game, list_games


def check_game(
    game: Annotated[str, typer.Argument(help=list_games())],
    games: Annotated[int, typer.Option(min=1, help="Random games for each number of players.")] = 3,
    seed: Annotated[int, typer.Option(help="Another number plays other games.")] = 0,
) -> None:
    """Check what must hold for every game, in random games: for authors of games."""
    from tavolino.engine import testing

    checked = find_game(game)
    try:
        compared = testing.check_game(checked, games, seed)
    except AssertionError as failure:
        notes = "; ".join(getattr(failure, "__notes__", ()))
        raise Failure(f"{game} does not conform: {failure} ({notes})" if notes else str(failure)) from None
    print(f"{game} conforms. Views of positions: {compared}.")
