"""What a link to the server looks like where people send it: tags of Open Graph in the head of the page.

They say what stands in the table's row and nothing of its cards. Nobody's name is in them: programs that make previews
keep what they read.
"""

from __future__ import annotations

from html import escape

from starlette.requests import Request

from tavolino.engine.languages import SOURCE_LANGUAGE, languages
from tavolino.engine.messages import fill
from tavolino.engine.texts import read_texts
from tavolino.server.access import registry_of, subscriber_of
from tavolino.server.errors import Refused
from tavolino.server.games.content import SERVER
from tavolino.server.storage import StorageError
from tavolino.server.table import rows
from tavolino.server.tables.registry import TABLE_ID

WIDTH, HEIGHT = 1200, 630
PICTURES = "/previews/"
SITE = "Tavolino"
FINISHED = ("replay", "review", "watch")  # addresses that are about finished games alone
SHOWN = ("table", *FINISHED)


async def head(request: Request, pictures: frozenset[str]) -> str:
    """The tags for this address. `pictures` are the paths of those that the page has."""
    language = _language(request.headers.get("accept-language", ""))
    game, key, free = await _about(request)
    title, picture = SITE, f"{PICTURES}home.png"
    if game:
        folder = (await registry_of(request).load_game(game)).folder
        name = read_texts(folder, language)["name"]
        title = f"{name} · {SITE}"
        own = f"{PICTURES}{game}.png"
        picture = own if own in pictures else picture
    text = fill(read_texts(SERVER, language)[f"preview.{key}"], {"n": free}, language, lambda _: None)
    base = _base(request)
    tags = {
        "og:site_name": SITE,
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:url": base + request.url.path,
    }
    if picture in pictures:
        tags |= {"og:image": base + picture, "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}
    lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()]
    lines.append('<meta name="twitter:card" content="summary_large_image" />')
    if key != "home" or request.url.path.startswith("/circle"):  # links are for friends, not for search engines
        lines.append('<meta name="robots" content="noindex" />')
    return "\n    ".join(lines)


async def _about(request: Request) -> tuple[str | None, str, int]:
    """The game that an address is about, the key of the sentence, and how many seats are free."""
    kind, _, table = request.url.path.strip("/").partition("/")
    if kind not in SHOWN or not TABLE_ID.fullmatch(table):
        return None, "home", 0
    context = registry_of(request).context
    try:
        context.limits.requests.take(subscriber_of(request))
        row = await context.storage.row(table)
        if row is None or (kind in FINISHED and row.phase != "ended"):
            return None, "home", 0
        places = rows.card_of(row).places
        free = sum(1 for place in places if place.person is None and place.level is None)
        await registry_of(request).load_game(row.game)
    except (Refused, StorageError):
        return None, "home", 0
    ended = "review" if kind == "review" else "replay"
    return row.game, ended if row.phase == "ended" else row.phase, free


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
