"""Puzzles without a server: the same ones, with the same answers."""

from __future__ import annotations

import msgspec

import tavolino
from tavolino.coach.puzzle_files import puzzles_of
from tavolino.games import load
from tavolino.server.games import positions
from tests.local.playing import Memory, ask, opened


async def test_a_puzzle_is_listed_shown_and_tried() -> None:
    worker = await opened(Memory())
    for name in tavolino.games():
        game = load(name)
        puzzles = puzzles_of(game)
        status, cards = await ask(worker, "GET", f"/api/puzzles/{name}")
        assert (status, [card["id"] for card in cards]) == (200, list(puzzles))
        first = next(iter(puzzles.values()))
        status, shown = await ask(worker, "GET", f"/api/puzzles/{name}/{first.id}")
        expected = positions.position(game, first.id, first.record, first.seat)
        assert (status, shown) == (200, msgspec.to_builtins(expected))
        status, told = await ask(worker, "POST", f"/api/puzzles/{name}/{first.id}", {"action": first.best})
        assert (status, told["solved"], told["best"]) == (200, True, first.best)
        assert told["reasons"]


async def test_what_is_no_puzzle_is_refused() -> None:
    worker = await opened(Memory())
    assert (await ask(worker, "GET", "/api/puzzles/chess"))[0] == 404
    status, problem = await ask(worker, "GET", "/api/puzzles/mantis/nothing")
    assert (status, problem["code"]) == (404, "no-such-puzzle")
    first = next(iter(puzzles_of(load("mantis"))))
    status, problem = await ask(worker, "POST", f"/api/puzzles/mantis/{first}", {"action": "fly"})
    assert (status, problem["code"]) == (422, "illegal-move")
    assert (await ask(worker, "GET", f"/api/puzzles/mantis/{first}/more"))[0] == 404
