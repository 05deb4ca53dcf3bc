"""Previews of links to the server: Open Graph tags in the head of the page.

Features have their own pictures and sentences for finished games.

They say what stands in the table's row and nothing of its cards. Nobody's name is in them: programs that make previews
keep what they read.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple, cast

from starlette.requests import Request

from tavolino.engine.languages import SOURCE_LANGUAGE, languages
from tavolino.engine.messages import fill
from tavolino.engine.texts import read_texts
from tavolino.server.access import registry_of, subscriber_of
from tavolino.server.errors import Refused
from tavolino.server.games.content import server_texts
from tavolino.server.http import preloading
from tavolino.server.http.content import feature_folders
from tavolino.server.http.requests import number
from tavolino.server.kernel import rows
from tavolino.server.protocol import MOST_SEATS
from tavolino.server.storage import StorageError
from tavolino.server.tables.registry import TABLE_ID

PICTURES = "/previews/"
WIDTH, HEIGHT = 1200, 630  # of every picture, as the programs that make previews want them
SITE = "Tavolino"
TABLE = "table"  # the first part of its address; others with its id are about the finished game


class About(NamedTuple):
    """What an address is about."""

    game: str | None = None
    key: str = "home"  # of the sentence
    params: Mapping[str, Any] = {}
    picture: str | None = None  # the path of its own
    address: str | None = None  # its own, if that is more than the path of the request


async def head(request: Request, pictures: frozenset[str], modules: preloading.Modules) -> str:
    """The tags for this address. `pictures` are the paths of those that the page has, `modules` its scripts."""
    language = _language(request.headers.get("accept-language", ""))
    about = await _about(request)
    title, picture, address = SITE, f"{PICTURES}home.png", request.url.path
    if about.game:
        folder = (await registry_of(request).load_game(about.game)).folder
        name = read_texts(folder, language)["name"]
        title = f"{name} · {SITE}"
        own = f"{PICTURES}{about.game}.png"
        picture = own if own in pictures else picture
    picture, address = about.picture or picture, about.address or address
    text = fill(
        server_texts(language, feature_folders(request))[f"preview.{about.key}"], about.params, language, lambda _: None
    )
    base = _base(request)
    tags = {
        "og:site_name": SITE,
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:url": base + address,
    }
    if picture in pictures or about.picture is not None:
        tags |= {"og:image": base + picture, "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}
    lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()]
    lines.append('<meta name="twitter:card" content="summary_large_image" />')
    kind, opened = _parts(request)
    if TABLE_ID.fullmatch(opened):  # links are for friends, not for search engines
        lines.append('<meta name="robots" content="noindex" />')
    opened_table = opened if kind == TABLE else None
    lines += preloading.tags(modules, language, about.game, opened_table, is_waiting=about.key == "waiting")
    return "\n    ".join(lines)


async def _about(request: Request) -> About:
    kind, table = _parts(request)
    if not TABLE_ID.fullmatch(table):
        return About()
    context = registry_of(request).context
    try:
        context.limits.requests.take(subscriber_of(request))
        row = await context.storage.row(table)
        if row is None or (kind != TABLE and row.phase != "ended"):
            return About()
        await registry_of(request).load_game(row.game)
        if kind != TABLE:
            seat = number(request, "seat", 0, MOST_SEATS)
            for preview in registry_of(request).features.preview:
                if (found := await preview(context, kind, row, seat)) is not None:
                    return cast("About", found)
    except (Refused, StorageError):
        return About()
    free = sum(1 for place in rows.card_of(row).places if place.person is None and place.level is None)
    return About(row.game, "replay" if row.phase == "ended" else row.phase, {"n": free})


def _parts(request: Request) -> tuple[str, str]:
    """What an address shows, and of which table, if any."""
    kind, _, opened = request.url.path.strip("/").partition("/")
    return kind, opened


def _language(accepted: str) -> str:
    """The first language of a reader that the server has."""
    for part in accepted.split(",")[:10]:
        code = part.split(";")[0].strip()[:2].lower()
        if code in languages():
            return code
    return SOURCE_LANGUAGE


def _base(request: Request) -> str:
    """Addresses in previews must be whole. The Host header was checked by the middleware."""
    public = registry_of(request).context.settings.public_url
    return public.rstrip("/") if public else f"{request.url.scheme}://{request.headers.get('host', '')}"
