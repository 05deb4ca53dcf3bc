"""What a page without a server reads: the answers of a server that are the same for everybody, by their addresses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from tavolino.engine.game import Game
from tavolino.engine.languages import languages
from tavolino.local.features import FEATURES
from tavolino.server import features
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.games import content

READY = p.Readiness(True, 1, 1, True)  # all is compiled ahead


def answers(games: Sequence[Game]) -> dict[str, bytes]:
    folders = tuple(Path(package.__file__ or "").parent for package in features.packages().values())
    found: dict[str, Any] = {
        "/api/games": [content.describe(game, READY) for game in games],
        "/api/languages": content.language_states(games, folders),
    }
    for language in languages():
        found[f"/api/texts/{language}"] = content.texts(games, language, folders)
        for game in games:
            try:
                found[f"/api/rules/{game.name}/{language}"] = content.rules_page(game, language)
            except Refused:  # a game without written rules
                continue
    there = [feature.name for feature in FEATURES]  # at tables of one person
    for name, without_server in features.without_server().items():
        there.append(name)
        found |= without_server(games)
    found["/api/features"] = p.ServerFeatures(sorted(there), [])
    return {address: msgspec.json.encode(answer, order="sorted") for address, answer in found.items()}
