"""The page's files, answered before routing: whole answers are built once, when the server starts.

Opening the page takes some sixty of them, and routes, requests and responses are most of what a small file costs.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import Message, Scope, Send

from tavolino.server.http.static import Page, StaticFile

READ = ("GET", "HEAD")
Protect = Callable[[MutableHeaders, str], None]  # adds what every answer has


class Answer(Struct, frozen=True):
    """What is sent, as ASGI has it."""

    start: Message
    body: Message

    async def send(self, send: Send) -> None:
        await send(self.start)
        await send(self.body)


class File(Struct, frozen=True):
    """A file, and all answers to requests for it."""

    etag: bytes
    unchanged: Answer
    plain: Answer
    compressed: Answer

    def answer(self, scope: Scope) -> Answer:
        found = self.plain
        for name, value in scope["headers"]:
            if name == b"if-none-match" and value == self.etag:
                return self.unchanged
            if name == b"accept-encoding" and b"gzip" in value:
                found = self.compressed
        return found


class PageFiles:
    def __init__(self, page: Page, protect: Protect) -> None:
        self._files = {path: _file(path, each, protect) for path, each in page.files.items()}

    def find(self, scope: Scope) -> Answer | None:
        """The answer to a request; None if it is not for a file."""
        found = self._files.get(scope["path"])
        return found.answer(scope) if found is not None and scope["method"] in READ else None


def _file(path: str, file: StaticFile, protect: Protect) -> File:
    def answer(**asked: str) -> Answer:
        headers = {name.replace("_", "-"): value for name, value in asked.items()}
        return whole_answer(path, file.answer_to(headers), protect)

    return File(file.etag.encode(), answer(if_none_match=file.etag), answer(), answer(accept_encoding="gzip"))


def whole_answer(path: str, response: Response, protect: Protect) -> Answer:
    """A response to requests for this path, with what every answer has."""
    start = {"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers}
    protect(MutableHeaders(scope=start), path)
    return Answer(start, {"type": "http.response.body", "body": response.body})
