"""`tavolino simulate`: many random games, and their figures as a table or as JSON."""

import json
from typing import Annotated, Any

import typer

from tavolino.cli.errors import INTERRUPTED, WrongUse
from tavolino.cli.figures import write_figures
from tavolino.cli.option_values import (
    GameOptions,
    JsonOption,
    PlayersOption,
    RayOption,
    SeedOption,
    WorkersOption,
    check_game_name,
    list_games,
    players_or_usual,
    read_options,
    wrong_use_or_failure,
)
from tavolino.cli.progress import progress_bar


def simulate(
    game: Annotated[str, typer.Argument(help=list_games())],
    players: PlayersOption = None,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100_000,
    bots: Annotated[str, typer.Option(help="The level of all bots; only random here (see arena).")] = "random",
    option: GameOptions = None,
    workers: WorkersOption = 1,
    ray: RayOption = None,
    seed: SeedOption = "0",
    to_json: JsonOption = None,
) -> None:
    """Play many random games in compiled code and print statistics.

    Prints the numbers of games and decisions, the seconds of play (without compiling), wins by seat and endings
    with 95% intervals, and the lengths of games in decisions.
    """
    if bots != "random":
        raise WrongUse(f"simulate plays random bots only, not {bots!r}: for other levels use tavolino arena.")
    check_game_name(game)
    options = read_options(option or [])
    from tavolino.lab.simulate import Plan
    from tavolino.lab.simulate import simulate as run

    with wrong_use_or_failure(), progress_bar(games, "games") as tell:
        figures = run(Plan(game, players_or_usual(game, players), games, seed, options, workers), tell, ray)
    write_figures(figures, to_json, lambda: _show_table(figures))
    if figures["stopped"]:
        raise typer.Exit(INTERRUPTED)


def _show_table(figures: dict[str, Any]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    games, decisions, seconds = figures["games"], figures["decisions"], figures["seconds"]
    rate = f"{decisions / seconds / 1e6:.2f} M decisions/s, {games / seconds:,.0f} games/s" if seconds else ""
    options = ", ".join(f"{name}={json.dumps(value)}" for name, value in figures["options"].items())
    console = Console(highlight=False, markup=False)
    console.print(f"{figures['game']}, {figures['players']} players, random bots, {options}")
    console.print(f"{games:,} games, {decisions:,} decisions in {seconds:.2f} s: {rate}")
    length = figures["length"]
    console.print(f"{length['mean']:.1f} decisions a game ({length['shortest']} to {length['longest']})")
    table = Table("", "games", "share", "95% interval", box=SIMPLE)
    rows = [(f"seat {row['seat']} wins", row) for row in figures["wins"]]
    rows += [(f"ends by {reason}", row) for reason, row in figures["reasons"].items()]
    for name, row in rows:
        interval = f"{row['low']:.2%} to {row['high']:.2%}"
        table.add_row(name, f"{row['games']:,}", f"{row['share']:.2%}", interval)
    console.print(table)
