"""A route of the HTTP interface, with its body, answer and refusals, for the OpenAPI description."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

AT_TABLE = "/api/tables/{table}"


class Route(Struct, frozen=True):
    method: str
    path: str
    handler: Any
    answer: Any
    body: Any = None
    query: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    media: str = "application/json"  # of the answer

    @property
    def is_described(self) -> bool:
        """Whether it is part of the interface for programs."""
        return self.path.startswith("/api/")
