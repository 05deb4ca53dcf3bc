"""`tavolino tournament`: programs and bots play the same deals, each of them once, with ratings and a cross-table."""

import secrets
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
from tavolino.cli.tournament_output import (
    ParquetOption,
    RecordsOption,
    check_pyarrow,
    cross_table,
    standings_table,
    write_parquet,
    write_records,
)

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
    parquet: ParquetOption = None,
    records: RecordsOption = None,
) -> None:
    """Let programs and bots play the same deals, and rate them.

    Every entrant plays each deal once: the same cards, in the same seat, against the same bots. With --file a
    tournament goes on where it was stopped, also with more deals. After Ctrl-C you see the deals so far.
    """
    check_game_name(game)
    if parquet is not None:
        check_pyarrow()
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
        write_records(rows, records)
    if parquet is not None:
        write_parquet(rows, parquet)
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


def _show(figures: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    fixed = ", ".join(dict.fromkeys(figures["against"]))
    console.print(
        f"{figures['game']}, {figures['players']} players: {figures['deals']:,} deals against {fixed}, "
        f"{figures['games']:,} games, with 95% intervals"
    )
    if figures["standings"]:
        console.print(standings_table(figures["standings"]))
        for row in figures["standings"]:
            if row["first_fault"]:
                console.print(row["first_fault"])
        if len(figures["standings"]) > 1:
            console.print("Wins of the row more than of the column, in points of 100 games with the same cards:")
            console.print(cross_table(figures, figures["differences"], "mean", 100, "{:+.0f} ± {:.0f}"))
    if figures["meetings"]:
        console.print("Wins of the row against the column, in games of both:")
        console.print(cross_table(figures, figures["meetings"], "share", 100, "{:.0f}% ± {:.0f}"))
