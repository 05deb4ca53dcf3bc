"""`tavolino tournament`: programs and bots play the same deals, each of them once, with ratings and a cross-table."""

import json
import re
import secrets
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import INTERRUPTED, Failure
from tavolino.cli.figures import write_figures
from tavolino.cli.option_values import (
    HARD_ITERATIONS,
    GameOptions,
    IterationsOption,
    JsonOption,
    PlayersOption,
    WorkersOption,
    check_game_name,
    list_games,
    players_or_usual,
    read_line_up,
    read_options,
    wrong_use_or_failure,
)
from tavolino.cli.progress import progress_bar

if TYPE_CHECKING:
    from tavolino.lab.tournament.journal import Journal
    from tavolino.lab.tournament.plan import Plan


def tournament(
    game: Annotated[str, typer.Argument(help=list_games())],
    entrants: Annotated[
        str, typer.Option(help="Who takes part, separated by commas: levels of bots, or module:Class.")
    ] = "easy,medium,hard",
    against: Annotated[
        str, typer.Option(help="The fixed bots in the other seats, in order; the last one has the remaining seats.")
    ] = "medium",
    deals: Annotated[int, typer.Option(min=1, help="Number of deals; every entrant plays each of them once.")] = 100,
    meetings: Annotated[
        int, typer.Option(min=0, help="Games of each pair of entrants at one table, in deals of their own.")
    ] = 0,
    players: PlayersOption = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write each deal into this file, and go on where it ends.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.01, help="Time of a program for each decision; who is late loses the game.")
    ] = 5.0,
    seed: Annotated[str | None, typer.Option(help="Any text; random by default.")] = None,
    iterations: IterationsOption = HARD_ITERATIONS,
    option: GameOptions = None,
    workers: WorkersOption = 1,
    to_json: JsonOption = None,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row for each game; needs pyarrow.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write each game there; tavolino replay reads them.")
    ] = None,
) -> None:
    """Let programs and bots play the same deals, and rate them.

    Every entrant plays each deal once: the same cards, in the same seat, against the same bots. With --file a
    tournament goes on where it was stopped, also with more deals. After Ctrl-C you see the deals so far.
    """
    check_game_name(game)
    if parquet is not None:
        _check_pyarrow()
    names, fixed = read_line_up(entrants, game), read_line_up(against, game)
    from tavolino.lab.tournament.figures import figures_of, rows_of
    from tavolino.lab.tournament.plan import Plan
    from tavolino.lab.tournament.running import run

    seats, chosen = players_or_usual(game, players), read_options(option or [])
    known = _seed_in(file) if seed is None else seed
    plan = Plan(game, seats, names, fixed, deals, meetings, known, chosen, iterations, seconds)
    with wrong_use_or_failure():
        plan.check()
    journal = _open(file, plan)
    try:
        with wrong_use_or_failure(), progress_bar(sum(1 for _ in plan.all_deals()), "deals") as tell:
            is_stopped = run(plan, journal, workers, tell)
    finally:
        journal.close()
    figures = {**figures_of(plan, journal.ended), "stopped": is_stopped}
    rows = rows_of(journal.ended)
    if records is not None:
        _write_records(rows, records)
    if parquet is not None:
        _write_parquet(rows, parquet)
    write_figures(figures, to_json, lambda: _show(figures))
    if is_stopped:
        raise typer.Exit(INTERRUPTED)


def _seed_in(file: Path | None) -> str:
    """The seed that a file began with, else a random one: programs cannot know the deals."""
    from tavolino.lab.tournament.journal import BadJournal, seed_in

    try:
        known = None if file is None else seed_in(file)
    except BadJournal as problem:
        raise Failure(problem) from None
    return secrets.token_hex(16) if known is None else known


def _open(file: Path | None, plan: "Plan") -> "Journal":
    from tavolino.games import meta_of
    from tavolino.lab.tournament.journal import BadJournal, Journal

    try:
        return Journal(file, plan, meta_of(plan.game).rules)
    except BadJournal as problem:
        raise Failure(problem) from None


def _check_pyarrow() -> None:
    if find_spec("pyarrow") is None:
        raise Failure("--parquet needs pyarrow (pip install pyarrow). Without it, use --json and --records.")


def _write_parquet(rows: list[dict[str, Any]], path: Path) -> None:
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    written = [{**row, "record": json.dumps(row["record"])} for row in rows]
    try:
        parquet.write_table(pyarrow.Table.from_pylist(written), path)
    except OSError as problem:
        raise Failure(f"The games could not be written to {path}: {problem.strerror}.") from None


def _write_records(rows: list[dict[str, Any]], folder: Path) -> None:
    """A file for each game; a game of two entrants has one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in rows:
            name = row["deal"] if row["is_meeting"] else f"{row['deal']} {row['entrant']}"
            path = folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}.json"
            path.write_text(json.dumps(row["record"]) + "\n", "utf-8")
    except OSError as problem:
        raise Failure(f"The games could not be written to {folder}: {problem.strerror}.") from None


def _show(figures: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    fixed = ", ".join(dict.fromkeys(figures["against"]))
    console.print(
        f"{figures['game']}, {figures['players']} players: {figures['deals']:,} deals against {fixed}, "
        f"{figures['games']:,} games, with 95% intervals"
    )
    if figures["standings"]:
        console.print(_standings(figures["standings"]))
        if len(figures["standings"]) > 1:
            console.print("Wins of the row more than of the column, in points of 100 games with the same cards:")
            console.print(_cross_table(figures, figures["differences"], "mean", 100, "{:+.0f} ± {:.0f}"))
    if figures["meetings"]:
        console.print("Wins of the row against the column, in games of both:")
        console.print(_cross_table(figures, figures["meetings"], "share", 100, "{:.0f}% ± {:.0f}"))


def _standings(rows: list[dict[str, Any]]) -> Any:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table("", "", "games", "wins", "rating", "s/move", "lost by fault", box=SIMPLE)
    for number, row in enumerate(rows, 1):
        faults = [f"{row[fault]} {fault}" for fault in ("late", "failed", "illegal") if row[fault]]
        table.add_row(
            str(number),
            row["entrant"],
            f"{row['games']:,}",
            f"{row['share']:.0%} ({row['low']:.0%} to {row['high']:.0%})",
            _rating(row),
            f"{row['seconds']:.3f}" if row["seconds"] else "",
            ", ".join(faults),
        )
    return table


def _rating(row: dict[str, Any]) -> str:
    """With its interval, which is open for who may lose or win all games."""
    low, high = row["rating_low"], row["rating_high"]
    if low is None or high is None:
        return ("" if high is None else f"under {high:.0f}") if low is None else f"over {low:.0f}"
    return f"{row['rating']:.0f} ({low:.0f} to {high:.0f})"


def _cross_table(figures: dict[str, Any], rows: list[dict[str, Any]], key: str, scale: float, written: str) -> Any:
    from rich.box import SIMPLE
    from rich.table import Table

    names = [row["entrant"] for row in figures["standings"]]
    cells = {(row["entrant"], row["other"]): row for row in rows}
    table = Table("", "", *(str(number) for number in range(1, len(names) + 1)), box=SIMPLE)
    for number, name in enumerate(names, 1):
        line = []
        for other in names:
            row = cells.get((name, other))
            reach = 0.0 if row is None else max(row["high"] - row[key], row[key] - row["low"])
            line.append("" if row is None else written.format(scale * row[key], scale * reach))
        table.add_row(str(number), name, *line)
    return table
