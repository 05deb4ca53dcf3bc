"""The service worker with its list: what a browser keeps for people who have asked to play without a connection."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from tavolino.server.http.preloading import INDEX

SCRIPT = "/service-worker.js"
NOT_KEPT = (SCRIPT, f"/{INDEX}", "/modules.json", "/font-licence.txt", "/previews/", "/screenshots/", "/features/")


class Shell(msgspec.Struct, frozen=True):
    """Addresses relative to the service worker."""

    version: str
    page: list[str]
    answers: list[str]
    pack: list[str]


def shell(files: Mapping[str, str], answers: Iterable[str], pack: Iterable[str], about: str) -> Shell:
    """`files`: the page's, each with a mark of its content; `about`: what else makes another version."""
    kept = {path: mark for path, mark in files.items() if not path.startswith(NOT_KEPT)}
    listed = sorted(answers), sorted(pack)
    mark = msgspec.json.encode([sorted(kept.items()), files.get(f"/{INDEX}"), listed, about])
    page = ["./", *(path.removeprefix("/") for path in sorted(kept))]
    return Shell(hashlib.sha256(mark).hexdigest()[:16], page, *(list(map(_relative, each)) for each in listed))


def _relative(path: str) -> str:
    return path.removeprefix("/")


def service_worker(script: bytes, listed: Shell) -> bytes:
    return b"self.SHELL = " + msgspec.json.encode(listed) + b"\n" + script
