"""`tavolino puzzles GAME`: positions with one best action that a medium bot does not find, as data."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.figures import write_json
from tavolino.cli.option_values import LANGUAGE_HELP, choose_language, find_game, players_or_usual

if TYPE_CHECKING:
    from tavolino.coach.puzzles import Puzzle


def puzzles(
    game: Annotated[str, typer.Argument(help="The game to search.")],
    players: Annotated[int | None, typer.Option(help="How many play; 4 if the game allows it.")] = None,
    games: Annotated[int, typer.Option(help="How many games of medium bots to search.", min=1)] = 10,
    seed: Annotated[int, typer.Option(help="Other seeds find other puzzles.")] = 0,
    to_json: Annotated[
        str | None, typer.Option("--json", help="Write them as JSON to a file, or to stdout: -.", metavar="FILE")
    ] = None,
    language: Annotated[str | None, typer.Option(help=LANGUAGE_HELP)] = None,
) -> None:
    """Find positions with one action that is clearly best, that a medium bot does not find, and say why it is best."""
    spoken = choose_language(language)
    loaded = find_game(game)
    seats = players_or_usual(game, players)
    if seats not in loaded.players:
        raise WrongUse(f"{game} is for {loaded.players[0]} to {loaded.players[-1]} players, not {seats}.")
    from tavolino.cli.words import Words
    from tavolino.coach.puzzles import find_puzzles

    found: list[Puzzle] = []
    for puzzle in find_puzzles(loaded, seats, seed, games):
        found.append(puzzle)
        if to_json != "-":
            _show(len(found), puzzle, Words(loaded, spoken, range(seats), puzzle.seat))
    if to_json is not None:
        write_json([written(puzzle) for puzzle in found], to_json, "puzzles", indent=1)
    if not found and to_json != "-":
        raise Failure(f"No puzzle was found in {games} games: search more of them, or another seed.")


def _show(number: int, puzzle: "Puzzle", words: Any) -> None:
    judged = puzzle.judgement
    turn = len(puzzle.record["actions"]) + 1
    print(words.own("puzzles.title", number=number, turn=turn, name=words.name(puzzle.seat)))
    print("   " + words.own("review.better", action=words.label(judged.best)))
    print("   " + words.own("puzzles.usual", action=words.label(judged.chosen), cost=round(100 * judged.cost)))
    for fact in puzzle.reasons:
        print(f"   {words.say(f'reason.{fact.key}', fact.params)}")


def written(puzzle: "Puzzle") -> dict[str, Any]:
    """A puzzle as JSON."""
    from tavolino.coach.written import candidate_json, fact_json

    judged = puzzle.judgement
    return {
        "record": puzzle.record,
        "seat": puzzle.seat,
        "best": judged.best,
        "usual": judged.chosen,
        "cost": round(judged.cost, 4),
        "cost_error": round(judged.cost_error, 4),
        "difficulty": puzzle.difficulty,
        "actions": [candidate_json(each) for each in judged.candidates],
        "reasons": [fact_json(fact) for fact in puzzle.reasons],
    }
