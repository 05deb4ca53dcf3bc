"""`tavolino arena`: bots against each other, in mirrored deals, with intervals and ratings."""

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
    players_or_usual,
    read_line_up,
    read_options,
    wrong_use_or_failure,
)
from tavolino.cli.progress import progress_bar

PLOTS = (".png", ".svg")


def arena(
    game: Annotated[str, typer.Argument(help=list_games())],
    bots: Annotated[
        str,
        typer.Option(help="The bots, separated by commas: random, easy, medium, hard, expert, or module:Class."),
    ] = "hard,medium",
    games: Annotated[
        int, typer.Option(min=1, help="At least this many games; each deal is played in all seatings.")
    ] = 200,
    players: Annotated[
        int | None, typer.Option(help="Number of players, 4 if the game allows it; the bots are repeated.")
    ] = None,
    seed: SeedOption = "0",
    iterations: IterationsOption = HARD_ITERATIONS,
    option: GameOptions = None,
    workers: WorkersOption = 1,
    ray: RayOption = None,
    to_json: JsonOption = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the win rates: a .png or .svg file.")] = None,
) -> None:
    """Let bots play against each other and see how often each one wins.

    Every deal is played once in every seating, so that luck and seats are the same for every bot. Where one side
    is a single player, every bot plays alone against a team of every other bot. After Ctrl-C you see the games so far.
    """
    check_game_name(game)
    options = read_options(option or [])
    if plot is not None and Path(plot).suffix.lower() not in PLOTS:
        raise WrongUse(f"The name of a plot must end in .png or .svg, not {plot!r}.")
    from tavolino.lab.arena import arena as run
    from tavolino.lab.arena import deals_for
    from tavolino.lab.matches import Plan
    from tavolino.lab.own_bots import BotFailed

    names, seats = read_line_up(bots, game), players_or_usual(game, players)
    with wrong_use_or_failure(BotFailed):
        plan = deals_for(Plan(game, seats, names, 1, seed, options, iterations), games)
        with progress_bar(plan.deals, "deals") as tell:
            figures = run(plan, workers, ray, tell)
    write_figures(figures, to_json, lambda: _show(figures))
    if plot is not None and figures["standings"]:
        _draw(figures, plot)
    if figures["stopped"]:
        raise typer.Exit(INTERRUPTED)


def _draw(figures: dict[str, Any], plot: str) -> None:
    from tavolino.engine.extras import MissingExtra
    from tavolino.lab.plots import plot_arena

    try:
        plot_arena(figures, Path(plot))
    except MissingExtra as missing:
        raise Failure(missing) from None
    except (OSError, ValueError) as problem:
        raise Failure(f"The plot could not be written to {plot}: {problem}.") from None


def _show(figures: dict[str, Any]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from tavolino.games import meta_of

    console = Console(highlight=False, markup=False)
    searched = f", hard with {figures['iterations']:,} iterations" if figures["iterations"] else ""
    console.print(f"{figures['game']}, {figures['players']} players, {figures['games']:,} games{searched}")
    table = Table("", "games", "wins", "95% interval", "even", "rating", box=SIMPLE)
    for row in figures["standings"]:
        interval = f"{row['low']:.1%} to {row['high']:.1%}"
        rating = f"{row['mu']:.1f} ± {row['sigma']:.1f}"
        table.add_row(row["bot"], f"{row['games']:,}", f"{row['share']:.1%}", interval, f"{row['even']:.1%}", rating)
    console.print(table)
    if figures["pairings"]:
        teams = meta_of(figures["game"]).teams
        assert teams is not None
        pairs = Table(teams.one, teams.others, f"{teams.one} wins", "95% interval", box=SIMPLE)
        for row in figures["pairings"]:
            interval = f"{row['low']:.1%} to {row['high']:.1%}"
            pairs.add_row(row["one"], row["team"], f"{row['share']:.1%}", interval)
        console.print(pairs)
