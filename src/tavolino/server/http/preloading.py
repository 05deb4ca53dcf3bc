"""Files that an address will need, named in the head of the page, so that the browser requests all of them at once.

Without these tags it learns of them one after the other: from the first script the texts and the page of a table, from
the table its game, from the game its texts; on a slow line each step is a round trip. Which file needs which others is
in `modules.json`, written by the build of the page (Vite's manifest).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

import msgspec

INDEX = "index.html"
TABLE = "src/pages/TablePage.svelte"
WAITING = "src/room/WaitingRoom.svelte"


class Module(msgspec.Struct, frozen=True):
    """A source file of the page, and the built files that it needs."""

    file: str
    imports: tuple[str, ...] = ()
    css: tuple[str, ...] = ()


Modules = Mapping[str, Module]


def read_modules(body: bytes) -> Modules:
    return msgspec.json.decode(body, type=dict[str, Module])


def tags(modules: Modules, language: str, game: str | None, table: str | None, is_waiting: bool = False) -> list[str]:
    """What every page needs in a language; for a table also its page, the drawing and texts of its game, its state.

    What a table needs has a low priority: the header and the texts are drawn before it.
    """
    first = _needed(modules, [INDEX])
    texts = _needed(modules, [f"src/i18n/texts/{language}.ts"], first)
    later: dict[str, Module] = {}
    answers = []
    if table is not None and game is not None:
        wanted = [TABLE, f"src/games/{game}/index.ts", f"src/games/{game}/texts/{language}.json"]
        later = _needed(modules, [*wanted, *([WAITING] if is_waiting else [])], {**first, **texts})
        answers = [f"/api/texts/{language}", f"/api/tables/{table}"]
    styles = dict.fromkeys(file for module in later.values() for file in module.css)
    return [
        *(f'<link rel="modulepreload" crossorigin href="/{module.file}" />' for module in texts.values()),
        *(f'<link rel="modulepreload" crossorigin fetchpriority="low" href="/{m.file}" />' for m in later.values()),
        *(f'<link rel="preload" as="style" crossorigin fetchpriority="low" href="/{file}" />' for file in styles),
        *(f'<link rel="preload" as="fetch" crossorigin="anonymous" href="{path}" />' for path in answers),
    ]


def _needed(modules: Modules, wanted: Iterable[str], there: Container[str] = ()) -> dict[str, Module]:
    """These modules and all that they import, each once, but for those that are there already. A game without a drawing
    of its own has none."""
    found: dict[str, Module] = {}
    left = list(wanted)
    while left:
        name = left.pop(0)
        if name in modules and name not in found and name not in there:
            found[name] = modules[name]
            left += modules[name].imports
    return found
