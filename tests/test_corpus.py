"""Recorded games replay exactly: the state's hash is compared after every action."""

import json
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.engine.compiled import IS_PLAIN
from tavolino.engine.records import begin_replay

CORPUS = Path(__file__).parent / "corpus"


def records(game: tavolino.Game, rules: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / f"{game.name}.{rules}.jsonl").read_text().splitlines()]


@pytest.mark.plain
def test_recorded_games_replay_with_the_same_state_after_every_action(game: tavolino.Game) -> None:
    corpus = [record for rules in game.versions for record in records(game, rules)]
    for record in corpus[:: 8 if IS_PLAIN else 1]:
        match = begin_replay(record, tavolino.load)
        hashes = [match.hash()[:8]]
        for action in record["actions"]:
            match.play(action)
            hashes.append(match.hash()[:8])
        assert "".join(hashes) == record["hashes"]
        assert match.outcome is not None
        assert match.outcome.reason == record["reason"]
        assert match.hash() == record["hash"]
        assert match.record()["rules"] == record["rules"]


def test_the_corpus_covers_every_number_of_players_every_option_and_every_end(game: tavolino.Game) -> None:
    corpus = records(game, game.rules)
    assert len(corpus) >= 60
    assert {record["players"] for record in corpus} == set(game.players)
    assert {record["reason"] for record in corpus} == set(filter(None, game.reasons))
    for name, option in game.options.items():
        values = {record["options"][name] for record in corpus}
        if option.kind == "switch":
            assert values == {True, False}
        elif option.kind == "seat":
            assert values == set(range(game.players[-1]))
        else:
            assert len(values) >= 8
