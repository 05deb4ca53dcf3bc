"""Generates the browser's TypeScript types from all messages: `python -m tavolino.server.typescript [FILE]`.

`scripts/build-page` runs it before it builds the page; the file is not committed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, is_typeddict

import msgspec
from msgspec import inspect as shapes

from tavolino.server import features, protocol
from tavolino.server.http.routes import ROUTES
from tavolino.server.protocol import commands, common, http_models, profiles, server_messages

HEAD = """\
// Generated from the messages of the server by `python -m tavolino.server.typescript`. Do not edit.
"""
MODULES = (common, commands, server_messages, http_models, profiles)
BASES = (common.Message, common.CommandMessage, common.Body, common.TableSettings, server_messages.News)

# Sets of words (`Literal`) have their names in TypeScript as well; so have these.
ALIASES = ("Perspective", "OptionValue")

# A view and its parts have different keys in each game.
OPEN_ENDED = ("View", "Line", "Prompt")


@cache
def named_types() -> tuple[type, ...]:
    """Every message: those of the protocol in the order of its files, then those that features declare."""
    own = [
        thing
        for module in MODULES
        for thing in vars(module).values()
        if isinstance(thing, type)
        and thing.__module__ == module.__name__
        and thing not in BASES
        and (issubclass(thing, msgspec.Struct) or is_typeddict(thing))
    ]
    declared = [named for kind in features.declared_types() for named in _named_in(shapes.type_info(kind))]
    return tuple(dict.fromkeys([*own, *declared]))


def _named_in(shape: shapes.Type) -> Iterator[type]:
    """The types with names of which a type consists, itself last."""
    match shape:
        case shapes.UnionType(types=types):
            for each in types:
                yield from _named_in(each)
        case shapes.ListType(item_type=inner) | shapes.DictType(value_type=inner):
            yield from _named_in(inner)
        case shapes.StructType(cls=cls, fields=fields) | shapes.TypedDictType(cls=cls, fields=fields):
            for field in fields:
                yield from _named_in(field.type)
            yield cls


@cache
def literals() -> dict[str, tuple[object, ...]]:
    """Sets of words that have a name in the protocol or in a feature."""
    modules = dict.fromkeys((*MODULES, *(sys.modules[kind.__module__] for kind in named_types())))
    return {
        name: get_args(thing)
        for module in modules
        for name, thing in vars(module).items()
        if get_origin(thing) is Literal
    }


@cache
def sent_to_the_server() -> frozenset[object]:
    """What clients send: fields with defaults may be left out."""
    bodies = {route.body for route in (*ROUTES, *features.routes())}
    return frozenset({*features.commands(), *bodies})


def quoted(value: object) -> str:
    return msgspec.json.encode(value).decode()


def spell(shape: shapes.Type) -> str:
    """One type as TypeScript writes it."""
    match shape:
        case shapes.UnionType(types=types):
            return " | ".join(spell(each) for each in sorted(types, key=lambda t: isinstance(t, shapes.NoneType)))
        case shapes.StructType(cls=cls) | shapes.TypedDictType(cls=cls):
            return str(cls.__name__)
        case shapes.LiteralType(values=values):
            names = (name for name, words in literals().items() if set(words) == set(values))
            return next(names, " | ".join(map(quoted, values)))
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
        wants_all = cls not in sent_to_the_server()
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
    news = [kind for kind in named_types() if issubclass(kind, server_messages.News)]
    aliases = {name: " | ".join(map(quoted, words)) for name, words in literals().items()}
    aliases |= {name: spell(shapes.type_info(getattr(protocol, name))) for name in ALIASES}
    aliases["Command"] = " | ".join(kind.__name__ for kind in features.commands())
    aliases["News"] = " | ".join(kind.__name__ for kind in news)
    parts = [HEAD, *(f"export type {name} = {spelt}\n" for name, spelt in aliases.items())]
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
