"""What a page without a server reads: the answers of a server that are the same for everybody, by their addresses."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tavolino.engine.game import Game
from tavolino.local.features import FEATURES
from tavolino.server import features
from tavolino.server import protocol as p
from tavolino.server.games.content import describe
from tavolino.server.http.content import answers as texts_and_rules

READY = p.Readiness(True, 1, 1, True)  # all is compiled ahead


def answers(games: Sequence[Game]) -> dict[str, bytes]:
    there = [feature.name for feature in FEATURES]  # at tables of one person
    found = {address: answer() for address, answer in texts_and_rules(games, features.folders()).items()}
    for name, own in features.without_server(games).items():
        there.append(name)
        found |= {address: answer() for address, answer in own.items()}
    found["/api/games"] = [describe(game, READY) for game in games]
    found["/api/features"] = p.ServerFeatures(sorted(there), [])
    return {address: msgspec.json.encode(answer, order="sorted") for address, answer in found.items()}
