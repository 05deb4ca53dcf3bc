"""The offline pack (`tavolino.offline` builds it) as a server has it: a folder with a list of files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from starlette.responses import FileResponse, Response

from tavolino.server import protocol as p
from tavolino.server.http.static import IMMUTABLE
from tavolino.server.kernel.feature import Feature, NoSlice
from tavolino.server.settings import ServerSettings

MANIFEST, LICENCES = "pack.json", "LICENCES.txt"
WORKERS = ("worker.mjs", "helper.mjs", "checker.mjs")
# WebAssembly is compiled in the workers alone; the page's own policy does not allow it.
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
KINDS = {
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
    ".json": "application/json",
    ".txt": "text/plain",
}
ENCODINGS = {"br": ".br", "gzip": ".gz"}  # the smaller first


class OfflinePack(p.Body):
    """What a browser needs to play without a server: files below `/offline/VERSION/`. No version: there is none."""

    version: str | None
    bytes: int  # that a browser loads, compressed
    games: list[str]


class PackFile(msgspec.Struct, frozen=True):
    bytes: int


class Manifest(msgspec.Struct, frozen=True):
    version: str
    files: dict[str, PackFile]
    games: dict[str, list[str]]


class BadPack(ValueError):
    """A folder has no pack, or one that cannot be read; the message is one sentence."""


def read_manifest(folder: Path) -> Manifest:
    """The newest pack in a folder."""
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        missing = [name for name in manifest.files if not (folder / manifest.version / name).is_file()]
    except (OSError, msgspec.DecodeError) as problem:
        raise BadPack(f"{folder} has no offline pack: {problem}") from None
    if missing:
        raise BadPack(f"The offline pack in {folder} lacks {missing[0]}.")
    return manifest


def _older(folder: Path, newest: str) -> Iterator[Manifest]:
    for place in sorted(folder.iterdir()):
        if place.name != newest and (place / MANIFEST).is_file():
            with suppress(OSError, msgspec.DecodeError):
                manifest = msgspec.json.decode((place / MANIFEST).read_bytes(), type=Manifest)
                if manifest.version == place.name:
                    yield manifest


PACK = "/api/offline"


def pack_files(manifest: Manifest) -> list[str]:
    """The addresses of what a browser loads."""
    return [f"/offline/{manifest.version}/{name}" for name in manifest.files if name != LICENCES]


def kept(settings: ServerSettings) -> tuple[list[str], list[str]]:
    """The answers and the files that a browser keeps to play without a connection."""
    if settings.offline_pack is None:
        return [], []
    try:
        return [PACK], pack_files(read_manifest(settings.offline_pack))
    except BadPack:  # the feature has logged it
        return [], []


class LocalTables(Feature[NoSlice]):
    name = "local_tables"

    def __init__(self, server: Any) -> None:
        self.pack = OfflinePack(None, 0, [])
        self._files: dict[tuple[str, str], Path] = {}
        if server.settings.offline_pack is not None:
            try:
                self._read(server.settings.offline_pack)
            except BadPack as problem:  # everything else works without it
                server.log.error(str(problem))

    def _read(self, folder: Path) -> None:
        manifest = read_manifest(folder)
        # Older ones are served too, as long as they are there: a game that began with one may need its rules.
        for each in (manifest, *_older(folder, manifest.version)):
            self._files |= {(each.version, name): folder / each.version / name for name in each.files}
        size = sum(_smallest(folder / manifest.version / name).stat().st_size for name in manifest.files)
        self.pack = OfflinePack(manifest.version, size, sorted(manifest.games))

    def answer(self, version: str, name: str, accepted: str) -> Response | None:
        """A file of the pack; None: there is no such file. Names are looked up, never opened."""
        file = self._files.get((version, name))
        if file is None:
            return None
        headers = {"Cache-Control": IMMUTABLE, "Vary": "Accept-Encoding"}
        if name in WORKERS:
            headers["Content-Security-Policy"] = WORKER_POLICY
        for encoding, suffix in ENCODINGS.items():
            if encoding in accepted and (compressed := _with(file, suffix)).is_file():
                headers["Content-Encoding"] = encoding
                return FileResponse(compressed, headers=headers, media_type=KINDS[file.suffix])
        return FileResponse(file, headers=headers, media_type=KINDS[file.suffix])


def _with(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)


def _smallest(file: Path) -> Path:
    return next((each for suffix in ENCODINGS.values() if (each := _with(file, suffix)).is_file()), file)
