"""`tavolino evaluate`: the row of an agent in the benchmark."""

import os
import sys
from typing import Annotated

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.figures import write_json
from tavolino.cli.option_values import (
    HARD_ITERATIONS,
    GameOptions,
    IterationsOption,
    JsonOption,
    RayOption,
    WorkersOption,
    check_game_name,
    list_games,
    players_or_usual,
    read_options,
    warn_of_fallbacks,
)
from tavolino.cli.progress import progress_bar


def evaluate(
    agent: Annotated[str, typer.Argument(help="module:Class, or random, easy, medium, hard or expert.")],
    game: Annotated[str, typer.Argument(help=list_games())],
    players: Annotated[int | None, typer.Option(help="Number of players; 4 if the game allows it.")] = None,
    opponents: Annotated[str, typer.Option(help="Levels, separated by commas.")] = "easy,medium",
    deals: Annotated[int, typer.Option(min=2, help="Number of deals; the agent plays each one in every seat.")] = 200,
    seed: Annotated[str, typer.Option(help="Of the deals; leave it as it is to compare with others.")] = "benchmark 1",
    iterations: IterationsOption = HARD_ITERATIONS,
    option: GameOptions = None,
    workers: WorkersOption = 1,
    ray: RayOption = None,
    to_json: JsonOption = None,
) -> None:
    """Measure an agent on fixed deals against fixed opponents, and print its row for the benchmark.

    The reference, medium, plays the same deals, so the paired difference is known better than the share of wins.
    """
    check_game_name(game)
    options = read_options(option or [])
    sys.path.insert(0, os.getcwd())  # to import agents from the current folder
    from tavolino.lab.evaluate import AgentFailed, Benchmark, table_row
    from tavolino.lab.evaluate import evaluate as run
    from tavolino.lab.ray_cluster import ClusterFailed

    levels = tuple(name.strip() for name in opponents.split(",") if name.strip())
    warn_of_fallbacks((agent, *levels), game)
    benchmark = Benchmark(agent, game, players_or_usual(game, players), levels, deals, seed, options, iterations)
    try:
        with progress_bar(deals * len(levels), "deals") as tell:
            figures = run(benchmark, workers, ray, tell)
    except (AgentFailed, ClusterFailed) as failed:
        raise Failure(failed) from None
    except ValueError as wrong:
        raise WrongUse(wrong) from None
    if to_json is not None:
        write_json(figures, to_json, "figures")
    if to_json == "-":
        return
    heads = ["agent", "deals"]
    for level in levels:
        heads += [f"wins against {level}", "points more than medium"]
    for cells in (heads, ["---"] * len(heads), table_row(figures)):
        print(f"| {' | '.join(cells)} |")
