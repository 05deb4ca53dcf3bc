"""Generates the browser's TypeScript types from `protocol`: `python -m tavolino.server.protocol.typescript [FILE]`.

`scripts/build-page` runs it before it builds the page; the file is not committed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, is_typeddict

import msgspec
from msgspec import inspect as shapes

from tavolino.server import protocol
from tavolino.server.protocol import circles, commands, common, http_models, profiles, rooms, server_messages

HEAD = """\
// Generated from src/tavolino/server/protocol by `python -m tavolino.server.protocol.typescript`. Do not edit.
"""

# Names whose members are worth a name in TypeScript as well.
ALIASES = (
    "Level",
    "Phase",
    "SeatKind",
    "HowEnded",
    "Reaction",
    "Difficulty",
    "Theme",
    "Perspective",
    "OptionValue",
    "Command",
    "News",
)

# A view and its parts have different keys in each game.
OPEN_ENDED = ("View", "Line", "Prompt")


def named_types() -> list[type]:
    """Every message, in the order of the files."""
    return [
        thing
        for module in (common, rooms, commands, server_messages, http_models, profiles, circles)
        for thing in vars(module).values()
        if isinstance(thing, type)
        and thing.__module__ == module.__name__
        and thing not in (common.Message, common.CommandMessage, common.Body, common.TableSettings)
        and (issubclass(thing, msgspec.Struct) or is_typeddict(thing))
    ]


def quoted(value: object) -> str:
    return msgspec.json.encode(value).decode()


# Sets of words that have a name in the protocol keep it.
LITERALS = {
    frozenset(get_args(getattr(protocol, name))): name
    for name in ALIASES
    if get_origin(getattr(protocol, name)) is Literal
}


def spell(shape: shapes.Type) -> str:
    """One type as TypeScript writes it."""
    match shape:
        case shapes.UnionType(types=types):
            return " | ".join(spell(each) for each in sorted(types, key=lambda t: isinstance(t, shapes.NoneType)))
        case shapes.StructType(cls=cls) | shapes.TypedDictType(cls=cls):
            return str(cls.__name__)
        case shapes.LiteralType(values=values):
            return LITERALS.get(frozenset(values)) or " | ".join(map(quoted, values))
        case shapes.ListType(item_type=item):
            inner = spell(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case shapes.DictType(value_type=value):
            return f"Record<string, {spell(value)}>"
        case shapes.BoolType():
            return "boolean"
        case shapes.IntType() | shapes.FloatType():
            return "number"
        case shapes.StrType():
            return "string"
        case shapes.NoneType():
            return "null"
        case shapes.AnyType():
            return "unknown"
    raise TypeError(f"no TypeScript spelling for {shape!r}")


def doc_comment(cls: type, indent: str = "") -> str:
    doc = (cls.__doc__ or "").strip()
    if not doc or (is_typeddict(cls) and doc.startswith("dict(")):
        return ""
    lines = [line.strip() for line in doc.splitlines()]
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"


def interface(cls: type) -> str:
    shape = shapes.type_info(cls)
    rows = []
    if isinstance(shape, shapes.StructType):
        if shape.tag is not None:
            rows.append(f"  {shape.tag_field}: {msgspec.json.encode(shape.tag).decode()}")
        wants_all = not issubclass(cls, protocol.COMMAND_TYPES + protocol.BODY_TYPES)
    else:
        wants_all = True
    fields: Any = getattr(shape, "fields", ())
    for field in fields:
        # What the server sends is always whole; what it is sent may leave defaults out.
        mark = "" if field.required or wants_all else "?"
        rows.append(f"  {field.encode_name}{mark}: {spell(field.type)}")
    if cls.__name__ in OPEN_ENDED:
        rows.append("  [key: string]: unknown")
    body = "\n".join(rows)
    return f"{doc_comment(cls)}export interface {cls.__name__} {{\n{body}\n}}\n"


def generate() -> str:
    parts = [HEAD]
    hints = vars(protocol)
    for alias in ALIASES:
        if alias in LITERALS.values():
            spelt = " | ".join(map(quoted, get_args(hints[alias])))
        else:
            spelt = spell(shapes.type_info(hints[alias]))
        parts.append(f"export type {alias} = {spelt}\n")
    parts.append(f"export const MAX_TEXT = {protocol.MAX_TEXT}\n")
    parts.extend(interface(cls) for cls in named_types())
    return "\n".join(parts)


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("web/src/api/protocol.ts")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(generate(), encoding="utf-8")
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
