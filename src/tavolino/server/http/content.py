"""Routes about the games: descriptions, rules, texts. They are the same for everybody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tavolino.engine.game import Game
from tavolino.engine.languages import languages
from tavolino.server.access import answer, registry_of
from tavolino.server.games import content
from tavolino.server.http.static import StaticFile, static_file


async def list_games(request: Request) -> Response:
    """The games, their options, and whether their rules are compiled yet."""
    library = registry_of(request).context.library
    games = await library.all_games()
    return answer([content.describe(game, library.readiness(game.name)) for game in games])


async def get_rules(request: Request) -> Response:
    """The rules of a game with their ids, in one language."""
    game = await registry_of(request).load_game(request.path_params["game"])
    return answer(content.rules_page(game, request.path_params["language"]))


async def get_texts(request: Request) -> Response:
    """Every message in one language: all games' and the server's own."""
    games, language = tuple(await registry_of(request).context.library.all_games()), request.path_params["language"]
    return (await asyncio.to_thread(_texts, games, language, feature_folders(request))).answer(request)


async def list_languages(request: Request) -> Response:
    """The languages, and how far each of them is."""
    games = tuple(await registry_of(request).context.library.all_games())
    return answer(await asyncio.to_thread(content.language_states, games, feature_folders(request)))


def feature_folders(request: Request) -> tuple[Path, ...]:
    """The folders of all features, with their texts. One that is switched off keeps its texts: the page may ask for
    them before it knows."""
    return tuple(feature.folder() for feature in registry_of(request).kinds.features.values())


def answers(games: Sequence[Game], features: tuple[Path, ...]) -> dict[str, Callable[[], Any]]:
    """What is the same for everybody as long as a server runs, by address."""
    found: dict[str, Callable[[], Any]] = {"/api/languages": partial(content.language_states, games, features)}
    for language in languages():
        found[f"/api/texts/{language}"] = partial(content.texts, games, language, features)
        for game in games:
            if content.has_rules(game):
                found[f"/api/rules/{game.name}/{language}"] = partial(content.rules_page, game, language)
    return found


@cache
def _texts(games: tuple[Game, ...], language: str, features: tuple[Path, ...]) -> StaticFile:
    texts = content.texts(games, language, features)
    return static_file(msgspec.json.encode(texts, order="sorted"), "application/json")
