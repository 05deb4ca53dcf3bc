"""`tavolino tournament-games URL`: the results and games of a tournament on a server, as data."""

import re
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.figures import write_figures
from tavolino.cli.option_values import JsonOption
from tavolino.cli.progress import progress_bar
from tavolino.cli.streams import printable
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
    from tavolino.agents.server_link import ServerLink

PAGE = re.compile(r"(https?://.+)/tournament/([A-Za-z0-9_-]{22})/?")
SEAT = 0  # of every entrant at a server


def tournament_games(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page of the tournament: https://.../tournament/ID.")],
    to_json: JsonOption = None,
    parquet: ParquetOption = None,
    records: RecordsOption = None,
) -> None:
    """Read a tournament from a server: its standings, a cross-table, and the games of all deals that are open.

    It needs no name there. A deal is open when nobody can play it any more.
    """
    page = PAGE.fullmatch(url)
    if page is None:
        raise WrongUse(f"{url!r} is not the page of a tournament: it ends with /tournament/ID.")
    if parquet is not None:
        check_pyarrow()
    from tavolino.agents.server_link import ServerLink
    from tavolino.agents.tables import Trouble

    address, name = page.groups()
    link = ServerLink(address)
    try:
        shown = link.read(f"/api/tournaments/{name}")
        entrants = _entrants(shown["standings"])
        rows = _games(link, shown, entrants) if to_json or parquet or records else []
        figures = _figures(shown, entrants)
    except Trouble as trouble:
        raise Failure(f"{address}: {trouble}") from None
    except (ValueError, LookupError, TypeError):
        raise Failure(f"What answers at {address} does not have tournaments as this version knows them.") from None
    if records is not None:
        write_records(rows, records)
    if parquet is not None:
        write_parquet(rows, parquet)
    write_figures({**figures, "rows": rows, "stopped": False}, to_json, lambda: _show(figures))


def _entrants(standings: list[dict[str, Any]]) -> dict[int, str]:
    """What each entrant is called, by its number: the name, with the number where several have that name."""
    names = {one["number"]: one["name"] or "-" for one in standings}
    often = Counter(names.values())
    return {number: name if often[name] == 1 else f"{name} ({number})" for number, name in names.items()}


def _games(link: "ServerLink", shown: dict[str, Any], entrants: dict[int, str]) -> list[dict[str, Any]]:
    """A row for each game, as `tavolino tournament` has them; no record where the table was removed."""
    from tavolino.agents.server_link import Refusal

    rows = []
    with progress_bar(shown["deals"], "deals") as tell:
        for number in range(1, shown["deals"] + 1):
            for result in link.read(f"/api/tournaments/{shown['id']}/deals/{number}")["results"]:
                try:
                    record = link.read(f"/api/tables/{result['table']}/record")
                except Refusal:
                    record = None
                # Somebody who was forgotten in this moment is no longer among the entrants.
                name = entrants.get(result["number"], result["entrant"] or "-")
                row = {"deal": f"deal {number}", "is_meeting": False, "entrant": name, "seat": SEAT}
                rows.append({**row, "score": result["score"], "table": result["table"], "record": record})
            tell(number)
    return rows


def _figures(shown: dict[str, Any], entrants: dict[int, str]) -> dict[str, Any]:
    """As the page has them, with the entrants as in the rows."""
    names = [entrants[one["number"]] for one in shown["standings"]]
    return {
        **shown,
        "standings": [{**one, "entrant": name} for one, name in zip(shown["standings"], names, strict=True)],
        "differences": [
            {**one, "entrant": names[one["entrant"]], "other": names[one["other"]]} for one in shown["differences"]
        ],
    }


def _show(figures: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    heading = (
        f"{figures['title']}: {figures['game']}, {figures['seats']} players, {figures['closed_deals']:,} of "
        f"{figures['deals']:,} deals are open, with 95% intervals"
    )
    console.print(printable(heading))
    counted = [{**one, "games": one["counted"], "seconds": 0} for one in figures["standings"] if one["counted"]]
    if counted:
        console.print(standings_table(counted))
    if figures["differences"]:
        console.print("Wins of the row more than of the column, in points of 100 games with the same cards:")
        console.print(cross_table(figures, figures["differences"], "mean", 100, "{:+.0f} ± {:.0f}"))
