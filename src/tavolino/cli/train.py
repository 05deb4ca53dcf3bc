"""`tavolino train`: makes the weights of a game's nets, from nothing."""

from pathlib import Path
from typing import Annotated

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.option_values import RayOption, WorkersOption, find_game, list_games


def train(
    game: Annotated[str, typer.Argument(help=list_games())],
    into: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the weights here; by default, where the game reads them.")
    ] = None,
    folder: Annotated[
        Path,
        typer.Option(help="Keep what has been played and learnt here; the same command continues from there."),
    ] = Path("training"),
    seed: Annotated[int, typer.Option(help="The same seed gives the same weights, bit for bit.")] = 0,
    players: Annotated[int | None, typer.Option(help="Train for this number of players only.")] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Games of the first round; those of later rounds shrink with them.")
    ] = None,
    workers: WorkersOption = 1,
    ray: RayOption = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the loss after each round: a .png or .svg file.")
    ] = None,
) -> None:
    """Train the nets with which expert evaluates positions, by games of medium and then by its own.

    Interrupt it with Ctrl-C whenever you like. The weights do not depend on the number of workers.
    """
    loaded = find_game(game)
    counts = tuple(loaded.players) if players is None else (players,)
    if players is not None and players not in loaded.players:
        raise WrongUse(f"{game} is for {loaded.players[0]} to {loaded.players[-1]} players, not {players}.")
    from tavolino.bots.policies import policy_of
    from tavolino.engine.net_files import FILE, write_nets
    from tavolino.lab.ray_cluster import ClusterFailed
    from tavolino.lab.training import Report, TrainingFailed, TrainingPlan, smaller
    from tavolino.lab.training import train as run

    plan = TrainingPlan(game, counts, seed)
    if games is not None:
        plan = smaller(plan, games)
    losses: list[Report] = []

    def tell(report: Report) -> None:
        if report.loss is not None:
            losses.append(report)
            print(f"{report.players} players, round {report.round + 1}: loss {report.loss:.4f}", flush=True)
        elif report.games % 1000 == 0 or report.games == report.of:
            print(
                f"{report.players} players, round {report.round + 1}: {report.games} of {report.of} games", flush=True
            )

    try:
        weights = run(plan, folder, workers, ray, tell)
    except (TrainingFailed, ClusterFailed) as failed:
        raise Failure(failed) from None
    shape = policy_of(game).net
    assert shape is not None
    path = loaded.folder / FILE if into is None else into
    try:
        version = write_nets(path, game, shape, weights)
    except OSError as problem:
        raise Failure(f"The weights could not be written to {path}: {problem.strerror}.") from None
    print(f"{path}: version {version}")
    if plot is not None:
        from tavolino.lab.plots import plot_training

        plot_training(game, losses, Path(plot))
