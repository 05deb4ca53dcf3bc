"""Bodies of requests and answers as texts, and refusals with the status that a server would give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel.journal import refusal_code
from tavolino.server.storage.errors import StorageError

Answer = tuple[int, str]
OF_THE_BROWSER = frozenset({"storage-full", "storage-failed"})


def answer(status: int, content: object) -> Answer:
    return status, "" if content is None else msgspec.json.encode(content).decode()


def refusal(problem: Refused | StorageError) -> Answer:
    refused = Refused(refusal_code(problem)) if isinstance(problem, StorageError) else problem
    return answer(refused.status, here(refused.problem))


def here(problem: p.Problem) -> p.Problem:
    """Where the server's sentence is about its disk, the page has one about the browser."""
    return replace(problem, key=f"offline.problem.{problem.code}") if problem.code in OF_THE_BROWSER else problem


def decoded(body: str | None, kind: Any) -> Any:
    return command(msgspec.json.Decoder(kind).decode, body)


def command(decode: Callable[[str], Any], body: str | None) -> Any:
    try:
        return decode(body or "")
    except (msgspec.DecodeError, RecursionError):
        raise Refused("bad-message") from None


def seat(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Refused("bad-message") from None
