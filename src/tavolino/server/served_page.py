"""The page as a server has it: its files, those of features, and a service worker that knows all of them."""

from __future__ import annotations

from tavolino.games import games, load
from tavolino.server import features
from tavolino.server.http import content
from tavolino.server.http.shell import SCRIPT, service_worker, shell
from tavolino.server.http.static import Page
from tavolino.server.settings import ServerSettings

CHANGING = ("/api/games", "/api/features")  # kept too, but what they say may change while a server runs


def make_page(settings: ServerSettings) -> Page:
    page = Page(others=features.page_folders(settings.without), pages=features.pages(settings.without))
    if SCRIPT in page.files:  # a page that somebody has built may have none
        page.replace(SCRIPT, _service_worker(page, settings))
    return page


def _service_worker(page: Page, settings: ServerSettings) -> bytes:
    loaded = [load(name) for name in games()]
    answers = [*CHANGING, *content.answers(loaded, features.folders())]
    for own in features.without_server(loaded, settings.without).values():
        answers += own
    answers_of_features, files = features.kept(settings)
    marks = {path: file.etag for path, file in page.files.items()}
    listed = shell(marks, [*answers, *answers_of_features], files, features.summary(settings.without))
    return service_worker(page.files[SCRIPT].body, listed)
