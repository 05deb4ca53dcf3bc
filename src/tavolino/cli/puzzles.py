"""`tavolino puzzles GAME`: positions with one best action that a medium bot does not find, as data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.figures import write_json
from tavolino.cli.option_values import (
    LANGUAGE_HELP,
    PlayersOption,
    check_json_file,
    choose_language,
    find_game,
    players_or_usual,
)

if TYPE_CHECKING:
    from tavolino.coach.puzzles import Puzzle


def puzzles(
    game: Annotated[str, typer.Argument(help="The game to search.")],
    players: PlayersOption = None,
    games: Annotated[int, typer.Option(help="How many games of medium bots to search.", min=1)] = 10,
    into: Annotated[
        Path | None,
        typer.Option(
            help="Append each puzzle to this file when it is found, and continue where the file ends; "
            "searches games with every number of players, unless you give --players.",
            metavar="FILE",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Other seeds find other puzzles.")] = 0,
    to_json: Annotated[
        str | None,
        typer.Option(
            "--json", callback=check_json_file, help="Write them as JSON to this file; - is stdout.", metavar="FILE"
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help=LANGUAGE_HELP)] = None,
) -> None:
    """Find positions with one clearly best action that a medium bot misses, and say why it is best."""
    spoken = choose_language(language)
    loaded = find_game(game)
    seats = players_or_usual(game, players)
    if seats not in loaded.players:
        raise WrongUse(f"{game} is for {loaded.players[0]} to {loaded.players[-1]} players, not {seats}.")
    from tavolino.cli.words import Words
    from tavolino.coach.puzzle_files import NoPuzzle, append, games_done, written
    from tavolino.coach.puzzles import find_puzzles

    found: list[Puzzle] = []
    counts = list(loaded.players) if into is not None and players is None else [seats]
    try:
        first = 0 if into is None else games_done(into, loaded, seed)
    except NoPuzzle as refusal:
        raise Failure(str(refusal)) from None
    for puzzle in find_puzzles(loaded, counts, seed, range(first, games)):
        found.append(puzzle)
        if into is not None:
            append(into, puzzle)
        if to_json != "-":
            _show(len(found), puzzle, Words(loaded, spoken, range(puzzle.record["players"]), puzzle.seat))
    if to_json is not None:
        write_json([written(puzzle) for puzzle in found], to_json, "puzzles", indent=1)
    if not found and to_json != "-" and into is None:
        raise Failure(f"No puzzle was found in {games} games: search more games, or try another seed.")


def _show(number: int, puzzle: "Puzzle", words: Any) -> None:
    turn = len(puzzle.record["actions"]) + 1
    print(words.own("puzzles.title", number=number, turn=turn, name=words.name(puzzle.seat)))
    print("   " + words.own("review.better", action=words.label(puzzle.best)))
    print("   " + words.own("puzzles.usual", action=words.label(puzzle.usual), cost=round(100 * puzzle.cost)))
    for fact in puzzle.reasons:
        print(f"   {words.say(f'reason.{fact.key}', fact.params)}")
