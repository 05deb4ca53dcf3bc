"""Files that an address will need, named in the head of the page, so that the browser requests all of them at once.

Without these tags it learns of them one after the other: from the first script the texts and the page of a table, from
the table its game, from the game its texts; on a slow line each step is a round trip. Which file needs which others is
in `modules.json`, written by the build of the page (Vite's manifest).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

INDEX = "index.html"
TABLE = "src/pages/TablePage.svelte"


class Module(msgspec.Struct, frozen=True):
    """A source file of the page, and the built files that it needs."""

    file: str
    imports: tuple[str, ...] = ()
    css: tuple[str, ...] = ()


Modules = Mapping[str, Module]


def read_modules(body: bytes) -> Modules:
    return msgspec.json.decode(body, type=dict[str, Module])


def tags(modules: Modules, language: str, game: str | None, table: str | None) -> list[str]:
    """What every page needs in a language; for a table also its page, the drawing and texts of its game, its state."""
    wanted = [f"src/i18n/texts/{language}.ts"]
    answers = []
    if table is not None and game is not None:
        wanted += [TABLE, f"src/games/{game}/index.ts", f"src/games/{game}/texts/{language}.json"]
        answers = [f"/api/texts/{language}", f"/api/tables/{table}"]
    there = _needed(modules, [INDEX])
    needed = [module for name, module in _needed(modules, wanted).items() if name not in there]
    scripts = dict.fromkeys(module.file for module in needed if module.file.endswith(".js"))
    styles = dict.fromkeys(file for module in needed for file in module.css)
    return [
        *(f'<link rel="modulepreload" crossorigin href="/{file}" />' for file in scripts),
        *(f'<link rel="preload" as="style" crossorigin href="/{file}" />' for file in styles),
        *(f'<link rel="preload" as="fetch" crossorigin="anonymous" href="{path}" />' for path in answers),
    ]


def _needed(modules: Modules, wanted: Iterable[str]) -> dict[str, Module]:
    """These modules and all that they import, each once. A game without a drawing of its own has none."""
    found: dict[str, Module] = {}
    left = list(wanted)
    while left:
        name = left.pop(0)
        if name in modules and name not in found:
            found[name] = modules[name]
            left += modules[name].imports
    return found
