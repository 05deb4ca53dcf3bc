"""Values on the command line: the name of a game, NAME=VALUE for its options, levels of bots, the language."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.engine.errors import UnknownGame
from tavolino.engine.languages import languages

if TYPE_CHECKING:
    from tavolino.engine.game import Game

USUAL_PLAYERS = 4
UNITS = {"m": 60, "h": 3_600, "d": 86_400}
DURATION = re.compile(r"([1-9][0-9]{0,4})([mhd])")
HARD_ITERATIONS = 1000
PlayersOption = Annotated[int | None, typer.Option(help="Number of players; 4 if the game allows it.")]
SeedOption = Annotated[str, typer.Option(help="Any text; the same text gives the same games.")]
IterationsOption = Annotated[int, typer.Option(min=1, help="Search iterations of a hard or expert bot per decision.")]
GameOptions = Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A game option; the value is JSON.")]
WorkersOption = Annotated[int, typer.Option(min=1, help="Number of processes.")]
RayOption = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster; local starts one here.")]


def check_json_file(to_json: str | None) -> str | None:
    """Raise Failure before the work is done if its folder does not exist."""
    if to_json not in (None, "-") and not Path(to_json).absolute().parent.is_dir():
        raise Failure(f"The file {to_json} could not be written: its folder does not exist.")
    return to_json


JsonOption = Annotated[
    str | None,
    typer.Option(
        "--json", metavar="FILE|-", callback=check_json_file, help="Write the figures to this file; - is stdout."
    ),
]
PackOption = Annotated[
    Path | None,
    typer.Option(
        help="The folder with the offline pack (make offline), for play without a connection. By default the installed "
        "one (the extra offline).",
        envvar="TAVOLINO_OFFLINE_PACK",
        exists=True,
        file_okay=False,
    ),
]
LANGUAGE_HELP = f"One of {', '.join(languages())}; by default, the language of your system."


def list_games() -> str:
    """The names of the games, for help."""
    import tavolino

    *others, last = tavolino.games()
    return f"{', '.join(others)} or {last}" if others else last


def find_game(name: str) -> "Game":
    """The game of that name; an unknown name is a WrongUse that lists the names."""
    import tavolino

    try:
        return tavolino.load(name)
    except UnknownGame as unknown:
        raise WrongUse(unknown) from None


def check_game_name(name: str) -> None:
    """Raise WrongUse for an unknown game, without loading any."""
    import tavolino

    if name not in tavolino.games():
        raise WrongUse(f"There is no game {name!r}. Games: {', '.join(tavolino.games())}.")


def players_or_usual(name: str, players: int | None) -> int:
    """The requested number of players, or else the number nearest to four that the game allows."""
    from tavolino.games import meta_of

    allowed = meta_of(name).players
    return min(max(USUAL_PLAYERS, allowed[0]), allowed[-1]) if players is None else players


def split_names(written: str | None) -> tuple[str, ...]:
    """Names that are separated by commas."""
    return tuple(name.strip() for name in (written or "").split(",") if name.strip())


def read_line_up(written: str, game: str) -> tuple[str, ...]:
    """Who plays: levels of bots, or module:Class, also from the current folder."""
    names = split_names(written)
    warn_of_fallbacks(names, game)
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    return names


@contextmanager
def wrong_use_or_failure(*failures: type[Exception]) -> Iterator[None]:
    """A ValueError of the laboratory says what cannot be played; `failures`, and a lost cluster, what went wrong."""
    from tavolino.lab.ray_cluster import ClusterFailed

    went_wrong: tuple[type[Exception], ...] = (ClusterFailed, *failures)
    try:
        yield
    except went_wrong as failed:
        raise Failure(failed) from None
    except ValueError as wrong:
        raise WrongUse(wrong) from None


@contextmanager
def bad_parameter(option: str, *errors: type[Exception]) -> Iterator[None]:
    """These errors are about the value of an option."""
    try:
        yield
    except errors as wrong:
        raise typer.BadParameter(str(wrong), param_hint=option) from None


def warn_of_fallbacks(levels: Iterable[str], game: str) -> None:
    """Print on stderr which levels this game replaces by others."""
    from tavolino.bots import LEVELS, fallback

    for level in dict.fromkeys(levels):
        sentence = fallback(level, game) if level in LEVELS else None
        if sentence is not None:
            print(f"tavolino: {sentence}", file=sys.stderr)


def read_varied(written: str | None) -> tuple[str, tuple[Any, ...]] | None:
    """`NAME=VALUE,VALUE,...`: an option of a game and several values for it."""
    if written is None:
        return None
    name, equals, values = written.partition("=")
    try:
        read = json.loads(f"[{values}]")
    except ValueError:
        read = []
    if not equals or not name or not read:
        raise WrongUse(f"Write an option to vary as NAME=VALUE,VALUE,..., not {written!r}.")
    return name, tuple(read)


def read_options(written: Sequence[str]) -> dict[str, Any]:
    """NAME=VALUE, once for each option: the value is read as JSON."""
    options: dict[str, Any] = {}
    for text in written:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise WrongUse(f"Write a game option as NAME=VALUE, not {text!r}.")
        if name in options:
            raise WrongUse(f"The option {name} is given twice.")
        try:
            options[name] = json.loads(value)
        except ValueError:
            raise WrongUse(f"The value in {text!r} must be JSON, such as false or 3.") from None
    return options


def read_duration(written: str) -> int:
    """30m, 12h or 7d, in seconds."""
    found = DURATION.fullmatch(written)
    if found is None:
        raise WrongUse(f"{written!r} is not a duration: write 30m, 12h or 7d.")
    return int(found[1]) * UNITS[found[2]]


def choose_language(chosen: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The requested language, or else that of the environment; English if there are no texts in it."""
    if chosen is not None:
        if chosen not in languages():
            raise WrongUse(f"There is no language {chosen!r}. Languages: {', '.join(languages())}.")
        return chosen
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            spoken = environment[variable][:2].lower()
            return spoken if spoken in languages() else "en"
    return "en"


def warn_of_untranslated(language: str, game: "Game") -> None:
    """Print on stderr how much of the texts is translated, unless all of it is."""
    from tavolino.cli.words import FOLDER
    from tavolino.engine.texts import SHARED, percent_translated

    percent = percent_translated((SHARED, FOLDER, game.folder), language)
    if percent < 100:
        print(
            f"tavolino: {percent}% of the texts are translated ({language}); the others are in English.",
            file=sys.stderr,
        )
