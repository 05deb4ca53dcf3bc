"""Values on the command line: NAME=VALUE for the options of a game, the name of the game, the language."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tavolino.cli.complaints import WrongUse
from tavolino.engine.errors import UnknownGame

if TYPE_CHECKING:
    from tavolino.engine.game import Game

LANGUAGES = ("en", "it", "pl")


def find_game(name: str) -> "Game":
    """The game of that name; whoever misspells it is told the names."""
    import tavolino

    try:
        return tavolino.load(name)
    except UnknownGame as unknown:
        raise WrongUse(unknown) from None


def check_game_name(name: str) -> None:
    """WrongUse for a game that there is not, without loading any."""
    import tavolino

    if name not in tavolino.games():
        raise WrongUse(f"There is no game {name!r}; there are: {', '.join(tavolino.games())}.")


def read_options(written: Sequence[str]) -> dict[str, Any]:
    """`icons=false` and the like: the value is read as JSON."""
    options: dict[str, Any] = {}
    for text in written:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise WrongUse(f"An option of a game is written NAME=VALUE, not {text!r}.")
        if name in options:
            raise WrongUse(f"The option {name} is given twice.")
        try:
            options[name] = json.loads(value)
        except ValueError:
            raise WrongUse(f"The value of {text!r} is not JSON, such as false or 3.") from None
    return options


def choose_language(wished: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language that is asked for, or else that of the environment; English where we do not speak it."""
    if wished is not None:
        if wished not in LANGUAGES:
            raise WrongUse(f"There is no language {wished!r}; there are: {', '.join(LANGUAGES)}.")
        return wished
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            spoken = environment[variable][:2].lower()
            return spoken if spoken in LANGUAGES else "en"
    return "en"
