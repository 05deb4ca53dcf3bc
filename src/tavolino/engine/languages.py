"""The available languages: those with a file in every catalogue, and those with a folder of their own.

The folder of a language is named by its code and has a file for each part that it translates:

    de/engine.json  de/cli.json  de/server.json  de/GAME.json    the same keys as texts/en.json there
    de/page.json    de/page-GAME.json                            the page's own texts, and those of a drawing
    de/rules/GAME.md                                             the rules for players

Any file may be missing, and any key in a file: English is used instead. Language folders are found in `languages/` of
the package, and in the folder that the environment variable TAVOLINO_LANGUAGES names.
"""

import json
import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tavolino.engine.messages import LANGUAGES

SOURCE_LANGUAGE = "en"  # every catalogue has it; other languages may be incomplete
VARIABLE = "TAVOLINO_LANGUAGES"
PACKAGED = Path(__file__).parents[1] / "languages"
CODE = re.compile(r"[a-z]{2,3}")


@cache
def language_folders() -> Mapping[str, Path]:
    """The languages that have a folder of their own, by code."""
    named = os.environ.get(VARIABLE)
    found = {}
    for place in (PACKAGED, Path(named)) if named else (PACKAGED,):
        for folder in sorted(place.iterdir()) if place.is_dir() else ():
            if folder.is_dir() and CODE.fullmatch(folder.name) and folder.name not in LANGUAGES:
                found[folder.name] = folder
    return found


def languages() -> tuple[str, ...]:
    """The codes of all languages, the complete ones first."""
    return *LANGUAGES, *sorted(language_folders())


def read_part(language: str, part: str) -> Mapping[str, str]:
    """The texts in a language's folder for a part (`engine`, `page`, the name of a game); empty if there are none."""
    folder = language_folders().get(language)
    path = folder / f"{part}.json" if folder else None
    if path is None or not path.is_file():
        return {}
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    return texts
