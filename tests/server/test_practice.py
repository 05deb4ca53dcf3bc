"""Puzzles and own mistakes over HTTP: views alone leave, progress is kept on the person and forgotten with them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.coach.labels import FIRST_VERSION, JUDGE_VERSION
from tavolino.coach.puzzle_files import puzzles_of
from tavolino.engine.records import replay
from tavolino.server.errors import Refused
from tavolino.server.features.practice.feature import PracticeFeature
from tavolino.server.features.practice.stored import DAY, MOST, Practice
from tavolino.server.storage.sqlite import SqliteStorage
from tests.coach.games import played
from tests.server.clients import Guest
from tests.server.conftest import Clock, Server

Guests = Callable[[int], list[Guest]]
GAME = "mantis"
TABLE = "t" * 22


def test_a_puzzle_is_asked_tried_and_kept_for_the_person(server: Server, guests: Guests) -> None:
    server.ready(GAME)
    ada, bruno = guests(2)
    cards = ada.http.get(f"/api/puzzles/{GAME}").json()
    assert len(cards) == len(puzzles_of(tavolino.load(GAME)))
    assert {card["solved"] for card in cards} == {None}
    stored = puzzles_of(tavolino.load(GAME))[cards[0]["id"]]
    address = f"/api/puzzles/{GAME}/{stored.id}"
    missed = ada.http.post(address, json={"action": stored.usual}).json()
    assert not missed["solved"]
    assert missed["best"] == stored.best
    assert missed["cost"] > 0
    assert _card(ada, stored.id)["solved"] is False
    found = ada.http.post(address, json={"action": stored.best}).json()
    assert found["solved"]
    assert found["cost"] == 0
    assert [each["action"] for each in found["actions"]] == [each["action"] for each in stored.actions]
    ada.http.post(address, json={"action": stored.usual})
    assert _card(ada, stored.id)["solved"] is True, "solved once is solved"
    assert _card(bruno, stored.id)["solved"] is None
    assert ada.http.delete("/api/me/practice").status_code == 204
    assert _card(ada, stored.id)["solved"] is None


def test_an_operator_offers_more_puzzles_from_a_folder(tmp_path: Path) -> None:
    """A line that is no puzzle of the game is left out, and the log has a sentence about it."""
    match = tavolino.load(GAME).start(2, "a puzzle of our own")
    best, *others = match.legal()
    actions = [
        {"action": each, "chance": 0.6 if each == best else 0.4, "error": 0.01, "worlds": 64, "estimate": False}
        for each in match.legal()
    ]
    more = {"record": match.record(), "seat": match.to_act, "best": best, "usual": others[0], "cost": 0.2,
            "found_by": 0.5, "theme": None, "actions": actions}  # fmt: skip
    (tmp_path / "puzzles").mkdir()
    (tmp_path / "puzzles" / f"{GAME}.jsonl").write_text(f"{json.dumps(more)}\n{{}}\n", "utf-8")
    server = Server(tmp_path)
    try:
        server.ready(GAME)
        guest = Guest(server.address, "Ada")
        cards = guest.http.get(f"/api/puzzles/{GAME}").json()
        assert len(cards) == len(puzzles_of(tavolino.load(GAME))) + 1
        name = match.record()["chain"][:12]
        assert guest.http.post(f"/api/puzzles/{GAME}/{name}", json={"action": best}).json()["solved"]
        assert "line 2: this is no puzzle" in server.log.getvalue()
    finally:
        server.stop()


def test_who_has_no_identity_may_try_too(server: Server, guests: Guests) -> None:
    server.ready(GAME)
    (ada,) = guests(1)
    stored = next(iter(puzzles_of(tavolino.load(GAME)).values()))
    ada.http.headers.pop("Authorization")
    told = ada.http.post(f"/api/puzzles/{GAME}/{stored.id}", json={"action": stored.best})
    assert told.json()["solved"]
    assert ada.http.get("/api/me/mistakes").json()["code"] == "no-identity"


def test_a_puzzle_shows_what_the_seat_sees_and_neither_the_answer_nor_the_deal(server: Server, guests: Guests) -> None:
    """On the bytes: the view of the seat, nothing of the record that leads there."""
    server.ready(GAME)
    (ada,) = guests(1)
    for stored in list(puzzles_of(tavolino.load(GAME)).values())[:10]:
        got = ada.http.get(f"/api/puzzles/{GAME}/{stored.id}")
        told = got.json()
        match = replay(stored.record, tavolino.load)
        view = match.view(stored.seat)
        assert told["lines"] == json.loads(json.dumps(view.pop("log")))
        assert told["view"] == json.loads(json.dumps(view))
        assert told["notebook"] == json.loads(json.dumps(match.notebook(stored.seat)))
        assert set(told) == {"id", "game", "players", "seat", "view", "lines", "notebook"}
        assert str(stored.record["seed"]) not in got.text


def test_what_is_not_there_or_not_legal_is_refused_with_a_sentence(server: Server, guests: Guests) -> None:
    server.ready(GAME)
    (ada,) = guests(1)
    stored = next(iter(puzzles_of(tavolino.load(GAME)).values()))
    assert ada.http.get("/api/puzzles/chess").json()["code"] == "no-such-game"
    assert ada.http.get(f"/api/puzzles/{GAME}/nothing").json()["code"] == "no-such-puzzle"
    illegal = ada.http.post(f"/api/puzzles/{GAME}/{stored.id}", json={"action": "castle"})
    assert illegal.json()["code"] == "illegal-move"
    for method, sent in (("GET", None), ("POST", {"action": "x"}), ("DELETE", None)):
        assert ada.http.request(method, "/api/me/mistakes/nothing", json=sent).json()["code"] == "no-such-puzzle"


@pytest.fixture
def reviewed() -> tuple[dict[str, Any], dict[str, Any]]:
    """A finished game, and a review of it as the worker writes one, with five decisions that cost something."""
    match = played(GAME, 2, "mistakes")
    record = match.record()
    decisions: list[dict[str, Any]] = []
    start = match.game.start(2, record["seed"], record["options"], rules=record["rules"])
    for turn, action in enumerate(record["actions"], start=1):
        legal = start.legal()
        if start.to_act == 0 and len(legal) > 1 and len(decisions) < 5:
            best = next(each for each in legal if each != action)
            cost = 0.05 + 0.01 * len(decisions)
            actions = [
                {"action": each, "chance": 0.5 if each == best else 0.5 - cost, "error": 0.01, "estimate": False}
                for each in sorted(legal, key=lambda each: each != best)
            ]
            label = "mistake" if decisions else "inaccuracy"
            decisions.append(
                {"turn": turn, "label": label, "best": best, "chosen": action, "cost": cost, "actions": actions,
                 "reasons": []}
            )  # fmt: skip
        start.advance(action)
    return record, {"version": JUDGE_VERSION, "seat": 0, "given_away": 0.3, "decisions": decisions}


def test_a_mistake_comes_back_after_days_and_goes_when_it_is_solved_four_times(
    tmp_path: Path, reviewed: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    record, review = reviewed
    clock = Clock()

    async def work(practice: Practice) -> None:
        async def due() -> list[str]:
            return [name for name, found in (await practice.mistakes("ada")).items() if practice.is_due(found)]

        async def attempt(name: str, solved: bool) -> int | None:
            return await practice.note_try("ada", name, await practice.mistake("ada", name), solved)

        await practice.note_review("ada", TABLE, record, review)
        kept = await practice.mistakes("ada")
        assert sorted(each.cost for each in kept.values()) == pytest.approx([0.07, 0.08, 0.09]), "the three costliest"
        assert await due() == []
        clock.set_wall(DAY)
        assert sorted(await due()) == sorted(kept)
        first, second, third = kept
        for days in (3, 7, 21):
            comes = await attempt(first, solved=True)
            assert comes is not None
            assert comes - clock.wall() == pytest.approx(days * DAY, abs=2)
            assert first not in await due()
            clock.set_wall(days * DAY + 2)
            assert first in await due()
        assert await attempt(first, solved=True) is None, "found four times in a row"
        assert list(await practice.mistakes("ada")) == [second, third]
        await attempt(second, solved=True)
        comes = await attempt(second, solved=False)
        assert comes is not None
        assert comes - clock.wall() == pytest.approx(DAY, abs=2), "a wrong try begins again"
        await practice.drop("ada", third)
        assert list(await practice.mistakes("ada")) == [second]
        await practice.note_review("ada", TABLE, record, review)
        assert list(await practice.mistakes("ada")) == [second], "the same review brings nothing back"

    asyncio.run(_with_practice(tmp_path, clock, work))


def test_what_an_older_judge_called_a_mistake_does_not_come_back(
    tmp_path: Path, reviewed: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    record, review = reviewed
    old = {key: value for key, value in review.items() if key != "version"}  # as version 2 wrote it

    async def work(practice: Practice) -> None:
        await practice.note_review("ada", TABLE, record, old)
        assert await practice.mistakes("ada") == {}
        await practice.note_review("ada", TABLE, record, review)
        kept = await practice.mistakes("ada")
        assert {each.judge for each in kept.values()} == {JUDGE_VERSION}
        name, mistake = next(iter(kept.items()))
        mistake.judge = FIRST_VERSION
        await practice.note_try("ada", name, mistake, False)  # stored again, as of the older judge
        assert sorted(await practice.mistakes("ada")) == sorted(set(kept) - {name})
        with pytest.raises(Refused):
            await practice.mistake("ada", name)

    asyncio.run(_with_practice(tmp_path, Clock(), work))


def test_nobody_has_more_mistakes_than_can_be_repeated(
    tmp_path: Path, reviewed: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    async def work(practice: Practice) -> None:
        for number in range(MOST):
            await practice.note_review("ada", f"{number:022}", *reviewed)
        assert len(await practice.mistakes("ada")) == MOST

    asyncio.run(_with_practice(tmp_path, Clock(), work))


async def _with_practice(folder: Path, clock: Clock, work: Callable[[Practice], Coroutine[Any, Any, None]]) -> None:
    storage = SqliteStorage(folder)
    await storage.open()
    try:
        await storage.add_person("ada", "Ada", b"token", 1)
        await work(Practice(storage, clock))
    finally:
        await storage.close()


def test_a_mistake_is_asked_and_tried_by_its_owner_alone_and_gone_with_the_person(
    start_server: Callable[..., Server], reviewed: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    server = start_server().ready(GAME)
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno")
    record, review = reviewed
    person = server.run(lambda: server.context.people.recognise(ada.token))
    server.run(lambda: server.feature(PracticeFeature).practice.note_review(person.id, TABLE, record, review))
    listed = ada.http.get("/api/me/mistakes").json()
    assert listed["now"] == []
    assert len(listed["later"]) == 3
    server.clock.set_wall(DAY + 60)
    worst = max(ada.http.get("/api/me/mistakes").json()["now"], key=lambda each: each["cost"])
    decision = review["decisions"][-1]
    address = f"/api/me/mistakes/{worst['id']}"
    for method, body in (("GET", None), ("POST", {"action": decision["best"]}), ("DELETE", None)):
        assert bruno.http.request(method, address, json=body).json()["code"] == "no-such-puzzle"
    asked = ada.http.get(address)
    assert asked.json()["seat"] == asked.json()["view"]["to_act"] == review["seat"]
    assert decision["best"] in asked.json()["view"]["legal"]
    assert record["seed"] not in asked.text
    told = ada.http.post(address, json={"action": decision["best"]}).json()
    assert told["solved"]
    early = ada.http.post(address, json={"action": decision["chosen"]}).json()
    assert not early["solved"]
    assert early["due"] == told["due"], "a try before its day changes nothing"
    assert ada.http.delete(address).status_code == 204
    assert ada.http.get(address).json()["code"] == "no-such-puzzle"
    assert ada.http.delete("/api/me").status_code == 204
    assert server.run(lambda: server.context.storage.items(person.id, "")) == {}


def _card(guest: Guest, puzzle: str) -> dict[str, Any]:
    return next(card for card in guest.http.get(f"/api/puzzles/{GAME}").json() if card["id"] == puzzle)
