"""Examines a server, one sentence for each finding: settings, data, disk, clock, cache, versions, proxy."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import ssl
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import apsw
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tavolino.engine import modes
from tavolino.engine.cache_folder import SUFFIX, cache_root
from tavolino.server.clock import Moment
from tavolino.server.operators.findings import Finding, failure, ok, warning
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import CannotOpen
from tavolino.server.storage.opening import FILE, connect_beside, is_in_use, why_not
from tavolino.server.storage.schema import MIGRATIONS, check_schema
from tavolino.version import VERSION

MEGABYTE = 1_000_000
LITTLE_ROOM, NO_ROOM = 1_000 * MEGABYTE, 100 * MEGABYTE
SILENT_SECONDS = 30.0  # a running server writes a heartbeat every 5 s
PATIENCE_SECONDS = 10.0
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def examine(settings: ServerSettings) -> Iterator[Finding]:
    on_folder: tuple[Callable[[ServerSettings], Iterator[Finding]], ...] = (_data, _disk, _clock)
    for check in (_versions, _settings, *(on_folder if settings.database is None else (_disk,)), _cache):
        yield from check(settings)
    is_served = is_in_use(settings.data)
    if settings.database is not None:
        from tavolino.server.operators.doctor_stores import examine_stores

        is_served, found = examine_stores(settings.database, settings.bus)
        yield from found
    if is_served:
        yield from _server(settings)
        yield from _proxy(settings)


def _versions(_: ServerSettings) -> Iterator[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield ok(f"Tavolino {VERSION}, Python {python}, SQLite {apsw.sqlite_lib_version()}, schema {len(MIGRATIONS)}.")


def _settings(settings: ServerSettings) -> Iterator[Finding]:
    if settings.public_url is None:
        if settings.host in LOOPBACK:
            yield ok(
                "Only this machine can reach the server. For others, put a proxy in front of it and set --public-url."
            )
        else:
            yield warning(
                f"The server listens on {settings.host} without a --public-url: names and tokens go over the network "
                "unencrypted. Put a proxy with TLS in front of it."
            )
    elif not settings.is_secure:
        yield warning(
            f"People reach the server at {settings.public_url}, without TLS: names and tokens can be read on the way."
        )
    else:
        yield ok(f"People reach the server at {settings.public_url}; cookies are sent over HTTPS only.")
    if os.environ.get("FORWARDED_ALLOW_IPS") == "*":
        yield warning(
            "FORWARDED_ALLOW_IPS is *: whoever reaches the server directly chooses the address that limits and bans "
            "count by. Name the proxy's address instead."
        )


def _data(settings: ServerSettings) -> Iterator[Finding]:
    folder = settings.data
    if not (folder / FILE).exists():
        yield ok(f"There is no data in {folder} yet; the first start creates it.")
        return
    if stat.S_IMODE(folder.stat().st_mode) & 0o077 or stat.S_IMODE((folder / FILE).stat().st_mode) & 0o077:
        yield warning(f"Others on this machine can read the data in {folder}; the next start closes it to them.")
    if not os.access(folder, os.W_OK) or not os.access(folder / FILE, os.W_OK):
        yield failure(f"You cannot write to {folder}; run this as the user that the server runs as.")
        return
    try:
        connect_beside(folder / FILE).close()
        check_schema(folder / FILE)  # of all features, those that are switched off included
    except (CannotOpen, apsw.Error, OSError) as error:
        yield failure(f"The data in {folder} cannot be used: {why_not(error)}.")
    else:
        size = (folder / FILE).stat().st_size / MEGABYTE
        state = "a server is using it" if is_in_use(folder) else "no server is using it"
        yield ok(f"The data in {folder} takes {size:.1f} MB; {state}.")
    for path in sorted((folder / "crashes").glob("*.json"))[:1]:
        yield warning(f"Moves have crashed: see {path.parent}. Please report them once those games are over.")


def _disk(settings: ServerSettings) -> Iterator[Finding]:
    folder = next(path for path in (settings.data, *settings.data.absolute().parents) if path.exists())
    free = shutil.disk_usage(folder).free
    sentence = f"{free / MEGABYTE:,.0f} MB are free on the disk of {folder}."
    yield (failure if free < NO_ROOM else warning if free < LITTLE_ROOM else ok)(sentence)


def _clock(settings: ServerSettings) -> Iterator[Finding]:
    now, last = time.time(), _last_moment(settings.data)
    said = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    if last is None:
        yield ok(f"The clock says {said}.")
    elif last.wall > now + 60:
        yield warning(
            f"The clock says {said}, {last.wall - now:,.0f} s before the server was last seen alive: it is wrong, or "
            "was. No deadline depends on it; dates that people see do."
        )
    elif is_in_use(settings.data) and now - last.wall > SILENT_SECONDS:
        yield failure(
            f"A server holds the data, but has written nothing for {now - last.wall:,.0f} s (it does every 5 s): it is "
            "stopped or stuck."
        )
    else:
        yield ok(f"The clock says {said}; a server was last seen alive {max(0.0, now - last.wall):,.0f} s ago.")


def _last_moment(folder: Path) -> Moment | None:
    try:
        connection = connect_beside(folder / FILE)
    except (CannotOpen, apsw.Error, OSError):
        return None  # reported already
    try:
        found = connection.execute("SELECT wall, up, witnessed FROM moment").fetchone()
        return None if found is None else Moment(*found)
    finally:
        connection.close()


def _cache(_: ServerSettings) -> Iterator[Finding]:
    mode = modes.mode()
    if mode == modes.AHEAD:
        yield ok(f"The rules are compiled for {modes.platform_name()}, in {modes.bundled_folder()}.")
        return
    if mode == modes.PLAIN:
        yield warning("The rules are not compiled, and Numba is not installed: bots are about a hundred times slower.")
        return
    root = cache_root()
    has_code = root.exists() and any(root.rglob(f"*{SUFFIX}"))
    nearest = next(path for path in (root, *root.absolute().parents) if path.exists())
    if not os.access(nearest, os.W_OK):
        yield (ok if has_code else failure)(
            f"The machine code in {root} can be read but not written, which is enough."
            if has_code
            else f"The machine code cannot be kept in {root}: every start compiles for minutes. Set TAVOLINO_CACHE."
        )
    elif has_code:
        yield ok(f"The machine code of the rules is in {root}.")
    else:
        yield warning(f"There is no machine code in {root} yet: the first start compiles it, or tavolino warmup.")


def _server(settings: ServerSettings) -> Iterator[Finding]:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    yield from _health(f"http://{host}:{settings.port}", "The server")


def _health(url: str, who: str) -> Iterator[Finding]:
    answer = _get(f"{url}/healthz")
    if isinstance(answer, str):
        yield failure(f"{who} does not answer at {url}: {answer}.")
        return
    status, content = answer
    try:
        problems = json.loads(content)["problems"]
    except (ValueError, KeyError, TypeError):
        yield failure(f"What answers at {url} (status {status}) is not Tavolino.")
        return
    yield from (failure(f"{who} says: {problem}.") for problem in problems)
    if not problems:
        yield ok(f"{who} answers at {url} and is healthy.")


def _proxy(settings: ServerSettings) -> Iterator[Finding]:
    url = (settings.public_url or "").rstrip("/")
    if not url:
        return
    found = list(_health(url, "The proxy"))
    yield from found
    if any(each.level == "failure" for each in found):
        return
    answer = _get(f"{url}/metrics")
    if not settings.metrics and not isinstance(answer, str) and answer[0] == 200:
        yield failure(
            "The proxy does not forward client addresses: through it, /metrics answers everyone, and all people share "
            "one rate limit. Let it set X-Forwarded-For (see docs/guides/host-it.md)."
        )
    elif not settings.metrics:
        yield ok("The proxy forwards client addresses (X-Forwarded-For), or is on another machine.")
    yield _try_socket(url)


def _try_socket(url: str) -> Finding:
    parts = urlsplit(url)
    address = f"{url.replace('http', 'ws', 1)}/api/tables/{'A' * 22}/socket"
    headers = {"Origin": f"{parts.scheme}://{parts.netloc}"}
    try:
        with connect(address, additional_headers=headers, open_timeout=PATIENCE_SECONDS) as socket:
            reason = json.loads(socket.recv(PATIENCE_SECONDS)).get("code")
    except (WebSocketException, OSError, TimeoutError, ValueError) as error:
        return failure(f"The proxy does not forward WebSockets, so nobody can play: {error}.")
    if reason != "no-such-table":
        return failure(f"What answers WebSockets at {url} is not Tavolino.")
    return ok("The proxy forwards WebSockets.")


def _get(url: str) -> tuple[int, bytes] | str:
    """Status and body, or the reason why there is no answer."""
    try:
        with urlopen(Request(url, headers={"User-Agent": "tavolino-doctor"}), timeout=PATIENCE_SECONDS) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.read()
    except URLError as error:
        return str(error.reason)
    except (OSError, ssl.SSLError, http.client.HTTPException, ValueError) as error:
        return str(error) or type(error).__name__
