"""Writes the page's types and card facts from each game's view.py: `python -m tavolino.engine.typescript [FOLDER]`.

FOLDER (web/src/games) has a folder for each game that the page draws. Into it go `view.ts`, the TypedDicts of the
game's view.py as interfaces, and `parts.ts`, what `GAME.parts` says about cards. `scripts/build-page` runs it
before it builds the page; the files are not committed.
"""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

FOLDER = Path("web/src/games")
COMMON = "import type { View as CommonView } from '../../api/protocol'"
PRIMITIVES = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "unknown"}


def literals(module: ModuleType) -> dict[tuple[Any, ...], str]:
    """The Literal types that have a name in a module: `Colour = Literal["red", "blue"]`."""
    return {get_args(thing): name for name, thing in vars(module).items() if get_origin(thing) is Literal}


def typed_dicts(module: ModuleType) -> list[type]:
    """The TypedDicts of a module, in the order in which they are written."""
    return [thing for thing in vars(module).values() if is_typeddict(thing) and thing.__module__ == module.__name__]


def spell(hint: Any, names: dict[tuple[Any, ...], str]) -> str:
    """One Python type in TypeScript."""
    if hint in PRIMITIVES:
        return PRIMITIVES[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return names.get(arguments) or _words(arguments)
    if origin in (Union, UnionType):
        return " | ".join(spell(each, names) for each in arguments)
    if origin is list:
        item = spell(arguments[0], names)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if origin is dict:
        return f"Record<{', '.join(spell(each, names) for each in arguments)}>"
    raise TypeError(f"no TypeScript for {hint!r}")


def _words(values: tuple[Any, ...]) -> str:
    return " | ".join(f"'{value}'" for value in values)


def _interface(kind: type, names: dict[tuple[Any, ...], str]) -> str:
    base = " extends CommonView" if kind.__name__ == "View" else ""
    doc = f"/** {kind.__doc__} */\n" if kind.__doc__ and "\n" not in kind.__doc__ else ""
    rows = "".join(f"  {name}: {spell(hint, names)}\n" for name, hint in get_type_hints(kind).items())
    return f"{doc}export interface {kind.__name__}{base} {{\n{rows}}}\n"


def view_types(module: ModuleType) -> str:
    """The file view.ts of a game."""
    names = literals(module)
    head = f"// Generated from {_source(module)} by `python -m tavolino.engine.typescript`. Do not edit.\n"
    aliases = [f"export type {name} = {_words(words)}\n" for words, name in names.items()]
    return "\n".join([head, f"{COMMON}\n", *aliases, *(_interface(kind, names) for kind in typed_dicts(module))])


def part_values(module: ModuleType, parts: dict[str, Any]) -> str:
    """The file parts.ts of a game. One constant for each key of its TypedDict `Parts`: a bundler drops the unused."""
    names = literals(module)
    hints = get_type_hints(module.Parts)
    used = sorted({name for hint in hints.values() for name in _named(hint, names)})
    head = "// Generated from `GAME.parts` by `python -m tavolino.engine.typescript`. Do not edit.\n"
    imports = f"import type {{ {', '.join(used)} }} from './view'\n" if used else ""
    constants = [f"export const {key}: {spell(hint, names)} = {_value(parts[key])}\n" for key, hint in hints.items()]
    return "\n".join([head, imports, *constants])


def _named(hint: Any, names: dict[tuple[Any, ...], str]) -> Iterator[str]:
    if is_typeddict(hint):
        yield hint.__name__
    elif get_origin(hint) is Literal and get_args(hint) in names:
        yield names[get_args(hint)]
    else:
        for each in get_args(hint):
            yield from _named(each, names)


def _value(value: Any) -> str:
    """JSON, with one entry of a dict on each line."""
    if not isinstance(value, dict):
        return json.dumps(value)
    return "{\n" + "".join(f"  {json.dumps(key)}: {json.dumps(entry)},\n" for key, entry in value.items()) + "}"


def _source(module: ModuleType) -> str:
    return "src/" + module.__name__.replace(".", "/") + ".py"


def files(game: str) -> dict[str, str]:
    """The generated files of a game, by name."""
    # Imported by name: the engine must not depend on the games.
    games = importlib.import_module("tavolino.games")
    module = importlib.import_module(f"{games.package_of(game)}.view")
    written = {"view.ts": view_types(module)}
    if hasattr(module, "Parts"):
        written["parts.ts"] = part_values(module, games.load(game).parts)
    return written


def drawn_games(folder: Path = FOLDER) -> list[str]:
    """The games that the page draws."""
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for game in drawn_games(folder):
        for name, text in files(game).items():
            (folder / game / name).write_text(text, "utf-8")
            print(f"wrote {folder / game / name}")


if __name__ == "__main__":
    main()
