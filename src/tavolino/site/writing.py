"""Writes the files of a site: the page with relative addresses and its policy, answers, and the offline pack.

`site.json` lists them. A site that is written again replaces these and removes those that are no longer part of it; no
other file of the folder is touched.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from tavolino.engine.game import Game
from tavolino.server.features.local_tables.serving import (
    PACK,
    Manifest,
    OfflinePack,
    pack_files,
    read_manifest,
)
from tavolino.server.http.middleware import content_policy
from tavolino.server.http.shell import SCRIPT, service_worker, shell
from tavolino.server.http.static import FOLDER, MODULES, Page, style_hashes
from tavolino.site.answers import answers

INDEX, LIST, NOT_FOUND, ABOUT = "index.html", "site.json", "404.html", "manifest.webmanifest"
OF_SERVERS = (MODULES, "/previews/")  # what a server reads, and the pictures for its links
HTML, HEAD = re.compile(r"<html\b"), re.compile(r"(<head>\s*<meta charset=[^>]*>)")
DESCRIPTION = re.compile(r'(<meta\s+name="description"\s+content=")[^"]*"')
PROMISE = "Play hidden-information card games against bots, with the table in your browser."
ANSWER, WHOLE = re.compile(r'href="/(api/[^"]+)"'), re.compile(r'((?:href|src)="|url\()/')


class CannotWrite(ValueError):
    """The message is one sentence."""


def write(folder: Path, pack: Path, games: Sequence[Game], base: str | None = None) -> None:
    """`base`: the path below which a host serves the folder; then it gets a page for addresses that are not there."""
    files = _files(pack, games, base)
    before = _written_before(folder)
    for name in files:
        if name not in before and (folder / name).exists():
            raise CannotWrite(f"{folder / name} is there already, and no part of a site that was written before.")
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copyfile(content, place)
        else:
            place.write_bytes(content)
    (folder / LIST).write_text(json.dumps({"files": sorted(files)}, indent=1) + "\n", "utf-8")
    for name in before - files.keys():
        (folder / name).unlink(missing_ok=True)


def _files(pack: Path, games: Sequence[Game], base: str | None) -> dict[str, bytes | Path]:
    """All files of the site by their names."""
    page, manifest = Page(), read_manifest(pack)
    if not page.is_built:
        raise CannotWrite("This copy of Tavolino has no page: run `make setup` in a checkout, or install a wheel.")
    if missing := [game.name for game in games if game.name not in manifest.games]:
        raise CannotWrite(
            f"The offline pack in {pack} has no {missing[0]}; it has: {', '.join(sorted(manifest.games))}."
        )
    place = pack / manifest.version
    told, packed = answers(games), {name: _as_hosted(place / name) for name in manifest.files}
    size = sum(len(each) if isinstance(each, bytes) else each.stat().st_size for each in packed.values())
    told[PACK] = msgspec.json.encode(OfflinePack(manifest.version, size, [game.name for game in games]))
    index = page.files[f"/{INDEX}"].body.decode()
    files: dict[str, bytes | Path] = {
        name.removeprefix("/"): FOLDER / name.removeprefix("/")
        for name in page.files
        if not name.startswith(OF_SERVERS)
    }
    files |= {f"{address.removeprefix('/')}.json": answer for address, answer in told.items()}
    files |= {f"offline/{manifest.version}/{name}": content for name, content in packed.items()}
    files[INDEX] = index_at("./", index, told).encode()
    files[SCRIPT.removeprefix("/")] = _service_worker(page, files, manifest)
    files[ABOUT] = _about(page.files[f"/{ABOUT}"].body)
    if base is not None:
        files[NOT_FOUND] = index_at(base, index, told).encode()
    return files


def _as_hosted(file: Path) -> bytes | Path:
    """A file of the pack. In archives each member is compressed: a host may compress scripts and WebAssembly, but no
    archives. A server has them compressed as a whole, which is smaller."""
    if file.suffix != ".zip":
        return file
    content = BytesIO()
    with ZipFile(file) as stored, ZipFile(content, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for member in stored.infolist():
            archive.writestr(ZipInfo(member.filename, member.date_time), stored.read(member), ZIP_DEFLATED)
    return content.getvalue()


def _service_worker(page: Page, files: Mapping[str, bytes | Path], manifest: Manifest) -> bytes:
    """It keeps the same as at a server."""
    marks = {path: file.etag for path, file in page.files.items() if path.removeprefix("/") in files}
    told = {name: content for name, content in files.items() if isinstance(content, bytes) and name.startswith("api/")}
    digests = [hashlib.sha256(told[name]).hexdigest() for name in sorted(told)]
    return service_worker(page.files[SCRIPT].body, shell(marks, told, pack_files(manifest), " ".join(digests)))


def _about(manifest: bytes) -> bytes:
    """What a browser reads to install the page: its shortcuts lead to addresses of the page."""
    about = {**json.loads(manifest), "description": PROMISE}
    for shortcut in about.get("shortcuts", ()):
        shortcut["url"] = "./?/" + shortcut["url"].removeprefix("./")
    return json.dumps(about, indent=2, ensure_ascii=False).encode()


def index_at(place: str, index: str, told: Mapping[str, bytes]) -> str:
    """The page with addresses that begin with `place`, and with its policy in its head."""
    index = ANSWER.sub(r'href="/\1.json"', index)
    index = HTML.sub(f'<html data-site="{place}" data-answers="{" ".join(sorted(told))}"', index, count=1)
    index = WHOLE.sub(rf"\g<1>{place}", index)
    policy = content_policy(style_hashes(index.encode()), is_alone=True)
    index = DESCRIPTION.sub(rf'\g<1>{PROMISE}"', index, count=1)
    return HEAD.sub(rf'\1\n    <meta http-equiv="Content-Security-Policy" content="{policy}" />', index, count=1)


def _written_before(folder: Path) -> set[str]:
    try:
        return set(json.loads((folder / LIST).read_text("utf-8"))["files"])
    except FileNotFoundError:
        return set()
    except (OSError, ValueError, KeyError, TypeError):
        raise CannotWrite(f"{folder / LIST} cannot be read: choose another folder, or remove this one.") from None
