"""What is printed and written of a tournament: standings, cross-tables, rows and records of games."""

import json
import re
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from tavolino.cli.errors import Failure
from tavolino.cli.streams import printable

ParquetOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row for each game; needs pyarrow.")]
RecordsOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write each game there; tavolino replay reads them.")
]


COLUMNS = {
    "deal": "string",
    "is_meeting": "bool_",
    "entrant": "string",
    "seat": "int64",
    "score": "float64",
    "fault": "string",
    "sentence": "string",
    "decisions": "int64",
    "seconds": "float64",
    "table": "string",
    "record": "string",
}


def check_pyarrow() -> None:
    if find_spec("pyarrow") is None:
        raise Failure("--parquet needs pyarrow (pip install pyarrow). Without it, use --json and --records.")


def write_parquet(rows: list[dict[str, Any]], path: Path) -> None:
    """All files have the same columns: a column that is not known is null, so files can be read together."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()])
    written = [{**row, "record": row["record"] and json.dumps(row["record"])} for row in rows]
    try:
        parquet.write_table(pyarrow.Table.from_pylist(written, schema=schema), path)
    except OSError as problem:
        raise Failure(f"The games could not be written to {path}: {problem.strerror}.") from None


def write_records(rows: list[dict[str, Any]], folder: Path) -> None:
    """A file for each game; a game of two entrants has one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, record in _files(rows, folder).items():
            path.write_text(json.dumps(record) + "\n", "utf-8")
    except OSError as problem:
        raise Failure(f"The games could not be written to {folder}: {problem.strerror}.") from None


def _files(rows: list[dict[str, Any]], folder: Path) -> dict[Path, Any]:
    """The records by their files. Where names differ in nothing but signs, the files are numbered."""
    files: dict[Path, Any] = {}
    for name, record in {_name(row): row["record"] for row in rows if row["record"] is not None}.items():
        plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
        ways = (f"{plain}.json" if number == 1 else f"{plain}-{number}.json" for number in count(1))
        files[next(path for way in ways if (path := folder / way) not in files)] = record
    return files


def _name(row: dict[str, Any]) -> str:
    """Of a game; both rows of a meeting have the same."""
    return str(row["deal"]) if row["is_meeting"] else f"{row['deal']} {row['entrant']}"


def standings_table(rows: list[dict[str, Any]]) -> Any:
    from rich.box import SIMPLE
    from rich.table import Column, Table

    # A name is never cut off: what is left may be the name of another one.
    table = Table("", Column(overflow="fold"), "games", "wins", "rating", "s/move", "lost by fault", box=SIMPLE)
    for number, row in enumerate(rows, 1):
        faults = [f"{row[fault]} {fault}" for fault in ("late", "failed", "illegal") if row.get(fault)]
        table.add_row(
            str(number),
            printable(row["entrant"]),
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


def cross_table(figures: dict[str, Any], rows: list[dict[str, Any]], key: str, scale: float, written: str) -> Any:
    from rich.box import SIMPLE
    from rich.table import Column, Table

    names = [row["entrant"] for row in figures["standings"]]
    cells = {(row["entrant"], row["other"]): row for row in rows}
    table = Table("", Column(overflow="fold"), *(str(number) for number in range(1, len(names) + 1)), box=SIMPLE)
    for number, name in enumerate(names, 1):
        line = []
        for other in names:
            row = cells.get((name, other))
            reach = 0.0 if row is None else max(row["high"] - row[key], row[key] - row["low"])
            line.append("" if row is None else written.format(scale * row[key], scale * reach))
        table.add_row(str(number), printable(name), *line)
    return table
