"""Transcripts: calls of every entry point of a game with what they wrote, to be repeated by other machine code.

A transcript is one binary file of 64-bit words, so that JavaScript and C read it without a library: the number of
calls; for each call the name of the entry point (32 bytes), its result, the number of arguments, and the arguments. A
number is (0, its word). An array is (1, dimensions, lengths, bytes), then its contents before and after the call, both
padded to whole words.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tavolino
from tavolino.bots import contest_loop, heuristic, search
from tavolino.bots.policies import net_of, policy_of
from tavolino.coach import playouts
from tavolino.engine import loops
from tavolino.engine.ahead import as_plain
from tavolino.engine.chance import key_from_seed
from tavolino.engine.compiled import IS_PLAIN
from tavolino.engine.entry_points import entry_points, sample_actions, sample_deal, sample_scores
from tavolino.engine.game import Game
from tavolino.engine.net import NO_NET
from tavolino.research import observing, stepping
from tavolino.research.table import Setting

NAME_BYTES = 32
ITERATIONS = 40
POSITIONS = 24
PLAYOUTS = 4
GAMES = 3


class Transcript:
    """Calls entry points, and keeps what went in and what came out."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []
        self.names: set[str] = set()

    def call(self, function: Any, *arguments: Any, symbol: str | None = None) -> Any:
        if IS_PLAIN:
            arguments = tuple(map(as_plain, arguments))
        flat = list(_flat(arguments))
        before = [each.tobytes() if isinstance(each, np.ndarray) else b"" for each in flat]
        result = function(*arguments)
        name = symbol or function.__name__
        words = [struct.pack(f"<{NAME_BYTES}sqq", name.encode(), int(result or 0), len(flat))]
        for each, old in zip(flat, before, strict=True):
            words.append(_written(each, old))
        self.calls.append(b"".join(words))
        self.names.add(name)
        return result

    def write(self, path: Path) -> None:
        path.write_bytes(struct.pack("<q", len(self.calls)) + b"".join(self.calls))


def _flat(arguments: tuple[Any, ...]) -> Iterator[Any]:
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from _flat(argument)
        elif argument is not None:
            yield argument


def _written(argument: Any, before: bytes) -> bytes:
    if isinstance(argument, np.ndarray):
        shape = argument.shape
        head = struct.pack(f"<qq{len(shape)}qq", 1, len(shape), *shape, len(before))
        padding = bytes(-len(before) % 8)
        return head + before + padding + argument.tobytes() + padding
    return struct.pack("<qd" if isinstance(argument, float) else "<qq", 0, argument)


def positions(game: Game, count: int) -> Iterator[Any]:
    """Matches of the game after more and more decisions, for every number of players."""
    for number in range(count):
        players = game.players[number % len(game.players)]
        match = game.start(players, f"transcript {number}")
        for step in range(number * 2):
            if match.to_act is None:
                break
            legal = match.legal()
            match.play(legal[(step * 7 + number) % len(legal)])
        if match.to_act is not None:
            yield match


def transcript_of(name: str, count: int = POSITIONS) -> Transcript:
    """Every entry point of a game, most of them in many positions."""
    game, made = tavolino.load(name), Transcript()
    policy = policy_of(name)
    weights, actions, scores = policy.weights_of("medium"), sample_actions(game), sample_scores(game)
    deal = sample_deal(game)
    over = game.new_states()
    made.call(loops.random_games, over, 0, 0, 20, 3, *deal, actions, np.zeros((20, 3), np.int32))
    made.call(observing.payoffs, over, 0, np.zeros(int(deal[0][0])))
    for number, match in enumerate(positions(game, count)):
        seat, states, key = match.to_act, match._states.copy(), key_from_seed(f"key {number}")
        teams = game.teams(states[0])
        made.call(loops.draw_world, states, 0, seat, key, actions)
        world = states.copy()
        n = made.call(loops.advance, world, 0, loops.LIST, 0, key, *_nothing(), actions)
        made.call(heuristic.decide, world.copy(), 0, weights, actions, n, scores)
        made.call(loops.advance, world.copy(), 0, loops.PLAY, int(actions[n // 2]), key, *_nothing(), actions)
        params, net = search.params_of(policy.search), net_of("expert", name, match.players)
        for using in (NO_NET, net) if len(net.weights) else (NO_NET,):
            scratch = search.search_scratch(game, 400, policy.net)
            for array in scratch.nodes, scratch.edges:
                array[:] = np.zeros(len(array), array.dtype)
            made.call(search.grow, world, seat, teams, number, 0, ITERATIONS, params, weights, using, scratch)
            made.call(search.choose_edge, scratch.nodes, scratch.edges, scratch.used, policy.search.margin)
        results = np.zeros((PLAYOUTS, 2, match.players))
        tried = np.array([playouts.AS_POLICY, playouts.BLINDLY])
        rooms = game.new_states(playouts.ROOM)
        made.call(playouts.play_out, world, 0, rooms, seat, teams, weights, 40, 5, 0, tried, actions, scores, results)
        _observe(made, name, match, world)
    _contest(made, game, weights, deal)
    _batches(made, name, weights)
    for point, arguments in entry_points(game):
        if point.record is not None:
            _own(made, point, arguments, game, count)
    return made


def _nothing() -> tuple[Any, ...]:
    return np.zeros(0, np.int32), np.zeros((0, 0), np.int32), np.zeros(0, np.int32)


def _observe(made: Transcript, name: str, match: Any, world: Any) -> None:
    setting = Setting(name, match.players)
    numbers = (setting.from_rules, setting.numbers)
    mask, out = np.zeros(setting.action_count, np.int8), np.zeros(setting.size, np.uint8)
    made.call(observing.encode, world, 0, match.to_act, *numbers, mask, out)
    chosen = int(np.flatnonzero(mask)[-1])
    made.call(observing.play_and_encode, world.copy(), 0, chosen, *numbers, mask, out)


def _contest(made: Transcript, game: Game, weights: Any, deal: Any) -> None:
    options, seats = np.repeat(deal[0][np.newaxis], GAMES, 0), int(deal[0][0])
    arguments = (
        *(game.new_states(), game.new_states(), np.arange(GAMES), options),
        *(np.zeros((GAMES, seats), np.int32), np.array([contest_loop.HEURISTIC], np.int32), weights[np.newaxis], 9),
        *(deal[1], deal[2], sample_actions(game), sample_scores(game)),
        *(np.zeros((game.most_decisions(seats) + 1, 2), np.int32), np.zeros((GAMES, 3), np.int32)),
        *(np.zeros((game.action_count, 2), np.int64), np.array([(0, 0, -1)], contest_loop.CURSOR)),
    )
    made.call(contest_loop.play_games, *arguments)


def _batches(made: Transcript, name: str, weights: Any) -> None:
    setting = Setting(name, tavolino.load(name).players[0], knowledge=False)
    cast = stepping.Cast(np.full((setting.players - 1, 1), 0, np.int32), np.ones((setting.players - 1, 1)), False)
    for given, symbol in ((None, "step"), (weights[np.newaxis], "step_by_weights")):
        batch, actions = stepping.new_batch(setting, GAMES), np.zeros(GAMES, np.int64)
        generator = np.full(1, 99, np.uint64)
        made.call(stepping.step, batch, cast, actions, stepping.BEGIN, 4, True, given, symbol=symbol)
        for _ in range(6):
            made.call(stepping.sample, batch.masks, generator, actions)
            made.call(stepping.first_illegal, actions, batch.masks)
            made.call(stepping.step, batch, cast, actions, stepping.STEP, 4, True, given, symbol=symbol)


def _own(made: Transcript, point: Any, arguments: Any, game: Game, count: int) -> None:
    """An entry point of the game's own, in the form (states, index, worlds, row, ...)."""
    for match in positions(game, count):
        rest = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments[4:]]
        made.call(point.function, match._states.copy(), 0, game.new_states(), match.to_act, *rest, symbol=point.symbol)


if __name__ == "__main__":  # NAME COUNT FILE: in the mode of this process
    import sys

    transcript_of(sys.argv[1], int(sys.argv[2])).write(Path(sys.argv[3]))
