"""The page as a server has it: its files, those of features, and a service worker that knows all of them."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from tavolino.engine.game import Game
from tavolino.server import features
from tavolino.server.access import registry_of
from tavolino.server.http import content
from tavolino.server.http.shell import SCRIPT, Shell, service_worker, shell
from tavolino.server.http.static import Page, StaticFile, static_file
from tavolino.server.settings import ServerSettings

CHANGING = ("/api/games", "/api/features")  # kept too, but what they say may change while a server runs


def make_page(settings: ServerSettings) -> Page:
    return Page(others=features.page_folders(settings.without), pages=features.pages(settings.without))


class ServiceWorker:
    """It is made when a browser asks for it: its list needs all games, and the server does not wait for them."""

    path = SCRIPT

    def __init__(self, page: Page, settings: ServerSettings) -> None:
        self._page, self._settings = page, settings
        self._script = page.take(SCRIPT)  # a page that somebody has built may have none
        self._made: tuple[list[Game], StaticFile] | None = None

    async def answer(self, request: Request) -> Response:
        script = self._script
        if script is None:
            return self._page.answer(request)
        games = await registry_of(request).context.library.all_games()
        if self._made is None or self._made[0] != games:
            body = service_worker(script.body, self._listed(games))
            self._made = games, static_file(body, script.kind, script.caching, script.varies)
        return self._made[1].answer(request)

    def _listed(self, games: Sequence[Game]) -> Shell:
        answers = [*CHANGING, *content.answers(games, features.folders())]
        for own in features.without_server(games, self._settings.without).values():
            answers += own
        answers_of_features, files = features.kept(self._settings)
        marks = {path: file.etag for path, file in self._page.files.items()}
        return shell(marks, [*answers, *answers_of_features], files, features.summary(self._settings.without))
