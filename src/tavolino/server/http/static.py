"""Static files from memory: the built page, and what else is the same for everybody.

Files with a hash in their name are cached for ever; all others are revalidated by ETag.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import mimetypes
import re
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from tavolino.server.http.preloading import Modules, read_modules

FOLDER = Path(__file__).parents[1] / "page"
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATED = "no-cache"
WORTH_COMPRESSING = 1_000
MOST_INDICES = 100
COMPRESSED_TYPES = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")

# The addresses that the page routes itself (web/tests/router.test.ts compares): the first part, and how many parts.
# Features have others (`PAGES` in their packages).
Addresses = Mapping[str, tuple[int, ...]]
PAGES: Addresses = {"": (1,), "learn": (1, 3), "open": (1,), "replay": (2,), "return": (1,), "table": (2,), "you": (1,)}
MODULES = "/modules.json"
STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)

NOT_BUILT = """\
Tavolino is running, but this copy of it has no page.

In a checkout, run `make setup` and start it again. An installed package without a page was built by other means than
`python -m build` in a checkout after `make setup`: install a wheel that was built so.
The interface for programs works all the same: see /api/docs.
"""


class StaticFile(Struct, frozen=True):
    """Bytes that are the same for everybody, compressed once.

    What differs between people is never compressed: it costs time, and compressed lengths leak secrets (CRIME, BREACH).
    """

    body: bytes
    compressed: bytes | None
    kind: str
    etag: str
    caching: str
    varies: str  # request headers that choose between versions of the file

    def answer(self, request: Request) -> Response:
        return self.answer_to(request.headers)

    def answer_to(self, asked: Mapping[str, str]) -> Response:
        """The answer to a request with these headers."""
        headers = {"ETag": self.etag, "Cache-Control": self.caching, "Vary": self.varies}
        if asked.get("if-none-match") == self.etag:
            return Response(None, 304, headers)
        if self.compressed is not None and "gzip" in asked.get("accept-encoding", ""):
            return Response(self.compressed, 200, {**headers, "Content-Encoding": "gzip"}, self.kind)
        return Response(self.body, 200, headers, self.kind)


def static_file(body: bytes, kind: str, caching: str = REVALIDATED, varies: str = "Accept-Encoding") -> StaticFile:
    is_compressed = len(body) > WORTH_COMPRESSING and kind.startswith(COMPRESSED_TYPES)
    compressed = gzip.compress(body, 9, mtime=0) if is_compressed else None
    return StaticFile(body, compressed, kind, f'"{hashlib.sha256(body).hexdigest()[:32]}"', caching, varies)


def style_hashes(body: bytes) -> list[str]:
    """Sources for the content policy: the style sheets that stand in a page itself."""
    hashes = (hashlib.sha256(style).digest() for style in STYLE.findall(body))
    return [f"'sha256-{base64.b64encode(each).decode()}'" for each in hashes]


class Page:
    """All files of the built page, and of what others add to it, by the addresses of their folders; `pages`: what
    features add to `PAGES`. Request paths are looked up, never opened: only these files can be read."""

    def __init__(
        self, folder: Path = FOLDER, *, others: Mapping[str, Path] | None = None, pages: Addresses | None = None
    ) -> None:
        self._pages = {**PAGES, **(pages or {})}
        self._files = {
            f"{address}/{path.relative_to(each).as_posix()}": _read(path, folder)
            for address, each in {**(others or {}), "": folder}.items()
            for path in sorted(each.rglob("*"))
            if path.is_file()
        }
        self._indices: OrderedDict[str, StaticFile] = OrderedDict()
        described = self._files.get(MODULES)
        self.modules: Modules = read_modules(described.body) if described is not None else {}

    @property
    def files(self) -> Mapping[str, StaticFile]:
        """By their paths in addresses."""
        return self._files

    def take(self, path: str) -> StaticFile | None:
        """A file that somebody else answers from now on."""
        return self._files.pop(path, None)

    @property
    def is_built(self) -> bool:
        return "/index.html" in self._files

    @property
    def previews(self) -> frozenset[str]:
        """The paths of the pictures for links."""
        return frozenset(path for path in self._files if path.startswith("/previews/"))

    @property
    def style_hashes(self) -> list[str]:
        return style_hashes(self._files["/index.html"].body if self.is_built else b"")

    def is_routed(self, path: str) -> bool:
        """Whether an address is one of the page's own, which index.html answers."""
        return self.is_built and self.is_page(path)

    def is_page(self, path: str) -> bool:
        """Whether the page routes an address, whether it is built or not."""
        first, *others = [part for part in path.split("/") if part] or [""]
        return 1 + len(others) in self._pages.get(first, ())

    def index(self, head: str) -> StaticFile:
        """index.html with more tags in its head. The newest are kept: compressing one takes as long as ten answers."""
        found = self._indices.get(head)
        if found is None:
            body = self._files["/index.html"].body.replace(b"</head>", f"    {head}\n  </head>".encode(), 1)
            found = self._indices[head] = static_file(body, "text/html", varies="Accept-Encoding, Accept-Language")
            if len(self._indices) > MOST_INDICES:
                self._indices.popitem(last=False)
        return found

    def answer(self, request: Request) -> Response:
        """A file. To an address that nothing has, a browser gets the page, which says so; always with status 404."""
        path = request.url.path
        if (found := self._files.get(path)) is not None:
            return found.answer(request)
        if not self.is_built and self.is_page(path):
            return PlainTextResponse(NOT_BUILT, 503, {"Cache-Control": "no-store"})
        if self.is_built and "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(self._files["/index.html"].body, 404, {"Cache-Control": "no-store"})
        return PlainTextResponse("Not found.\n", 404)


def _read(path: Path, folder: Path) -> StaticFile:
    body = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".js":
        kind = "text/javascript"
    if path.suffix == ".webmanifest":
        kind = "application/manifest+json"
    is_hashed = path.is_relative_to(folder / "assets")
    return static_file(body, kind, IMMUTABLE if is_hashed else REVALIDATED)
