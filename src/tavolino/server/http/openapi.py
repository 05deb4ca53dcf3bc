"""The OpenAPI description, generated from the routes and msgspec's schemas, and a plain page that shows it."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tavolino.server import protocol as p
from tavolino.server.errors import STATUS
from tavolino.server.http.route import Route
from tavolino.version import VERSION

REF = "#/components/schemas/{name}"
EVERYWHERE = ("bad-message", "too-fast", "too-big", "wrong-origin", "storage-full", "internal", "busy")
QUERY = {
    "lines": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    "turn": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    "seat": {"type": "integer", "minimum": 0, "maximum": p.MOST_SEATS - 1},
    "first": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    "variation": {"type": "string"},
    "wait": {"type": "integer", "minimum": 0, "maximum": 25},
    "text": {"type": "string"},  # a language
    "perspective": {
        "anyOf": [{"enum": ["open", "spectator"]}, {"type": "integer", "minimum": 0, "maximum": p.MOST_SEATS - 1}]
    },
}
SUCCESS = {"POST": ("200", "201"), "DELETE": ("204",), "GET": ("200",)}


def describe(all_routes: Sequence[Route]) -> dict[str, Any]:
    routes = [route for route in all_routes if route.is_described]
    types: list[Any] = [p.Problem]
    for route in routes:
        types += [each for each in (route.body, route.answer) if each is not None]
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    schema_of = {id(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tavolino",
            "version": VERSION,
            "description": "Tables over HTTP. Play over a WebSocket is described in docs/protocol.md.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "tavolino"},
            },
        },
        "security": [{"token": []}, {"cookie": []}, {}],
    }


def _operation(route: Route, schema_of: dict[int, Any]) -> dict[str, Any]:
    problem = {"application/json": {"schema": {"$ref": REF.format(name="Problem")}}}
    responses: dict[str, Any] = {}
    for status in SUCCESS[route.method]:
        responses[status] = {"description": "Done."}
        if route.answer is not None:
            responses[status]["content"] = {route.media: {"schema": schema_of[id(route.answer)]}}
    codes: dict[int, list[str]] = {}
    for code in (*route.refusals, *EVERYWHERE, *(sorted(STATUS) if _takes_commands(route) else ())):
        codes.setdefault(STATUS[code], []).append(code)
    for status_code, names in sorted(codes.items()):
        responses[str(status_code)] = {
            "description": ", ".join(dict.fromkeys(f"`{name}`" for name in names)),
            "content": problem,
        }
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": (route.handler.__doc__ or "").strip(),
        "responses": responses,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"{(\w+)}", route.path)
        ]
        + [{"name": name, "in": "query", "schema": QUERY[name]} for name in route.query],
    }
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema_of[id(route.body)]}},
        }
    return operation


def page(routes: Sequence[Route]) -> str:
    """The routes as a plain page; the schemas are in the JSON beside it."""
    rows = "".join(
        f"<tr><td>{route.method}</td><td><code>{html.escape(route.path)}</code></td>"
        f"<td>{html.escape((route.handler.__doc__ or '').strip())}</td>"
        f"<td>{'Command' if _takes_commands(route) else _name(route.body)}</td><td>{_name(route.answer)}</td>"
        f"<td>{html.escape(', '.join(route.refusals))}</td></tr>"
        for route in routes
        if route.is_described
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tavolino for programs</title>'
        "<h1>Tavolino for programs</h1>"
        '<p>The schemas are in <a href="/api/openapi.json">openapi.json</a>. Play goes over a WebSocket, '
        "<code>/api/tables/{table}/socket</code>: <code>docs/protocol.md</code> tells how, and has a program that "
        f"plays. A refusal is a <code>Problem</code>; these may come anywhere: {', '.join(EVERYWHERE)}.</p>"
        "<table><thead><tr><th>Method<th>Path<th>What<th>Body<th>Answer<th>Refusals</thead>"
        f"<tbody>{rows}</tbody></table></html>"
    )


def _takes_commands(route: Route) -> bool:
    return route.path.endswith("/commands")


def _name(kind: Any) -> str:
    """A type as the table shows it: without the modules it comes from."""
    if kind is None:
        return ""
    whole = kind.__name__ if isinstance(kind, type) else str(kind)
    return html.escape(re.sub(r"[\w.]+\.(\w+)", r"\1", whole))
