"""`tavolino balance`: win rates, lengths and endings between players of one level."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tavolino.cli.errors import INTERRUPTED, Failure, WrongUse
from tavolino.cli.figures import write_figures
from tavolino.cli.option_values import (
    HARD_ITERATIONS,
    GameOptions,
    IterationsOption,
    JsonOption,
    RayOption,
    SeedOption,
    WorkersOption,
    check_game_name,
    list_games,
    read_options,
    read_varied,
    warn_of_fallbacks,
    wrong_use_or_failure,
)
from tavolino.cli.progress import progress_bar


def balance(
    game: Annotated[str, typer.Argument(help=list_games())],
    level: Annotated[str, typer.Option(help="Level of the bots: random, easy, medium, hard or expert.")] = "medium",
    players: Annotated[str, typer.Option(help="Numbers of players, such as 2,3,4; all by default.")] = "",
    games: Annotated[int, typer.Option(min=1, help="Games for each number of players.")] = 1000,
    seed: SeedOption = "0",
    iterations: IterationsOption = HARD_ITERATIONS,
    vary: Annotated[
        str | None, typer.Option(metavar="NAME=VALUE,VALUE", help="Also compare these values of an option.")
    ] = None,
    option: GameOptions = None,
    workers: WorkersOption = 1,
    ray: RayOption = None,
    to_json: JsonOption = None,
    plots: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Draw the figures into this folder, as PNG and SVG.")
    ] = None,
) -> None:
    """Measure win rates by seat and side, lengths, endings and what winners choose, with bots of one level."""
    check_game_name(game)
    options = read_options(option or [])
    varied = read_varied(vary)
    import tavolino
    from tavolino.lab.balance import Question
    from tavolino.lab.balance import balance as run

    counts = _numbers(players) or tuple(tavolino.load(game).players)
    question = Question(game, level, counts, games, seed, options, iterations, varied)
    warn_of_fallbacks([level], game)
    with wrong_use_or_failure(), progress_bar(games * len(question.plans()), "games") as tell:
        figures = run(question, workers, ray, tell)
    write_figures(figures, to_json, lambda: _show(figures))
    if plots is not None and figures["tables"]:
        _draw(figures, Path(plots))
    if figures["stopped"]:
        raise typer.Exit(INTERRUPTED)


def _numbers(written: str) -> tuple[int, ...]:
    try:
        return tuple(int(number) for number in written.split(",") if number.strip())
    except ValueError:
        raise WrongUse(f"Numbers must be written like 2,3,4, not {written!r}.") from None


def _draw(figures: dict[str, Any], folder: Path) -> None:
    from tavolino.engine.extras import MissingExtra
    from tavolino.lab.plots import plot_actions, plot_seats, plot_varied

    drawings: dict[str, Any] = {"seats": plot_seats, "choices": plot_actions}
    if figures["varied"]:
        drawings[figures["varied"][0]["option"].replace("_", "-")] = plot_varied
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, draw in drawings.items():
            for ending in ("png", "svg"):
                draw(figures, folder / f"balance-{figures['game']}-{name}.{ending}")
    except MissingExtra as missing:
        raise Failure(missing) from None
    except OSError as problem:
        raise Failure(f"The plots could not be written to {folder}: {problem.strerror}.") from None


def _show(figures: dict[str, Any]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False)
    for table in figures["tables"]:
        length = table["length"]
        ends = ", ".join(f"{reason} {share:.1%}" for reason, share in table["reasons"].items())
        console.print(f"{figures['game']}, {table['players']} players, {table['games']:,} games of {figures['level']}")
        console.print(
            f"{length['mean']:.1f} decisions a game ({length['shortest']} to {length['longest']}); ends: {ends}"
        )
        wins = Table("", "wins", "95% interval", "even", box=SIMPLE)
        for row in table["wins"]:
            wins.add_row(
                row["who"], f"{row['share']:.1%}", f"{row['low']:.1%} to {row['high']:.1%}", f"{row['even']:.1%}"
            )
        console.print(wins)
    if figures["varied"]:
        first = figures["varied"][0]
        varied = Table("players", first["option"], f"{first['who']} wins", "95% interval", box=SIMPLE)
        for row in figures["varied"]:
            interval = f"{row['low']:.1%} to {row['high']:.1%}"
            varied.add_row(str(row["players"]), json.dumps(row["value"]), f"{row['share']:.1%}", interval)
        console.print(varied)
    if figures["actions"]:
        choices = Table("choice", "times a game", "by a winner", box=SIMPLE)
        for row in figures["actions"][:20]:
            choices.add_row(row["action"], f"{row['per_game']:.2f}", f"{row['won']:.1%}")
        console.print(choices)
    if not figures["tables"]:
        print("No game was finished.", file=sys.stderr)
