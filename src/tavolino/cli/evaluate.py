"""`tavolino evaluate`: the row of an agent in the benchmark."""

from typing import Annotated

import typer

from tavolino.cli.figures import write_json
from tavolino.cli.option_values import (
    HARD_ITERATIONS,
    GameOptions,
    IterationsOption,
    JsonOption,
    PlayersOption,
    RayOption,
    WorkersOption,
    check_game_name,
    list_games,
    players_or_usual,
    read_line_up,
    read_options,
    warn_of_fallbacks,
    wrong_use_or_failure,
)
from tavolino.cli.progress import progress_bar


def evaluate(
    agent: Annotated[str, typer.Argument(help="module:Class, or random, easy, medium, hard or expert.")],
    game: Annotated[str, typer.Argument(help=list_games())],
    players: PlayersOption = None,
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
    from tavolino.lab.evaluate import Benchmark, table_row
    from tavolino.lab.evaluate import evaluate as run
    from tavolino.lab.own_bots import BotFailed

    levels = read_line_up(opponents, game)
    warn_of_fallbacks([agent], game)
    benchmark = Benchmark(agent, game, players_or_usual(game, players), levels, deals, seed, options, iterations)
    with wrong_use_or_failure(BotFailed), progress_bar(deals * len(levels), "deals") as tell:
        figures = run(benchmark, workers, ray, tell)
    if to_json is not None:
        write_json(figures, to_json, "figures")
    if to_json == "-":
        return
    heads = ["agent", "deals"]
    for level in levels:
        heads += [f"wins against {level}", "points more than medium"]
    for cells in (heads, ["---"] * len(heads), table_row(figures)):
        print(f"| {' | '.join(cells)} |")
