"""`tavolino balance`: what a game is like between players of one level."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tavolino.cli.arena import HARD_ITERATIONS
from tavolino.cli.complaints import INTERRUPTED, Failure, WrongUse
from tavolino.cli.figures import hand_over
from tavolino.cli.option_values import check_game_name, read_options
from tavolino.cli.progress import progress_bar


def balance(
    game: Annotated[str, typer.Argument(help="infinity-gauntlet, mantis or splendor-marvel")],
    level: Annotated[str, typer.Option(help="Who plays: random, easy, medium or hard.")] = "medium",
    players: Annotated[str, typer.Option(help="Numbers of players, such as 2,3,4; if empty, all there are.")] = "",
    games: Annotated[int, typer.Option(min=1, help="Games for each number of players.")] = 1000,
    seed: Annotated[str, typer.Option(help="Any text; the same text gives the same games.")] = "0",
    iterations: Annotated[int, typer.Option(min=1, help="Iterations of hard for one decision.")] = HARD_ITERATIONS,
    thanos_life: Annotated[
        str, typer.Option(help="Infinity Gauntlet: also a table over these lives of Thanos, such as 4,5,6.")
    ] = "",
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game, such as icons=false.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    to_json: Annotated[
        str | None, typer.Option("--json", metavar="FILE|-", help="Write the figures there; - is stdout.")
    ] = None,
    plots: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Draw them there, as PNG and as SVG: balance-GAME-*.")
    ] = None,
) -> None:
    """Win rates by seat and side, lengths, ends, and what winners choose, between players of one level."""
    check_game_name(game)
    options = read_options(option or [])
    if thanos_life and game != "infinity-gauntlet":
        raise WrongUse("Life totals are a matter of infinity-gauntlet.")
    import tavolino
    from tavolino.lab.balance import Question
    from tavolino.lab.balance import balance as run

    counts = _numbers(players) or tuple(tavolino.load(game).players)
    question = Question(game, level, counts, games, seed, options, iterations, _numbers(thanos_life))
    try:
        with progress_bar(games * len(question.plans()), "games") as tell:
            figures = run(question, workers, tell)
    except ValueError as wrong:
        raise WrongUse(wrong) from None
    hand_over(figures, to_json, lambda: _show(figures))
    if plots is not None and figures["tables"]:
        _draw(figures, Path(plots))
    if figures["stopped"]:
        raise typer.Exit(INTERRUPTED)


def _numbers(written: str) -> tuple[int, ...]:
    try:
        return tuple(int(number) for number in written.split(",") if number.strip())
    except ValueError:
        raise WrongUse(f"Numbers are written 2,3,4 and not {written!r}.") from None


def _draw(figures: dict[str, Any], folder: Path) -> None:
    from tavolino.lab.plots import plot_actions, plot_life, plot_seats
    from tavolino.lab.ratings import MissingExtra

    drawings: dict[str, Any] = {"seats": plot_seats, "choices": plot_actions}
    if figures["life"]:
        drawings["life"] = plot_life
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
        wins = Table("", "wins", "95 % interval", "even", box=SIMPLE)
        for row in table["wins"]:
            wins.add_row(
                row["who"], f"{row['share']:.1%}", f"{row['low']:.1%} to {row['high']:.1%}", f"{row['even']:.1%}"
            )
        console.print(wins)
    if figures["life"]:
        life = Table("players", "life of heroes", "life of Thanos", "Thanos wins", "95 % interval", box=SIMPLE)
        for row in figures["life"]:
            interval = f"{row['low']:.1%} to {row['high']:.1%}"
            numbers = (str(row[name]) for name in ("players", "hero_life", "thanos_life"))
            life.add_row(*numbers, f"{row['share']:.1%}", interval)
        console.print(life)
    if figures["actions"]:
        choices = Table("choice", "times a game", "by a winner", box=SIMPLE)
        for row in figures["actions"][:20]:
            choices.add_row(row["action"], f"{row['per_game']:.2f}", f"{row['won']:.1%}")
        console.print(choices)
    if not figures["tables"]:
        print("Nothing was finished.", file=sys.stderr)
