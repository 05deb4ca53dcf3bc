"""A record's chain binds its start and every action; the hash of the end state alone does not."""

import random
from typing import Any

import pytest

import tavolino
from tavolino.engine.record_format import binds_every_action, chain

FIRST_FORMAT = ("game", "rules", "players", "options", "seed", "decks", "actions", "hash")


def some_decisions(game: tavolino.Game, seed: int, decisions: int) -> dict[str, Any]:
    chance, match = random.Random(seed), game.start(game.players[0], seed)
    while not match.over and len(match.record()["actions"]) < decisions:
        match.play(chance.choice(match.legal()))
    return match.record()


def with_two_exchanged(record: dict[str, Any], one: int, other: int) -> dict[str, Any]:
    actions = list(record["actions"])
    actions[one], actions[other] = actions[other], actions[one]
    return {**record, "actions": actions}


def other_ways_to_the_same_end(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Records with two actions exchanged that a check of the end state lets pass."""
    found = []
    for one in range(len(record["actions"])):
        for other in range(one + 1, len(record["actions"])):
            changed = with_two_exchanged(record, one, other)
            if changed["actions"] != record["actions"]:
                try:
                    tavolino.replay({key: changed[key] for key in FIRST_FORMAT})
                except tavolino.BadRecord:
                    continue
                found.append(changed)
    return found


def test_exchanged_actions_that_lead_to_the_same_end_are_found() -> None:
    ways = [
        way
        for name in tavolino.games()
        for seed in range(6)
        for way in other_ways_to_the_same_end(some_decisions(tavolino.load(name), seed, 6))
    ]
    assert ways, "a hash of the end alone lets some changes pass"
    for way in ways:
        with pytest.raises(tavolino.BadRecord, match="chain"):
            tavolino.replay(way)


@pytest.mark.parametrize("name", tavolino.games())
def test_the_chain_covers_the_start_and_the_order_of_actions(name: str) -> None:
    record = some_decisions(tavolino.load(name), 1, 5)
    assert record["chain"] == chain(record)
    changes: list[dict[str, Any]] = [
        {"seed": "another"},
        {"seed": str(record["seed"])},
        {"players": record["players"] + 1},
        {"options": {}},
        {"decks": {}},
        {"rules": "0"},
        {"actions": record["actions"][:-1]},
        {"actions": record["actions"][::-1]},
        {"actions": ["".join(record["actions"])]},
    ]
    for changed in changes:
        assert chain({**record, **changed}) != record["chain"]


@pytest.mark.parametrize("name", tavolino.games())
def test_records_of_the_first_format_replay_and_do_not_claim_to_bind_their_actions(name: str) -> None:
    record = some_decisions(tavolino.load(name), 2, 8)
    old = {key: record[key] for key in FIRST_FORMAT}
    assert binds_every_action(record)
    assert not binds_every_action(old)
    assert tavolino.replay(old).record() == record


@pytest.mark.parametrize(
    ("changed", "why"), [({"format": 3}, "format '3'"), ({"format": "2"}, "format"), ({}, "chain")]
)
def test_a_format_that_is_not_known_or_lacks_its_chain_is_refused(changed: dict[str, Any], why: str) -> None:
    record = some_decisions(tavolino.load(tavolino.games()[0]), 3, 2)
    record.pop("chain")
    with pytest.raises(tavolino.BadRecord, match=why):
        tavolino.replay({**record, **changed})
