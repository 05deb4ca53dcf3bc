"""`tavolino verify FILE`: was this deal fair, and does the game replay?"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer


def verify(
    file: Annotated[
        Path,
        typer.Argument(help="A record from a finished table.", exists=True, dir_okay=False, readable=True),
    ],
    commitment: Annotated[
        str | None,
        typer.Option(help="The commitment that you kept from before the deal.", metavar="HEX"),
    ] = None,
    salt: Annotated[str | None, typer.Option(help="The salt that your browser added.", metavar="HEX")] = None,
) -> None:
    """Deal a finished game again from its revealed secret and compare everything with the record."""
    from tavolino.server.verifying import check_record

    try:
        record: Any = json.loads(file.read_text("utf-8"))
    except (ValueError, UnicodeDecodeError) as wrong:
        typer.echo(f"{file} is not JSON: {wrong}", err=True)
        raise typer.Exit(1) from None
    checks = check_record(record, commitment, salt)
    for check in checks:
        typer.echo(f"{'ok  ' if check.holds else 'FAIL'}  {check.what}")
    if not all(check.holds for check in checks):
        typer.echo("The record does not hold.", err=True)
        raise typer.Exit(1)
    typer.echo(
        "The record holds."
        if commitment
        else "The record holds. Give --commitment with the value that you "
        "kept from before the deal: without it the server's word is all there is."
    )
