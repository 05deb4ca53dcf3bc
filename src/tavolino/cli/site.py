"""`tavolino site DIR`: the page in a folder for any static host."""

import re
from pathlib import Path
from typing import Annotated

import typer

from tavolino.cli.errors import Failure
from tavolino.cli.option_values import PackOption, bad_parameter, split_names
from tavolino.engine.extras import require

IN_CHECKOUT = Path(__file__).parents[3] / "build" / "offline"  # where `make offline` builds it
BASE = re.compile(r"/(?:[\w.~-]+/)*")


def site(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write.", file_okay=False)],
    base: Annotated[
        str | None,
        typer.Option(
            help="The path below which the folder will be served, such as /cards/. With it there is a 404.html: "
            "hosts that answer unknown paths with it show the page of the path there.",
        ),
    ] = None,
    games: Annotated[
        str | None, typer.Option(help="The games of the site, separated by commas; else all of the pack.")
    ] = None,
    offline_pack: PackOption = None,
) -> None:
    """Write the page into a folder that any static host serves: games against bots, tutorials, puzzles and rules, with
    the tables in the browser."""
    require("server", "msgspec")
    from tavolino.engine.errors import UnknownGame
    from tavolino.games import load
    from tavolino.server.features.local_tables.installed import installed_pack
    from tavolino.server.features.local_tables.serving import BadPack, read_manifest
    from tavolino.site.writing import CannotWrite, write

    if base is not None and not BASE.fullmatch(base):
        raise typer.BadParameter(f"{base} is no path that begins and ends with /.", param_hint="--base")
    try:
        pack = offline_pack or (IN_CHECKOUT if IN_CHECKOUT.is_dir() else installed_pack())
        if pack is None:
            raise Failure(
                "There is no offline pack. The extra `offline` brings it; in a checkout `make offline` builds it; "
                "--offline-pack says where it is."
            )
        with bad_parameter("--games", UnknownGame):
            chosen = [load(name) for name in split_names(games) or sorted(read_manifest(pack).games)]
        write(folder, pack, chosen, base)
    except (BadPack, CannotWrite) as problem:
        raise Failure(str(problem)) from None
    except OSError as problem:
        raise Failure(f"{problem.filename} could not be written: {problem.strerror}.") from None
    print(f"The site is in {folder}. To look at it: python3 -m http.server --directory {folder} --bind 127.0.0.1")
