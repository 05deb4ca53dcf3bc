"""`tavolino export`: games as data for learning."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tavolino.cli.errors import INTERRUPTED, WrongUse
from tavolino.cli.option_values import (
    HARD_ITERATIONS,
    GameOptions,
    IterationsOption,
    RayOption,
    SeedOption,
    WorkersOption,
    check_game_name,
    list_games,
    players_or_usual,
    read_line_up,
    read_options,
    wrong_use_or_failure,
)
from tavolino.cli.progress import progress_bar


def export(
    game: Annotated[str, typer.Argument(help=list_games())],
    folder: Annotated[Path, typer.Argument(help="A new folder, or that of an interrupted export, which goes on.")],
    bots: Annotated[
        str,
        typer.Option(help="The players, separated by commas: random, easy, medium, hard, expert, or module:Class."),
    ] = "random",
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 1000,
    players: Annotated[
        int | None, typer.Option(help="Number of players, 4 if the game allows it; the bots are repeated.")
    ] = None,
    seed: SeedOption = "0",
    iterations: IterationsOption = HARD_ITERATIONS,
    option: GameOptions = None,
    format: Annotated[str, typer.Option(help="parquet (needs the extra parquet) or npz.")] = "parquet",
    shard: Annotated[
        int | None, typer.Option(min=1, help="Games in a file; 1000, or 10 with values, luck or beliefs.")
    ] = None,
    knowledge: Annotated[bool, typer.Option("--knowledge", help="Observations with the slices of knowledge.")] = False,
    values: Annotated[bool, typer.Option("--values", help="What every legal action is worth, measured.")] = False,
    luck: Annotated[bool, typer.Option("--luck", help="What chance changed at each step, as in a review.")] = False,
    beliefs: Annotated[bool, typer.Option("--beliefs", help="How likely each card is in each hidden place.")] = False,
    worlds: Annotated[int, typer.Option(min=1, help="Worlds for each value, and for beliefs that are drawn.")] = 128,
    workers: WorkersOption = 1,
    ray: RayOption = None,
) -> None:
    """Write games as data: what each seat saw, what it could do, what it did, and what came of it.

    The same command gives the same bytes, with any number of workers. After Ctrl-C the same command goes on.
    """
    check_game_name(game)
    options = read_options(option or [])
    from tavolino.datasets.export import export as run
    from tavolino.datasets.plan import ExportFailed, ExportPlan
    from tavolino.lab.own_bots import BotFailed

    names = read_line_up(bots, game)
    plan = ExportPlan(
        game,
        players_or_usual(game, players),
        names,
        games,
        seed,
        options,
        iterations,
        knowledge,
        values,
        luck,
        beliefs,
        worlds,
        format,
        shard or 0,
    )
    try:
        with wrong_use_or_failure(ExportFailed, BotFailed), progress_bar(games, "games") as tell:
            index = run(plan, folder, workers, ray, tell)
    except LookupError as missing:  # what the game does not have
        raise WrongUse(missing) from None
    shards = index["shards"]
    written = sum(each["games"] for each in shards)
    print(
        f"{folder}: {written:,} games, {sum(each['decisions'] for each in shards):,} decisions, {len(shards):,} files"
    )
    if index["stopped"]:
        print("Stopped early: the same command goes on from here.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
