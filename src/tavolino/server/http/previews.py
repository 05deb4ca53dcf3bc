"""Previews of links to the server: Open Graph tags in the head of the page.

A review that everybody may see, of a public table or shared by its player, has its own picture and figures.

They say what stands in the table's row and nothing of its cards. Nobody's name is in them: programs that make previews
keep what they read.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

from starlette.requests import Request

from tavolino.engine.languages import SOURCE_LANGUAGE, languages
from tavolino.engine.messages import fill
from tavolino.engine.texts import read_texts
from tavolino.server.access import registry_of, subscriber_of
from tavolino.server.errors import Refused
from tavolino.server.games import review_picture, shared_reviews
from tavolino.server.games.content import SERVER
from tavolino.server.games.review_picture import HEIGHT, WIDTH
from tavolino.server.http import preloading
from tavolino.server.http.requests import number
from tavolino.server.kernel import rows
from tavolino.server.protocol import MOST_SEATS
from tavolino.server.storage import StorageError, TableRow
from tavolino.server.tables.registry import TABLE_ID

PICTURES = "/previews/"
REVIEW_PICTURE = PICTURES + "review/{table}/{seat:int}.png"
SITE = "Tavolino"
FINISHED = ("replay", "review", "watch")  # addresses that are about finished games alone
SHOWN = ("table", *FINISHED)


class _About(NamedTuple):
    """What an address is about."""

    game: str | None = None
    key: str = "home"  # of the sentence
    params: Mapping[str, Any] = {}
    review: tuple[str, int] | None = None  # table and seat of one that everybody may see


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
    if about.review is not None:
        table, seat = about.review
        picture, address = f"{PICTURES}review/{table}/{seat}.png", f"{address}?seat={seat}"
    text = fill(read_texts(SERVER, language)[f"preview.{about.key}"], about.params, language, lambda _: None)
    base = _base(request)
    tags = {
        "og:site_name": SITE,
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:url": base + address,
    }
    if picture in pictures or about.review is not None:
        tags |= {"og:image": base + picture, "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}
    lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()]
    lines.append('<meta name="twitter:card" content="summary_large_image" />')
    if about.key != "home" or request.url.path.startswith("/circle"):  # links are for friends, not for search engines
        lines.append('<meta name="robots" content="noindex" />')
    kind, _, opened = request.url.path.strip("/").partition("/")
    opened_table = opened if kind == "table" else None
    lines += preloading.tags(modules, language, about.game, opened_table, is_waiting=about.key == "waiting")
    return "\n    ".join(lines)


async def _about(request: Request) -> _About:
    kind, _, table = request.url.path.strip("/").partition("/")
    if kind not in SHOWN or not TABLE_ID.fullmatch(table):
        return _About()
    context = registry_of(request).context
    try:
        context.limits.requests.take(subscriber_of(request))
        row = await context.storage.row(table)
        if row is None or (kind in FINISHED and row.phase != "ended"):
            return _About()
        await registry_of(request).load_game(row.game)
        if kind == "review" and (found := await _review(request, row)) is not None:
            return found
    except (Refused, StorageError):
        return _About()
    free = sum(1 for place in rows.card_of(row).places if place.person is None and place.level is None)
    ended = "review" if kind == "review" else "replay"
    return _About(row.game, ended if row.phase == "ended" else row.phase, {"n": free})


async def _review(request: Request, row: TableRow) -> _About | None:
    """The figures of a review that is there, if everybody may see it."""
    context, seat = registry_of(request).context, number(request, "seat", 0, MOST_SEATS)
    table, game = row.table, row.game
    if not row.public:
        places = rows.card_of(row).places
        person = places[seat].person if seat < len(places) else None
        if not await shared_reviews.is_shared(context.storage, table, person):
            return None
    if (content := await context.reviews.get((table, seat))) is None:
        return None
    review = review_picture.read(content)
    if review.skill is None:
        return _About(game, "review", {}, (table, seat))
    luck = round(100 * review.luck)
    figures = {"skill": f"{100 * review.skill:.0f}", "luck": f"{luck:+}".replace("-", "−")}
    return _About(game, "review.figures", figures, (table, seat))


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
